"""What a sentence says to be so, not to be so, or to have ended."""

from __future__ import annotations

from collections.abc import Iterator

from asterism.core.blocks.claim import Saying, Told
from asterism.core.blocks.claim_words import (
    ADVERBS,
    BELONGING,
    ENDING,
    HELPERS,
    INTO,
    LEAVING,
    LIKING,
    NEGATIONS,
    OPPOSABLE,
    PREPOSITIONS,
    PRESENT,
)
from asterism.core.text.stems import STOP_WORDS
from asterism.core.text.terms import term_of

LIKED = "liked"
OFTEN = frozenset(["every", "each", "daily", "weekly", "when", "while", "whenever", "once", "twice", "three"])
SILENT = frozenset(["up", "off", "out", "any", "please", "longer", "more", "anymore", "to"])


def sayings(subject: str, told: Told) -> Iterator[Saying]:
    """Give what is said of a subject, whichever way."""
    words, how, verb = _turned((told.verb, *told.rest))
    if how == "yes" and (verb not in PRESENT and verb not in LIKING and verb not in HELPERS):
        return
    terms, core = _terms(words)
    if not terms:
        return
    if how == "yes" and verb in BELONGING:
        how = "member"
    last = terms[core - 1]  # of no words before it, the last of all
    yield Saying(subject, how, frozenset(terms), frozenset(terms[:core]), last, term_of(verb))


def _turned(words: tuple[str, ...]) -> tuple[tuple[str, ...], str, str]:
    """Take the denial out of what is said: the words without it, how it is said, and the verb.

    >>> _turned(("doesn't", "drink", "coffee")), _turned(("quit", "smoking"))[:2]
    ((('drink', 'coffee'), 'not', 'drink'), (('smoking',), 'ended'))
    """
    if words[0] in INTO and "from" in words:
        return _until(words[words.index("from") + 1 :]), "ended", words[0]
    if words[0] in LEAVING and (words[0] == "left" or words[1:2] in (("the",), ("my",), ("her",), ("his",))):
        return _until(words[1:]), "left", "left"
    if words[0] in ENDING or words[:2] == ("gave", "up"):
        return _until(words[1:]), "ended", words[0]
    denied, kept = False, []
    for place, word in enumerate(words):
        if word.endswith("n't") or word in NEGATIONS or (word == "longer" and not place):
            denied = not denied
        elif word not in ("do", "does", "did", "anymore", "longer") or place > 2:
            positive = word.removeprefix("un").removeprefix("in")
            denied ^= positive != word and positive in OPPOSABLE
            kept.append(positive if positive in OPPOSABLE else word)
    verb = next((word for word in kept if word not in ADVERBS), "")
    if verb == "stand" and denied:
        return (LIKED, *kept[1:]), "not", LIKED
    if verb in LIKING:
        return (LIKED, *kept[1:]), "yes" if LIKING[verb] != denied else "not", verb
    return tuple(kept), "not" if denied else "yes", verb


def _until(words: tuple[str, ...]) -> tuple[str, ...]:
    """Give what was left or ended, without when that was.

    >>> _until(("acme", "in", "june")), _until(("going", "to", "the", "gym"))
    (('acme',), ('going', 'to', 'the', 'gym'))
    """
    if words and words[0].endswith("ing"):
        return words
    end = next((place for place, word in enumerate(words) if place and word in PREPOSITIONS and word != "of"), None)
    return words[:end]


def _terms(words: tuple[str, ...]) -> tuple[list[str], int]:
    """Give the terms of what is said, and how many stand before what only says when, where or how."""
    found: list[str] = []
    core: int | None = None
    for word in words:
        if core is None and found and (word in PREPOSITIONS or word in OFTEN or word == ","):
            core = len(found)
        if word.isalnum() and word not in SILENT and word not in ADVERBS and (word == LIKED or word not in STOP_WORDS):
            found.append(term_of(word))
    return found, len(found) if core is None else core
