"""The doctor: every fault, made for real on a file, is found, named, and repaired by what it says."""

from __future__ import annotations

import json
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from asterism.core.ledger.calendar import to_micros
from asterism.engine.care import doctor as doctoring
from asterism.engine.care import surroundings
from asterism.engine.care.checkup import Checkup
from asterism.errors import AsterismError
from asterism.store import sqlite_checks
from asterism.store.in_memory import InMemoryStore
from asterism.store.sqlite import SQLiteStore
from asterism.wiring import place_of
from tests.support.memories import FACTS, NOON, by_hand, remembering, store_checkpoint
from tests.support.paths import ROOT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a file that holds stars, evidence, dreamed blocks, a checkpoint and a cache."""
    place = tmp_path / "memory.db"
    with remembering(place) as memory:
        memory.add_star("Sleep", domain="health")
        memory.add_star("Mood", domain="soul")
        memory.observe("sleep", "mood", "user_confirms", note="the words of the note")
        for fact in FACTS:
            memory.learn(fact)
        memory.dream()
    store = SQLiteStore(place)
    store_checkpoint(store)
    store.close()
    place.chmod(0o600)
    return place


def change(path: Path, *statements: str) -> None:
    """Change a file behind the back of the memory."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def examined(path: Path, **how: object) -> Checkup:
    """Examine a file, and see that this changed nothing."""
    before = {
        each.name: each.read_bytes() for each in path.parent.iterdir() if each.is_file() and "shm" not in each.name
    }
    place, clock = place_of(path), lambda: to_micros(NOON + timedelta(days=1))
    found = doctoring.examine(place, clock=clock, embedder="hashed", **how)  # type: ignore[arg-type]
    after = {
        each.name: each.read_bytes() for each in path.parent.iterdir() if each.is_file() and "shm" not in each.name
    }
    assert after == before
    assert found.ok == (not any(each.severity == "error" for each in found.findings))
    assert all(each.repair and each.what and each.item for each in found.findings)
    assert str(found)
    assert json.dumps(found.to_dict())
    return found


def worse(found: Checkup) -> set[str]:
    """Name what is worse than a note."""
    return {each.name for each in found.findings if each.severity != "note"}


def test_a_healthy_file_has_no_findings(path: Path) -> None:
    found = examined(path)
    assert (found.ok, worse(found)) == (True, set())
    assert "replay of the ledger" in found.checked
    assert "replay of the ledger" not in examined(path, replay=False).checked
    assert doctoring.repair(place_of(path), found) == ()


def test_a_file_that_is_no_memory_is_named(tmp_path: Path) -> None:
    text, other, folder, empty = (tmp_path / name for name in ("a.txt", "other.db", "folder", "empty.db"))
    text.write_text("not a database " * 100)
    change(other, "CREATE TABLE notes (text)")
    folder.mkdir()
    empty.touch()
    names = {place: worse(examined(place)) for place in (text, other, folder, tmp_path / "missing.db", empty)}
    assert list(names.values()) == [{"not_a_memory"}, {"not_a_memory"}, {"cannot_open"}, {"unknown_memory"}, set()]
    assert examined(empty).named("empty_file")
    change(other, "PRAGMA application_id = 7")
    assert "0x7" in examined(other).named("not_a_memory")[0].what


