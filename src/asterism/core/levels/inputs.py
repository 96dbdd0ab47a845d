"""Which books the items of markets are about: a level is a part of its symbol's book, and has no item of its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from asterism.core.ledger.about import Declared, Says
from asterism.core.ledger.items import Item
from asterism.core.ledger.nodes import symbol_of
from asterism.core.levels.fold import KINDS, Levels, folded
from asterism.core.levels.parameters import LevelParameters


def says(item: Item) -> Says:
    """Say that a batch makes the book of its symbol."""
    return Says(makes=frozenset({str(item.payload["symbol"])}))


def lost(named: Collection[str], before: Sequence[Item], left: Sequence[Item], rules: LevelParameters) -> set[str]:
    """Name the levels that all batches make and those that are left do not."""
    found: set[str] = set()
    for symbol in sorted({each for node in named if (each := symbol_of(node))}):
        all_batches, some = (
            [item for item in items if item.what in KINDS and item.payload["symbol"] == symbol]
            for items in (before, left)
        )
        if len(all_batches) == len(some):
            continue
        books = [Levels(rules), Levels(rules)]
        for book, batches in zip(books, (all_batches, some), strict=True):
            book.symbols[symbol] = folded(batches, symbol, rules)
        found |= {node for node in named if symbol_of(node) == symbol and books[0].has(node) and not books[1].has(node)}
    return found


DECLARED = Declared(KINDS, says, part_of=symbol_of)
