"""The parsers alone, each with its grammar: text or bytes in, values or an error of ours out."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import Item, make_item
from asterism.core.levels.events import events_of
from asterism.core.space.capabilities import CAPABILITIES
from asterism.diaries.reading import Choices, read_path
from asterism.engine.exchange.reference_texts import parsed
from asterism.entry.evidence_file import read_rows
from asterism.entry.facts_file import Common, read_facts
from asterism.errors import InputError
from asterism.feeds import open_feed
from asterism.formats.ledger import BadLine, entry_of, header_of, object_of
from asterism.transcripts import FORMATS, mask_of, read_transcript, transcript_of
from campaign import written
from campaign.odd import TIMES, Json, Odd
from tests.support.exchanging import tell_all_kinds
from tests.support.memories import remembering

TRANSCRIPTS: tuple[tuple[str, Callable[[Odd], str]], ...] = (
    ("x.json", written.json_transcript),
    ("x.jsonl", written.json_lines_transcript),
    ("x.csv", written.csv_transcript),
    ("x.txt", written.plain_transcript),
    ("x.vtt", written.captions),
    ("x.srt", written.captions),
    ("WhatsApp Chat.txt", written.whatsapp),
)


@dataclass(frozen=True)
class Sound:
    """What is spoiled: a ledger with every kind of item, and a file of Parquet where that can be written."""

    ledger: list[dict[str, Json]]
    parquet: bytes

    @classmethod
    def made(cls, folder: Path) -> Sound:
        with remembering(":memory:") as memory:
            tell_all_kinds(memory, folder)
            memory.erase(memory.learn("to be erased").id)
            memory.export(folder / "sound.jsonl", vectors=True)
        lines = (folder / "sound.jsonl").read_text(encoding="utf-8").splitlines()
        return cls([json.loads(line) for line in lines], _parquet(folder))


def _parquet(folder: Path) -> bytes:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]  # an extra, without types
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError:  # an extra
        return b""
    columns = {"at_ms": [1_700_000_000_000 + each for each in range(50)], "price": [100.0] * 50, "usd": [1e5] * 50}
    pq.write_table(pa.table(columns), folder / "sound.parquet")
    return (folder / "sound.parquet").read_bytes()


class Room:
    """A folder for the files of a round, and what they are spoiled from."""

    def __init__(self, sound: Sound, folder: Path) -> None:
        self._sound, self._folder = sound, folder
        self._readers: tuple[Callable[[Odd], object], ...] = (
            *[self.ledger_line] * 6,
            *[self.transcript] * 6,
            *[partial(self.file, "diary.csv", written.diary, lambda path: read_path(path, Choices()))] * 3,
            *[partial(self.file, "rows.csv", written.market_csv, _read_feed)] * 3,
            partial(self.file, "tape.jsonl", written.recording, _read_feed),
            *[lambda odd: events_of(written.market_rows(odd), unit=odd.of(("s", "ms", "us")))] * 2,  # type: ignore[arg-type]  # that is the point
            lambda odd: read_facts(_spoiled(odd, written.facts(odd)), Common()),
            partial(self.file, "evidence.jsonl", written.evidence, read_rows),
            partial(self.file, "evidence.csv", written.evidence, read_rows),
            self.reference_lines,
            self.small_words,
            self.packed,
            *([self.parquet] if sound.parquet else []),
        )

    def take(self, odd: Odd) -> None:
        """Draw a reader, and an input for it."""
        odd.of(self._readers)(odd)

    def file(self, name: str, grammar: Callable[[Odd], str], read: Callable[[Path], object], odd: Odd) -> None:
        path = self._folder / name
        path.write_bytes(_encoded(odd, _spoiled(odd, grammar(odd))))
        read(path)

    def transcript(self, odd: Odd) -> None:
        name, grammar = odd.of(TRANSCRIPTS)
        text = _spoiled(odd, grammar(odd))
        told = odd.of((None, None, None, odd.of(FORMATS)))
        begins = odd.of((None, 1_700_000_000_000))
        if odd.sometimes(0.05):
            (self._folder / name).write_bytes(_encoded(odd, text))
            read_transcript(self._folder / name, file_format=told, started_at_ms=begins)
        else:
            transcript_of(text, name=name, file_format=told, started_at_ms=begins, renumber=odd.sometimes(0.5))

    def ledger_line(self, odd: Odd) -> None:
        """Read a line as an import does; the items among them are checked."""
        line = ledger_line(odd, self._sound.ledger)
        try:
            told = object_of(line.encode("utf-8", "surrogatepass"))
            entry = header_of(told) if "asterism" in told else entry_of(told, "me")
        except BadLine:  # who reads the file says which line it is
            return
        if isinstance(entry, Item):
            CAPABILITIES.check(entry)

    def reference_lines(self, odd: Odd) -> None:
        for line in _spoiled(odd, written.reference(odd)).splitlines():
            try:
                told = object_of(line.encode("utf-8", "surrogatepass"))
            except BadLine:
                continue
            parsed(told)

    def small_words(self, odd: Odd) -> None:
        """Times and masks, as they are typed."""
        if odd.sometimes(0.5):
            to_micros(odd.spoiled_text(odd.of(TIMES)) if odd.sometimes(0.5) else odd.word())
        else:
            mask_of(odd.spoiled_text("10-20:combat"))

    def packed(self, odd: Odd) -> None:
        """Something compressed, and damaged."""
        name, grammar = odd.of(TRANSCRIPTS)
        path = self._folder / f"{name}.gz"
        path.write_bytes(odd.spoiled_bytes(gzip.compress(_encoded(odd, grammar(odd)), mtime=0)))
        read_transcript(path)

    def parquet(self, odd: Odd) -> None:
        path = self._folder / "rows.parquet"
        path.write_bytes(odd.spoiled_bytes(self._sound.parquet))
        _read_feed(path)


def ledger_line(odd: Odd, lines: list[dict[str, Json]]) -> str:
    """Draw a line of a ledger: spoiled, or with a spoiled payload under an id that fits it."""
    told = odd.of(lines)
    if odd.sometimes(0.5) or "payload" not in told:
        return odd.written(odd.spoiled_json(told, odd.of((0.02, 0.1))))
    payload = odd.spoiled_json(told["payload"], odd.of((0.05, 0.15)))
    return odd.written(renamed({**told, "payload": payload}))


def renamed(told: dict[str, Json]) -> dict[str, Json]:
    """Give an item the id that its content has, where it has one."""
    payload, source = told["payload"], str(told.get("source", ""))
    try:
        at = to_micros(str(told["at"]))
        item = make_item(space="me", what=str(told["what"]), at=at, payload=payload, known_at=0, source=source)  # type: ignore[arg-type]  # any JSON
    except (InputError, ValueError, TypeError, AttributeError, RecursionError):
        return told  # no item has such a payload: the line stays as it is
    return {**told, "id": item.id.hex()}


def _spoiled(odd: Odd, text: str) -> str:
    return odd.spoiled_text(text) if odd.sometimes(0.4) else text


def _encoded(odd: Odd, text: str) -> bytes:
    data = text.encode(odd.of(("utf-8", "utf-8", "utf-8", "utf-16", "cp1252")), "replace")
    return odd.spoiled_bytes(data) if odd.sometimes(0.1) else data


def _read_feed(path: Path) -> None:
    feed = open_feed(path, rows=16)
    for _ in feed.batches(0):
        pass
