"""The read model of recall follows a memory: whatever was told, it is what a fresh one would be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.dialogue.lines import Line
from asterism.core.ledger.columns import Columns
from asterism.core.recall.links import GIVEN_LINKS
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.text.words import INDEXED_WITHIN
from asterism.engine.recall import recaller, word_vectors
from asterism.engine.recall.around import EVIDENCE, Around
from asterism.engine.recall.inbox import Inbox
from asterism.engine.recall.recaller import Recaller, recaller_of
from asterism.engine.space.live import Live
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import DAY, FACTS, NOON, AnyMemory, remembering
from tests.support.work import lines_run

ACTS = st.sampled_from(
    ["learn", "learn", "learn", "edit", "forget", "restore", "dream", "evidence", "star", "used", "outcome", "explore"]
)
STEPS = st.lists(st.tuples(ACTS, st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=14)


def live_of(memory: Any) -> Live:
    return memory._async._open()  # type: ignore[no-any-return]  # what is behind the face


def act(memory: AnyMemory, what: str, one: int, other: int) -> None:
    """Do something to a memory, if it can be done."""
    blocks = [each.id for each in memory.blocks()]
    some, more = (blocks[number % len(blocks)] if blocks else "none" for number in (one, other))
    if what == "learn":
        memory.learn(FACTS[one], name="Garden" if other == 1 else None, conversation=f"talk {other % 2}")
    elif what == "star":
        memory.add_star(f"Star {one}", domain="health")
    elif what == "evidence" and some != more:
        memory.observe(some, more, "user_creates")
    elif what == "dream":
        memory.dream()
    elif what == "explore" and blocks:
        memory.explore(FACTS[one], intention=FACTS[other])
    elif what == "restore":
        for gone in memory.blocks(statuses="forgotten")[:1]:
            memory.restore(gone.id)
    elif blocks and what == "edit":
        memory.edit(some, f"{FACTS[other]} It is so since {one}.")
    elif blocks and what == "forget":
        memory.forget(some)
    elif blocks and what == "used":
        memory.used([some, more], session=f"day {one}")
    elif blocks and what == "outcome":
        memory.outcome([some, more], 0.9)


def same(first: Columns, second: Columns) -> bool:
    return first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)


def eager(folded: Projection, recaller: Recaller) -> dict[tuple[str, str, str], list[float]]:
    """Give every link that recall may follow, found by looking at all there are."""
    found: dict[tuple[str, str, str], list[float]] = {}
    for edge in SpaceGraph(folded).edges(recaller.index.rows):
        kind = edge.kind or EVIDENCE
        if kind in GIVEN_LINKS:
            for ends in ((edge.a, edge.b), (edge.b, edge.a)):
                found.setdefault((kind, *ends), []).append(edge.strength)
    return {key: sorted(values) for key, values in found.items()}


def looked_up(folded: Projection, recaller: Recaller) -> dict[tuple[str, str, str], list[float]]:
    around, ids = Around(SpaceGraph(folded), recaller.index), recaller.index.ids
    found: dict[tuple[str, str, str], list[float]] = {}
    for name, row in recaller.index.rows.items():
        for kind, (rows, strengths) in around.of(row).items():
            for other, strength in zip(rows.tolist(), strengths.tolist(), strict=True):
                if other != row:
                    found.setdefault((kind, name, ids[other]), []).append(strength)
    return {key: sorted(values) for key, values in found.items()}


@given(STEPS)
@settings(max_examples=40)
def test_whatever_was_told_it_is_what_a_fresh_one_would_be(steps: list[tuple[str, int, int]]) -> None:
    with remembering(InMemoryStore(), embedder="hashed") as memory:
        memory.learn(FACTS[0])
        for number, (what, one, other) in enumerate(steps):
            act(memory, what, one, other)
            if number % 3 and number + 1 < len(steps):
                continue  # several changes at once, too
            answer = memory.recall("garden water in Lisbon", hops=2, floor=0)
            live = live_of(memory)
            kept, folded = recaller_of(live), live.view()
            fresh = Recaller(live.parameters.recall, live.texts())
            fresh.show(folded)
            fresh.embed()
            fresh.linked(folded)
            assert same(kept.index.dump(), fresh.index.dump())
            assert looked_up(folded, kept) == eager(folded, fresh)
            hits = fresh.recall.ask(fresh.query("garden water in Lisbon", None), hops=2)
            assert [(hit.id, pytest.approx(hit.score)) for hit in hits] == [(hit.id, hit.score) for hit in answer.hits]


def test_what_takes_too_long_goes_on_at_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recaller, "CHARACTERS_AT_ONCE", 1)
    monkeypatch.setattr(word_vectors, "WORDS_AT_ONCE", 2)

    class OverError(Exception):
        pass

    with remembering(InMemoryStore()) as memory:
        memory.learn_many(list(FACTS))
        live = live_of(memory)
        texts, looks = live.texts(), 0

        def tick() -> None:
            nonlocal looks
            looks += 1
            if looks % 2 == 0:
                raise OverError

        texts.tick, ended = tick, 0
        while True:
            try:
                recaller_of(live).embed()
                break
            except OverError:
                ended += 1
        texts.tick = None
        assert ended > len(FACTS) // 2
        assert len(recaller_of(live).index) == len(FACTS)
        with remembering(InMemoryStore()) as other:
            other.learn_many(list(FACTS))
            questions = ("garden", "Lisbon bread")
            assert [said(memory, each) for each in questions] == [said(other, each) for each in questions]


def said(memory: AnyMemory, query: str) -> list[tuple[str, float]]:
    return [(hit.id, hit.score) for hit in memory.recall(query, floor=0).hits]


def test_a_star_makes_nobody_read_the_blocks_again() -> None:
    def taken(blocks: int) -> int:
        with remembering(InMemoryStore(), embedder="hashed") as memory:
            memory.learn_many([f"Thing {number} is near thing {number + 1}." for number in range(blocks)])
            memory.recall("thing")
            live = live_of(memory)
            memory.add_star("Mars", domain="health")
            return lines_run(lambda: recaller_of(live))

    assert taken(200) <= 1.5 * taken(20)


def test_the_inbox_keeps_its_order_however_it_changes() -> None:
    inbox = Inbox()
    inbox.change({f"b{number:03}": number % 7 for number in range(100)})
    assert inbox.after(100) is None
    assert inbox.after(1) == (0, "b007")
    inbox.change({"b000": None, "b001": -5, "new": 3, "never": None})
    assert inbox.after(0) == (-5, "b001")
    assert (inbox.is_behind("b001", (0, "")), inbox.is_behind("new", (0, "")), inbox.is_behind("x", None)) == (
        False,
        True,
        False,
    )
    inbox.change({f"b{number:03}": None for number in range(100)})
    assert inbox.after(0) == (3, "new")


def test_of_a_very_long_line_the_beginning_is_searched_and_every_answer_says_so() -> None:
    with remembering(InMemoryStore(), embedder="hashed") as memory:
        long = "I look for water in the garden. " + "x " * INDEXED_WITHIN + "Then I wait for the ferry."
        lines = [Line(0, "Ann", long), Line(1, "DM", "The well in the garden is dry.")]
        memory.read_transcript(lines, session="Dry", started_at=NOON - DAY)
        answer = memory.recall("water in the garden", floor=0)
        assert any("the first 20,000 characters were searched" in note for note in answer.notes)
        assert long in [hit.text for hit in answer.hits]  # it is kept whole
        assert memory.stats().texts_cut == 1
        assert not any("keyword" in hit.signals for hit in memory.recall("ferry", floor=0).hits)
        memory.learn(FACTS[0])
        assert memory.stats().texts_cut == 1
