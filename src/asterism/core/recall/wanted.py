"""What kind of answer a question wants, and whether a note has one: an amount, a number, a time of day, a place.

A note that has what is asked for answers though it says it in other words ("What time does breakfast start?",
"Breakfast is served from eight."); one that has none does not, however much of the question it holds ("What does the
bike cost?", "I ride the bike to work.").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum

from asterism.core.recall.relative_times import WEEKDAYS
from asterism.core.recall.tense import Tense, tense_of

_COUNTED = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|fifty"
    "|sixty|seventy|eighty|ninety|hundred|thousand|million|dozen|half|quarter|noon|midnight|both|once|twice"
)
_FIGURE = rf"\d|\b(?:{_COUNTED})\b"


class Kind(Enum):
    """What an answer has to have."""

    AMOUNT = "amount"  # of money
    NUMBER = "number"
    CODE = "code"  # a postcode, a password: figures, or what something "is"
    CLOCK = "clock"  # a time of day
    WEEKDAY = "weekday"
    PLACE = "place"


_ASKED: tuple[tuple[re.Pattern[str], Kind], ...] = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"\bwhat time\b|\bat what (?:time|hour)\b", Kind.CLOCK),
        (r"\b(?:what|which) (?:day|weekday)\b", Kind.WEEKDAY),
        (r"\bhow (?:much|expensive)\b.*\b(?:cost|costs|pay|paid|charge|earn|earns|spend|spent|owe|worth|rent|price)\b"
         r"|\bwhat (?:does|do|did|is|was|are|were)\b.*\b(?:cost|costs|price|charge|rent|fee|fees|salary|deposit)\b"
         r"|\bhow expensive\b", Kind.AMOUNT),
        (r"\b(?:number|code|postcode|zip|pin|version|password|extension)\b", Kind.CODE),
        (r"\bhow (?:many|old|tall|heavy|far|high|big|long)\b(?!\s+(?:ago|times))", Kind.NUMBER),
        (r"^\W*where\b|\b(?:what|which) (?:city|town|street|place|country|village|address)\b", Kind.PLACE),
    )
)  # fmt: skip
_HAS: Mapping[Kind, re.Pattern[str]] = {
    Kind.AMOUNT: re.compile(_FIGURE + r"|\bfree\b|\bnothing\b"),
    Kind.NUMBER: re.compile(_FIGURE),
    Kind.CODE: re.compile(_FIGURE + r"|\b(?:is|was|to)\s+[\w-]+[.!]?$"),  # "the password is plum-otter"
    Kind.CLOCK: re.compile(_FIGURE),
    Kind.WEEKDAY: re.compile(rf"\b(?:{'|'.join(WEEKDAYS)}|weekend|weekdays?|daily|every day)s?\b"),
    Kind.PLACE: re.compile(
        r"\b(?:in|at|on|from|to|into|near|behind|under|beside|by|over|above|below|next to|opposite|inside|outside"
        r"|around|home|here|there|abroad|upstairs|downstairs|via)\b"
    ),
}


def kind_wanted(folded: str) -> Kind | None:
    """Give the kind of answer that a folded question wants; None, if its words do not say.

    >>> [kind_wanted(text) for text in ("what time does it start?", "where is it?", "who is it?", "how often was it?")]
    [<Kind.CLOCK: 'clock'>, <Kind.PLACE: 'place'>, None, None]
    """
    kind = next((kind for pattern, kind in _ASKED if pattern.search(folded) is not None), None)
    return None if kind is Kind.WEEKDAY and tense_of(folded) is Tense.PAST else kind  # when it was told says that


def has_kind(kind: Kind, folded: str) -> bool:
    """Say whether a folded text has something of a kind.

    >>> has_kind(Kind.CLOCK, "breakfast is served from eight."), has_kind(Kind.AMOUNT, "i drive a bike.")
    (True, False)
    """
    return _HAS[kind].search(folded) is not None


TELLING = {Kind.PLACE: 0.5, Kind.NUMBER: 0.5, Kind.CODE: 0.0}  # of what many texts have, whatever is asked; else 1


def telling(kind: Kind) -> float:
    """Say how much it tells that a text has something of a kind.

    >>> telling(Kind.CLOCK), telling(Kind.PLACE)
    (1.0, 0.5)
    """
    return TELLING.get(kind, 1.0)
