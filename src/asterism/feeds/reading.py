"""Opening a feed: what the file is, which layout it has, and in which unit its times are."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from asterism.core.ledger.items import check_text
from asterism.errors import InputError
from asterism.feeds.cells import RowCells
from asterism.feeds.csv_file import CsvSource, split
from asterism.feeds.mappings import DELIMITERS, Layout, pairs_of
from asterism.feeds.opened import BLOCK_BYTES, BOM, Opened, opened
from asterism.feeds.parquet import MAGIC, ParquetSource, first_rows, opened_parquet, type_unit
from asterism.feeds.ready import RECORDING, choose, numbered, recognise
from asterism.feeds.recording import LINE, RecordingSource
from asterism.feeds.rows import Reader
from asterism.feeds.stream import Feed, Source
from asterism.feeds.times import Clock, check_declared, check_unit, detect

ROWS = 65_536  # events of a batch
SAMPLE_LINES, SAMPLE_BYTES = 1_000, 2**16  # what is looked at before the file is read
Stated = str | Mapping[str, str]


def open_feed(
    path: str | Path,
    *,
    mapping: Stated | None = None,
    unit: str | None = None,
    symbol: str | None = None,
    sort: bool | None = None,
    strict: bool = False,
    rows: int = ROWS,
    block_bytes: int = BLOCK_BYTES,
    max_bytes: int | None = None,
) -> Feed:
    """Open a file of market events: CSV (.gz, .zip), Parquet, or a websocket recording (.jsonl.gz).

    `mapping` is a ready layout's name, columns by field, or None if the columns alone tell what they are. `unit` is
    that of the times. With `symbol`, rows about another one are left out. `sort` puts the events in order of time,
    in memory. A malformed row is named and left out; with `strict` it is an error. A batch has `rows` events, and
    `block_bytes` of text are read at a time; neither changes what comes. `max_bytes` is what the file may have,
    unpacked.
    """
    file = opened(path, block_bytes=block_bytes, max_bytes=max_bytes)
    if unit is not None:
        check_unit(unit)
    if symbol is not None:
        check_text(symbol, field="symbol")
    asked = _Asked(mapping, unit, symbol, sort)
    source = _parquet(file, asked) if file.begins_with(MAGIC) else _text(file, asked)
    return Feed(source, rows=rows, strict=strict)


@dataclass(frozen=True)
class _Asked:
    """What the user says about the file."""

    mapping: Stated | None
    unit: str | None
    symbol: str | None
    sort: bool | None

    def layout(self, names: list[str]) -> Layout:
        """Find the layout of a file with these columns."""
        return recognise(names) if self.mapping is None else choose(self.mapping, names)


def _text(file: Opened, asked: _Asked) -> Source:
    """Open a CSV file or a recording."""
    start = b""
    with closing(file.blocks()) as blocks:
        while len(start) < SAMPLE_BYTES and (block := next(blocks, b"")):
            start += block
    start = start.removeprefix(BOM)
    if not start.strip():
        raise InputError(f"{file.path.name} is empty", code="not_rows", item=file.path.name, hint="give a file of rows")
    lines = start.split(b"\n", SAMPLE_LINES)[:SAMPLE_LINES]
    pairs = {} if asked.mapping is None else pairs_of(asked.mapping)
    if pairs == {"layout": RECORDING.name} or (asked.mapping is None and LINE.fullmatch(lines[0])):
        return RecordingSource(file, symbol=asked.symbol)
    delimiter = pairs.get("delimiter", ",")
    delimiter = DELIMITERS.get(delimiter, delimiter)[:1]
    table = [split(line.decode(errors="replace"), delimiter) for line in lines]
    names = [cell.strip() for cell in table[0]]
    layout = asked.layout(names)
    if not layout.header:
        names = list(numbered(names))
    _check_names(layout, names)
    sample = _Sample(names, [(line, row) for line, row in enumerate(table, start=1) if line > layout.header])
    return CsvSource(file, *sample.settle(layout, asked), names=names)


def _parquet(file: Opened, asked: _Asked) -> Source:
    with opened_parquet(file) as table:
        names = list(table.schema_arrow.names)
        layout = asked.layout(names)
        _check_names(layout, names)
        unit = type_unit(table, layout.at, asked.unit or layout.unit)
        sample = _Sample(names, first_rows(table, file, names, layout.needs()))
    return ParquetSource(file, *sample.settle(layout, replace(asked, unit=unit)))


def _check_names(layout: Layout, names: list[str]) -> None:
    if twice := [name for name in layout.needs() if names.count(name) > 1]:
        raise InputError(
            f"two columns are called {twice[0]!r}", code="no_column", item=twice[0], hint="rename one of them"
        )


@dataclass
class _Sample:
    """The first rows of a table, with their lines."""

    names: list[str]
    rows: list[tuple[int, list[str]]]

    def __post_init__(self) -> None:
        self.rows = [(line, row) for line, row in self.rows if len(row) == len(self.names)]

    def settle(self, layout: Layout, asked: _Asked) -> tuple[Layout, Reader]:
        """Settle what the layout leaves open: unit, symbol, order."""
        unit = asked.unit or layout.unit
        times = [(line, cell.strip()) for line, cell in self._column(layout.at)]
        found = unit or (detect(layout.at, times) if times else "us")
        if unit is not None and times:
            check_declared(unit, layout.at, times)
        clock = Clock(found, declared=unit is not None)
        symbols = [cell.strip() for _, cell in self._column(layout.symbol)] if layout.symbol else []
        layout = replace(layout, unit=found, sort=layout.sort if asked.sort is None else asked.sort)
        self._check_bars(layout, clock)
        return layout, Reader(layout, clock, asked.symbol or next(iter(symbols), ""), asked=asked.symbol is not None)

    def _column(self, name: str) -> list[tuple[int, str]]:
        place = self.names.index(name)
        return [(line, row[place]) for line, row in self.rows]

    def _check_bars(self, layout: Layout, clock: Clock) -> None:
        """Refuse bars that are of another length than the layout says."""
        if layout.bars is None:
            return
        places = {name: place for place, name in enumerate(self.names)}
        cells = RowCells([row for _, row in self.rows], np.array([line for line, _ in self.rows]), places)
        micros = clock.micros(cells, layout.at)
        steps = np.diff(micros.values[micros.good])
        if len(steps := steps[steps > 0]) and (shortest := int(steps.min())) != round(layout.bars.seconds * 1e6):
            raise InputError(
                f"the bars are {shortest / 1e6:g} seconds apart, and the layout says {layout.bars.seconds:g}",
                code="bad_mapping",
                item="bar",
                hint=f"declare their length: bar={shortest / 1e6:g}",
            )
