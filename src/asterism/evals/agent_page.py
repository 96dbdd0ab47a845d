"""The page of an agent's days: `python -m asterism.evals.agent_page docs/agent-day.md` writes it, `--check` compares.

It holds what was told, what was asked and what the agent read, with what was wrong of each kind; nothing in it depends
on how long anything took.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from asterism.evals.agent_day import DAYS, DREAMS_EVERY, EVENING, KINDS, STORIES, Reply, by_day, replies, rows, story

GOAL = 0.95
BLIND = ".65"  # of the innkeeper's, before anything was changed by what was wrong with it
SHOWN = 2  # hits of each answer
WHAT = {
    "now": "the first hit is the fact that holds now",
    "then": "the first hit is the fact that held at the time asked about",
    "when": "the first hit is the fact, and its line has the day",
    "how often": "the first hit is the fact, and its line has the number",
    "unanswerable": "the answer says that it is unsure",
    "all": "",
}


def page(found: Mapping[str, Sequence[Reply]]) -> str:
    """Write the page, from what each story's agent read."""
    lines = [*_head(found)]
    for name, replied in found.items():
        lines += [f"## The {name}", "", *_wrong(replied), *_told(name), *_asked(replied), ""]
    return "\n".join(lines)


def _head(found: Mapping[str, Sequence[Reply]]) -> Iterator[str]:
    yield "<!-- Made by `python -m asterism.evals.agent_page docs/agent-day.md`: do not edit. -->"
    yield "# An agent's sixty days"
    yield ""
    yield f"Three people's {DAYS} days of facts, many of which change or happen again, and questions on the evening of"
    yield f"{EVENING:%-d %B %Y}: told and asked over MCP with the official SDK's client, as an agent would, with the"
    yield "default tools. Stories and questions are ours, written before any was asked"
    yield "(`src/asterism/evals/data/agent_day_*.jsonl`); no answer was used to change a question. What was wrong with"
    yield "the translator's was looked at while recall was built; what was wrong with the mechanic's was looked at"
    yield "later, by kinds of mistakes."
    yield f"The innkeeper's was written last: the first time it was asked, {BLIND} was right."
    yield ""
    for name in found:
        facts, questions = story(name)
        yield f"- [The {name}](#the-{name}): {len(facts)} facts, {len(questions)} questions."
    yield ""
    yield f"| question | right, if | {' | '.join(f'{name}, share right | n' for name in found)} |"
    yield f"|---|---|{'---|---|' * len(found)}"
    for same in zip(*map(rows, found.values()), strict=True):
        yield f"| {same[0].name} | {WHAT[same[0].name]} | {' | '.join(f'{row.value:.2f} | {row.n}' for row in same)} |"
    yield ""
    yield f"The goal is {GOAL} of all. An answer that is right but called unsure counts as wrong."
    yield "The same figures: `asterism eval agent`."
    yield ""


def _wrong(found: Sequence[Reply]) -> Iterator[str]:
    yield "### What was wrong"
    yield ""
    for kind in KINDS:
        wrong = [each for each in found if each.question.kind == kind and not each.right]
        if wrong:
            yield f"**{kind}** ({len(wrong)})"
            yield ""
            for each in wrong:
                yield f"- {each.question.text} {_why(each)}"
            yield ""
    if all(each.right for each in found):
        yield "Nothing."
        yield ""


def _why(reply: Reply) -> str:
    asked, first = reply.question, reply.first.partition("] ")[2]
    if not asked.gold:
        return f"Nothing told answers it; first came: *{first}*"
    if reply.unsure:
        return "It was called unsure" + (f"; first came: *{first}*" if first else ".")
    if asked.gold in first:
        return f"The fact came first, but its line does not say {asked.date or f'{asked.times} times'}: *{first}*"
    return f"First came: *{first}*, not: *{asked.gold}*"


def _told(name: str) -> Iterator[str]:
    facts, _ = story(name)
    yield "### What the agent learned"
    yield ""
    yield f"One `learn` a day, with that day as `at`; a word in brackets is a slot. `dream` every {DREAMS_EVERY} days."
    yield ""
    for day, told in by_day(facts):
        said = " ".join(f"{each.text} [{each.slot}]" if each.slot else each.text for each in told)
        yield f"- {told[0].at} (day {day}): {said}"
    yield ""


def _asked(found: Sequence[Reply]) -> Iterator[str]:
    yield "### What it asked, and what it read"
    yield ""
    yield f"`recall` with the question and nothing else; the first {SHOWN} of at most ten hits are shown."
    for kind in KINDS:
        yield ""
        yield f"#### {kind}"
        yield ""
        for each in (one for one in found if one.question.kind == kind):
            yield f"    {'right' if each.right else 'WRONG'}  {each.question.text}"
            yield from (f"           {line}" for line in _shown(each))


def _shown(reply: Reply) -> list[str]:
    """Give the first hits as they were read, each with what is said against it, and what stands above them."""
    lines = reply.text.splitlines()
    hits = [place for place, line in enumerate(lines) if line.startswith("[")]
    end = hits[SHOWN] if len(hits) > SHOWN else len(lines)
    return [line for line in lines[:end] if not line.startswith("(")]


def main(words: Sequence[str]) -> int:
    """Write the page, or say whether it is that of today."""
    check = "--check" in words
    (path,) = (Path(word) for word in words if word != "--check")
    told = page({name: replies(name) for name in STORIES})
    if not check:
        path.write_text(told, encoding="utf-8")
        return 0
    if path.read_text(encoding="utf-8") == told:
        return 0
    sys.stderr.write(f"{path} is out of date: python -m asterism.evals.agent_page {path}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
