"""What a learned text names is evidence: stars, named blocks, actors, levels; told once, with the text's source."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.dialogue.lines import Actor
from asterism.core.ledger.items import Item, moved
from asterism.core.text.names import block_of, note_of
from asterism.engine.blocks import naming
from asterism.errors import InputError
from asterism.store.in_memory import InMemoryStore
from tests.support.five import SESSION, STARTED, market, tell_five
from tests.support.items import dreamed
from tests.support.memories import DAY, NOON, AnyMemory, HandClock, at_cosine, by_hand, remembering
from tests.support.stores import STORES, place_of

LATER = NOON + 30 * DAY


def told(store: InMemoryStore) -> list[tuple[str, str, str, str, datetime | int]]:
    """Give the evidence that texts gave: both ends, source, the block, when."""
    items = [stored.item for stored in store.items("me") if stored.item.what == "evidence"]
    return [
        (str(item.payload["a"]), str(item.payload["b"]), item.source, block, item.at)
        for item in items
        if (block := block_of(item.note)) is not None
    ]


def pairs(store: InMemoryStore) -> set[frozenset[str]]:
    return {frozenset(each[:2]) for each in told(store)}


def with_stars(memory: AnyMemory, *names: str) -> None:
    for name in names:
        memory.add_star(name, domain="soul", at=NOON - DAY)


def test_a_text_that_names_two_stars_is_evidence_for_three_pairs() -> None:
    store = InMemoryStore()
    with remembering(store) as memory:
        with_stars(memory, "Sleep", "Late screen", "Mood")
        note = memory.learn("No late screen: I could SLEEP at once.", source="diary")
        assert note.mentions == ("late-screen", "sleep")
        assert note.names_dropped == 0
        assert pairs(store) == {
            frozenset(each) for each in ((note.id, "sleep"), (note.id, "late-screen"), ("late-screen", "sleep"))
        }
        assert {(source, block) for _, _, source, block, _ in told(store)} == {("diary", note.id)}
        assert memory.link(note.id, "sleep").evidence.raw == 1
        (item,) = [
            each
            for each in store.items("me")
            if each.item.note and {note.id, "sleep"} == {*map(str, (each.item.payload["a"], each.item.payload["b"]))}
        ]
        assert f"note: {note_of(note.id)}" in memory.why(item.item.id.hex()).notes
        said = f"2026-03-01 co_mention_response: {note_of(note.id)} (diary)"
        assert said in memory.why(note.id, "sleep").notes
        for hour in range(6):
            memory.observe("sleep", "late-screen", "user_confirms", note=f"night {hour}")
        assert memory.why("sleep", "late-screen").notes[-2:] == (
            "2026-03-01 user_confirms: night 1",
            "and 2 earlier notes",
        )


@pytest.mark.parametrize("kind", STORES)
def test_told_twice_it_is_evidence_once(kind: str, tmp_path: Path) -> None:
    place = place_of(kind, tmp_path)
    with remembering(place) as memory:
        with_stars(memory, "Sleep")
        for at in (None, NOON - DAY, NOON - DAY):
            memory.learn("Sleep comes late.", source="diary", at=at)
            assert memory.stats().items["evidence"] == 1
        memory.learn_many(["Sleep comes late.", "Sleep comes late."])
        memory.learn("SLEEP comes late.", tags=["night"])
        assert memory.stats().items["evidence"] == 1
        assert memory.verify().ok


def test_two_texts_at_one_time_are_two_items() -> None:
    store = InMemoryStore()
    with remembering(store) as memory:
        with_stars(memory, "Sleep", "Mood")
        memory.learn_many([{"content": f"Sleep lifts mood {each}", "at": NOON} for each in ("much", "little")])
        memory.learn("Sleep lifts mood not at all", at=NOON)
        assert [each[4] - told(store)[0][4] for each in told(store) if each[:2] == ("mood", "sleep")] == [0, 1, 2]  # type: ignore[operator]
        assert memory.link("mood", "sleep").evidence.raw == 3


def test_named_blocks_and_actors_are_named_and_what_is_gone_is_not() -> None:
    with remembering(InMemoryStore()) as memory:
        tell_five(memory)
        tea = memory.learn("It is Ada's favourite.", name="Green tea")
        named = memory.learn("Ann and Bo drank green tea under the Bell.")
        assert named.mentions == ("ann", "bo", tea.id, "bell")
        memory.forget(tea.id)
        assert memory.learn("Green tea again, said Ann.").mentions == ("ann",)
        memory.restore(tea.id)
        better = memory.edit(tea.id, "It is Ada's and Bo's favourite.")
        assert memory.learn("Once more green tea.").mentions == (better.id,)
        assert memory.learn("Green tea is a tea.", name="Green tea").mentions == (better.id,)


def test_a_text_names_no_narrative() -> None:
    with remembering(InMemoryStore()) as memory:
        tell_five(memory)
        (narrative, *_) = memory.nodes(kinds=["narrative"])
        assert memory.learn(f"Again: {narrative.name}").mentions == ()


def test_the_name_of_a_block_means_what_took_its_place_in_a_text_and_nothing_in_a_transcript() -> None:
    store = InMemoryStore()
    with remembering(store) as memory:
        with_stars(memory, "Boat")
        tea = memory.learn("Green leaves", name="Tea").id
        heir = memory.learn("Leaves of green").id
        merged = dreamed(memory._async._live.now(), duplicates=[f"{tea} {heir}"])
        memory._async._live.write(lambda _: [merged])
        assert memory.learn("Tea goes into the boat").mentions == (heir, "boat")
        lines = [(0, "Ann", "I put the Tea into Ann's Boat."), (1, "DM", "The Boat rocks.")]
        memory.read_transcript(
            lines, session="One", actors=[Actor("ann", "Ann")], responders=["DM"], started_at=NOON - DAY
        )
        read = [stored.item.payload for stored in store.items("me") if "reading" in stored.item.payload]
        assert {(each["a"], each["b"]) for each in read} == {("ann", "boat")}


def test_a_name_that_was_forgotten_leaves_it_to_others() -> None:
    with remembering(InMemoryStore()) as memory:
        first = memory.learn("0, the first.", name="Tea")
        memory.forget(first.id)
        second = memory.learn("The second.", name="Tea")
        assert memory.learn("A cup of tea").mentions == (second.id,)


def test_names_of_one_batch_are_known_to_all_of_it_and_a_text_does_not_name_itself() -> None:
    with remembering(InMemoryStore()) as memory:
        rows = [{"content": "The Ferryman rows."}, {"content": "The ferryman is old.", "name": "Ferryman"}]
        first, second = memory.learn_many(rows)
        assert (first.mentions, second.mentions) == ((second.id,), ())
        again = memory.learn_many([{"content": "The ferryman is old.", "name": "Old man"}, {"content": "An old man."}])
        assert again[1].mentions == ()  # a block keeps its first name


@pytest.mark.parametrize("name", ["It", "84727e0bf7d54a2c", "7"])
def test_names_that_tell_nothing_are_not_looked_for(name: str) -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn("Something.", name=name)
        assert memory.learn(f"Is it {name}?").mentions == ()


def test_a_level_is_named_by_symbol_and_price() -> None:
    store = InMemoryStore()
    with remembering(store) as memory:
        memory.feed("X-RAY", market(STARTED), lateness=0)
        with_stars(memory, "Savings")
        note = memory.learn("If x-ray is at 100.02 again, sell for the savings.")
        assert note.mentions == ("savings", "X-RAY@100.0")
        assert memory.learn("X-RAY 105, and 100").mentions == ()
        assert memory.learn("X-RAY").mentions == ()
        assert frozenset(("X-RAY@100.0", "savings")) in pairs(store)
        assert memory.link("X-RAY@100.0", note.id).strength > 0
        assert memory.verify().ok


def test_a_text_has_so_many_names_and_the_rest_is_counted() -> None:
    with remembering(InMemoryStore(), parameters={"text_names_max": 2}) as memory:
        with_stars(memory, "Ant", "Bee", "Cat", "Dog")
        receipt = memory.learn("Dog, cat, bee, ant")
        assert (receipt.mentions, receipt.names_dropped) == (("dog", "cat"), 2)
        assert memory.stats().items["evidence"] == 3
    with remembering(InMemoryStore(), parameters={"text_names_max": 0}) as memory:
        with_stars(memory, "Ant")
        assert memory.learn("An ant.").mentions == ()
        assert memory.dream().mentions == 0


def test_an_edit_tells_what_the_old_wording_did_not() -> None:
    store = InMemoryStore()
    with remembering(store) as memory:
        with_stars(memory, "Sleep", "Mood")
        old = memory.learn("Sleep is short.")
        new = memory.edit(old.id, "Sleep is short, and the mood is low.", source="mended")
        fresh = [each for each in told(store) if each[2] == "mended"]
        assert {frozenset(each[:2]) for each in fresh} == {frozenset((new.id, "mood")), frozenset(("mood", "sleep"))}
        assert {link.b for link in memory.links(new.id)} == {"sleep", "mood"}
        memory.edit(new.id, "sleep is short, and the mood is low.")  # other capitals: the same block
        assert len(told(store)) == 3


def test_a_dream_tells_of_names_that_came_later() -> None:
    store, clock = InMemoryStore(), HandClock(NOON)
    with remembering(store, clock=clock) as memory:
        note = memory.learn("The lantern hums near X 100, said Ann.", source="diary")
        assert note.mentions == ()
        assert memory.dream().mentions == 0
        with_stars(memory, "Lantern")
        memory.feed("X", market(STARTED), lateness=0)
        clock.now = LATER
        assert memory.dream().mentions == 3
        assert {(source, block) for _, _, source, block, _ in told(store)} == {("diary", note.id)}
        assert pairs(store) == {
            frozenset(each) for each in ((note.id, "lantern"), (note.id, "X@100.0"), ("lantern", "X@100.0"))
        }
        assert memory.dream().mentions == 0
        said = [("Ann", "I go."), ("DM", "You go.")]
        lines = [{"line_index": place, "author_name": who, "content": what} for place, (who, what) in enumerate(said)]
        memory.read_transcript(lines, session="s", started_at=NOON)
        assert memory.dream().mentions == 3  # Ann, with all three
        assert memory.verify().ok
    with remembering(store, clock=clock) as again:
        assert again.dream().mentions == 0


def test_a_dream_tells_nothing_of_a_pair_that_was_denied() -> None:
    with remembering(InMemoryStore()) as memory:
        note = memory.learn("The lantern hums.")
        with_stars(memory, "Lantern")
        memory.observe(note.id, "lantern", "user_creates")
        memory.deny(note.id, "lantern")
        assert memory.dream().mentions == 0


def test_what_one_dream_leaves_the_next_one_tells() -> None:
    with remembering(InMemoryStore(), parameters={"dream_mentions_max": 2, "text_names_max": 1}) as memory:
        memory.learn_many([f"The lantern and the bell, number {each}" for each in ("one", "two", "three")])
        with_stars(memory, "Lantern", "Bell")
        done = memory.dream()
        assert (done.mentions, done.mentions_left, done.names_dropped) == (2, 1, 2)
        done = memory.dream()
        assert (done.mentions, done.mentions_left) == (1, 0)
        assert "1 item of evidence by name" in str(done)


TEXTS = ("Sleep lifts mood", "The bell keeps me from sleep", "Ann rings the bell", "A bell in a good mood", "Rain")


@settings(max_examples=10)
@given(st.permutations(TEXTS), st.integers(1, 5))
def test_any_order_and_any_batching_give_the_same_memory(order: list[str], size: int) -> None:
    def digest(texts: list[str], size: int) -> Any:
        with remembering(InMemoryStore()) as memory:
            with_stars(memory, "Sleep", "Mood", "Bell")
            for start in range(0, len(texts), size):
                rows = [{"content": each, "at": NOON - DAY * TEXTS.index(each)} for each in texts[start : start + size]]
                memory.learn_many(rows)
            assert memory.verify().ok
            return memory.verify().digest

    assert digest(order, size) == digest(list(TEXTS), len(TEXTS))


def test_two_copies_that_learned_the_same_agree_when_merged(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with remembering(tmp_path / name) as memory:
            with_stars(memory, "Sleep", "Mood")
            memory.learn("Sleep lifts mood", at=NOON, source="diary")
    with remembering(tmp_path / "one") as memory:
        before = memory.verify().digest
        memory.merge(tmp_path / "two")
        assert memory.verify().digest == before


@pytest.mark.parametrize("subject", ["source:diary", "the note"])
def test_what_a_text_told_goes_with_it(subject: str) -> None:
    store = InMemoryStore()
    with remembering(store) as memory:
        with_stars(memory, "Sleep", "Mood")
        note = memory.learn("Sleep lifts mood", source="diary")
        memory.learn("Sleep, not mood", source="other")
        gone = subject.replace("the note", note.id)
        assert memory.what_if(without=gone)
        memory.erase(gone)
        assert {(source, block != note.id) for _, _, source, block, _ in told(store)} == {("other", True)}
        assert memory.link("mood", "sleep").evidence.raw == 1
        assert memory.verify().ok


# Recall and exploration cross kinds


@pytest.fixture
def five() -> AnyMemory:
    with remembering(InMemoryStore()) as memory:
        yield tell_five(memory)


def test_recall_finds_every_kind(five: AnyMemory) -> None:
    questions = {
        "block": "why do deploys fail?",
        "star": "Lantern",
        "actor": "who is Bo?",
        "moment": "the ferry moves",
        "level": "what does X remember about 110?",
        "narrative": five.nodes(kinds=["narrative"])[0].text,
    }
    for kind, question in questions.items():
        assert kind in {hit.kind for hit in five.recall(question).hits}, kind


def test_a_question_that_names_a_symbol_and_a_price_finds_the_level(five: AnyMemory) -> None:
    answer = five.recall("what does X remember about 110?", k=3)
    best = answer.hits[0]
    assert (best.id, best.kind, best.name) == ("X@110.0", "level", "X 110")
    assert best.text.startswith("X remembers 110 with strength 0.")
    assert set(best.signals) == {"symbol_named", "price_near", "level_strength"}
    for hit in answer.hits:
        assert sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-9)
    assert five.why(best).total == best.score
    assert [hit.score for hit in answer.hits] == sorted((hit.score for hit in answer.hits), reverse=True)
    assert len(answer.hits) == 5  # three, and both levels


def test_levels_are_found_by_their_symbol_alone_and_by_no_other_word(five: AnyMemory) -> None:
    def levels(question: str, **only: Any) -> list[str]:
        return [hit.id for hit in five.recall(question, **only).hits if hit.kind == "level"]

    assert set(levels("what of X?")) == {"X@100.0", "X@110.0"}
    assert levels("what of x?") == []
    assert levels("x at 100?")[0] == "X@100.0"
    assert levels("what of 100?") == levels("what of XY 100?") == []
    assert levels("X 100", kinds=["block"]) == levels("X 100", tags=["ops/cache"]) == []
    assert levels("X 100", until=STARTED - DAY) == []
    assert levels("X 100", budget_tokens=1) == []
    assert len(five.recall("X 100", kinds=["level"]).hits) == 2


def test_so_many_levels_of_a_symbol_and_a_word_about_the_rest() -> None:
    with remembering(InMemoryStore(), parameters={"recall_levels_max": 1}) as memory:
        tell_five(memory)
        answer = memory.recall("X 110", kinds=["level"])
        assert [hit.id for hit in answer.hits] == ["X@110.0"]
        assert answer.notes[-1] == "X has 2 levels: 1 of them were looked at (levels gives all)"
    with remembering(InMemoryStore(), parameters={"recall_levels_max": 0}) as memory:
        assert not tell_five(memory).recall("X 110", kinds=["level"]).hits


def test_levels_are_recalled_as_they_were(five: AnyMemory) -> None:
    past = five.as_of(STARTED - DAY / 2)
    assert not past.recall("X 100", kinds=["level"]).hits
    assert five.recall("X 100", kinds=["level"]).hits


def test_a_level_that_a_note_names_is_reached_from_the_note_and_back(five: AnyMemory) -> None:
    note = five.learn("Sell the boat money when X 100 comes back; ask Ann.")
    five.observe(note.id, "X@100.0", "user_confirms")
    (level,) = [hit for hit in five.recall("when do I sell the boat?").hits if hit.kind == "level"]
    assert level.id == "X@100.0"
    assert any(each.kind == "evidence" and each.source == note.id for each in level.links)
    (level,) = [hit for hit in five.recall("sell the boat money when X 100 comes?").hits if hit.id == "X@100.0"]
    assert {"evidence", "symbol_named", "price_near"} <= set(level.signals)
    assert sum(level.signals.values()) == pytest.approx(level.score, abs=1e-9)
    assert level.text.startswith("X remembers 100")


def test_a_walk_goes_from_a_block_by_a_connection_to_a_star_to_a_moment(five: AnyMemory) -> None:
    note = five.learn("Quarterly figures hang on the lantern.")
    five.observe(note.id, "lantern", "user_confirms")
    found = five.explore("the lantern in the ferry", start=note.id, learn=False)
    moments = [each for each in found.found if each.id.startswith("the-ferry/")]
    assert moments
    assert any(each.path[0].startswith(f"{min(note.id, 'lantern')}~") for each in moments)
    assert SESSION in five.sessions()


def test_a_walk_goes_over_a_level_that_something_was_said_of(five: AnyMemory) -> None:
    notes = [five.learn(text) for text in ("We sell it when X 100 comes back.", "Then paint the attic.")]
    for note in notes:
        five.observe(note.id, "X@100.0", "user_confirms")
    found = five.explore("X 100: paint the attic", start=notes[0].id, learn=False)
    (attic,) = [each for each in found.found if each.id == notes[1].id]
    assert any("X@100.0" in link for link in attic.path)


def test_many_texts_without_names_cost_nothing_and_give_nothing() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn_many([f"text {each}" for each in range(100)])
        memory.dream()
        assert "evidence" not in memory.stats().items


@pytest.mark.parametrize("kind", STORES)
def test_what_could_not_be_learned_takes_nobodys_name(kind: str, tmp_path: Path) -> None:
    with remembering(place_of(kind, tmp_path)) as memory:
        with_stars(memory, "Zest")  # greater than every id of a block, which is hexadecimal
        assert memory.learn("Zest one").mentions == ("zest",)
        with pytest.raises(InputError, match="future"):
            memory.learn("of tomorrow", name="Zest", at=NOON + DAY)
        assert memory.learn("Zest two").mentions == ("zest",)


def test_what_was_erased_takes_nobodys_name() -> None:
    with remembering(InMemoryStore()) as memory:
        with_stars(memory, "Zest")
        fact = {"content": "not to be kept", "name": "Zest", "at": NOON - DAY}
        memory.erase(memory.learn_many([fact])[0].id)
        first, second = memory.learn_many([fact, "something else"], skip_erased=True)
        assert (first.status, second.status) == ("erased", "new")
        assert memory.learn("Zest two").mentions == ("zest",)


def test_no_name_of_what_was_erased_is_held() -> None:
    with remembering(InMemoryStore()) as memory:
        with_stars(memory, "Tea")
        memory.learn("A cup of tea")
        assert memory._async._live.of_names is not None
        memory.erase("tea")
        assert memory._async._live.of_names is None


def test_a_name_is_found_however_its_letters_are_written() -> None:
    with remembering(InMemoryStore()) as memory:
        with_stars(memory, "Zoë", "Straße")
        assert memory.learn(unicodedata.normalize("NFD", "Zoë was here")).mentions == ("zoë",)
        assert memory.learn("IN DER STRASSE").mentions == ("strasse",)


def test_the_next_free_moment_is_not_looked_for_from_the_start_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts of one moment that name the same two stars tell of them one moment after the other."""
    tried: list[int] = []

    def counted(item: Item, *, at: int) -> Item:
        tried.append(at)
        return moved(item, at=at)

    monkeypatch.setattr(naming, "moved", counted)
    with remembering(InMemoryStore()) as memory:
        with_stars(memory, "Sleep", "Mood")
        memory.learn_many([{"content": f"Sleep, mood, {place}", "at": NOON - DAY} for place in range(300)])
        assert memory.link("sleep", "mood").evidence.raw == 300
        assert memory.stats().items["evidence"] == 900
        assert len(tried) < 900  # it was 44,850


