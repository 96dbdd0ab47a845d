"""Columns of numbers as rows of a table, each with a checksum: checkpoints and caches are kept so.

A column that deflates well is kept so. A small piece of it tells: most columns of a large sky do not, and are read as
they lie.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator

import numpy as np

from asterism.core.ledger.columns import Columns

DEFLATED = "deflate"
LEVEL = 1  # the quickest: what is left of texts and small numbers is hardly less at 6
TRIED = 4_096  # bytes of a column that are deflated to see whether it is worth it
WORTH = 0.6  # of its size: what a column must come to
LARGE = 2_000_000  # bytes: many numbers that come to more than ..
LARGE_WORTH = 0.3  # .. this take longer to inflate than to read as they lie

Data = bytes | memoryview


def rows_of(owner: int | None, columns: Columns) -> Iterator[tuple[int | None, str, str, str, int, Data, str]]:
    """Give columns as rows of a table."""
    for name, column in columns.items():
        raw = np.ascontiguousarray(column).data.cast("B") if column.size else memoryview(b"")
        data, form = _formed(raw, WORTH if column.dtype == np.uint8 or column.nbytes < LARGE else LARGE_WORTH)
        told = (name, column.dtype.str, json.dumps(column.shape))
        yield owner, *told, checksum(*told, data, form), data, form


def _formed(raw: memoryview[int], worth: float) -> tuple[Data, str]:
    """Give what is kept of a column, and its form."""
    middle = max(0, len(raw) - TRIED) // 2
    piece = raw[middle : middle + TRIED]
    tried = zlib.compress(piece, LEVEL)
    if len(tried) > worth * len(piece):
        return raw, ""
    return tried if len(piece) == len(raw) else zlib.compress(raw, LEVEL), DEFLATED


def columns_of(rows: Iterable[tuple[str, str, str, int, bytes, str]]) -> tuple[Columns, bool]:
    """Read those columns that are not damaged, and say whether that is all of them."""
    columns: Columns = {}
    whole = True
    for name, dtype, shape, crc, data, form in rows:
        try:
            if checksum(name, dtype, shape, data, form) != crc:
                raise ValueError("its checksum is another")
            raw = bytearray(zlib.decompress(data) if form == DEFLATED else data)  # one copy, which may be written to
            columns[name] = np.frombuffer(raw, dtype=dtype).reshape(json.loads(shape))
        except (TypeError, ValueError, zlib.error):
            whole = False
    return columns, whole


def checksum(name: str, dtype: str, shape: str, data: Data, form: str = "") -> int:
    """Sum up a column, with what says how to read it."""
    return zlib.crc32(data, zlib.crc32(f"{name} {dtype} {shape}{form}".encode()))
