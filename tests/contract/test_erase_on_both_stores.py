"""Erasing on both stores: nothing is left but hashes, whatever is erased; what is left is what it was without it."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from asterism.core.dialogue.lines import Actor
from asterism.embed import CallableEmbedder
from asterism.engine.care.what_if import suppose
from asterism.engine.recall.recaller import CACHE
from asterism.errors import AsterismError, InputError, UnknownError
from tests.support.erasing import BEGIN, BREAD, SUBJECTS, WORD, has, lines, numbers, raw, tell_word, vector_of
from tests.support.five import SESSION, market, tell_five
from tests.support.memories import DAY, NOON, AnyMemory, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of, store_of


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


@pytest.fixture
def other_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Give another place of the same kind."""
    return place_of(request.node.callspec.params["place"], tmp_path, "other.db")


def kinds(place: Place) -> list[str]:
    return [stored.item.what for stored in store_of(place, read_only=True).items("me")]


def test_no_byte_of_it_is_left(place: Place) -> None:
    with remembering(place) as memory:
        tell_word(memory)
        assert has(place)
        for subject in SUBJECTS:
            manifest = memory.erase(subject)
            assert (manifest.scrubbed, manifest.note) == (True, "")
        assert not has(place)
        assert memory.verify().ok
        assert all(WORD not in str(hit) for hit in memory.recall("who keeps bees?").hits)
        assert not has(place)  # a question brings nothing back
        memory.dream()
        assert not has(place)
    assert not has(place)
    with remembering(place) as memory:
        assert memory.verify().ok
        assert {each.content for each in memory.blocks()} == set(BREAD)
        assert _sessions(memory) == ["Ferry"]


def test_no_vector_of_it_is_left(tmp_path: Path) -> None:
    place = tmp_path / "memory.db"
    embedder = CallableEmbedder(numbers, name="numbers", dimension=32)
    texts = [f"Note {number} of the cook" for number in range(300)]
    with remembering(place, embedder=embedder) as memory:
        rows = [{"content": text, "source": f"{number % 10}", "at": BEGIN} for number, text in enumerate(texts)]
        memory.learn_many(rows)
        memory.dream()
        store = store_of(place, read_only=True)
        vectors = [vector_of(store, text) for text in texts]
        store.close()
        assert all(_is_in(raw(place), vector) for vector in vectors)
        for source in range(9):  # rows that were moved on the way leave no copy behind either
            assert memory.erase(f"source:{source}").vectors == 30
            left = raw(place)
            assert [_is_in(left, vector) for vector in vectors] == [number % 10 > source for number in range(300)]
            assert [text.encode() in left for text in texts] == [number % 10 > source for number in range(300)]


def _is_in(left: bytes, vector: bytes) -> bool:
    """Look for either half of a vector: one of them may be cut by the end of a page."""
    half = len(vector) // 2
    return vector[:half] in left or vector[half:] in left


ONES = ["source:diary", "node:lantern", "session:ferry", "node:ann", f"node:{WORD}", "node:X", "source:cook", "morning"]
ONES += [f"name:{WORD}", "name:walnuts"]


@pytest.mark.parametrize("subject", ONES)
def test_what_is_left_is_the_memory_without_it_and_hashes(place: Place, subject: str) -> None:
    with remembering(place) as memory:
        tell_word(memory)
        left = suppose(memory._async._live, subject).left
        without, planned = memory.what_if(without=subject), memory.erase(subject, dry_run=True)
        before = {stored.item.id for stored in store_of(place, read_only=True).items("me")}
        assert before >= {item.id for item in left.removed}
        done = memory.erase(subject)
        now = {stored.item.id.hex(): stored.item for stored in store_of(place, read_only=True).items("me")}
        assert now.keys() == {item.id.hex() for item in left.items} | {done.tombstone}
        assert now[done.tombstone].payload == {"ids": sorted(done.ids)}
        assert {name.hex() for name in store_of(place, read_only=True).tombstones("me")} == set(done.ids)
        assert (planned.dry_run, planned.tombstone, planned.scrubbed) == (True, "", False)
        called = {"called": done.called}  # texts are not told once they are gone
        assert replace(planned, dry_run=False, tombstone=done.tombstone, scrubbed=True, **called) == done
        assert done.items == {what: done.items[what] for what in sorted(done.items)}
        assert (len(done.ids), done.items) == (sum(without.items.values()), without.items)
        verified = memory.verify()
        assert verified.ok
        with pytest.raises(UnknownError, match="there is no"):
            memory.erase(subject)
    with remembering(place) as memory:
        assert memory.verify().digest == verified.digest


def test_a_dry_run_writes_nothing(place: Place) -> None:
    with remembering(place) as memory:
        tell_word(memory)
        before = raw(place, index=False)
        for subject in SUBJECTS:
            assert memory.erase(subject, dry_run=True).ids
        assert raw(place, index=False) == before


