"""The diary evaluation on diaries that the test writes itself, in the public formats."""

from __future__ import annotations

import gzip
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from asterism.core.discovery.detectors import Discovery, Link
from asterism.core.ledger.columns import Floats
from asterism.errors import InputError
from asterism.evals import esm
from asterism.evals.diaries import SLOTS, Diary, load_diaries, successive
from asterism.evals.esm import drift, first_alarm, shuffle_days
from asterism.evals.esm_forecast import forecast, trust
from asterism.evals.thresholds import threshold_rows

START = date(2012, 8, 13)


def mood(*, days: int, prompts: int, number: int = 2) -> Floats:
    """Four items, days x prompts each: 1 follows 0 by a prompt, 2 and 3 are noise."""
    rng = np.random.default_rng(number)
    values = rng.normal(size=(4, days, prompts))
    values[1, :, 1:] += 1.5 * values[0, :, :-1]
    return values


def on_a_grid(values: Floats) -> Floats:
    grid = np.full((len(values), values.shape[1], SLOTS), np.nan)
    grid[:, :, 1 : 1 + values.shape[2]] = values
    return grid.reshape(len(values), -1)


def write(path: Path, header: list[str], lines: list[list[object]]) -> None:
    text = "\n".join([",".join(header), *(",".join(str(cell) for cell in line) for line in lines)])
    path.write_bytes(gzip.compress(text.encode()))


def write_single(path: Path, values: Floats, *, first: date = START) -> None:
    lines: list[list[object]] = []
    for day in range(values.shape[1]):
        when = (first + timedelta(days=day)).strftime("%d/%m/%y")
        for prompt in range(values.shape[2]):
            items = [f"{value:.3f}" for value in values[:, day, prompt]]
            lines.append([when, 1, float(prompt + 1), "08:00", "", "", 0.0, *items, 3, day])
    header = ["date", "dayno", "beepno", "beeptime", "resptime_s", "resptime_e", "time_norm"]
    write(path, [*header, "mood_a", "mood_b", "mood_c", "mood_d", "soc_who1", "evn_day"], lines)


def write_mpath(path: Path, people: dict[str, Floats]) -> None:
    lines: list[list[object]] = []
    for person, values in people.items():
        for day in range(values.shape[1]):
            for prompt in range(values.shape[2]):
                answers = [f"{value:.2f}" for value in values[:, day, prompt]] if (day + prompt) % 7 else [""] * 4
                lines.append([person, day + 1, prompt + 1, *answers])
    header = [
        "participant",
        "day_n",
        "obs_n_day",
        "slider_happy",
        "slider_sad",
        "slider_angry",
        "slider_tired",
    ]
    write(path, header, lines)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_single(tmp_path / "single_case_x.csv.gz", mood(days=70, prompts=6))
    write_mpath(tmp_path / "mpath_x.csv.gz", {"2": mood(days=20, prompts=6), "4": mood(days=1, prompts=3)})
    return tmp_path


def test_a_real_link_gives_skill_and_shuffled_days_do_not(folder: Path) -> None:
    heard: list[str] = []
    reports = {report.system: report for report in esm.run(folder, progress=heard.append)}
    assert list(reports) == [
        "baselines",
        "seed",
        "seed_tuned",
        "granger",
        "best",
        "diary",
        "expects seed",
        "expects tuned",
        "expects found",
    ]
    assert "single_case: best" in heard
    best = reports["best"]
    assert best.value("single_case", "links") == 1
    assert (best.value("single_case", "skill over AR(1)") or 0.0) > 0.03
    assert best.value("single_case", "stability (Jaccard)") == 1.0
    assert best.value("single_case", "same sign") == 1.0
    assert (best.value("single_case", "false alarms / pairs") or 0.0) <= 0.05
    assert (best.value("single_case", "shuffled diaries that tell any") or 0.0) <= 0.2
    assert best.value("mpath", "people") == 2
    assert (best.value("mpath", "... of person 2") or 0.0) > 0.0
    assert best.value("mpath", "... of person 4") == 0.0
    assert reports["baselines"].value("single_case", "MAE same as last, sd") == pytest.approx(1.1, abs=0.15)
    assert reports["baselines"].value("single_case", "drift of level: alarm day") is None


def test_either_file_may_be_absent_and_the_shuffles_are_fixed_by_the_seed(folder: Path) -> None:
    (folder / "single_case_x.csv.gz").unlink()
    first, second = ([report.to_dict() for report in esm.run(folder, seed=3, clock=lambda: 0.0)] for _ in range(2))
    assert first == second
    assert {row["name"] for report in first for row in report["rows"]} == {"mpath"}  # type: ignore[attr-defined]


def test_a_person_whom_links_did_not_help_so_far_is_forecast_by_the_items_own_past() -> None:
    values = np.random.default_rng(5).normal(size=(4, 40, 6))
    diary = Diary("mpath", "1", ("a", "b", "c", "d"), on_a_grid(values), 1)

    def all_linked(series: Floats, *, lags: int, step_hours: float) -> Discovery:
        pairs = [(cause, effect) for cause in range(4) for effect in range(4) if cause != effect]
        return Discovery("all", tuple(Link(*pair, 1, 1.0, positive=True) for pair in pairs), frozenset())

    assert forecast(diary, all_linked).skill() == 0.0
    values[1, :, 1:] += 1.5 * values[0, :, :-1]
    assert forecast(Diary("mpath", "1", diary.items, on_a_grid(values), 1), all_linked).skills()[1] > 0.1


