"""Increments: each run adds one file, none is written again, and together they are the memory; nothing erased stays."""

from __future__ import annotations

import io
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.errors import AsterismError
from asterism.formats.increments import found
from asterism.sync import Memory
from tests.support.memories import DAY, NOON, is_told_well, remembering
from tests.support.stores import STORES, store_of
from tests.support.stores import place_of as place_for


def exported(memory: Memory) -> str:
    text = memory.export().text
    assert text is not None
    return str(text)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "increments"


@pytest.mark.parametrize("kind", STORES)
def test_each_run_adds_one_file_and_together_they_are_the_memory(kind: str, tmp_path: Path, folder: Path) -> None:
    with closing(store_of(place_for(kind, tmp_path))) as store, remembering(store) as memory:
        for number in range(3):
            memory.learn(f"fact {number}")
            before = contents(folder) if folder.exists() else {}
            told = memory.export_increments(folder)
            assert told.ok
            assert (len(told.written), told.items, told.files) == (1, 1, number + 1)
            assert before.items() <= contents(folder).items()
        assert memory.export_increments(folder).written == ()
        with remembering(tmp_path / "other.db") as other:
            assert other.import_(folder).added == 3
            again = other.import_(folder)
            assert (again.added, again.duplicates) == (0, 3)
            assert exported(other) == exported(memory)
            assert other.verify().ok


