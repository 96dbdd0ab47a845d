"""Evidence in a file, one row each: JSON lines or CSV; a bad row is named by its line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from asterism.core.ledger.items import cut
from asterism.engine.connections.observe import Evidence
from asterism.errors import AsterismError, InputError, StoreError
from asterism.incoming import whole

NEEDED = ("a", "b", "kind")
OPTIONAL = ("at", "source", "note")
HINT = 'each row has a, b, kind and maybe at, source, note: {"a": "sleep", "b": "mood", "kind": "user_confirms"}'
TOLD_EVERY = 5_000


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """A row and the line it stands on."""

    line: int
    evidence: Evidence


def read_rows(
    path: Path,
    *,
    default_at: str | None = None,
    progress: Callable[[int], None] = lambda _: None,
    max_bytes: int | None = None,
) -> list[EvidenceRow]:
    """Read all rows; the first that is no evidence is refused with its line.

    `default_at` is for rows without a time.
    """
    rows = []
    try:
        text = whole(path, expected="give a file of rows: .jsonl or .csv", max_bytes=max_bytes).decode("utf-8-sig")
        file = io.StringIO(text, newline="")
        parsed = _csv(file) if path.suffix.lower() == ".csv" else _json_lines(file)
        for line, values in parsed:
            rows.append(EvidenceRow(line, _evidence(line, values, default_at)))
            if len(rows) % TOLD_EVERY == 0:
                progress(len(rows))
    except UnicodeDecodeError as error:
        raise _bad(bytes(error.object[: error.start]).count(b"\n") + 1, "is not UTF-8 text") from None
    except csv.Error as error:
        raise _bad(len(rows) + 2, f"is not CSV: {error}") from None
    return rows


def blame(error: AsterismError, lines: Sequence[int], shown: str) -> AsterismError:
    """Say of an error on which line of a file the row stands that it is about; an error about no row stays as it is."""
    row = 1 if error.row is None and len(lines) == 1 else error.row
    if row is None or isinstance(error, StoreError):
        return error
    message = f"{shown}, line {lines[row - 1]}: {error.message}; nothing was written"
    return type(error)(message, code=error.code, item=error.item, hint=error.hint)


def _json_lines(file: Iterator[str]) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(file, start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise _bad(number, f"is not JSON: {error}") from None


def _csv(file: Iterator[str]) -> Iterator[tuple[int, object]]:
    reader = csv.DictReader(file, strict=True)
    for values in reader:
        yield reader.line_num, {name: value for name, value in values.items() if value not in ("", None)}


def _evidence(line: int, values: object, default_at: str | None) -> Evidence:
    if not isinstance(values, dict):
        raise _bad(line, "is not an object with names")
    unknown = [str(name) for name in values if name not in NEEDED + OPTIONAL]
    if unknown:
        raise _bad(line, f"has {cut(', '.join(unknown))}, which evidence does not have")
    missing = [name for name in NEEDED if not values.get(name)]
    if missing:
        raise _bad(line, f"has no {', '.join(missing)}")
    wrong = [name for name, value in values.items() if value is not None and not isinstance(value, str)]
    if wrong:
        raise _bad(line, f"has {', '.join(wrong)} that is not text")
    return Evidence(
        values["a"],
        values["b"],
        values["kind"],
        at=values.get("at") or default_at,
        source=values.get("source"),
        note=values.get("note"),
    )


def _bad(line: int, problem: str) -> InputError:
    return InputError(f"line {line} {problem}; nothing was written", code="bad_row", item=str(line), hint=HINT)
