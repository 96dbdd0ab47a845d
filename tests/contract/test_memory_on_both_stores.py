"""A memory is the same on every store, and a function of the set of its items: whatever is done to it, in any order."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import given, note, settings
from hypothesis import strategies as st

from asterism.core.ledger.items import Item
from asterism.engine.connections.observe import Evidence
from asterism.engine.memory import Memory
from asterism.engine.space.live import Live
from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from asterism.store.sqlite import SQLiteStore
from asterism.sync import drive
from tests.support.block_steps import BLOCK_STEPS, blocks_and_answers, take_block_step
from tests.support.memories import DAY, NOON, HandClock, contents, erase_items, opened, store_checkpoint
from tests.support.stores import STORES, Place, place_of, store_of

STARS = ["Sleep", "Mood", "Work", "Run"]
DOMAINS = ["health", "soul", "wealth", "purpose", "relationships"]
KINDS = [
    "co_mention_response",
    "co_mention_session",
    "user_confirms",
    "user_creates",
    "tars_confirmed",
    "correlation_detected",
    "causation_detected",
]
TYPES = ["resonance", "tension", "causation", "growth_edge", "shadow_mirror", "blocks"]
SOURCES = st.sampled_from([None, "diary", "watch"])

few = settings(max_examples=10)
fewer = settings(few, max_examples=4)  # each example works on several files


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="asterism-") as name:
        yield Path(name)


# What a caller may do


@dataclass(frozen=True)
class Step:
    """One call of the public API: which, on what, and how many hours ago (None: the memory's clock)."""

    name: str
    a: str = STARS[0]
    b: str = STARS[1]
    word: str = ""
    value: float = 0.0
    ago_hours: int | None = None
    source: str | None = None
    rows: tuple[tuple[str, str, str, int], ...] = ()


async def take(memory: Memory, step: Step, now: datetime) -> object:
    """Take a step, and give what came of it: an answer, or the code of the error."""
    at = None if step.ago_hours is None else now - timedelta(hours=step.ago_hours)
    try:
        match step.name:
            case "add_star":
                return await memory.add_star(step.a, domain=step.word, at=at, source=step.source)
            case "engage":
                return await memory.engage(step.a, impact=step.value, at=at, source=step.source)
            case "set_brightness":
                return await memory.set_brightness(step.a, step.value, at=at, source=step.source)
            case "acknowledge":
                return await memory.acknowledge(step.a, at=at, source=step.source)
            case "contradict":
                return await memory.contradict(step.a, at=at, source=step.source)
            case "mark_dark":
                return await memory.mark_dark(step.a, at=at, source=step.source)
            case "dispute_dark":
                return await memory.dispute_dark(step.a, at=at, source=step.source)
            case "observe":
                return await memory.observe(step.a, step.b, step.word, at=at, source=step.source)
            case "observe_many":
                return await memory.observe_many(
                    [Evidence(a, b, kind, now - timedelta(hours=ago)) for a, b, kind, ago in step.rows]
                )
            case "deny":
                return await memory.deny(step.a, step.b, at=at, source=step.source)
            case "assign_type":
                return await memory.assign_type(step.a, step.b, step.word, at=at, source=step.source)
            case "advance":
                return await memory.advance(hours=step.value, discover=bool(step.word))
            case "as_of":
                then = await memory.as_of(at or now)
                return [await then.links(), await then.nodes(), await then.predictions()]
            case _:
                return await take_block_step(
                    memory, step.name, step.a, step.b, value=step.value, at=at, source=step.source
                )
    except AsterismError as error:
        return error.code


names = st.sampled_from(STARS)
late = st.one_of(st.none(), st.integers(0, 24 * 20))


def steps(*, without: frozenset[str] = frozenset()) -> st.SearchStrategy[Step]:
    def said(name: str, **parts: st.SearchStrategy[object]) -> st.SearchStrategy[Step]:
        return st.builds(Step, st.just(name), a=names, b=names, ago_hours=late, source=SOURCES, **parts)

    rows = st.lists(st.tuples(names, names, st.sampled_from(KINDS), st.integers(0, 500)), min_size=1, max_size=6)
    every = {
        "add_star": said("add_star", word=st.sampled_from(DOMAINS)),
        "engage": said("engage", value=st.sampled_from([0.0, 0.03, 0.05, 1.0])),
        "set_brightness": said("set_brightness", value=st.sampled_from([0.05, 0.2, 0.5, 0.9, 1.0, 7.0])),
        "acknowledge": said("acknowledge"),
        "contradict": said("contradict"),
        "mark_dark": said("mark_dark"),
        "dispute_dark": said("dispute_dark"),
        "observe": said("observe", word=st.sampled_from(KINDS)),
        "observe_many": said("observe_many", rows=rows.map(tuple)),
        "deny": said("deny"),
        "assign_type": said("assign_type", word=st.sampled_from(TYPES)),
        "advance": said("advance", value=st.sampled_from([1.0, 30.0, 24.0 * 8]), word=st.sampled_from(["", "yes"])),
        "as_of": said("as_of"),
    }
    every |= {name: said(name, value=st.sampled_from([0.0, 0.4, 1.0])) for name in BLOCK_STEPS}
    often = ["observe", "set_brightness", "learn", "learn"]
    return st.one_of([every[name] for name in [*every, *often] if name not in without])


BEGINNING = [Step("add_star", name, word=DOMAINS[0], ago_hours=24 * 15) for name in STARS[:3]]
beginnings = st.sampled_from([[], BEGINNING])
histories = st.builds(lambda first, rest: [*first, *rest], beginnings, st.lists(steps(), max_size=20))
quiet_histories = st.builds(
    lambda first, rest: [*first, *rest], st.just(BEGINNING), st.lists(steps(without=frozenset({"as_of"})), max_size=15)
)


async def everything(memory: Memory) -> list[object]:
    """All that a memory says."""
    verified = await memory.verify()
    assert verified.ok, verified.differences
    return [
        await memory.links(),
        await memory.nodes(),
        await memory.predictions(),
        await blocks_and_answers(memory),
        verified.digest,
        verified.items,
    ]


def told(store: Store, space: str = "me") -> list[Item]:
    return [stored.item for stored in contents(store, space)]


def told_at(place: Place) -> list[Item]:
    with closing(store_of(place, read_only=True)) as store:
        return told(store)


async def told_all(store: Store, history: list[Step], *, space: str = "me", clock: HandClock | None = None) -> None:
    async with opened(store, space=space, clock=clock or NOON) as memory:
        for step in history:
            await take(memory, step, NOON)


# Every store


@few
@given(st.lists(st.one_of(steps(), st.sampled_from(["reopen", "checkpoint", "a day passes"])), max_size=25), beginnings)
def test_the_same_calls_give_the_same_answers_on_every_store(story: list[Step | str], beginning: list[Step]) -> None:
    async def scenario(folder: Path) -> None:
        clock = HandClock()
        places = [place_of(kind, folder) for kind in STORES]
        memories = [await opened(place, clock=clock).__aenter__() for place in places]
        for step in [*beginning, *story]:
            if step == "a day passes":
                clock.now += DAY
            elif step == "checkpoint":
                for place in places:
                    with closing(store_of(place)) as store:
                        store_checkpoint(store)
            elif step == "reopen":
                for memory in memories:
                    await memory.close()
                memories = [await opened(place, clock=clock).__aenter__() for place in places]
            else:
                assert isinstance(step, Step)
                one, *others = [await take(memory, step, clock.now) for memory in memories]
                assert all(other == one for other in others), step
        ends = [await everything(memory) for memory in memories]
        assert all(end == ends[0] for end in ends)
        for memory in memories:
            await memory.close()
        ledgers = [told_at(place) for place in places]
        assert all(ledger == ledgers[0] for ledger in ledgers)

    with folder() as name:
        drive(scenario(name))


@few
@given(quiet_histories, st.integers(0, 24 * 14), st.integers(0, 24 * 14))
def test_reads_of_the_past_do_not_depend_on_checkpoints_and_are_what_was_shown_then(
    history: list[Step], ago: int, other_ago: int
) -> None:
    async def scenario(path: Path) -> None:
        store, plain = SQLiteStore(path), InMemoryStore()
        await told_all(store, history)
        with plain.writing("me") as writing:
            writing.append(told(store))
        store_checkpoint(store)
        moments = [NOON - timedelta(hours=hours) for hours in (ago, other_ago, 0)]
        async with opened(store) as memory, opened(plain) as other:
            for moment in moments:
                mine, theirs = await memory.as_of(moment), await other.as_of(moment)
                assert await mine.links() == await theirs.links() == await memory.links(at=moment)
                assert await mine.nodes() == await theirs.nodes() == await memory.nodes(at=moment)
                assert await mine.predictions() == await theirs.predictions()
            until = [item for item in told(store) if item.at <= micros(moments[0])]
            alone = InMemoryStore()
            with alone.writing("me") as writing:
                writing.append(until)
            async with opened(alone, clock=moments[0]) as then:
                assert await then.nodes() == await memory.nodes(at=moments[0])
                assert await then.links() == await memory.links(at=moments[0])
        store.close()

    with folder() as name:
        drive(scenario(name / "memory.db"))


def micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)