def test_trust_needs_a_record_and_more_than_a_standard_error() -> None:
    misses = np.tile([[0.5], [-0.5]], (10, 1))
    assert trust(misses, misses) == 1.0
    assert trust(misses[:7], misses[:7]) == 0.0
    assert trust(misses, np.vstack([misses[:10], -misses[10:]])) == 0.0


def test_codes_and_once_a_day_items_are_left_out(folder: Path) -> None:
    single = load_diaries(folder)[0]
    assert single.items == ("mood_a", "mood_b", "mood_c", "mood_d")
    assert (single.first_day, single.series.shape) == (1, (4, 70 * SLOTS))
    assert np.isnan(single.series[:, 0]).all()


def test_successive_prompts_never_span_a_night(folder: Path) -> None:
    slots = successive(load_diaries(folder)[0].series)
    assert len(slots) == 70 * 5
    assert set(slots % SLOTS) == {1, 2, 3, 4, 5}


def test_shuffling_keeps_each_items_values_and_breaks_their_order() -> None:
    series = np.full((2, 30 * SLOTS), np.nan)
    for day in range(30):
        series[:, day * SLOTS + 1 : day * SLOTS + 4] = day
    mixed = shuffle_days(series, rng=np.random.default_rng(1))
    for item in mixed:
        assert sorted(item[np.isfinite(item)]) == sorted(series[0][np.isfinite(series[0])])
    assert (mixed[0] != mixed[1])[np.isfinite(mixed[0])].any()


def test_a_change_of_level_is_seen_and_dated(tmp_path: Path) -> None:
    values = mood(days=138, prompts=6)
    values[:, 100:] += 3.0
    write_single(tmp_path / "single_case.csv.gz", values)
    report = esm.run(tmp_path)[0]
    alarm = report.value("single_case", "drift of level: alarm day")
    assert alarm is not None
    assert 101 < alarm < 115
    assert report.value("single_case", "drift of level: days ahead") == 127 - alarm
    assert (report.value("single_case", "drift of level: alarm by chance") or 0.0) < 0.5


def test_a_week_with_few_answers_has_no_drift() -> None:
    series = np.full((2, 40 * SLOTS), np.nan)
    series[:, 1 : 20 * SLOTS : 4] = np.random.default_rng(1).normal(size=(2, 20 * SLOTS // 4))
    level, _ = drift(series, reference_days=14)
    assert np.isfinite(level[10:20]).all()
    assert np.isnan(level[30:]).all()


def test_no_drift_without_a_reference() -> None:
    level, ties = drift(np.full((2, 20 * SLOTS), np.nan), reference_days=7)
    assert np.isnan(level).all()
    assert np.isnan(ties).all()
    assert first_alarm(level, reference_days=7) is None
    assert first_alarm(np.ones(30), reference_days=10) is None


def test_a_record_without_answers_gives_rows_and_no_figures(tmp_path: Path) -> None:
    write_mpath(tmp_path / "mpath.csv.gz", {"1": np.zeros((4, 1, 1))})
    for report in esm.run(tmp_path):
        assert report.value("mpath", "people") == 1
        assert not report.value("mpath", "links")


def test_a_silent_single_case_reports_no_drift(tmp_path: Path) -> None:
    silent = Diary("single_case", "1", ("a", "b"), np.full((2, 138 * SLOTS), np.nan), 1)
    rows = esm._change_rows(silent, rng=np.random.default_rng(1))
    assert [(row.metric, row.value) for row in rows] == [
        ("drift of level: alarm by chance", 0.0),
        ("drift of ties: alarm by chance", 0.0),
    ]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("single_case.csv", "date,beepno,a\n1-2-12,1,3\n", "not dd/mm/yy"),
        ("single_case.csv", "date,beepno,a\n01/02/12,x,3\n", "not a number"),
        ("single_case.csv", "date,beepno,a\n01/02/12,1,good\n", "is not a number"),
        ("single_case.csv", "date,beepno,a\n01/02/12,99,3\n", "prompt 99"),
        ("single_case.csv", "when,a\n1,2\n", "no date, beepno"),
        ("mpath.csv", "participant\n", "no participant"),
        ("mpath.csv.gz", "plain", "damaged"),
        ("other.csv", "", "neither"),
    ],
)
def test_a_bad_file_is_named_with_what_was_expected(tmp_path: Path, name: str, text: str, reason: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=reason) as caught:
        esm.run(tmp_path)
    assert "expected single_case" in str(caught.value)


def test_an_absent_folder_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        esm.run(tmp_path / "absent")


def test_thresholds_are_passed_by_tied_days_and_rarely_by_shuffled_ones() -> None:
    rng = np.random.default_rng(8)
    days = np.repeat(np.cumsum(rng.normal(size=(1, 90)), axis=1), 2, axis=0) + 0.1 * rng.normal(size=(2, 90))
    series = np.full((2, 90 * SLOTS), np.nan)
    series[:, 1::SLOTS] = days
    diary = Diary("single_case", "1", ("a", "b"), series, 1)
    rows = {row.metric: row.value for row in threshold_rows(diary, rng=rng)}
    assert rows["30 days r > 0.5"] == 1.0
    assert rows["30 days r > 0.5, shuffled"] < 0.05
    assert rows["30 days r < -0.3"] == 0.0
    assert rows["|r| beyond chance, 0 days apart"] > rows["|r| beyond chance, 5 days apart"]
    assert threshold_rows(Diary("x", "1", ("a",), series[:1], 1), rng=rng) == []
