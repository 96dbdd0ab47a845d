"""The words of many texts at once, as numbers: what two texts share, without a set of words for either.

A word is a run of letters and digits, lower case. Its number is the polynomial of its UTF-8 bytes modulo 2^64, taken
from running sums over the whole text, so that no word is cut out one by one:

    number(b0 b1 .. bk) = b0 + b1 P + .. + bk P^k

Equal words have equal numbers. Two different ones share a number about once in 10^19 pairs; in a session of a million
lines, where 43 bits are left for it, once in 10^13.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Bools, Floats, Longs

Numbers = NDArray[np.uint64]
PRIME = 0x9E3779B97F4A7C15  # odd, so that it has an inverse modulo 2^64
WRAP = 2**64
MIX = np.uint64(0xD1B54A32D192ED03)  # spreads what a number says over its upper bits
BLOCK = 1000  # texts that are looked at together
NO_WORD = re.compile(r"[^\w\x00-\x7f]")  # signs beyond ASCII that are no letters or digits


class Words(NamedTuple):
    """Every word of some texts, in order."""

    number: Numbers
    text: Longs  # which text it stands in
    letters: Longs


def words_of(texts: Sequence[str]) -> Words:
    """Split texts into their words.

    >>> found = words_of(["The red door", "RED!"])
    >>> found.text.tolist(), found.letters.tolist(), bool(found.number[1] == found.number[3])
    ([0, 0, 0, 1], [3, 3, 4, 3], True)
    """
    parts = [_of_block(texts[first : first + BLOCK], first) for first in range(0, len(texts), BLOCK)]
    if not parts:
        return Words(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    return Words(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def number_of(word: str) -> int:
    """Give the number of one word.

    >>> number_of("door") == int(words_of(["door"]).number[0])
    True
    """
    total = 0
    for byte in reversed(word.encode()):
        total = (total * PRIME + byte) % WRAP
    return total


def _of_block(texts: Sequence[str], first: int) -> Words:
    plain = [text if text.isascii() else NO_WORD.sub(" ", text.lower()) for text in texts]
    data = np.frombuffer(f" {' '.join(plain)} ".lower().encode(), dtype=np.uint8)
    sizes = [len(text) if text.isascii() else len(text.encode()) for text in plain]
    inside = _IN_WORD.take(data)
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    powers, inverses = _powers(1 << (len(data) - 1).bit_length())
    sums = np.cumsum(powers[: len(data)] * data, dtype=np.uint64)
    number = (sums[ends - 1] - sums[starts - 1]) * inverses[starts]
    behind = np.cumsum(np.array(sizes, dtype=np.int64) + 1) + 1  # where the text after each one begins
    text = np.repeat(np.arange(first, first + len(texts)), np.diff(np.searchsorted(starts, behind), prepend=0))
    letters = ends - starts
    if data.max() > 127:
        heads = np.cumsum((data & 0xC0) != 0x80)  # bytes that begin a letter
        letters = heads[ends - 1] - heads[starts - 1]
    return Words(number, text, letters)


@cache
def _powers(size: int) -> tuple[Numbers, Numbers]:
    """Give PRIME^i and its inverse, for i up to a size."""
    found = []
    for base in (PRIME, pow(PRIME, -1, WRAP)):
        powers = np.full(size, base, dtype=np.uint64)
        powers[0] = 1
        found.append(np.cumprod(powers, dtype=np.uint64))
    return found[0], found[1]


_IN_WORD: Bools = np.array([chr(byte).isalnum() or byte > 127 for byte in range(256)], dtype=np.bool_)
_IN_WORD[128:] = True


def lexical_overlaps(texts: Sequence[str], a: Longs, b: Longs, *, shortest: int = 3) -> Floats:
    """Give shared words / words of the larger set for pairs of texts, by their places; short words do not count.

    A key is the place of a text and, in the bits that this leaves, the number of a word. Sorted, the keys of a text
    stand together, each word once, and a word of one text is looked for among those of the other.

    >>> lexical_overlaps(["red door", "the door opens"], np.array([0]), np.array([1])).tolist()
    [0.3333333333333333]
    """
    words = words_of(texts)
    counted = words.letters >= shortest
    bits = np.uint64(63 - len(texts).bit_length())
    number = words.number[counted] * MIX >> np.uint64(64) - bits
    keys = np.sort((words.text[counted].astype(np.uint64) << bits) | number)
    keys = keys[np.diff(keys, prepend=keys[:1] + np.uint64(1)) != 0]  # each once
    starts = np.searchsorted(keys, np.arange(len(texts) + 1, dtype=np.uint64) << bits)
    sizes = starts[1:] - starts[:-1]
    mine = sizes[a]
    pair = np.repeat(np.arange(len(a)), mine)
    place = np.arange(len(pair)) - np.repeat(np.cumsum(mine) - mine, mine)
    word = keys[starts[a][pair] + place] & (np.uint64(1) << bits) - np.uint64(1)
    asked = (b.astype(np.uint64)[pair] << bits) | word
    at = np.searchsorted(keys, asked)
    there = keys[np.minimum(at, len(keys) - 1)] == asked if len(keys) else np.zeros(0, dtype=np.bool_)
    shared = np.bincount(pair[there], minlength=len(a))
    overlaps: Floats = shared / np.maximum(np.maximum(mine, sizes[b]), 1)
    return overlaps
