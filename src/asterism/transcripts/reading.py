"""Reading a transcript, whatever its format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from asterism.core.dialogue.lines import check_lines, renumbered
from asterism.errors import InputError
from asterism.transcripts.captions import read_captions
from asterism.transcripts.csv_file import read_csv
from asterism.transcripts.json_file import read_json, read_json_lines
from asterism.transcripts.model import Transcript
from asterism.transcripts.opened import read_text
from asterism.transcripts.plain import read_plain
from asterism.transcripts.telling import ENDINGS, told_format
from asterism.transcripts.whatsapp import read_whatsapp

WHATSAPP: Final = {"whatsapp": None, "whatsapp-dmy": "dmy", "whatsapp-mdy": "mdy"}  # what stands first in its dates
FORMATS: Final = ("json", "jsonl", "csv", "plain", "vtt", "srt", "discord", "crd3", *WHATSAPP)
READERS: dict[str, Callable[[str, str, str], Transcript]] = {
    "json": read_json,
    "discord": read_json,
    "crd3": read_json,
    "jsonl": read_json_lines,
    "csv": read_csv,
}
TIMED: dict[str, Callable[..., Transcript]] = {
    "plain": read_plain,
    "vtt": read_captions,
    "srt": read_captions,
}


def read_transcript(
    path: str | Path,
    *,
    file_format: str | None = None,
    encoding: str | None = None,
    renumber: bool = False,
    started_at_ms: int | None = None,
    now_ms: int | None = None,
    max_bytes: int | None = None,
) -> Transcript:
    """Read a file; without a `file_format` it is told by the whole text, and by the name.

    The lines must be numbered 0, 1, 2, .. if they bear numbers, unless `renumber` is asked for. `started_at_ms` is when
    the session began: captions and times of day count from it. No line is taken to be of a time after `now_ms` where
    the file leaves open which it was.
    """
    path = Path(path)
    text = read_text(path, encoding=encoding, max_bytes=max_bytes)
    return transcript_of(
        text,
        name=path.name,
        file_format=file_format,
        renumber=renumber,
        started_at_ms=started_at_ms,
        now_ms=now_ms,
    )


def transcript_of(
    text: str,
    *,
    name: str = "transcript",
    file_format: str | None = None,
    renumber: bool = False,
    started_at_ms: int | None = None,
    now_ms: int | None = None,
) -> Transcript:
    """Read the text of a transcript; `name` is what its faults are told under, and names the session.

    >>> transcript_of("Ann: I open the door.\\nDM: It creaks.").lines[1].author_name
    'DM'
    """
    if file_format is not None and file_format not in FORMATS:
        raise InputError(
            f"there is no format {file_format!r}",
            code="unknown_format",
            item=file_format,
            hint=f"use one of {', '.join(FORMATS)}",
        )
    session = _session(name)
    if not text.strip("\ufeff \t\r\n"):
        return Transcript((), file_format or "plain", session)
    chosen = file_format or told_format(text, name)
    if chosen in WHATSAPP:
        order = WHATSAPP[chosen]
        found = read_whatsapp(text, name, session, started_at_ms=started_at_ms, order=order, now_ms=now_ms)
    elif chosen in TIMED:
        found = TIMED[chosen](text, name, session, started_at_ms=started_at_ms)
    else:
        found = READERS[chosen](text, name, session)
    lines = renumbered(found.lines) if renumber else found.lines
    return Transcript(**{**found.__dict__, "lines": check_lines(lines)})


def _session(name: str) -> str:
    stem = Path(name)
    while stem.suffix.lower() in {*ENDINGS, ".gz"}:
        stem = stem.with_suffix("")
    return " ".join(stem.name.split()) or "session"
