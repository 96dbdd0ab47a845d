"""Stems and stop words: what makes "painting", "painted" and "paints" one term, and "what" and "the" none.

A light stemmer: endings of number and tense go, words stay recognisable. Written for English; a word of another
language loses at most a plural s.
"""

from __future__ import annotations

import re
from functools import lru_cache

STOP_WORDS = frozenset(
    """
    a about after again all also although always am among an and another any anybody anyone anything are aren around as
    at away be became because become been before being between both but by can cannot could couldn did didn do does
    doesn doing don done down during each either else ever every few for from get gets getting give given go goes going
    gone got had hadn has hasn have haven having he hello her here hers herself hey hi him himself his how however i if
    in into is isn it its itself just lately like ll lot many may maybe me might mine more most much must mustn my
    myself near need neither never no nobody none nor not nothing now of off oh ok okay on once one only onto or other
    others our ours ourselves out over own per perhaps please quite rather re really s same shall she should shouldn
    since so some somebody someone something still such sure t than that the their theirs them themselves then there
    these they thing things this those though through thus to together too toward towards under until up upon us ve
    very was wasn we well went were weren what whatever when whenever where wherever whether which whichever while who
    whoever whole whom whose why will with within without won would wouldn wow yeah yes yet you your yours yourself
    """.split()  # noqa: SIM905 - a paragraph is easier to read than three hundred quoted words
)
NOT_SEARCHED = STOP_WORDS - {"won"}  # "won't" is read as "will": who won a race is worth asking

_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bdfgmnprt])\1$")
_SHORTEST = 3


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Cut a folded word down to what its forms share.

    >>> [stem(word) for word in ("paints", "painted", "painting", "stories", "story", "running", "run", "makes")]
    ['paint', 'paint', 'paint', 'stori', 'stori', 'run', 'run', 'mak']
    >>> [stem(word) for word in ("adoption", "adopted", "happiness", "happy", "glass", "bus", "was", "2023")]
    ['adopt', 'adopt', 'happi', 'happi', 'glass', 'bus', 'was', '2023']
    """
    if len(word) <= _SHORTEST or not word.isascii() or not word.isalpha():
        return word
    word = _without_tense(_without_number(word))
    for ending in ("ness", "ment", "ly", "ion"):
        kept = word.removesuffix(ending)
        if kept != word and len(kept) > _SHORTEST and (ending != "ion" or kept[-1] in "st"):
            word = kept
            break
    if word.endswith("e") and len(word) > _SHORTEST:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > _SHORTEST else word


def _without_number(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _without_tense(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        kept = word.removesuffix(ending)
        if kept != word and len(kept) >= _SHORTEST and _VOWEL.search(kept):
            return kept[:-1] if _DOUBLED.search(kept) else kept
    return word
