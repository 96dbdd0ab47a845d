"""Whole calls of a memory: files that are taken in, and every public call with odd arguments."""

from __future__ import annotations

import inspect
import io
import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from asterism.core.ledger.head import Head
from asterism.engine.memory import Memory
from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from asterism.sync import drive
from campaign import fuzz_parsers, written
from campaign.odd import FLOATS, INTEGERS, TIMES, Json, Odd
from tests.support.memories import NOON, AnyMemory, remembering
from tests.support.small_memory import begin

LEFT_OUT = {"close", "doctor"}
FILES = {
    "path",
    "paths",
    "target",
    "other",
    "progress",
}  # where an odd word would be a file of somebody's, or no function
SOUND: Mapping[str, tuple[object, ...]] = {
    "a": ("sleep",),
    "b": ("mood", "work"),
    "id": ("sleep", "mood", "Ferry"),
    "name": ("Run", "morning"),
    "kind": ("user_confirms", "causation", "tension"),
    "domain": ("health", None),
    "direction": ("a_to_b", None),
    "query": ("When does the ferry leave?",),
    "content": ("The ferry leaves at ten.",),
    "subject": ("source:notes", "Ferry", "mood"),
    "without": ("sleep",),
    "symbol": ("X",),
    "events": ([{"kind": "trade", "at": 1_700_000_000, "price": 100.0, "usd": 900.0}],),
    "facts": (["Tea is green.", {"content": "Rain falls.", "tags": ["sky"]}],),
    "rows": ([{"a": "sleep", "b": "mood", "kind": "user_confirms"}],),
    "diary": ([{"date": "2026-01-03", "sleep": 6.5}],),
    "values": ({"Sleep": 0.5},),
    "lines_or_path": (["Ann: I open it.", "DM: It opens."],),
    "parts": (["The ferry"],),
    "ids": (["Ferry"], "Ferry"),
    "answer": (["Ferry"],),
    "session": ("One", "s1"),
    "started_at": (NOON,),
    "signal": (0.9,),
    "value": (0.4,),
    "price": (100.0,),
    "source": ("diary", None),
    "preset": ("seed", "tuned", "tabletop"),
    "tags": (["home"],),
}
BY_ENDING: Mapping[str, tuple[object, ...]] = {
    "at": (NOON, *TIMES),
    "days": (1, 14, 0.5),
    "limit": (1, 10),
    "k": (1, 5),
}


class Called:
    """A memory of a round, and what was written to it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store = InMemoryStore()
        self._open = ExitStack()
        self._calls: list[Callable[[Odd], object]] = [
            *[self.any_call] * 6,
            self.ledger,
            self.reference,
            self.transcript,
            self.diary,
            self.market,
        ]

    def __enter__(self) -> Self:
        self._memory: AnyMemory = self._open.enter_context(remembering(self._store))
        drive(begin(self._memory._async))
        self._memory.learn("The ferry leaves at nine.", name="Ferry", source="notes")
        self._memory.export(self._folder / "ledger.jsonl")
        lines = (self._folder / "ledger.jsonl").read_text(encoding="utf-8").splitlines()
        self._lines: list[dict[str, Json]] = [json.loads(line) for line in lines]
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            verified = self._memory.verify()
            assert verified.ok, verified.differences
        self._open.close()

    def take(self, odd: Odd) -> None:
        """Draw a call; one that is refused left everything as it was."""
        before = self._head()
        try:
            odd.of(self._calls)(odd)
        except AsterismError:
            assert self._head() == before, "what was refused left something"
            raise

    def _head(self) -> Head:
        return self._store.head("me")

    # Files

    def _file(self, name: str, text: str) -> Path:
        path = self._folder / name
        path.write_bytes(text.encode("utf-8", "replace"))
        return path

    def ledger(self, odd: Odd) -> None:
        head, *lines = self._lines
        told = [odd.written(head if odd.sometimes(0.8) else odd.spoiled_json(head))]
        told += [fuzz_parsers.ledger_line(odd, lines) for _ in odd.times(5)]
        self._memory.import_(io.BytesIO("\n".join(told).encode("utf-8", "replace")))

    def reference(self, odd: Odd) -> None:
        self._memory.import_(self._file("memory.json", written.reference(odd)))

    def transcript(self, odd: Odd) -> None:
        name, grammar = odd.of(fuzz_parsers.TRANSCRIPTS)
        self._memory.read_transcript(self._file(name, grammar(odd)), started_at=odd.of((None, NOON)))

    def diary(self, odd: Odd) -> None:
        self._memory.read_diary(self._file("diary.csv", written.diary(odd)))

    def market(self, odd: Odd) -> None:
        self._memory.feed_file("X", self._file("rows.csv", written.market_csv(odd)))

    # Calls

    def any_call(self, odd: Odd) -> None:
        """Call anything that is public, with what it needs and some of what it may have."""
        name = odd.of(CALLS)
        call, needed, may_have = getattr(self._memory, name), [], {}
        for parameter in PARAMETERS[name]:
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                needed += [_argument(odd, "id") for _ in odd.times(3)]
            elif parameter.default is inspect.Parameter.empty:
                may_have[parameter.name] = _argument(odd, parameter.name)
            elif odd.sometimes(0.25):
                may_have[parameter.name] = _argument(odd, parameter.name, parameter.default)
        call(*needed, **may_have)


def _argument(odd: Odd, name: str, default: object = None) -> object:
    if odd.sometimes(0.15):
        return odd.json(2)
    if name in SOUND:
        sound = odd.of(SOUND[name])
        return odd.spoiled_json(sound) if odd.sometimes(0.15) else sound  # type: ignore[arg-type]  # lists and dicts
    for ending, values in BY_ENDING.items():
        if name == ending or name.endswith(f"_{ending}") or name in ("since", "until", "to", "expires", "valid_until"):
            return odd.of(values)
    if isinstance(default, bool):
        return odd.sometimes(0.5)
    if isinstance(default, int):
        return odd.of(INTEGERS)
    return odd.of((odd.word(), odd.of(FLOATS), None))


PARAMETERS = {
    name: list(inspect.signature(call).parameters.values())[1:]
    for name, call in inspect.getmembers(Memory, inspect.iscoroutinefunction)
    if not name.startswith("_") and name not in LEFT_OUT and not FILES & set(inspect.signature(call).parameters)
}
CALLS = sorted(PARAMETERS)