@pytest.mark.parametrize("anew", [False, True])
def test_a_dream_tells_of_names_whether_the_memory_was_opened_anew_or_not(anew: bool, tmp_path: Path) -> None:
    """A text that was away when its name came is told of when it is back; and what was erased and came anew."""
    place = tmp_path / "memory.db"

    def opened(memory: AnyMemory | None) -> AnyMemory:
        if memory is not None and not anew:
            return memory
        if memory is not None:
            memory.close()
        return remembering(place).__enter__()

    memory = opened(None)
    note = memory.learn("Sleep is a note").id
    memory.dream()
    memory.forget(note)
    with_stars(memory, "Sleep")
    assert memory.dream().mentions == 0
    memory.restore(note)
    memory = opened(memory)
    assert (memory.dream().mentions, memory.dream().mentions) == (1, 0)
    memory.erase("sleep")
    memory.add_star("Sleep", domain="soul")
    memory = opened(memory)
    assert (memory.dream().mentions, memory.dream().mentions) == (1, 0)
    memory.close()


def test_names_of_stars_take_no_room_from_what_is_alike() -> None:
    """A note that names five stars in the first week is still linked to its like by a dream."""
    stars = [f"Star {letter}" for letter in "abcde"]
    with remembering(InMemoryStore(), embedder=by_hand({"note": at_cosine(1.0), "jot": at_cosine(0.8)})) as memory:
        with_stars(memory, *stars)
        first = memory.learn(f"note of {', '.join(stars)}")
        second = memory.learn("a jot")
        assert len(first.mentions) == 5
        assert memory.dream().edges_created == 1
        assert memory.why_not(first.id, second.id).gate == "linked"
