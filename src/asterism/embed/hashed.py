"""The embedder that needs nothing: words and their letter sequences, hashed into 256 numbers.

It knows no meaning: two texts are near when they share words, or parts of words. All sums are of whole numbers, so
the vectors are the same to the bit on every machine.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from hashlib import blake2b
from math import sqrt

import numpy as np

from asterism.embed.port import Vectors, unit

DIMENSION = 256
VERSION = 1  # of everything in this file that moves a number
SEED = b"asterism"  # of the hash
PLACES = 3  # that each feature is added at
GRAM_LENGTHS = (2, 3, 4)  # characters; the shortest fits into any word between its < and >
GRAM_SHARE = 1.5  # the length of a word's letter sequences together, as a vector, to that of the word itself
COMMON_SHARE = 8  # a common word counts for this part of another
SCALE = 1 << 16  # of the whole numbers that weights are rounded to
REMEMBERED_WORDS = 32_768
LONGEST_WORD = 64  # characters; what a longer run holds is cut into words of this length

WORD = re.compile(r"\w+|[^\w\s\x00-\x7f]")  # a word, or one sign outside ASCII: an emoji says something, a comma not
COMMON = frozenset(
    """a about after again all also am an and any are as at be because been before being but by can could did do does
    doing done down for from get go going got had has have having he her here him his how i if in into is it its just
    let like me more most much my no not now of off on one or our out over really s she so some such t than that the
    their them then there these they this those through to too up us very was we well were what when where which while
    who whom whose why will with would yeah you your""".split()  # noqa: SIM905 # a list literal would be 120 lines
)


class HashedEmbedder:
    """Feature hashing: each word, and each sequence of letters in it, is added or subtracted at places its hash gives.

    A common English word weighs an eighth of another.
    """

    dimension = DIMENSION
    identity = f"hashed-words-{DIMENSION}-{VERSION}"

    def __init__(self) -> None:
        self._remembered: dict[str, tuple[list[int], list[int]]] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give the hashed words of each text, of length 1; a text without words is zero."""
        sums = np.zeros((len(texts), DIMENSION))
        for row, text in enumerate(texts):
            places: list[int] = []
            weights: list[int] = []
            for word in words(text):
                where, weight = self._features(word)
                places += where
                weights += weight
            if places:
                sums[row] = np.bincount(places, weights=weights, minlength=DIMENSION)
        return unit(sums)

    def _features(self, word: str) -> tuple[list[int], list[int]]:
        """Give the places and the signed weights of a word."""
        known = self._remembered.get(word)
        if known is None:
            known = _hashed(word)
            if len(self._remembered) >= REMEMBERED_WORDS:
                self._remembered.clear()
            self._remembered[word] = known
        return known


def words(text: str) -> list[str]:
    """Give the words of a text, folded: case, width and accents do not matter.

    >>> words("Café, CAFE and ﬁsh 🐟")
    ['cafe', 'cafe', 'and', 'fish', '🐟']
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(character for character in text if not unicodedata.combining(character))
    found = WORD.findall(text.casefold())
    if all(len(word) <= LONGEST_WORD for word in found):
        return found
    return [word[start : start + LONGEST_WORD] for word in found for start in range(0, len(word), LONGEST_WORD)]


def _hashed(word: str) -> tuple[list[int], list[int]]:
    fenced = f"<{word}>"
    grams = [fenced[at : at + length] for length in GRAM_LENGTHS for at in range(len(fenced) - length + 1)]
    share = SCALE // (COMMON_SHARE if word in COMMON else 1)
    each = int(share * GRAM_SHARE / sqrt(len(grams)))
    features = [(f"={word}", share)] + [(gram, each) for gram in grams]
    places: list[int] = []
    weights: list[int] = []
    for feature, weight in features:
        digest = blake2b(feature.encode(), digest_size=2 * PLACES, person=SEED).digest()
        places += digest[:PLACES]
        weights += [weight if byte & 1 else -weight for byte in digest[PLACES:]]
    return places, weights
