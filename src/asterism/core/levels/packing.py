"""Events as the short text the ledger keeps: columns of small whole numbers, not a bit lost, no row per tick.

No compressor is used: its bytes differ from build to build, and an item is named by its bytes.
"""

from __future__ import annotations

import base64
import json

import numpy as np

from asterism.core.ledger.columns import Column, Floats, Longs
from asterism.core.levels.events import DTYPES, Events

WIDTHS = ("<i1", "<i2", "<i4", "<i8")
MOST_EVENTS = 1_000_000  # in one text
MOST_DIGITS = 9  # decimals of a price or an amount that are kept as whole numbers


def pack(events: Events) -> str:
    """Write events as text."""
    assert events.size <= MOST_EVENTS
    packed = [_packed(column) for column in events]
    head = json.dumps([events.size, [form for form, _ in packed]], separators=(",", ":")).encode()
    body = b"".join(data for _, data in packed)
    return base64.b64encode(len(head).to_bytes(4, "little") + head + body).decode()


def unpack(text: str) -> Events:
    """Read what `pack` wrote; anything else is a ValueError.

    >>> from asterism.core.levels.events import events_of
    >>> events = events_of([{"kind": "price", "at": 7, "price": 100.1}]).events
    >>> unpack(pack(events)).price.tolist()
    [100.1]
    """
    raw = base64.b64decode(text, validate=True)
    start = 4 + int.from_bytes(raw[:4], "little")
    columns = []
    try:
        size, forms = json.loads(raw[4:start])
        if not 0 <= size <= MOST_EVENTS:
            raise ValueError(f"{size} events in one text are too many")
        for form, dtype in zip(forms, DTYPES, strict=True):
            column, start = _unpacked(form, raw, start, size, np.dtype(dtype))
            columns.append(column)
    except (ArithmeticError, LookupError, RecursionError, TypeError) as error:
        raise ValueError(f"the text does not hold events: {error}") from error
    return Events._make(columns)


def _packed(column: Column) -> tuple[list[object], bytes]:
    """Write one column: as one value, as whole numbers or their steps, or as it is."""
    if not len(column) or column.tobytes() == column[:1].tobytes() * len(column):
        return ["one"], column[:1].tobytes()
    if column.dtype.kind != "f":
        return _whole(column.astype(np.int64), 0)
    return _decimal(column.astype(np.float64, copy=False)) or (["raw"], column.tobytes())


def _decimal(column: Floats) -> tuple[list[object], bytes] | None:
    """Write numbers of few decimals as whole numbers, if that gives back every bit."""
    most = float(np.abs(column).max())
    for digits in range(MOST_DIGITS + 1):
        if not most * 10.0**digits < 2**53:  # NaN too
            break
        whole = np.rint(column * 10.0**digits).astype(np.int64)
        if (whole / 10.0**digits).tobytes() == column.tobytes():  # not so for -0.0
            return _whole(whole, digits)
    return None


def _whole(column: Longs, digits: int) -> tuple[list[object], bytes]:
    """Write whole numbers, or the steps between them where those are smaller."""
    with np.errstate(over="ignore"):
        steps = np.diff(column)
    unit = int(np.gcd.reduce(np.abs(steps))) or 1  # times in milliseconds step by thousands
    steps //= unit
    width, step_width = _width(column), _width(steps)
    if np.dtype(step_width).itemsize < np.dtype(width).itemsize:
        first = column[:1].astype("<i8").tobytes()
        return ["steps", digits, step_width, unit], first + steps.astype(step_width).tobytes()
    return ["whole", digits, width], column.astype(width).tobytes()


def _width(column: Longs) -> str:
    low, high = int(column.min()), int(column.max())
    return next(each for each in WIDTHS if np.iinfo(each).min <= low and high <= np.iinfo(each).max)


def _unpacked(form: list[str], raw: bytes, start: int, size: int, dtype: np.dtype[np.generic]) -> tuple[Column, int]:
    name, *details = form
    if name == "one":
        first = np.frombuffer(raw, dtype, min(size, 1), start)
        return np.repeat(first, size), start + first.nbytes  # of none, none
    if name == "raw":
        return np.frombuffer(raw, dtype, size, start).copy(), start + size * dtype.itemsize
    width = np.dtype(WIDTHS[WIDTHS.index(details[1])])
    if name == "steps":
        column = np.empty(size, dtype=np.int64)
        column[0] = np.frombuffer(raw, "<i8", 1, start)[0]
        column[1:] = np.frombuffer(raw, width, size - 1, start + 8)
        column[1:] *= int(details[2])
        np.cumsum(column, out=column)
        end = start + 8 + (size - 1) * width.itemsize
    else:
        column = np.frombuffer(raw, width, size, start).astype(np.int64)
        end = start + size * width.itemsize
    return column / 10.0 ** int(details[0]) if dtype.kind == "f" else column.astype(dtype), end
