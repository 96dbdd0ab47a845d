"""A space knows what it holds: whatever is lost is seen, and copies that exchanged everything have one head."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asterism.engine.care import doctor
from asterism.engine.care.against import against
from asterism.errors import CorruptError
from asterism.store.sqlite import SQLitePlace, SQLiteStore
from tests.support.memories import DAY, NOON, remembering

FACTS = [f"The ferry of day {number} was late." for number in range(40)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with remembering(tmp_path / "memory.db") as memory:
        memory.learn_many([{"content": fact, "at": NOON - 2 * DAY} for fact in FACTS])
        memory.dream()
        memory.erase(memory.learn("a secret", at=NOON - DAY).id)
    return tmp_path / "memory.db"


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


LOSSES = {
    "a row": "DELETE FROM ledger WHERE seq = (SELECT min(seq) FROM ledger)",
    "the newest row": "DELETE FROM ledger WHERE seq = (SELECT max(seq) FROM ledger)",
    "every row": "DELETE FROM ledger",
    "a space": "UPDATE space SET name = 'you'",
}


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_a_file_that_lost_items_does_not_open(path: Path, loss: str) -> None:
    change(path, "PRAGMA foreign_keys = OFF", loss)
    with pytest.raises(CorruptError) as refused, remembering(path) as memory:
        memory.verify()
    assert refused.value.code == "head_differs"
    assert f"asterism doctor --repair --db {path}" in str(refused.value.hint)
    assert any(each.name == "head_differs" for each in doctor.examine(SQLitePlace(path)).findings)


def test_what_is_left_can_be_gone_on_with(path: Path) -> None:
    change(path, LOSSES["a row"])
    place = SQLitePlace(path)
    assert doctor.repair(place, doctor.examine(place))
    with remembering(path) as memory:
        assert memory.verify().ok
        assert memory.learn("and on").status == "new"


@pytest.mark.parametrize(
    "loss", ["DELETE FROM tombstone", "UPDATE tombstone SET id = randomblob(32)", "UPDATE ledger SET note = 'x'"]
)
def test_what_opening_does_not_look_at_is_told_by_verify(path: Path, loss: str) -> None:
    change(path, loss)
    with remembering(path) as memory:
        assert any(each.startswith("head: ") for each in memory.verify().differences)


def test_vectors_that_are_others_than_were_kept_are_told_and_made_anew(path: Path) -> None:
    change(path, "UPDATE vector_pack SET data = zeroblob(length(data))")
    with remembering(path) as memory:
        assert not memory.verify().ok
        memory.reembed()
        assert memory.verify().ok


def test_an_index_that_lost_what_the_table_has_is_seen_at_once(path: Path) -> None:
    change(path, "PRAGMA writable_schema = ON", "DELETE FROM sqlite_master WHERE name = 'ledger_order'")
    with pytest.raises(CorruptError), remembering(path):
        pass


def test_copies_that_exchanged_everything_have_one_head(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with remembering(other) as memory:
        memory.learn(FACTS[0], at=NOON - 2 * DAY)
        memory.learn("Only here.", at=NOON - DAY)
    for into, given in ((other, path), (path, other), (other, path)):
        with remembering(into) as memory:
            memory.merge(given)
    with closing(SQLiteStore(path)) as here, closing(SQLiteStore(other)) as there:
        assert here.head("me").items == there.head("me").items
        assert here.head("me").erased == there.head("me").erased


def test_the_doctor_says_which_of_two_copies_lacks_what(path: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(path, tmp_path / "copy.db"))
    with remembering(path) as memory:
        kept = memory.learn("Only in the first.", at=NOON)
    with remembering(copy) as memory:
        gone = memory.learn("Only in the copy.", at=NOON)
        memory.erase(gone.id)
    found = against(SQLitePlace(path), SQLitePlace(copy), None)
    assert [(each.name, each.what.startswith(str(path))) for each in found] == [
        ("lacks_items", True),  # the erasure itself is an item
        ("lacks_erasures", True),
        ("lacks_items", False),
    ]
    assert all(each.repair.startswith("asterism merge") for each in found)
    for into, given in ((path, copy), (copy, path)):
        with remembering(into) as memory:
            memory.merge(given)
    assert [each.name for each in against(SQLitePlace(path), SQLitePlace(copy), ["me"])] == ["same"]
    with remembering(copy) as memory:
        assert memory.recall("Only in the first.", k=1).hits[0].id == kept.id


def test_a_damaged_copy_is_told_of_beside_another_and_where_it_is_merged(path: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(path, tmp_path / "copy.db"))
    change(copy, LOSSES["a row"])
    found = against(SQLitePlace(path), SQLitePlace(copy), ["me"])
    assert [(each.name, each.severity) for each in found] == [("head_differs", "error"), ("lacks_items", "warning")]
    assert found[1].repair.startswith(f"asterism doctor --repair --db {copy}, then asterism merge {path}")
    with remembering(tmp_path / "new.db") as memory:
        assert memory.merge(path).lost == ()
        (lost,) = memory.merge(copy).lost
    assert lost.startswith("items: ")


def test_copies_that_cannot_be_compared_say_why(path: Path, tmp_path: Path) -> None:
    assert [each.name for each in against(SQLitePlace(path), SQLitePlace(path), ["us"])] == ["unknown_space"]
    (missing,) = against(SQLitePlace(path), SQLitePlace(tmp_path / "none.db"), None)
    assert (missing.name, missing.severity) == ("cannot_compare", "error")
