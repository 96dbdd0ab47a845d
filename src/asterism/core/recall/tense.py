"""Whether a question asks of what was, what is, or what is to come: of "on Friday" it says which Friday is meant."""

from __future__ import annotations

import re
from enum import Enum

from asterism.core.text.terms import BASES

_ED = r"\w+[^\We]ed"  # visited; need and feed are none of these
_PAST = re.compile(
    r"\b(?:did|was|were|had)(?:n't)?\b|\b(?:happened|came|went|said|told|saw)\b|\b(?:who|what|which)\s+\w+ed\b"
    r"|^\W*(?:have|has)(?:n't)?\b(?!.*\bgot\b)"
)
_WORD = re.compile(r"\w+")
_DONE = re.compile(r"\b(?:have|has)(?:n't)?\s+\w+\s+(\w+)(?:\s+(\w+))?|\b(?:i|we|he|she|they|you|it)\s+(\w+)")
AHEAD = re.compile(r"\b(?:will|shall|won't|going to|soon|upcoming|planned|in (?:the )?future|from when)\b")
_ASKS = re.compile(
    r"^\W*(?:(?:at|on|in|by|to|for|with|from|until|till|since)\s+)?"
    r"(?:who|what|which|where|when|how|whose|why|do|does|don't|doesn't|am|is|isn't|are|aren't|can|could|may|must|should"
    r"|anything|any)\b"
)


class Tense(Enum):
    """When what a question asks about is, by its verbs; a question without any has none."""

    PAST = "past"
    PRESENT = "present"
    AHEAD = "ahead"
    NONE = "none"


def asks_of_past(folded: str) -> bool:
    """Say whether a folded question asks of what was: what is on Mondays, or today, is none of that.

    >>> [asks_of_past(text) for text in ("who came today?", "have i slept today?", "have i got time today?")]
    [True, True, False]
    >>> [asks_of_past(text) for text in ("is it open today?", "what do i have on monday?")]
    [False, False]
    """
    return _PAST.search(folded) is not None


def tense_of(folded: str) -> Tense:
    """Tell what was from what is and what is to come.

    >>> [tense_of(text).value for text in ("what did i do?", "what do i have on friday?", "who will come?", "friday")]
    ['past', 'present', 'ahead', 'none']
    >>> [
    ...     tense_of(text).value
    ...     for text in ("who is the man i met in june?", "what have i eaten?", "what have i got on?")
    ... ]
    ['past', 'past', 'present']
    """
    if asks_of_past(folded):
        return Tense.PAST
    if AHEAD.search(folded) is not None:
        return Tense.AHEAD
    if any(_is_done(each) for found in _DONE.findall(folded) for each in found):
        return Tense.PAST
    return Tense.PRESENT if _ASKS.search(folded) is not None else Tense.NONE


def tells_of_past(folded: str) -> bool:
    """Say whether a folded text that is no question tells of what was.

    >>> tells_of_past("i met tom on friday"), tells_of_past("lunch with tom on friday")
    (True, False)
    """
    return asks_of_past(folded) or any(map(_is_done, _WORD.findall(folded)))


def _is_done(word: str) -> bool:
    """Say whether a word is a verb's form for what was: met, eaten, visited."""
    if re.fullmatch(_ED, word) is not None:
        return True
    return word in BASES and word != "got" and not word.endswith(("s", "ing"))
