"""What every store promises of embedders, vectors and caches."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.columns import Columns
from asterism.core.ledger.items import Item, make_item
from asterism.errors import ReadOnlyError
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Cache, Store, Writing
from asterism.store.sqlite import SQLiteStore
from asterism.store.sqlite_vectors import PACK
from tests.support.stores import Handles


def write(store: Store, *steps: Callable[[Writing], object], space: str = "me") -> None:
    with store.writing(space) as writing:
        for step in steps:
            step(writing)


def key(name: str) -> bytes:
    return name.encode().ljust(16, b".")


def put(identity: str, **vectors: bytes) -> Callable[[Writing], None]:
    return lambda writing: writing.put_vectors(identity, {key(name): data for name, data in vectors.items()})


def embedder(identity: str) -> Callable[[Writing], None]:
    return lambda writing: writing.set_embedder(identity)


def cache(name: str, *, fingerprint: str = "f", **columns: object) -> Callable[[Writing], None]:
    held = {each: np.asarray(column) for each, column in columns.items()}
    return lambda writing: writing.put_cache(name, Cache(fingerprint, held))


def found(store: Store, identity: str, *names: str, space: str = "me") -> dict[bytes, bytes]:
    return store.vectors(space, identity, [key(name) for name in names])


# The embedder


def test_a_space_has_no_embedder_until_one_is_recorded(handles: Handles) -> None:
    one, other = handles(), handles()
    assert one.embedder("me") is None
    assert one.spaces() == []
    write(one, embedder("e"))
    assert one.embedder("me") == other.embedder("me") == "e"
    assert one.embedder("yours") is None
    write(other, embedder("'; DROP TABLE space; --"))
    assert one.embedder("me") == "'; DROP TABLE space; --"


def test_another_embedder_drops_the_vectors_of_the_one_before(store: Store) -> None:
    write(store, embedder("e"), put("e", a=b"1234"))
    write(store, embedder("e"), put("e", a=b"1234"), space="yours")
    write(store, embedder("f"), put("f", a=b"5678"))
    assert found(store, "e", "a") == {}
    assert found(store, "f", "a") == {key("a"): b"5678"}
    assert found(store, "e", "a", space="yours") == {key("a"): b"1234"}
    write(store, embedder("e"))
    assert found(store, "f", "a") == found(store, "e", "a") == {}


# Vectors


def test_vectors_are_kept_by_text_and_embedder_and_the_first_stays(handles: Handles) -> None:
    one, other = handles(), handles()
    assert found(one, "e", "a") == {}
    write(one, embedder("e"), put("e", a=b"1", b=b"22"))
    write(other, put("e", a=b"other", c=b""))
    assert found(one, "e", "a", "b", "c", "d") == {key("a"): b"1", key("b"): b"22", key("c"): b""}
    assert found(one, "e") == found(one, "f", "a") == found(one, "e", "a", space="yours") == {}
    write(one, put("e"))


def test_many_vectors_are_read_at_once_as_few_are(store: Store) -> None:
    every = {f"{number}": f"{number:08d}".encode() for number in range(3 * PACK + 50)}
    write(store, embedder("e"), put("e", **every))
    expected = {key(name): data for name, data in every.items()}
    assert found(store, "e", *every, "nobody") == expected
    assert found(store, "e", *list(every)[:7]) == dict(list(expected.items())[:7])
    assert found(store, "e", *[f"no {number}" for number in range(PACK + 1)]) == {}


def test_dropped_vectors_go_for_every_embedder_and_take_the_caches_along(store: Store) -> None:
    write(store, put("e", a=b"1", b=b"2"), put("f", a=b"3"), cache("recall", x=[1]))
    write(store, put("e", a=b"1"), cache("recall", x=[1]), space="yours")
    write(store, lambda writing: writing.drop_vectors([key("a"), key("nobody")]))
    assert found(store, "e", "a", "b") == {key("b"): b"2"}
    assert found(store, "f", "a") == {}
    assert store.cache("me", "recall") is None
    assert found(store, "e", "a", space="yours") == {key("a"): b"1"}
    assert store.cache("yours", "recall") is not None


def test_vectors_that_are_dropped_can_be_kept_anew_in_one_breath(store: Store) -> None:
    write(store, embedder("e"), put("e", a=b"old", b=b"stays"))
    write(store, lambda writing: writing.drop_vectors([key("a")]), embedder("e"), put("e", a=b"new"))
    assert found(store, "e", "a", "b") == {key("a"): b"new", key("b"): b"stays"}


# Caches


def test_a_cache_is_kept_whole_and_in_place_of_the_one_before(handles: Handles) -> None:
    one, other = handles(), handles()
    assert one.cache("me", "recall") is None
    columns: Columns = {
        "a": np.arange(6, dtype=np.int32).reshape(2, 3),
        "b": np.zeros(0, dtype=np.float16),
        "c": np.array(5.0),
    }
    write(one, lambda writing: writing.put_cache("recall", Cache("first", columns)))
    kept = other.cache("me", "recall")
    assert kept is not None
    assert kept.fingerprint == "first"
    for name, column in columns.items():
        assert kept.columns[name].dtype == column.dtype
        assert np.array_equal(kept.columns[name], column)
    write(other, cache("recall", fingerprint="second", d=[1]), cache("other", e=[2]))
    again = one.cache("me", "recall")
    assert again is not None
    assert (again.fingerprint, list(again.columns)) == ("second", ["d"])
    assert one.cache("yours", "recall") is None


def test_what_is_read_of_a_cache_is_a_copy(store: Store) -> None:
    column = np.array([1, 2, 3])
    write(store, lambda writing: writing.put_cache("recall", Cache("f", {"a": column})))
    column[0] = 9
    first = store.cache("me", "recall")
    assert first is not None
    first.columns["a"][1] = 9
    second = store.cache("me", "recall")
    assert second is not None
    assert second.columns["a"].tolist() == [1, 2, 3]


def item(name: str) -> Item:
    return make_item(space="me", what="engaged", at=0, payload={"star": name}, known_at=0)


def test_erasing_drops_caches_for_they_may_hold_the_text(store: Store) -> None:
    write(store, lambda writing: writing.append([item("a"), item("b")]), cache("recall", x=[1]))
    write(store, lambda writing: writing.bury([item("nobody").id]))
    assert store.cache("me", "recall") is not None
    write(store, lambda writing: writing.bury([item("a").id]))
    assert store.cache("me", "recall") is None


# All or nothing


def fail(_: Writing) -> None:
    raise RuntimeError("on the way")


def test_what_fails_leaves_embedder_vectors_and_caches_as_they_were(store: Store) -> None:
    write(store, embedder("e"), put("e", a=b"1"), cache("recall", x=[1]))
    version = store.version("me")
    with pytest.raises(RuntimeError, match="on the way"):
        write(
            store,
            lambda writing: writing.append([item("a")]),
            embedder("f"),
            put("f", b=b"2"),
            lambda writing: writing.drop_vectors([key("a")]),
            cache("recall", fingerprint="other"),
            fail,
        )
    assert store.version("me") == version
    assert (store.embedder("me"), store.items("me")) == ("e", [])
    assert found(store, "e", "a") == {key("a"): b"1"}
    kept = store.cache("me", "recall")
    assert kept is not None
    assert kept.fingerprint == "f"


def test_others_notice_and_reads_change_nothing(handles: Handles) -> None:
    one, other = handles(), handles()
    before = other.version("me")
    write(one, embedder("e"), put("e", a=b"1"), cache("recall", x=[1]))
    after = other.version("me")
    assert after != before
    other.embedder("me")
    found(other, "e", "a")
    other.cache("me", "recall")
    assert other.version("me") == after


def test_a_reader_cannot_write_vectors(tmp_path: Path) -> None:
    with closing(SQLiteStore(tmp_path / "memory.db")) as store:
        write(store, embedder("e"), put("e", a=b"1"))
    with closing(SQLiteStore(tmp_path / "memory.db", read_only=True)) as reader:
        assert found(reader, "e", "a") == {key("a"): b"1"}
        with pytest.raises(ReadOnlyError):
            write(reader, put("e", b=b"2"))


def test_a_cache_of_which_one_column_is_damaged_is_none(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SQLiteStore(path)) as store:
        write(store, cache("recall", a=[1, 2], b=[3]))
    for change in ("data = x'07'", "crc = 5", "dtype = 'nonsense'", "shape = '[7]'", "shape = 'x'"):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"UPDATE cache_column SET {change} WHERE name = 'a'")
        with closing(SQLiteStore(path)) as store:
            assert store.cache("me", "recall") is None


# Any sequence


names = st.sampled_from(["a", "b", "c"])
steps = st.one_of(
    st.tuples(st.just("embedder"), st.sampled_from("ef")),
    st.tuples(st.just("put"), st.sampled_from("ef"), st.dictionaries(names, st.binary(max_size=3))),
    st.tuples(st.just("drop"), names),
    st.tuples(st.just("cache"), names, st.integers(0, 3)),
    st.tuples(st.just("bury"), names),
    st.tuples(st.just("append"), names),
)


@settings(max_examples=10)
@given(st.lists(st.tuples(st.sampled_from(["me", "yours"]), st.lists(steps, max_size=4)), max_size=10))
def test_both_stores_keep_the_same(story: list[tuple[str, list[tuple[str, ...]]]]) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="asterism-") as folder,
        closing(SQLiteStore(Path(folder) / "memory.db")) as on_disk,
    ):
        keep_the_same(story, [InMemoryStore(), on_disk])


def keep_the_same(story: list[tuple[str, list[tuple[str, ...]]]], stores: list[Store]) -> None:
    for space, taken in story:
        for store in stores:
            with store.writing(space) as writing:
                for step in taken:
                    take(writing, space, step)
        seen = [
            (
                [store.embedder(space) for space in ("me", "yours")],
                [found(store, identity, "a", "b", "c", space=space) for identity in "ef" for space in ("me", "yours")],
                [cached(store, space, name) for space in ("me", "yours") for name in "abc"],
            )
            for store in stores
        ]
        assert seen[0] == seen[1]


def cached(store: Store, space: str, name: str) -> object:
    kept = store.cache(space, name)
    return kept and (kept.fingerprint, {each: column.tolist() for each, column in kept.columns.items()})


def take(writing: Writing, space: str, step: tuple[object, ...]) -> None:
    match step:
        case ("embedder", str(identity)):
            writing.set_embedder(identity)
        case ("put", str(identity), dict(vectors)):
            writing.put_vectors(identity, {key(name): data for name, data in vectors.items()})
        case ("drop", str(name)):
            writing.drop_vectors([key(name)])
        case ("cache", str(name), int(value)):
            writing.put_cache(name, Cache(f"{value}", {"x": np.arange(value)}))
        case ("bury", str(name)):
            writing.bury([item(name)._replace(space=space).id])
        case ("append", str(name)):
            writing.append([item(name)._replace(space=space)])