def test_a_file_of_the_folder_is_a_ledger_by_itself(tmp_path: Path, folder: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        memory.learn("one")
        (name,) = memory.export_increments(folder).written
    with remembering(tmp_path / "other.db") as other:
        assert other.import_(folder / name).added == 1


def test_an_item_that_was_known_earlier_and_an_erasure_are_in_the_next_file(tmp_path: Path, folder: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory, remembering(tmp_path / "early.db") as early:
        memory.learn("told on both sides", at=NOON - 2 * DAY)
        memory.export_increments(folder)
        with remembering(tmp_path / "early.db", clock=NOON - DAY) as before:
            before.learn("told on both sides", at=NOON - 2 * DAY)
        memory.merge(early)
        assert memory.export_increments(folder).items == 1
        memory.erase(memory.learn("a secret").id)
        told = memory.export_increments(folder)
        assert (told.items, told.erased, told.to_remake) == (1, 1, ())
        with remembering(tmp_path / "other.db") as other:
            other.import_(folder)
            assert exported(other) == exported(memory)
            assert other.stats().tombstones == 1


def test_what_was_erased_is_named_until_it_is_remade_and_then_it_is_gone(tmp_path: Path, folder: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        memory.learn("stays")
        secret = memory.learn("The code is 4711.")
        (first,) = memory.export_increments(folder).written
        memory.learn("later")
        (second,) = memory.export_increments(folder).written
        memory.erase(secret.id)
        for _ in range(2):
            told = memory.export_increments(folder)
            assert (told.to_remake, told.ok) == ((first,), False)
        assert b"4711" in (folder / first).read_bytes()
        told = memory.export_increments(folder, remake=True)
        assert told.ok
        assert len(told.remade) == 1
        assert not any(b"4711" in raw for raw in contents(folder).values())
        assert second in contents(folder)
        assert first not in contents(folder)
        assert memory.export_increments(folder, remake=True).remade == ()
        with remembering(tmp_path / "other.db") as other:
            other.import_(folder)
            assert exported(other) == exported(memory)


def test_an_erasure_that_was_erased_itself_leaves_its_hashes_in_the_folder(tmp_path: Path, folder: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        fact = memory.learn("once")
        memory.export(tmp_path / "once.jsonl")
        tombstone = memory.erase(fact.id).tombstone
        memory.export_increments(folder)
        header = exported(memory).splitlines()[0]
        memory.import_(io.BytesIO(f'{header}\n{{"erased":"{tombstone}"}}\n'.encode()))
        assert memory.export_increments(folder, remake=True).ok
    with remembering(tmp_path / "other.db") as other:
        other.import_(folder)
        assert other.import_(tmp_path / "once.jsonl").buried == 1


def test_two_copies_share_a_folder_and_remake_the_same_bytes(tmp_path: Path, folder: Path) -> None:
    with remembering(tmp_path / "one.db") as one:
        one.learn("from one")
        secret = one.learn("The code is 4711.")
        one.export_increments(folder)
    shutil.copy(tmp_path / "one.db", tmp_path / "two.db")
    with remembering(tmp_path / "one.db") as one, remembering(tmp_path / "two.db") as two:
        two.learn("from two")
        told = two.export_increments(folder)
        assert (told.items, told.files) == (3, 2)  # another copy: it begins anew
        one.import_(folder)
        assert "from two" in exported(one)
        one.erase(secret.id)
        one.export_increments(folder)
        two.import_(folder)
        shutil.copytree(folder, tmp_path / "again")
        assert len(one.export_increments(folder).to_remake) == 2
        one.export_increments(folder, remake=True)
        two.export_increments(tmp_path / "again", remake=True)
        assert not any(b"4711" in raw for raw in contents(folder).values())
        both = contents(folder).items() & contents(tmp_path / "again").items()
        assert len(both) == len(contents(folder)) == len(contents(tmp_path / "again")) - 1  # what two took in
        one.import_(tmp_path / "again")
        assert exported(one) == exported(two)


def test_a_missing_or_damaged_file_is_told_by_its_name_and_written_again(tmp_path: Path, folder: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        names = []
        for number in range(3):
            memory.learn(f"fact {number}")
            names += memory.export_increments(folder).written
        whole = contents(folder)
        (folder / names[1]).unlink()
        with remembering(tmp_path / "other.db") as other, pytest.raises(AsterismError) as refused:
            other.import_(folder)
        assert refused.value.code == "missing_increment"
        assert is_told_well(refused.value)
        assert memory.export_increments(folder).written == (names[1],)
        assert contents(folder) == whole
        (folder / names[0]).write_bytes(whole[names[0]].replace(b"fact 0", b"fact 9"))
        with remembering(tmp_path / "other.db") as other, pytest.raises(AsterismError) as refused:
            other.import_(folder)
        assert (refused.value.code, refused.value.item) == ("damaged_increment", names[0])
        assert is_told_well(refused.value)
        assert memory.export_increments(folder).damaged == (names[0],)
        assert memory.export_increments(folder, remake=True).remade == (names[0],)
        assert contents(folder) == whole


def test_what_is_damaged_or_missing_of_another_copy_is_told_and_left(tmp_path: Path, folder: Path) -> None:
    with remembering(tmp_path / "one.db") as one, remembering(tmp_path / "two.db") as two:
        names = []
        for number in range(3):
            one.learn(f"fact {number}")
            names += one.export_increments(folder).written
        (folder / names[0]).write_bytes(b"{}\n" + (folder / names[0]).read_bytes())
        with pytest.raises(AsterismError) as refused:
            two.export_increments(folder)
        assert refused.value.code == "bad_line"  # its header is not even one
        (folder / names[0]).unlink()
        two.learn("mine")
        told = two.export_increments(folder, remake=True)
        assert (len(told.written), told.ok) == (1, False)
        assert told.missing == (names[0][: -len("-0123456789abcdef.jsonl")],)


@pytest.mark.parametrize("name", ["notes.jsonl", "{} (1).jsonl", "0-1-2-3.jsonl"])
def test_a_name_that_is_none_of_an_increment_is_refused(tmp_path: Path, folder: Path, name: str) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        memory.learn("one")
        (written,) = memory.export_increments(folder).written
        (folder / ".gitattributes").write_text("*.jsonl -text\n")
        (folder / "README.md").write_text("mine\n")
        assert memory.export_increments(folder).ok
        (folder / name.format(written.removesuffix(".jsonl"))).write_text("{}\n")
        for call in (memory.export_increments, memory.import_):
            with pytest.raises(AsterismError) as refused:
                call(folder)
            assert refused.value.code == "bad_increment_name"
            assert is_told_well(refused.value)


def test_a_name_with_other_positions_than_its_header_is_refused(tmp_path: Path, folder: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        memory.learn("one")
        (name,) = memory.export_increments(folder).written
        copy, first, _, digest = name.split("-")
        (folder / name).rename(folder / f"{copy}-{first}-0000000009-{digest}")
        with pytest.raises(AsterismError) as refused:
            memory.import_(folder)
        assert refused.value.code == "bad_increment_name"


def test_a_folder_is_of_one_space_and_not_of_what_is_none(tmp_path: Path, folder: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        memory.learn("one")
        memory.export_increments(folder)
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    with remembering(tmp_path / "memory.db", space="you") as you:
        you.learn("mine")
        with pytest.raises(AsterismError) as refused:
            you.export_increments(folder)
        assert refused.value.code == "other_space"
        assert is_told_well(refused.value)
        for target in (tmp_path / "file", tmp_path / "no" / "where"):
            with pytest.raises(AsterismError):
                you.export_increments(target)
        with pytest.raises(AsterismError) as refused:
            you.import_(tmp_path / "empty")
        assert refused.value.code == "no_file"
        assert you.import_(folder, as_copy=True).added == 1
        you.export_increments(tmp_path / "yours")
        for each in found(tmp_path / "yours"):
            shutil.copy(each.path, folder)
        with pytest.raises(AsterismError) as refused:
            you.import_(folder)
        assert refused.value.code == "several_spaces"


def test_a_folder_that_is_ahead_of_its_copy_is_told(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.learn("one")
    saved = path.read_bytes()
    with remembering(path) as memory:
        memory.learn("two")
        memory.export_increments(folder)
    path.write_bytes(saved)  # by hand: the file is the same to the file system
    with remembering(path) as memory:
        memory.learn("another two")
        memory.export_increments(tmp_path / "elsewhere")
    path.write_bytes(saved)
    with remembering(path) as memory:
        with pytest.raises(AsterismError) as refused:
            memory.export_increments(folder)
        assert refused.value.code == "increments_ahead"
        assert is_told_well(refused.value)


def test_a_folder_takes_a_new_space_to_the_newest_parameters(tmp_path: Path, folder: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        memory.learn("one")
        memory.export_increments(folder)
        memory.configure(preset="tuned")
        memory.learn("two")
        memory.export_increments(folder)
        with remembering(tmp_path / "other.db") as other:
            assert other.import_(folder).added == 2
            assert other.parameters().digest == memory.parameters().digest


STEPS = st.lists(st.tuples(st.sampled_from(["learn", "erase", "export", "remake"]), st.integers(0, 4)), max_size=14)


@settings(max_examples=20)
@given(steps=STEPS)
def test_whatever_happens_between_runs_the_folder_is_the_memory(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    tmp_path = tmp_path_factory.mktemp("increments")
    folder = tmp_path / "folder"
    with remembering(tmp_path / "memory.db") as memory:
        for what, number in [("learn", 0), *steps, ("remake", 0)]:
            if what == "learn":
                memory.learn(f"fact-{number} is told", at=NOON - number * DAY)
            elif what == "erase":
                for block in memory.blocks():
                    if f"fact-{number}" in block.content:
                        memory.erase(block.id)
            else:
                memory.export_increments(folder, remake=what == "remake")
        kept = {block.content for block in memory.blocks()}
        raw = b"".join(contents(folder).values())
        for number in range(5):
            assert (f"fact-{number}".encode() in raw) == any(f"fact-{number}" in text for text in kept)
        with remembering(tmp_path / "other.db") as other:
            other.import_(folder)
            assert exported(other) == exported(memory)
            assert other.stats().tombstones == memory.stats().tombstones
