"""CSV files: plain rows are read a block at a time, the others one by one; both give the same events."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from contextlib import closing

import numpy as np

from asterism.core.ledger.columns import Bools, Bytes, Longs
from asterism.core.levels.events import Events, Malformed
from asterism.feeds.cells import RowCells, TextCells
from asterism.feeds.digits import PADDING
from asterism.feeds.mappings import Layout
from asterism.feeds.opened import BOM, OfFile, Opened
from asterism.feeds.rows import Block, Reader
from asterism.feeds.stream import Piece, Pieces, Placed, in_order

NEWLINE, RETURN, QUOTE = ord("\n"), ord("\r"), ord('"')


def split(line: str, delimiter: str) -> list[str]:
    """Split a row; what is no row at all has no columns.

    >>> split('1,"a, b"', ",")
    ['1', 'a, b']
    """
    try:
        return next(csv.reader([line.strip("\r\n")], delimiter=delimiter), [])
    except csv.Error:
        return []


class CsvSource(OfFile):
    """The rows of a CSV file, by a layout."""

    def __init__(self, file: Opened, layout: Layout, reader: Reader, *, names: Sequence[str]) -> None:
        super().__init__(file)
        self._layout = layout
        self._names = names
        self._places = {name: place for place, name in enumerate(names)}
        self._reader = reader
        self.mapping = layout

    def pieces(self) -> Pieces:
        """Read the file from the start."""
        return in_order(self._pieces()) if self._layout.sort else self._pieces()

    def _pieces(self) -> Pieces:
        self.counts = {"rows": 0, "events": 0, "malformed": 0, "other_symbol": 0}
        line = 1
        with closing(self._file.blocks()) as blocks:
            for block in blocks:
                text = block.removeprefix(BOM) if line == 1 else block
                first = line
                line += text.count(b"\n")
                if first == 1 and self._layout.header:
                    text, first = text[text.index(b"\n") + 1 :], 2
                if text:
                    yield self._piece(text, first)

    def _piece(self, block: bytes, first: int) -> Piece:
        text = np.frombuffer(block + bytes(PADDING), dtype=np.uint8)
        ends = np.flatnonzero(text[: len(block)] == NEWLINE)
        starts = np.concatenate(([0], ends[:-1] + 1))
        lines = np.arange(first, first + len(ends))
        edges, regular = self._edges(text, starts, ends)
        fast = self._reader.read(TextCells(text, edges, lines[regular], self._places))
        left = ~regular
        left[regular] = fast.bad
        if not left.any():
            self._count(len(lines), fast, 0)
            return Piece(fast.events, [])
        return self._mixed(block, starts, ends, lines, left, fast, regular)

    def _edges(self, text: Bytes, starts: Longs, ends: Longs) -> tuple[Longs, Bools]:
        """Find the columns of the lines that have as many as they must, and no quotes: begin, and one past each end."""
        size, columns = int(ends[-1]) + 1, len(self._names)
        separators = np.flatnonzero(text[:size] == ord(self._layout.delimiter))
        counts = np.diff(np.searchsorted(separators, ends), prepend=0)
        regular = counts == columns - 1
        quotes = np.flatnonzero(text[:size] == QUOTE)
        if len(quotes):
            regular[np.searchsorted(ends, quotes)] = False
        if not regular.all():
            separators = separators[np.repeat(regular, counts)]
            starts, ends = starts[regular], ends[regular]
        edges = np.empty((len(starts), columns + 1), dtype=np.int64)
        edges[:, 0] = starts
        edges[:, 1:-1] = separators.reshape(len(starts), columns - 1) + 1
        edges[:, -1] = ends + 1 - ((text[ends - 1] == RETURN) & (ends > starts))
        return edges, regular

    def _mixed(
        self, block: bytes, starts: Longs, ends: Longs, lines: Longs, left: Bools, fast: Block, regular: Bools
    ) -> Piece:
        """Read one by one what is left, and put everything in the order of the file."""
        cells, kept, malformed = [], [], []
        blank = 0
        for row in np.flatnonzero(left).tolist():
            line = block[starts[row] : ends[row]].decode(errors="replace")
            fields = split(line, self._layout.delimiter)
            if not line.strip():
                blank += 1
            elif len(fields) != len(self._names):
                what = f"the row has {len(fields)} columns and not {len(self._names)}"
                malformed.append(Malformed(int(lines[row]), what))
            else:
                cells.append(fields)
                kept.append(row)
        slow = self._reader.read(RowCells(cells, lines[kept], self._places))
        rows = np.concatenate([np.flatnonzero(regular)[fast.rows], np.array(kept, dtype=np.int64)[slow.rows]])
        order = np.argsort(rows, kind="stable")
        events = Events.join([fast.events, slow.events]).take(order)
        malformed = sorted(malformed + slow.malformed())
        self._count(len(lines) - blank, fast, len(malformed), slow)
        where = np.searchsorted(rows[order], [bad.row - int(lines[0]) for bad in malformed])
        return Piece(events, [Placed(*each) for each in zip(where.tolist(), malformed, strict=True)])

    def _count(self, rows: int, fast: Block, malformed: int, slow: Block | None = None) -> None:
        self.counts["rows"] += rows
        self.counts["events"] += fast.events.size + (slow.events.size if slow else 0)
        self.counts["malformed"] += malformed
        self.counts["other_symbol"] += fast.other_symbol + (slow.other_symbol if slow else 0)
