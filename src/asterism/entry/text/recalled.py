"""Answers with their reasons in words, and why something was not among them, as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from asterism.entry.hints import PROMPT
from asterism.entry.text.blocks import next_step
from asterism.entry.text.layout import WIDTH, Line, Piece, Style, many, paragraph, sum_lines
from asterism.entry.text.render import one_line

if TYPE_CHECKING:
    from asterism.core.blocks.model import BlockView
    from asterism.core.ledger.model import WhyNotAnswer
    from asterism.core.recall.model import Answer, AnswerHit, HitVia
    from asterism.engine.recall.unanswered import OpenQuestion

ROWS = 6  # lines of a hit's text
REASONS = 3
WORTH_SAYING = 0.1
MARGIN = " " * 4
OF_ITSELF = ("length", "asks", "answers")  # what an entry is like, whatever was asked
SIGNALS: Mapping[str, str] = {
    "keyword": "words asked for, here or nearby",
    "covered": "holds much of the question",
    "kin": "has kindred words",
    "meaning": "nearer in meaning",
    "speaker": "said by whom the question names",
    "name": "its name is in the question",
    "date": "of the time asked for",
    "group": "from a conversation about it",
    "when": "tells a time",
    "asks": "asks something",
    "answers": "follows a question",
    "length": "says enough",
    "then": "told or valid at the time asked about",
    "recent": "told lately",
    "former": "held once",
    "often": "told more than once, and it is asked how often",
    "not_valid": "does not hold at the time asked about",
    "outdated": "contradicted by what was told later",
    "heir": "the value, then, of a slot that is asked about",
    "lacks": "has no place, number or time that is asked for",
    "story": "share of the ways to place the summary",
    "instead": "told later than what it contradicts",
}
LINKS: Mapping[str, str] = {
    "mention": "named in {source}",
    "mentioned_by": "names {source}",
    "shared_term": "shares the name {name} with {source}",
    "mention_rest": "adds what {source} lacks",
    "mentioned_by_rest": "adds what {source} lacks",
    "shared_term_rest": "adds what {source} lacks",
    "similar": "similar to {source}",
    "co_occurs": "used together with {source}",
    "outcome": "went well together with {source}",
    "evidence": "linked by evidence to {source}",
    "caused": "came of {source}, or led to it",
    "walk": "found by walkers from {source}",
}
GATES: Mapping[str, tuple[str, Style]] = {
    "in": ("It is among the answers", "good"),
    "rank": ("Others answer better", "fair"),
    "floor": ("It is not probable enough", "fair"),
    "expired": ("It has left recall", "fair"),
    "budget": ("It does not fit into the budget of tokens", "fair"),
    "filter": ("A filter keeps it out", "fair"),
    "unnamed": ("The question does not name it", "fair"),
    "crowded": ("An answer holds no more levels", "fair"),
    "gone": ("It is not there any more", "bad"),
    "linked": ("They are linked", "good"),
    "guard": ("Too far apart in meaning", "fair"),
    "threshold": ("Not enough in common", "fair"),
    "cap": ("One of them has enough better links", "fair"),
    "inbox": ("Not dreamed of yet", "fair"),
    "dormant": ("A link fell asleep", "fair"),
    "evidence": ("Not enough evidence", "fair"),
    "correlation": ("They do not move together so", "fair"),
    "causation": ("Neither follows the other surely enough", "fair"),
    "condition": ("Not as the stars stand", "fair"),
    "assigned": ("Somebody said what it is", "fair"),
    "none": ("Nothing keeps them apart", "good"),
}


def answer_lines(
    answer: Answer,
    blocks: Mapping[str, BlockView] | None = None,
    *,
    space: str = "",
    past: bool = False,
    filtered: bool = False,
    timed: bool = False,
    whole: bool = False,
    width: int = WIDTH,
) -> list[Line]:
    """Show hits, best first: text, how probable, with its reasons, id; those that are noise only where all are wanted.

    `blocks` has the hits' blocks and the links' sources.
    """
    if not answer.searched:
        where = f" in space {space!r}" if space else ""
        if past:
            return paragraph(f"There was nothing to recall{where} then.", width=width)
        empty = paragraph(f"There is nothing to recall{where} yet.", width=width)
        for note in answer.notes:
            empty += paragraph(PROMPT.say(note) + ".", width=width, style="dim")
        return [*empty, next_step('asterism learn "Ada likes tea"', "tells it something; then ask again")]
    if not answer.hits:
        hint = " Leave a filter out, or widen it." if filtered else ""
        nothing = paragraph(f"Nothing was recalled, of {many(answer.searched, 'thing')}.{hint}", width=width)
        return [*nothing, next_step("asterism recall … --floor 0", "shows what comes nearest")]
    known = blocks or {}
    texts = {hit.id: hit.name or hit.text for hit in answer.hits}
    texts |= {block.id: block.name or block.content for block in known.values()}
    lines: list[Line] = []
    if answer.unsure:
        lines += [*paragraph("Unsure: nothing here probably answers this. Nearest:", width=width, style="fair"), []]
    if answer.often is not None and str(answer.often):
        lines += [*paragraph(f"{answer.often}.", width=width, style="fair"), []]
    shown = answer.hits if whole else answer.clear_hits
    for place, hit in enumerate(shown, 1):
        lines += [*_hit(place, hit, known.get(hit.id), texts, width=width), []]
    for note in answer.notes:
        lines += paragraph(PROMPT.say(note) + ".", width=width, style="dim")
    took = f" in {answer.took_ms:.0f} ms" if timed else ""
    left = len(answer.hits) - len(shown)
    more = f"{many(left, 'less probable one')} left out: --all shows {'it' if left == 1 else 'them'}; " if left else ""
    told = f"{len(shown)} of {many(answer.searched, 'thing')}{took}; {more}--why shows each sum"
    return lines + paragraph(told, width=width, style="dim")


def _hit(place: int, hit: AnswerHit, block: BlockView | None, texts: Mapping[str, str], *, width: int) -> list[Line]:
    number, named = f"{place:>2}. ", f"{hit.name}:" if hit.kind == "block" and hit.name else ""
    text = " ".join(f"{named} {hit.text}"[: (ROWS + 1) * width].split())
    rows = textwrap.wrap(text, width, initial_indent=number, subsequent_indent=MARGIN, max_lines=ROWS, placeholder=" …")
    first = rows[0][len(number) :]
    head: Line = [Piece(number, "head"), Piece(first)]
    if named and first.startswith(named):
        head = [Piece(number, "head"), Piece(named, "name"), Piece(first[len(named) :])]
    lines: list[Line] = [head, *([Piece(row)] for row in rows[1:])]
    figure = f"{_percent(hit.probability)}  "
    told = textwrap.wrap(", ".join(reasons(hit, texts, width)), width - len(MARGIN) - len(figure)) or [""]
    lines.append([Piece(f"{MARGIN}{figure}", "good"), Piece(told[0], "kind")])
    lines += [[Piece(MARGIN + " " * len(figure) + row, "kind")] for row in told[1:]]
    context = one_line(hit.context, most=max(20, width - len(hit.id) - 8))
    about = [hit.kind if hit.kind != "block" else "", context, ", ".join(block.tags) if block else ""]
    lines.append([Piece(MARGIN), Piece(hit.id, "name"), *(Piece(f"  {each}", "dim") for each in about if each)])
    return lines


def _percent(probability: float) -> str:
    """Write a probability; of what is surely or impossibly an answer nobody knows.

    >>> _percent(0.7245), _percent(0.0004), _percent(0.9999)
    ('72 %', '<1 %', '99 %')
    """
    return f"{min(99, round(100 * probability))} %" if probability >= 0.01 else "<1 %"


def reasons(hit: AnswerHit, texts: Mapping[str, str], width: int = WIDTH) -> list[str]:
    """Say what speaks for a hit, the strongest first, and the strongest link in any case, with where it comes from."""
    via = {each.kind: each for each in hit.links}
    if hit.signals.get("walk") == 0.0:  # it weighs nothing, but is why the hit is here
        return [_word("walk", via, texts, width)]
    best = sorted(hit.signals.items(), key=lambda each: (-each[1], each[0]))
    for_it = [each for each in best if each[1] >= WORTH_SAYING and each[0] not in OF_ITSELF]
    if for_it:
        led = [each for each in for_it if each[0] in via][:1]
        told = dict.fromkeys([*for_it[: REASONS - len(led)], *led])
        return [f"{_word(name, via, texts, width)} {value:+.2f}" for name, value in told]
    against = [f"far in meaning {value:+.2f}" for name, value in best if name == "meaning" and value < 0]
    return ["little speaks for it", *against]


def signal_in_words(name: str) -> str:
    """Write out the name of a signal.

    >>> signal_in_words("covered"), signal_in_words("shared_term")
    ('holds much of the question', 'shared term')
    """
    return SIGNALS.get(name) or name.replace("_", " ")


def _word(name: str, via: Mapping[str, HitVia], texts: Mapping[str, str], width: int) -> str:
    led = via.get(name)
    if led is None:
        return signal_in_words(name)
    source = texts.get(led.source)
    shown = led.source if source is None else f"“{one_line(source, most=max(20, width // 2))}”"
    return LINKS.get(name, f"{name} from {{source}}").format(source=shown, name=f"“{led.name}”")


def sums_lines(answer: Answer, *, whole: bool = False, width: int = WIDTH) -> list[Line]:
    """Show the score of every hit as the sum it is, of those that are noise only where all are wanted."""
    lines: list[Line] = []
    for place, hit in enumerate(answer.hits if whole else answer.clear_hits, 1):
        text = one_line(hit.text, most=width - len(hit.id) - 6)
        lines.append([Piece(f"{place:>2}. ", "head"), Piece(text), Piece(f"  {hit.id}", "name")])
        rows = [*_parts(hit.signals, hit.links), ("= score", f"{hit.score:.4f}")]
        lines += [*sum_lines(rows, width=width, indent=MARGIN), []]
    return lines[:-1]


def _ways_in(told: WhyNotAnswer, *, width: int) -> list[Line]:
    """Say what would bring something among the answers: more of them, or one signal that brings more."""
    rows = [
        (
            f"{each.signal}: {SIGNALS[each.signal]}" if each.signal in SIGNALS else each.signal,
            f"{each.value:.2f} → {each.needed:.2f}",
        )
        for each in told.changes
        if each.possible
    ]
    lines = paragraph(f"Ask for -k {told.rank}{', or let one of these bring more:' if rows else '.'}", width=width)
    return lines + (sum_lines(rows, width=width) if rows else [])


def _parts(signals: Mapping[str, float], links: Sequence[HitVia] = ()) -> list[tuple[str, str]]:
    """Give the parts of a score, the largest first, with what they mean or where they come from."""
    led = {each.kind: f"{each.kind} from {each.source}" + (f" over {each.name}" if each.name else "") for each in links}
    parts = sorted(signals.items(), key=lambda each: (-abs(each[1]), each[0]))
    told = {name: f"{name}: {SIGNALS[name]}" if name in SIGNALS and value > 0 else name for name, value in parts}
    return [(led.get(name, told[name]), f"{value:+.4f}") for name, value in parts]


def why_not_lines(told: WhyNotAnswer, *, texts: Sequence[str] = (), width: int = WIDTH) -> list[Line]:
    """Say which gate keeps something out, and the smallest change that lets it in."""
    word, style = GATES.get(told.gate, (told.gate, ""))
    lines: list[Line] = [[Piece(told.id, "name")]]
    lines += [[Piece(f"{MARGIN}{one_line(text, most=width - 4)}", "dim")] for text in texts]
    said = f", at place {told.rank}" if told.rank else ""
    if told.gate not in ("gone", "filter", "inbox", "unnamed", "crowded", "expired"):
        needed = f", needed {told.needed:.4f}" if told.value != told.needed else ""
        said += f" ({told.value:.4f}{needed})"
    lines.append([Piece(word, style), Piece(f"{said}.")])
    if told.gate == "rank" and told.ask:
        lines += _ways_in(told, width=width)
    elif told.gate not in ("in", "linked"):
        lines += paragraph(PROMPT.say(told.change), width=width)
    if told.signals:
        rows = _parts(told.signals) if told.rank else [(name, f"{part:.4f}") for name, part in told.signals.items()]
        lines += [[], [Piece("What it has:", "dim")], *sum_lines(rows, width=width)]
    return lines


def open_lines(questions: Sequence[OpenQuestion], *, width: int = WIDTH) -> list[Line]:
    """Show questions without a sure answer, and what would have to be told."""
    if not questions:
        return paragraph("No question is waiting for an answer.", width=width)
    lines: list[Line] = []
    for each in questions:
        lines.append([Piece(one_line(each.query, most=width), "name")])
        often = f", {each.times} times" if each.times > 1 else ""
        lacks = f"nobody told of {', '.join(each.missing)}" if each.missing else "all its words are known, not together"
        nearest = f"; nearest: “{one_line(each.nearest, most=40)}”" if each.nearest else ""
        lines += paragraph(f"{each.at:%Y-%m-%d}{often}: {lacks}{nearest}", width=width, indent=MARGIN, style="dim")
    return [*lines, next_step('asterism learn "…"', "tells it; a question that is answered then leaves this list")]
