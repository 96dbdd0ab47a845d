"""A graph as two tables, nodes and links: CSV for spreadsheets, Parquet for data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import IO

from asterism.core.space.view import GraphView
from asterism.errors import InputError

Cell = str | float | int | datetime | None
NODES = ("id", "kind", "name", "text", "state", "strength", "at")
LINKS = ("id", "a", "b", "kind", "family", "direction", "strength", "confidence", "state", "evidence", "origin")
NUMBERS = ("strength", "confidence")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute


def node_rows(view: GraphView) -> Iterator[tuple[Cell, ...]]:
    """Give the rows of the first table."""
    for node in view.nodes:
        yield node.id, node.kind, node.name, node.text, node.state, node.strength, node.at


def link_rows(view: GraphView) -> Iterator[tuple[Cell, ...]]:
    """Give the rows of the second table."""
    for each in view.links:
        ends = (each.id, each.a, each.b, each.kind, each.family, each.direction or "")
        yield *ends, each.strength, each.confidence, each.state, each.evidence.raw, each.origin


def write_csv(heads: Sequence[str], rows: Iterable[Sequence[Cell]], file: IO[bytes]) -> None:
    """Write a table as CSV; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    try:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows([[_plain(cell) for cell in row] for row in rows])
    finally:
        text.detach()


def _plain(cell: Cell) -> str:
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(FORMULA) else cell
    if isinstance(cell, datetime):
        return cell.isoformat()
    return "" if cell is None else repr(cell)


def write_parquet(heads: Sequence[str], rows: Iterable[Sequence[Cell]], file: IO[bytes]) -> None:
    """Write a table as Parquet, each column of its type; needs pyarrow."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError:
        raise InputError(
            "Parquet is written by pyarrow, which is not installed",
            code="no_pyarrow",
            item="parquet",
            hint="pip install pyarrow, or write CSV",
        ) from None
    kinds = {"evidence": pa.int64(), "at": pa.timestamp("us", tz="UTC")} | dict.fromkeys(NUMBERS, pa.float64())
    columns = list(zip(*rows, strict=True)) or [()] * len(heads)
    arrays = [
        pa.array(list(column), type=kinds.get(head, pa.string())) for head, column in zip(heads, columns, strict=True)
    ]
    parquet.write_table(pa.Table.from_arrays(arrays, names=list(heads)), file)
