"""Erasing a session, a source or a text: what stood on it goes along, what others told stays, in every copy."""

from __future__ import annotations

import shutil
from itertools import permutations
from pathlib import Path

import pytest

from asterism.core.dialogue.lines import Actor
from asterism.embed import CallableEmbedder
from asterism.engine.recall.recaller import CACHE, recaller_of
from asterism.store.in_memory import InMemoryStore
from asterism.store.sqlite import SQLiteStore
from tests.support.erasing import BEGIN, WORD, has, lines, numbers, raw
from tests.support.five import market
from tests.support.memories import DAY, NOON, AnyMemory, HandClock, remembering
from tests.support.stores import STORES, Place, place_of

ANN, BO = Actor("ann", "Ann"), Actor("bo", "Bo")
FIRST = lines(("Ann", "I pick up the Lantern near the Bell."), ("DM", "The Bell rings, and the ferry moves."))
SECOND = lines(("Ann", "I pick up the Coin near the Bell."), ("DM", "The Bell rings, and the Coin is gone."))
OTHER = lines(("Bo", "I ask Ann about the Bell."), ("DM", "Ann rings the Bell for Bo."))


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def stars(memory: AnyMemory) -> None:
    for name in ("Lantern", "Bell", "Coin"):
        memory.add_star(name, domain="soul", at=BEGIN)


# What was read twice


def told(place: Place, *, session: bool = True, note: bool = True) -> AnyMemory:
    """Tell of a session that is read twice and corrected, of another that names its speaker, and of a note."""
    clock = HandClock(NOON - DAY)
    memory = remembering(place, clock=clock).__enter__()
    stars(memory)
    if session:
        memory.read_transcript(FIRST, session="Ferry", actors=[ANN], started_at=BEGIN)
    memory.read_transcript(OTHER, session="Shore", actors=[BO], started_at=BEGIN + DAY)
    if session:
        memory.read_transcript(SECOND, session="Ferry", actors=[ANN], started_at=BEGIN)
    if note:
        memory.learn("The Lantern stands by the Bell", source="note", at=BEGIN + 2 * DAY)
    memory.learn("The Coin was found near the Bell", source="other", at=BEGIN + 2 * DAY)
    if session:
        memory.explore("who picks up the Coin?", intention="find it", start="ferry/0")
        memory.forget(min(memory._async._live.refresh().walks.narratives))
    clock.now = NOON
    return memory


def test_without_a_session_that_was_corrected_it_is_to_the_bit_a_memory_that_was_never_told(place: Place) -> None:
    with told(place) as memory, told(InMemoryStore(), session=False) as other:
        found = memory.what_if(without="session:Ferry")
        assert found.digest == other.verify().digest
        assert found.items["transcript"] == 2
        assert {each.what for each in found.lost} == {"evidence", "explored", "narrative_forgotten"}


def test_without_a_text_what_it_named_is_not_said(place: Place) -> None:
    with told(place, session=False) as memory, told(InMemoryStore(), session=False, note=False) as other:
        assert memory.what_if(without="source:note").digest == other.verify().digest


def test_a_session_goes_with_its_evidence_its_rows_and_its_vectors(tmp_path: Path) -> None:
    place = tmp_path / "memory.db"
    embedder = CallableEmbedder(numbers, name="numbers", dimension=32)
    with remembering(place, embedder=embedder) as memory:
        stars(memory)
        memory.learn("The Coin was found near the Bell", source="other", at=BEGIN)
        for said in (FIRST, SECOND):
            memory.read_transcript(said, session=WORD, actors=[ANN], started_at=BEGIN)
        memory.explore("who picks up the Coin?", intention="find it", start=f"{WORD.lower()}/0")
        live = memory._async._live
        live.keep(CACHE, recaller_of(live).cache(live.seq))
        narratives = [crystal.content for crystal in live.refresh().walks.narratives.values()]
        assert narratives
        gone = [*(str(line["content"]) for line in SECOND), *narratives]
        with_store = SQLiteStore(place, read_only=True)
        kept = len(with_store.vector_texts("me"))
        assert with_store.parts("me", "causal_links").keys() == {WORD}
        with_store.close()
        assert any(_bytes_of(text) in raw(place) for text in gone)
        done = memory.erase(f"session:{WORD}")
        left = raw(place)
        assert done.vectors > 0
        assert not [text for text in gone if _bytes_of(text) in left or text.encode() in left]
        assert not has(place)
        after = SQLiteStore(place, read_only=True)
        assert len(after.vector_texts("me")) == kept - done.vectors
        assert after.parts("me", "causal_links") == {}
        assert not [each for each in after.items("me") if "reading" in each.item.payload]
        after.close()
        memory.recall("who picks up the Coin?")
        memory.dream()
        assert not [text for text in gone if _bytes_of(text) in raw(place)]


