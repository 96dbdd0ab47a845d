"""What a dream leaves for the next process: a checkpoint and the index as of it, so that little is read again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.connections.model import Star
from asterism.core.dialogue.lines import Line
from asterism.embed import open_embedder
from asterism.engine.recall import keeping, recaller
from asterism.engine.recall.recaller import Recaller, recaller_of
from asterism.engine.space import live as living
from asterism.engine.space.vectors import text_key
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import DAY, NOON, AnyMemory, remembering
from tests.support.stores import STORES, Place, place_of

FACTS = [f"The {thing} {place} {does}." for thing in ("lamp", "boat", "dog") for place in ("by the pier", "at home")
         for does in ("is red", "was sold", "needs paint", "came late")]  # fmt: skip
QUERIES = ("Which boat was sold?", "What is red at home?", "paint")


@pytest.fixture(params=STORES)
def dreamed(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = place_of(request.param, tmp_path)
    monkeypatch.setattr(keeping, "CACHED_FROM", 4)
    monkeypatch.setattr(living, "LARGE_WORK", 4)
    with remembering(place, embedder="default") as memory:
        memory.learn_many(FACTS)
        assert memory.dream().promoted
    return place


def answers(memory: AnyMemory) -> list[object]:
    return [
        [(hit.id, hit.text, pytest.approx(hit.score, abs=1e-6), hit.via) for hit in memory.recall(query).hits]
        for query in QUERIES
    ]


def spoken(*things: str) -> list[Line]:
    said = [each for thing in things for each in (("Ann", f"I take the {thing}."), ("DM", f"The {thing} breaks."))]
    return [Line(place, *each) for place, each in enumerate(said)]


def followed(memory: AnyMemory) -> Recaller:
    return recaller_of(memory._async._live)


def plain(memory: AnyMemory, *, without: AnyMemory) -> list[object]:
    """Ask a memory with the same items, that has neither checkpoint nor index."""
    without.merge(memory)
    without.reembed()
    return answers(without)


def test_the_next_process_folds_nothing_and_reads_no_text(dreamed: Place) -> None:
    with remembering(dreamed, embedder="default") as memory:
        live = memory._async._live
        live.refresh()
        assert live.taken_up.seq == live.seq > 0
        found = answers(memory)
        assert (followed(memory).indexed, followed(memory).waiting, followed(memory).texts.embedded) == (0, {}, 0)
        assert live.held.blocks.links.packed is not None
        assert len(memory._async._live.texts()) == 0  # no vector was asked for by its text
        with remembering(InMemoryStore(), embedder="default") as without:
            assert plain(memory, without=without) == found


def test_what_changed_since_is_all_that_is_read(dreamed: Place) -> None:
    with remembering(dreamed, embedder="default") as memory:
        gone, other, *_ = memory.blocks()
        memory.forget(gone.id)
        memory.edit(other.id, "The lamp at the pier was stolen.")
        memory.learn("A boat was sold twice.")
        memory.add_star("Boat", domain="soul")
    with remembering(dreamed, embedder="default") as memory:
        found = answers(memory)
        assert followed(memory).indexed == 2 + 2 + 1  # gone, and come: two blocks and a star
        with remembering(InMemoryStore(), embedder="default") as without:
            assert plain(memory, without=without) == found
        assert memory.verify().ok
        memory.restore(gone.id)
        assert gone.id in {hit.id for hit in memory.recall(gone.content).hits}


def test_an_index_of_another_moment_is_looked_through(dreamed: Place) -> None:
    with remembering(dreamed, embedder="default") as memory:
        memory.learn("A boat was sold twice.")
        live = memory._async._live
        live.refresh()
        live.leave_checkpoint(work=10)
    with remembering(dreamed, embedder="default") as memory:
        found = answers(memory)
        assert followed(memory).indexed == 1
        with remembering(InMemoryStore(), embedder="default") as without:
            assert plain(memory, without=without) == found


def test_an_index_of_blocks_that_were_folded_otherwise_is_not_read(
    dreamed: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recaller, "FOLD_VERSION", 10**6)
    with remembering(dreamed, embedder="default") as memory:
        assert followed(memory).indexed == len(followed(memory).index) > 0


def test_vectors_that_are_gone_are_made_anew(dreamed: Place) -> None:
    with remembering(dreamed, embedder="default") as memory:
        expected = answers(memory)
        live = memory._async._live
        cache = recaller_of(live).cache(live.seq)
        texts = live.store.vector_texts("me")
        with live.store.writing("me") as writing:
            writing.drop_vectors(texts)
            writing.put_cache("recall", cache)
    with remembering(dreamed, embedder="default") as memory:
        assert answers(memory) == expected
        assert followed(memory).texts.embedded > len(FACTS) // 2


def test_two_entries_of_one_text_both_have_its_vector(dreamed: Place) -> None:
    with remembering(dreamed, embedder="default") as memory:
        star: Star = memory.add_star(FACTS[0], domain="soul")
        live = memory._async._live
        live.keep("recall", recaller_of(live).cache(live.seq))
    with remembering(dreamed, embedder="default") as memory:
        hits = {hit.id: hit.signals for hit in memory.recall(FACTS[0]).hits}
        assert hits[star.id].get("meaning") is not None
        assert followed(memory).meaning.entries.any(axis=1).sum() == len(followed(memory).index)


def test_the_vectors_of_moments_stars_and_words_are_kept_too(dreamed: Place) -> None:
    lines = spoken("Lantern", "Bell", "Boat", "Rope")
    with remembering(dreamed, embedder="default") as memory:
        memory.add_star("Harbour", domain="soul")
        memory.read_transcript(lines, session="Night", started_at=NOON - DAY)
        expected = answers(memory)
    with remembering(dreamed, embedder="default") as memory:
        assert answers(memory) == expected
        made = followed(memory)
        assert (made.indexed, made.waiting, made.texts.embedded) == (0, {}, 0)
        assert made._words.size == len(made.index.words.names)
        assert memory.verify().ok
        memory.erase("session:night")
        left = memory._async._live.store.vector_texts("me")
        assert not left & {text_key(line.content) for line in lines}


def test_a_far_embedder_is_not_asked_after_a_reading(dreamed: Place) -> None:
    lines = spoken("Lantern", "Bell", "Boat", "Rope")
    with remembering(dreamed, embedder=open_embedder("default")) as memory:
        memory.read_transcript(lines, session="Night", started_at=NOON - DAY)
        assert followed(memory).waiting


def test_a_large_merge_leaves_a_checkpoint(dreamed: Place) -> None:
    with remembering(dreamed, embedder="default") as memory, remembering(InMemoryStore(), embedder="default") as other:
        other.merge(memory)
        live = other._async._live
        kept = live.store.checkpoint("me", live.fingerprint)
        assert kept is not None
        assert kept.seq == live.seq


def test_vectors_made_before_somebody_wrote_are_not_kept(dreamed: Place) -> None:
    with remembering(dreamed, embedder="default") as memory, remembering(dreamed, embedder="default") as other:
        live = memory._async._live
        live.refresh()
        table = live.texts()
        before = live.store.vector_texts("me")
        table.of(["A text that nobody said."])
        other.learn("Something else.")
        live.keep_vectors(table)
        assert live.store.vector_texts("me") == before
        live.refresh()
        live.keep_vectors(table)
        assert len(live.store.vector_texts("me")) == len(before) + 1


@pytest.mark.parametrize("store", STORES)
def test_whoever_asked_a_large_memory_leaves_its_index_though_nobody_dreamed(store: str, tmp_path: Path) -> None:
    place = place_of(store, tmp_path)
    with remembering(place) as memory:
        memory.learn_many([f"{FACTS[number % len(FACTS)]} {number}" for number in range(keeping.CACHED_FROM)])
    with remembering(place) as memory:
        first = answers(memory)
        assert followed(memory).indexed == keeping.CACHED_FROM
    with remembering(place, read_only=store == "sqlite") as memory:
        assert answers(memory) == first
        assert followed(memory).indexed == 0
        assert memory._async._live.store.embedder("me") is None, "a question binds no space to an embedder"


def test_whoever_closes_a_memory_waits_for_no_writer(tmp_path: Path) -> None:
    """What is left for the next process is a kindness: it is not worth a minute's wait for another program."""
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.learn_many([f"{FACTS[number % len(FACTS)]} {number}" for number in range(keeping.CACHED_FROM)])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        with remembering(path) as memory:
            answers(memory)
            other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    with remembering(path) as memory:
        assert answers(memory)
        assert followed(memory).indexed == keeping.CACHED_FROM, "nothing was left, and nobody waited"
