"""Why a level has its strength, and how it came there: the lines add up, the curves agree with the book."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Why
from asterism.core.levels import read
from asterism.core.levels.fold import folded
from asterism.core.levels.history import FIRST_TOLD, LAST_TOLD, History, history, replay, why
from asterism.core.levels.parameters import LevelParameters
from tests.support.batches import START, Row, Sent, files, items_of, liquidation, persistence, price, trade

SEED = LevelParameters()
VISITS = LevelParameters.build("seed", {"revisit": "left", "path": "all"})
MICROS = 1_000_000
PARAMETERS = (SEED, VISITS, LevelParameters.build("rule3"))


def at(second: float) -> int:
    return round((START + second) * MICROS)


def told(rows: Sequence[Row], parameters: LevelParameters = SEED, *, until: int | None = None) -> History:
    return history(items_of([Sent(list(rows), source="file", lateness=0)]), "X", parameters, until=until)


def explained(rows: Sequence[Row], second: float, parameters: LevelParameters = SEED, *, level: float = 100.0) -> Why:
    found = why(told(rows, parameters, until=at(second)), level, at(second))
    assert found is not None
    assert_adds_up(found, found.total)
    return found


def assert_adds_up(found: Why, strength: float) -> None:
    assert math.isclose(math.fsum(line.value for line in found.lines), strength, abs_tol=1e-9)
    assert math.isclose(found.total, strength, abs_tol=1e-9)


def texts(found: Why) -> list[str]:
    return [line.text for line in found.lines]


def what(found: Why) -> list[str]:
    """Give what the items did, without their times."""
    return [text.split(" ", 2)[2] for text in texts(found) if "decay" not in text]


@settings(max_examples=40)
@given(files(), st.sampled_from(PARAMETERS), st.lists(st.sampled_from((0.0, 3.0, 17.5, 60.0, 900.0, 9e4)), min_size=1))
def test_the_lines_add_up_to_the_strength_at_any_time(
    lane: list[Sent], parameters: LevelParameters, seconds: list[float]
) -> None:
    items, symbol = items_of(lane), lane[0].symbol
    for second in seconds:
        then = history(items, symbol, parameters, until=at(second))
        columns = folded(items, symbol, parameters, until=at(second)).book.settled()
        for level in read.levels(columns, symbol, parameters, at=at(second), archived=True):
            found = why(then, level.price, at(second))
            assert found is not None
            assert found.subject == level.id
            assert_adds_up(found, level.strength)


def test_a_price_that_is_no_level_has_no_why() -> None:
    assert why(told([trade(0), trade(0, 105.0, 10.0)]), 104.0, at(0)) is None
    assert why(told([trade(0), trade(0, 105.0, 10.0)]), 105.0, at(0)) is None  # pending


def test_fills_that_waited_as_pending_are_told_in_a_note() -> None:
    found = explained([trade(second, usd=300.0) for second in range(5)], 10)
    assert texts(found)[0].endswith("execution of $300: created")
    assert found.notes[1] == "3 items before it became a level were held as pending"


def test_a_late_item_adds_where_the_anchor_is() -> None:
    found = explained([trade(10), trade(4), trade(20)], 30)
    assert what(found) == [
        "execution of $2,000: created",
        "execution of $2,000: boosted, late",
        "execution of $2,000: boosted",
    ]


def test_a_level_comes_back_from_the_archive() -> None:
    found = explained([trade(0), trade(86_000)], 86_100)
    assert [text for text in texts(found) if "back from the archive" in text]
    assert found.total == pytest.approx(0.2 * (1 - 0.01))


def test_fills_inside_a_visit_are_told_in_a_note() -> None:
    found = explained([price(0, 90.0), trade(1), trade(2), trade(3)], 5, VISITS)
    assert "2 fills inside a visit added volume, not strength" in found.notes


def test_an_episode_that_goes_on_is_one_line() -> None:
    found = explained([persistence(10 * step, 10 * step, 7) for step in range(1, 40)], 395)
    assert len(found.lines) == 4
    assert texts(found)[2].endswith(" to 15:13:10 persistence grew to 390 s, less decay")


@pytest.mark.parametrize("items", [FIRST_TOLD + LAST_TOLD, 500, 1_000])
def test_of_many_items_those_between_are_added_up(items: int) -> None:
    found = explained([trade(3 * step, usd=10_000.0) for step in range(items)], 3 * items)
    assert len(found.lines) == FIRST_TOLD + LAST_TOLD + 2
    assert texts(found)[FIRST_TOLD].startswith("… ")
    assert texts(found)[FIRST_TOLD + 1].startswith("… decay between them")


def test_each_kind_tells_its_detail() -> None:
    rows = [liquidation(0, n=3), persistence(1, 12, 1), trade(2)]
    rows += [price(3 + step, 100.0 if step % 2 else 90.0) for step in range(4)]
    assert what(explained(rows, 20)) == [
        "liquidation x 3: created",
        "persistence of 12 s: boosted",
        "execution of $2,000: boosted",
        "rejection: boosted",
    ]


@pytest.mark.parametrize(("second", "span"), [(90, "90 s"), (600, "10.0 min"), (9_000, "2.5 h")])
def test_spans_are_told_in_units_that_fit(second: float, span: str) -> None:
    assert texts(explained([trade(0)], second))[-1] == f"decay over {span}"


# Strength through time


@settings(max_examples=25)
@given(files(), st.integers(1, 12), st.sampled_from(PARAMETERS))
def test_curves_agree_with_the_book_at_every_step(lane: list[Sent], steps: int, parameters: LevelParameters) -> None:
    """As long as nothing is late, and nothing is dropped from the archive."""
    rows = sorted((row for sent in lane for row in sent.rows), key=lambda row: str(row["at"]))
    items = items_of([Sent(rows, "X", "file", 0)])
    curves = replay(history(items, "X", parameters), start=at(-2), end=at(100), steps=steps, most=100)
    assert len(curves.times) == len(curves.path) == steps
    for step, time in enumerate(curves.times):
        shown = {level: row[step] for level, row in zip(curves.levels, curves.strengths, strict=True) if row[step]}
        assert shown == pytest.approx(strengths(items, to_micros(time), parameters), abs=1e-12)


def strengths(items: Sequence[Item], when: int, parameters: LevelParameters) -> dict[str, float]:
    columns = folded(items, "X", parameters, until=when).book.settled()
    found = read.levels(columns, "X", parameters, at=when, archived=True)
    return {level.id: level.strength for level in found if level.strength}


def test_a_replay_goes_from_start_to_end_by_price_and_shows_the_path() -> None:
    rows = [trade(10, 103.0), trade(20, 101.0), price(30, 102.0)]
    curves = replay(told(rows), start=at(0), end=at(40), steps=5, most=10)
    assert [to_micros(time) for time in curves.times] == [at(second) for second in (0, 10, 20, 30, 40)]
    assert curves.path == (None, 103.0, 101.0, 102.0, 102.0)
    assert (curves.levels, curves.prices) == (("X@101.0", "X@103.0"), (101.0, 103.0))
    assert [row[:2] for row in curves.strengths] == [(0.0, 0.0), (0.0, 0.5)]


def test_a_replay_keeps_the_levels_that_were_strongest_on_the_whole() -> None:
    rows = [trade(0, 100.0), trade(0, 105.0, 50_000.0), trade(30, 110.0, 50_000.0)]
    curves = replay(told(rows), start=at(0), end=at(40), steps=5, most=1)
    assert curves.levels == ("X@105.0",)
    nothing = replay(told(rows), start=at(-20), end=at(-10), steps=2, most=9)
    assert (nothing.levels, nothing.path) == ((), (None, None))


def test_what_came_late_shows_from_the_next_item_on() -> None:
    rows = [trade(10), trade(5), trade(20)]
    curves = replay(told(rows), start=at(10), end=at(20), steps=2, most=9)
    assert curves.strengths[0] == pytest.approx((0.5, 0.6 * (1 - 1e-3) + 0.1))


def test_the_history_of_nothing_is_empty() -> None:
    nothing = history([], "X", SEED)
    assert why(nothing, 100.0, at(0)) is None
    assert replay(nothing, start=at(0), end=at(9), steps=2, most=9).levels == ()