def test_vectors_checkpoints_and_the_index_are_counted_and_gone(place: Place) -> None:
    with remembering(place) as memory:
        tell_word(memory)
        store = store_of(place, read_only=True)
        kept = len(store.vector_texts("me"))
        done = memory.erase(f"source:{WORD}")
        assert (done.checkpoints, done.caches) == (1, 1)
        assert done.vectors >= 2
        store = store_of(place, read_only=True)
        assert len(store.vector_texts("me")) == kept - done.vectors
        assert store.cache("me", CACHE) is None
        assert vector_of(store, BREAD[0])  # of what is left nothing has to be embedded again


def test_a_block_goes_with_its_earlier_wordings_and_what_it_replaced_stands_again(place: Place) -> None:
    with remembering(place) as memory:
        one = memory.learn("The deploy fails when the cache is cold", at=BEGIN)
        two = memory.learn("The deploy fails when the cache is cold.", name="Cold", at=BEGIN + DAY)
        memory.dream()
        (stays,) = {each.superseded_by for each in memory.blocks(statuses=["duplicate"])} or {two.id}
        new = memory.edit(stays, "The deploy fails at night")
        assert new.id not in (one.id, two.id)
        done = memory.erase(new.id)
        assert stays in done.nodes
        assert new.id in done.nodes
        assert {each.id for each in memory.blocks()} == set(done.returning) == {one.id, two.id} - {stays}


def test_somebody_who_speaks_goes_with_the_sessions_they_speak_in(place: Place) -> None:
    with remembering(place) as memory:
        memory.add_star("Bell", domain="soul", at=BEGIN)
        actors = [Actor("ann", "Ann"), Actor("bo", "Bo")]
        both = lines(
            ("Ann", "I look for the Bell."),
            ("DM", "The Bell rings."),
            ("Bo", "I look for a way out."),
            ("DM", "You find a door."),
        )
        alone = lines(("Bo", "I look for Ann."), ("DM", "You find nobody."))
        memory.read_transcript(alone, session="Both", actors=actors[1:], started_at=BEGIN)  # an earlier reading
        memory.read_transcript(both, session="Both", actors=actors, started_at=BEGIN)
        memory.read_transcript(alone, session="Alone", actors=actors[1:], started_at=BEGIN)
        done = memory.erase("Ann")
        assert done.items["transcript"] == 2
        assert _sessions(memory) == ["Alone"]
        assert len(done.mentions) == 1  # Bo looks for Ann: that is his line, and it is named
        assert memory.erase(f"item:{done.mentions[0].id}").items == {"transcript": 1}
        assert _sessions(memory) == []


def _sessions(memory: AnyMemory) -> list[str]:
    return list(memory._async._live.refresh().transcripts.sessions)


def test_one_level_cannot_be_taken_out_of_its_book(place: Place) -> None:
    with remembering(place) as memory:
        memory.feed("X", market(BEGIN), source="tape", lateness=0)
        memory.add_star("Gold", domain="wealth", at=BEGIN)
        memory.observe("gold", "X@100.0", "user_creates", at=BEGIN + DAY)
        with pytest.raises(InputError) as caught:
            memory.erase("X@100.0")
        assert caught.value.code == "part_of_a_book"
        done = memory.erase("X")
        assert done.items == {"evidence": 1, "market": 1}
        assert [each.missing for each in done.lost] == [("X@100.0",)]
        assert memory.symbols() == []


def test_a_level_that_one_feed_made_goes_with_it_and_what_was_said_of_it(place: Place) -> None:
    with remembering(place) as memory:
        rows = market(BEGIN)
        memory.feed("X", [row for row in rows if row["price"] == 100.0], source="tape", lateness=0)
        memory.feed("X", [row for row in rows if row["price"] == 110.0], source="wire", lateness=0)
        memory.add_star("Gold", domain="wealth", at=BEGIN)
        for level in ("X@100.0", "X@110.0"):
            memory.observe("gold", level, "user_creates", at=BEGIN + DAY)
        done = memory.erase("wire")
        assert [each.missing for each in done.lost] == [("X@110.0",)]
        assert [each.id for each in memory.links("gold")] == ["X@100.0~gold"]


# It does not come back


def test_a_merge_does_not_bring_it_back_on_either_side(place: Place, other_place: Place) -> None:
    with remembering(place) as memory, remembering(other_place) as other:
        tell_word(memory)
        there = other._async._path
        other.merge(memory._async)
        other.observe("bell", WORD, "user_confirms", at=BEGIN + 3 * DAY)  # only here
        other.explore(f"what does {WORD} keep?", start="lantern")
        for subject in SUBJECTS:
            memory.erase(subject)
        assert not has(place)
        assert memory.merge(other._async).buried > 0
        assert not has(place)
        merged = other.merge(memory._async)
        assert merged.erased > 0
        assert not has(there)
        assert other.merge(memory._async).erased == 0
        memory.merge(other._async)
        assert memory.verify().digest == other.verify().digest
        assert memory.verify().ok
        assert other.verify().ok


