"""How good the memory's own predictions are on diaries: hit rate, calibration, Brier score against chance.

Every answer is told to a memory as a brightness. The links that the detector `best` finds in the first half of the
record are told too, at its end: confirmed on six days, then once a week, and named causation. What they expect in the
second half comes true or not. By chance it would as often as the same star has an event of that sign in a window of the
same length after any other prompt: that is the base rate a prediction has to beat, known in hindsight. The rows "told"
and "silent" score the probability of each against the base rate that the memory knew then; the system "expects found"
is a memory that is told values only (`expectations_used`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from asterism.core.connections.day import Graph
from asterism.core.connections.model import Prediction
from asterism.core.connections.read_predictions import prediction_list
from asterism.core.discovery.detectors import Link
from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_HOUR, to_micros
from asterism.core.ledger.columns import Floats, Longs
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.ledger.parameters import Setting
from asterism.core.space.discover import DETECTORS
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from asterism.evals.diaries import SLOTS, STEP_HOURS, Diary
from asterism.evals.expectations_used import scored, used_rows
from asterism.evals.report import Report, Row

Progress = Callable[[str], None]
CONFIRMED_DAYS = 6
START_DAY = 20_000  # any date will do
BINS = ((0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.0))
KEPT: dict[str, Setting] = {"predictions_kept": 1_000_000, "excavation_days": 0}


class Events:
    """Notes every event of every day: a star's change that counts."""

    def __init__(self) -> None:
        self.of: dict[str, list[tuple[int, float]]] = {}
        self.ids: Sequence[str] = ()

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Look at the day's events."""
        if stage == "items":
            events = graph.events.trim()
            for place in np.flatnonzero(events.at >= day * MICROS_PER_DAY).tolist():
                told = (events.at.item(place), events.change.item(place))
                self.of.setdefault(self.ids[events.star[place]], []).append(told)

    def slept(self, day: int, until: int, graph: Graph) -> None:
        """A day without items has no events."""