def test_a_truncated_file_is_named(path: Path) -> None:
    size = path.stat().st_size
    for left in (size - 4096, size // 2, 600, 90):
        with path.open("r+b") as file:
            file.truncate(left)
        found = examined(path)
        assert not found.ok
        assert worse(found) & {"truncated", "not_a_memory"}, left


def test_damaged_pages_are_named(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    wrong = 0
    for page in range(1, len(whole) // 4096):
        spoiled = bytearray(whole)
        spoiled[page * 4096 : page * 4096 + 200] = np.random.default_rng(page).bytes(200)
        path.write_bytes(spoiled)
        wrong += not examined(path, replay=False).ok
    assert wrong >= len(whole) // 4096 - 3  # a page that nothing uses may be spoiled


def test_a_newer_and_an_older_schema_are_named(path: Path) -> None:
    change(path, "PRAGMA user_version = 99")
    found = examined(path)
    assert worse(found) == {"newer_schema"}
    assert found.named("newer_schema")[0].repair == "pip install --upgrade asterism"
    old = ROOT / "tests" / "data" / "schema1.db"
    path.write_bytes(old.read_bytes())
    found = examined(path)
    assert (found.ok, len(found.named("older_schema"))) == (True, 1)


def test_a_damaged_item_is_named(path: Path) -> None:
    for spoil in (
        "payload = '{\"kind\": 1}'",
        "payload = 'x'",
        "at = 'noon'",
        "payload = CAST(x'ff' AS TEXT)",
        "id = x'00'",
    ):
        change(path, f"UPDATE ledger SET {spoil} WHERE what = 'evidence'")
        found = examined(path)
        assert "damaged_item" in worse(found)
        assert "merge COPY" in found.named("damaged_item")[0].repair


def damaged_checkpoint(path: Path) -> None:
    change(path, "UPDATE checkpoint_column SET data = zeroblob(length(data)) WHERE name = 'connections/strength'")
    change(path, "UPDATE checkpoint_column SET crc = 1 WHERE rowid = 1")


def damaged_cache(path: Path) -> None:
    change(
        path,
        "INSERT INTO cache (space, name, fingerprint) SELECT id, 'recall', 'x' FROM space",
        "INSERT INTO cache_column SELECT id, 'words', '|u1', '[3]', 5, x'010203', '' FROM cache",
    )


def wrong_projection(path: Path) -> None:
    """Change a checkpoint, and its checksum too: only a replay can tell."""
    import zlib

    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        query = "SELECT rowid, name, dtype, shape, data FROM checkpoint_column WHERE name LIKE '%strength' LIMIT 1"
        row, name, dtype, shape, data = connection.execute(query).fetchone()
        data = bytes(len(data))
        crc = zlib.crc32(data, zlib.crc32(f"{name} {dtype} {shape}".encode()))
        connection.execute("UPDATE checkpoint_column SET data = ?, crc = ? WHERE rowid = ?", (data, crc, row))


def damaged_parameters(path: Path) -> None:
    change(path, "UPDATE space SET parameters = '{'")


def unknown_parameters(path: Path) -> None:
    change(path, """UPDATE space SET parameters = '{"preset": ["nowhere"], "overrides": {}}'""")


def not_scrubbed(path: Path) -> None:
    change(path, "INSERT INTO tombstone (space, id) SELECT space, id FROM ledger WHERE what = 'evidence'")


@pytest.mark.parametrize(
    ("spoil", "name"),
    [
        (damaged_checkpoint, "damaged_checkpoint"),
        (damaged_cache, "damaged_cache"),
        (wrong_projection, "projection_differs"),
        (damaged_parameters, "damaged_parameters"),
        (unknown_parameters, "damaged_parameters"),
        (not_scrubbed, "not_scrubbed"),
    ],
)
def test_what_can_be_computed_again_is_named_and_repaired(path: Path, spoil: Callable[[Path], None], name: str) -> None:
    spoil(path)
    found = examined(path)
    assert name in worse(found)
    assert all("asterism doctor --repair" in each.repair for each in found.named(name))
    assert doctoring.repair(place_of(path), found)
    again = examined(path)
    assert (again.ok, worse(again)) == (True, set())
    with remembering(path) as memory:
        assert memory.verify().ok
        assert memory.recall("piano", k=1).hits


SPOILED = ["CAST(x'0000c07f' || substr(data, 5) AS BLOB)", "x'0000c07f' || substr(data, 5)", "x'00'", "substr(data, 2)"]


@pytest.mark.parametrize("spoiled", SPOILED)
def test_damaged_and_missing_vectors_are_named_and_made_anew(path: Path, spoiled: str) -> None:
    change(path, f"UPDATE vector_pack SET data = {spoiled}")
    found = examined(path)
    assert worse(found) == {"damaged_vector"}
    assert "asterism reembed" in found.named("damaged_vector")[0].repair
    with remembering(path) as memory:
        memory.reembed()
    assert worse(examined(path)) == set()
    change(path, "DELETE FROM vector_pack")
    assert worse(examined(path)) == {"missing_vectors", "damaged_vector"}  # and not those that were kept
    with remembering(path) as memory:
        memory.reembed()
    assert worse(examined(path)) == set()


def test_another_embedder_is_named(path: Path) -> None:
    found = doctoring.examine(place_of(path), embedder=by_hand({"tea": [1.0, 0.0]}), clock=lambda: to_micros(NOON))
    (finding,) = found.named("other_embedder")
    assert finding.severity == "warning"
    assert "--embedder hashed" in finding.repair
    change(path, "UPDATE space SET embedder = 'somebody-else-1'")
    assert "asterism reembed --embedder default" in examined(path).named("other_embedder")[0].repair


def test_what_waits_is_a_note(path: Path) -> None:
    with remembering(path) as memory:
        memory.learn("Something new waits for a dream.")
    found = examined(path)
    assert found.named("inbox_waits")[0].severity == "note"
    with remembering(path) as memory:
        memory.dream()
    assert not examined(path).named("inbox_waits")


def test_items_of_the_future_are_named(path: Path) -> None:
    with remembering(path, clock=NOON + timedelta(days=900)) as memory:
        memory.engage("sleep")
    found = examined(path)
    assert worse(found) == {"future_item"}
    assert "2028-08-17" in found.named("future_item")[0].what


def test_a_file_nobody_may_write_is_named(path: Path) -> None:
    path.chmod(0o444)  # root may write it all the same, and the doctor says it should not be relied on
    found = examined(path)
    assert worse(found) == {"read_only"}
    assert found.named("read_only")[0].repair == f"chmod u+w {path}"
    assert found.named("open_to_others")
    path.chmod(0o600)
    assert not examined(path).named("open_to_others")


def test_a_log_that_is_held_or_left_behind_is_named(path: Path) -> None:
    with remembering(path) as memory:
        memory.engage("sleep")
        found = examined(path)
        assert found.named("log_left_behind")
        assert not found.named("locked")
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        assert worse(examined(path)) == {"locked"}
        holder.execute("ROLLBACK")
        holder.close()
        left = {name: (path.parent / name).read_bytes() for name in ("memory.db", "memory.db-wal")}
    other = path.parent / "other" / "memory.db"
    other.parent.mkdir()
    for name, data in left.items():  # as a process leaves it that was killed
        (other.parent / name).write_bytes(data)
    assert examined(other).named("log_left_behind")
    with remembering(other) as memory:
        assert memory.verify().ok
    assert not examined(other).named("log_left_behind")


CHILD = """
import resource, sys
from asterism.engine.care.doctor import examine
from asterism.wiring import place_of
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
print(*(each.name for each in examine(place_of(sys.argv[1]), replay=False).findings))
"""


def test_little_room_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = subprocess.run(
        [sys.executable, "-c", CHILD, str(path)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert "file_size_limit" in told.stdout.split()
    monkeypatch.setattr(sqlite_checks, "LEAST_ROOM", 2**60)  # no disk has so much
    assert {"disk_nearly_full"} <= worse(examined(path))


def test_what_is_not_installed_or_too_old_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surroundings, "EXTRAS", {"no_such_module": ("numba", "nothing works")})
    monkeypatch.setattr(surroundings, "has_word_vectors", lambda: False)
    monkeypatch.setattr(sqlite_checks, "LEAST_SQLITE", (99, 0, 0))
    monkeypatch.setattr(surroundings, "LEAST_PYTHON", (99, 0))
    found = examined(path)
    assert found.named("missing_extra")[0].repair == "pip install numba"
    assert found.named("no_word_vectors")[0].repair == "pip install --no-deps wordllama"
    assert {"old_sqlite", "old_python"} <= worse(found)


def test_spaces_are_looked_at_apart(path: Path) -> None:
    with remembering(path, space="other") as memory:
        memory.learn("Of another space.")
    change(path, "UPDATE ledger SET payload = '{}' WHERE space = (SELECT id FROM space WHERE name = 'other')")
    assert examined(path, spaces=["me"]).ok
    assert not examined(path, spaces=["other"]).ok
    assert not examined(path).ok


def test_an_open_memory_asks_for_itself(path: Path) -> None:
    now = datetime.now(UTC)
    with remembering(path, clock=now) as memory:
        assert memory.doctor().ok
        damaged_cache(path)
        assert memory.doctor(replay=False).named("damaged_cache")
    with remembering(path, clock=now, read_only=True) as memory:
        assert memory.doctor(replay=False).named("damaged_cache")
    with remembering(InMemoryStore()) as memory:
        memory.learn("It waits.")
        assert {each.name for each in memory.doctor().findings} >= {"inbox_waits"}


def test_a_memory_that_cannot_be_opened_is_still_examined(path: Path) -> None:
    damaged_parameters(path)
    with pytest.raises(AsterismError), remembering(path):
        pass
    assert examined(path).named("damaged_parameters")


def test_repairs_can_be_copied_into_a_shell(tmp_path: Path) -> None:
    path = tmp_path / "my own; memory.db"
    with remembering(path, space="two words") as memory:
        memory.learn("something")
    (waits,) = doctoring.examine(place_of(path), embedder="hashed").named("inbox_waits")
    assert shlex.split(waits.repair) == ["asterism", "dream", "--db", str(path), "--space", "two words"]
    path.chmod(0o644)
    (others,) = doctoring.examine(place_of(path), embedder="hashed").named("open_to_others")
    assert shlex.split(others.repair) == ["chmod", "600", str(path)]


def changed(path: Path, *statements: str) -> None:
    """Make a memory, and change its file behind its back."""
    with remembering(path) as memory:
        memory.learn("something")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in (*statements, "PRAGMA wal_checkpoint(TRUNCATE)"):
            connection.execute(statement)


@pytest.mark.parametrize("table", ["causal_links", "cache_column"])
def test_a_lost_table_is_named(table: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    changed(path, f"DROP TABLE {table}")
    found = doctoring.examine(place_of(path), embedder="hashed")
    assert not found.ok
    assert [each.item for each in found.named("corrupted")] == [table]


def test_a_schema_that_is_no_text_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    damage = "UPDATE sqlite_master SET name = CAST(x'cb41' AS TEXT), sql = 'no' WHERE name = 'cache'"
    changed(path, "PRAGMA writable_schema = ON", damage)
    found = doctoring.examine(place_of(path), embedder="hashed")
    assert not found.ok
    assert found.named("corrupted")
