"""Lines of a ledger that are taken in: their times, their fields, and what is no line or no file."""

from __future__ import annotations

import base64
import gzip
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from asterism.core.dialogue.lines import Line
from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.engine.connections.advance import MOST_DAYS
from asterism.engine.memory import Memory
from asterism.errors import ClockError, InputError
from asterism.formats.ledger import item_line
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import DAY, FACTS, NOON, AnyMemory, contents, is_told_well, remembering


def item(what: str, payload: Payload, at: datetime, *, known_at: datetime = NOON) -> Item:
    return make_item(space="me", what=what, at=to_micros(at), payload=payload, known_at=to_micros(known_at))


def header() -> bytes:
    with remembering(InMemoryStore(), embedder=None) as memory:
        return str(memory.export().text).encode()


def opened_sync(path: Path) -> AnyMemory:
    """Open a memory that believes the clock of its machine, whatever it says."""
    return Memory.open_sync(path, space="me", trust_clock=True, embedder="hashed")


SLEEP: Payload = {"star": "sleep", "name": "Sleep", "domain": "soul"}


# Times


def test_a_memory_that_went_far_ahead_comes_back(tmp_path: Path) -> None:
    with remembering(InMemoryStore()) as memory:
        for _ in range(2):
            memory.advance(days=MOST_DAYS)
        text = memory.export().text
    with remembering(tmp_path / "memory.db") as memory:
        assert memory.import_(io.BytesIO(text.encode())).added == 2
        assert memory.export().text == text


def test_a_clock_that_is_behind_takes_in_what_is_of_today() -> None:
    data = header() + item_line(item("star_added", SLEEP, NOON - DAY))
    with remembering(InMemoryStore(), clock=datetime(1970, 1, 2, tzinfo=UTC)) as memory:
        assert memory.import_(io.BytesIO(data)).added == 1


@pytest.mark.parametrize("what", ["clock", "star_added"])
def test_an_item_of_the_far_future_is_refused_with_its_line(what: str) -> None:
    far = datetime(9892, 1, 1, tzinfo=UTC)
    data = header() + item_line(item(what, SLEEP if what == "star_added" else {}, far, known_at=far))
    store = InMemoryStore()
    with remembering(store) as memory:
        with pytest.raises(ClockError, match=r"line 2: the item .* is of 9892-01-01") as refused:
            memory.import_(io.BytesIO(data))
        assert (refused.value.code, contents(store)) == ("clock_ahead", [])
        assert is_told_well(refused.value)
    with remembering(store, clock=far) as memory:  # which stands there itself
        assert memory.import_(io.BytesIO(data)).added == 1


def test_what_another_memory_took_of_the_far_future_is_taken_where_it_is_trusted_and_can_be_erased(
    tmp_path: Path,
) -> None:
    far = datetime(9000, 1, 1, tzinfo=UTC)
    mark = item("clock", {}, far, known_at=far)
    lines = [item_line(item("star_added", SLEEP, NOON - DAY)), item_line(mark)]
    with opened_sync(tmp_path / "memory.db") as memory:
        assert memory.import_(io.BytesIO(header() + b"".join(lines))).added == 2
        assert memory.stats().clock == far
        memory.engage("sleep", at=NOON)
    with remembering(tmp_path / "memory.db") as memory:
        memory.erase(f"item:{mark.id.hex()}")
        assert memory.stats().clock == NOON
        assert memory.verify().ok


# What is told


def test_the_field_that_is_wrong_is_named_and_no_other() -> None:
    wrong = item_line(item("star_added", SLEEP, NOON - DAY)).replace(b'"at"', b'"att"')
    with remembering(InMemoryStore()) as memory, pytest.raises(InputError, match=r"one too many: at, att \(export"):
        memory.import_(io.BytesIO(header() + wrong))