def items_of(diary: Diary, links: Sequence[Link], middle: int) -> Iterator[Item]:
    """Say a diary as a ledger: each item a star, each answer its brightness, each link confirmed from a day on."""
    low, high = np.nanmin(diary.series, axis=1), np.nanmax(diary.series, axis=1)
    span = np.where(high > low, high - low, 1.0)
    bright = 0.1 + 0.9 * (diary.series - low[:, None]) / span[:, None]

    def item(what: str, at: int, **payload: str | float) -> Item:
        said: Payload = dict(payload)
        return make_item(space="diary", what=what, at=at, payload=said, known_at=at)

    begun = START_DAY * MICROS_PER_DAY
    for name in diary.items:
        yield item("star_added", begun, star=name, name=name, domain="soul")
    for place, slot in np.argwhere(np.isfinite(bright)).tolist():
        at = begun + 1 + round(slot * STEP_HOURS * MICROS_PER_HOUR)
        value = round(float(bright[place, slot]), 6)
        yield item("brightness_observed", at, star=diary.items[place], value=value)
    for link in links:
        cause, effect = diary.items[link.cause], diary.items[link.effect]
        (a, b), way = sorted((cause, effect)), "a_to_b" if cause < effect else "b_to_a"
        for day in range(middle, diary.series.shape[1] // SLOTS):
            since, at = day - middle, begun + day * MICROS_PER_DAY
            if since < CONFIRMED_DAYS or since % 7 == 0:
                yield item("evidence", at, a=a, b=b, kind="user_confirms")
            if since == 0:
                yield item("type_assigned", at, a=a, b=b, kind="causation", direction=way)


def expected(diary: Diary, preset: str) -> tuple[list[Prediction], Floats, int]:
    """Give the settled predictions of a diary, how likely each was by chance, and how many events there were."""
    middle = int(np.median(diary.answered())) // SLOTS
    found = DETECTORS["best"](diary.series[:, : middle * SLOTS], lags=1, step_hours=STEP_HOURS).links
    ledger = sorted(items_of(diary, found, middle), key=lambda item: item.position)
    projection, events = Projection(SpaceParameters.build((preset,), KEPT)), Events()
    events.ids = projection.nodes.ids
    projection.apply_all(ledger, watch=events)
    projection.close_days(START_DAY + diary.series.shape[1] // SLOTS + 4, watch=events)
    settled = [each for each in prediction_list(projection.connections) if each.outcome != "open"]
    tolerance = projection.parameters.connections.prediction_tolerance
    prompts = np.unique([item.at for item in ledger if item.what == "brightness_observed"])
    chance = [_chance(each, events.of.get(each.star, []), prompts, tolerance) for each in settled]
    return settled, np.array(chance), sum(len(each) for each in events.of.values())


def _chance(told: Prediction, events: list[tuple[int, float]], prompts: Longs, tolerance: float) -> float:
    """Give the share of prompts after which the same window holds an event of the same sign."""
    times = np.array([at for at, change in events if np.sign(change) == told.sign], dtype=np.int64)
    lag = to_micros(told.expected_at) - to_micros(told.made_at)
    slack = round(lag * tolerance)
    first, last = times.searchsorted(prompts + lag - slack), times.searchsorted(prompts + lag + slack, side="right")
    return float((last > first).mean())


def prediction_rows(group: str, people: Sequence[Diary], preset: str) -> list[Row]:
    """Give the rows of one group: how many, how often true, how sure, and the table of calibration."""
    told: list[Prediction] = []
    by_chance: list[Floats] = []
    events = 0
    for diary in people:
        settled, chance, seen = expected(diary, preset)
        told += settled
        by_chance.append(chance)
        events += seen
    count = len(told)
    rows = [Row(group, "people", len(people), len(people)), Row(group, "events", events, len(people))]
    rows.append(Row(group, "predictions settled", count, events))
    if not count:
        return rows
    sure = np.array([each.confidence for each in told])
    hit = np.array([each.outcome == "verified" for each in told], dtype=np.float64)
    base = np.concatenate(by_chance)
    brier, brier_base = float(((sure - hit) ** 2).mean()), float(((base - hit) ** 2).mean())
    rows += [
        Row(group, "hit rate", float(hit.mean()), count),
        Row(group, "hit rate by chance", float(base.mean()), count),
        Row(group, "stated confidence", float(sure.mean()), count),
        Row(group, "Brier score", brier, count),
        Row(group, "Brier score of the base rate", brier_base, count),
        Row(group, "Brier skill over the base rate", 1.0 - brier / brier_base if brier_base else 0.0, count),
    ]
    rows += scored(group, "told", [each for each in told if each.told])
    rows += scored(group, "silent", [each for each in told if not each.told])
    for low, high in BINS:
        inside = (sure >= low) & ((sure < high) | (high == 1.0))
        if inside.any():
            size, name = int(inside.sum()), f"sure {low:.1f}-{high:.1f}"
            rows.append(Row(group, f"{name}: n", size, size))
            rows.append(Row(group, f"{name}: said", float(sure[inside].mean()), size))
            rows.append(Row(group, f"{name}: came true", float(hit[inside].mean()), size))
    return rows


def prediction_reports(
    diaries: Sequence[Diary], *, progress: Progress | None = None, clock: Callable[[], float] = time.perf_counter
) -> list[Report]:
    """Score the predictions of links that are told, by the presets seed and tuned, and of a memory as used."""
    reports = []
    for preset in ("seed", "tuned"):
        begun, rows = clock(), list[Row]()
        for group in dict.fromkeys(diary.group for diary in diaries):
            if progress is not None:
                progress(f"{group}: predictions, {preset}")
            rows += prediction_rows(group, [diary for diary in diaries if diary.group == group], preset)
        reports.append(Report("esm", f"expects {preset}", preset, tuple(rows), round(clock() - begun, 3)))
    begun, rows = clock(), []
    for group in dict.fromkeys(diary.group for diary in diaries):
        if progress is not None:
            progress(f"{group}: predictions, as used")
        rows += used_rows(group, [diary for diary in diaries if diary.group == group])
    return [*reports, Report("esm", "expects found", "seed", tuple(rows), round(clock() - begun, 3))]
