"""Mood diaries: do found links predict, last, and vanish when the days are shuffled?

    asterism eval esm --data FOLDER

No causal truth exists for these records, so five things are measured:

(a) forecast: the next prompt of the same day is predicted from the item itself and the items linked to it,
    both now and smoothed over earlier prompts; skill = 1 - MAE / MAE of the item's own AR(1). Links, coefficients
    and how far links are trusted come from the person's own past; the cut moves forward through the second half of
    the record (`esm_forecast`). Every person has a row.
(b) stability: links of the first half against links of the second: Jaccard, and agreement of sign.
(c) false alarms: the days of each item are shuffled apart, which breaks every link between items and keeps
    each item's own day; what is still declared is false, and so is every such diary that tells anything.
(d) the memory's own predictions on the second half: hit rate and calibration, by `expectations`;
(e) the single case's known change around study day 127: the day at which a drift statistic first leaves its
    reference band for a week running.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from asterism.core.discovery.detectors import Discovery
from asterism.core.discovery.diary import look_through_diary
from asterism.core.ledger.columns import Floats
from asterism.core.space.discover import DETECTORS, Detector
from asterism.core.statistics.series import standardise
from asterism.evals.diaries import SLOTS, STEP_HOURS, Diary, daily, load_diaries
from asterism.evals.esm_forecast import Errors, forecast
from asterism.evals.expectations import prediction_reports
from asterism.evals.report import Report, Row
from asterism.evals.thresholds import threshold_rows

Progress = Callable[[str], None]

SHUFFLES = 5
DIARY_SHUFFLES = 20
KNOWN_CHANGE_DAY = 127
REFERENCE_DAYS = 42  # the single case's medication was not yet lowered
BAND = 5.0  # an alarm in about one of twenty records whose days were shuffled: see "alarm by chance"
CHANCE_SHUFFLES = 40
WINDOW_DAYS = 7
IN_A_ROW = WINDOW_DAYS  # a bad day sits in a week of windows: fewer days in a row could be that one day
PRESETS = {"seed": "seed", "seed_tuned": "tuned", "granger": "granger", "best": "best"}


@dataclass(slots=True)
class _Counts:
    """Links of halves and of shuffled records, added up over people."""

    shared: int = 0
    union: int = 0
    same_sign: int = 0
    found: int = 0
    false: int = 0
    tested: int = 0
    found_per_shuffle: int = 0
    shuffled: int = 0
    shuffled_telling: int = 0


def run(
    data: Path,
    *,
    seed: int = 127,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Score the baselines and every detector on the diaries in the folder; `seed` fixes the shuffles."""
    diaries = load_diaries(data)
    groups = list(dict.fromkeys(diary.group for diary in diaries))
    reports = [_baselines(diaries, groups, seed=seed, clock=clock)]
    for name, detector in DETECTORS.items():
        begun = clock()
        rows: list[Row] = []
        for group in groups:
            if progress is not None:
                progress(f"{group}: {name}")
            people = [diary for diary in diaries if diary.group == group]
            rows += _score(group, people, detector, seed=seed)
        reports.append(Report("esm", name, PRESETS[name], tuple(rows), round(clock() - begun, 3)))
    reports.append(_as_diaries(diaries, groups, seed=seed, clock=clock))
    return reports + prediction_reports(diaries, progress=progress, clock=clock)


