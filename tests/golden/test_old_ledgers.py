"""Ledgers from before occurrences and slots: the same words keep their ids, and copies old and new become one."""

from __future__ import annotations

import hashlib
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.payloads import PERHAPS
from asterism.core.blocks.snapshot import dump
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences
from asterism.store.in_memory import InMemoryStore
from asterism.store.sqlite import SQLiteStore
from tests.data.make_schema4 import DAY, START, TEXTS
from tests.golden.test_fold_version import LEDGERS, ledger
from tests.support.memories import contents, remembering
from tests.support.paths import DATA

STORED = DATA / "schema4.db"
IDS = "62fcd845"  # of all its items, hashed


def ids_of(path: Path) -> list[bytes]:
    with closing(SQLiteStore(path)) as store:
        return [stored.item.id for stored in contents(store)]


def test_an_old_ledger_keeps_the_ids_of_its_items(tmp_path: Path) -> None:
    path = Path(shutil.copy(STORED, tmp_path / "memory.db"))
    with remembering(path, clock=START + 9 * DAY) as memory:
        again = memory.learn(TEXTS[0], at=START + DAY)
        assert again.status == "duplicate"  # the same item, whoever makes it
        memory.dream()
    assert hashlib.sha256(b"".join(sorted(ids_of(path)[:16]))).hexdigest()[:8] == IDS


def test_what_was_not_told_is_not_in_an_item() -> None:
    with remembering(InMemoryStore()) as memory:
        block = memory.learn("tea")
        memory.edit(block.id, "green tea")
        store = memory._async._live.store
        for stored in contents(store):
            assert not stored.item.payload.keys() & PERHAPS[stored.item.what].keys()


@pytest.mark.parametrize("name", LEDGERS)
def test_an_old_ledger_has_no_slots_and_every_telling(name: str) -> None:
    projection = Projection(SpaceParameters.build())
    projection.apply_all(ledger(name))
    blocks = projection.blocks
    assert (blocks.terms.slots, blocks.terms.timed) == ({}, set())
    told = [item.id.hex() for item in ledger(name) if item.what == "learned"]
    kept = [each.item for block in blocks.blocks.values() for each in block.occurrences]
    assert set(told) <= set(kept)
    assert not any(block.pinned for block in blocks.blocks.values())


def test_copies_old_and_new_become_one_in_either_order(tmp_path: Path) -> None:
    digests = []
    for name in ("old first", "new first"):
        old, new = (Path(shutil.copy(STORED, tmp_path / f"{name} {which}.db")) for which in ("old", "new"))
        with remembering(new, clock=START + 9 * DAY) as memory:
            lamp = memory.learn(TEXTS[0], slot="lamp").id
            memory.learn("The lamp is lost.", slot="lamp", valid_until=START + 20 * DAY)
            memory.forget(memory.learn(TEXTS[1]).id)
            memory.learn(TEXTS[1], source="later")
            memory.pin(lamp)
        first, second = (old, new) if name == "old first" else (new, old)
        with remembering(first, clock=START + 9 * DAY) as memory:
            memory.merge(second)
            assert [each.current for each in memory.history("lamp")] == [False, True]
            verified = memory.verify()
            assert verified.ok, verified.differences
            digests.append(verified.digest)
    assert digests[0] == digests[1]


def test_another_window_of_retelling_means_the_same_items() -> None:
    folds = []
    for minutes in (0.0, 30.0):
        projection = Projection(SpaceParameters.build(overrides={"retelling_minutes": minutes}))
        projection.apply_all(ledger("everything"))
        folds.append(dump(projection.blocks))
    assert not differences(*folds)
    assert BlockParameters().retelling_minutes == 30