def _bytes_of(text: str) -> bytes:
    from asterism.embed import open_embedder

    embedder = open_embedder(CallableEmbedder(numbers, name="numbers", dimension=32))
    return bytes(embedder.embed([text]).astype("<f4").tobytes())


def test_what_is_left_of_a_session_is_read_again_after_the_erasure(place: Place) -> None:
    with remembering(place) as memory:
        both = [*FIRST, *({**line, "line_index": 2 + number} for number, line in enumerate(OTHER))]
        memory.read_transcript(both, session="Ferry", actors=[ANN, BO], started_at=BEGIN)
        memory.read_transcript(OTHER, session="Ferry", actors=[BO], started_at=BEGIN)
        assert memory.erase("node:ann").items["transcript"] == 2  # all readings stand behind one another
        rest = [OTHER[0], {**OTHER[1], "content": "The Bell rings for Bo."}]
        memory.read_transcript(rest, session="Ferry", actors=[BO], started_at=BEGIN)
        assert memory._async._live.refresh().transcripts.sessions == ["Ferry"]
        assert memory.verify().ok


def test_what_two_sources_told_is_named_again_by_the_next_dream(place: Place) -> None:
    """What a text names is told with its first source; when that goes, the text stays, and a dream looks again."""
    with remembering(place) as memory:
        stars(memory)
        for number, source in enumerate("ab"):
            memory.learn("The Lantern stands by the Bell", source=source, at=BEGIN + number * DAY)
        memory.erase("source:a")
        assert memory.link("lantern", "bell") is None
        memory.dream()
        assert memory.link("lantern", "bell") is not None
        assert memory.verify().ok


def test_the_levels_of_another_book_are_not_looked_at(place: Place) -> None:
    with remembering(place) as memory:
        for symbol in ("X", "Y"):
            memory.feed(symbol, market(BEGIN), source=f"tape {symbol}", lateness=0)
        stars(memory)
        for level in ("X@100.0", "Y@100.0"):
            memory.observe("coin", level, "user_confirms", at=BEGIN + DAY)
        done = memory.erase("source:tape X")
        assert [each.missing for each in done.lost] == [("X@100.0",)]
        assert [each.id for each in memory.links("coin")] == ["Y@100.0~coin"]


# Copies


def copies(folder: Path) -> list[Path]:
    """Give three copies of a memory: one erased a session, one told of it on, one erased something later."""
    base = folder / "base.db"
    told(base).close()
    paths = [folder / f"{name}.db" for name in "abc"]
    for path in paths:
        shutil.copy(base, path)
    with remembering(paths[0], clock=NOON + DAY) as memory:
        memory.erase("session:Ferry")
    with remembering(paths[1], clock=NOON + DAY) as memory:
        memory.observe("ann", "lantern", "user_confirms", source="b", at=NOON)
        memory.learn(f"Ann sells the Coin to {WORD}", source="b", at=NOON)
        memory.explore("where is the ferry?", intention="go", start="ferry/0")
    with remembering(paths[2], clock=NOON + 3 * DAY) as memory:
        memory.erase("source:note")
        memory.observe("ann", "coin", "user_confirms", source="c", at=NOON)
    return paths


def state(path: Path) -> tuple[object, ...]:
    with remembering(path, clock=NOON + 9 * DAY) as memory:
        verified = memory.verify()
        assert verified.ok
        file = path.with_suffix(".jsonl")
        memory.export(file, force=True)
    store = SQLiteStore(path, read_only=True)
    items = [each.item for each in store.items("me")]
    table = {
        name: (reading, set(store.rows("me", "causal_links", name)))
        for name, reading in store.parts("me", "causal_links").items()
    }
    found = (items, list(store.tombstones("me")), table, verified.digest, file.read_bytes())
    store.close()
    return found


def test_copies_of_which_some_erased_agree_in_every_order_and_nothing_comes_back(tmp_path: Path) -> None:
    paths = copies(tmp_path)
    for some in ([0, 1], [0, 2], [1, 2], [0, 1, 2]):
        states = []
        for order in permutations(some):
            merged = tmp_path / f"merged-{'-'.join(map(str, order))}.db"
            shutil.copy(paths[order[0]], merged)
            with remembering(merged, clock=NOON + 9 * DAY) as memory:
                for number in order[1:]:
                    memory.merge(paths[number])
                if 0 in order:
                    assert b"pick up the" not in raw(merged)
                    assert memory.merge(tmp_path / "base.db").added == 0  # nor by the copy before it all
                    assert b"pick up the" not in raw(merged)
            states.append(state(merged))
        assert all(each == states[0] for each in states)
