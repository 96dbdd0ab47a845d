"""What a look through told values says of stars and pairs, and which finding it writes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from asterism.core.connections.fold import Connections
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.payloads import check_payload
from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.items import Item
from asterism.core.space import discovered
from asterism.core.space.discovered import Discovered, Observed
from asterism.core.space.found import Judged, judged, said_before, seed_looks
from asterism.core.space.looked import Looked, look_through, packed, series_of, unpacked
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from tests.support.strategies import FIRST_DAY, Told, engaged, evidence, found, ledger_of, mark, observed, star_added

SINCE = FIRST_DAY
DAYS = 60


def diary(*, days: int = DAYS, sign: float = 1.0, lag: int = 0, noise: float = 0.3) -> list[Told]:
    draw = np.random.default_rng(5)
    a, other, c = draw.normal(size=days), draw.normal(size=days), draw.normal(size=days)
    b = sign * np.roll(a, lag) + noise * other
    series = {"a": a, "b": b, "c": c}
    return [
        observed(name, float(np.clip(0.5 + 0.15 * values[day], 0.05, 1)), day)
        for name, values in series.items()
        for day in range(days)
    ]


def folded(told: list[Told]) -> tuple[Connections, list[tuple[int, Item]]]:
    """Fold what was told; give it, and the values, each with its place in the order in which they arrived."""
    items = ledger_of([*(star_added(name) for name in "abcd"), *told])
    projection = Projection(SpaceParameters(ConnectionParameters.build()))
    projection.apply_all(items)
    return projection.connections, [each for each in enumerate(items) if each[1].what == "brightness_observed"]


def look(values: list[tuple[int, Item]], *, most: int = 10, before: dict[str, int] | None = None) -> Looked:
    return look_through(series_of(values), {"a": "A"}, since=SINCE, most=most, before=before or {})


def looked(told: list[Told], *, day: int = DAYS - 1, most: int = 10) -> list[Judged]:
    connections, values = folded(told)
    return judged(look(values, most=most), connections, day=FIRST_DAY + day, detector="best")


def of_pair(judgements: list[Judged], a: str, b: str) -> Judged:
    return next(each for each in judgements if (each.tested.a, each.tested.b) == (a, b))


def test_what_is_found_is_an_item_that_can_be_told() -> None:
    both = of_pair(looked(diary()), "a", "b")
    assert both.tested.verdict == "together"
    assert both.tested.written
    assert both.payload is not None
    check_payload("evidence", both.payload)
    assert both.payload["until"] == "2024-12-02"
    later = of_pair(looked(diary(lag=1)), "a", "b")
    assert (later.tested.verdict, later.tested.direction, later.tested.leads) == ("drives", "a_to_b", "a")
    assert later.payload is not None
    check_payload("evidence", later.payload)
    back = of_pair(looked([_swapped(each) for each in diary(lag=1)]), "a", "b")
    assert (back.tested.direction, back.tested.leads) == ("b_to_a", "b")
    assert of_pair(looked(diary()), "a", "c").payload is None


def _swapped(told: Told) -> Told:
    star = {"a": "b", "b": "a"}.get(str(told.payload["star"]), "c")
    return Told(told.what, told.day, told.hour, {**told.payload, "star": star})


def test_of_a_day_the_last_value_counts() -> None:
    _, values = folded([observed("a", 0.3, 1, 9), observed("a", 0.7, 1, 20), observed("a", 0.5, 2)])
    (series,) = series_of(values)
    assert series.values == {FIRST_DAY + 1: 0.7, FIRST_DAY + 2: 0.5}
    assert day_of(series.newest.at) == FIRST_DAY + 2


def test_values_on_two_scales_are_compared_on_one() -> None:
    fields = ({"value": 0.525, "low": 1.0, "high": 5.0}, {"value": 0.335, "low": 0.0, "high": 10.0})
    told = [Told("brightness_observed", day, 9.0, {"star": "a", **each}) for day, each in enumerate(fields)]
    _, values = folded(told)
    (series,) = series_of(values)  # both are 3
    assert series.values == {FIRST_DAY: 0.525, FIRST_DAY + 1: 0.525}


def test_stars_with_too_few_days_and_beyond_the_most_say_so() -> None:
    _, values = folded([*diary(), observed("d", 0.5, 3)])
    found = look(values, most=2, before={"aa": SINCE - 5})
    assert {star.id: star.left_out for star in found.stars} == {
        "a": None,
        "aa": "no value since 2024-10-04: the last is of 2024-09-29",
        "b": None,
        "c": "beyond the 2 stars with the most days",
        "d": "too few days: 1 of at least 21",
    }
    assert [star.name for star in found.stars] == ["A", "aa", "b", "c", "d"]
    assert look(values[-1:]).pairs == ()


@pytest.mark.parametrize(
    ("before", "note"),
    [
        (found("a", "b", 59), "found before, and no new value of both since"),
        (found("a", "b", 57, ago=0), "found 2 days ago: once in 7 days"),
        (found("a", "b", 30), ""),
    ],
)
def test_a_finding_waits_a_week_and_for_new_values(before: Told, note: str) -> None:
    both = of_pair(looked([*diary(), before]), "a", "b")
    assert (both.tested.note, both.payload is None) == (note, bool(note))


def test_what_was_found_and_is_not_seen_any_more_is_said_once() -> None:
    for day in (30, 59):  # also if values were corrected, and no later day was told
        gone = of_pair(looked([*diary(), found("a", "c", day)]), "a", "c")
        assert gone.tested.gone
        assert gone.payload is not None
        assert gone.payload["finding"] == "gone"
        check_payload("evidence", gone.payload)
    said = [found("a", "c", 30), found("a", "c", 40, gone=True)]
    assert not of_pair(looked([*diary(), *said]), "a", "c").tested.gone
    later = found("a", "c", 62, ago=0)  # what saw more than there is here knows better
    assert not of_pair(looked([*diary(), later], day=63), "a", "c").tested.gone


def test_what_values_say_otherwise_by_now_is_written_without_a_later_day() -> None:
    for other in (found("a", "b", 59, r=-0.8), found("a", "b", 59, lag=1)):
        soon = of_pair(looked([*diary(), other]), "a", "b")
        assert (soon.tested.note, soon.payload) == ("found 0 days ago: once in 7 days", None)
        assert of_pair(looked([*diary(), other], day=66), "a", "b").payload is not None
    back = [found("a", "b", 40), found("a", "b", 59, gone=True)]
    assert of_pair(looked([*diary(), *back]), "a", "b").payload is not None


def test_what_corrections_change_only_in_figures_is_written_once_a_week() -> None:
    before = found("a", "b", 59, r=0.5)
    connections, values = folded([*diary(), before])
    last = max(seq for seq, _ in values)

    def again(finding: Told, *, arrived: int, day: int) -> Judged:
        (item,) = ledger_of([finding])
        said = said_before([(arrived, item)])
        return of_pair(judged(look(values), connections, day=FIRST_DAY + day, detector="best", said=said), "a", "b")

    assert again(before, arrived=last + 1, day=70).payload is None  # it saw every value there is
    soon, later = (again(before, arrived=0, day=day) for day in (65, 66))
    assert (soon.tested.note, soon.payload) == ("found 6 days ago: once in 7 days", None)
    assert later.payload is not None
    figures = {name: later.payload[name] for name in ("r", "low", "high", "days")}
    same = again(replace(before, payload={**before.payload, **figures}), arrived=0, day=70)
    assert same.tested.note == "found before, and no new value of both since"


def test_of_several_findings_of_a_pair_the_one_that_saw_most_was_said_last() -> None:
    told = [found("a", "b", 40), found("a", "b", 50), found("a", "c", 45), evidence("a", "b", "user_confirms", 55)]
    items = ledger_of(told)
    said = said_before(list(enumerate(reversed(items))))
    assert {pair: each.day - FIRST_DAY for pair, each in said.items()} == {("a", "b"): 50, ("a", "c"): 45}


@pytest.mark.parametrize("lag", [0, 1])
def test_a_look_that_is_kept_comes_back_as_it_was(lag: int) -> None:
    _, values = folded([*diary(lag=lag), observed("d", 0.5, 3)])
    found = look(values, before={"e": SINCE - 9})
    assert unpacked(packed(found)) == found
    assert any(pair.verdict in ("drives", "together") for pair in found.pairs)


def test_a_dissolved_link_is_gone_once_and_not_found_by_the_same_values() -> None:
    short = [each for each in diary() if each.day < 30]
    told = [*short, found("a", "c", 29)]
    assert of_pair(looked([*told, mark("clock", 80)], day=80), "a", "c").payload is not None
    told += [found("a", "c", 79, ago=50, gone=True), mark("clock", 80)]
    assert of_pair(looked(told, day=80), "a", "c").payload is None
    both = of_pair(looked([*short, found("a", "b", 29), mark("clock", 80)], day=80), "a", "b")
    assert (both.tested.note, both.payload) == ("found before, and no new value of both since", None)


def test_nothing_is_written_of_a_pair_that_was_denied_until_it_is_confirmed() -> None:
    denied = Told("denied", 40, 9.0, {"a": "a", "b": "b"})
    told = [*diary(), found("a", "b", 30), denied]
    assert of_pair(looked(told), "a", "b").tested.note == "you denied it"
    assert of_pair(looked(told), "a", "b").payload is None
    assert of_pair(looked([*told, evidence("a", "b", "user_confirms", 41)]), "a", "b").payload is not None
    strong = [evidence("a", "c", "user_creates", day) for day in range(20, 30)]
    kept = [found("a", "c", 30), Told("denied", 40, 9.0, {"a": "a", "b": "c"})]
    assert not of_pair(looked([*diary(), *strong, *kept]), "a", "c").tested.gone


def test_a_finding_ends_with_the_star_that_was_told_less_long() -> None:
    short = [each for each in diary() if each.payload["star"] != "b" or each.day < 50]
    both = of_pair(looked(short), "a", "b")
    assert both.payload is not None
    assert both.payload["until"] == "2024-11-22"


def test_a_star_that_does_not_vary_says_nothing_of_what_was_found() -> None:
    flat = [each for each in diary() if each.payload["star"] != "c"] + [observed("c", 0.5, day) for day in range(DAYS)]
    both = of_pair(looked([*flat, found("a", "c", 30)]), "a", "c")
    assert (both.tested.reason, both.tested.gone) == ("does not vary", False)


# The seed's


def test_the_seed_looks_at_engaged_stars_and_says_who_else_has_values() -> None:
    told = [*diary(), *(engaged(name, 58, impact=0.0) for name in "abc"), observed("d", 0.5, 50)]
    connections, _ = folded(told)
    stars, pairs = seed_looks(connections, day=FIRST_DAY + DAYS)
    assert [(star.id, star.days, star.left_out is None) for star in stars] == [
        ("a", 60, True),
        ("b", 60, True),
        ("c", 60, True),
        ("d", 1, False),
    ]
    assert next((pair.a, pair.b, pair.verdict) for pair in pairs) == ("a", "b", "together")
    assert {pair.reason for pair in pairs[1:]} <= {"too weak", "steady delay", "same day"}


@pytest.mark.parametrize(("first", "direction"), [("a", "a_to_b"), ("b", "b_to_a")])
def test_the_seed_tells_a_steady_delay(first: str, direction: str) -> None:
    second = "b" if first == "a" else "a"
    told = [engaged(name, 0, impact=0.0) for name in "abd"]
    for turn in range(9):
        value = 0.7 if turn % 2 else 0.3
        told += [observed(first, value, 4 * turn, 12), observed(second, value, 4 * turn + 1, 8)]
    told += [engaged(name, 30, impact=0.0) for name in "abd"] + [observed("d", 0.5, 30)]
    connections, _ = folded(told)
    _, pairs = seed_looks(connections, day=FIRST_DAY + 34)
    (delayed,) = [pair for pair in pairs if (pair.a, pair.b) == ("a", "b")]
    assert (delayed.verdict, delayed.direction, delayed.leads, delayed.lag_days) == ("drives", direction, first, 1)
    assert {pair.reason for pair in pairs if pair is not delayed} == {"too few days"}


# Words


NAMES = {"a": "Sleep", "b": "Mood"}


@pytest.mark.parametrize(
    ("tested", "words"),
    [
        (
            discovered.Tested("a", "b", "together", "same day", r=-0.5, low=-0.7, high=-0.2, days=40),
            "Sleep goes against Mood on the same day: r -.50 (-.70 to -.20), 40 days",
        ),
        (
            discovered.Tested("a", "b", "drives", "forecasts better", "b_to_a", 2, "b", 40, 0.8, 0.7, 0.9, skill=0.4),
            "Mood drives Sleep 2 days later: r .80 (.70 to .90), 40 days, unseen days forecast 40% better",
        ),
        (
            discovered.Tested("a", "b", "drives", "steady delay", "a_to_b", 1, "a"),
            "Sleep drives Mood a day later",
        ),
        (
            discovered.Tested("a", "b", "drives", "forecasts better", "a_to_b", 1, "a", 40, -0.6),
            "Sleep drives Mood the other way, a day later: r -.60, 40 days",
        ),
        (
            discovered.Tested("a", "b", "together", "no better forecast", "none", 1, "b", 40, 0.8),
            "Mood goes with Sleep a day later: r .80, 40 days",
        ),
        (
            discovered.Tested("a", "b", "through", "explained by others", through=("c",)),
            "Sleep and Mood: explained by others (c)",
        ),
        (
            discovered.Tested("a", "b", "nothing", "within chance", r=0.1, days=30),
            "Sleep and Mood: within chance; r .10, 30 days",
        ),
    ],
)
def test_a_pair_is_told_in_a_sentence(tested: discovered.Tested, words: str) -> None:
    assert tested.sentence(NAMES) == words
    assert tested.link == "a~b"


def test_a_discovery_tells_what_is_worth_a_link_and_what_holds_no_more() -> None:
    star = Observed("a", "Sleep", 1, date(2024, 1, 1), date(2024, 1, 1))
    told = discovered.Tested("a", "b", "together", "same day", r=0.5)
    gone = discovered.Tested("a", "c", "nothing", "within chance", gone=True)
    found = Discovered("best", (star,), (told, gone), 10, 2)
    assert found.told() == (told,)
    assert "Sleep and c: within chance, no longer holds" in str(found)
    assert "nothing goes with anything" in str(Discovered("best", (), (), 0, 0))


def test_a_look_says_what_was_written_and_counts_the_rest_by_why() -> None:
    pairs = (
        discovered.Tested("a", "b", "together", "same day", r=0.8, days=60, written=True),
        discovered.Tested("a", "c", "together", "same day", r=0.7, days=60, note="found before"),
        discovered.Tested("a", "d", "nothing", "too weak"),
        discovered.Tested("b", "c", "nothing", "within chance", gone=True),
        discovered.Tested("b", "d", "nothing", "within chance"),
    )
    found = Discovered("best", (), pairs, 5, 2)
    assert found.news() == [
        "a goes with b on the same day: r .80, 60 days",
        "b and c: within chance, no longer holds",
    ]
    assert list(found.nothing().items()) == [("within chance", 2), ("too weak", 1)]
    assert replace(found, written=1).news() == found.news()[:1]  # what ended was said before
    star = Observed("a", "A", 3, date(2026, 3, 1), date(2026, 3, 3))
    assert str(Discovered("best", (star,), pairs[:1], 1, 1)).startswith("1 pair of 1 star looked at:")
