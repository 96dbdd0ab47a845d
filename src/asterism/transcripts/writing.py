"""Writing a transcript, in each format that can be read."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from asterism.core.dialogue.lines import Line
from asterism.errors import InputError
from asterism.transcripts.model import Transcript

CUE_MS = 1000  # how long a line stands that bears no time


def write_transcript(transcript: Transcript, file_format: str | None = None) -> str:
    """Give the text of a file; formats other than JSON and CSV cannot say everything.

    >>> write_transcript(Transcript((Line(0, "Ann", "Hi."),), "plain", "one"))
    'Ann: Hi.\\n'
    """
    chosen = file_format or transcript.format
    if chosen not in WRITERS:
        raise InputError(
            f"there is no format {chosen!r}",
            code="unknown_format",
            item=chosen,
            hint=f"use one of {', '.join(WRITERS)}",
        )
    return WRITERS[chosen](transcript)


def _record(line: Line) -> dict[str, object]:
    told = {"line_index": line.line_index, "author_name": line.author_name, "content": line.content}
    extra = {"timestamp_ms": line.timestamp_ms, "kind": line.kind or "speech"}
    return told | {name: value for name, value in extra.items() if value is not None}


def _dump(value: object, *, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _json(transcript: Transcript) -> str:
    whole: dict[str, object] = {"session": transcript.session}
    if transcript.responders is not None:
        whole["responders"] = list(transcript.responders)
    if transcript.actors is not None:
        whole["actors"] = [{**actor._asdict(), "aliases": list(actor.aliases)} for actor in transcript.actors]
    if transcript.masks:
        whole["masks"] = [mask._asdict() for mask in transcript.masks]
    if transcript.chunks is not None:
        whole["chunks"] = [chunk._asdict() for chunk in transcript.chunks]
    return _dump(whole | {"lines": [_record(line) for line in transcript.lines]}, indent=1) + "\n"


def _json_lines(transcript: Transcript) -> str:
    return "".join(f"{_dump(_record(line))}\n" for line in transcript.lines)


def _csv(transcript: Transcript) -> str:
    written = io.StringIO(newline="")
    rows = csv.DictWriter(
        written, ["line_index", "timestamp_ms", "author_name", "kind", "content"], lineterminator="\n"
    )
    rows.writeheader()
    rows.writerows(_record(line) for line in transcript.lines)
    return written.getvalue()


def _plain(transcript: Transcript) -> str:
    return "".join(f"{_one_line(line.author_name) or '?'}: {_indented(line.content)}\n" for line in transcript.lines)


def _one_line(text: str) -> str:
    return " ".join(text.replace(":", " ").split())


def _indented(text: str) -> str:
    return "\n    ".join(row.strip() for row in text.split("\n") if row.strip())


def _starts(lines: Sequence[Line]) -> list[int]:
    times = [line.timestamp_ms for line in lines]
    first = next((time for time in times if time is not None), 0)
    return [max(0, time - first) if time is not None else place * CUE_MS for place, time in enumerate(times)]


def _clock(ms: int, sign: str) -> str:
    seconds, thousandths = divmod(ms, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{sign}{thousandths:03d}"


def _vtt(transcript: Transcript) -> str:
    cues = []
    for line, start in zip(transcript.lines, _starts(transcript.lines), strict=True):
        times = f"{_clock(start, '.')} --> {_clock(start + CUE_MS, '.')}"
        said = "\n".join(row for row in line.content.split("\n") if row.strip())
        cues.append(f"{times}\n<v {html.escape(_one_line(line.author_name))}>{html.escape(said, quote=False)}\n")
    return "WEBVTT\n\n" + "\n".join(cues)


def _srt(transcript: Transcript) -> str:
    cues = []
    for line, start in zip(transcript.lines, _starts(transcript.lines), strict=True):
        times = f"{_clock(start, ',')} --> {_clock(start + CUE_MS, ',')}"
        said = "\n".join(row for row in line.content.split("\n") if row.strip())
        cues.append(
            f"{line.line_index + 1}\n{times}\n{_one_line(line.author_name) or '?'}: {html.escape(said, quote=False)}\n"
        )
    return "\n".join(cues)


def _discord(transcript: Transcript) -> str:
    messages = []
    for line, start in zip(transcript.lines, _starts(transcript.lines), strict=True):
        ms = line.timestamp_ms if line.timestamp_ms is not None else start
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)
        messages.append(
            {
                "id": str(line.line_index),
                "type": "GuildMemberJoin" if line.kind == "system" else "Default",
                "timestamp": moment.isoformat(timespec="milliseconds"),
                "content": line.content,
                "author": {"name": line.author_name, "isBot": False},
            }
        )
    return _dump({"channel": {"name": transcript.session}, "messages": messages}, indent=1) + "\n"


def _crd3(transcript: Transcript) -> str:
    turns = [
        {"NAMES": line.author_name.split(" and "), "UTTERANCES": line.content.split("\n"), "NUMBER": line.line_index}
        for line in transcript.lines
    ]
    return _dump({"TURNS": turns}, indent=1) + "\n"


WRITERS: dict[str, Callable[[Transcript], str]] = {
    "json": _json,
    "jsonl": _json_lines,
    "csv": _csv,
    "plain": _plain,
    "vtt": _vtt,
    "srt": _srt,
    "discord": _discord,
    "crd3": _crd3,
}
