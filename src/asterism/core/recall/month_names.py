"""Months that are also names of people: "What does June like?" asks of somebody, "What did I do in June?" of a time."""

from __future__ import annotations

import re
from collections.abc import Iterator

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
PEOPLE = frozenset(("april", "may", "june", "august"))

BESIDE = 80  # characters to either side that say whether it is a person
_NAME = re.compile(rf"\b(?:{'|'.join(sorted(PEOPLE))})\b")
_IN = re.compile(
    r"\b(?:in|during|since|until|till|before|after|by|early|mid|late|last|this|next|past|\d+\w*)\s+(?:the\s+)?$"
)
_PART_OF = re.compile(r"\b(?:end|beginning|start|middle|half|weeks?|days?|rest|whole|month|\d\d?\w*)\s+of\s+$")
_KIN = (
    "aunt|uncle|friend|sister|brother|daughter|son|cousin|mother|father|wife|husband|neighbou?r|colleague|boss|birthday"
)
_ASKED_OF = re.compile(
    r"\b(?:with|about|tell|ask|asked|told|see|saw|meet|met|visit|visited|call|called|named|know|mr|mrs|ms|dr"
    rf"|{_KIN}|(?:{_KIN}|name|address|number|parents|children)\s+of"
    r"|(?:presents?|gifts?|letters?|messages?|e?mails?|calls?|cards?|news|hear|heard|borrow|borrowed)\s+from)\.?\s+$"
)
_JOINED = re.compile(r"\b(?:to|and|or)\s+$")
_OF_TIMES = re.compile(rf"\b(?:from|between|in|during|{'|'.join(MONTHS)})\b|\d")
_DOES = re.compile(
    r"\s+(?:say|said|says|told|tells?|do|likes?|liked|loves?|loved|hates?|wants?|wanted|went|goes|go|came|comes?|calls?"
    r"|called|asked|asks?|lives?|lived|works?|worked|plays?|thinks?|eats?|drinks?|prefers?|gave|gives?|bought|buys?|needs?"
    r"|moved?|know|study|studies|studied|visit(?:ed|s)?)\b"
)
_IS = re.compile(r"\b(?:is|was)(?:n't)?\s+$")
_LIKE_SOMEBODY = re.compile(
    r"\s+(?:my|our|his|her|their|married|born|allergic|vegan|vegetarian|afraid|ill|sick|coming|going"
    r"|living|working|staying|doing|visiting|moving|studying|playing|eating|feeling|seeing|dating|calling)\b"
)
_A_TIME = re.compile(r"\b(?:of|all|my|our|your|the|for|every|each|on)\s+$")
_YEAR_OR_DAY = re.compile(r",?\s+(?:of\s+)?(?:the\s+)?\d")


def is_person(folded: str, start: int, end: int) -> bool:
    """Say whether a month's name at a place in a folded question is somebody's: what is beside it says so.

    >>> [is_person(text, text.index("june"), text.index("june") + 4) for text in ("what does june like?", "in june?")]
    [True, False]
    """
    if folded[start:end] not in PEOPLE:
        return False
    before, after = folded[max(0, start - BESIDE) : start], folded[end : end + BESIDE]
    if after.startswith("'s"):
        return True
    if _IN.search(before) or _PART_OF.search(before) or _YEAR_OR_DAY.match(after):
        return False
    if _ASKED_OF.search(before):
        return True
    if _A_TIME.search(before):
        return False
    if _JOINED.search(before) and _OF_TIMES.search(before) is None:
        return True
    return bool(_DOES.match(after) or (_IS.search(before) and _LIKE_SOMEBODY.match(after)))


def people_in(folded: str) -> Iterator[str]:
    """Give the months' names in a folded question that are somebody's.

    >>> list(people_in("did april come in june?"))
    ['april']
    """
    for found in _NAME.finditer(folded):
        if is_person(folded, *found.span()):
            yield found[0]
