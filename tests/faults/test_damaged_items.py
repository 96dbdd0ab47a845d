"""Damage inside a file: an item is told with or without assertions, a checkpoint is passed over as a whole."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.dialogue.lines import Line
from asterism.engine.care.doctor import examine
from asterism.errors import CorruptError
from asterism.store.sqlite import SQLitePlace, SQLiteStore
from tests.support.memories import DAY, NOON, remembering, store_checkpoint
from tests.support.paths import ROOT

CHILD = """
import sys
from asterism import Memory
from asterism.errors import CorruptError
try:
    with Memory.open_sync(sys.argv[1], space="me", embedder="hashed") as memory:
        memory.nodes()
except CorruptError as error:
    print(error.code)
"""


@pytest.mark.parametrize("flags", [[], ["-O"]])
def test_it_is_told_with_assertions_or_without(flags: list[str], tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.add_star("Sleep", domain="health")
        memory.engage("sleep")
    with closing(sqlite3.connect(path)) as file:
        file.execute("DELETE FROM checkpoint")
        file.execute("UPDATE ledger SET payload = json_set(payload, '$.impact', '0.5') WHERE what = 'engaged'")
        file.commit()
    told = subprocess.run(
        [sys.executable, *flags, "-c", CHILD, str(path)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert told.stdout.split() == ["damaged_item"]


def test_a_checkpoint_of_which_one_column_is_damaged_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    lines = [Line(0, "Ann", "I open it."), Line(1, "DM", "It opens.")]
    with remembering(path) as memory:
        memory.read_transcript(lines, session="One", started_at=NOON - DAY)
    with closing(SQLiteStore(path)) as store:
        store_checkpoint(store)
    with closing(sqlite3.connect(path)) as file:  # a column without which the rest can be read
        changed = file.execute("UPDATE checkpoint_column SET crc = crc + 1 WHERE name LIKE 'transcripts%readings'")
        assert changed.rowcount == 1
        file.commit()
    with remembering(path) as memory:
        assert memory.sessions() == ["One"]


@pytest.mark.parametrize(
    ("payload", "fault"),
    [
        ("[]", "it says nothing under a name"),
        ("7", "it says nothing under a name"),
        ('{"star": "sleep", "impact": {}}', "its impact is neither text nor number nor a list of texts"),
        ('{"star": "sleep", "impact": NaN}', "Out of range float values are not JSON compliant"),
        ("{}", "its content does not give its id"),
    ],
)
def test_one_that_was_changed_after_it_was_folded_is_named_by_verify_and_the_doctor(
    payload: str, fault: str, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.add_star("Sleep", domain="health")
        memory.engage("sleep")
    with closing(SQLiteStore(path)) as store:
        store_checkpoint(store)
        (name,) = [each.item.id.hex() for each in store.items("me", only=["engaged"])]
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE ledger SET payload = ? WHERE what = 'engaged'", (payload,))
        file.commit()
    with remembering(path) as memory:
        verified = memory.verify()
        (told,) = [each for each in verified.differences if each.startswith("item")]
        assert (verified.ok, verified.items, verified.checkpoints) == (False, 2, 1)
        assert told.startswith(f"item {name}: {fault}")
        assert bool(verified.digest) == ("NaN" in payload)  # what is left of it can be folded
    (found,) = examine(SQLitePlace(path), embedder="hashed").named("damaged_item")
    assert (found.item, fault in found.what) == (name, True)


@pytest.mark.parametrize(
    ("what", "field"),
    [("evidence", "a"), ("denied", "b"), ("engaged", "star"), ("session", "act"), ("learned", "name")],
)
def test_one_of_which_something_was_lost_is_named_by_verify_though_it_can_be_folded(
    what: str, field: str, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.add_star("Sleep", domain="health")
        memory.add_star("Mood", domain="soul")
        memory.observe("sleep", "mood", "user_confirms")
        memory.deny("sleep", "mood")
        memory.engage("sleep")
        memory.learn("The ferry leaves at nine", name="Ferry")
        memory.begin_session("morning")
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"UPDATE ledger SET payload = json_set(payload, '$.{field}', NULL) WHERE what = ?", (what,))
        (name,) = file.execute("SELECT lower(hex(id)) FROM ledger WHERE what = ?", (what,)).fetchone()
        file.commit()
    with remembering(path) as memory:
        memory.nodes()
        verified = memory.verify()
    assert (verified.ok, verified.differences) == (False, (f"item {name}: its content does not give its id",))


@pytest.mark.parametrize("what", ["learned", "star_added"])
def test_one_that_a_checkpoint_had_folded_is_told_when_it_is_read_again(what: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.add_star("Sleep", domain="health")
        memory.learn("The ferry leaves at nine", name="Ferry")
        memory.learn("The boat leaves at ten", name="Boat")
    with closing(SQLiteStore(path)) as store:
        store_checkpoint(store)
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE ledger SET payload = '{}' WHERE what = ?", (what,))
        file.commit()
    with remembering(path) as memory:
        with pytest.raises(CorruptError, match="cannot be folded"):
            memory.erase("Boat", dry_run=True)
        memory.observe("Ferry", "Boat", "user_creates")  # nothing of this reads the damaged item
        if what == "learned":
            memory.learn(
                "The boat leaves at ten", name="Boat", at=NOON - DAY
            )  # a name: blocks are folded anew from all
            with pytest.raises(CorruptError, match="cannot be folded"):
                memory.blocks()
