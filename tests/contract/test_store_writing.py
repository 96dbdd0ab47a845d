"""Every store: a transaction is whole or nothing, and its version tells what was written."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

import pytest

from asterism.store.port import Cache, Store, Writing
from tests.support.stores import (
    Handles,
    InterruptionError,
    append,
    bury,
    checkpoint,
    days,
    item,
    put,
    read,
    shown,
)


def test_an_exception_on_the_way_leaves_everything_as_it_was(store: Store) -> None:
    append(store, item("a", known_at=5, note="as told"), item("b"))
    bury(store, item("gone"))
    put(store, checkpoint(1), checkpoint(2))
    with store.writing("me") as writing:
        writing.set_parameters("recorded")
    before = shown(store, ["me", "you"])
    for space in ("me", "you"):
        with pytest.raises(InterruptionError), store.writing(space) as writing:  # noqa: PT012  # all of it is undone
            writing.append([item("c", space=space), item("a", space=space, known_at=1)])
            writing.bury([item("b", space=space).id])
            writing.set_parameters("other")
            writing.drop_checkpoints(after_day=0)
            writing.put_checkpoint(checkpoint(9, fingerprint="g"), keep=1)
            raise InterruptionError
        assert shown(store, ["me", "you"]) == before
    append(store, item("c"))
    assert len(read(store)) == 3


def test_writers_in_many_threads_lose_nothing(handles: Handles) -> None:
    handles()
    errors: list[BaseException] = []

    def write(name: str) -> None:
        try:
            mine = handles()
            for number in range(25):
                append(mine, item(f"{name}{number}"))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    stored = handles().items("me")
    assert len(stored) == 75
    assert len({each.seq for each in stored}) == 75


def test_a_reader_sees_each_transaction_whole_while_another_thread_writes(handles: Handles) -> None:
    writer, reader = handles(), handles()
    done = threading.Event()

    def write() -> None:
        for batch in range(60):
            append(writer, *(item(f"{batch}-{number}", at=-batch) for number in range(50)))
        done.set()

    thread = threading.Thread(target=write)
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    thread.start()
    counts = [0]
    try:
        while not done.is_set():
            counts.append(len(reader.items("me")))
            counts.append(len(reader.items("me", after_seq=1)) + 1)
    finally:
        thread.join()
        sys.setswitchinterval(often)
    whole = [count for count in counts if count > 1]
    assert whole == sorted(whole)
    assert {count % 50 for count in whole} <= {0}
    assert len(reader.items("me")) == 3000


def test_what_is_read_at_one_moment_is_of_that_moment(handles: Handles) -> None:
    reader, writer = handles(), handles()
    one_handle = reader is writer  # then the writer waits
    append(writer, item("a"))
    put(writer, checkpoint(1))

    def write() -> None:
        append(writer, item("b"))
        put(writer, checkpoint(2))

    thread = threading.Thread(target=write)
    with reader.one_moment():
        before, version = read(reader), reader.version("me")
        thread.start()
        if not one_handle:
            thread.join()
        with reader.one_moment():
            assert read(reader) == before
        assert (days(reader), reader.version("me")) == ([1], version)
    thread.join()
    assert (len(read(reader)), days(reader)) == (2, [1, 2])
    assert reader.version("me") != version


def test_the_version_changes_when_someone_else_wrote_and_not_when_someone_read(handles: Handles) -> None:
    mine, other = handles(), handles()
    append(other, item("a"))
    seen = mine.version("me")
    read(other), other.spaces(), other.checkpoint("me", "f"), mine.version("me")
    assert mine.version("me") == seen
    append(other, item("b"))
    after_append = mine.version("me")
    assert after_append != seen
    bury(other, item("b"))
    assert mine.version("me") not in (seen, after_append)


def test_a_commit_tells_the_version_that_it_made(handles: Handles) -> None:
    mine, other = handles(), handles()
    changes: tuple[Callable[[Writing], object], ...] = (
        lambda writing: writing.append([item("a")]),
        lambda writing: writing.put_cache("recall", Cache("f", {})),
        lambda writing: writing.put_checkpoint(checkpoint(1), keep=2),
        lambda _: None,
    )
    for number, change in enumerate(changes):
        before = mine.version("me")
        with mine.writing("me") as writing:
            assert mine.version("me") == before
            change(writing)
        assert writing.version == mine.version("me")
        assert writing.version != before
        append(other, item(str(number)))
        assert mine.version("me") != writing.version


def test_a_commit_between_two_looks_of_a_writer_is_seen_by_it(handles: Handles) -> None:
    mine, other = handles(), handles()
    with mine.writing("me") as first:
        first.append([item("a")])
    append(other, item("b"))
    before = mine.version("me")
    with mine.writing("me") as second:
        assert mine.version("me") == before != first.version
        second.append([item("c")])
    assert second.version == mine.version("me")


def test_writing_to_another_space_leaves_the_version_of_this_one(store: Store) -> None:
    append(store, item("a"))
    seen = store.version("me")
    append(store, item("a", space="you"), space="you")
    assert store.version("me") == seen


def test_a_transaction_that_fails_leaves_the_version(store: Store) -> None:
    append(store, item("a"))
    seen = store.version("me")
    with pytest.raises(InterruptionError), store.writing("me") as writing:  # noqa: PT012  # all of it is undone
        writing.append([item("b")])
        raise InterruptionError
    assert store.version("me") == seen
