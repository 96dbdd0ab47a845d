"""Rolls: a call for dice, the numbers that were rolled, and what came of them.

    DM: "Make a perception check."   Mara: "Seventeen. 17."   DM: "You spot a trail of ash."

A call is a responder's line that asks for a roll or names a skill. What was rolled are the numbers that short lines of
others tell behind it; the result is the responder's next line that says more than an echo ("17. Okay."). All of it
lies within 12 lines, and before the next call; that call itself may be the result ("19? Roll again.").
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import NamedTuple

from asterism.core.dialogue.actors import INITIATOR, NOBODY, RESPONDER
from asterism.core.dialogue.consequences import consequence_of
from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.lines import Line

CALLS = ("asks_for_a_roll", "names_a_skill")  # rules of a consequence
REACH = 12  # lines from the call to its result
SHORT = 80  # characters of a line that merely tells a number
ECHO = 4  # words that an echo may have
NUMBER = re.compile(r"(?<![\w.,])(\d{1,3})(?![\w%]|[.,]\d)")
NATURAL = re.compile(r"\bnat(?:ural)?\s+(?:(20|1)\b|(twenty|one)\b)", re.IGNORECASE)


class Rolled(NamedTuple):
    """A number that somebody told."""

    line: int
    actor: str
    number: int


class Roll(NamedTuple):
    """A call for dice that was answered with numbers."""

    call: int
    rolled: tuple[Rolled, ...]
    result: int | None  # None: nothing more was said of it in reach


def rolls(reading: Reading) -> list[Roll]:
    """Join calls for dice to what was rolled and what came of it, in the order of the calls."""
    calls = {line.line_index for line in reading.lines if _calls(reading, line)}
    return [roll for call in sorted(calls) if (roll := _answered(reading, call, calls)).rolled]


def _calls(reading: Reading, line: Line) -> bool:
    return (
        bool(reading.eligibility.eligible[line.line_index])
        and _role(reading, line) == RESPONDER
        and consequence_of(line.content).name in CALLS
    )


def _answered(reading: Reading, call: int, calls: Set[int]) -> Roll:
    rolled: list[Rolled] = []
    result: int | None = None
    for line in reading.lines[call + 1 : call + 1 + REACH]:
        number = number_of(line)
        if _role(reading, line) == INITIATOR and number is not None and result is None:
            rolled.append(Rolled(line.line_index, reading.speakers[line.author_name].actor.id, number))
        elif _role(reading, line) == RESPONDER and rolled:
            result = line.line_index
            if len(line.content.split()) > ECHO:
                break
        if line.line_index in calls:
            break
    return Roll(call, tuple(rolled), result)


def _role(reading: Reading, line: Line) -> int:
    return reading.speakers.get(line.author_name, NOBODY).role


def number_of(line: Line) -> int | None:
    """Give the number that a short line tells, the last of several; None if it tells none.

    >>> lines = ("Oh. 12 plus 4, 16!", "Natural one.", "It is 3.5 miles to the inn")
    >>> [number_of(Line(0, "Ann", text)) for text in lines]
    [16, 1, None]
    """
    if len(line.content) > SHORT:
        return None
    natural = NATURAL.search(line.content)
    if natural is not None:
        return 20 if (natural[1] or natural[2]).lower() in ("20", "twenty") else 1
    numbers = NUMBER.findall(line.content)
    return int(numbers[-1]) if numbers else None
