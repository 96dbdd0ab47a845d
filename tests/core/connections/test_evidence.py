"""The gain of a day is one formula: on columns it gives what it gives number by number, to the bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.connections.evidence import (
    capped_by,
    day_factor,
    day_gain,
    freshness,
    gap_square,
    strength_after,
)
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.payloads import evidence_text
from asterism.core.connections.tables import NEVER
from asterism.core.connections.words import LinkState
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.items import canonical

RULES = tuple(
    ConnectionParameters.build("seed", overrides)
    for overrides in (
        {},
        {"soft_cap": 3, "freshness_stale": 0.31, "freshness_fresh": 1.7},
        {"max_strength": 0.3, "max_daily_strength_gain": 0.29, "diminishing_second": 0.9},
    )
)
shares = st.floats(0, 1)
links = st.lists(
    st.tuples(
        st.sampled_from(LinkState),
        st.integers(0, 40),  # connections of the busier end
        st.integers(0, 60) | st.just(NEVER),  # the last day with evidence
        shares,  # strength as the day began
        st.lists(shares, min_size=2, max_size=2).map(lambda gains: sorted(gains, reverse=True)),
    ),
    min_size=1,
    max_size=20,
)


@given(links, st.booleans(), st.sampled_from(RULES))
def test_the_gain_of_a_day_on_columns_is_that_of_each_link(
    told: list[tuple[LinkState, int, int, float, list[float]]], excavating: bool, rules: ConnectionParameters
) -> None:
    day = 60
    state = np.array([each[0] for each in told], dtype=np.uint8)
    connections, last_day = (np.array([each[field] for each in told], dtype=np.int32) for field in (1, 2))
    strength = np.array([each[3] for each in told])
    largest, second = np.array([each[4] for each in told]).T

    fresh = freshness(day=day, last_evidence_day=last_day, parameters=rules)
    factor = day_factor(fresh, state=state, connections=connections, excavating=excavating, parameters=rules)
    total = day_gain((largest * factor, second * factor), rules)
    after = strength_after(strength, total, rules)
    capped = capped_by(strength, total, rules)

    for place, (state_of_one, busy, last, began, gains) in enumerate(told):
        fresh_one = freshness(day=day, last_evidence_day=last, parameters=rules)
        factor_one = day_factor(
            fresh_one, state=int(state_of_one), connections=busy, excavating=excavating, parameters=rules
        )
        total_one = day_gain((gain * factor_one for gain in gains), rules)
        alone = (
            fresh_one,
            factor_one,
            total_one,
            strength_after(began, total_one, rules),
            capped_by(began, total_one, rules),
        )
        together = tuple(column.item(place) for column in (fresh, factor, total, after, capped))
        assert together == alone


@given(st.lists(st.integers(0, 10**16), min_size=1), st.integers(0, 400 * MICROS_PER_DAY))
def test_the_gap_between_items_on_columns_is_that_of_each_link(times: list[int], later: int) -> None:
    since = np.array(times, dtype=np.int64)
    assert gap_square(since, since + later).tolist() == [gap_square(time, time + later) for time in times]


def test_a_day_without_gains_adds_nothing() -> None:
    assert day_gain([], RULES[0]) == 0.0


@given(st.text(), st.text(), st.text())
def test_evidence_is_written_as_every_payload_is(a: str, b: str, kind: str) -> None:
    assert evidence_text(a, b, kind) == canonical({"kind": kind, "b": b, "a": a})
