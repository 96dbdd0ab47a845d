"""The past is what a memory would be that had only been told so far; the outlook is what time alone will do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from asterism.core.ledger.calendar import to_micros
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from tests.support.memories import DAY, NOON, AnyMemory, HandClock, contents, remembering
from tests.support.whole import SYMBOL, tell_everything

QUERIES = ("dinner with Lena", "the key to the chest", "sleep", "Where was the director of Lone Wolf born?")


class Told:
    def __init__(self) -> None:
        self.clock, self.store = HandClock(), InMemoryStore()
        self.memory: AnyMemory = remembering(self.store, clock=self.clock)
        self.memory.__enter__()
        self.ids = tell_everything(self.memory, self.clock)
        self.end = self.clock.now


@pytest.fixture(scope="module")
def told() -> Iterator[Told]:
    made = Told()
    yield made
    made.memory.__exit__(None, None, None)


def built(store: Store, at: datetime, known_at: datetime | None) -> Store:
    """Give a store that holds only what was so, and known, by a time."""
    copy = InMemoryStore()
    known = None if known_at is None else to_micros(known_at)
    items = [
        stored.item
        for stored in contents(store)
        if stored.item.at <= to_micros(at) and (known is None or stored.item.known_at <= known)
    ]
    with copy.writing("me") as writing:
        writing.set_parameters(store.parameters("me") or "")
        writing.append(items)
    return copy


KINDS = ("star", "block", "actor", "moment", "narrative")


def answers(view: AnyMemory, books: AnyMemory, ids: dict[str, str]) -> dict[str, Any]:
    """Ask a memory, or its past, everything; books are asked of the moment, not of their latest event."""
    links = view.links()
    levels = [level for each in books.symbols() for level in books.levels(each.symbol, archived=True)]
    return {
        "stars": view.stars(),
        "nodes": view.nodes(kinds=KINDS),
        "links": links,
        "blocks": view.blocks(statuses=["inbox", "active", "duplicate", "superseded", "edited", "forgotten"]),
        "entries": view.entries(*(node.id for node in view.nodes(kinds=KINDS))),
        "sessions": view.sessions(),
        "causal": view.causal_links(),
        "predictions": view.predictions(),
        "symbols": books.symbols(),
        "levels": levels,
        "why of levels": [books.why(level.id) for level in levels],
        "curves": view.curves(points=9),
        "recall": {query: [hit.to_dict() for hit in view.recall(query, hops=2).hits] for query in QUERIES},
        "why": {link.id: view.why(link.id) for link in links[::3]},
        "whys": {node.node().id: view.why(node.node().id) for node in view.nodes(kinds=KINDS)[::2]},
        "why not": [view.why_not(node, QUERIES[0], k=1) for node in sorted(ids.values())[::2] if view.block(node)],
    }


MOMENTS = [
    (NOON - DAY, None),
    (NOON + DAY / 8, None),
    (NOON + 5 * DAY, None),
    (NOON + 23 * DAY, None),
    (NOON + 30 * DAY, NOON + 9 * DAY),
]


@pytest.mark.parametrize(("at", "known_at"), MOMENTS)
def test_the_past_answers_as_a_memory_told_only_so_far(told: Told, at: datetime, known_at: datetime | None) -> None:
    told.clock.now = NOON + 30 * DAY
    snapshot = told.memory.as_of(at, known_at=known_at)
    with remembering(built(told.store, at, known_at), clock=at) as memory:
        mine, other = answers(snapshot, snapshot, told.ids), answers(memory, memory.as_of(at), told.ids)
        for name, value in other.items():
            assert mine[name] == value, name
    told.clock.now = told.end


# Ahead


def test_blocks_and_their_links_fade_only_while_a_session_runs(told: Told) -> None:
    told.clock.now = told.end
    still = told.memory.project(days=30)
    assert still.structural
    assert still.blocks
    assert all(each.then == each.now for each in (*still.structural, *still.blocks))
    assert any("no session runs" in note for note in still.notes)
    assert any("do not fade" in note for note in still.notes)
    by_id = {link.id: link.strength for link in told.memory.links()}
    assert all(each.now == pytest.approx(by_id[each.id]) for each in still.structural)
    assert "no session runs" in str(still)


def test_what_is_said_of_structural_links_comes_true() -> None:
    clock = HandClock()
    with remembering(InMemoryStore(), clock=clock) as memory:
        for text in ("Lena likes soup for dinner.", "Lena likes soup for lunch.", "Lena cooks soup for dinner."):
            memory.learn(text)
        memory.dream()
        memory.begin_session("long")
        ahead = memory.project(days=0.5)
        assert any("a session runs: 12.0 active hours" in note for note in ahead.notes)
        links = {each.id: each for each in ahead.structural}
        blocks = {each.id: each for each in ahead.blocks}
        assert links
        clock.now += DAY / 2
        for link in memory.links():
            assert links[link.id].then == pytest.approx(link.strength, abs=1e-9)
        for block in memory.blocks():
            assert blocks[block.id].then == pytest.approx(block.recency, abs=1e-9)
        memory.end_session("long")
        soonest = min(links.values(), key=lambda each: each.ends_after or math.inf)
        assert soonest.ends_after is not None
        assert (soonest.clock, soonest.end) == ("active hours", "pruned")
        left = soonest.ends_after - 12
        for session in range(math.ceil(left / 24)):
            memory.begin_session(f"s{session}")
            clock.now += DAY * (1 if session < math.floor(left / 24) else left % 24 / 24 - 0.001)
            memory.end_session(f"s{session}")
        memory.dream()
        assert soonest.id in {link.id for link in memory.links()}
        memory.begin_session("last")
        clock.now += DAY / 400
        memory.end_session("last")
        memory.dream()
        assert soonest.id not in {link.id for link in memory.links()}


def test_what_is_said_of_levels_comes_true(told: Told) -> None:
    clock = HandClock(NOON + 3 * DAY + DAY / 24)
    with remembering(built(told.store, clock.now, None), clock=clock) as memory:
        ahead = memory.project(days=0.02)
        assert ahead.levels
        for each in ahead.levels:
            then = {level.id: level.strength for level in memory.levels(SYMBOL, archived=True, at=clock.now)}
            assert then[each.id] == pytest.approx(each.now)
        first = ahead.levels[0]
        assert first.then < first.now
        clock.now += DAY * 0.02
        now = {level.id: level.strength for level in memory.levels(SYMBOL, archived=True, at=clock.now)}
        assert now[first.id] == pytest.approx(first.then, abs=1e-6)
        assert first.ends_after is not None
        clock.now += (first.ends_after - 0.48) * DAY / 24 - DAY / 86_400
        assert first.id in {level.id for level in memory.levels(SYMBOL, at=clock.now)}
        clock.now += DAY / 43_200
        assert first.id not in {level.id for level in memory.levels(SYMBOL, at=clock.now)}
