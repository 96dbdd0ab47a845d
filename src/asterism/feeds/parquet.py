"""Parquet files, read with pyarrow, which is an extra: `pip install pyarrow`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from asterism.core.ledger.columns import Floats, Longs
from asterism.core.ledger.items import cut
from asterism.core.levels.events import NUMBER
from asterism.errors import InputError
from asterism.feeds.cells import LONGEST_WORD, WHOLE, Wholes, Words
from asterism.feeds.mappings import Layout
from asterism.feeds.opened import Opened
from asterism.feeds.rows import Reader
from asterism.feeds.stream import Piece, Pieces, Placed, in_order
from asterism.feeds.times import UTC, uncertain
from asterism.incoming import too_large

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

BATCH_ROWS = 65_536
SAMPLE_ROWS = 1_000
MAGIC = b"PAR1"
THRIFT_BYTES, THRIFT_PARTS = 2**24, 2**20  # of a file's description of itself


class ParquetSource:
    """The rows of a Parquet file, by a layout."""

    def __init__(self, file: Opened, layout: Layout, reader: Reader) -> None:
        self._file = file
        self._layout = layout
        self._reader = reader
        self.name = file.path.name
        self.mapping = layout
        self.counts: dict[str, int] = {}
        self.total_bytes = file.total_bytes
        self.bytes_read = 0

    def pieces(self) -> Pieces:
        """Read the file from the start."""
        return in_order(self._pieces()) if self._layout.sort else self._pieces()

    def _pieces(self) -> Pieces:
        self.counts = {"rows": 0, "events": 0, "malformed": 0, "other_symbol": 0}
        with opened_parquet(self._file) as file:
            total, row = max(1, file.metadata.num_rows), 1
            for batch in batches(file, self._file, rows=BATCH_ROWS, columns=self._layout.needs()):
                yield self._piece(ParquetCells(batch, np.arange(row, row + batch.num_rows)))
                row += batch.num_rows
                self.bytes_read = self.total_bytes * (row - 1) // total

    def _piece(self, cells: ParquetCells) -> Piece:
        block = self._reader.read(cells)
        malformed = block.malformed()
        self.counts["rows"] += len(cells.lines)
        self.counts["events"] += block.events.size
        self.counts["malformed"] += len(malformed)
        self.counts["other_symbol"] += block.other_symbol
        where = np.searchsorted(block.rows, np.flatnonzero(block.bad))
        return Piece(block.events, [Placed(*each) for each in zip(where.tolist(), malformed, strict=True)])


class ParquetCells:
    """Columns of a batch of rows; an absent value is an empty cell."""

    def __init__(self, batch: pa.RecordBatch, lines: Longs) -> None:
        self._batch = batch
        self._read: dict[str, np.ndarray[tuple[int], np.dtype[np.generic]] | list[str]] = {}
        self.lines = lines

    def _column(self, column: str) -> np.ndarray[tuple[int], np.dtype[np.generic]] | list[str]:
        """Give integers, floats with NaN for what is absent, or texts."""
        if column not in self._read:
            self._read[column] = _values(self._batch.column(column))
        return self._read[column]

    def numbers(self, column: str) -> Floats:
        """Give the numbers of a column."""
        values = self._column(column)
        if isinstance(values, list):
            values = np.array([float(cell) if NUMBER.fullmatch(cell) else np.nan for cell in values], dtype=np.float64)
        return values.astype(np.float64)

    def wholes(self, column: str) -> Wholes:
        """Give the whole numbers of a column."""
        values = self._column(column)
        if isinstance(values, list):
            cells = [int(cell) if WHOLE.fullmatch(cell) and abs(int(cell)) < 2**63 else None for cell in values]
            return Wholes(
                np.array([cell or 0 for cell in cells], dtype=np.int64), np.array([cell is not None for cell in cells])
            )
        if values.dtype.kind == "i":
            return Wholes(values.astype(np.int64), np.ones(len(values), dtype=np.bool_))
        floats = values.astype(np.float64)
        good = np.isfinite(floats) & (np.abs(floats) < 2**53) & (np.floor(floats) == floats)
        return Wholes(np.where(good, floats, 0).astype(np.int64), good)

    def words(self, column: str) -> Words:
        """Give the cells as text."""
        cells = [self.shown(column, row).encode()[:LONGEST_WORD] for row in range(len(self.lines))]
        return np.array(cells, dtype=f"S{LONGEST_WORD}")

    def shown(self, column: str, row: int) -> str:
        """Give one cell as text."""
        values = self._column(column)
        if isinstance(values, list):
            return values[row]
        value = values[row].item()
        return "" if value != value else str(value)


def _values(column: pa.Array) -> np.ndarray[tuple[int], np.dtype[np.generic]] | list[str]:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.dictionary_decode()
        kind = column.type
    if pa.types.is_timestamp(kind):
        column, kind = column.cast(pa.int64()), pa.int64()
    if pa.types.is_decimal(kind):
        column, kind = column.cast(pa.float64()), pa.float64()
    if pa.types.is_integer(kind) and not column.null_count:
        return np.asarray(column.cast(pa.int64(), safe=False).to_numpy(zero_copy_only=False))
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
    return ["" if cell is None else _text(cell) for cell in column.to_pylist()]


def _text(cell: object) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell.strip() if isinstance(cell, str) else str(cell)


def opened_parquet(opened: Opened) -> pq.ParquetFile:
    """Open the file."""
    path = opened.path
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError(
            f"{path.name} is Parquet, and pyarrow, which reads it, is not installed",
            code="missing_package",
            item="pyarrow",
            hint="pip install pyarrow",
        ) from None
    try:
        file = pq.ParquetFile(path, thrift_string_size_limit=THRIFT_BYTES, thrift_container_size_limit=THRIFT_PARTS)
        said = [file.metadata.row_group(each).total_byte_size for each in range(file.num_row_groups)]
        if max(sum(said), 0) > opened.most_bytes:
            raise too_large(path.name, opened.most_bytes)
        _ = file.schema_arrow  # which is read only now
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _damaged(path, error) from None
    return file


def batches(file: pq.ParquetFile, opened: Opened, *, rows: int, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Give the rows of some columns, batch by batch; what is damaged, or unpacks to too much, is told."""
    import pyarrow as pa

    left = opened.most_bytes
    try:
        for batch in file.iter_batches(batch_size=rows, columns=list(columns)):
            left -= batch.nbytes
            if left < 0:
                raise too_large(opened.path.name, opened.most_bytes)
            batch.validate(full=True)
            yield batch
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _damaged(opened.path, error) from None