def _score(group: str, people: Sequence[Diary], detector: Detector, *, seed: int) -> list[Row]:
    counts = _Counts()
    by_person = {diary.person: forecast(diary, detector) for diary in people}
    errors = _together(by_person.values())
    for index, diary in enumerate(people):
        _halves(diary, detector, counts)
        _shuffled(diary, detector, counts, np.random.default_rng([seed, index]))
    skills = errors.skills()
    rows = [
        Row(group, "people", len(people), len(people)),
        Row(group, "links", counts.found, counts.tested // max(SHUFFLES, 1)),
        Row(group, "skill over AR(1)", errors.skill(), errors.count),
        Row(group, "items better", int((skills > 0.0).sum()), len(skills)),
        Row(group, "items worse", int((skills < 0.0).sum()), len(skills)),
    ]
    if len(people) > 1:
        rows += [Row(group, f"... of person {name}", each.skill(), each.count) for name, each in by_person.items()]
    if counts.union:
        rows.append(Row(group, "stability (Jaccard)", counts.shared / counts.union, counts.union))
    if counts.shared:
        rows.append(Row(group, "same sign", counts.same_sign / counts.shared, counts.shared))
    telling = counts.shuffled_telling / max(counts.shuffled, 1)
    rows.append(Row(group, "shuffled diaries that tell any", telling, counts.shuffled))
    rows.append(Row(group, "false alarms / pairs", counts.false / max(counts.tested, 1), counts.tested))
    if counts.found_per_shuffle:
        rows.append(
            Row(
                group,
                "false alarms / links",
                counts.false / counts.found_per_shuffle,
                counts.found_per_shuffle,
            )
        )
    return rows


def _together(people: Iterable[Errors]) -> Errors:
    whole = Errors()
    for errors in people:
        whole.include(errors)
    return whole


def _discover(detector: Detector, series: Floats) -> Discovery:
    return detector(series, lags=1, step_hours=STEP_HOURS)


def _halves(diary: Diary, detector: Detector, counts: _Counts) -> None:
    middle = int(np.median(diary.answered())) // SLOTS * SLOTS
    signs = [
        {(link.cause, link.effect): link.positive for link in _discover(detector, half).links}
        for half in (diary.series[:, :middle], diary.series[:, middle:])
    ]
    shared = signs[0].keys() & signs[1].keys()
    counts.shared += len(shared)
    counts.union += len(signs[0].keys() | signs[1].keys())
    counts.same_sign += sum(signs[0][pair] == signs[1][pair] for pair in shared)


def shuffle_days(series: Floats, *, rng: np.random.Generator) -> Floats:
    """Shuffle the days of every item apart from the others, prompts staying where prompts were answered.

    Each answered slot takes the value of the same slot of another day, or of that day's nearest answered
    slot.

    >>> quiet = np.full((2, 32), np.nan)
    >>> quiet[:, 1], quiet[:, 17], quiet[:, 18] = 1.0, 2.0, 3.0
    >>> mixed = shuffle_days(quiet, rng=np.random.default_rng(5))
    >>> bool((np.isfinite(mixed) == np.isfinite(quiet)).all())
    True
    """
    whole = np.isfinite(series).all(axis=0).reshape(-1, SLOTS)
    days = np.flatnonzero(whole.any(axis=1))
    mixed = np.full_like(series, np.nan)
    for item in range(len(series)):
        for day, source in zip(days, rng.permutation(days), strict=True):
            answered = np.flatnonzero(whole[source])
            for slot in np.flatnonzero(whole[day]):
                nearest = answered[np.abs(answered - slot).argmin()]
                mixed[item, day * SLOTS + slot] = series[item, source * SLOTS + nearest]
    return mixed


def _shuffled(diary: Diary, detector: Detector, counts: _Counts, rng: np.random.Generator) -> None:
    size = len(diary.items)
    found = len(_discover(detector, diary.series).links)
    counts.found += found
    for _ in range(SHUFFLES):
        false = len(_discover(detector, shuffle_days(diary.series, rng=rng)).links)
        counts.false += false
        counts.shuffled += 1
        counts.shuffled_telling += false > 0
        counts.tested += size * (size - 1)
        counts.found_per_shuffle += found


def _as_diaries(diaries: Sequence[Diary], groups: Sequence[str], *, seed: int, clock: Callable[[], float]) -> Report:
    """Look through one value a day, the mean of its prompts, as a memory does: real, and with days shuffled apart."""
    begun = clock()
    rows: list[Row] = []
    for group in groups:
        people = [diary for diary in diaries if diary.group == group]
        links = tests = telling = 0
        for index, diary in enumerate(people):
            rng = np.random.default_rng([seed, index])
            looked = look_through_diary(daily(diary))
            links, tests = links + len(looked.told()), tests + len(looked.looks)
            for _ in range(DIARY_SHUFFLES):
                mixed = replace(diary, series=shuffle_days(diary.series, rng=rng))
                telling += bool(look_through_diary(daily(mixed)).told())
        shuffled = DIARY_SHUFFLES * len(people)
        rows += [
            Row(group, "people", len(people), len(people)),
            Row(group, "pairs told, one value a day", links, tests),
            Row(group, "shuffled diaries that tell any", telling / shuffled, shuffled),
        ]
    return Report("esm", "diary", "none", tuple(rows), round(clock() - begun, 3))


def _baselines(diaries: Sequence[Diary], groups: Sequence[str], *, seed: int, clock: Callable[[], float]) -> Report:
    begun = clock()
    rows: list[Row] = []
    for group in groups:
        people = [diary for diary in diaries if diary.group == group]
        errors = _together(forecast(diary, None) for diary in people)
        _, own, same, mean = (float(value) for value in errors.totals())
        rows += [
            Row(group, "people", len(people), len(people)),
            Row(group, "MAE AR(1), sd", own, errors.count),
            Row(group, "MAE same as last, sd", same, errors.count),
            Row(group, "MAE mean of past, sd", mean, errors.count),
        ]
        if group == "single_case":
            rows += _change_rows(people[0], rng=np.random.default_rng(seed))
            rows += threshold_rows(people[0], rng=np.random.default_rng(seed))
    return Report("esm", "baselines", "none", tuple(rows), round(clock() - begun, 3))


def drift(series: Floats, *, reference_days: int) -> tuple[Floats, Floats]:
    """Give two daily drift curves against the first days: of the level of the items and of their ties.

    level(d) = mean |week's mean - reference mean| / sd; ties(d) = mean |week's correlation - reference's|.
    A day without a full week of answers behind it has NaN.
    """
    z = standardise(series)
    whole = np.asarray(np.isfinite(z).all(axis=0))
    days = z.shape[1] // SLOTS
    level, ties = np.full(days, np.nan), np.full(days, np.nan)
    first = z[:, : reference_days * SLOTS][:, whole[: reference_days * SLOTS]]
    if first.shape[1] < 2:
        return level, ties
    centre, spread = first.mean(axis=1), np.maximum(first.std(axis=1), 0.1)
    reference = _correlation(first)
    for day in range(WINDOW_DAYS - 1, days):
        span = slice((day - WINDOW_DAYS + 1) * SLOTS, (day + 1) * SLOTS)
        week = z[:, span][:, whole[span]]
        if week.shape[1] < 2 * WINDOW_DAYS:
            continue
        level[day] = float((np.abs(week.mean(axis=1) - centre) / spread).mean())
        ties[day] = float(np.abs(_correlation(week) - reference).mean())
    return level, ties


def _correlation(values: Floats) -> Floats:
    z = standardise(values)
    return np.asarray(z @ z.T / values.shape[1])


def first_alarm(curve: Floats, *, reference_days: int) -> int | None:
    """Give the day that completes the first run of days above the reference band, None without one.

    band = mean + 5 sd of the curve over the reference days; a run is 7 days.

    >>> first_alarm(np.array([1.0, 1.1, 0.9, 1.0] + [2.0] * 9), reference_days=4)
    10
    """
    known = curve[:reference_days]
    known = known[np.isfinite(known)]
    if len(known) == 0:
        return None
    limit = float(known.mean() + BAND * known.std())
    run_length = 0
    for day in range(reference_days, len(curve)):
        run_length = run_length + 1 if curve[day] > limit else 0
        if run_length == IN_A_ROW:
            return day
    return None


def _change_rows(diary: Diary, *, rng: np.random.Generator) -> list[Row]:
    """Say on which study day drift was first seen, if the record covers reference and known change."""
    days = diary.series.shape[1] // SLOTS
    if diary.first_day + REFERENCE_DAYS > KNOWN_CHANGE_DAY or diary.first_day + days <= KNOWN_CHANGE_DAY:
        return []
    chance = np.zeros(2)
    by_day = diary.series.reshape(len(diary.items), days, SLOTS)
    for _ in range(CHANCE_SHUFFLES):
        # Whole days change places together: every tie within a day stays, any drift over days goes.
        shuffled = by_day[:, rng.permutation(days)].reshape(diary.series.shape)
        curves = drift(shuffled, reference_days=REFERENCE_DAYS)
        chance += [first_alarm(curve, reference_days=REFERENCE_DAYS) is not None for curve in curves]
    rows = []
    named = zip(("level", "ties"), drift(diary.series, reference_days=REFERENCE_DAYS), chance, strict=True)
    for name, curve, alarms in named:
        alarm = first_alarm(curve, reference_days=REFERENCE_DAYS)
        if alarm is not None:
            seen = diary.first_day + alarm
            rows.append(Row(diary.group, f"drift of {name}: alarm day", seen, days))
            rows.append(Row(diary.group, f"drift of {name}: days ahead", KNOWN_CHANGE_DAY - seen, days))
        by_chance = float(alarms) / CHANCE_SHUFFLES
        rows.append(Row(diary.group, f"drift of {name}: alarm by chance", by_chance, CHANCE_SHUFFLES))
    return rows