def test_the_very_same_told_again_is_refused_with_what_to_do(place: Place) -> None:
    with remembering(place) as memory:
        tell_word(memory)
        for subject in SUBJECTS:
            memory.erase(subject)
        before = kinds(place)
        said = lines((WORD, f"I carry the Lantern to {WORD}."), ("DM", f"The Bell rings for {WORD}."))
        again: list[Callable[[], object]] = [
            lambda: memory.add_star(WORD, domain="soul", at=BEGIN),
            lambda: memory.learn(
                f"{WORD} keeps bees behind the house",
                name=f"{WORD} 0",
                tags=[WORD],
                source=WORD,
                speaker=WORD,
                at=BEGIN,
            ),
            lambda: memory.feed("X", market(BEGIN + DAY), source=WORD, lateness=0),
            lambda: memory.read_transcript(said, session=WORD, actors=[Actor(WORD.lower(), WORD)], started_at=BEGIN),
        ]
        for call in again:
            with pytest.raises(InputError) as caught:
                call()
            assert caught.value.code == "erased"
            assert is_told_well(caught.value)
            assert not has(place)
        assert kinds(place) == before
        memory.add_star(WORD, domain="soul", at=BEGIN + DAY)  # of another time it is something new
        assert memory.star(WORD) is not None


def test_of_many_that_are_told_again_one_that_was_erased_is_refused_by_its_row_or_left_out(place: Place) -> None:
    rows = [{"content": f"{WORD} sings", "at": BEGIN}, {"content": "The river rises", "at": BEGIN}]
    pairs = [("sleep", "mood"), ("mood", "work")]
    evidence = [{"a": a, "b": b, "kind": "user_creates", "at": BEGIN, "source": a} for a, b in pairs]
    with remembering(place) as memory:
        for name in ("Sleep", "Mood", "Work"):
            memory.add_star(name, domain="soul", at=BEGIN)
        memory.learn_many(rows)
        memory.observe_many(evidence)
        memory.erase(memory.learn(f"{WORD} sings").id)
        memory.erase("source:sleep")
        before = kinds(place)
        told: list[tuple[Callable[[], object], int | None]] = [
            (lambda: memory.learn_many(rows), 1),
            (lambda: memory.learn_many(["Something new", "The river rises", rows[0]]), 3),
            (lambda: memory.learn_many(rows[:1]), None),
            (lambda: memory.observe_many(evidence), 1),
            (lambda: memory.observe_many([("mood", "work", "user_creates"), *evidence]), 2),
            (lambda: memory.observe_many(evidence[:1]), None),
        ]
        for call, row in told:
            with pytest.raises(InputError) as caught:
                call()
            assert (caught.value.code, caught.value.row) == ("erased", row)
            assert str(caught.value).startswith(f"row {row}: this was erased" if row else "this was erased")
            assert kinds(place) == before
        first, second = memory.learn_many(rows, skip_erased=True)
        assert (first.status, second.status) == ("erased", "duplicate")
        assert "it was erased" in first.note
        one, two = memory.observe_many(evidence, skip_erased=True)
        assert (one.erased, one.duplicate, two.erased, two.duplicate) == (True, False, False, True)
        assert not has(place)


def test_with_a_clock_that_stands_still_it_can_be_told_anew(place: Place) -> None:
    with remembering(place) as memory:
        block = memory.learn("Ada likes tea")
        memory.erase(block.id)
        assert memory.learn("Ada likes tea").status == "new"
        assert [each.id for each in memory.blocks()] == [block.id]


def test_an_erasure_cannot_be_erased(place: Place) -> None:
    with remembering(place) as memory:
        done = memory.erase(memory.learn("Ada likes tea").id)
        with pytest.raises(AsterismError) as caught:
            memory.erase(done.tombstone)
        assert (caught.value.code, is_told_well(caught.value)) == ("an_erasure", True)
        assert str(done).startswith("node:")


def test_other_spaces_keep_what_they_have(place: Place) -> None:
    with remembering(place, space="you") as other:
        other.learn(f"{WORD} is here too", at=NOON)
    with remembering(place) as memory:
        tell_five(memory)
        memory.erase(SESSION)
    with remembering(place, space="you") as other:
        assert [each.content for each in other.blocks()] == [f"{WORD} is here too"]
        assert other.verify().ok


def test_what_an_import_tells_of_something_erased_here_is_trimmed(place: Place, other_place: Place) -> None:
    texts = ("Alpha is tea.", "Beta is coffee.", "Gamma is cocoa.")
    with remembering(other_place) as other:
        ids = [other.learn(text, at=NOON - DAY).id for text in texts]
        other.outcome(ids, 0.9, at=NOON)
        exported = other.export().text.encode()
    with remembering(place) as memory:
        memory.learn_many([{"content": text, "at": NOON - DAY} for text in texts])
        memory.erase(ids[0])
        assert memory.import_(io.BytesIO(exported)).erased == 1
        assert ids[0] not in memory.export().text
        assert memory.verify().ok


def test_what_was_just_erased_is_known_to_be_so_by_whoever_erased_it(place: Place) -> None:
    with remembering(place) as memory:
        live = memory._async._open()
        told = memory.learn("Ada likes tea.")
        item = next(stored.item for stored in live.store.items("me") if stored.item.what == "learned")
        memory.erase(told.id)
        assert live.anew(item).at == item.at + 1