# Spaces


@few
@given(st.lists(st.tuples(st.sampled_from(["mine", "yours"]), steps()), max_size=25))
def test_two_spaces_of_one_file_never_leak(story: list[tuple[str, Step]]) -> None:
    canaries = {"mine": "Canary Yellow", "yours": "Kanarienvogel"}

    async def scenario(path: Path) -> None:
        alone = {space: InMemoryStore() for space in canaries}
        async with AsyncExitStack() as stack:
            shared = {s: await stack.enter_async_context(opened(path, space=s)) for s in canaries}
            separate = {s: await stack.enter_async_context(opened(alone[s], space=s)) for s in canaries}
            first = [(space, Step("add_star", name, word="soul")) for space, name in canaries.items()]
            links = [
                (space, Step("observe", name, STARS[0], word="user_creates", source=f"{name} says"))
                for space, name in canaries.items()
            ]
            stars = [(space, Step("add_star", STARS[0], word="soul")) for space in canaries]
            for space, step in [*first, *stars, *story, *links]:
                named = replace(step, a=canaries[space]) if step.a == STARS[3] else step
                assert await take(shared[space], named, NOON) == await take(separate[space], named, NOON)
            for space, other in (("mine", "yours"), ("yours", "mine")):
                seen = await everything(shared[space])
                assert seen == await everything(separate[space])
                word = canaries[other].split()[0].lower()
                why = [str(await shared[space].why(link.a, link.b)) for link in await shared[space].links()]
                assert word not in f"{seen} {why} {(await shared[space].project(days=9)).to_dict()}".lower()
                assert await shared[space].star(canaries[other]) is None
                assert await shared[space].link(canaries[other], STARS[0]) is None
        with closing(SQLiteStore(path)) as store:
            for space in canaries:
                assert told(store, space) == told(alone[space], space)

    with folder() as name:
        drive(scenario(name / "memory.db"))