def _damaged(path: Path, error: Exception) -> InputError:
    told = " ".join(str(error).split())
    return InputError(
        f"{path.name} cannot be read as Parquet: {cut(told, most=200)}",
        code="damaged_file",
        item=path.name,
        hint="fetch it again",
    )


def type_unit(file: pq.ParquetFile, column: str, unit: str | None) -> str | None:
    """Give the unit of a column of timestamps, which says it itself; of any other what was declared."""
    import pyarrow as pa

    kind = file.schema_arrow.field(column).type
    if not pa.types.is_timestamp(kind):
        return unit
    if kind.tz is None and unit != UTC:
        raise uncertain(column, f"a {kind}", 1, "which names no time zone")
    return str(kind.unit)


def first_rows(
    file: pq.ParquetFile, opened: Opened, names: Sequence[str], needed: Sequence[str]
) -> list[tuple[int, list[str]]]:
    """Give the first rows as texts; columns that are not needed are empty."""
    batch = next(batches(file, opened, rows=SAMPLE_ROWS, columns=needed), None)
    if batch is None:
        return []
    cells = ParquetCells(batch, np.arange(1, batch.num_rows + 1))
    return [
        (row + 1, [cells.shown(name, row) if name in needed else "" for name in names]) for row in range(batch.num_rows)
    ]
