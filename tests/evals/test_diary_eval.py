"""Random diaries, and the evaluation of what is found in them, on few and small ones."""

from __future__ import annotations

import gzip
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from asterism.core.discovery.cleaning import memory_of
from asterism.core.ledger.columns import Floats
from asterism.errors import InputError
from asterism.evals import diary_links
from asterism.evals.diaries import SLOTS, Diary, daily
from asterism.evals.diary_links import ANY, CHAIN, COMMON, broken_up
from asterism.evals.diary_systems import SYSTEMS, Told
from asterism.evals.random_diaries import (
    DAYS,
    LAGS,
    LONG_MEMORY,
    ODD_KINDS,
    STARS,
    STRENGTH,
    Planted,
    RandomDiary,
    odd_diary,
    random_diary,
)
from asterism.evals.used_diary import as_used, write_csv

NUMBERS = range(60)


def write_single_case(folder: Path, *, days: int, items: int = 8) -> None:
    """A single case in the public format: two prompts a day, nothing linked."""
    rng = np.random.default_rng(5)
    head = ["date", "dayno", "beepno", "beeptime", "resptime_s", "resptime_e", "time_norm"]
    lines = [",".join([*head, *(f"mood_{item}" for item in range(items))])]
    for day in range(days):
        when = (date(2012, 8, 13) + timedelta(days=day)).strftime("%d/%m/%y")
        for prompt in (1, 2):
            values = (f"{value:.3f}" for value in rng.normal(size=items))
            lines.append(",".join([when, "1", str(prompt), "08:00", "", "", "0.0", *values]))
    (folder / "single_case.csv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))


# --- the generator -----------------------------------------------------------------------------------------


def test_the_same_number_gives_the_same_diary() -> None:
    one, two, other = random_diary(7), random_diary(7), random_diary(8)
    assert np.array_equal(one.values, two.values, equal_nan=True)
    assert one.links == two.links
    assert one.links != other.links


def test_diaries_are_as_long_wide_and_gappy_as_promised() -> None:
    diaries = [random_diary(number) for number in NUMBERS]
    assert all(STARS[0] <= len(diary.values) <= STARS[1] for diary in diaries)
    assert all(DAYS[0] <= diary.days <= DAYS[1] for diary in diaries)
    assert np.mean([np.isnan(diary.values).mean() for diary in diaries]) == pytest.approx(0.1, abs=0.01)
    told = np.concatenate([diary.values[np.isfinite(diary.values)] for diary in diaries])
    assert told.min() >= 0.0
    assert told.max() <= 10.0
    assert np.allclose(told * 10.0, np.round(told * 10.0))


def test_links_have_the_strengths_and_lags_promised_and_every_diary_has_one() -> None:
    diaries = [random_diary(number) for number in NUMBERS]
    links = [link for diary in diaries for link in diary.links]
    assert all(diary.links for diary in diaries)
    assert {link.lag for link in links} == set(LAGS)
    assert all(STRENGTH[0] <= abs(link.r) <= STRENGTH[1] for link in links)
    assert any(link.r < 0.0 for link in links)
    assert any(diary.chained for diary in diaries)
    assert any(diary.shared for diary in diaries)


def test_no_pair_is_both_linked_and_related_through_a_third() -> None:
    for number in NUMBERS:
        diary = random_diary(number)
        pairs = {(min(link.cause, link.effect), max(link.cause, link.effect)) for link in diary.links}
        assert pairs.isdisjoint(diary.chained | diary.shared)


def test_planted_correlations_are_the_ones_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asterism.evals.random_diaries.DAYS", (4000, 4000))
    for quiet in ("OWN_RHYTHM", "SHARED_RHYTHM", "TREND", "BEND"):
        monkeypatch.setattr(f"asterism.evals.random_diaries.{quiet}", 0.0)
    for number in range(5):
        diary = random_diary(number)
        for link in diary.links:
            cause, effect = diary.values[link.cause], diary.values[link.effect]
            then, now = cause[: len(cause) - link.lag], effect[link.lag :]
            both = np.isfinite(then) & np.isfinite(now)
            assert np.corrcoef(then[both], now[both])[0, 1] == pytest.approx(link.r, abs=0.08)


def test_a_diary_of_noise_has_no_links() -> None:
    diary = random_diary(3, linked=False)
    assert (diary.links, diary.chained, diary.shared) == ((), frozenset(), frozenset())
    assert not np.array_equal(diary.values[:5, :40], random_diary(3).values[:5, :40], equal_nan=True)


def test_a_diary_that_drifts_keeps_more_of_each_day() -> None:
    def kept(values: Floats) -> float:
        return float(np.mean([memory_of(row - np.nanmean(row)) for row in values]))

    short, long = (random_diary(3, linked=False, memory=memory).values for memory in ((0.0, 0.1), LONG_MEMORY))
    assert kept(long) > kept(short) + 0.2


def test_odd_diaries_hold_events_one_change_of_level_and_one_spell() -> None:
    events, levels, spells = (odd_diary(7, kind) for kind in ODD_KINDS)
    assert set(np.unique(events)) == {0.0, 1.0}
    assert 1 <= events.sum(axis=1).min() == events.sum(axis=1).max() <= 8
    assert ((levels[:, -5:].mean(axis=1) - levels[:, :5].mean(axis=1)).mean()) == pytest.approx(1.0, abs=0.5)
    assert ((spells > 2.5).sum(axis=1) >= 2).all()


# --- the scores --------------------------------------------------------------------------------------------


def test_scores_count_what_is_found_which_way_and_what_is_false() -> None:
    diary = RandomDiary(
        number=0,
        values=np.zeros((6, 70)),
        links=(Planted(0, 1, 1, 0.8), Planted(1, 2, 1, -0.7), Planted(3, 4, 0, 0.5)),
        chained=frozenset({(0, 2)}),
        shared=frozenset({(2, 5)}),
    )
    tally = diary_links._Tally()
    tally.add(
        diary,
        [
            Told(0, 1, directed=True, low=0.7, high=0.9),
            Told(2, 1, directed=True, low=0.1, high=0.2),
            Told(0, 2, directed=True),
            Told(2, 5, directed=False),
            Told(3, 5, directed=False),
        ],
    )
    tally.add_empty("noise", [])
    tally.add_empty("noise", [Told(0, 1, directed=False)])
    figures = {(row.name, row.metric): row.value for row in tally.rows()}
    assert figures[ANY, "found"] == pytest.approx(2 / 3)
    assert figures[diary_links.CLEAR, "found"] == 1.0
    assert (figures[ANY, "direction"], figures[ANY, "wrong direction"]) == (0.5, 0.5)
    assert figures[ANY, "r within interval"] == 0.5
    assert figures[ANY, "false of told"] == pytest.approx(0.2)
    assert figures[ANY, "f1"] == pytest.approx(4 / 6)
    assert figures[ANY, "f1, indirect false"] == pytest.approx(4 / 8)
    assert (figures[CHAIN, "told as linked"], figures[CHAIN, "told as cause"]) == (1.0, 1.0)
    assert (figures[COMMON, "told as linked"], figures[COMMON, "told as cause"]) == (1.0, 0.0)
    assert figures["noise", "tell anything"] == 0.5


def test_every_system_answers_for_a_pair_at_most_once() -> None:
    values = random_diary(1).values
    for system in SYSTEMS.values():
        told = system(values)
        assert len({each.pair for each in told}) == len(told)


def test_on_few_random_diaries_the_detector_finds_much_and_a_plain_test_tells_more_that_is_false() -> None:
    said: list[str] = []
    reports = {each.system: each for each in diary_links.run(diaries=12, first=500, progress=said.append)}
    assert said[0] == "diary 1 of 12"
    assert list(reports) == ["as used", *SYSTEMS]
    found, false = (reports["as used"].value(ANY, metric) for metric in ("found", "false of told"))
    plain = reports["pairwise"].value(ANY, "false of told")
    assert found is not None
    assert false is not None
    assert plain is not None
    assert found > 0.6
    assert false < 0.1 < plain


def test_a_memory_that_read_the_csv_and_dreamt_has_the_links_that_the_detector_tells() -> None:
    def said(told: list[Told]) -> set[tuple[int, int, bool]]:
        return {(*((each.first, each.second) if each.directed else each.pair), each.directed) for each in told}

    directed = 0
    for number in range(3):
        values = random_diary(number).values
        told = as_used(values)
        assert said(told) == said(SYSTEMS["inside"](values))
        directed += sum(each.directed for each in told)
    assert directed > 0


def test_a_diary_is_written_as_a_line_a_day_with_nothing_where_nothing_was_told(tmp_path: Path) -> None:
    write_csv(tmp_path / "diary.csv", np.array([[1.5, np.nan], [-2.0, 3.25]]))
    assert (tmp_path / "diary.csv").read_text().split() == ["date,star0,star1", "2026-01-05,1.5,-2", "2026-01-06,,3.25"]


# --- real diaries, broken up -------------------------------------------------------------------------------


def test_breaking_up_keeps_each_items_values_and_is_the_same_again() -> None:
    whole = np.arange(9 * 80, dtype=np.float64).reshape(9, 80)
    (shuffled_as, shuffled), (moved_as, moved) = broken_up([whole], number=4)
    again = dict(broken_up([whole], number=4))
    assert (shuffled_as, moved_as) == ("real, days shuffled", "real, courses moved")
    assert np.array_equal(again[shuffled_as], shuffled)
    for row in shuffled:
        values = np.sort(row)
        assert np.array_equal(values, np.arange(values[0], values[0] + len(values)))
    assert len({int(row[0]) % 80 for row in moved}) == len(moved)


def test_real_diaries_stand_beside_the_random_ones(tmp_path: Path) -> None:
    write_single_case(tmp_path, days=50)
    names = {row.name for row in diary_links.run(tmp_path, diaries=2)[0].rows}
    assert {"noise", "noise that drifts", *ODD_KINDS, "real, days shuffled", "real, courses moved"} <= names


def test_a_folder_without_a_long_diary_is_refused(tmp_path: Path) -> None:
    write_single_case(tmp_path, days=20)
    with pytest.raises(InputError, match="40 days"):
        diary_links.run(tmp_path, diaries=1)


def test_a_day_without_prompts_is_missing() -> None:
    series = np.full((1, 3 * SLOTS), np.nan)
    series[0, 0], series[0, 1], series[0, 2 * SLOTS] = 1.0, 3.0, 5.0
    assert daily(Diary("one", "1", ("a",), series, 1))[0].tolist() == pytest.approx([2.0, np.nan, 5.0], nan_ok=True)
