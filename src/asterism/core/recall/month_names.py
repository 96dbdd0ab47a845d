"""Months that are also names of people: "What does June like?" asks of somebody, "What did I do in June?" of a time."""

from __future__ import annotations

import re
from collections.abc import Iterator

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
PEOPLE = frozenset(("april", "may", "june", "august"))

_NAME = re.compile(rf"\b(?:{'|'.join(sorted(PEOPLE))})\b")
_IN = re.compile(
    r"\b(?:in|during|since|until|till|before|after|by|early|mid|late|last|this|next|past|\d+\w*)\s+(?:the\s+)?$"
)
_PART_OF = re.compile(r"\b(?:end|beginning|start|middle|half|weeks?|days?|rest|whole|month|\d\d?\w*)\s+of\s+$")
_OF_OR_FROM = re.compile(r"\b(?:of|from)\s+$")
_ASKED_OF = re.compile(
    r"\b(?:do|does|did|has|have|had|is|are|was|were|will|would|can|could|should|with|about|tell|ask|asked|told|see|saw"
    r"|meet|met|visit|visited|call|called|named|know|mr|mrs|ms|dr|aunt|uncle|my|our|friend|sister|brother|daughter|son"
    r"|cousin|mother|neighbou?r|colleague|boss)\.?\s+$"
)
_JOINED = re.compile(r"\b(?:to|and|or)\s+$")
_OF_TIMES = re.compile(rf"\b(?:from|between|in|during|{'|'.join(MONTHS)})\b|\d")
_DOES = re.compile(
    r"\s+(?:said?|says|told|tells?|likes?|liked|loves?|wants?|wanted|has|have|had|is|was|will|went|goes|go|came|comes?"
    r"|asked|asks?|lives?|works?|plays?|thinks?|eats?|prefers?|gave|gives?|bought|buys?|needs?|moved)\b"
)
_ON = re.compile(r"\s*(?:to|until|till|through|on|onwards?|-|\u2013)\b|\s*[-\u2013]|,?\s+\d")
_YEAR_OR_DAY = re.compile(r",?\s+(?:of\s+)?(?:the\s+)?\d")


def is_person(folded: str, start: int, end: int) -> bool:
    """Say whether a month's name at a place in a folded question is somebody's.

    >>> [is_person(text, text.index("june"), text.index("june") + 4) for text in ("what does june like?", "in june?")]
    [True, False]
    """
    if folded[start:end] not in PEOPLE:
        return False
    before, after = folded[:start], folded[end:]
    if after.startswith("'s"):
        return True
    if _IN.search(before) or _PART_OF.search(before) or _YEAR_OR_DAY.match(after):
        return False
    if _OF_OR_FROM.search(before):
        return _ON.match(after) is None
    if _JOINED.search(before):
        return _OF_TIMES.search(before) is None
    return _ASKED_OF.search(before) is not None or _DOES.match(after) is not None


def people_in(folded: str) -> Iterator[str]:
    """Give the months' names in a folded question that are somebody's.

    >>> list(people_in("did april come in june?"))
    ['april']
    """
    for found in _NAME.finditer(folded):
        if is_person(folded, *found.span()):
            yield found[0]
