"""Rolls: a call for dice, the numbers that were rolled, and what came of them.

    DM: "Make a perception check."   Mara: "Seventeen."   DM: "You spot a trail of ash."

A call is a responder's line that asks for a roll or names a skill. What was rolled is the first number that each of the
others tells behind it, in a short line, as digits or as a word. The result is the responder's next line that says
something: no echo ("17. Okay.") and no question. All of it lies within 12 lines, and before the next call; that call
itself may be the result ("19? Roll again.").
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
FEW = 6  # words of a line in which a word may be the number
NUMBER = re.compile(r"(?<![\w.,])(\d{1,3})(?![\w%]|[.,]\d)")
NATURAL = re.compile(r"\bnat(?:ural)?\s+(?:(20|1)\b|(twenty|one)\b)", re.IGNORECASE)
SPOKEN = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
WORD = re.compile(r"[^\W\d_]+")
NODS = (
    *("ok", "okay", "all", "right", "alright", "righty", "nice", "cool", "great", "good", "yeah", "oh", "hm", "still"),
    *("natural", "plus", "laugh", "laughs", "laughing", "and", "with", "so", "a", "an", "you", "got", "that", "is"),
    "your",
)
ECHOED = frozenset((*SPOKEN, *NODS))


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
    rolled: dict[str, Rolled] = {}
    result: int | None = None
    for line in reading.lines[call + 1 : call + 1 + REACH]:
        role, number = _role(reading, line), number_of(line)
        if role == INITIATOR and number is not None and result is None:
            actor = reading.speakers[line.author_name].actor.id
            rolled.setdefault(actor, Rolled(line.line_index, actor, number))
        elif role == RESPONDER and rolled and says_something(line):
            result = line.line_index
        if result is not None or line.line_index in calls:
            break
    return Roll(call, tuple(rolled.values()), result)


def says_something(line: Line) -> bool:
    """Say whether a line is more than an echo of a number or a nod, and no question.

    >>> [says_something(Line(0, "DM", text)) for text in ("17. All right, okay.", "17?", "No.", "You hear a voice.")]
    [False, False, True, True]
    """
    words = WORD.findall(line.content.lower())
    return not line.content.rstrip().endswith("?") and any(word not in ECHOED for word in words)


def _role(reading: Reading, line: Line) -> int:
    return reading.speakers.get(line.author_name, NOBODY).role


def number_of(line: Line) -> int | None:
    """Give the number that a short line tells, the last of several; None if it tells none.

    >>> lines = ("Oh. 12 plus 4, 16!", "Natural one.", "Seven.", "That one?", "It is 3.5 miles to the inn")
    >>> [number_of(Line(0, "Ann", text)) for text in lines]
    [16, 1, 7, None, None]
    """
    if len(line.content) > SHORT:
        return None
    natural = NATURAL.search(line.content)
    if natural is not None:
        return 20 if (natural[1] or natural[2]).lower() in ("20", "twenty") else 1
    numbers = NUMBER.findall(line.content)
    if numbers:
        return int(numbers[-1])
    words = WORD.findall(line.content.lower())
    told = [SPOKEN.index(word) for word in words if word in SPOKEN and (word != "one" or len(words) == 1)]
    return told[-1] if told and len(words) <= FEW else None