# The set of items decides


@few
@given(quiet_histories, st.randoms(use_true_random=False), st.integers(1, 7))
def test_any_order_of_arrival_and_any_batching_give_the_same_memory(
    history: list[Step], chance: random.Random, batch: int
) -> None:
    async def scenario(path: Path) -> None:
        in_time, shuffled = InMemoryStore(), SQLiteStore(path)
        await told_all(in_time, history)
        items = told(in_time)
        chance.shuffle(items)
        live = Live(shuffled, "me", clock=lambda: micros(NOON))
        for start in range(0, len(items), batch):
            sent = items[start : start + batch]
            live.write(lambda _, sent=sent: sent)  # type: ignore[misc]  # a default binds the loop's value
            if chance.random() < 0.3:
                live.checkpoint_if_due(at_least=0)
            if chance.random() < 0.2:
                live = Live(shuffled, "me", clock=lambda: micros(NOON))
        async with opened(in_time) as one, opened(shuffled) as other:
            assert await everything(one) == await everything(other)
        assert told(in_time) == told(shuffled)
        live.refresh()
        shuffled.close()

    with folder() as name:
        drive(scenario(name / "memory.db"))


@few
@given(quiet_histories, st.integers(1, 24 * 14), st.sampled_from(KINDS))
def test_an_item_that_comes_late_counts_as_if_it_had_come_in_time(history: list[Step], ago: int, kind: str) -> None:
    async def scenario(path: Path) -> None:
        evidence = Step("observe", STARS[0], STARS[1], word=kind, ago_hours=ago, source="the late one")
        in_time, too_late = InMemoryStore(), SQLiteStore(path)
        await told_all(in_time, [*BEGINNING, evidence, *history])
        async with opened(too_late) as memory:
            for step in [*BEGINNING, *history]:
                await take(memory, step, NOON)
            store_checkpoint(too_late)
            await take(memory, evidence, NOON)
            held = await everything(memory)
        if told(in_time) == told(too_late):  # a denial or type in the history may need the link that came late
            async with opened(in_time) as memory:
                assert await everything(memory) == held
        too_late.close()

    with folder() as name:
        drive(scenario(name / "memory.db"))


