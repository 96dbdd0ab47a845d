"""Several processes write one file: nothing is lost, nobody is turned away, and readers see it grow."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from asterism.core.blocks.words import STATUSES
from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import Item
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import opened
from tests.support.processes import acknowledged, are_gone, batches, erased, hear, in_ledger, start
from tests.support.worker import BATCH, EARLIER, SPACE

WRITERS = 4
SAID_OTHERWISE = {"dreamed", "explored"}  # they tell what was found, not which items say so
BEFORE = to_micros(EARLIER)  # every writer adds the same stars, which is one item each


def test_several_processes_write_one_file_and_nothing_is_lost(tmp_path: Path, rounds: int) -> None:
    path = tmp_path / "memory.db"
    workers = [start(path, name=f"writer-{n}", seed=n) for n in range(WRITERS)]
    said = {worker.pid: b"" for worker in workers}
    counts = [0]

    def listen() -> bool:
        """Hear what they say, until one of them ends: none should."""
        for pid, text in hear(workers, lines=1).items():
            said[pid] += text
        return all(worker.poll() is None for worker in workers)

    def is_seen() -> bool:
        """Whether nobody starved, something was erased, and the file was seen to grow."""
        heard = [acknowledged(text) for text in said.values()]
        return all(heard) and any(erased(text) for text in said.values()) and len(set(counts)) > max(3, rounds // 5)

    try:
        while listen() and not all(acknowledged(text) for text in said.values()):
            pass
        with closing(SQLiteStore(path)) as reader:
            while listen() and not is_seen():
                assert set(batches(reader, SPACE).values()) <= {BATCH}
                with reader.one_moment():  # what is erased leaves a tombstone
                    counts.append(len(reader.items(SPACE)) + len(list(reader.tombstones(SPACE))))
                drive(read_along(path))
        for worker in workers:
            rest, complaint = worker.communicate()
            said[worker.pid] += rest
            assert (worker.returncode, complaint) == (0, b"")
            assert said[worker.pid].endswith(b"done\n")
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()
    assert counts == sorted(counts)
    with closing(SQLiteStore(path)) as store:
        found = in_ledger(store, SPACE)
        told = {each for text in said.values() for each in acknowledged(text)}
        assert told - found.keys() == set()
        stored = [each.item for each in store.items(SPACE)]
        unheard = [item for item in stored if not (ways(item) & told or item.at == BEFORE)]
        assert {item.what for item in unheard} <= SAID_OTHERWISE
        gone = [source for text in said.values() for source in erased(text)]
        are_gone(path, gone)
    drive(is_whole(path, len(stored)))


def ways(item: Item) -> set[tuple[str, str]]:
    """Give the lines by which a worker may have been told of an item."""
    return {("item", item.id.hex()), ("source", item.source), ("clock", str(item.at))}


async def read_along(path: Path) -> None:
    """A reader's answers agree with each other while others write."""
    async with opened(path, space=SPACE, read_only=True) as memory:
        ends = {end for link in await memory.links() for end in (link.a, link.b)}
        blocks = {block.id for block in await memory.blocks(statuses=STATUSES)}
        assert ends <= blocks | {star.id for star in await memory.nodes()}
        first = sum((await memory.stats()).items.values())
        assert sum((await memory.stats()).items.values()) >= first


async def is_whole(path: Path, items: int) -> None:
    async with opened(path, space=SPACE) as memory:
        verified = await memory.verify()
        assert verified.ok, verified.differences
        assert verified.items == items
