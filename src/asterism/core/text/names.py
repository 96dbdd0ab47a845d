"""Names in texts: which known nodes a text speaks of, and which prices of which market.

A name counts as whole words, in either case, the longest first, none inside another. What a text names is evidence that
the text and the node, and any two nodes in it, belong together (`co_mention_response`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from asterism.core.text.stems import STOP_WORDS

NOTED = "named in block "  # how the note of such evidence begins; the block's id follows
NAMED = ("star", "actor", "block")  # the kinds of nodes that a text can name, which is evidence (ADR 14)
SHORTEST = 2  # letters and digits of a name
_WORD = re.compile(r"\w+")
_HEX = re.compile(r"(?=.*\d)[0-9a-f]{8,}")
_LEADING = (
    "is|was|at|to|near|around|about|below|above|under|over|of|for|back|comes|came|hits|hit|reaches|reached|touches"
)
_BETWEEN = rf"\s*@\s*|\s+(?:(?:{_LEADING})\s+){{0,3}}"
_NUMBER = r"[$€£]?(\d+(?:,\d{3})*(?:\.\d+)?)(k)?(?![\w%]|[.,]\d|\s*percent\b|\s*per\s+cent\b)"
_PRICE_AFTER = re.compile(f"(?:{_BETWEEN}){_NUMBER}")
_PRICE = re.compile(rf"(?<![\w.,]){_NUMBER}")


class Span(NamedTuple):
    """Where a name stands in a flat text, and whose it is."""

    start: int
    end: int
    node: str


class Names:
    """Finds known names in a text: as whole words, in either case, the longest first, none inside another."""

    def __init__(self, names: Iterable[tuple[str, str]] = ()) -> None:
        self._nodes: dict[str, str] = {}  # by flat name
        self._shapes: dict[str, list[tuple[int, int]]] = {}  # of names, by their first word: length, where it begins
        for name, node in names:
            self.add(name, node)

    def __bool__(self) -> bool:
        return bool(self._nodes)

    def add(self, name: str, node: str) -> None:
        """Know one more name; of two nodes that share it, the smaller id has it."""
        flat = flattened(name)
        word = _WORD.search(flat)
        if word is None:
            return
        self._nodes[flat] = min(node, self._nodes.get(flat, node))
        shapes, shape = self._shapes.setdefault(word[0], []), (len(flat), word.start())
        if shape not in shapes:
            shapes.append(shape)
            shapes.sort(reverse=True)

    def find(self, text: str) -> list[str]:
        """Give the nodes that a text names, each once, in the order of the text.

        >>> Names([("Nott", "nott"), ("Nott the Brave", "nott"), ("inn", "the-inn")]).find(
        ...     "nott the Brave left the INN"
        ... )
        ['nott', 'the-inn']
        """
        return list(dict.fromkeys(span.node for span in self.spans(flattened(text))))

    def spans(self, flat: str) -> list[Span]:
        """Give the names in a text that is flat already, in its order."""
        if self._shapes.keys().isdisjoint(_WORD.findall(flat)):
            return []
        found: list[Span] = []
        behind = 0
        for word in _WORD.finditer(flat):
            for length, offset in self._shapes.get(word[0], ()):
                start = word.start() - offset
                node = self._nodes.get(flat[start : start + length]) if start >= behind else None
                if node is not None and _ends(flat, start, start + length):
                    behind = start + length
                    found.append(Span(start, behind, node))
                    break
        return found


def flattened(text: str) -> str:
    """Write a text in small letters, composed, with straight apostrophes and single blanks.

    >>> flattened("Nott’s  Inn"), flattened("STRASSE") == flattened("Straße"), len(flattened("Zoe\u0308"))
    ("nott's inn", True, 3)
    """
    return " ".join(unicodedata.normalize("NFC", text.replace("\u2019", "'")).casefold().split())


def _ends(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return not _word_sign(before) and not _word_sign(after)


def _word_sign(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def is_telling(name: str) -> bool:
    """Say whether a name can be looked for in texts: not one of stop words alone, of digits, a single letter, or an id.

    >>> [name for name in ("Run", "It", "The Who", "C", "2026", "84727e0bf7d54a2c", "R2") if is_telling(name)]
    ['Run', 'R2']
    """
    flat = flattened(name)
    words = _WORD.findall(flat)
    return (
        any(word not in STOP_WORDS for word in words)
        and sum(map(len, words)) >= SHORTEST
        and any(letter.isalpha() for letter in flat)
        and not _HEX.fullmatch(flat)
    )


def prices_named(symbols: Names, text: str) -> list[tuple[str, float]]:
    """Give the symbols that a text names with a price right behind them, each pair once, in the order of the text.

    >>> prices_named(Names([("BTCUSDT", "BTCUSDT")]), "Sold: BTCUSDT at 65,000.5; btcusdt@64k. BTCUSDT 3% up")
    [('BTCUSDT', 65000.5), ('BTCUSDT', 64000.0)]
    """
    flat = flattened(text)
    found: dict[tuple[str, float], None] = {}
    for span in symbols.spans(flat):
        told = _PRICE_AFTER.match(flat, span.end)
        if told is not None:
            found[span.node, _number(told)] = None
    return list(found)


def prices_in(text: str) -> list[float]:
    """Give the numbers of a text that may be prices, each once.

    >>> prices_in("what does BTCUSDT remember about $65,000 (or 64.9k)? It fell 3% by M2.")
    [65000.0, 64900.0]
    """
    return list(dict.fromkeys(_number(told) for told in _PRICE.finditer(flattened(text))))


def _number(told: re.Match[str]) -> float:
    return float(told[1].replace(",", "")) * (1000.0 if told[2] else 1.0)


def pairs_of(block: str, named: Iterable[str], *, fresh: Iterable[str] | None = None) -> list[tuple[str, str]]:
    """Give the pairs that a text is evidence for: it with each node it names, and each two of them.

    With `fresh`, only those pairs that one of these nodes is in.

    >>> pairs_of("note", ["sleep", "mood"])
    [('note', 'sleep'), ('mood', 'note'), ('mood', 'sleep')]
    >>> pairs_of("note", ["sleep", "mood"], fresh=["mood"])
    [('mood', 'note'), ('mood', 'sleep')]
    """
    nodes = list(dict.fromkeys(named))
    wanted = set(nodes if fresh is None else fresh)
    ends = [(block, node) for node in nodes if node in wanted and node != block]
    ends += [(a, b) for a, b in combinations(sorted(nodes), 2) if block not in (a, b) and wanted & {a, b}]
    return [(a, b) if a < b else (b, a) for a, b in ends]


def note_of(block: str) -> str:
    """Write the note of evidence that a block's text gave.

    >>> block_of(note_of("84727e0bf7d54a2c")), block_of("slept badly")
    ('84727e0bf7d54a2c', None)
    """
    return NOTED + block


def block_of(note: str) -> str | None:
    """Give the block whose text gave an item of evidence, by its note; None if none did."""
    return note.removeprefix(NOTED) if note.startswith(NOTED) else None
