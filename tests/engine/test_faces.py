"""The async face and the sync face agree, and many tasks may use one memory at once."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from asterism.config import DEFAULT_SPACE
from asterism.engine.connections.observe import Evidence
from asterism.engine.memory import SPACE, Memory
from asterism.errors import AsterismError
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import DAY, NOON
from tests.support.sixty_days import FIRST, tell, verified

CALLS: list[tuple[str, tuple[object, ...], dict[str, object]]] = [
    ("add_star", ("Sleep",), {"domain": "health", "at": "2026-02-01"}),
    ("add_star", ("Mood",), {"domain": "soul", "at": "2026-02-01"}),
    ("observe", ("sleep", "mood", "user_creates"), {"at": "2026-02-03", "source": "diary"}),
    ("observe_many", ([("sleep", "mood", "user_confirms")],), {}),
    ("engage", ("Sleep",), {"impact": 0.05}),
    ("set_brightness", ("mood", 0.7), {}),
    ("acknowledge", ("mood",), {}),
    ("contradict", ("mood",), {}),
    ("mark_dark", ("mood",), {}),
    ("dispute_dark", ("mood",), {}),
    ("assign_type", ("sleep", "mood", "tension"), {}),
    ("advance", (), {"days": 3, "discover": True}),
    ("deny", ("sleep", "mood"), {}),
    ("link", ("sleep", "mood"), {}),
    ("links", (), {}),
    ("links", ("sleep",), {"at": "2026-02-10"}),
    ("star", ("sleep",), {}),
    ("nodes", (), {}),
    ("predictions", (), {}),
    ("why", ("sleep", "mood"), {}),
    ("why", ("sleep",), {}),
    ("curves", (), {"points": 5}),
    ("project", (), {"days": 10}),
    ("verify", (), {}),
    ("stats", (), {}),
    ("engage", ("nobody",), {}),
    ("configure", (), {"preset": "tuned"}),
    ("verify", (), {}),
]


def test_without_a_space_it_is_that_of_the_command_line(tmp_path: Path) -> None:
    assert SPACE == DEFAULT_SPACE
    with Memory.open_sync(tmp_path / "m.db", clock=NOON) as memory:
        memory.learn("Tea is green.")
    with Memory.open_sync(tmp_path / "m.db", space=DEFAULT_SPACE, clock=NOON) as memory:
        assert [block.content for block in memory.blocks()] == ["Tea is green."]


def test_the_async_face_and_the_sync_face_agree() -> None:
    async def async_answers() -> list[object]:
        answers: list[object] = []
        async with Memory.open(":memory:", space="me", clock=NOON) as memory:
            for name, args, kwargs in CALLS:
                try:
                    answers.append(await getattr(memory, name)(*args, **kwargs))
                except AsterismError as error:
                    answers.append(error.to_dict())
            past = await memory.as_of("2026-02-10")
            answers += [past.at, await past.links(), await past.nodes(), await past.why("sleep")]
        return answers

    def sync_answers() -> list[object]:
        answers: list[object] = []
        with Memory.open_sync(":memory:", space="me", clock=NOON) as memory:
            for name, args, kwargs in CALLS:
                try:
                    answers.append(getattr(memory, name)(*args, **kwargs))
                except AsterismError as error:
                    answers.append(error.to_dict())
            past = memory.as_of("2026-02-10")
            answers += [past.at, past.links(), past.nodes(), past.why("sleep")]
        return answers

    assert asyncio.run(async_answers()) == sync_answers()


def test_the_faces_have_the_same_names() -> None:
    def public(face: object) -> set[str]:
        return {name for name in dir(face) if not name.startswith("_")}

    with Memory.open_sync(":memory:", space="me", clock=NOON) as memory:
        assert public(memory) == public(Memory) - {"open", "open_sync"}


def test_a_whole_number_told_as_a_float_is_recorded_whole(tmp_path: Path) -> None:
    told = {"dream_exact_pairs": 4e8, "half_life_resonance": 45.0}
    with Memory.open_sync(tmp_path / "m.db", space="me", clock=NOON, parameters=told) as memory:
        memory.add_star("Sleep", domain="health")
        assert repr(memory.parameters().overrides["dream_exact_pairs"]) == "400000000"
        memory.configure(parameters={"dream_exact_pairs": 3e8})
        assert repr(memory.parameters().overrides["dream_exact_pairs"]) == "300000000"
    with closing(SQLiteStore(tmp_path / "m.db")) as store:
        assert store.parameters("me") == '{"overrides": {"dream_exact_pairs": 300000000}, "preset": ["seed"]}'
    with Memory.open_sync(tmp_path / "m.db", space="me", parameters={"dream_exact_pairs": 3e8}) as memory:
        assert memory.parameters().values["dream_exact_pairs"] == 300_000_000


def test_sync_memories_merge_by_any_way_of_naming_them(tmp_path: Path) -> None:
    with (
        Memory.open_sync(tmp_path / "one.db", space="me", clock=NOON) as one,
        Memory.open_sync(tmp_path / "other.db", space="me", clock=NOON) as other,
    ):
        one.add_star("Sleep", domain="soul")
        other.add_star("Mood", domain="soul")
        assert one.merge(other).added == 1
        assert other.merge(other=one).added == 1
        assert one.verify().digest == other.verify().digest


@pytest.mark.parametrize("place", [":memory:", "memory.db"])
def test_many_tasks_may_use_one_memory_at_once(tmp_path: Path, place: str) -> None:
    path = place if place == ":memory:" else tmp_path / place

    async def scenario() -> None:
        async with Memory.open(path, space="me", clock=NOON) as memory:
            await tell(memory, days=3)

            async def work(name: str) -> list[str]:
                ids = []
                for number in range(10):
                    at = FIRST + number % 3 * DAY
                    receipt = await memory.observe("sleep", "work", "user_confirms", at=at, source=f"{name}{number}")
                    ids.append(receipt.item_id)
                    await memory.links()
                    await memory.nodes(at=at)
                return ids

            found = await asyncio.gather(*(work(name) for name in "abcdef"))
            verified = await memory.verify()
            assert verified.ok
            assert len({item_id for ids in found for item_id in ids}) == 60
            assert (await memory.stats()).items["evidence"] == 60 + 3 * 4

    asyncio.run(scenario())


def test_two_async_memories_on_one_file_merge_into_each_other_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            Memory.open(tmp_path / "one.db", space="me", clock=NOON) as one,
            Memory.open(tmp_path / "other.db", space="me", clock=NOON) as other,
        ):
            await tell(one, days=5)
            await tell(other, days=5)
            await one.observe("sleep", "mood", "user_creates", source="one")
            await other.observe("sleep", "mood", "user_creates", source="other")
            await asyncio.gather(one.merge(other), other.merge(one), one.links(), other.links())
            await asyncio.gather(one.merge(other), other.merge(one))
            assert (await one.verify()).digest == (await other.verify()).digest

    asyncio.run(scenario())


def test_a_cancelled_task_leaves_all_of_its_work_or_none(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"

    async def scenario() -> None:
        async with Memory.open(path, space="me", clock=NOON) as memory:
            await tell(memory, days=3)
            for number in range(10):
                rows = [Evidence("sleep", "work", "user_confirms", FIRST + DAY, f"{number} {row}") for row in range(50)]
                task = asyncio.create_task(memory.observe_many(rows))
                for _ in range(number):  # lets it get so far
                    await asyncio.sleep(0)
                task.cancel()
                with suppress(asyncio.CancelledError):  # on a busy machine it may be done already
                    await task
                assert (await memory.verify()).ok
                assert ((await memory.stats()).items["evidence"] - 12) % 50 == 0
            assert not (await memory.observe("sleep", "mood", "user_confirms")).duplicate
            assert (await memory.verify()).ok

    asyncio.run(scenario())
    assert drive(verified(path))


def test_a_cancelled_opening_lets_go_of_the_file(tmp_path: Path) -> None:
    async def scenario() -> None:
        for patience in range(4):
            path = tmp_path / f"memory-{patience}.db"
            with closing(sqlite3.connect(path, isolation_level=None)) as holder:
                holder.execute("BEGIN EXCLUSIVE")  # nobody else can open it
                task = asyncio.create_task(Memory.open(path, space="me", clock=NOON).__aenter__())
                for _ in range(patience):
                    await asyncio.sleep(0)
                task.cancel()
                holder.rollback()
                with pytest.raises(asyncio.CancelledError):
                    await task
            links = [link for link in Path("/proc/self/fd").glob("*") if link.is_symlink()]
            assert [link for link in links if path.name in str(link.readlink())] == []
            async with Memory.open(path, space="me", clock=NOON) as memory:
                await memory.add_star("Sleep", domain="soul")

    asyncio.run(scenario())
