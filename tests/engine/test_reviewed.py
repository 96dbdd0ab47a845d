"""What a strict review of blocks and recall found, one test each."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from asterism.core.recall.entries import Entry
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.rank import Recall
from asterism.core.recall.signals import Query
from asterism.core.recall.vectors import Meaning
from asterism.engine.memory import Memory
from asterism.errors import InputError
from tests.support.remembering import by_hand

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def test_a_dream_does_not_undo_another_embedder(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory.open_sync(path, space="me") as memory:
        memory.learn("cats like milk")

        def meanwhile(_share: float, _blocks: int) -> None:
            with Memory.open_sync(path, space="me", embedder="hashed") as other:
                if other.stats().embedder is None:
                    other.learn("dogs like bones")
                    other.dream()

        with pytest.raises(InputError) as refused:
            memory.dream(progress=meanwhile)
        assert refused.value.code == "other_embedder"
    with Memory.open_sync(path, space="me", embedder="hashed") as other:
        assert other.recall("bones").hits


def test_the_order_of_learning_does_not_show_in_scores() -> None:
    words = ["basalt", "fjord", "lantern", "harbour", "amber"]
    chance = random.Random(7)
    texts = [" ".join(chance.sample(words, 3)) for _ in range(11)]

    def scores(order: list[str]) -> dict[str, float]:
        with Memory.open_sync(":memory:", space="me", embedder="hashed", clock=START) as memory:
            memory.learn_many(order)
            return {hit.id: hit.score for hit in memory.recall("basalt fjord", k=20).hits}

    first = scores(texts)
    for _ in range(5):
        chance.shuffle(texts)
        assert scores(texts) == first


def test_a_filter_above_the_bound_gives_what_every_cosine_gives() -> None:
    chance = np.random.default_rng(3)
    index = Index()
    for number in range(600):
        index.add(Entry(f"{number:04}", f"word{number % 7} other{number % 11}"))
    vectors = chance.normal(size=(600, 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    query = Query("word3", vector=vectors[5] + vectors[77])
    allowed = np.zeros(600, dtype=bool)
    allowed[chance.choice(600, 30, replace=False)] = True
    exact, rough = (
        Recall(index, RecallParameters(), meaning=Meaning(index, RecallParameters(), entries=vectors.copy(), few=few))
        for few in (10_000, 100)
    )
    wanted = exact.ask(query, k=10, allowed=allowed)
    found = rough.ask(query, k=10, allowed=allowed)
    assert [hit.id for hit in found] == [hit.id for hit in wanted]
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in wanted], abs=1e-4)


def test_tags_told_of_a_superseded_text_reach_what_stands_for_it() -> None:
    vectors = {"the alpha text": [1.0, 0.0], "the bravo text": [0.92, 0.3919]}
    with Memory.open_sync(":memory:", space="me", embedder=by_hand(vectors)) as memory:
        old = memory.learn("the alpha text")
        memory.dream()
        new = memory.learn("the bravo text")
        assert memory.dream().superseded == 1
        assert memory.learn("the alpha text", tags=["important"], source="me").status == "duplicate"
        seen = memory.block(new.id)
        assert seen is not None
        assert (seen.tags, seen.sources) == (("important",), ("me",))
        assert memory.forget(old.id).id == new.id
        assert memory.restore(old.id).id == new.id  # undone by the name it was done with


def test_a_dream_with_nothing_new_drops_what_has_faded() -> None:
    now = [START]
    with Memory.open_sync(":memory:", space="me", embedder="hashed", clock=lambda: now[0]) as memory:
        memory.learn("tea is warm and green", tags=["a", "ephemeral"])
        memory.learn("tea is warm and black", tags=["a", "ephemeral"])
        memory.dream()
        assert [link.kind for link in memory.links()] == ["similar"]
        for day in range(10):
            now[0] = START + timedelta(days=day)
            memory.begin_session(f"day {day}")
            now[0] += timedelta(hours=20)
            memory.end_session(f"day {day}")
        assert memory.dream().promoted == 0
        assert memory.links() == []


def test_an_unfinished_dream_goes_on_inside_an_open_session() -> None:
    now = [START]
    texts = [f"note {number} about topic {number % 4}" for number in range(40)]

    def links(steps: int | None) -> set[str]:
        now[0] = START
        with Memory.open_sync(
            ":memory:", space="me", embedder="hashed", clock=lambda: now[0], parameters={"dream_batch_blocks": 10}
        ) as memory:
            memory.begin_session("s")
            memory.learn_many(texts)
            while memory.dream(steps=steps).remaining:
                now[0] += timedelta(seconds=1)
            return {link.id for link in memory.links()}

    assert links(1) == links(None)


def test_an_edited_block_keeps_its_confidence_and_its_speaker() -> None:
    with Memory.open_sync(":memory:", space="me", embedder="hashed") as memory:
        tea = memory.learn("tea at four", speaker="Ann")
        memory.learn("tea at four", conversation="chat", speaker="Bo")
        memory.outcome([tea.id], 1.0)
        seen = memory.edit(tea.id, "tea at five")
        assert (seen.outcomes, seen.speaker, seen.conversation) == (1, "Ann", "chat")
        assert seen.confidence > 0.5


def test_looking_again_changes_no_answer() -> None:
    with Memory.open_sync(":memory:", space="me", embedder="hashed") as memory:
        memory.learn_many([f"text {number} of many" for number in range(3_000)])
        first, second = (memory.recall("text 17 of many") for _ in range(2))
        assert [(hit.id, hit.score) for hit in first.hits] == [(hit.id, hit.score) for hit in second.hits]
        assert first.notes == second.notes == ()
