"""What must be the same before two blocks may be one: numbers, negations and names.

"Meeting at 2pm" and "meeting at 4pm" are near in every embedding, and are not the same thing.
"""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple


class Facts(NamedTuple):
    """What a paraphrase may not change."""

    numbers: frozenset[str]
    negations: frozenset[str]
    names: frozenset[str]


NUMBER = re.compile(
    r"(?<!\w)-?\d+(?:[.,:/-]\d+)*(?:\s?(?:am|pm)\b|[^\W\d_]+|\s?%)?|(?<=[^\W\d_])\d+(?:[.,:]\d+)*", re.I
)
NUMBER_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy
eighty ninety hundred thousand million first second third fourth fifth half twice
"""
NEGATIONS = "no not never none nobody nothing nowhere neither nor without cannot"
# words that are capitalised only because a sentence begins with them
OPENERS = """
a an the this that these those i i'm i've i'll i'd he she it it's we we're you your my our his her its their they
there here and but or so if when while after before since because as at in on by to for from of with about is
are was were do does did have has had will would can could should may might must let please what who which where
why how yes all any each every some most many more
"""
KNOWN_NUMBERS, KNOWN_NEGATIONS, KNOWN_OPENERS = (frozenset(w.split()) for w in (NUMBER_WORDS, NEGATIONS, OPENERS))
WORD = re.compile(r"[^\W\d_][\w’']*")


def facts_of(content: str) -> Facts:
    """Read the numbers, negations and capitalised names of a text; when in doubt a word is a name.

    >>> facts_of("Bob doesn't meet at 2 PM")
    Facts(numbers=frozenset({'2pm'}), negations=frozenset({'not'}), names=frozenset({'bob'}))
    """
    numbers = {found.group().lower().replace(" ", "").replace(",", "") for found in NUMBER.finditer(content)}
    negations, names = set(), set()
    for found in WORD.finditer(NUMBER.sub(" ", content)):
        said = found.group().replace("’", "'").strip("'")
        word = said.lower()
        if word in KNOWN_NUMBERS:
            numbers.add(word)
        elif word in KNOWN_NEGATIONS or word.endswith("n't"):
            negations.add("not" if word.endswith("n't") or word == "cannot" else word)
        elif said[0].isupper() and word not in KNOWN_OPENERS:
            names.add(word.removesuffix("'s"))
    return Facts(frozenset(numbers), frozenset(negations), frozenset(names))


def same_facts(text_a: str, text_b: str) -> bool:
    """Say whether two texts have the same numbers, negations and capitalised names.

    >>> same_facts("The meeting is at 2pm", "the meeting will be at 2 pm"), same_facts("meet at 2pm", "meet at 4pm")
    (True, False)
    """
    return facts_of(text_a) == facts_of(text_b)


def facts_code(content: str) -> int:
    """Number the facts of a text, so that many texts can be compared at once: 63 bits of their SHA-256.

    >>> facts_code("tea at 4") == facts_code("at 4, tea"), facts_code("tea at 4") == facts_code("tea at 5")
    (True, False)
    """
    said = repr([sorted(part) for part in facts_of(content)])
    return int.from_bytes(hashlib.sha256(said.encode(errors="surrogatepass")).digest()[:8]) >> 1
