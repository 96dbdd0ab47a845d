"""Ctrl-C at any line of a call: nothing is half-written, and the memory goes on as if it had been opened anew."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import pytest

from asterism.core.dialogue.lines import Line
from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import make_item
from asterism.formats.ledger import item_line
from asterism.store.sqlite import SQLiteStore
from tests.support.memories import DAY, NOON, AnyMemory, contents, remembering
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from _typeshed import TraceFunction

SOURCE = str(ROOT / "src" / "asterism")


def interrupted(call: Callable[[], object], *, at: int) -> int:
    """Make a call, and press Ctrl-C at a line of it; give how many lines of ours were run."""
    run, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, _: object) -> TraceFunction | None:
        nonlocal run
        if not frame.f_code.co_filename.startswith(SOURCE):
            return None
        if event == "line":
            run += 1
            if run == at:
                raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        assert run == at
    finally:
        sys.settrace(before)
    return run


def begun(memory: AnyMemory) -> None:
    for name in ("Sleep", "Mood", "Work"):
        memory.add_star(name, domain="soul", at=NOON - 40 * DAY)
    for day in range(30, 0, -3):
        memory.observe("sleep", "mood", "user_confirms", at=NOON - day * DAY)
        memory.learn(f"Note {day}: sleep was good.", at=NOON - day * DAY)
    memory.feed("BTC", [{"kind": "trade", "at": NOON.timestamp() - 60, "price": 50_000.0, "usd": 9_000.0}])


def taken_in(memory: AnyMemory) -> None:
    header = memory.export().text.splitlines()[0].encode() + b"\n"
    at = to_micros(NOON - 20 * DAY)
    marks = [make_item(space="me", what="clock", at=at + k, payload={}, known_at=at) for k in range(5)]
    memory.import_(io.BytesIO(header + b"".join(map(item_line, marks))))


LINES = [Line(0, "Ann", "I open the door of sleep."), Line(1, "DM", "It opens.")]
CALLS: dict[str, Callable[[AnyMemory], object]] = {
    "a look": lambda memory: memory.link("sleep", "mood"),
    "a look ahead": lambda memory: memory.project(days=50),
    "recall": lambda memory: memory.recall("note 3"),
    "evidence of today": lambda memory: memory.observe("sleep", "mood", "user_confirms"),
    "evidence that is late": lambda memory: memory.observe("sleep", "work", "user_creates", at=NOON - 25 * DAY),
    "a late text": lambda memory: [memory.learn("Late.", at=NOON - 25 * DAY), memory.recall("late")],
    "a dream": lambda memory: memory.dream(),
    "time that passes": lambda memory: memory.advance(days=20),
    "a transcript": lambda memory: memory.read_transcript(LINES, session="night", started_at=NOON - 9 * DAY),
    "an import": taken_in,
    "what is erased": lambda memory: memory.erase("mood"),
}


@pytest.fixture(scope="module")
def told() -> bytes:
    """Give the bytes of a file that tells of a month."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with remembering(path) as memory:
            begun(memory)
        return path.read_bytes()


def state(memory: AnyMemory) -> object:
    return memory.verify(), memory.links(), memory.nodes(), memory.recall("note 3").hits


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_is_interrupted_anywhere_leaves_all_or_nothing(
    tmp_path: Path, told: bytes, rounds: int, name: str
) -> None:
    lines, turns = 0, min(rounds, 40) // 2
    for turn in range(turns + 1):  # the first one counts the lines
        path = tmp_path / f"{turn}.db"
        path.write_bytes(told)
        with closing(SQLiteStore(path)) as store, remembering(store) as memory:
            memory.link("sleep", "mood")
            before = contents(store)
            run = interrupted(lambda: CALLS[name](memory), at=turn * lines // (turns + 1) or -1)
            lines = lines or run
            with remembering(store) as other:  # which has seen nothing of it
                assert state(memory) == state(other)
            if contents(store) == before:
                CALLS[name](memory)  # it can be done again
            memory.engage("sleep")
            assert memory.verify().ok


def test_a_first_transaction_that_is_interrupted_anywhere_holds_nothing(tmp_path: Path) -> None:
    at, lines = 0, 1
    while at <= lines:  # the first one counts the lines
        path = tmp_path / f"{at}.db"
        with closing(SQLiteStore(path)) as store, closing(SQLiteStore(path, busy_seconds=0)) as other:
            lines = max(lines, interrupted(lambda: store.writing("me").__enter__(), at=at or -1))
            store.recover()
            with other.writing("me"):
                assert store.spaces() == []
        at += 1
    assert lines > 5
