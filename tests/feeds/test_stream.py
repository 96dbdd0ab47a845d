"""Feeds are merged by time, cut into batches, and closed."""

from __future__ import annotations

import gc
import heapq
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.levels.events import Events
from asterism.errors import InputError
from asterism.feeds import Feed, merge_feeds, open_feed
from asterism.feeds.stream import MOST_NAMED
from tests.support.feed_files import MS, bits, everything, write

HEAD = "at_ms,price,usd\n"


def prices(folder: Path, name: str, steps: list[int], first: int, **options: int) -> Feed:
    """Write trades at these times, priced by their place; a time below 0 is a malformed row."""
    rows = [f"{MS + step},{first + place},1\n" if step >= 0 else "x\n" for place, step in enumerate(steps)]
    return open_feed(write(folder, HEAD + f"{MS},{first},1\n" + "".join(rows), name), **options)  # type: ignore[arg-type]


@settings(max_examples=20)
@given(
    st.lists(st.lists(st.integers(-1, 12), max_size=12), min_size=1, max_size=4),
    st.integers(1, 9),
    st.integers(30, 200),
    st.integers(0, 30),
    st.booleans(),
)
def test_feeds_are_merged_by_time(
    files: list[list[int]], size: int, block_bytes: int, start: int, in_order: bool
) -> None:
    with TemporaryDirectory() as folder:

        def feeds(**options: int) -> list[Feed]:
            steps = [sorted(each) if in_order else each for each in files]
            return [prices(Path(folder), f"{n}.csv", each, 1000 * n + 1, **options) for n, each in enumerate(steps)]

        def events(number: int, feed: Feed) -> Iterator[tuple[int, int, float]]:
            whole, _ = everything(feed)
            for at, price in zip(whole.at.tolist(), whole.price.tolist(), strict=True):
                yield at, number, price

        merged = merge_feeds(feeds(rows=size, block_bytes=block_bytes))
        found, malformed = everything(merged)
        alone = [events(number, feed) for number, feed in enumerate(feeds())]
        expected = list(heapq.merge(*alone, key=lambda event: event[:2]))
        assert list(zip(found.at.tolist(), found.price.tolist(), strict=True)) == [
            (at, price) for at, _, price in expected
        ]
        assert bits(everything(merged, start)[0]) == bits(found.take(slice(start, None)))
        assert len(malformed) == sum(step < 0 for each in files for step in each) == merged.counts["malformed"]
        batches = list(merged.batches())
        for batch in batches:
            done = [row for before in batches if before.last <= batch.last for row in before.malformed]
            assert done + everything(merged, batch.last)[1] == malformed
        assert merged.bytes_read == merged.total_bytes


def test_a_merged_feed_says_what_it_is_made_of(tmp_path: Path) -> None:
    one, two = prices(tmp_path, "a.csv", [-1], 1), prices(tmp_path, "b.csv", [], 2)
    merged = merge_feeds([one, two])
    assert merged.name == "a.csv+b.csv"
    assert str(merged.mapping) == "; ".join(f"{feed.name}: {feed.mapping}" for feed in (one, two))
    assert [row.reason for row in everything(merged)[1]] == ["a.csv: the row has 1 columns and not 3"]
    assert merge_feeds([one]) is one
    with pytest.raises(InputError):
        merge_feeds([])


def test_a_feed_that_is_dropped_closes_its_files(tmp_path: Path) -> None:
    feed = merge_feeds(
        [prices(tmp_path, name, [0] * 500, 1, rows=10, block_bytes=1000) for name in ("one.csv", "other.csv.gz")]
    )
    batches = feed.batches()
    assert next(batches).events.size == 10
    batches.close()
    gc.collect()  # a file left open would warn, and a warning fails
    assert list(batches) == []
    assert feed.bytes_read > 0


def test_malformed_rows_beyond_a_thousand_are_only_counted(tmp_path: Path) -> None:
    for sort in (False, True):
        feed = open_feed(write(tmp_path, HEAD + f"{MS},1,1\n" + "x\n" * 3000), block_bytes=500, sort=sort)
        assert len(everything(feed)[1]) == MOST_NAMED
        assert feed.counts["malformed"] == 3000


@pytest.mark.parametrize(("rows", "start"), [(0, 0), (-1, 0), (1, -1)])
def test_sizes_and_places_are_checked(tmp_path: Path, rows: int, start: int) -> None:
    path = write(tmp_path, HEAD)
    with pytest.raises(InputError) as caught:
        list(open_feed(path, rows=rows).batches(start))
    assert caught.value.code == "bad_count"


def test_events_of_nothing_are_none() -> None:
    assert bits(Events.join([])) == bits(Events.none())
