"""A short text read as claims: of whom it says what, where only one thing can hold at a time.

    "Anna moved to Porto." -> of `anna`, the `home` is `porto`
    "log level = debug"    -> of `log level`, the value is `debug`

What is wished, asked, reported, supposed or long past is no claim. Two claims with one key are compared by `conflicts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from asterism.core.blocks.claim import Claim, Saying, Told
from asterism.core.blocks.claim_words import (
    ADVERBS,
    ARTICLES,
    BEGINNINGS,
    CHANGED,
    CHANGES,
    COPULAS,
    FORMER,
    HEDGES,
    LABELS,
    PRESENT,
    PRONOUNS,
    SELF,
)
from asterism.core.blocks.relations import of_verb, subject_of, subjects, value_of
from asterism.core.blocks.sayings import sayings
from asterism.core.text.words import fold

LONGEST = 200  # characters: what is longer tells more than one thing
MOST_WORDS = 24
SENTENCES = 2
VALUE_WORDS = 6

TOKEN = re.compile(r"[@#]?\w+(?:['.@:/,+\-]\w+)*%?|[?,]")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])(?<!\bMr\.\s)(?<!\bMs\.\s)(?<!\bDr\.\s)(?<!\bMrs\.\s)")
NAMED = re.compile(r"\s*([^:=?!.]{2,48}?)\s*(?::\s|=)\s*(\S.*?)\s*\.?\s*")
LABEL = re.compile(r"\s*(?:\w+ ){0,2}?(\w+): +(?=\S)")
YEAR = re.compile(r"(?:19|20)\d\d")
BEING = (("is",), ("are",), ("was",))  # behind a word that can be a verb, they are the verb: "the lead is"
TOLD_BY = re.compile(r"^([A-Z]\w+) (?:told me|said|says|mentioned)(?: that)? (?:he|she)\b")  # of himself
CONTRACTED = re.compile(r"\b([Ii]|[Ww]e)'(m|re|ve)\b")
SHORT = {"m": "am", "re": "are", "ve": "have"}
UNTOLD = HEDGES | FORMER | {"?"}
VERBS = COPULAS | PRESENT | CHANGES


@lru_cache(maxsize=1 << 17)
def claims_of(text: str, speaker: str = "") -> tuple[Claim | Saying, ...]:
    """Read the claims of a text; what is said of oneself is said of the speaker, if there is one.

    >>> claims_of("Anna moved to Porto.")[0][:3]
    ('anna', 'home', ('porto',))
    >>> claims_of("If I ever move to Porto, I will surf.")
    ()
    """
    if len(text) > LONGEST:
        return ()
    found: dict[Claim | Saying, None] = {}
    for sentence in SENTENCE.split(text.replace("\u2019", "'"), SENTENCES)[:SENTENCES]:
        for claim in _claims(sentence):
            said = claim._replace(subject=_spoken(claim.subject, speaker)) if speaker else claim
            found[said] = None
    return tuple(found)


def _spoken(subject: str, speaker: str) -> str:
    """Put the speaker in the place of oneself; a user stays the one who speaks for himself.

    >>> _spoken("my bank", "Anna"), _spoken("i", "user")
    ("anna's bank", 'i')
    """
    who = fold(speaker)
    if SELF.get(who) == "i":
        return subject
    if subject == "i":
        return who
    return f"{who}'s {subject[3:]}" if subject.startswith("my ") else subject


def _claims(sentence: str) -> Iterator[Claim | Saying]:
    if ":" in sentence or "=" in sentence:
        named = NAMED.fullmatch(sentence)
        if named is not None and _is_name(named[1]) and len(named[2].split()) <= VALUE_WORDS:
            yield Claim(subject_of(_tokens(named[1])), "is", value_of(_tokens(named[2])), "value")
            return
        label = LABEL.match(sentence)
        if label is not None and label[1].lower() in LABELS:
            sentence = sentence[label.end() :]
    sentence = TOLD_BY.sub(r"\1", sentence)
    if "'" in sentence:
        sentence = CONTRACTED.sub(_written_out, sentence)
    written = TOKEN.findall(sentence)
    if not 2 <= len(written) <= MOST_WORDS:
        return
    words = tuple(fold(" ".join(written)).split())
    told = _cut(words, written) if _is_told(words) else None
    if told is not None:
        yield from of_verb(told)
        for who in subjects(told.subject):
            yield from sayings(who, told)


def _written_out(found: re.Match[str]) -> str:
    return f"{found[1]} {SHORT[found[2]]}"


def _is_name(key: str) -> bool:
    """Say whether what stands before a colon names an attribute."""
    words = _tokens(key)
    return len(words) <= 6 and words[-1:] != () and words[-1] not in LABELS and not {*words} & (PRESENT | COPULAS)


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(map(fold, TOKEN.findall(text)))


def _is_told(words: tuple[str, ...]) -> bool:
    """Say whether this is told as a fact of now."""
    here = frozenset(words)
    if not here.isdisjoint(UNTOLD) or " ".join(words[:4]).startswith(BEGINNINGS):
        return False
    if "used" in here and ("used", "to") in pairwise(words):
        return False
    if words[0] != "in" and "from" not in here:
        return True
    years = sum(YEAR.fullmatch(word) is not None for word in words)
    return not years or not (words[0] == "in" or years > 1)


def _cut(words: tuple[str, ...], written: list[str]) -> Told | None:
    """Cut a sentence at its verb; None if it has none that is known, or its subject is somebody named before."""
    if words[0] in ("call", "address") and words[1] == "me":
        return Told(("i",), frozenset(), words[0], words[2:], False)
    place = _verb_place(words, written)
    if place is None or (words[0] in PRONOUNS and words[0] != "there"):
        return None
    names = frozenset(word for word, token in zip(words[1:], written[1:], strict=True) if token[0].isupper())
    changed = bool({*words} & CHANGED)
    rest = tuple(word for word in words[place + 1 :] if word not in ADVERBS)
    while (
        rest
        and words[place] in ("has", "have", "just", "is", "are", "was")
        and rest[0]
        in (
            "been",
            "just",
            "finally",
        )
    ):
        rest = rest[1:]
    subject = tuple(word for word in words[:place] if word not in ADVERBS)
    if subject[-1:] in (("no",), ("not",), ("never",)):  # no longer, never
        subject, rest = subject[:-1], (words[place], *rest)
        return Told(subject, names, "not", rest, changed) if subject else None
    if not subject or "," in subject:
        return None
    return Told(subject, names, words[place], rest, changed)


def _verb_place(words: tuple[str, ...], written: list[str]) -> int | None:
    """Find the verb: the first that is known behind the first word, else what follows a name or oneself."""
    for place in range(1, len(words)):
        word = words[place]
        if word in VERBS and words[place + 1 : place + 2] not in BEING:
            return place
    person = SELF.get(words[0]) in ("i", "we") or (written[0][0].isupper() and words[0] not in ARTICLES)
    return 1 if person and len(words) > 1 and words[1].endswith("s") else None
