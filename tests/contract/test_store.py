"""What every store promises; another store is one more parameter of `handles`."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from asterism.core.ledger.items import Item, make_item
from asterism.errors import UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import LAST, Appended, Counts, Store
from asterism.store.sqlite import SQLiteStore
from tests.support.stores import (
    STORES,
    Handles,
    append,
    bury,
    checkpoint,
    days,
    item,
    place_of,
    put,
    read,
    store_of,
)
from tests.support.work import cpu_seconds

# Appending and reading


def test_append_gives_each_item_a_rising_place(store: Store) -> None:
    first = append(store, item("a"), item("b"))
    second = append(store, item("c"))
    places = [each.seq for each in first + second if each.seq is not None]
    assert len(places) == 3
    assert places == sorted(set(places))
    assert [(stored.seq, stored.item) for stored in sorted(store.items("me"), key=lambda s: s.seq)] == list(
        zip(places, [item("a"), item("b"), item("c")], strict=True)
    )


def test_an_item_is_kept_as_it_was_sent(store: Store) -> None:
    sent = make_item(
        space="me",
        what="evidence",
        at=-5,
        payload={"b": "é", "a": ["x", "y"], "n": 0.1, "i": 3, "t": True, "none": None, "far": 1e300},
        known_at=2**53 + 1,
        source="'; DROP TABLE ledger; --",
        note="two\nlines\tand 𝄞",
    )
    append(store, sent)
    assert read(store) == [sent]
    assert store.item("me", sent.id) == sent


def test_what_was_acknowledged_is_there_for_the_next_handle(handles: Handles) -> None:
    one = handles()
    append(one, item("a"), item("b", at=5))
    assert read(handles()) == read(one) == [item("a"), item("b", at=5)]


def test_a_duplicate_is_told_and_not_added(store: Store) -> None:
    append(store, item("a"))
    assert append(store, item("a"), item("b"), item("b")) == [
        Appended(None, duplicate=True),
        Appended(store.items("me", after_seq=1)[0].seq),
        Appended(None, duplicate=True),
    ]
    assert len(read(store)) == 2


def test_items_that_name_something_are_found_by_the_whole_text_in_whatever_field(store: Store) -> None:
    names = ['say "é"', "100%_of it", "a\\b", "𝄞"]
    said = [
        make_item(space="me", what="said", at=at, payload={"of": [name, "x"] if at % 2 else name}, known_at=0)
        for at, name in enumerate(names)
    ]
    append(store, *said, make_item(space="me", what="said", at=9, payload={"of": f"{names[1]} and more"}, known_at=0))
    for name, each in zip(names, said, strict=True):
        assert [stored.item for stored in store.items("me", naming=[name])] == [each]
    assert [stored.item for stored in store.items("me", naming=names[1:3], until_at=1)] == [said[1]]
    assert store.items("me", naming=[]) == []


def test_items_come_one_by_one_as_they_come_together(store: Store) -> None:
    append(store, item("a"), item("b"), item("c"))
    assert list(store.each_item("me")) == store.items("me")
    seq = min(stored.seq for stored in store.items("me"))
    what = item("a").what
    for which in ({"after_seq": seq}, {"only": [what]}, {"only": ["no"]}, {"without": [what]}):
        assert list(store.each_item("me", **which)) == store.items("me", **which)


def test_what_is_named_in_a_long_item_is_found(store: Store) -> None:
    long = [
        make_item(space="me", what="said", at=0, payload={"a": end, "text": "so " * 9_000}, known_at=0) for end in "xy"
    ]
    append(store, *long)
    assert [stored.item for stored in store.items("me", naming=["y"])] == long[1:]


def test_items_come_by_time_and_id_whatever_order_they_arrived_in(store: Store) -> None:
    sent = [item(name, at=at) for at in (3, 1, 2) for name in "cab"]
    for each in sent:
        append(store, each)
    assert read(store) == sorted(sent, key=lambda each: (each.at, each.id))


def test_filters_give_what_arrived_later_was_true_by_then_and_was_known_by_then(store: Store) -> None:
    sent = [item("a", at=3, known_at=9), item("b", at=1, known_at=7), item("c", at=2, known_at=8)]
    seqs = [each.seq or 0 for each in append(store, *sent)]
    b, c = sent[1:]
    assert [s.item for s in store.items("me", after_seq=seqs[0])] == [b, c]
    assert [s.item for s in store.items("me", after_seq=seqs[2])] == []
    assert [s.item for s in store.items("me", until_at=2)] == [b, c]
    assert [s.item for s in store.items("me", known_until=8)] == [b, c]
    assert [s.item for s in store.items("me", known_until=7)] == [b]
    assert [s.item for s in store.items("me", after_seq=seqs[1], until_at=2, known_until=8)] == [c]
    assert [s.item for s in store.items("me", until_at=0)] == []
    assert [s.item for s in store.items("me", from_at=2)] == [s.item for s in store.items("me") if s.item.at >= 2]
    assert [s.item for s in store.items("me", from_at=2, until_at=2)] == [c]
    assert [s.item for s in store.items("me", after_seq=seqs[0], until_at=3)] == [b, c]


@pytest.mark.parametrize("in_one_call", [True, False])
@pytest.mark.parametrize("earlier_first", [True, False])
@pytest.mark.parametrize(
    ("stays", "goes"),
    [((3, "said first"), (5, "said again")), ((3, "z"), (5, "a")), ((3, "a"), (3, "b")), ((3, ""), (3, "b"))],
)
def test_of_two_copies_the_earlier_known_stays_with_its_note(
    store: Store, stays: tuple[int, str], goes: tuple[int, str], earlier_first: bool, in_one_call: bool
) -> None:
    kept = item("a", known_at=stays[0], note=stays[1])
    copies = [kept, item("a", known_at=goes[0], note=goes[1])]
    if not earlier_first:
        copies.reverse()
    if in_one_call:
        append(store, *copies)
    else:
        for each in copies:
            append(store, each)
    assert read(store) == [kept]
    assert len(store.items("me", known_until=3)) == 1


def test_a_copy_known_earlier_keeps_its_place_of_arrival(store: Store) -> None:
    append(store, item("a", known_at=5), item("b", known_at=5))
    before = {stored.item.id: stored.seq for stored in store.items("me")}
    append(store, item("a", known_at=3))
    assert {stored.item.id: stored.seq for stored in store.items("me")} == before


def test_a_lookup_of_what_is_not_there_gives_nothing(store: Store) -> None:
    append(store, item("a"))
    assert store.item("me", item("b").id) is None
    assert store.item("other", item("a").id) is None
    assert store.items("other") == []
    assert list(store.tombstones("other")) == []
    assert store.parameters("other") is None
    assert store.checkpoint("other", "f") is None
    assert store.checkpoints("other", "f") == []
    assert store.spaces() == ["me"]


# Spaces


def test_spaces_do_not_see_each_other(store: Store) -> None:
    mine, yours = item("a"), item("a", space="you")
    append(store, mine)
    append(store, yours, space="you")
    put(store, checkpoint(1))
    with store.writing("you") as writing:
        writing.set_parameters("yours")
        writing.bury([mine.id])
        writing.drop_checkpoints(after_day=-1)
    assert read(store) == [mine]
    assert read(store, "you") == [yours]
    assert store.item("me", yours.id) is None
    assert store.parameters("me") is None
    assert days(store) == [1]
    assert days(store, space="you") == []
    assert list(store.tombstones("me")) == []
    assert list(store.tombstones("you")) == [mine.id]
    assert store.spaces() == ["me", "you"]


def test_an_item_of_another_space_is_refused_and_nothing_is_written(store: Store) -> None:
    append(store, item("a"))
    with pytest.raises(UnknownError) as refused:
        append(store, item("b"), item("c", space="you"))
    assert refused.value.code == "wrong_space"
    assert refused.value.hint
    assert read(store) == [item("a")]
    assert store.spaces() == ["me"]


# Tombstones


def test_burying_removes_an_item_for_good(store: Store) -> None:
    append(store, item("a"), item("b"))
    assert bury(store, item("a")) == 1
    assert read(store) == [item("b")]
    assert store.item("me", item("a").id) is None
    assert list(store.tombstones("me")) == [item("a").id]
    assert append(store, item("a", known_at=-9), item("c")) == [
        Appended(None, buried=True),
        Appended(max(stored.seq for stored in store.items("me"))),
    ]
    assert {each.payload["star"] for each in read(store)} == {"b", "c"}


def test_what_was_never_there_can_be_buried_beforehand(store: Store) -> None:
    assert bury(store, item("a")) == 0
    assert append(store, item("a")) == [Appended(None, buried=True)]
    assert read(store) == []


def test_burying_and_appending_in_one_transaction(store: Store) -> None:
    with store.writing("me") as writing:
        writing.append([item("a"), item("b")])
        assert writing.bury([item("a").id]) == 1
        assert writing.append([item("a")]) == [Appended(None, buried=True)]
    assert read(store) == [item("b")]


def test_whoever_writes_sees_its_own_items_before_anybody_else_does(store: Store) -> None:
    append(store, item("a"), item("b"))
    last = max(stored.seq for stored in store.items("me"))
    with store.writing("me") as writing:
        writing.append([item("c"), item("a")])
        writing.bury([item("b").id])
        assert {stored.item.id for stored in store.items("me")} == {item("a").id, item("c").id}
        assert [stored.item for stored in store.each_item("me", after_seq=last)] == [item("c")]
    assert {stored.item.id for stored in store.items("me")} == {item("a").id, item("c").id}


def test_each_burial_counts_what_it_removed_itself(store: Store) -> None:
    append(store, item("a"), item("b"), item("c"))
    with store.writing("me") as writing:
        assert writing.bury([item("a").id, item("a").id]) == 1
        assert writing.bury([item("b").id]) == 1
        assert writing.bury([item("a").id, item("x").id]) == 0
    assert bury(store, item("a"), item("c")) == 1


def test_burying_takes_the_checkpoints_that_knew_the_item(store: Store) -> None:
    append(store, item("a"))
    append(store, item("a", space="you"), space="you")
    put(store, checkpoint(1), checkpoint(2))
    put(store, checkpoint(1), space="you")
    bury(store, item("unheard of"))
    assert days(store) == [1, 2]
    bury(store, item("a"))
    assert days(store) == []
    assert days(store, space="you") == [1]


# Counting


def test_items_tombstones_and_checkpoints_are_counted(store: Store) -> None:
    assert store.counts("me", "f") == Counts({}, 0, 0)
    evidence = make_item(space="me", what="evidence", at=0, payload={}, known_at=0)
    append(store, item("a"), evidence, item("b"), item("gone"))
    append(store, item("a", space="you"), space="you")
    bury(store, item("gone"), item("unheard of"))
    put(store, checkpoint(1), checkpoint(2))
    assert store.counts("me", "f") == Counts({"engaged": 2, "evidence": 1}, 2, 2)
    assert list(store.counts("me", "f").items) == ["engaged", "evidence"]
    assert store.counts("me", "other") == Counts({"engaged": 2, "evidence": 1}, 2, 0)
    assert store.counts("you", "f") == Counts({"engaged": 1}, 0, 0)


def plan(store: SQLiteStore, read_some: Callable[[], object]) -> str:
    """Give how SQLite does what is asked of it."""
    asked: list[str] = []
    connection: sqlite3.Connection = store._connection
    connection.set_trace_callback(asked.append)
    read_some()
    connection.set_trace_callback(None)
    (query,) = [statement for statement in asked if "FROM ledger" in statement]
    return "; ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}"))


def test_what_came_lately_is_found_without_walking_through_what_came_before(tmp_path: Path) -> None:
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        append(store, *(item(str(number), at=number) for number in range(50)))
        for until in (None, 30):
            lately = plan(store, lambda until=until: store.items("me", after_seq=40, until_at=until))  # type: ignore[misc]  # a default binds the loop's value
            assert "SEARCH ledger USING INTEGER PRIMARY KEY (rowid>?)" in lately
        assert "USING INDEX ledger_order (space=?)" in plan(store, lambda: store.items("me"))
        assert "TEMP B-TREE" not in plan(store, lambda: store.items("me"))
        known = item("3", at=3)
        assert "(space=? AND at=? AND id=?)" in plan(store, lambda: store.item("me", known.id, at=3))


# The rest


def test_parameters_are_recorded_and_replaced(handles: Handles) -> None:
    for text in ("first", '{"preset": ["seed"]}'):
        with handles().writing("me") as writing:
            writing.set_parameters(text)
        assert handles().parameters("me") == text
    assert handles().spaces() == ["me"]


def test_the_size_is_known_and_does_not_shrink_by_writing(store: Store) -> None:
    before = store.size_bytes()
    append(store, *(item(str(number)) for number in range(200)))
    assert before >= 0
    assert store.size_bytes() >= before


def test_a_file_counts_its_log_too(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "memory.db")
    append(store, item("a"))
    written = [each for each in tmp_path.iterdir() if not each.name.endswith("-shm")]
    assert len(written) == 2
    assert store.size_bytes() == sum(each.stat().st_size for each in written) > 0
    store.close()


def test_every_store_fits_the_port(store: Store) -> None:
    assert isinstance(store, Store)


def test_two_copies_of_an_item_are_joined_alike_in_every_order_by_every_store(tmp_path: Path) -> None:
    copies = [item("a", known_at=known_at, note=note) for known_at in (1, 2) for note in ("", "a", "é", "𝄞", "z")]
    for number, pair in enumerate((one, other) for one in copies for other in copies):
        stores = [store_of(place_of(kind, tmp_path, f"{number % 5}.db")) for kind in STORES]
        for store in stores:
            space = f"space {number}"
            for copy in pair:
                append(store, moved(copy, space), space=space)
            assert [(each.known_at, each.note) for each in read(store, space)] == [
                min((each.known_at, each.note) for each in pair)
            ]
            store.close()


def moved(copy: Item, space: str) -> Item:
    return item("a", space=space, known_at=copy.known_at, note=copy.note)


def test_what_was_written_at_once_goes_at_once_from_a_store_in_memory() -> None:
    store: Store = InMemoryStore()
    items = [make_item(space="me", what="clock", at=number, payload={}, known_at=0) for number in range(20_000)]
    written = cpu_seconds(lambda: append(store, *items))
    assert (
        cpu_seconds(lambda: bury(store, *items[1:])) < 10 * written
    )  # looking for each of them took a hundred times as long
    assert [each.item for each in store.items("me")] == items[:1]


# When something was last learnt


def test_it_says_when_something_was_last_learnt_up_to_a_time(store: Store) -> None:
    assert store.last_known("me", until=2**60) is None
    append(store, item("a", at=5, known_at=100), item("b", at=1, known_at=300))
    append(store, *(item(f"late {place}", at=2, known_at=200) for place in range(LAST)))
    append(store, item("elsewhere", at=9, known_at=900, space="other"), space="other")
    assert store.last_known("me", until=2**60) == 200  # quick, not exact: b came long ago, and is not the latest
    append(store, item("z", at=7, known_at=400))
    assert store.last_known("me", until=2**60) == 400
    assert store.last_known("me", until=399) == 200
    assert store.last_known("nobody", until=2**60) is None


def test_it_says_whether_an_item_was_erased(store: Store) -> None:
    append(store, item("a"), item("b"))
    bury(store, item("a"))
    assert store.is_buried("me", item("a").id)
    assert not store.is_buried("me", item("b").id)
    assert not store.is_buried("other", item("a").id)
