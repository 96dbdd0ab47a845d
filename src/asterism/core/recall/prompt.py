"""An answer as text for a prompt: dated lines, what holds before what held, what cannot both hold side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asterism.core.ledger.model import ConflictWith
from asterism.core.recall.hits import AnswerHit

CHARACTERS_PER_TOKEN = 4
LONGEST_SOURCE = 24  # characters
LEAST_TEXT = 40  # characters of a text that is cut: less says nothing
CUT = "…"
UNSURE = "unsure: probably nothing that is known answers this."
ITEM, OR = "- ", "  or: "  # how a line begins


def as_prompt(hits: Sequence[AnswerHit], budget: int, *, unsure: bool = False, often: str = "") -> str:
    """Write hits as lines, best first, current ones before former ones, in at most so many tokens of 4 characters.

    Where none of them is probable enough, that is said first.

    A line that does not fit is cut, or left out where too little of it would be left; a shorter one may follow.
    """
    page = _Page(budget * CHARACTERS_PER_TOKEN)
    if unsure:
        page.add(UNSURE)
    if often:  # it counts hits, which have no ids here
        page.add(f"{often.partition(':')[0]}:")
    for hit, others in _groups(hits):
        beside = page.add(f"{ITEM}{hit}")
        for other in others:  # below what it is an alternative to, or by itself
            beside |= page.add(f"{OR if beside else ITEM}{other}")
    return "\n".join(page.lines)


class _Page:
    """Lines within a number of characters."""

    def __init__(self, room: int) -> None:
        self.left, self.lines = room, list[str]()

    def add(self, line: str) -> bool:
        """Add a line if it fits, the first one cut; say whether it did."""
        if len(line) > self.left:
            if self.left < LEAST_TEXT or self.lines:
                return False
            line = line[: self.left - 1] + CUT
        self.lines.append(line)
        self.left -= len(line) + 1  # a line's end counts too
        return True


def _groups(hits: Sequence[AnswerHit]) -> Iterator[tuple[str, list[str]]]:
    """Give each hit as a line, with those that it conflicts with; where several spaces were asked, with its space."""
    ordered = sorted(hits, key=is_former)  # else in the order of rank
    known, told = {(hit.space, hit.id): hit for hit in ordered}, set[tuple[str, str]]()
    for hit in ordered:
        if (hit.space, hit.id) in told:
            continue
        told.add((hit.space, hit.id))
        space = f"{hit.space}: " if hit.space else ""
        others = []
        for each in hit.conflicts:
            key = hit.space, each.id
            if key not in told:
                told.add(key)
                others.append(space + (line_of(known[key]) if key in known else _other(each)))
        yield space + line_of(hit), others


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


def _other(conflict: ConflictWith) -> str:
    return f"{conflict.at:%Y-%m-%d}: {' '.join(conflict.text.split())}"


def _text(hit: AnswerHit) -> str:
    text = " ".join(hit.text.split())
    said_by = hit.name if hit.name and hit.kind == "block" else hit.speaker
    return f"{said_by}: {text}" if said_by and not text.startswith(said_by) else text


def _short(source: str) -> str:
    return source if len(source) <= LONGEST_SOURCE else source[: LONGEST_SOURCE - 1] + CUT
