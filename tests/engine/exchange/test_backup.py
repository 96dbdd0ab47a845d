"""A backup is the memory as it was at one moment, on every store; a restore brings it back, but nothing erased."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asterism.core.ledger.calendar import to_micros
from asterism.engine.exchange.restore import Restored, restore
from asterism.errors import AsterismError
from asterism.store.sqlite import SQLiteStore
from asterism.sync import Memory
from asterism.wiring import open_store, place_of
from tests.support.memories import DAY, NOON, is_told_well, remembering
from tests.support.paths import DATA
from tests.support.stores import STORES, store_of
from tests.support.stores import place_of as place_for

TEXTS = ("Anna has the key.", "The key hangs behind the door.", "Tea at four.", "The ferry leaves at nine.")


def tell(memory: Memory) -> None:
    for number, text in enumerate(TEXTS):
        memory.learn(text, at=NOON - 5 * DAY + number * DAY)
    memory.add_star("Sleep", at=NOON - 3 * DAY)
    memory.add_star("Mood", at=NOON - 3 * DAY)
    memory.observe("sleep", "mood", "user_confirms", at=NOON - 2 * DAY)
    memory.dream()


def seen(path: Path, space: str = "me") -> tuple[object, ...]:
    with remembering(path, space=space) as memory:
        verified = memory.verify()
        assert verified.ok, verified.differences
        hits = [(hit.id, hit.score) for hit in memory.recall("Who has the key?").hits]
        return verified.digest, hits, memory.links(), memory.export(vectors=True).text


def restored(backup: Path, target: Path, *, known_at: int | None = None) -> Restored:
    clock = to_micros(NOON)
    return restore(place_of(backup), place_of(target), known_at=known_at, clock=lambda: clock, say=lambda _: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with remembering(tmp_path / "memory.db") as memory:
        tell(memory)
    return tmp_path / "memory.db"


@pytest.mark.parametrize("kind", STORES)
def test_a_backup_is_a_memory_that_says_the_same_in_every_space(kind: str, tmp_path: Path) -> None:
    place, file = place_for(kind, tmp_path), tmp_path / "backup.db"
    with closing(store_of(place)) as store:
        with remembering(store, space="you") as other:
            other.learn("Not mine.")
        with remembering(store) as memory:
            tell(memory)
            memory.erase(memory.learn("the code is 4711").id)
            told = memory.backup(file)
            assert (told.path, set(told.spaces), told.erased) == (str(file), {"me", "you"}, 1)
            assert told.spaces["me"] == sum(memory.stats().items.values())
            assert told.bytes == file.stat().st_size
            answered = memory.recall("Who has the key?")
            exported = memory.export(vectors=True).text
            name = store.copy_name()
    with remembering(file) as copy:
        assert copy.verify().ok
        assert copy.export(vectors=True).text == exported
        assert [hit.score for hit in copy.recall("Who has the key?").hits] == [hit.score for hit in answered.hits]
    with closing(open_store(file, read_only=True)) as copied:
        assert copied.copy_name() == told.copy != name
    with remembering(file, space="you") as copy:
        assert [block.content for block in copy.blocks()] == ["Not mine."]


def test_restoring_a_backup_gives_what_was_backed_up(path: Path, tmp_path: Path) -> None:
    before = seen(path)
    with remembering(path) as memory:
        memory.backup(tmp_path / "backup.db")
        memory.learn("Told after the backup.")
    told = restored(tmp_path / "backup.db", path)
    with remembering(path) as memory:
        assert [each.name for each in memory.doctor().named("left_over")] == ["left_over"]
    assert seen(path) == before
    assert (told.erased_again, told.left_out, told.kept) == (0, 0, f"{path}.before-restore")
    with remembering(Path(f"{path}.before-restore")) as former:
        assert former.recall("Told after the backup", k=1).hits[0].text == "Told after the backup."
    with closing(SQLiteStore(path)) as store, closing(SQLiteStore(tmp_path / "backup.db")) as backup:
        assert store.copy_name() == told.copy != backup.copy_name()


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("learn"), st.sampled_from(TEXTS)),
        st.tuples(st.just("erase"), st.sampled_from(TEXTS)),
        st.tuples(st.just("star"), st.sampled_from(["Sleep", "Mood"])),
        st.tuples(st.just("dream"), st.just("")),
    ),
    max_size=8,
)


def take(memory: Memory, steps: list[tuple[str, str]]) -> None:
    for what, said in steps:
        if what == "learn":
            memory.learn(said)
        elif what == "star":
            memory.add_star(said)
        elif what == "dream":
            memory.dream()
        else:
            for block in memory.blocks():
                if block.content == said:
                    memory.erase(block.id)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=STEPS, after=STEPS)
def test_a_restore_holds_what_the_backup_did_without_what_was_erased_since(
    tmp_path_factory: pytest.TempPathFactory, before: list[tuple[str, str]], after: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("restore")
    path, backup = folder / "memory.db", folder / "backup.db"
    with remembering(path) as memory:
        take(memory, [("star", "First"), *before])
        memory.backup(backup)
        held = set(memory.export().text.splitlines()[1:])
        take(memory, after)
        gone = set(memory._async._live.store.tombstones("me"))
    restored(backup, path)
    with remembering(path) as memory:
        assert memory.verify().ok
        now = set(memory.export().text.splitlines()[1:])
        store = memory._async._live.store
        assert gone <= set(store.tombstones("me"))
        assert not [item for _, item in store.items("me") if item.id in gone]
    assert {line for line in now - held if '"what":"erased"' not in line and "dreamed" not in line} == set()
    if not gone:
        assert now == held


def test_what_was_erased_since_the_backup_stays_erased_with_what_stood_on_it(path: Path, tmp_path: Path) -> None:
    with remembering(path) as memory:
        secret = memory.learn("The code is 4711.")
        memory.observe(secret.id, "sleep", "user_confirms")
        memory.backup(tmp_path / "backup.db")
        memory.erase(secret.id)
    assert b"4711" in (tmp_path / "backup.db").read_bytes()
    told = restored(tmp_path / "backup.db", path)
    assert told.erased_again >= 2
    assert b"4711" not in path.read_bytes()
    with remembering(path) as memory:
        assert memory.verify().ok
        assert memory.block(secret.id) is None


def test_what_another_space_had_erased_is_kept_though_the_backup_does_not_know_it(path: Path, tmp_path: Path) -> None:
    with remembering(path) as memory:
        memory.backup(tmp_path / "backup.db")
    with remembering(path, space="later") as memory:
        memory.export(tmp_path / "before.jsonl")
        told = memory.learn("gone")
        memory.export(tmp_path / "with.jsonl")
        memory.erase(told.id)
    restored(tmp_path / "backup.db", path)
    with remembering(path, space="later") as memory:
        assert memory.import_(tmp_path / "with.jsonl").buried == 1
        assert memory.blocks() == []


def test_a_token_that_was_revoked_since_does_not_come_back(path: Path, tmp_path: Path) -> None:
    with closing(SQLiteStore(path)) as store:
        store.put_records("token", {"old": "a", "changed": "b"})
        store.put_records("answers", {"key": "of this moment"}, space="me")
    with remembering(path) as memory:
        memory.backup(tmp_path / "backup.db")
    with closing(SQLiteStore(path)) as store:
        store.put_records("token", {"old": None, "changed": "c", "new": "d"})
        store.put_records("hooks", {"one": "x"})
    restored(tmp_path / "backup.db", path)
    restored(tmp_path / "backup.db", tmp_path / "elsewhere.db")
    with closing(SQLiteStore(path)) as store, closing(SQLiteStore(tmp_path / "elsewhere.db")) as elsewhere:
        assert (store.records("token"), store.records("hooks")) == ({"changed": "c", "new": "d"}, {"one": "x"})
        assert store.records("answers", space="me") == {"key": "of this moment"}
        assert elsewhere.records("token") == {"old": "a", "changed": "b"}


def test_a_moment_is_restored_by_what_was_known_then(tmp_path: Path) -> None:
    path, moment = tmp_path / "memory.db", NOON + DAY
    with remembering(path) as memory:
        tell(memory)
        memory.erase(memory.learn("erased early").id)
        then = memory.verify().digest
    with remembering(path, clock=NOON + 3 * DAY) as memory:
        memory.learn("known late", at=NOON - 4 * DAY)
        memory.erase(memory.learn("erased late", at=NOON - 4 * DAY).id)
        memory.dream()
        memory.backup(tmp_path / "backup.db")
    told = restored(tmp_path / "backup.db", tmp_path / "then.db", known_at=to_micros(moment))
    assert told.left_out == 2
    with remembering(tmp_path / "then.db") as memory:
        assert "known late" not in {block.content for block in memory.blocks()}
        assert memory.stats().tombstones == 2
    with remembering(path, clock=NOON + 3 * DAY) as memory, remembering(tmp_path / "then.db") as back:
        known = memory.as_of(NOON, known_at=moment)
        assert [link.id for link in known.links()] == [link.id for link in back.links()]
        assert {block.id for block in known.blocks()} == {block.id for block in back.blocks()}
    assert then


@pytest.mark.parametrize("force", [False, True])
def test_a_backup_replaces_a_backup_only_by_force_and_nothing_else_ever(
    path: Path, tmp_path: Path, force: bool
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "folder").mkdir()
    with remembering(path) as memory:
        memory.backup(tmp_path / "backup.db")
        for target in (path, tmp_path / "notes.txt", tmp_path / "folder", tmp_path / "no" / "where.db", ":memory:"):
            with pytest.raises(AsterismError) as refused:
                memory.backup(target, force=force)
            assert refused.value.code in ("bad_target", "file_exists")
            assert is_told_well(refused.value)
        assert (tmp_path / "notes.txt").read_text() == "mine"
        memory.learn("more")
        if force:
            assert memory.backup(tmp_path / "backup.db", force=True).spaces["me"] > 8
        else:
            with pytest.raises(AsterismError):
                memory.backup(tmp_path / "backup.db")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backup.db", "folder", "memory.db", "notes.txt"]


def test_a_backup_is_for_its_owner_alone_and_holds_no_byte_of_what_was_removed(path: Path, tmp_path: Path) -> None:
    with remembering(path) as memory:
        reader = sqlite3.connect(path, isolation_level=None)
        secret = memory.learn("The code is 4711.")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM ledger").fetchone()  # so that the log cannot be emptied
        assert not memory.erase(secret.id).scrubbed
        memory.backup(tmp_path / "backup.db")
        reader.close()
    raw = (tmp_path / "backup.db").read_bytes()
    assert b"4711" not in raw
    assert stat.S_IMODE((tmp_path / "backup.db").stat().st_mode) == 0o600
    with remembering(tmp_path / "backup.db") as memory:
        assert not memory.doctor().named("not_scrubbed")


def test_a_restore_is_refused_while_somebody_has_the_memory_open(path: Path, tmp_path: Path) -> None:
    with remembering(path) as memory:
        memory.backup(tmp_path / "backup.db")
        with pytest.raises(AsterismError) as refused:
            restored(tmp_path / "backup.db", path)
        assert refused.value.code == "in_use"
        assert is_told_well(refused.value)
        memory.learn("and goes on")
        assert memory.verify().ok
    assert {each.name for each in tmp_path.iterdir()} == {"backup.db", "memory.db"}


def test_a_damaged_memory_is_restored_by_what_is_left_of_it_and_kept_aside(path: Path, tmp_path: Path) -> None:
    before = seen(path)
    with remembering(path) as memory:
        memory.backup(tmp_path / "backup.db")
        memory.erase(memory.learn("The code is 4711.").id)
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ledger_order'").fetchone()
    raw = bytearray(path.read_bytes())
    raw[(page - 1) * 4096 : page * 4096] = bytes(4096)
    path.write_bytes(raw)
    told = restored(tmp_path / "backup.db", path)
    assert Path(str(told.kept)).stat().st_size == len(raw)
    assert seen(path)[:3] == before[:3]
    with remembering(path) as memory:
        assert memory.stats().tombstones == 1


def test_a_memory_whose_erasures_cannot_be_read_is_not_restored_over(path: Path, tmp_path: Path) -> None:
    with remembering(path) as memory:
        memory.backup(tmp_path / "backup.db")
    path.write_bytes(b"SQLite format 3\0" + b"x" * 9_000)
    with pytest.raises(AsterismError) as refused:
        restored(tmp_path / "backup.db", path)
    assert refused.value.code == "erasures_unknown"
    assert is_told_well(refused.value)
    assert "mv " in str(refused.value.hint)
    path.rename(tmp_path / "memory.damaged")
    assert restored(tmp_path / "backup.db", path).kept is None


def test_a_damaged_backup_is_not_restored(path: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    with remembering(path) as memory:
        memory.backup(backup)
    before = path.read_bytes()
    with closing(sqlite3.connect(backup)) as connection:
        connection.execute("DELETE FROM ledger WHERE seq = 2")
        connection.commit()
    for source, code in ((backup, "bad_backup"), (tmp_path / "nowhere.db", "unknown_memory"), (path, "bad_target")):
        with pytest.raises(AsterismError) as refused:
            restored(source, path)
        assert refused.value.code == code
        assert is_told_well(refused.value)
    assert path.read_bytes() == before


def test_the_log_of_a_deleted_memory_is_not_taken_for_that_of_the_restored_one(path: Path, tmp_path: Path) -> None:
    before, wal = seen(path), path.with_name("memory.db-wal")
    with remembering(path) as memory:
        memory.backup(tmp_path / "backup.db")
        memory.learn("in the log")
        log = wal.read_bytes()
    path.unlink()
    wal.write_bytes(log)
    with remembering(tmp_path / "backup.db") as other, pytest.raises(AsterismError) as refused:
        other.backup(path)
    assert refused.value.code == "log_alone"
    assert is_told_well(refused.value)
    assert restored(tmp_path / "backup.db", path).kept == f"{path}.before-restore"
    assert path.with_name("memory.db.before-restore-wal").read_bytes() == log
    assert seen(path) == before


def test_an_empty_log_of_a_deleted_memory_is_in_nobodys_way(path: Path, tmp_path: Path) -> None:
    with remembering(path) as memory:
        memory.backup(tmp_path / "backup.db")
    path.unlink()
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).touch()
    assert restored(tmp_path / "backup.db", path).kept is None
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backup.db", "memory.db"]


def test_a_backup_of_an_older_schema_is_restored_as_it_will_be(tmp_path: Path) -> None:
    backup = Path(shutil.copyfile(DATA / "schema5.db", tmp_path / "backup.db"))  # a reader leaves a log beside it
    told = restored(backup, tmp_path / "memory.db")
    assert told.spaces == {"me": 5, "other": 5}
    with remembering(tmp_path / "memory.db") as memory:
        assert memory.verify().ok
