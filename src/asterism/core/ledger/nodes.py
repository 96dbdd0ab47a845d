"""Nodes: the things links join, known by id, numbered for the arrays."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from itertools import compress

import numpy as np

from asterism.core.ledger.columns import Columns, Rows, text_column, texts_of
from asterism.core.ledger.model import NODE_KINDS

KINDS = ("unknown", *NODE_KINDS)
LEVEL = KINDS.index("level")


def slug(name: str) -> str:
    """Give the id a name stands for: readable, the same in either case; a short hash where characters were lost.

    >>> slug("Morning Run"), slug("morning  run"), slug("C++")
    ('morning-run', 'morning-run', 'c-cedb1bac')
    """
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    readable = re.sub(r"[\W_]+", "-", folded).strip("-")[:80]
    if readable == folded.replace(" ", "-"):
        return readable
    return f"{readable}-{hashlib.sha256(folded.encode(errors='surrogatepass')).hexdigest()[:8]}".lstrip("-")


def level_id(symbol: str, price: float) -> str:
    """Name a level by its symbol and centre.

    >>> level_id("BTCUSDT", 49306.3)
    'BTCUSDT@49306.3'
    """
    return f"{symbol}@{price!r}"


def symbol_of(node_id: str) -> str | None:
    """Give the symbol of a level by its id, SYMBOL@PRICE; None if it is no level's.

    >>> symbol_of("BTCUSDT@50000.0"), symbol_of("ada@home"), symbol_of("sleep")
    ('BTCUSDT', None, None)
    """
    symbol, _, price = node_id.rpartition("@")
    return symbol if symbol and is_price(price) else None


def is_price(text: str) -> bool:
    """Say whether a text names a price.

    >>> is_price("50000.5"), is_price("high")
    (True, False)
    """
    try:
        return float(text) > 0
    except ValueError:
        return False


class Nodes:
    """Every node of a space: its id and kind; one that evidence named before it was added is `unknown`."""

    def __init__(self, ids: Sequence[str] = (), kinds: Sequence[int] = ()) -> None:
        self.ids = list(ids)
        self.kinds = list(kinds)
        self.rows = dict(zip(self.ids, range(len(self.ids)), strict=True))
        each = np.array(self.kinds, dtype=np.uint8)
        self.declared = set(compress(self.ids, ((each != 0) & (each != LEVEL)).tolist()))
        self.levels = list(compress(self.ids, (each == LEVEL).tolist()))
        self.revision = object()  # another one whenever a node is declared, or may be called otherwise

    def __len__(self) -> int:
        return len(self.ids)

    def intern(self, node_id: str) -> int:
        """Give the row of a node, making an `unknown` one if it was never named."""
        row = self.rows.get(node_id)
        if row is None:
            row = self.rows[node_id] = len(self.ids)
            self.ids.append(node_id)
            self.kinds.append(LEVEL if symbol_of(node_id) else 0)
            if self.kinds[row]:
                self.levels.append(node_id)
                self.revision = object()
        return row

    def declare(self, node_id: str, kind: str) -> int:
        """Give the row of a node that now is of a kind; the first kind stays."""
        row = self.intern(node_id)
        if not self.kinds[row]:
            self.kinds[row] = KINDS.index(kind)
            self.declared.add(node_id)
            self.revision = object()
        return row

    def kind(self, node_id: str) -> str | None:
        """Say of what kind a node is, or None if nothing declared it."""
        row = self.rows.get(node_id)
        return KINDS[self.kinds[row]] if row is not None and self.kinds[row] else None

    def order(self) -> Rows:
        """Give the rows in the order of their ids."""
        return np.array(sorted(range(len(self.ids)), key=self.ids.__getitem__), dtype=np.intp)

    def dump(self, order: Rows) -> Columns:
        """Pack ids and kinds, in the order given."""
        rows = order.tolist()
        return {
            "ids": text_column([self.ids[row] for row in rows]),
            "kinds": np.array([self.kinds[row] for row in rows], dtype=np.uint8),
        }

    @classmethod
    def load(cls, columns: Columns) -> Nodes:
        """Unpack what `dump` packed."""
        return cls(texts_of(columns["ids"]), columns["kinds"].tolist())

    def copy(self) -> Nodes:
        """Copy the nodes."""
        copied = Nodes(self.ids, self.kinds)
        copied.revision = self.revision
        return copied
