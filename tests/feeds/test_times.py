"""Times: exact, in a unit that is declared or certain."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.ledger.calendar import LATEST, to_micros
from asterism.core.levels.events import FIRST, LAST
from asterism.errors import InputError
from asterism.feeds import open_feed
from asterism.feeds.cells import RowCells
from asterism.feeds.times import Clock, check_unit, detect
from tests.support.feed_files import everything, write


def micros(unit: str, *texts: str) -> list[int | None]:
    cells = RowCells([[text] for text in texts], np.arange(1, len(texts) + 1), {"t": 0})
    read = Clock(unit, declared=True).micros(cells, "t")
    return [value if good else None for value, good in zip(read.values.tolist(), read.good.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("1707756331", "s"),
        ("1707756331.467", "s"),
        ("1707756331467", "ms"),
        ("1707756331467123", "us"),
        ("1707756331467123456", "ns"),
        ("2024-02-12T16:45:31.467Z", "iso"),
        ("2024-02-12 17:45:31+01:00", "iso"),
    ],
)
def test_a_unit_is_told_by_where_the_numbers_lie(text: str, unit: str) -> None:
    assert detect("t", [(2, text)]) == unit
    assert micros(unit, text)[0] in range(1_707_756_331_000_000, 1_707_756_332_000_000)


@pytest.mark.parametrize("text", ["0", "99999999", "-1707756331467", "1e20", "2024-02-12T16:45:31"])
def test_what_is_not_certain_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(InputError, match="line 7") as caught:
        detect("t", [(6, "rubbish"), (7, text)])
    assert caught.value.code == "uncertain_unit"
    assert "declare the unit of t" in str(caught.value)


def test_a_column_without_times_is_refused() -> None:
    with pytest.raises(InputError, match="no time was found"):
        detect("t", [(2, "x"), (3, "2024-02-12")])


def test_a_column_that_mixes_units_is_refused_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "at,price,usd\n1700000000,1,1\n1700000001,1,1\n1700000002000,1,1\n")
    with pytest.raises(InputError, match="line 4: at is 1700000002000, but the times before it are in s"):
        everything(open_feed(path))
    events, _ = everything(open_feed(path, unit="s"))
    assert events.size == 2  # declared: the third is beyond the calendar, a malformed row


@pytest.mark.parametrize("unit", ["S", "seconds", ""])
def test_an_unknown_unit_is_refused(unit: str) -> None:
    with pytest.raises(InputError) as caught:
        check_unit(unit)
    assert caught.value.code == "bad_unit"


@given(st.lists(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)), max_size=8))  # noqa: DTZ001  # the zone follows
def test_iso_text_is_read_exactly(moments: list[datetime]) -> None:
    expected = [to_micros(moment.replace(tzinfo=UTC)) for moment in moments]
    assert micros("utc", *(moment.isoformat() for moment in moments)) == expected
    assert micros("utc", *(moment.isoformat(" ") for moment in moments)) == expected
    for zone in ("Z", "+00:00"):
        assert micros("iso", *(moment.isoformat() + zone for moment in moments)) == expected
    shifted = [at - 5_400_000_000 for at in expected]
    assert micros("iso", *(moment.isoformat() + "+01:30" for moment in moments)) == shifted
    assert micros("iso", *(moment.isoformat() for moment in moments)) == [None] * len(moments)
    assert micros("utc", *(moment.isoformat() + "+01:30" for moment in moments)) == [None] * len(moments)


@given(st.integers(-(10**18), 10**18), st.sampled_from(("s", "ms", "us", "ns")))
def test_whole_numbers_are_scaled_exactly(value: int, unit: str) -> None:
    micro = {"s": 10**6, "ms": 10**3, "us": 1}
    exact = value * micro[unit] if unit in micro else (value + 500) // 1000
    found = micros(unit, str(value))[0]
    assert found == exact if abs(exact) <= LATEST else found == LATEST + 1


def test_odd_times_are_no_times() -> None:
    assert micros("utc", "2024-13-01 00:00:00", "2024-01-01", "now", "", "2024-01-01 00:00:00.5")[:4] == [None] * 4
    assert micros("ms", "x", "", "1.7e12", "1e300") == [None, None, 1_700_000_000_000_000, LATEST + 1]
    assert micros("ns", str(2**63 - 1), str(-(2**63) + 1)) == [9_223_372_036_854_776, -9_223_372_036_854_776]


def test_text_at_the_edge_of_the_calendar_is_beyond_it_in_any_zone() -> None:
    edges = ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.9-12:00", "0001-01-01T00:00:00+14:00")
    assert [value is not None and not FIRST <= value <= LAST for value in micros("iso", *edges)] == [True] * 3
