"""Columns of numbers as rows of a table, each with a checksum: checkpoints and caches are kept so."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator

import numpy as np

from asterism.core.ledger.columns import Columns


def rows_of(owner: int | None, columns: Columns) -> Iterator[tuple[int | None, str, str, str, int, bytes | memoryview]]:
    """Give columns as rows of a table."""
    for name, column in columns.items():
        data = np.ascontiguousarray(column).data.cast("B") if column.size else b""
        form = (name, column.dtype.str, json.dumps(column.shape))
        yield owner, *form, checksum(*form, data), data


def columns_of(rows: Iterable[tuple[str, str, str, int, bytes]]) -> tuple[Columns, bool]:
    """Read those columns that are not damaged, and say whether that is all of them."""
    columns: Columns = {}
    whole = True
    for name, dtype, shape, crc, data in rows:
        try:
            if checksum(name, dtype, shape, data) != crc:
                raise ValueError("its checksum is another")
            columns[name] = np.frombuffer(data, dtype=dtype).reshape(json.loads(shape)).copy()
        except (TypeError, ValueError):
            whole = False
    return columns, whole


def checksum(name: str, dtype: str, shape: str, data: bytes | memoryview) -> int:
    """Sum up a column, with what says how to read it."""
    return zlib.crc32(data, zlib.crc32(f"{name} {dtype} {shape}".encode()))
