"""What is told of blocks: learned, edited, forgotten, used, how it went; sessions; and everything that can go wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from math import exp
from pathlib import Path

import pytest

from asterism.core.connections.model import Verify
from asterism.core.recall.model import Answer
from asterism.engine.memory import Memory
from asterism.errors import AsterismError, InputError, ReadOnlyError, UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.store.sqlite import SQLiteStore
from tests.support.memories import DAY, FACTS, NOON, AnyMemory, HandClock, contents, is_told_well, remembering
from tests.support.stores import STORES, Place, place_of
from tests.support.work import lines_run

NASTY = ["'; DROP TABLE ledger; --", "<script>alert(1)</script>", "{{7*7}} %s {0} \\n", "日本語 עברית 🐟", "a~b#c@d"]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def whole(memory: AnyMemory) -> str:
    verified: Verify = memory.verify()
    assert verified.ok, verified.differences
    return verified.digest


# Learning


def test_a_text_is_learned_under_the_hash_of_its_words(place: Place) -> None:
    with remembering(place) as memory:
        receipt = memory.learn("  Tea is GREEN. \r\n", tags=["b", "a ", "b"], category="drink", source="Ada")
        assert receipt.id == hashlib.sha256(b"tea is green.").hexdigest()[:16]
        assert receipt.status == "new"
        block = memory.block(receipt.id)
        assert (block.content, block.tags, block.category) == ("Tea is GREEN.", ("a", "b"), "drink")
        assert (block.sources, block.status, block.at) == (("Ada",), "inbox", NOON)
        assert memory.block("0" * 16) is None


def test_the_same_text_again_is_one_block_that_knows_more(place: Place) -> None:
    with remembering(place) as memory:
        first = memory.learn("Tea is green.", tags=["hot"], category="drink")
        again = memory.learn("tea is green. ", tags=["cup"], category="other", source="Bob")
        assert (again.id, again.status) == (first.id, "again")
        assert "first category" in again.note
        (block,) = memory.blocks()
        assert (block.tags, block.category, block.sources) == (("cup", "hot"), "drink", ("Bob",))
        items = memory.verify().items
        assert memory.learn("Tea is green.", tags=["hot"]).status == "duplicate"
        assert memory.verify().items == items  # nothing new was said
        whole(memory)


def test_what_was_told_of_a_time_by_nobody_named_is_known_after_others_told_it_too(place: Place) -> None:
    with remembering(place, clock=NOON + DAY) as memory:
        memory.learn("Had a headache.", at=NOON)
        by_ann = memory.learn("Had a headache.", at=NOON, source="ann")
        assert (by_ann.status, by_ann.note.partition(":")[0]) == ("again", "told by somebody else too")
        for source in (None, "ann"):
            assert memory.learn("Had a headache.", at=NOON, source=source).status == "duplicate"
        later = memory.learn("Had a headache.", at=NOON + DAY)
        assert (later.status, later.note.partition(":")[0]) == ("again", "told 2 times")
        found = memory.block(later.id)
        assert found is not None
        assert found.times == 2
        assert memory.verify().items == 3


def test_many_copies_of_one_text_are_one_block(place: Place) -> None:
    with remembering(place) as memory:
        receipts = memory.learn_many(["Tea is green."] * 1_000)
        assert [receipts[0].status, receipts[1].status, receipts[-1].status] == ["new", "duplicate", "duplicate"]
        assert (len(memory.blocks()), memory.verify().items) == (1, 1)
        assert memory.dream().promoted == 1


def test_twice_as_many_copies_of_one_text_are_twice_the_work() -> None:
    assert lines_to_learn(2_000) < 2.5 * lines_to_learn(1_000)


def lines_to_learn(copies: int) -> int:
    with remembering(InMemoryStore()) as memory:
        return lines_run(lambda: memory.learn_many(["Tea is green."] * copies))


def test_many_texts_are_learned_whole_or_not_at_all(place: Place) -> None:
    with remembering(place) as memory:
        with pytest.raises(InputError):
            memory.learn_many(["Tea is green.", {"content": "Coffee is black.", "tags": "hot"}])
        assert memory.blocks() == []
        with pytest.raises(InputError):
            memory.learn_many([*FACTS, {"content": "Late.", "at": NOON + DAY}])
        assert memory.blocks() == []
        assert len({receipt.id for receipt in memory.learn_many(FACTS)}) == len(FACTS)


def test_what_is_told_together_keeps_its_order(place: Place) -> None:
    with remembering(place) as memory:
        memory.learn_many([{"content": fact, "conversation": "one", "speaker": "Ada"} for fact in FACTS])
        assert [block.content for block in memory.blocks()] == FACTS
        assert [block.at for block in memory.blocks()] == sorted({block.at for block in memory.blocks()})


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"content": ""}, "bad_text"),
        ({"content": " \r\n\t "}, "bad_text"),
        ({"content": 5}, "bad_text"),
        ({"content": b"tea"}, "bad_text"),
        ({"content": "x" * 10_000_000}, "bad_text"),
        ({"content": "tea \ud800"}, "bad_text"),
        ({"content": "tea \x00"}, "bad_text"),
        ({"tags": "hot"}, "bad_text"),
        ({"tags": None}, "bad_text"),
        ({"tags": [5]}, "bad_text"),
        ({"tags": ["a\nb"]}, "bad_text"),
        ({"tags": [""]}, "bad_text"),
        ({"category": "\ud800"}, "bad_text"),
        ({"name": "a\x1b[0m"}, "bad_text"),
        ({"source": "\x00"}, "bad_text"),
        ({"source": 5}, "bad_text"),
        ({"conversation": ["a"]}, "bad_text"),
        ({"speaker": 1.5}, "bad_text"),
        ({"at": NOON + DAY}, "future_time"),
        ({"at": datetime(2026, 1, 1)}, "naive_time"),  # noqa: DTZ001 # the fault under test
        ({"at": datetime(1800, 1, 1, tzinfo=UTC)}, "bad_time"),
    ],
)
def test_what_cannot_be_learned_is_said_and_leaves_nothing(how: dict[str, object], code: str) -> None:
    with remembering(InMemoryStore()) as memory:
        with pytest.raises(AsterismError) as refused:
            memory.learn(**{"content": "Tea.", **how})
        assert refused.value.code == code
        assert is_told_well(refused.value)
        assert len(str(refused.value)) < 1_000
        assert memory.blocks() == []


@pytest.mark.parametrize("rows", ["Tea.", {"content": "Tea."}, 5, [5], [{"text": "Tea."}], [("Tea.", "hot")], [None]])
def test_what_is_no_list_of_facts_is_said(rows: object) -> None:
    with remembering(InMemoryStore()) as memory:
        with pytest.raises(InputError) as refused:
            memory.learn_many(rows)
        assert refused.value.code == "bad_fact"
        assert is_told_well(refused.value)


@pytest.mark.parametrize("text", NASTY)
def test_every_field_takes_any_text_as_text(place: Place, text: str) -> None:
    with remembering(place) as memory:
        fields = dict.fromkeys(["category", "name", "source", "conversation", "speaker"], text)
        learned = memory.learn(text, tags=[text], **fields)
        other = memory.learn(f"{text} and more", source=text)
        memory.outcome([learned.id, other.id], 1.0, source=text)
        memory.used([learned.id], session=text, source=text)
        memory.begin_session(text)
        memory.end_session(text)
        memory.dream()
        hits = memory.recall(text, tags=[text], category=text, source=text, intention=text).hits
        assert [hit.text for hit in hits] == [text]
        assert memory.block(learned.id).name == " ".join(text.split())
        memory.edit(learned.id, f"{text}!")
        whole(memory)


def test_crlf_and_lf_are_one_text(place: Place) -> None:
    with remembering(place) as memory:
        assert memory.learn("one\r\ntwo\rthree").id == memory.learn("one\ntwo\nthree").id
        assert memory.recall("one\r\ntwo", intention="a\r\nb").hits[0].text == "one\ntwo\nthree"


# Correcting and forgetting


def test_what_was_edited_away_comes_back_by_a_later_telling_alone(place: Place) -> None:
    with remembering(place) as memory:
        old = memory.learn("The meeting is at 2pm.", tags=["work"], name="Meeting").id
        new = memory.edit(old, "The meeting is at 4pm.")
        assert (new.tags, new.name, new.status) == (("work",), "Meeting", "inbox")
        assert (memory.block(old).status, memory.block(old).superseded_by) == ("edited", new.id)
        late = memory.learn("The meeting is at 2pm.", at=NOON, source="an import")
        assert (late.status, late.note) == ("again", f"it was edited: {new.id} stands for it now")
        assert [block.content for block in memory.blocks()] == ["The meeting is at 4pm."]
        assert [hit.text for hit in memory.recall("meeting at 2pm").hits] == ["The meeting is at 4pm."]
        whole(memory)
        assert memory.edit(new.id, "The meeting is at 2pm.").id == old  # but it can be edited back
        assert [block.id for block in memory.blocks()] == [old]
        assert memory.edit(old, "the MEETING is at 2pm.").content == "the MEETING is at 2pm."
        memory.edit(old, "The meeting is at 4pm.")
        back = memory.learn("The meeting is at 2pm.")
        assert (back.status, back.note) == ("again", "it was edited on 2026-03-01, and is back")
        assert {block.id for block in memory.blocks()} == {old, new.id}
        whole(memory)


def test_what_was_put_away_at_a_time_cannot_be_corrected_of_that_time(place: Place) -> None:
    with remembering(place) as memory:
        told = memory.learn("The meeting is at 2pm.", at=NOON).id
        memory.edit(told, "The meeting is at 4pm.", at=NOON)
        memory.forget(told, at=NOON)
        items = memory.stats().items
        with pytest.raises(InputError, match="was put away at that time") as refused:
            memory.edit(told, "The meeting is at 5pm.", at=NOON)
        assert refused.value.code == "away_then"
        assert memory.stats().items == items
        whole(memory)


def test_what_was_forgotten_is_gone_at_once_until_it_is_restored(place: Place) -> None:
    with remembering(place) as memory:
        tea, coffee = (memory.learn(text).id for text in ("Tea is green.", "Coffee is black."))
        memory.outcome([tea, coffee], 0.9)
        memory.recall("tea")
        assert memory.forget(tea).status == "forgotten"
        assert tea not in [hit.id for hit in memory.recall("tea").hits]
        assert memory.links(coffee) == []
        assert memory.learn("Tea is green.", at=NOON).status == "duplicate"
        for call in (memory.forget, lambda name: memory.used(name, session="s"), lambda name: memory.edit(name, "x")):
            with pytest.raises(AsterismError) as refused:
                call(tea)
            assert "restore" in (refused.value.hint or "")
        assert memory.restore(tea).status == "inbox"
        assert memory.recall("tea").hits[0].id == tea
        with pytest.raises(InputError) as not_forgotten:
            memory.restore(tea)
        assert not_forgotten.value.code == "not_forgotten"
        whole(memory)


def test_one_thing_after_another_counts_in_that_order_while_the_clock_stands(place: Place) -> None:
    with remembering(place) as memory:
        for number in range(12):
            name = memory.learn(f"Fact {number}.").id
            assert memory.forget(name).status == "forgotten"
            assert memory.restore(name).status == "inbox"
            memory.begin_session("s")
            memory.end_session("s")
        assert memory.dream().steps == 1
        assert (len(memory.blocks(statuses=["active"])), memory.begin_session("t")) == (12, pytest.approx(0, abs=1e-6))


def test_a_day_told_by_its_date_keeps_the_order_in_which_it_was_told(place: Place) -> None:
    day = date(2026, 2, 20)
    with remembering(place) as memory:
        for number in range(12):
            name = memory.learn(f"Fact {number}.", at=day).id
            assert memory.forget(name, at=day).status == "forgotten"
            items = memory.verify().items
            whole(memory)
            assert memory.learn(f"Fact {number}.", at=day).status == "duplicate"
            assert memory.block(name).status == "forgotten"
            assert memory.verify().items == items


def test_nothing_is_said_of_a_block_before_it_was_there(place: Place) -> None:
    with remembering(place) as memory:
        name = memory.learn("Tea is green.").id
        before = contents(memory._async._live.store)
        for call in acts(memory, name, at=NOON - DAY):
            with pytest.raises(UnknownError) as refused:
                call()
            assert refused.value.code == "unknown_block"
        assert contents(memory._async._live.store) == before


def acts(memory: AnyMemory, name: str, **how: datetime) -> list[Callable[[], object]]:
    return [
        lambda: memory.edit(name, "Tea is black.", **how),
        lambda: memory.forget(name, **how),
        lambda: memory.restore(name, **how),
        lambda: memory.used([name], session="s", **how),
        lambda: memory.outcome([name], 1.0, **how),
    ]


@pytest.mark.parametrize("name", ["", "nobody", "0" * 16, 5, None, "\ud800"])
def test_writes_on_what_is_not_there_are_refused(name: object) -> None:
    with remembering(InMemoryStore()) as memory:
        for call in acts(memory, name):  # type: ignore[arg-type]  # the fault under test
            with pytest.raises(AsterismError) as refused:
                call()
            assert refused.value.code in ("unknown_block", "bad_text", "bad_ids")
            assert is_told_well(refused.value)
        assert memory.verify().items == 0


# Used, and how it went


def test_the_third_session_of_joint_use_links_two_blocks(place: Place) -> None:
    with remembering(place) as memory:
        tea, coffee = (memory.learn(text).id for text in ("Tea is green.", "Coffee is black."))
        for session in ("one", "two", "two"):
            memory.used(memory.recall("tea coffee"), session=session)
            assert memory.links() == []
        assert memory.used([tea, coffee], session="three") == sorted([tea, coffee])
        (link,) = memory.links(tea)
        assert (link.kind, link.strength, link.origin) == ("co_occurs", 0.55, "use")
        assert memory.why(link.id).total == pytest.approx(0.55, abs=1e-9)
        assert memory.used([], session="four") == memory.used(memory.recall("x", kinds=["star"]), session="x") == []
        whole(memory)


def test_an_answer_of_another_memory_is_refused_and_one_of_before_names_what_is_left(place: Place) -> None:
    with remembering(place) as memory, remembering(InMemoryStore()) as other:
        other.learn("The canary is yellow.")
        with pytest.raises(UnknownError):
            memory.used(other.recall("canary"), session="s")
        memory.learn_many(FACTS[:3])
        answer: Answer = memory.recall("garden")
        memory.forget(answer.hits[0].id)
        assert memory.used(answer, session="s") == sorted(hit.id for hit in answer.hits[1:])


def test_outcomes_link_reinforce_and_count(place: Place) -> None:
    with remembering(place) as memory:
        tea, coffee = (memory.learn(text).id for text in ("Tea is green.", "Coffee is black."))
        good = memory.outcome([tea, coffee], 0.9)
        assert [(block.outcomes, block.confidence) for block in good] == [(1, pytest.approx(1.9 / 3))] * 2
        assert memory.links(tea)[0].strength == pytest.approx(0.72)
        memory.outcome([coffee, tea], 1.0)
        assert memory.links(tea)[0].strength == pytest.approx(0.82)
        assert memory.why(tea, coffee).total == pytest.approx(0.82, abs=1e-9)
        assert memory.outcome(memory.recall("tea").hits[0], 0.0)[0].confidence < 0.9
        assert memory.why(tea).total == memory.block(tea).confidence
        for signal in (-0.1, 1.1, float("nan"), "good", None, True):
            with pytest.raises(InputError) as refused:
                memory.outcome([tea], signal)
            assert refused.value.code == "bad_signal"
        whole(memory)


# Sessions, late items, read-only


def test_blocks_age_in_sessions_alone(place: Place) -> None:
    clock = HandClock()
    with remembering(place, clock=clock) as memory:
        name = memory.learn("Tea is green.").id
        clock.now += 300 * DAY
        assert memory.begin_session("morning") == 0.0
        clock.now += timedelta(hours=2)
        assert memory.begin_session("other") == pytest.approx(2)
        assert memory.end_session("morning") == pytest.approx(2)
        clock.now += timedelta(hours=1)
        assert memory.end_session("other") == pytest.approx(3)
        clock.now += 300 * DAY
        with memory.session("later"):
            clock.now += timedelta(hours=1)
        assert memory.block(name).recency == pytest.approx(0.9607894, abs=1e-6)  # exp(-.01 x 4)
        with pytest.raises(RuntimeError), memory.session("broken"):
            raise RuntimeError
        assert memory.end_session("never begun") == pytest.approx(4)
        whole(memory)


@pytest.mark.parametrize("at", [NOON, NOON - DAY])  # of now, or late
def test_tags_beyond_the_limit_are_counted_and_told(place: Place, at: datetime) -> None:
    with remembering(place, parameters={"block_tags_max": 3}) as memory:
        assert memory.learn("Tea is green.", tags=["a", "b"], at=NOON - 2 * DAY).tags_dropped == 0
        memory.learn("Coffee is black.", at=NOON - DAY + timedelta(hours=1))
        again, twice, other = memory.learn_many(
            [
                {"content": "Tea is green.", "tags": ["a", "c", "d", "e"], "at": at - timedelta(hours=1)},
                {"content": "tea is green.", "tags": ["f"], "at": at},
                {"content": "Milk is white.", "tags": ["a"]},
            ]
        )
        assert [again.tags_dropped, twice.tags_dropped, other.tags_dropped] == [2, 1, 0]
        assert again.note.endswith("2 of its tags were dropped: a block keeps 3")
        assert twice.note.endswith("1 of its tags was dropped: a block keeps 3")
        assert memory.block(again.id).tags == ("a", "b", "c")
        assert memory.stats().names_cut == 3
        whole(memory)


def test_dropped_tags_are_counted_by_a_checkpoint_too(tmp_path: Path) -> None:
    with remembering(tmp_path / "memory.db", parameters={"block_tags_max": 1}) as memory:
        assert memory.learn("Tea is green.", tags=["a", "b", "c"]).tags_dropped == 2
        memory._async._live.checkpoint_if_due(at_least=0)
        assert memory.stats().checkpoints == 1
    with remembering(tmp_path / "memory.db") as memory:
        assert memory.stats().names_cut == 2


def test_a_session_that_was_ended_counts_whole_in_whatever_order_it_is_told(place: Place) -> None:
    begin, end = NOON - 10 * DAY, NOON - 10 * DAY + timedelta(hours=100)
    with remembering(place) as memory, remembering(InMemoryStore()) as other:
        for each in (memory, other):
            each.learn("Tea is green.", at=begin)
        assert memory.begin_session("trip", at=begin) == 0.0
        assert memory.begin_session("walk", at=end + 2 * DAY) == pytest.approx(24)  # nobody ended the first one so far
        assert memory.end_session("walk", at=end + 2 * DAY + timedelta(hours=1)) == pytest.approx(25)
        assert memory.end_session("trip", at=end) == pytest.approx(101)  # told late, it counts then
        assert memory.as_of(end - timedelta(hours=1)).blocks()[0].recency == pytest.approx(exp(-0.01 * 24))
        assert memory.as_of(end).blocks()[0].recency == pytest.approx(exp(-0.01 * 100))
        other.end_session("trip", at=end)
        other.begin_session("trip", at=begin)
        other.merge(memory._async)
        assert whole(other) == whole(memory)


def test_why_tells_the_whole_length_of_a_session_that_was_ended(tmp_path: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        memory.begin_session("trip", at=NOON - 5 * DAY)
        memory.end_session("trip", at=NOON - 5 * DAY + timedelta(hours=100))
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        *_, ended = (each.item for each in store.items("me"))
    with remembering(tmp_path / "memory.db") as memory:
        assert memory.why(ended.id.hex()).total == pytest.approx(100)


def test_a_late_item_counts_on_its_own_day(place: Place) -> None:
    with remembering(place) as memory:
        name = memory.learn("Tea is green.", at=NOON - 5 * DAY, category="drink").id
        memory.edit(name, "Tea is black.", at=NOON - DAY)
        memory.forget(name, at=NOON - 2 * DAY)  # before the edit, which finds nothing then
        assert [block.content for block in memory.blocks()] == []
        assert memory.as_of(NOON - 3 * DAY).block(name).status == "inbox"
        memory.learn("tea is GREEN.", at=NOON - 9 * DAY, category="earlier")
        assert memory.block(name).category == "earlier"
        digest = whole(memory)
    with remembering(place) as again:
        assert whole(again) == digest


def test_a_reader_is_told_that_it_cannot_write(tmp_path: Path) -> None:
    with remembering(tmp_path / "memory.db") as memory:
        name = memory.learn("Tea is green.").id
    with remembering(tmp_path / "memory.db", read_only=True) as reader:
        assert reader.recall("tea").hits[0].id == name
        writes = [lambda: reader.learn("x"), reader.dream, reader.reembed, lambda: reader.begin_session("s")]
        for call in [*writes, *acts(reader, name)[:2], *acts(reader, name)[3:]]:
            with pytest.raises(ReadOnlyError):
                call()


def test_an_edited_block_keeps_its_confidence_and_its_speaker() -> None:
    with Memory.open_sync(":memory:", space="me", embedder="hashed") as memory:
        tea = memory.learn("tea at four", speaker="Ann")
        memory.learn("tea at four", conversation="chat", speaker="Bo")
        memory.outcome([tea.id], 1.0)
        seen = memory.edit(tea.id, "tea at five")
        assert (seen.outcomes, seen.speaker, seen.conversation) == (1, "Ann", "chat")
        assert seen.confidence > 0.5


def test_each_row_of_a_call_says_what_it_ends_and_when(place: Place) -> None:
    with remembering(place) as memory:
        rows = [
            {"content": "I live in Berlin", "slot": "home", "at": NOON - 2 * DAY},
            {"content": "I live in Paris", "slot": "home", "at": NOON - DAY},
            {"content": "I live in Rome", "slot": "home", "valid_from": NOON + 30 * DAY},
            {"content": "I lived in Bonn", "slot": "home", "at": NOON - 3 * DAY},
            {"content": "I stay in Kiel", "slot": "home", "valid_from": NOON - DAY / 2, "valid_until": NOON - DAY / 4},
            {"content": "I live in Graz", "slot": "home", "at": NOON - DAY / 8},
        ]
        berlin, paris, rome, bonn, kiel, graz = memory.learn_many(rows)
        assert not berlin.note
        assert paris.note == f"ends “I live in Berlin” [{berlin.id}]"
        assert rome.note == f"ends “I live in Paris” [{paris.id}] on {NOON + 30 * DAY:%Y-%m-%d}"
        assert not bonn.note
        assert kiel.note == f"ends “I live in Paris” [{paris.id}]"
        assert not graz.note, "the slot was empty by then"
        again = memory.learn("I live in Oslo", slot="home", at=NOON)
        assert again.note == f"ends “I live in Graz” [{graz.id}]"
        later = memory.learn("Oslo is home no more", replaces=again.id, valid_from=NOON + DAY)
        assert later.note == f"ends “I live in Oslo” [{again.id}] on {NOON + DAY:%Y-%m-%d}"


def test_a_telling_of_a_time_to_come_names_the_way_to_say_it(place: Place) -> None:
    with remembering(place) as memory, pytest.raises(InputError) as caught:
        memory.learn("I live in Rome", slot="home", at=NOON + DAY)
    assert str(caught.value.hint).startswith("tell now what holds later, with valid_from for its beginning; else ")