def test_tombstones_are_counted_once() -> None:
    data = header() + b'{"erased":"%s"}\n' % (b"ab" * 16) * 2
    with remembering(InMemoryStore()) as memory:
        assert [memory.import_(io.BytesIO(data)).erased for _ in range(2)] == [1, 0]


@pytest.mark.parametrize("wrong", [5, b"a.jsonl", [], True, io.StringIO()])
def test_what_is_no_file_is_refused_with_a_word(wrong: object) -> None:
    with remembering(InMemoryStore()) as memory:
        for call in (memory.import_, memory.export):
            with pytest.raises(InputError) as refused:
                call(wrong)
            assert is_told_well(refused.value)


def test_an_open_file_may_be_compressed() -> None:
    packed = gzip.compress(header() + item_line(item("star_added", SLEEP, NOON - DAY)))
    for file in (io.BytesIO(packed), io.BufferedReader(io.BytesIO(packed))):
        with remembering(InMemoryStore()) as memory:
            assert memory.import_(file).added == 1


def test_the_tables_are_seen_to_after_tombstones_of_which_no_item_tells() -> None:
    store = InMemoryStore()
    lines = [Line(0, "Ann", "I open the door of sleep."), Line(1, "DM", "It opens.")]
    more = [*lines, Line(2, "Ann", "I look around."), Line(3, "DM", "You see a cat.")]
    with remembering(store) as memory:
        for session, said in (("day", lines), ("night", lines), ("night", more)):
            memory.read_transcript(said, session=session, started_at=NOON - 9 * DAY)
        last = max(contents(store), key=lambda stored: stored.seq).item
        memory.import_(io.BytesIO(header() + b'{"erased":"%s"}\n' % last.id.hex().encode()))
        memory.learn("A note.")
        assert memory.verify().ok


# Vectors


def with_vectors() -> list[dict[str, object]]:
    with remembering(InMemoryStore()) as memory:
        for text in FACTS[:3]:
            memory.learn(text)
        memory.dream()
        return [json.loads(line) for line in memory.export(vectors=True).text.splitlines()]


def numbers(*values: float) -> str:
    return base64.b64encode(np.array(values, dtype="<f4").tobytes()).decode()


@pytest.mark.parametrize(
    ("vector", "said"),
    [
        (numbers(0.6, 0.8), "its vector has 2 numbers, and those of hashed-words-256-1 have 256"),
        (numbers(*[1.0] * 256), "its vector is not of length 1"),
        (numbers(*[float("nan")] * 256), "its vector is not of length 1"),
        ("é", "its vector is no list of numbers"),
        ("AAA=", "its vector is no list of numbers"),
    ],
)
@pytest.mark.parametrize("which", [0, 2])
def test_a_vector_that_recall_could_not_use_is_refused_with_its_line(vector: str, said: str, which: int) -> None:
    rows = with_vectors()
    place = [at for at, row in enumerate(rows) if "vector" in row][which]
    rows[place]["vector"] = vector
    store = InMemoryStore()
    with remembering(store, embedder=None) as memory:
        with pytest.raises(InputError, match=f"line {place + 1}: {said}") as refused:
            memory.import_(io.BytesIO("\n".join(map(json.dumps, rows)).encode()))
        assert is_told_well(refused.value)
        assert contents(store) == []


def test_vectors_as_long_as_those_that_are_kept_are_taken_in_whoever_made_them() -> None:
    rows = with_vectors()
    for row in rows:
        row.update(
            {"embedder": "by-hand"} if "embedder" in row else {"vector": numbers(0.6, 0.8)} if "vector" in row else {}
        )
    data = "\n".join(map(json.dumps, rows)).encode()
    with remembering(InMemoryStore(), embedder=None) as memory:
        assert memory.import_(io.BytesIO(data)).vectors == 3
        with pytest.raises(InputError, match="has 1 numbers, and those of by-hand have 2"):
            memory.import_(io.BytesIO(data.replace(numbers(0.6, 0.8).encode(), numbers(1).encode())))
