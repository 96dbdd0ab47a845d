"""Found in review: erasing with two processes, three copies, long chains, vectors and texts of two sources."""

from __future__ import annotations

import shutil
import time
from itertools import permutations
from pathlib import Path

import pytest

from asterism.core.blocks.scoring import block_id
from asterism.core.dialogue.lines import Actor
from asterism.core.ledger.items import make_item
from asterism.embed import CallableEmbedder
from asterism.engine.care.what_if import suppose
from asterism.engine.recall.recaller import CACHE
from asterism.errors import UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from asterism.store.sqlite import SQLiteStore
from tests.support.erasing import BEGIN, WORD, has, lines, numbers, raw
from tests.support.five import market
from tests.support.memories import DAY, NOON, HandClock, is_told_well
from tests.support.remembering import PLACES, AnyMemory, Place, place_of, remembering

ANN, BO = Actor("ann", "Ann"), Actor("bo", "Bo")
FIRST = lines(("Ann", "I pick up the Lantern near the Bell."), ("DM", "The Bell rings, and the ferry moves."))
SECOND = lines(("Ann", "I pick up the Coin near the Bell."), ("DM", "The Bell rings, and the Coin is gone."))
OTHER = lines(("Bo", "I ask Ann about the Bell."), ("DM", "Ann rings the Bell for Bo."))


@pytest.fixture(params=PLACES)
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
        live.keep(CACHE, live.recaller().cache())
        narratives = [crystal.content for crystal in live.refresh().walks.narratives.values()]
        assert narratives
        gone = [*(str(line["content"]) for line in SECOND), *narratives]
        with_store = SQLiteStore(place, read_only=True)
        kept = len(with_store.vector_texts("me"))
        assert with_store.causal_sessions("me").keys() == {WORD}
        with_store.close()
        assert any(_bytes_of(text) in raw(place) for text in gone)
        done = memory.erase(f"session:{WORD}")
        left = raw(place)
        assert done.vectors > 0
        assert not [text for text in gone if _bytes_of(text) in left or text.encode() in left]
        assert not has(place)
        after = SQLiteStore(place, read_only=True)
        assert len(after.vector_texts("me")) == kept - done.vectors
        assert after.causal_sessions("me") == {}
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


# Two processes


def test_an_index_that_was_packed_before_an_erasure_is_not_kept_after_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory, remembering(path) as other:
        memory.learn(f"{WORD} keeps bees", source="a", at=BEGIN)
        memory.learn("Ada likes tea", source="b", at=BEGIN)
        live = other._async._live
        packed = live.recaller().cache()
        memory.erase("source:a")
        live.keep(CACHE, packed)
        assert not has(path)
        assert SQLiteStore(path, read_only=True).cache("me", CACHE) is None
        live.keep(CACHE, live.recaller().cache())
        assert SQLiteStore(path, read_only=True).cache("me", CACHE) is not None
        assert WORD not in str(other.recall("bees").hits)


def test_vectors_that_were_made_before_an_erasure_are_not_kept_after_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory, remembering(path) as other:
        memory.learn(f"{WORD} keeps bees", source="a", at=BEGIN)
        memory.learn("Ada likes tea", source="b", at=BEGIN)
        memory.dream()
        assert other.reembed(progress=lambda *_: memory.erase("source:a")) == 2
        assert len(SQLiteStore(path, read_only=True).vector_texts("me")) == 1
        other.learn("Bo likes milk", source="b", at=BEGIN)
        other.dream()
        assert len(SQLiteStore(path, read_only=True).vector_texts("me")) == 2
        assert memory.verify().ok


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
    table = {name: (reading, store.causal_links("me", name)) for name, reading in store.causal_sessions("me").items()}
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


# Many


def test_a_long_chain_of_wordings_goes_in_a_moment(place: Place) -> None:
    with remembering(place) as memory:
        name = memory.learn("Version 0 of the plan", source="first", at=BEGIN).id
        live = memory._async._live
        live.refresh()
        items, at = [], live.now()
        for number in range(1, 3001):
            text = f"Version {number} of the plan"
            payload = {"block": name, "content": text}
            items.append(make_item(space="me", what="edited", at=at + number, payload=payload, known_at=at, source="e"))
            name = block_id(text)
        live.write(lambda _: items)
        began = time.process_time()
        for subject in ("source:first", f"node:{name}"):
            assert len(suppose(live, subject).left.removed) == 3001
        assert time.process_time() - began < 5.0  # looking through all of them for each took 40


def test_many_go_at_once_from_a_store_in_memory() -> None:
    store: Store = InMemoryStore()
    items = [make_item(space="me", what="clock", at=number, payload={}, known_at=0) for number in range(20_000)]
    with store.writing("me") as writing:
        writing.append(items)
    began = time.process_time()
    with store.writing("me") as writing:
        assert writing.bury(item.id for item in items[1:]) == 19_999
    assert time.process_time() - began < 3.0  # looking for each of them took 15
    assert [each.item for each in store.items("me")] == items[:1]


def test_a_name_of_nothing_is_refused_in_an_empty_memory(place: Place) -> None:
    with remembering(place) as memory:
        with pytest.raises(UnknownError) as caught:
            memory.erase("ann")
        assert is_told_well(caught.value)
        with pytest.raises(UnknownError) as caught:
            memory.what_if(without="ann")
        assert is_told_well(caught.value)
