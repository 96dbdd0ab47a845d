"""Embedders inside a memory: two of them, broken ones, damaged vectors; and `reembed`, which repairs."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from asterism.embed import CallableEmbedder
from asterism.embed.checked import CheckedEmbedder
from asterism.engine.space.vectors import VectorTable, text_key
from asterism.errors import AsterismError, CorruptError, InputError
from asterism.store.in_memory import InMemoryStore
from asterism.store.sqlite import SQLiteStore
from tests.support.memories import FACTS, NOON, AnyMemory, by_hand, contents, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of

BROKEN = "Winter"  # a word of the one text that a broken embedder cannot embed
NAN, INFINITE = [float("nan"), 1.0], [float("inf"), 1.0]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def stored_vectors(memory: AnyMemory, texts: Sequence[str] = FACTS) -> dict[bytes, bytes]:
    store = memory._async._live.store
    identity = store.embedder("me")
    return store.vectors("me", identity, {text_key(text) for text in texts}) if identity else {}


# Two embedders


def test_a_memory_remembers_its_embedder_and_refuses_another(place: Place) -> None:
    with remembering(place) as memory:
        memory.learn_many(FACTS)
        assert memory.stats().embedder is None
        memory.dream()
        assert memory.stats().embedder == "hashed-words-256-1"
        assert len(stored_vectors(memory)) == len(FACTS)
        links = memory.links()
    other = by_hand({"garden": [1.0, 0.0], "piano": [0.0, 1.0]}, name="mine")
    with remembering(place, embedder=other) as memory:
        before = contents(memory._async._live.store)
        name = memory.learn("Learning needs no vectors.").id
        for call in (lambda: memory.recall("garden"), memory.dream, lambda: memory.why_not(name, "garden")):
            with pytest.raises(InputError) as refused:
                call()
            assert refused.value.code == "other_embedder"
            assert "reembed()" in (refused.value.hint or "")
            assert is_told_well(refused.value)
        assert len(contents(memory._async._live.store)) == len(before) + 1
        assert sum(line.value for line in memory.why(links[0].id).lines) == pytest.approx(links[0].strength)
        assert memory.reembed() == len(FACTS) + 1
        assert memory.stats().embedder == "mine-2"
        assert memory.recall("garden", k=2).hits[0].text in FACTS[1:3]
        assert memory.links() == links
        for link in links:  # vectors changed: what the dream saw is not what they give now
            lines = memory.why(link.id).lines
            assert sum(line.value for line in lines) == pytest.approx(link.strength, abs=1e-9)
        assert memory.dream().promoted == 1
        assert memory.verify().ok
    with remembering(place) as memory, pytest.raises(InputError):
        memory.recall("garden")


def test_without_a_word_the_embedder_is_the_one_that_made_the_vectors(place: Place) -> None:
    with remembering(place) as memory:
        memory.learn_many(FACTS)
        memory.dream()
        expected = [(hit.id, hit.score) for hit in memory.recall("garden").hits]
    with remembering(place, embedder=None) as memory:
        assert [(hit.id, hit.score) for hit in memory.recall("garden").hits] == expected
        assert memory.stats().embedder == "hashed-words-256-1"


def test_a_dream_does_not_overwrite_vectors_that_another_process_made_anew(place: Place) -> None:
    other = by_hand({"garden": [1.0, 0.0]}, name="mine")
    with remembering(place, parameters={"dream_batch_blocks": 2}) as memory:
        memory.learn_many(FACTS)
        memory.dream(steps=1)
        with remembering(place, embedder=other, parameters={"dream_batch_blocks": 2}) as meddler:

            def meddle(share: float, _: int) -> None:
                if share > 0.5 and meddler.stats().embedder != "mine-2":
                    meddler.reembed()

            with pytest.raises(InputError) as refused:
                memory.dream(progress=meddle)
            assert refused.value.code == "other_embedder"
            assert meddler.stats().embedder == "mine-2"
            assert meddler.dream().remaining == 0
            assert meddler.verify().ok


# Broken embedders


@pytest.mark.parametrize("vector", [NAN, INFINITE])
def test_a_text_that_cannot_be_embedded_is_named_by_its_block_and_nothing_is_stored(
    place: Place, vector: list[float]
) -> None:
    with remembering(place, embedder=by_hand({BROKEN: vector, "garden": [0.6, 0.8]})) as memory:
        (name,) = [receipt.id for receipt in memory.learn_many(FACTS) if BROKEN in memory.block(receipt.id).content]
        before = contents(memory._async._live.store)
        for call in (memory.dream, lambda: memory.recall("garden"), memory.dream):
            with pytest.raises(AsterismError) as refused:
                call()
            assert (refused.value.code, refused.value.item) == ("bad_vector", name)
            assert is_told_well(refused.value)
        assert contents(memory._async._live.store) == before
        assert stored_vectors(memory) == {}
        memory.forget(name)  # as the hint says
        assert memory.recall("garden").hits[0].text in FACTS[1:3]
        assert memory.dream().promoted == len(FACTS) - 1
        assert memory.verify().ok


def test_an_embedder_that_fails_loses_nothing_and_goes_on_later(place: Place) -> None:
    fails = [True]

    def embed(texts: list[str]) -> list[list[float]]:
        if fails[0]:
            raise ConnectionError("no answer")
        return [[len(text), 1.0] for text in texts]

    with remembering(place, embedder=CallableEmbedder(embed, name="moody", dimension=2)) as memory:
        memory.learn_many(FACTS)
        for call in (memory.dream, lambda: memory.recall("garden"), memory.reembed):
            with pytest.raises(ConnectionError):
                call()
        assert len(memory.blocks(statuses=["inbox"])) == len(FACTS)
        fails[0] = False
        assert memory.recall("garden").hits[0].text in FACTS[1:3]
        assert memory.dream().promoted + memory.stats().blocks.get("duplicate", 0) > 0
        assert memory.verify().ok


class Worded:
    """An embedder that knows words, and fails at first."""

    identity, dimension, knows_words = "worded-1", 2, True

    def __init__(self) -> None:
        self.fails = True

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if self.fails and any(" " not in text for text in texts):
            raise ConnectionError("no words")
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


def test_words_that_could_not_be_embedded_are_embedded_later() -> None:
    embedder = Worded()
    with (
        remembering(InMemoryStore(), embedder=embedder) as memory,
        remembering(InMemoryStore(), embedder=Worded()) as other,
    ):
        for each in (memory, other):
            each.learn_many(FACTS)
        with pytest.raises(ConnectionError):
            memory.recall("water garden")
        embedder.fails = other._async._embedder.fails = False
        one, two = (each.recall("water garden").hits for each in (memory, other))
        assert [(hit.id, hit.score) for hit in one] == [(hit.id, hit.score) for hit in two]


def test_an_embedder_whose_dimension_changes_is_refused(place: Place) -> None:
    sizes = [2]

    def embed(texts: list[str]) -> list[list[float]]:
        return [[float(len(text))] * sizes[0] for text in texts]

    with remembering(place, embedder=CallableEmbedder(embed, name="growing", dimension=2)) as memory:
        memory.learn(FACTS[0])
        memory.dream()
        sizes[0] = 3
        name = memory.learn(FACTS[1]).id
        with pytest.raises(AsterismError) as refused:
            memory.dream()
        assert (refused.value.code, refused.value.item) == ("bad_vector", name)
        assert memory.block(name).status == "inbox"
        sizes[0] = 2
        assert memory.dream().remaining == 0


def test_rows_of_the_wrong_number_are_refused(place: Place) -> None:
    few = CallableEmbedder(lambda texts: [[1.0, 0.0]] * max(1, len(texts) - 1), name="few", dimension=2)
    with remembering(place, embedder=few) as memory:
        memory.learn_many(FACTS)
        with pytest.raises(AsterismError) as refused:
            memory.dream()
        assert refused.value.code == "bad_vector"
        assert len(memory.blocks(statuses=["inbox"])) == len(FACTS)


def test_texts_without_words_have_no_vector_and_no_similarity(place: Place) -> None:
    with remembering(place, embedder=by_hand({"x": [0.0, 0.0]})) as memory:
        a, b = memory.learn("...").id, memory.learn("!!!").id
        assert memory.dream().promoted == 2
        assert memory.links() == []
        assert memory.why_not(a, b).gate == "guard"
        assert {hit.id for hit in memory.recall("anything").hits} == {a, b}


# Damaged vectors


@pytest.mark.parametrize("damage", [b"", b"\0" * 12, np.array([np.nan] * 256, dtype="<f4").tobytes()])
def test_damaged_vectors_are_said_and_reembed_repairs_them(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.add_star("Garden", domain="health")
        memory.learn_many(FACTS)
        memory.recall("garden")
        memory.dream()
        expected = [(hit.id, hit.score) for hit in memory.recall("garden").hits]
        kept = stored_vectors(memory)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE vector_pack SET data = ?", (damage,))
    with remembering(path) as memory:
        with pytest.raises(CorruptError) as refused:
            memory.recall("garden")
        assert refused.value.code == "damaged_vector"
        assert "reembed" in (refused.value.hint or "")
        assert memory.reembed() == len(FACTS)
        assert stored_vectors(memory) == kept
        assert [(hit.id, hit.score) for hit in memory.recall("garden").hits] == expected
    with remembering(path) as memory:
        assert [(hit.id, hit.score) for hit in memory.recall("garden").hits] == expected
        assert memory.verify().ok


def test_an_embedder_of_the_same_name_and_another_dimension_is_noticed(place: Place) -> None:
    class Fixed:
        identity = "fixed"

        def __init__(self, dimension: int) -> None:
            self.dimension = dimension

        def embed(self, texts: Sequence[str]) -> np.ndarray:
            return np.eye(self.dimension, dtype=np.float32)[[len(text) % self.dimension for text in texts]]

    with remembering(place, embedder=Fixed(2)) as memory:
        memory.learn_many(FACTS)
        memory.dream()
    with remembering(place, embedder=Fixed(3)) as memory:
        with pytest.raises(CorruptError):
            memory.recall("garden")
        memory.reembed()
        assert len(memory.recall("garden").hits) > 0


# Vectors are kept, not made again


def test_a_text_is_embedded_once(place: Place) -> None:
    asked: list[str] = []

    def embed(texts: list[str]) -> list[list[float]]:
        asked.extend(texts)
        return [[float(len(text) % 7), 1.0, float(len(text) % 5)] for text in texts]

    embedder = CallableEmbedder(embed, name="counted", dimension=3)
    with remembering(place, embedder=embedder) as memory:
        memory.learn_many(FACTS)
        memory.recall("garden")
        memory.dream()
        memory.recall("garden")
        assert sorted(asked) == sorted([*FACTS, "garden", "garden"])
    asked.clear()
    with remembering(place, embedder=embedder) as memory:
        memory.recall("garden")
        memory.as_of(NOON).recall("garden")
        assert asked == ["garden", "garden"]
        assert memory.reembed() == len(memory.blocks())
        assert set(asked) == {"garden", *(block.content for block in memory.blocks())}


def test_vectors_belong_to_one_space(place: Place) -> None:
    with remembering(place) as mine, remembering(place, space="yours", embedder=by_hand({"x": [1.0, 0.0]})) as yours:
        mine.learn_many(FACTS)
        yours.learn("x marks the canary")
        mine.dream()
        yours.dream()
        assert (mine.stats().embedder, yours.stats().embedder) == ("hashed-words-256-1", "by-hand-2")
        assert [hit.text for hit in yours.recall("garden piano").hits] == ["x marks the canary"]
        assert "canary" not in str(mine.recall("x marks the canary"))
        store = mine._async._live.store
        assert store.vectors("yours", "hashed-words-256-1", {text_key(FACTS[0])}) == {}
        assert mine.verify().ok
        assert yours.verify().ok


def test_a_vector_table_reads_what_a_store_keeps(tmp_path: Path) -> None:
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        embedder = VectorTable(store, "me", CheckedEmbedder(by_hand({"a": [3.0, 4.0]})))
        assert embedder.of(["a", "a"]) == pytest.approx(np.array([[0.6, 0.8]] * 2))
        assert (embedder.embedded, list(embedder.made())) == (1, [text_key("a")])
        assert embedder.of([]).shape == (0, 2)


def test_configuring_keeps_the_embedder() -> None:
    with remembering(InMemoryStore(), embedder=by_hand({"a": [1.0, 0.0], "b": [0.0, 1.0]})) as memory:
        memory.learn_many(["a", "b"])
        memory.dream()
        memory.configure(parameters={"edge_degree_cap": 4})
        assert memory.recall("a").hits[0].text == "a"
