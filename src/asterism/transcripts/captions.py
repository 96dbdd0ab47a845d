"""Captions with speakers: WebVTT (`<v Name>text`) and SRT (`Name: text`)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from asterism.core.dialogue.lines import Line
from asterism.transcripts.fields import kind_of
from asterism.transcripts.model import Transcript, at, fault

ARROW = "-->"
TIME = r"(?:(\d{1,7}):)?([0-5]?\d):([0-5]\d)[.,](\d{3})"
TIMING = re.compile(rf"\s*{TIME}\s*-->\s*{TIME}(?:\s.*)?$")
VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]*)>")
TAG = re.compile(r"</?(?:[a-z]+(?:\.[^>\s]*)?(?:\s[^>]*)?|[\d:.]+)>")
NAMED = re.compile(r"\s*(?:[-–]\s*)?\[?(?P<name>(?![a-z])[^\s:\[\]][^:\[\]\n]{0,59}?)\]?\s*:\s+(?P<text>.*)", re.DOTALL)


def read_captions(text: str, name: str, session: str, *, started_at_ms: int | None = None) -> Transcript:
    """Read cues in their order; a cue without a speaker goes on with the one before, or is nobody's.

    A line's time is that of its cue, counted from `started_at_ms`; without that it has none.
    """
    form = "vtt" if text.lstrip("\ufeff").startswith("WEBVTT") else "srt"
    lines: list[Line] = []
    author = ""
    for start_ms, said in _cues(text, name, form):
        for speaker, content in _voices(said, form):
            author = author if speaker is None else speaker
            timestamp_ms = None if started_at_ms is None else started_at_ms + start_ms
            lines.append(Line(len(lines), author, content, timestamp_ms, kind_of(content)))
    return Transcript(tuple(lines), form, session)


def _cues(text: str, name: str, form: str) -> Iterator[tuple[int, str]]:
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    place = 0
    while place < len(rows):
        if ARROW not in rows[place]:
            block = rows[place].strip()
            place += 1
            if form == "srt" and block and not block.isdigit():
                raise fault(
                    name, at(place), "this belongs to no caption", 'a number, or "00:00:01,000 --> 00:00:02,000"'
                )
            if block.startswith(("NOTE", "STYLE", "REGION")):
                while place < len(rows) and rows[place].strip():
                    place += 1
            continue
        timing = TIMING.match(rows[place])
        if timing is None:
            raise fault(name, at(place + 1), "this is no time of a caption", '"00:00:01.000 --> 00:00:02.000"')
        hours, minutes, seconds, thousandths = (int(part or 0) for part in timing.groups()[:4])
        place += 1
        said = []
        while place < len(rows) and rows[place].strip():
            said.append(rows[place])
            place += 1
        yield ((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths, "\n".join(said)


def _voices(said: str, form: str) -> Iterator[tuple[str | None, str]]:
    """Split a cue by its speakers."""
    parts = VOICE.split(said) if form == "vtt" else [said]
    if len(parts) == 1:
        flat = _flat(said)
        named = NAMED.fullmatch(flat)
        if named is not None:
            yield named["name"].strip(), named["text"].strip()
        elif flat:
            yield None, flat
        return
    if _flat(parts[0]):
        yield None, _flat(parts[0])
    for speaker, text in zip(parts[1::2], parts[2::2], strict=True):
        yield html.unescape(speaker).strip(), _flat(text)


def _flat(text: str) -> str:
    return html.unescape(TAG.sub("", text)).strip()
