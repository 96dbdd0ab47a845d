"""Erasing from a file: other programs that read it or are killed, rows that moved, and what is told meanwhile."""

from __future__ import annotations

import hashlib
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from asterism import Evidence
from asterism.core.ledger.items import make_item
from asterism.engine.explore import journey as walking
from asterism.engine.recall.recaller import CACHE, recaller_of
from asterism.engine.space.live import Live
from asterism.store import scrubbing
from asterism.store.sqlite import SQLiteStore
from asterism.store.sqlite_writing import SQLiteWriting
from tests.support.erasing import BEGIN, BREAD, SUBJECTS, WORD, has, raw, tell_word
from tests.support.memories import DAY, NOON, HandClock, remembering

CHILD = """
import os, sys
from pathlib import Path
import asterism.store.sqlite as sqlite
from asterism.engine.memory import Memory

def die(*_):
    os._exit(9)

path, when, subject = sys.argv[1:]
opening = True
if when == "before":
    sqlite.SQLiteWriting.drop_vectors = die
else:
    sqlite.scrub_if_due = lambda connection: "" if opening else die()
with Memory.open_sync(Path(path), space="me", embedder="hashed") as memory:
    opening = False
    memory.erase(subject)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        tell_word(memory)
        for subject in SUBJECTS[::2]:
            memory.erase(subject)
    assert has(path)
    return path


def killed(path: Path, when: str) -> None:
    done = subprocess.run([sys.executable, "-c", CHILD, str(path), when, f"source:{WORD}"], check=False)
    assert done.returncode == 9


def test_killed_before_it_is_done_nothing_is_done(path: Path) -> None:
    with remembering(path) as memory:
        before = memory.verify()
    killed(path, "before")
    with remembering(path) as memory:
        assert memory.verify() == before
        assert memory.erase(f"source:{WORD}").scrubbed
    assert not has(path)


def test_killed_before_its_bytes_are_gone_the_next_that_writes_sees_to_it(path: Path) -> None:
    killed(path, "after")
    assert has(path)  # in the log
    with remembering(path, read_only=True) as memory:
        assert {each.content for each in memory.blocks()} == set(BREAD)  # it is erased all the same
    with remembering(path):
        assert not has(path)


def test_a_reader_that_keeps_the_log_is_told_of_and_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrubbing, "PATIENCE_MS", 50)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM ledger").fetchone()
        with remembering(path) as memory:
            done = memory.erase(f"source:{WORD}")
            assert (done.scrubbed, done.note) == (False, scrubbing.READ)
            assert "next opened for writing" in str(done)
            assert memory.verify().ok
            assert has(path)
            reader.execute("COMMIT")
            memory.learn("Ada likes tea", at=BEGIN)
            memory.erase(memory.learn("Ada likes tea", at=BEGIN).id)  # the next one sees to it too
            assert not has(path)


def test_a_file_that_cannot_be_written_anew_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrubbing, "PATIENCE_MS", 50)
    with remembering(path) as memory:
        scrub = memory._async._live.store.scrub

        def while_another_writes() -> str:
            with closing(sqlite3.connect(path, isolation_level=None)) as writer:
                writer.execute("BEGIN IMMEDIATE")
                return str(scrub())

        monkeypatch.setattr(memory._async._live.store, "scrub", while_another_writes)
        done = memory.erase(f"source:{WORD}")
        assert (done.scrubbed, "could not be written anew (database is locked)" in done.note) == (False, True)
    with remembering(path):
        assert not has(path)


class HeldAfterErasing(SQLiteStore):
    """A store whose write lock another program takes once something is erased, and holds until the bytes go."""

    def __init__(self, path: Path, other: sqlite3.Connection) -> None:
        super().__init__(path, busy_seconds=0)
        self.other = other
        self.refused = 0

    def writing(self, space: str) -> SQLiteWriting:
        if self.buried(space) and not self.other.in_transaction:
            self.other.execute("BEGIN IMMEDIATE")
            self.refused += 1
        return super().writing(space)

    def scrub(self) -> str:
        self.other.execute("ROLLBACK")
        return super().scrub()


def test_what_is_erased_is_told_and_scrubbed_though_no_checkpoint_can_be_stored(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.learn(f"{WORD} keeps bees", at=BEGIN)
        for name in ("Bell", "Tower"):
            memory.add_star(name, domain="soul", at=BEGIN - 420 * DAY)
        days = [BEGIN - days * DAY for days in range(420)]  # so many that a checkpoint is due
        memory.observe_many([Evidence("Bell", "Tower", "user_confirms", day) for day in days])
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as other,
        closing(HeldAfterErasing(path, other)) as store,
        remembering(store) as memory,
    ):
        done = memory.erase(memory.blocks()[0].id)
        assert store.refused == 1
        assert (done.items, done.scrubbed, done.note) == ({"learned": 1}, True, "")
        assert bytes.fromhex(done.tombstone) in [each.item.id for each in store.items("me")]
        assert not has(path)
        assert memory.verify().ok


def test_rows_that_were_moved_leave_no_copy_behind(tmp_path: Path) -> None:
    """SQLite moves rows between pages; without the file being written anew some of these would be found."""
    path, chance = tmp_path / "memory.db", random.Random(3)
    names = [f"Quixotl{number:05}" for number in range(1500)]
    items = [
        make_item(
            space="me", what="clock", at=number, payload={}, known_at=0, source=name * chance.choice([3, 10, 300])
        )
        for number, name in enumerate(names)
    ]
    keys = [hashlib.sha256(name.encode()).digest()[:16] for name in names]
    vectors = {key: name.encode() * chance.choice([2, 20, 60]) for key, name in zip(keys, names, strict=True)}
    order = list(range(len(names)))
    chance.shuffle(order)
    with closing(SQLiteStore(path)) as store:
        with store.writing("me") as writing:
            writing.append(items)
            writing.put_vectors("numbers", vectors)
        for start in range(0, 900, 30):
            some = order[start : start + 30]
            with store.writing("me") as writing:
                writing.drop_vectors([keys[place] for place in some])
                writing.bury([items[place].id for place in some])
        assert store.scrub() == ""
        left = raw(path)
        assert [name for place, name in enumerate(names) if name.encode() in left] == sorted(
            names[place] for place in order[900:]
        )


def test_what_another_process_held_is_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory, remembering(path) as other:
        memory.learn(f"{WORD} keeps bees", source="a", at=BEGIN)
        memory.learn("Ada likes tea", source="b", at=BEGIN)
        assert WORD in str(other.recall("bees").hits)  # it has made vectors, and keeps none yet
        texts = other._async._live.texts()
        assert len(texts.made()) == 2
        assert memory.erase("source:a").items == {"learned": 1}
        assert other.dream().promoted == 1
        assert len(SQLiteStore(path, read_only=True).vector_texts("me")) == 1
        assert WORD not in str(other.recall("bees").hits)
        assert not has(path)


def test_a_checkpoint_is_stored_again_where_one_is_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, clock = tmp_path / "memory.db", HandClock()
    with remembering(path, clock=clock) as memory:
        tell_word(memory)
        monkeypatch.setattr(Live.checkpoint_if_due, "__kwdefaults__", {"at_least": 1})
        clock.now += DAY
        assert memory.erase(f"node:{WORD}").checkpoints == 1
        assert memory.stats().checkpoints == 1
        assert memory.verify().ok


def test_a_walk_over_what_was_erased_meanwhile_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        for number in range(3):
            memory.learn(f"{WORD} keeps bees behind house {number}", source="a", at=BEGIN)
        memory.learn("Bees need water in the morning", source="b", at=BEGIN)
        memory.dream()
        found = memory.explore(f"where does {WORD} keep bees?", intention="find honey", learn=False)
        assert WORD in str(dict(found.effects))
        memory.erase("source:a")
        assert walking.learn_from(memory._async._live, found) is False
        assert not has(path)


def test_an_index_that_was_packed_before_an_erasure_is_not_kept_after_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory, remembering(path) as other:
        memory.learn(f"{WORD} keeps bees", source="a", at=BEGIN)
        memory.learn("Ada likes tea", source="b", at=BEGIN)
        live = other._async._live
        packed = recaller_of(live).cache(live.seq)
        memory.erase("source:a")
        live.keep(CACHE, packed)
        assert not has(path)
        assert SQLiteStore(path, read_only=True).cache("me", CACHE) is None
        live.keep(CACHE, recaller_of(live).cache(live.seq))
        assert SQLiteStore(path, read_only=True).cache("me", CACHE) is not None
        assert WORD not in str(other.recall("bees").hits)


def test_vectors_that_were_made_before_an_erasure_are_not_kept_after_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory, remembering(path) as other:
        memory.learn(f"{WORD} keeps bees", source="a", at=BEGIN)
        memory.learn("Ada likes tea", source="b", at=BEGIN)
        memory.dream()
        assert other.reembed(progress=lambda *_: memory.erase("source:a")) == 2
        assert len(SQLiteStore(path, read_only=True).vector_texts("me")) == 1
        other.learn("Bo likes milk", source="b", at=BEGIN)
        other.dream()
        assert len(SQLiteStore(path, read_only=True).vector_texts("me")) == 2
        assert memory.verify().ok


def test_a_shorter_item_that_was_erased_before_stays_away(tmp_path: Path) -> None:
    texts = ("Alpha is tea.", "Beta is coffee.", "Gamma is cocoa.", "Delta is water.")
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    for path, left_out in ((first, 1), (second, 0)):
        with remembering(path) as memory:
            ids = [memory.learn(text, at=NOON - DAY).id for text in texts]
            memory.outcome([each for place, each in enumerate(ids) if place != left_out], 0.9, at=NOON)
    with remembering(first) as memory:
        memory.merge(second)
        alpha, beta = (memory.learn(text, at=NOON - DAY).id for text in texts[:2])  # as it was told
        (trimmed,) = memory.erase(alpha).trimmed
        memory.erase(f"item:{trimmed.now}")
        assert memory.erase(beta).trimmed[0].now == trimmed.now
        assert memory.links() == []
        assert memory.verify().ok
