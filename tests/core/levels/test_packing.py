"""Events are packed into text without losing a bit."""

from __future__ import annotations

import base64
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.levels.events import (
    DTYPES,
    FIELDS,
    TRADE,
    Events,
)
from asterism.core.levels.packing import pack, unpack
from asterism.core.space.projection import differences

ODD = (0.0, -0.0, 5e-324, 2.2e-308, 1e300, -1e300, 0.1, 1 / 3, 2.0**53, 2.0**53 + 2, 1e-9, 123456.789, math.inf)
FLOATS = st.one_of(
    st.sampled_from(ODD), st.floats(), st.integers(0, 10**12).map(lambda cents: cents / 100), st.floats(0, 1e6)
)
LONGS = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(0, 300), st.sampled_from((2**63 - 1, -(2**63), 0)))
BYTES = st.integers(0, 255)
OF_DTYPE: dict[str, st.SearchStrategy[float]] = {"u1": BYTES, "i8": LONGS, "f8": FLOATS}


@st.composite
def any_events(draw: st.DrawFn) -> Events:
    """Draw columns of any values, each of one value, of a few, or of many."""
    size = draw(st.integers(0, 12))
    columns = []
    for dtype in DTYPES:
        values = st.lists(OF_DTYPE[dtype], min_size=size, max_size=size)
        few = st.lists(OF_DTYPE[dtype], min_size=1, max_size=2)
        chosen = draw(values | few.map(lambda some: [some[place % len(some)] for place in range(size)]))
        columns.append(np.array(chosen, dtype=dtype))
    return Events._make(columns)


@settings(max_examples=30)
@given(any_events())
def test_packing_loses_not_a_bit(events: Events) -> None:
    assert differences(unpack(pack(events))._asdict(), events._asdict()) == []
    assert pack(unpack(pack(events))) == pack(events)


@pytest.mark.parametrize("usd", [ODD, (0.0, -0.0), (-0.0, 1.5), (1e300, 1.5), (1 / 3, 0.5), (5e-324, 2.5)], ids=str)
def test_odd_amounts_are_packed_as_they_are(usd: tuple[float, ...]) -> None:
    events = Events.of(len(usd), kind=TRADE, price=1.0, usd=np.array(usd), episode=np.arange(len(usd)) * 2**62)
    assert differences(unpack(pack(events))._asdict(), events._asdict()) == []


def trades(size: int, *, step_micros: int) -> Events:
    chance = np.random.default_rng(5)
    return Events.of(
        size,
        kind=TRADE,
        at=1_700_000_000_000_000 + step_micros * np.cumsum(chance.integers(0, 200_000 // step_micros, size)),
        price=np.round(43_000 + np.cumsum(chance.integers(-3, 4, size)) / 10, 1),
        usd=np.round(chance.lognormal(6, 2, size), 2),
        side=chance.integers(1, 3, size),
    )


@pytest.mark.parametrize(("step_micros", "most"), [(1_000, 12), (1, 16)])
def test_ten_thousand_trades_take_little_room(step_micros: int, most: int) -> None:
    events = trades(10_000, step_micros=step_micros)
    assert len(pack(events)) < most * events.size
    assert differences(unpack(pack(events))._asdict(), events._asdict()) == []


def text_of(head: object) -> str:
    """Pack a head that says what it likes about 80 bytes."""
    said = json.dumps(head).encode()
    return base64.b64encode(len(said).to_bytes(4, "little") + said + bytes(80)).decode()


DAMAGED = {
    "nothing": "",
    "no head": "AAAA",
    "no base64": "é",
    "cut off": pack(trades(9, step_micros=1))[:-40],
    "no list": text_of(7),
    "too many": text_of([10**9, [["one"]] * len(FIELDS)]),
    "no columns": text_of([1, []]),
    "a form without details": text_of([1, [["whole"]] * len(FIELDS)]),
    "an unknown width": text_of([1, [["whole", 0, "<U1"]] * len(FIELDS)]),
    "more digits than a number has": text_of([2, [["whole", 999, "<i1"]] * len(FIELDS)]),
    "a size that is no number": text_of(["many", [["one"]] * len(FIELDS)]),
}


@pytest.mark.parametrize("fact", DAMAGED)
def test_what_was_not_packed_here_is_not_unpacked(fact: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        unpack(DAMAGED[fact])
