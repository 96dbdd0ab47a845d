"""Facts that change: told again, corrected, valid for a while, values of slots; on both stores, merged and erased."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from asterism.core.connections.model import Verify
from asterism.engine.memory import Memory
from asterism.errors import AsterismError, InputError, UnknownError
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import DAY, NOON, AnyMemory, HandClock, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of

BERLIN, PARIS, ROME = "I live in Berlin.", "I live in Paris.", "I live in Rome."


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def sound(memory: AnyMemory) -> str:
    verified: Verify = memory.verify()
    assert verified.ok, verified.differences
    return verified.digest


def held(memory: AnyMemory, slot: str = "home") -> list[tuple[str, datetime, datetime | None]]:
    return [(each.text, each.begin, each.end) for each in memory.history(slot)]


# Occurrences


def test_the_same_words_of_another_day_are_another_occurrence(place: Place) -> None:
    with remembering(place) as memory:
        days = [NOON - 3 * DAY, NOON - DAY, NOON - 2 * DAY]
        told = [memory.learn("Had a headache.", at=day) for day in days]
        assert [each.status for each in told] == ["new", "again", "again"]
        assert memory.learn("had a HEADACHE.", at=days[0]).status == "duplicate"
        block = memory.block(told[0].id)
        assert (block.first_at, block.at, block.times) == (days[0], days[1], 3)
        assert [each.at for each in block.occurrences] == sorted(days)
        notes = memory.why(block.id).notes
        assert "told 3 times" in notes
        assert sum(block.occurrences[1].item in note for note in notes) == 1
        for since, until, found in ((days[2], days[2], 1), (days[1], None, 1), (NOON, None, 0), (None, days[0], 1)):
            assert len(memory.recall("headache", since=since, until=until).hits) == found
        sound(memory)


def test_words_told_again_within_minutes_are_a_duplicate(place: Place) -> None:
    clock = HandClock(NOON)
    with remembering(place, clock=clock) as memory:
        tea = memory.learn("Tea.", source="ann").id
        clock.now += timedelta(minutes=20)
        items = memory.verify().items
        assert memory.learn("Tea.", source="ann").status == "duplicate"
        assert memory.verify().items == items
        assert memory.learn("Tea.", source="ann", tags=["warm"]).status == "duplicate"
        assert (memory.block(tea).tags, memory.block(tea).times) == (("warm",), 1)
        assert memory.learn("Tea.", source="bob").status == "again"
        assert memory.learn("Tea.", source="ann", slot="drink").status == "again"
        clock.now += timedelta(minutes=31)
        assert memory.learn("Tea.", source="ann").status == "again"
        assert memory.block(tea).times == 4
        sound(memory)


def test_two_sources_of_one_time_are_one_occurrence(place: Place) -> None:
    with remembering(place) as memory:
        told = [memory.learn("Tea.", at=NOON - DAY, source=source) for source in ("ann", "bob", "ann")]
        assert [each.status for each in told] == ["new", "again", "duplicate"]
        (once,) = memory.block(told[0].id).occurrences
        assert once.sources == ("ann", "bob")


def test_two_who_say_the_same_are_two_occurrences(place: Place) -> None:
    with remembering(place) as memory:
        rows = [{"content": "Yes.", "conversation": "c", "speaker": speaker} for speaker in ("Ann", "Bob", "Ann")]
        told = memory.learn_many(rows)
        assert [each.status for each in told] == ["new", "again", "duplicate"]
        assert [each.speaker for each in memory.block(told[0].id).occurrences] == ["Ann", "Bob"]


# Told again after a correction


@pytest.mark.parametrize("correct", ["edit", "forget"])
def test_what_is_told_anew_after_a_correction_is_back(place: Place, correct: str) -> None:
    clock = HandClock(NOON)
    with remembering(place, clock=clock) as memory:
        paris = memory.learn(PARIS).id
        clock.now += timedelta(minutes=1)
        memory.edit(paris, BERLIN) if correct == "edit" else memory.forget(paris)
        clock.now += timedelta(minutes=1)
        told = memory.learn(PARIS)
        assert told.status == "again"
        assert "is back" in told.note
        block = memory.block(paris)
        assert (block.status, len(block.away), block.times) == ("inbox", 1, 2)
        assert memory.recall("Paris").hits[0].id == paris
        assert len(memory.as_of(NOON + timedelta(minutes=1, seconds=1)).blocks()) == (1 if correct == "edit" else 0)
        sound(memory)


def test_an_import_again_is_no_telling(place: Place) -> None:
    clock = HandClock(NOON)
    with remembering(place, clock=clock) as memory:
        rows = [{"content": PARIS, "source": "notes"}, {"content": "Tea.", "source": "notes"}]
        memory.learn_many(rows, imported=True)
        memory.forget(memory.learn(PARIS, source="notes").id)
        clock.now += DAY
        items = memory.verify().items
        assert [each.status for each in memory.learn_many(rows, imported=True)] == ["duplicate"] * 2
        assert memory.verify().items == items
        assert [each.content for each in memory.blocks()] == ["Tea."]
        assert [each.status for each in memory.learn_many(rows)] == ["again"] * 2


def test_what_was_erased_is_an_error_alone_and_among_many(place: Place) -> None:
    with remembering(place) as memory:
        memory.erase(memory.learn(PARIS, at=NOON - DAY).id)
        items = memory.verify().items
        for rows in ([{"content": PARIS, "at": NOON - DAY}], [BERLIN, {"content": PARIS, "at": NOON - DAY}]):
            with pytest.raises(InputError) as refused:
                memory.learn_many(rows)
            assert refused.value.code == "erased"
            assert refused.value.row == (2 if len(rows) == 2 else None)
        assert memory.verify().items == items
        left = memory.learn_many([BERLIN, {"content": PARIS, "at": NOON - DAY}], skip_erased=True)
        assert [each.status for each in left] == ["new", "erased"]


# Validity


def test_a_slot_has_one_value_at_a_time(place: Place) -> None:
    with remembering(place) as memory:
        days = [NOON - day * DAY for day in (30, 20, 10)]
        for text, day in zip((BERLIN, PARIS, BERLIN), days, strict=True):
            memory.learn(text, slot="home", at=day)
        wanted = [(BERLIN, days[0], days[1]), (PARIS, days[1], days[2]), (BERLIN, days[2], None)]
        assert held(memory) == held(memory.as_of(NOON)) == wanted
        assert held(memory.as_of(days[1])) == [(BERLIN, days[0], days[1]), (PARIS, days[1], None)]
        late = NOON - 25 * DAY
        memory.learn(ROME, slot="home", at=late)  # fits in between
        assert held(memory)[:3] == [(BERLIN, days[0], late), (ROME, late, days[1]), (PARIS, days[1], days[2])]
        paris = next(block for block in memory.blocks() if block.content == PARIS)
        assert (paris.current, paris.valid_until, paris.slot) == (False, days[2], "home")
        memory.forget(next(block.id for block in memory.blocks() if block.content == BERLIN))
        assert held(memory)[-1] == (BERLIN, days[2], memory.history("home")[-1].end)
        assert not any(each.current for each in memory.history("home"))  # what ended does not come back
        sound(memory)


def test_what_was_erased_of_a_slot_was_never_told(place: Place) -> None:
    with remembering(place) as memory:
        memory.learn(BERLIN, slot="home", at=NOON - 3 * DAY)
        paris = memory.learn(PARIS, slot="home", at=NOON - 2 * DAY).id
        rome = memory.learn(ROME, replaces=paris, at=NOON - DAY).id
        assert held(memory)[-1][1:] == (NOON - 2 * DAY, NOON - DAY)
        assert memory.what_if(without=paris).trimmed_items == 1  # what said that it replaced it
        memory.erase(paris)
        assert held(memory) == [(BERLIN, NOON - 3 * DAY, None)]
        assert memory.block(rome).occurrences[0].replaces == ""
        sound(memory)
        assert memory.doctor().ok


def test_erasing_one_telling_leaves_the_others(place: Place) -> None:
    with remembering(place) as memory:
        tea = memory.learn("Tea.", at=NOON - 3 * DAY).id
        memory.learn("Tea.", at=NOON - DAY, slot="drink")
        (_, last) = memory.block(tea).occurrences
        memory.erase(last.item)
        assert (memory.block(tea).times, memory.history("drink")) == (1, [])
        sound(memory)


def test_an_edit_of_the_value_of_a_slot_is_its_value(place: Place) -> None:
    with remembering(place) as memory:
        old = memory.learn(PARIS, slot="home", at=NOON - 3 * DAY, expires=NOON + 9 * DAY).id
        memory.edit(old, ROME, at=NOON - DAY)
        assert held(memory) == [(PARIS, NOON - 3 * DAY, NOON - DAY), (ROME, NOON - DAY, NOON + 9 * DAY)]
        memory.learn(BERLIN, slot="home")
        memory.edit(old, "I live in Rome, Italy.")  # what has ended does not begin again by an edit
        assert [text for text, _, end in held(memory) if end is None] == [BERLIN]
        sound(memory)


def test_what_replaces_ends_what_it_replaces(place: Place) -> None:
    with remembering(place) as memory:
        paris = memory.learn(PARIS, at=NOON - 3 * DAY, name="Home").id
        receipts = memory.learn_many(
            [{"content": BERLIN, "replaces": "Home", "at": NOON - DAY}, {"content": ROME, "name": "City"}]
        )
        block = memory.block(paris)
        assert (block.current, block.valid_until) == (False, NOON - DAY)
        assert memory.block(receipts[0].id).current
        together = [{"content": "Tea at four.", "name": "T"}, {"content": "Tea at five.", "replaces": "T"}]
        four, five = (each.id for each in memory.learn_many(together))
        assert (memory.block(four).current, memory.block(five).current) == (False, True)
        sound(memory)


def test_ends_may_lie_in_the_future(place: Place) -> None:
    clock = HandClock(NOON)
    with remembering(place, clock=clock) as memory:
        memory.learn(BERLIN, slot="home", valid_until=NOON + 20 * DAY)
        paris = memory.learn(PARIS, slot="home", valid_from=NOON + 10 * DAY, expires="2027-01-01").id
        assert memory.block(paris).current is False
        assert memory.block(paris).expires == datetime(2027, 1, 1, 23, 59, 59, 999999, tzinfo=UTC)
        clock.now += 11 * DAY
        assert memory.block(paris).current is True
        assert memory.block(memory.learn(BERLIN, at=NOON).id).current is False


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"replaces": "nobody"}, "unknown_block"),
        ({"replaces": 5}, "bad_text"),
        ({"valid_until": NOON - 2 * DAY, "at": NOON - DAY}, "bad_span"),
        ({"valid_from": NOON + DAY, "valid_until": NOON}, "bad_span"),
        ({"expires": NOON - 2 * DAY, "at": NOON - DAY}, "bad_span"),
        ({"at": NOON + DAY}, "future_time"),
        ({"slot": " "}, "bad_text"),
        ({"slot": 5}, "bad_text"),
        ({"valid_from": "1850-01-01"}, "bad_time"),
        ({"expires": "soon"}, "bad_time"),
    ],
)
def test_what_cannot_be_is_refused_alone_and_with_its_row(place: Place, wrong: dict[str, object], code: str) -> None:
    with remembering(place) as memory:
        items = memory.verify().items
        for rows in ([{"content": PARIS, **wrong}], [BERLIN, {"content": PARIS, **wrong}]):
            with pytest.raises(AsterismError) as refused:
                memory.learn_many(rows)
            assert (refused.value.code, refused.value.row) == (code, 2 if len(rows) == 2 else None)
            assert isinstance(refused.value, UnknownError if code == "unknown_block" else InputError)
            assert is_told_well(refused.value)
        assert memory.verify().items == items


def test_nothing_replaces_itself(place: Place) -> None:
    with remembering(place) as memory:
        paris = memory.learn(PARIS).id
        with pytest.raises(InputError) as refused:
            memory.learn(PARIS, replaces=paris)
        assert refused.value.code == "bad_replaces"


def test_copies_that_were_told_different_things_converge(tmp_path: Path) -> None:
    ways = []
    for first, second in (("a", "b"), ("b", "a")):
        here = tmp_path / first
        here.mkdir()
        with Memory.open_sync(here / "a.db", space="me", clock=lambda: NOON) as one:
            paris = one.learn(PARIS, slot="home", at=NOON - 9 * DAY).id
            one.learn("Had a headache.", at=NOON - 8 * DAY)
            one.export(here / "copy.jsonl")
            one.learn(BERLIN, slot="home", at=NOON - 5 * DAY)
            one.forget(paris, at=NOON - 4 * DAY)
            one.pin(one.learn("Had a headache.", at=NOON - 3 * DAY).id)
        with Memory.open_sync(here / "b.db", space="me", clock=lambda: NOON) as other:
            other.import_(here / "copy.jsonl")
            other.learn(ROME, slot="home", at=NOON - 7 * DAY, replaces=paris)
            other.learn(PARIS, at=NOON - 2 * DAY, source="other")
            other.learn("Had a headache.", at=NOON - 3 * DAY, source="other", tags=["health"])
        with Memory.open_sync(here / f"{first}.db", space="me", clock=lambda: NOON) as memory:
            memory.merge(here / f"{second}.db")
            assert [text for text, _, _ in held(memory)] == [PARIS, ROME, BERLIN]
            (ache,) = [block for block in memory.blocks() if "headache" in block.content]
            assert (ache.times, ache.pinned, ache.tags) == (2, True, ("health",))
            assert paris in {block.id for block in memory.blocks()}  # told later than it was forgotten
            ways.append(sound(memory))
    assert ways[0] == ways[1]


def test_a_pin_is_undone(place: Place) -> None:
    with remembering(place) as memory:
        tea = memory.learn("Tea.").id
        assert memory.pin(tea).pinned
        assert not memory.pin(tea, on=False).pinned
        assert memory.pin(tea).pinned
        assert memory.as_of(NOON - DAY).block(tea) is None
        sound(memory)
        with pytest.raises(UnknownError):
            memory.pin("nobody")


def test_many_tellings_of_the_past_are_one_fold_each() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn_many(
            {"content": f"Fact {number % 50}.", "at": NOON - number * DAY} for number in range(500, 0, -1)
        )
        for number in range(500, 460, -1):
            memory.learn(f"Fact {number % 50}.", at=NOON - number * DAY + timedelta(hours=1))
        assert sum(block.times for block in memory.blocks()) == 540
        sound(memory)