@few
@given(quiet_histories, st.booleans())
def test_sending_everything_twice_is_harmless(history: list[Step], in_one: bool) -> None:
    async def scenario(path: Path) -> None:
        store = SQLiteStore(path)
        await told_all(store, history)
        items = told(store)
        async with opened(path) as memory:
            before = await everything(memory)
            again = [item._replace(known_at=item.known_at + 1, note="again") for item in items]
            live = Live(store, "me", clock=lambda: 0)
            for batch in [again] if in_one else [[item] for item in again]:
                written = live.write(lambda _, batch=batch: batch)  # type: ignore[misc]  # as above
                assert all(each.outcome.duplicate for each in written)
            assert await everything(memory) == before
        assert told(store) == items
        store.close()

    with folder() as name:
        drive(scenario(name / "memory.db"))


@fewer
@given(quiet_histories, st.lists(steps(), max_size=12), st.lists(steps(), max_size=12), st.booleans())
def test_two_copies_that_went_their_own_ways_merge_into_one_in_either_order(
    common: list[Step], mine: list[Step], yours: list[Step], erase: bool
) -> None:
    async def scenario(name: Path) -> None:
        paths = [name / "mine.db", name / "yours.db"]
        for path, own, clock in zip(paths, (mine, yours), (NOON, NOON + DAY), strict=True):
            with closing(SQLiteStore(path)) as store:
                await told_all(store, common)
                await told_all(store, own, clock=HandClock(clock))
        with closing(SQLiteStore(paths[0])) as store:
            if erase:
                erase_items(store, [told(store)[0].id, told(store)[-1].id], at=micros(NOON))
            store_checkpoint(store)
        union = InMemoryStore()
        merged = [name / "one.db", name / "other.db"]
        for place, order in zip(merged, (paths, paths[::-1]), strict=True):
            async with opened(place) as memory:
                for path in order:
                    await memory.merge(path)
                    assert (await memory.verify()).ok
        async with opened(paths[0]) as one, opened(paths[1]) as other, opened(union) as third:
            await one.merge(other)
            again = await other.merge(paths[0])
            assert again.duplicates + again.buried + again.added == len(told_at(paths[0]))
            await third.merge(one)
            final = await everything(one)
            assert await everything(other) == final == await everything(third)
            again = await one.merge(paths[1])
            assert (again.added, again.erased) == (0, 0)
            assert await everything(one) == final
        ledgers = []
        for path in [*paths, *merged]:
            async with opened(path) as memory:
                assert await everything(memory) == final
            with closing(SQLiteStore(path)) as store:
                ledgers.append((told(store), list(store.tombstones("me"))))
        assert all(ledger == ledgers[0] for ledger in ledgers)
        note(f"{len(ledgers[0][0])} items")

    with folder() as name:
        drive(scenario(name))


# Reads never write


@fewer
@given(quiet_histories)
def test_reads_never_write(history: list[Step]) -> None:
    async def scenario(path: Path) -> None:
        with closing(SQLiteStore(path)) as store:
            await told_all(store, history)
        watcher = SQLiteStore(path)
        before = (path.read_bytes(), watcher.version("me"), told(watcher))
        for clock in (NOON, NOON + 40 * DAY):
            async with opened(path, clock=clock) as memory, opened(path, clock=clock, read_only=True) as reader:
                for each in (memory, reader):
                    first = await everything(each)
                    await each.stats()
                    await each.curves()
                    await each.project(days=10)
                    then = await each.as_of(NOON - 3 * DAY, known_at=NOON)
                    await then.links()
                    for link in await each.links():
                        await each.why(link.a, link.b)
                    for star in await each.nodes():
                        await each.why(star.id)
                    for item in before[2]:
                        await each.why(item.id.hex())
                    await each.link("nobody", "knows")
                    assert await everything(each) == first
        assert (path.read_bytes(), watcher.version("me"), told(watcher)) == before
        watcher.close()

    with folder() as name:
        drive(scenario(name / "memory.db"))
