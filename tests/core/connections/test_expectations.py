"""What a prediction is worth: its base rate, its probability, and when it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import log

import numpy as np
import pytest

from asterism.core.connections import model
from asterism.core.connections.expectations import MILLIONTHS, DaysBefore, Tally, base_rates
from asterism.core.connections.model import Prediction, Record
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.predictions import Outcome
from asterism.core.connections.read_predictions import predictions
from asterism.core.connections.tables import Events, Predictions, Records, Stars
from asterism.core.connections.words import LinkKind
from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_HOUR, day_of, to_micros
from asterism.core.ledger.items import Item
from asterism.core.ledger.parameters import Setting
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from tests.support.strategies import Told, evidence, ledger_of, observed, star_added, type_assigned

TURNS = 60  # one every four days, so that the lag of a turn is never taken for that of another
LAG_HOURS = 6


def diary(*, missing: Sequence[int] = (), turns: int = TURNS) -> list[Told]:
    """A cause that turns every four days, and an effect that follows six hours later, but for some turns."""
    told = [star_added("a"), star_added("b"), type_assigned("a", "b", LinkKind.CAUSATION, 0)]
    bright = 0.3
    for turn in range(turns):
        day, high = 4 * turn, turn % 2 == 0
        told.append(observed("a", 0.8 if high else 0.4, day, 8))
        bright = bright if turn in missing else (0.8 if high else 0.3)
        told.append(observed("b", bright, day, 8 + LAG_HOURS))
        told.append(evidence("a", "b", "user_creates", day, 20))
    return told


def folded(items: Sequence[Item], **overrides: Setting) -> Projection:
    projection = Projection(SpaceParameters.build("seed", overrides))
    projection.apply_all(items)
    projection.close_days(day_of(items[-1].at) + 4)
    return projection


def made(items: Sequence[Item], **overrides: Setting) -> tuple[Prediction, ...]:
    return predictions(folded(items, **overrides).connections).items


def test_nothing_is_told_before_twenty_are_settled_and_then_what_beats_the_base_rate_is() -> None:
    told = made(ledger_of(diary()))
    first = next(place for place, each in enumerate(told) if each.told)
    settled_before = [
        each
        for each in told
        if each.resolved_at and day_of(to_micros(each.resolved_at)) < day_of(to_micros(told[first].made_at))
    ]
    assert len(settled_before) == 20
    assert all(each.told for each in told[first:])
    assert all(each.probability > each.base_rate for each in told[first:])


@pytest.mark.parametrize("seed", range(4))
def test_a_record_no_better_than_chance_is_never_told(seed: int) -> None:
    chance = np.random.default_rng(seed)
    noise = [observed("b", value, day, 14) for day, value in enumerate(chance.choice([0.2, 0.5, 0.8], 4 * TURNS))]
    told = made(ledger_of([each for each in diary() if each.payload.get("star") != "b"] + [star_added("b"), *noise]))
    assert len([each for each in told if each.resolved_at]) > 40
    assert not any(each.told for each in told)


def test_what_comes_later_moves_nothing_that_was_said_before() -> None:
    items = ledger_of(diary(missing=(12, 19, 30)))
    cut = 130
    as_it_was = made([item for item in items if day_of(item.at) - day_of(items[0].at) < cut])
    shuffled = ledger_of(diary(missing=(12, 19, 30, *range(33, TURNS, 2))))
    for future in (items, shuffled, [item for item in items if item.payload.get("star") != "b" or _day(item) < cut]):
        by_then = [each for each in made(future) if _day_of(each, items) < cut]
        assert [_said(each) for each in by_then] == [_said(each) for each in as_it_was]
    assert len(as_it_was) > 20


def _day(item: Item) -> int:
    return day_of(item.at) - day_of(ledger_of(diary())[0].at)


def _day_of(each: Prediction, items: Sequence[Item]) -> int:
    return day_of(to_micros(each.made_at)) - day_of(items[0].at)


def _said(each: Prediction) -> tuple[object, ...]:
    return (each.id, each.sign, each.confidence, each.probability, each.base_rate, each.told)


def test_a_miss_lowers_what_the_link_says_next_and_a_hit_raises_it() -> None:
    missed, hit = made(ledger_of(diary(missing=[40]))), made(ledger_of(diary()))
    place = next(place for place, each in enumerate(missed) if each.outcome == "missed")
    said, lower, higher = missed[place], missed[place + 1], hit[place + 1]
    assert _said(said) == _said(hit[place])
    lift_after_miss = lower.probability - lower.base_rate
    lift_after_hit = higher.probability - higher.base_rate
    assert lift_after_miss < lift_after_hit


def test_the_step_of_a_miss_and_of_a_hit_is_what_the_page_says() -> None:
    def said(settled: int, verified: int, chance: float) -> float:
        link = Tally(*(np.array([each]) for each in (settled, verified, round(chance * MILLIONTHS), 0)))
        return 0.3 + link.lift(0.1, 10.0).item()

    before = said(20, 12, 6.0)
    assert said(21, 12, 6.3) == pytest.approx(before - before / 31)
    assert said(21, 13, 6.3) == pytest.approx(before + (1 - before) / 31)


def test_predictions_that_are_no_longer_kept_still_teach() -> None:
    items = ledger_of(diary(missing=(12, 19, 30)))
    every, few = folded(items), folded(items, predictions_kept=3)
    kept = predictions(few.connections)
    assert kept.dropped > 40
    assert [_said(each) for each in kept.items] == [
        _said(each) for each in predictions(every.connections).items[-len(kept.items) :]
    ]
    assert kept.record == predictions(every.connections).record


def test_the_record_is_what_the_settled_ones_add_up_to() -> None:
    known = predictions(folded(ledger_of(diary(missing=(12, 19, 30, 31)))).connections)
    settled = [each for each in known.items if each.resolved_at]
    hits = [each.outcome == "verified" for each in settled]
    assert (known.record.settled, known.record.verified) == (len(settled), sum(hits))
    assert known.record.base_rate == pytest.approx(np.mean([each.base_rate for each in settled]))
    brier = np.mean([(each.probability - hit) ** 2 for each, hit in zip(settled, hits, strict=True)])
    assert known.record.brier == pytest.approx(brier, abs=1e-6)
    assert known.record.skill == pytest.approx(1 - brier / (known.record.brier_base or 1), abs=1e-5)
    assert known.told.settled == sum(each.told for each in settled)
    assert known.told.settled + known.silent.settled == known.record.settled
    assert [each.record.of for each in known.signs] == ["rises", "falls"]
    assert sum(each.record.settled for each in known.signs) == known.record.settled
    (link,) = known.links
    assert (link.record.of, link.record.settled) == ("a~b", known.record.settled)
    assert link.beats_base_rate
    won = {}
    for each, hit in zip(settled, hits, strict=True):
        said, chance = (each.probability, each.base_rate) if hit else (1 - each.probability, 1 - each.base_rate)
        won[each.id] = log(said / chance)
    assert log(link.odds) == pytest.approx(sum(won.values()), abs=1e-3)  # here a day settles one at most
    assert sum(each.n for each in known.reliability) == len(settled)


def test_a_memory_without_predictions_has_an_empty_record() -> None:
    known = predictions(folded(ledger_of([star_added("a")])).connections)
    assert (known.record.settled, known.record.hit_rate, known.record.skill) == (0, None, None)
    assert known.links == ()
    assert not any(each.beats_base_rate for each in known.signs)
    assert known.expectations == ()


def test_a_checkpoint_holds_the_record() -> None:
    items = ledger_of(diary(missing=(12, 19)))
    middle = len(items) // 2
    half = Projection(SpaceParameters.build("seed"))
    half.apply_all(items[:middle])
    loaded = Projection.load(half.dump(), SpaceParameters.build("seed"))
    loaded.apply_all(items[middle:])
    whole = Projection(SpaceParameters.build("seed"))
    whole.apply_all(items)
    ends = [predictions(each.connections) for each in (loaded, whole)]
    assert ends[0] == ends[1]


# The base rate

DAY = 100
RISES = [(day, 14) for day in (99, 95, 91)]


def base_rate(
    events: Sequence[tuple[int, float]],
    *,
    observed_days: Sequence[int] = range(70, 100),
    sign: int = 1,
    hours: tuple[float, float] = (11, 17),
) -> float:
    """The base rate of one prediction, made on a day, of a star that rose at some hours of some days."""
    stars, told, one = Stars(), Events(), Predictions()
    stars.add()
    stars.observed_days[0] = sum(1 << (DAY - day) for day in observed_days)
    for day, hour in sorted(events):
        row = told.add()
        told.at[row], told.change[row] = day * MICROS_PER_DAY + round(hour * MICROS_PER_HOUR), 0.5
    row = one.add()
    one.sign[row], one.outcome[row] = sign, Outcome.OPEN
    one.from_at[row], one.until_at[row] = (DAY * MICROS_PER_DAY + round(hour * MICROS_PER_HOUR) for hour in hours)
    before = DaysBefore(told, stars, DAY, Records(), (0, 0))
    return base_rates(one, 0, before, ConnectionParameters()).item()


def test_the_base_rate_is_how_often_the_same_hours_held_such_an_event() -> None:
    assert base_rate(RISES) == pytest.approx(3.5 / 31, abs=1e-6)
    assert base_rate(RISES, sign=-1) == pytest.approx(0.5 / 31, abs=1e-6)
    assert base_rate(RISES, hours=(15, 20)) == pytest.approx(0.5 / 31, abs=1e-6)
    assert base_rate(RISES, hours=(14, 14)) == pytest.approx(3.5 / 31, abs=1e-6)


def test_days_on_which_nobody_told_a_value_are_no_trials() -> None:
    assert base_rate(RISES, observed_days=(99, 95, 91, 90)) == pytest.approx(3.5 / 5, abs=1e-6)
    assert base_rate(RISES, observed_days=()) == 0.5


def test_the_day_itself_and_what_is_older_than_the_window_are_not_looked_at() -> None:
    assert base_rate([(DAY, 14), (69, 14)], observed_days=range(60, 101)) == pytest.approx(0.5 / 31, abs=1e-6)


def test_a_window_over_midnight_meets_two_days() -> None:
    late = {"hours": (20, 30)}
    assert base_rate([(98, 2)], observed_days=(98,), **late) == pytest.approx(1.5 / 3, abs=1e-6)  # type: ignore[arg-type]
    assert base_rate([(99, 22)], observed_days=(99,), **late) == pytest.approx(0.5 / 2, abs=1e-6)  # type: ignore[arg-type]


def test_predictions_are_printed_with_their_record_and_what_is_expected() -> None:
    at = datetime(2026, 1, 2, tzinfo=UTC)
    record = Record("all", 4, 3, 0.75, 0.5, 0.2, 0.25, 0.2)
    none = Record("all", 0, 0, None, None, None, None, None)
    expected = Prediction("a~b", "mood", at, at, -1, 0.5, 0.7, 0.5, True, "open", None)
    found = model.Predictions((expected,), 0.75, (), 0.2, 0, (), record, record, record, (), ())
    assert str(found).splitlines() == [
        "5 predictions: 3 of 4 came true, by chance 50% would have; 1 open. Expected now:",
        "  a~b: mood falls about 2026-01-02 00:00, probability 0.70",
    ]
    silent = replace(found, items=(), record=none)
    assert str(silent).splitlines()[1] == "  nothing: no record beats chance yet"
