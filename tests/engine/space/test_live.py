"""A space as it lives in a process: checkpoints, late items, other writers, tasks, clocks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import Item, make_item
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, digest
from asterism.engine.connections.observe import Evidence
from asterism.engine.space.live import CHECKPOINT_WORK, Live, Tally
from asterism.errors import CorruptError, StoreError
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Cache, Store, Writing
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.memories import DAY, NOON, HandClock, contents, erase_items, opened, remembering, store_checkpoint
from tests.support.sixty_days import FIRST, tell, verified
from tests.support.stores import STORES, place_of, store_of
from tests.support.watched_store import WatchedStore


def told(store: Store) -> Store:
    async def scenario() -> None:
        async with opened(store) as memory:
            await tell(memory)

    drive(scenario())
    return store


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = store_of(place_of(request.param, tmp_path))
    yield made
    made.close()


def from_scratch(store: Store) -> str:
    """Fold the whole ledger from nothing, with nothing but the core."""
    projection = Projection(SpaceParameters(ConnectionParameters.build()))
    projection.apply_all(stored.item for stored in contents(store))
    return digest(projection.dump())


def evidence(at: datetime, *, source: str = "late") -> Item:
    payload = {"a": "mood", "b": "sleep", "kind": "user_creates"}
    return make_item(
        space="me", what="evidence", at=to_micros(at), payload=payload, known_at=to_micros(NOON), source=source
    )


def live_on(store: Store) -> Live:
    live = Live(store, "me", clock=lambda: to_micros(NOON))
    live.refresh()
    return live


# Checkpoints


def test_a_long_history_opens_from_its_checkpoint(store: Store) -> None:
    told(store)
    counted = WatchedStore(store)
    assert digest(live_on(counted).refresh().dump()) == from_scratch(store)
    assert counted.items_read == len(contents(store)) > 300
    store_checkpoint(store)
    counted = WatchedStore(store)
    assert digest(live_on(counted).refresh().dump()) == from_scratch(store)
    assert counted.items_read == 0


def test_a_late_item_is_folded_from_the_nearest_checkpoint_as_if_from_scratch(store: Store) -> None:
    items = [stored.item for stored in contents(told(InMemoryStore()))]
    writer = Live(store, "me", clock=lambda: to_micros(NOON))
    for day in range(60):
        today = [item for item in items if item.at // 86_400_000_000 == to_micros(FIRST + day * DAY) // 86_400_000_000]
        writer.write(lambda _, today=today: today)  # type: ignore[misc]  # a default binds the loop's value
        if day % 10 == 5:
            writer.checkpoint_if_due(at_least=0)
    kept = [checkpoint.day for checkpoint in store.checkpoints("me", writer.fingerprint)]
    assert len(kept) > 2
    late = evidence(FIRST + 50 * DAY)
    counted = WatchedStore(store)
    reader = live_on(counted)
    opened_with = counted.items_read
    reader.write(lambda _: [late])
    assert counted.items_read - opened_with < len(items) / 2
    assert digest(reader.refresh().dump()) == digest(live_on(store).refresh().dump()) == from_scratch(store)
    day = to_micros(FIRST + 50 * DAY) // 86_400_000_000
    left = [checkpoint.day for checkpoint in store.checkpoints("me", writer.fingerprint)]
    assert left == [each for each in kept if each <= day]
    assert drive(verified(store))


def test_a_late_item_costs_what_came_after_it_once_a_process_has_folded_it_all(store: Store) -> None:
    told(store)
    counted = WatchedStore(store)
    live = live_on(counted)
    for turn, days_late in enumerate((1, 1, 5, 2, 30, 31, 1)):
        before = counted.items_read
        late = evidence(NOON - days_late * DAY, source=str(turn))
        live.write(lambda _, late=late: [late])  # type: ignore[misc]  # a default binds the loop's value
        after = [stored for stored in contents(store) if stored.item.at >= late.at]
        assert counted.items_read - before <= 3 * len(after) + 20
        assert digest(live.refresh().dump()) == from_scratch(store)
    assert drive(verified(store))


def test_what_no_late_item_turns_back_is_not_folded_again(store: Store) -> None:
    told(store)
    with remembering(store) as memory:
        notes = [f"Note {number}: sleep was good." for number in range(40)]
        memory.learn_many([{"content": note, "at": NOON - 9 * DAY} for note in notes])
    live = live_on(store)
    blocks = live.held.blocks
    live.write(lambda _: [evidence(NOON - DAY)])
    assert live.refresh().blocks is blocks
    assert digest(live.held.dump()) == from_scratch(store)


@pytest.mark.parametrize("days_late", [0, 7, 59, 90])
def test_an_item_may_be_late_by_any_time_and_even_come_before_the_first(store: Store, days_late: int) -> None:
    told(store)
    live = live_on(store)
    live.checkpoint_if_due(at_least=0)
    live.write(lambda _: [evidence(NOON - days_late * DAY)])
    assert digest(live.refresh().dump()) == digest(live_on(store).refresh().dump()) == from_scratch(store)
    assert drive(verified(store))


def test_a_writer_stores_a_checkpoint_by_itself_after_much_work(store: Store) -> None:
    async def scenario() -> None:
        async with opened(store) as memory:
            await tell(memory, days=2)
            rows = [
                Evidence("sleep", "mood", "user_confirms", NOON - timedelta(seconds=n))
                for n in range(CHECKPOINT_WORK + 100)
            ]
            await memory.observe_many(rows)
            assert (await memory.stats()).checkpoints == 1
            assert (await memory.verify()).ok

    drive(scenario())
    counted = WatchedStore(store)
    live_on(counted)
    assert counted.items_read == 0


def test_evidence_of_long_ago_is_not_folded_again_for_a_checkpoint_of_texts_of_today(store: Store) -> None:
    with remembering(store) as memory:
        memory.learn("Sleep was good.", at=NOON)
    store_checkpoint(store)
    with remembering(store) as memory:
        for name in ("Sleep", "Mood"):
            memory.add_star(name, domain="soul", at=NOON - 3_000 * DAY)
        memory.observe("sleep", "mood", "user_confirms", at=NOON - 2_999 * DAY)
    store_checkpoint(store)
    counted = WatchedStore(store)
    assert digest(live_on(counted).held.dump()) == from_scratch(store)
    assert counted.items_read == 0
    assert drive(verified(store))


def test_a_checkpoint_may_come_before_the_first_star(store: Store) -> None:
    async def scenario() -> None:
        async with opened(store) as memory:
            await memory.advance(days=1)
            store_checkpoint(store)
        async with opened(store) as memory:
            await memory.add_star("Sleep", domain="soul")
            assert (await memory.verify()).ok

    drive(scenario())


def test_a_memory_may_begin_long_ago(store: Store) -> None:
    async def scenario() -> None:
        async with opened(store, clock=datetime(1969, 12, 30, tzinfo=UTC)) as memory:
            await memory.add_star("Sleep", domain="soul", at="1969-12-01")
            await memory.add_star("Mood", domain="soul", at="1969-12-01")
            await memory.observe("sleep", "mood", "user_creates", at="1969-12-30T00:00:00Z")
            before = await memory.links()
        store_checkpoint(store)
        async with opened(store, clock=datetime(1969, 12, 30, tzinfo=UTC)) as memory:
            assert await memory.links() == before
            assert (await memory.verify()).ok
        async with opened(store, clock=datetime(1970, 1, 3, tzinfo=UTC)) as memory:
            await memory.observe("sleep", "mood", "user_creates")
            assert (await memory.verify()).ok

    drive(scenario())


def test_the_past_is_shown_from_the_nearest_checkpoint(store: Store) -> None:
    told(store)
    store_checkpoint(store)
    counted = WatchedStore(store)
    live = live_on(counted)
    live.replay(to_micros(NOON))
    assert counted.items_read == 0
    early = live.replay(to_micros(FIRST + 3 * DAY))
    assert 0 < counted.items_read < 30
    assert early.latest_at == to_micros(FIRST + 3 * DAY)


def test_what_goes_beside_an_import_is_in_no_checkpoint_of_it(store: Store) -> None:
    told(store)
    live = live_on(store)
    gone = contents(store)[-1].item

    class Bare:
        def build(self, _: Tally) -> list[Item]:
            return []

        def store(self, writing: Writing) -> None:
            writing.bury([gone.id])  # which no item tells of

    live.take_in([[evidence(NOON + DAY)]], Bare())
    live.checkpoint_if_due(at_least=0)
    assert drive(verified(store))
    live.refresh()
    live.checkpoint_if_due(at_least=0)
    assert digest(live.held.dump()) == digest(live_on(store).refresh().dump()) == from_scratch(store)


@pytest.mark.parametrize("read", [1, 2, 3, 4])
def test_a_late_item_that_could_not_be_read_back_for_is_folded_at_the_next_look(store: Store, read: int) -> None:
    told(store)
    watched = WatchedStore(store)
    live, left = live_on(watched), read

    def fail() -> None:
        nonlocal left
        left -= 1
        if not left:
            raise StoreError("the disk did not answer", code="io")

    live_on(store).write(lambda _: [evidence(NOON - 5 * DAY)])
    watched.meanwhile = fail
    with suppress(StoreError):
        live.refresh()
    assert digest(live.refresh().dump()) == from_scratch(store)
    left = read
    with suppress(StoreError):
        live.write(lambda _: [evidence(NOON - 7 * DAY)])
    assert digest(live.refresh().dump()) == from_scratch(store)


# Other writers


def test_two_memories_on_one_store_see_each_others_writes(store: Store) -> None:
    async def scenario() -> None:
        async with opened(store) as one, opened(store) as other, opened(store, space="you") as third:
            await one.add_star("Sleep", domain="soul")
            await other.add_star("Mood", domain="soul")
            await third.add_star("Work", domain="soul")
            await one.observe("sleep", "mood", "user_creates")
            assert len(await one.nodes()) == len(await other.nodes()) == 2
            assert await one.links() == await other.links() != []
            for memory in (one, other, third):
                assert (await memory.verify()).ok

    drive(scenario())


def test_two_memories_on_one_file_see_each_others_late_items_and_erasures(tmp_path: Path) -> None:
    async def scenario(path: Path) -> None:
        async with opened(path) as one, opened(path) as other:
            await tell(one, days=20)
            assert await other.links() == await one.links()
            await one.observe("sleep", "work", "user_creates", at=FIRST + 10 * DAY, source="regretted")
            assert await other.link("sleep", "work", at=FIRST + 11 * DAY) is not None
            with closing(SQLiteStore(path)) as store:
                regretted = [each.item.id for each in contents(store) if each.item.source == "regretted"]
                erase_items(store, regretted, at=to_micros(NOON))
            for memory in (one, other):
                assert await memory.link("sleep", "work", at=FIRST + 11 * DAY) is None
                assert (await memory.verify()).ok

    drive(scenario(tmp_path / "memory.db"))


def test_verify_is_not_misled_by_someone_who_writes_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    mine, other = SQLiteStore(path), SQLiteStore(path)
    told(other)
    live = live_on(other)
    late = iter([evidence(NOON - day * DAY, source=str(day)) for day in (0, 3, 0, 3, 0, 3)])

    def write_in_between(statement: str) -> None:
        if "FROM ledger" in statement and (item := next(late, None)):
            live.write(lambda _: [item])
            live.checkpoint_if_due(at_least=0)

    async def scenario() -> None:
        async with opened(mine) as memory:
            await memory.links()
            connection: sqlite3.Connection = mine._connection
            connection.set_trace_callback(write_in_between)
            found = await memory.verify()
            connection.set_trace_callback(None)
            assert found.ok, found.differences
            assert (await memory.verify()).ok

    drive(scenario())
    mine.close()
    other.close()


def test_late_items_that_come_while_a_reader_reads_do_not_disturb_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SQLiteStore(path)) as mine, closing(SQLiteStore(path)) as theirs:
        told(theirs)
        store_checkpoint(theirs)
        writer = live_on(theirs)
        late = iter([evidence(NOON - days * DAY, source=str(days)) for days in range(5, 50, 5)])

        def write() -> None:
            if (item := next(late, None)) is not None:
                writer.write(lambda _: [item])
                writer.checkpoint_if_due(at_least=0)

        writes = WatchedStore(mine)
        reader = live_on(writes)
        now, before = to_micros(NOON), digest(reader.replay(to_micros(NOON)).dump())
        writes.meanwhile = write
        assert digest(reader.replay(now).dump()) == before
        for _ in range(8):
            reader.refresh()  # goes back for what came, while something still earlier comes
        writes.meanwhile = lambda: None
        assert next(late, None) is None
        assert digest(reader.refresh().dump()) == from_scratch(mine)
        assert digest(reader.replay(now).dump()) != before


def test_an_item_of_a_kind_from_the_future_is_told_each_time_and_harms_nothing(store: Store) -> None:
    strange = make_item(space="me", what="sang", at=to_micros(NOON), payload={}, known_at=0)

    async def scenario() -> None:
        async with opened(store) as memory:
            before = contents(store)
            with store.writing("me") as writing:
                writing.append([strange])
            for _ in range(2):
                with pytest.raises(CorruptError):
                    await opened(store).__aenter__()
            with store.writing("me") as writing:
                writing.bury([strange.id])
            assert contents(store) == before
            assert (await memory.verify()).ok
        assert await verified(store)

    told(store)
    drive(scenario())


def test_counting_reads_no_items(store: Store) -> None:
    told(store)
    store_checkpoint(store)
    watched = WatchedStore(store)

    async def scenario() -> None:
        async with opened(watched) as memory:
            stats = await memory.stats()
            assert stats.items == {"brightness_observed": 60, "evidence": 240, "star_added": 3}
            assert stats.checkpoints == 1

    drive(scenario())
    assert watched.items_read == 0


def test_a_look_at_a_later_day_does_not_move_the_memory(store: Store) -> None:
    async def scenario() -> None:
        told(store)
        clock = HandClock()
        async with opened(store, clock=clock) as memory:
            today, before = await memory.links(), (await memory.verify()).digest
            clock.now = NOON + 30 * DAY
            later = await memory.links()
            assert [link.strength for link in later] != [link.strength for link in today]
            assert await memory.links(at=NOON) == today
            assert await memory.links() == later
            assert (await memory.verify()).digest == before
            clock.now = NOON
            assert await memory.links() == today

    drive(scenario())


# As of


def test_the_memory_as_it_was_by_what_was_known_then(store: Store) -> None:
    async def scenario() -> None:
        clock = HandClock(NOON - 10 * DAY)
        async with opened(store, clock=clock) as memory:
            await memory.add_star("Sleep", domain="soul")
            await memory.add_star("Mood", domain="soul")
            await memory.observe("sleep", "mood", "co_mention_session")
            then = await memory.links()
            clock.now = NOON
            for number in range(3):
                await memory.observe("sleep", "mood", "user_creates", at=NOON - 10 * DAY, source=str(number))
            store_checkpoint(store)
            by_now = await memory.as_of(NOON - 10 * DAY)
            by_then = await memory.as_of(NOON - 10 * DAY, known_at=NOON - 10 * DAY)
            assert await by_then.links() == then
            assert (await by_now.links())[0].strength > then[0].strength
            assert await by_now.links() == await memory.links(at=NOON - 10 * DAY)
            assert (await by_then.why("sleep", "mood")).total == then[0].strength
            assert (await by_now.why("sleep", "mood")).total == (await by_now.links())[0].strength
            assert (await by_then.curves())["mood~sleep"][-1] == then[0].strength
            assert await (await memory.as_of(NOON, known_at=NOON - 11 * DAY)).nodes() == []

    drive(scenario())


def test_an_item_that_another_copy_knew_earlier_was_known_earlier(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "one.db", clock=NOON) as one:
            await one.add_star("Sleep", domain="soul", at=NOON - 9 * DAY)
            async with opened(tmp_path / "other.db", clock=NOON - 5 * DAY) as other:
                await other.add_star("Sleep", domain="soul", at=NOON - 9 * DAY)
            assert await (await one.as_of(NOON, known_at=NOON - 5 * DAY)).nodes() == []
            assert (await one.merge(tmp_path / "other.db")).duplicates == 1
            assert len(await (await one.as_of(NOON, known_at=NOON - 5 * DAY)).nodes()) == 1

    drive(scenario())


# A unit of work


def test_a_unit_of_work_gives_back_what_was_built_and_keeps_something_beside_it(store: Store) -> None:
    told(store)
    live = live_on(store)
    kept, before = Cache("f", {}), live.held.latest_at
    written, seen = live.transact(
        lambda folded: ([evidence(NOON)], folded.latest_at), beside=lambda writing, _: writing.put_cache("beside", kept)
    )
    assert [each.item for each in written] == [evidence(NOON)]
    assert seen == before
    assert store.cache("me", "beside") == kept


def test_what_fails_beside_the_items_leaves_neither(store: Store) -> None:
    told(store)
    live, before = live_on(store), contents(store)

    def fail(_: Writing, result: str) -> None:
        raise RuntimeError(result)

    with pytest.raises(RuntimeError, match="built"):
        live.transact(lambda _: ([evidence(NOON)], "built"), beside=fail)
    assert contents(store) == before
    assert digest(live.refresh().dump()) == from_scratch(store)
