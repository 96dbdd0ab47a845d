"""An answer as text for a prompt: dated lines, what holds before what held, what cannot both hold side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asterism.core.recall.hits import AnswerHit, HitConflict

CHARACTERS_PER_TOKEN = 4
LONGEST_SOURCE = 24  # characters
LEAST_TEXT = 40  # characters of a text that is cut: less says nothing
CUT = "…"
UNSURE = "unsure: probably nothing that is known answers this."


def as_prompt(hits: Sequence[AnswerHit], budget: int, *, unsure: bool = False) -> str:
    """Write hits as lines, best first, current ones before former ones, in at most so many tokens of 4 characters.

    Where none of them is probable enough, that is said first.

    A line that does not fit is cut, or left out where too little of it would be left; a shorter one may follow.
    """
    room, lines = budget * CHARACTERS_PER_TOKEN, list[str]()
    for line in ([UNSURE] if unsure else []) + list(_lines(hits)):
        left = room - sum(map(len, lines)) - len(lines)  # a line's end counts too
        if len(line) <= left:
            lines.append(line)
        elif left >= LEAST_TEXT and not lines:
            lines.append(line[: left - 1] + CUT)
    return "\n".join(lines)


def _lines(hits: Sequence[AnswerHit]) -> Iterator[str]:
    """Give each hit as a line, and those that it conflicts with right behind it."""
    ordered = sorted(hits, key=is_former)  # else in the order of rank
    known, told = {hit.id: hit for hit in ordered}, set[str]()
    for hit in ordered:
        if hit.id in told:
            continue
        told.add(hit.id)
        yield f"- {line_of(hit)}"
        for each in hit.conflicts:
            if each.id not in told:
                told.add(each.id)
                yield f"  or: {line_of(known[each.id]) if each.id in known else _other(each)}"


def is_former(hit: AnswerHit) -> bool:
    """Say whether it does not hold at the time asked about: now, unless the question names another."""
    return "not_valid" in hit.signals or not (hit.current or "then" in hit.signals or "former" in hit.signals)


def line_of(hit: AnswerHit) -> str:
    """Write a hit on one line: when it was told and how often, how long it holds, from where, and what it says."""
    text = _text(hit)
    about = [f"{hit.at:%Y-%m-%d}" if hit.at is not None else ""]
    about.append("" if hit.times == 1 or hit.times_then is None else f"{hit.times_then}x then")
    about.append(f"{hit.times}x since {hit.first_at:%Y-%m-%d}" if hit.times > 1 and hit.first_at is not None else "")
    if hit.valid_until is not None:
        about.append(f"until {hit.valid_until:%Y-%m-%d}")
    elif not hit.current:
        about.append("not yet")
    source = _short(hit.session if hit.kind != "block" or not hit.source else hit.source)
    known = ", ".join(each for each in about if each)
    if source and len(known) + len(source) <= len(text):  # what is said of a fact is not longer than the fact
        known = f"{known}, {source}" if known else source
    return f"{known}: {text}" if known else text


def _other(conflict: HitConflict) -> str:
    return f"{conflict.at:%Y-%m-%d}: {' '.join(conflict.text.split())}"


def _text(hit: AnswerHit) -> str:
    text = " ".join(hit.text.split())
    said_by = hit.name if hit.name and hit.kind == "block" else hit.speaker
    return f"{said_by}: {text}" if said_by and not text.startswith(said_by) else text


def _short(source: str) -> str:
    return source if len(source) <= LONGEST_SOURCE else source[: LONGEST_SOURCE - 1] + CUT
