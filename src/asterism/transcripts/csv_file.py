"""CSV: a header and a row for each line."""

from __future__ import annotations

import csv
import io

from asterism.core.dialogue.lines import Line
from asterism.transcripts.fields import NAMES, FieldError, line_of
from asterism.transcripts.model import Transcript, at, fault

DELIMITERS = ",;\t|"
HEADER = "a header with author_name and content (also: line_index, timestamp_ms, kind)"


def read_csv(text: str, name: str, session: str) -> Transcript:
    """Read rows by their header; the delimiter is the one that the header has most of."""
    header = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=header.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines: list[Line] = []
    columns: list[str] | None = None
    began = 1
    try:
        for row in rows:
            if not any(cell.strip() for cell in row):
                began = rows.line_num + 1
                continue
            if columns is None:
                columns = _columns(row, name, began)
            elif len(row) != len(columns):
                column = min(len(row), len(columns)) + 1
                raise fault(
                    name, at(began, column), f"the row has {len(row)} cells", f"{len(columns)} as in the header"
                )
            else:
                cells = {column: cell for column, cell in zip(columns, row, strict=True) if column}
                lines.append(_line(cells, columns, len(lines), name, began))
            began = rows.line_num + 1
    except csv.Error as error:
        raise fault(name, at(rows.line_num), f"this is no CSV: {error}", "quotes that are closed") from None
    if columns is None:
        raise fault(name, at(1), "the file is empty", HEADER)
    return Transcript(tuple(lines), "csv", session)


def _columns(row: list[str], name: str, line: int) -> list[str]:
    columns = [cell.strip().lower() for cell in row]
    for field in ("author_name", "content"):
        if not set(columns) & set(NAMES[field]):
            raise fault(name, at(line), f"no column is called {field}", HEADER)
    return columns


def _line(cells: dict[str, str], columns: list[str], place: int, name: str, line: int) -> Line:
    try:
        return line_of(cells, place)
    except FieldError as error:
        column = next(number for number, each in enumerate(columns, start=1) if each in NAMES[error.field])
        raise fault(name, at(line, column), error.problem, error.expected) from None
