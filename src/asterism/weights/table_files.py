"""Reply tables as JSON text: a weight a line under its name, every number read back to the very same bits.

A hidden layer is written as bytes: for each feature a row of whole numbers in base 85, 127ths of a unit's scale, which
is all the digits its fit is worth.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

import numpy as np

from asterism.core.dialogue.tables import Hidden, Table
from asterism.core.ledger.model import Plain
from asterism.errors import InputError

STEPS = 127.0  # a hidden weight is a whole number of 127ths of its unit's scale, the largest of the unit
UNITS = ("scale", "bias", "outwards")


def text_of(table: Table, provenance: Mapping[str, Plain]) -> str:
    """Write a table, with where its numbers come from; `fitted_on` is the table's own.

    >>> print(text_of(Table("own", "by hand", 2, {"distance.1": 0.7}), {"licence": "CC0"}))
    {
     "name": "own",
     "provenance": {
      "fitted_on": "by hand",
      "licence": "CC0"
     },
     "window": 2,
     "first": {
      "distance.1": 0.7
     },
     "second": {},
     "hidden": null
    }
    <BLANKLINE>
    """
    told = {
        "name": table.name,
        "provenance": {"fitted_on": table.fitted_on, **provenance},
        "window": table.window,
        "first": dict(table.first),
        "second": dict(table.second),
        "hidden": None if table.hidden is None else _hidden_told(table.hidden, table.hidden_names),
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def table_of(text: str) -> Table:
    """Read a table as `text_of` writes it."""
    try:
        told = _object(json.loads(text))
    except ValueError:
        raise _bad_table("is no JSON") from None
    hidden = None if told.get("hidden") is None else _object(told["hidden"])
    return Table(
        _text(told, "name"),
        _text(_object(told.get("provenance")), "fitted_on"),
        _window(told.get("window")),
        _weights(told.get("first")),
        _weights(told.get("second", {})),
        None if hidden is None else _hidden(hidden),
        () if hidden is None else tuple(_object(hidden.get("inwards"))),
    )


def _hidden_told(hidden: Hidden, names: tuple[str, ...]) -> dict[str, object]:
    scale = np.maximum(np.abs(hidden.inwards).max(axis=0), 1e-6)
    whole = np.round(hidden.inwards / scale * STEPS).astype(np.int8)
    units = zip(UNITS, (scale, hidden.bias, hidden.outwards), strict=True)
    return {name: [float(f"{value:.4g}") for value in part] for name, part in units} | {
        "inwards": {name: base64.b85encode(row.tobytes()).decode() for name, row in zip(names, whole, strict=True)}
    }


def _hidden(told: Mapping[str, object]) -> Hidden:
    scale, bias, outwards = (_numbers(told.get(name)) for name in UNITS)
    rows = _object(told.get("inwards")).values()
    try:
        data = b"".join(base64.b85decode(str(row)) for row in rows)
        whole = np.frombuffer(data, dtype=np.int8).reshape(len(rows), len(scale))
    except ValueError:
        raise _bad_table(f"has hidden weights that are not {len(rows)} rows of {len(scale)} bytes") from None
    if not len(scale) == len(bias) == len(outwards):
        raise _bad_table("has hidden units without a scale, a bias or an output")
    return Hidden(whole.astype(np.float32) * (scale / np.float32(STEPS)), bias, outwards)


def _object(told: object) -> Mapping[str, object]:
    if not isinstance(told, dict):
        raise _bad_table("lacks one of its parts")
    return told


def _text(told: Mapping[str, object], name: str) -> str:
    value = told.get(name)
    if not isinstance(value, str):
        raise _bad_table(f"has no {name}")
    return value


def _window(told: object) -> int:
    if not isinstance(told, int) or isinstance(told, bool) or told < 1:
        raise _bad_table("has no window: how many lines back a head may be, 1 or more")
    return told


def _weights(told: object) -> dict[str, float]:
    return {name: _number(value) for name, value in _object(told).items()}


def _numbers(told: object) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    if not isinstance(told, list):
        raise _bad_table("lacks one of its parts")
    return np.array([_number(value) for value in told], dtype=np.float32)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise _bad_table(f"has {value!r} where a number belongs")
    return float(value)


def _bad_table(problem: str) -> InputError:
    return InputError(
        f"the text {problem}, so it is no reply table",
        code="bad_table",
        hint="write tables with asterism.weights.table_files.text_of",
    )
