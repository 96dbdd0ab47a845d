"""Causal links as files: JSON Lines or CSV, one file or several of so many links, each with the event it belongs to."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from asterism.core.dialogue.links import CausalLink, by_event
from asterism.core.ledger.model import Model
from asterism.core.space.projection import Projection
from asterism.errors import InputError
from asterism.formats.files import writing
from asterism.incoming import path_of

FORMATS = ("jsonl", "csv")
COLUMNS = (*CausalLink._fields, "event")
MOST_FILES = 500  # they are open together, so that all appear or none


@dataclass(frozen=True)
class LinkFiles(Model):
    """What was written."""

    files: tuple[str, ...]
    links: int


def write_links(
    folded: Projection,
    links: Sequence[CausalLink],
    target: str | Path,
    *,
    file_format: str | None = None,
    per_file: int | None = None,
    force: bool = False,
) -> LinkFiles:
    """Write links to a file, or with `per_file` to files NAME-0001, NAME-0002, ..; all of them or none."""
    path = path_of(target, meant="the file of links")
    chosen = _format(path, file_format)
    size = per_file or len(links) or 1
    parts = [links[place : place + size] for place in range(0, len(links), size)] or [[]]
    if len(parts) > MOST_FILES:
        raise InputError(
            f"{len(links)} links by {per_file} would be {len(parts)} files",
            code="bad_per_file",
            item=str(per_file),
            hint=f"at most {MOST_FILES} are written at once: put more links into one",
        )
    paths = [path] if per_file is None else [_numbered(path, place + 1) for place in range(len(parts))]
    events = _events(folded, links)
    with writing(*paths, force=force) as files:
        for file, part in zip(files, parts, strict=True):
            rows = [(*link, events.get(link.id, "")) for link in part]
            file.write((_csv(rows) if chosen == "csv" else _json_lines(rows)).encode())
    return LinkFiles(tuple(str(each) for each in paths), len(links))


def _format(path: Path, told: str | None) -> str:
    suffixes = [suffix.lstrip(".") for suffix in path.suffixes if suffix != ".gz"]
    chosen = told or (suffixes[-1] if suffixes else "")
    if chosen not in FORMATS:
        raise InputError(
            f"{chosen or path.name!r} is no format of causal links",
            code="unknown_format",
            item=chosen or path.name,
            hint="name a file that ends in .jsonl or .csv, or say which format it is",
        )
    return chosen


def _numbered(path: Path, number: int) -> Path:
    """Give the name of one file of several: the number stands before the endings."""
    name, dot, endings = path.name.partition(".")
    return path.with_name(f"{name}-{number:04}{dot}{endings}")


def _events(folded: Projection, links: Sequence[CausalLink]) -> dict[str, str]:
    """Give the event that each link belongs to, by the chunks its session was read with."""
    found: dict[str, str] = {}
    for session in {link.session_id for link in links}:
        said = folded.transcripts.said(session)
        grouped = by_event([link for link in links if link.session_id == session], said.chunks if said else ())
        found.update({link.id: event for event, inside in grouped.items() for link in inside})
    return found


def _json_lines(rows: Sequence[tuple[object, ...]]) -> str:
    return "".join(
        json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False, allow_nan=False) + "\n" for row in rows
    )


def _csv(rows: Sequence[tuple[object, ...]]) -> str:
    """Write a table; nothing stands for none, 1 and 0 for yes and no."""
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows([int(value) if isinstance(value, bool) else value for value in row] for row in rows)
    return text.getvalue()
