"""What items of walkers say: the test of items that come from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from asterism.core.ledger.items import Payload, Value, check_text
from asterism.core.ledger.payloads import Fields, check_fields, text
from asterism.core.walkers.effects import WHAT, colour_rows, narrative_rows
from asterism.core.walkers.places import EMOTIONS
from asterism.core.walkers.vectors import read

Column = Callable[[object], bool]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(check_text(value, field="text", many_lines=True))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12


def _is_share(value: object) -> bool:
    return _is_number(value) and float(str(value)) <= 1


def _is_hierarchy(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -1 <= value <= 1


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1e6


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_felt(value: object) -> bool:
    return isinstance(value, list) and len(value) == EMOTIONS and all(map(_is_hierarchy, value))


ROWS: Mapping[str, tuple[Column, ...]] = {
    "injections": (_is_text, _is_number, _is_number),
    "coloured": (_is_text, _is_count, _is_share, _is_share, _is_count),
    "narratives": (_is_text, _is_text, _is_text, _is_number, _is_number, _is_count, _is_texts),
    "ties": (_is_text, _is_text, _is_share, _is_share, _is_hierarchy, _is_share, _is_felt),
}


def _perhaps_lines(value: Value, field: str) -> None:
    if value != "":
        _lines(value, field)


def _lines(value: Value, field: str) -> None:
    check_text(value, field=field, many_lines=True)


def _vector(value: Value, field: str) -> None:
    if not isinstance(value, str) or len(value) % 4 or not all(abs(part) <= 1 for part in read(value).tolist()):
        raise ValueError(f"its {field} is no vector")


def _vectors(value: Value, field: str) -> None:
    for each in _list(value, field):
        _vector(each, field)


def _list(value: Value, field: str) -> list[str]:
    if not isinstance(value, list):
        raise ValueError(f"its {field} are no list")
    return value


def _paths(value: Value, field: str) -> None:
    for each in _list(value, field):
        if not _is_texts(json.loads(each)):
            raise ValueError(f"its {field} are no paths")


def _table(value: Value, field: str) -> None:
    columns = ROWS[field]
    for each in _list(value, field):
        row = json.loads(each)
        right = isinstance(row, list) and len(row) == len(columns)
        if not right or not all(column(cell) for column, cell in zip(columns, row, strict=True)):
            raise ValueError(f"its {field} are not what they should be")


FIELDS: Fields = {
    "query": _lines,
    "intention": _perhaps_lines,
    "start": text,
    "embedder": _perhaps_lines,
    "vector": _vector,
    "paths": _paths,
    "injections": _table,
    "coloured": _table,
    "narratives": _table,
    "ties": _table,
    "vectors": _vectors,
}

NAMED: Fields = {"narrative": text}


def check_payload(payload: Payload, what: str = WHAT) -> None:
    """Refuse what no item of its kind says.

    >>> check_payload({"query": "why?"})
    Traceback (most recent call last):
    ValueError: it says query, and should say query, intention, start, embedder, vector, paths, ...
    >>> check_payload({"narrative": "narrative-9e8ec0e527796e05"}, "narrative_forgotten")
    """
    if what != WHAT:
        check_fields(payload, NAMED)
        return
    check_fields(payload, FIELDS)
    known = len(_list(payload["vectors"], "vectors"))
    named = [each.vector for each in colour_rows(payload)] + [each.vector for each in narrative_rows(payload)]
    if any(number >= known for number in named):
        raise ValueError("it names a vector that it does not say")
