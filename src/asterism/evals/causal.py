"""Series with known causes: how well does each detector find who drives whom?

    asterism eval causal [--data FOLDER]

The folder holds any of finance/ (`X_returns.csv.gz` with `X_truth.csv`), fmri/ (`timeseriesN.csv.gz` with
`simN_truth.csv`), var/ and lorenz96/ (`.npz` with X_np and Gref). Truth lines read cause,effect,delay. All
counts are micro per kind, self-links removed on both sides.

With or without a folder, random sets follow in which many pairs have only a driver in common (`common_drivers`):
such a pair must be told as correlated, not as cause and effect.
"""

from __future__ import annotations

import csv
import gzip
import io
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from asterism.core.discovery.detectors import Discovery, Link, moves_together
from asterism.core.ledger.columns import Floats
from asterism.core.space.discover import DETECTORS
from asterism.core.statistics.granger import granger_conditional
from asterism.core.statistics.series import standardise
from asterism.errors import InputError
from asterism.evals.common_drivers import driver_set
from asterism.evals.labels import label_rows
from asterism.evals.report import Report, Row

KINDS = ("finance", "fmri", "var", "lorenz96")
DRIVERS = "drivers"
REFERENCE = {"finance": (3, 0.05 / 600), "fmri": (1, 0.05), "var": (3, 0.01), "lorenz96": (2, 0.01), DRIVERS: (3, 0.01)}
DRIVER_SETS = 50
FIRST_DRIVERS = 5_000  # sets below this number were seen while the detector was made
INSTANT_KIND = "fmri"
PRESETS = {"seed": "seed", "seed_tuned": "tuned", "granger": "granger", "best": "best"}

Progress = Callable[[str], None]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Dataset:
    """One set of series with its true links: (cause, effect) -> delay in steps, 0 if not given."""

    kind: str
    name: str
    series: Floats
    truth: Mapping[Pair, int]

    def driven_in_common(self) -> list[Pair]:
        """Give the pairs joined only by a driver of both: no link, and no path from one to the other."""
        size = len(self.series)
        reach = np.zeros((size, size), dtype=bool)
        for cause, effect in self.truth:
            reach[cause, effect] = True
        direct = reach.copy()
        for middle in range(size):
            reach |= np.outer(reach[:, middle], reach[middle])
        shared = (direct.astype(int).T @ direct.astype(int)) > 0
        return [
            (first, second)
            for first in range(size)
            for second in range(first + 1, size)
            if shared[first, second] and not reach[first, second] and not reach[second, first]
        ]


@dataclass(slots=True)
class _Tally:
    """Counts of one system on one kind, added up over its sets."""

    sets: int = 0
    true: int = 0
    predicted: int = 0
    hits: int = 0
    touched: int = 0
    rightly_directed: float = 0.0
    timed: int = 0
    right_delay: int = 0
    undirected_true: int = 0
    undirected_predicted: int = 0
    undirected_hits: int = 0
    common: int = 0
    common_correlated: int = 0
    common_caused: int = 0
    seconds: float = 0.0

    def add(self, data: Dataset, found: Discovery, *, seconds: float = 0.0) -> None:
        """Count one set: its links, their directions and delays, and its common-driver pairs."""
        truth, predicted = set(data.truth), set(found.pairs())
        self.sets += 1
        self.seconds += seconds
        self.true += len(truth)
        self.predicted += len(predicted)
        self.hits += len(truth & predicted)
        for cause, effect in truth:
            forward, backward = (cause, effect) in predicted, (effect, cause) in predicted
            if not (forward or backward):
                continue
            self.touched += 1
            # Both ways said, one way true: the direction was not decided, which is worth half.
            undecided = forward and backward and (effect, cause) not in truth
            self.rightly_directed += 0.5 if undecided else float(forward)
        for link in found.links:
            delay = data.truth.get((link.cause, link.effect), 0)
            self.timed += delay > 0
            self.right_delay += 0 < delay == link.delay
        true_pairs, predicted_pairs = _undirected(truth), _undirected(predicted)
        self.undirected_true += len(true_pairs)
        self.undirected_predicted += len(predicted_pairs)
        self.undirected_hits += len(true_pairs & predicted_pairs)
        for first, second in data.driven_in_common():
            verdict = found.verdict(first, second)
            self.common += 1
            self.common_correlated += verdict == "correlated"
            self.common_caused += verdict == "causes"

    def rows(self, kind: str) -> list[Row]:
        """Give the figures; a share of nothing is left out. Of one recipe of drivers only what it is made for."""
        rows = [
            Row(kind, "sets", self.sets, self.sets),
            Row(kind, "precision", self.hits / self.predicted if self.predicted else 0.0, self.predicted),
            Row(kind, "recall", self.hits / self.true if self.true else 0.0, self.true),
            Row(kind, "f1", 2 * self.hits / max(self.predicted + self.true, 1), self.true),
        ]
        either = self.undirected_true + self.undirected_predicted
        either_f1 = 2 * self.undirected_hits / max(either, 1)
        rows.append(Row(kind, "f1 either way", either_f1, self.undirected_true))
        if self.touched:
            rows.append(Row(kind, "direction", self.rightly_directed / self.touched, self.touched))
        if kind == "finance" and self.timed:
            rows.append(Row(kind, "delay accuracy", self.right_delay / self.timed, self.timed))
        if self.common:
            correlated, caused = self.common_correlated / self.common, self.common_caused / self.common
            rows.append(Row(kind, "common driver: correlated", correlated, self.common))
            rows.append(Row(kind, "common driver: causes", caused, self.common))
        if kind.startswith(f"{DRIVERS},"):
            return [row for row in rows if row.metric == "f1" or row.metric.startswith("common driver")]
        rows.append(Row(kind, "seconds", round(self.seconds, 3), self.sets))
        return rows


def _undirected(pairs: Iterable[Pair]) -> set[Pair]:
    return {(min(pair), max(pair)) for pair in pairs}


def run(
    data: Path | None = None,
    *,
    drivers: int = DRIVER_SETS,
    first: int = FIRST_DRIVERS,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Score the reference F-test and every detector, one report each.

    Scored are all sets found under the folder, if one is given, and `drivers` random sets with common drivers from
    number `first` on.
    """
    sets = load(data) if data is not None else []
    systems: dict[str, Callable[[Dataset], Discovery]] = {"reference": _reference}
    for name, detector in DETECTORS.items():
        systems[name] = lambda one, detector=detector: detector(one.series)  # type: ignore[misc]
    tallies: dict[str, dict[str, _Tally]] = {name: {} for name in systems}
    for one in (*sets, *_driven(first, drivers)):
        if progress is not None:
            progress(f"{one.kind} {one.name}: {len(one.series)} series x {one.series.shape[1]} steps")
        for name, system in systems.items():
            begun = clock()
            found = system(one)
            took = clock() - begun
            for kind in (DRIVERS, f"{DRIVERS}, {one.name}") if one.kind == DRIVERS else (one.kind,):
                tallies[name].setdefault(kind, _Tally()).add(one, found, seconds=took)
    reports = []
    for name, by_kind in tallies.items():
        rows = tuple(row for kind in sorted(by_kind, key=_place) for row in by_kind[kind].rows(kind))
        seconds = sum(tally.seconds for kind, tally in by_kind.items() if not kind.startswith(f"{DRIVERS},"))
        reports.append(Report("causal", name, PRESETS.get(name, "none"), rows, round(seconds, 3)))
    begun = clock()
    tied = [(one.series, one.truth.keys()) for one in sets if one.kind == INSTANT_KIND]
    if tied:
        rows = tuple(label_rows(INSTANT_KIND, tied))
        reports.append(Report("causal", "labels", "none", rows, round(clock() - begun, 3)))
    return reports


def tables(reports: Sequence[Report]) -> list[list[Report]]:
    """Part the reports into what fits a line: detectors on public sets, on common drivers, and the labels."""
    systems = [report for report in reports if report.system != "labels"]
    parts = [
        [
            replace(one, rows=tuple(row for row in one.rows if row.name.startswith(DRIVERS) == drivers))
            for one in systems
        ]
        for drivers in (False, True)
    ]
    parts.append([report for report in reports if report.system == "labels"])
    return [part for part in parts if any(report.rows for report in part)]


def _driven(first: int, count: int) -> Iterator[Dataset]:
    for number in range(first, first + count):
        made = driver_set(number)
        yield Dataset(DRIVERS, made.recipe, made.series, made.links)


def _place(kind: str) -> tuple[int, str]:
    """Put the public kinds first, in their order, then the sets with common drivers."""
    return (KINDS.index(kind), "") if kind in KINDS else (len(KINDS), kind)


def _reference(data: Dataset) -> Discovery:
    """Give the plain F-test of each source given all others, with the lags and level quoted for each kind."""
    lags, level = REFERENCE[data.kind]
    tests = granger_conditional(data.series, lags=lags)
    links = tuple(
        Link(int(cause), int(effect), 1, 1.0 - float(tests.p[cause, effect]), positive=True)
        for cause, effect in np.argwhere(tests.p < level)
    )
    together = moves_together(standardise(data.series), lags=lags)
    return Discovery(detector="reference", links=links, correlated=together)


def load(data: Path) -> list[Dataset]:
    """Read every set of the known formats under the folder, kind by kind, in name order."""
    if not data.is_dir():
        raise _unusable(data, "there is no such folder")
    sets: list[Dataset] = []
    for path in sorted(data.rglob("*_returns.csv*")):
        name = path.name.split("_returns.csv")[0]
        sets.append(_dataset("finance", name, path, path.with_name(f"{name}_truth.csv")))
    for path in sorted(data.rglob("timeseries*.csv*"), key=lambda one: (one.parent, _number(one))):
        name = f"sim{_number(path)}"
        sets.append(_dataset("fmri", name, path, path.with_name(f"{name}_truth.csv")))
    for path in sorted(data.rglob("*.npz")):
        kind = "lorenz96" if path.name.startswith("F_") else "var"
        sets.append(_matrix_dataset(kind, path))
    if not sets:
        raise _unusable(data, "it holds no *_returns.csv.gz, timeseries*.csv.gz or *.npz file")
    return sorted(sets, key=lambda one: KINDS.index(one.kind))


def _unusable(path: Path, problem: str) -> InputError:
    return InputError(
        f"{path} cannot be evaluated: {problem}",
        code="bad_data",
        item=str(path),
        hint="expected finance/X_returns.csv.gz + X_truth.csv, fmri/timeseriesN.csv.gz + simN_truth.csv, "
        "var/*.npz or lorenz96/*.npz with X_np and Gref",
    )


def _number(path: Path) -> int:
    digits = "".join(letter for letter in path.name.split(".")[0] if letter.isdigit())
    if not digits:
        raise _unusable(path, "its name holds no number")
    return int(digits)


def _read(path: Path) -> str:
    if not path.is_file():
        raise _unusable(path, "there is no such file")
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return raw.decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as problem:
        raise _unusable(path, f"it is damaged ({problem})") from problem


def _dataset(kind: str, name: str, values: Path, truth: Path) -> Dataset:
    lines = [row for row in csv.reader(io.StringIO(_read(values))) if row]
    try:
        series = np.array([[float(cell) for cell in row] for row in lines[1:]], dtype=np.float64).T
    except ValueError as problem:
        raise _unusable(values, f"its lines are not numbers, equally many ({problem})") from problem
    if series.ndim != 2:
        raise _unusable(values, "it holds a header and no values")
    known: dict[Pair, int] = {}
    # Truth files of older tools end their lines with a bare carriage return.
    for row in csv.reader(_read(truth).splitlines()):
        if not row:
            continue
        try:
            cause, effect, delay = (int(cell) for cell in row)
        except ValueError as problem:
            raise _unusable(truth, f"the line {','.join(row)!r} is not cause,effect,delay") from problem
        known[(cause, effect)] = delay
    return _checked(Dataset(kind, name, series, known), truth)


def _matrix_dataset(kind: str, path: Path) -> Dataset:
    try:
        with np.load(path, allow_pickle=False) as stored:
            series = np.asarray(stored["X_np"], dtype=np.float64)
            drives = np.asarray(stored["Gref"])
    except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile) as problem:
        raise _unusable(path, f"X_np and Gref could not be read ({problem})") from problem
    if series.ndim != 2 or drives.shape != (len(series), len(series)):
        raise _unusable(path, f"X_np is {series.shape} and Gref is {drives.shape}, not n x T and n x n")
    truth = {(int(cause), int(effect)): 0 for effect, cause in np.argwhere(drives != 0)}
    return _checked(Dataset(kind, path.stem, series, truth), path)


def _checked(data: Dataset, path: Path) -> Dataset:
    size = len(data.series)
    strange = [pair for pair in data.truth if min(pair) < 0 or max(pair) >= size]
    if strange:
        raise _unusable(path, f"it names series {max(strange[0])}, and there are {size}")
    links = {pair: delay for pair, delay in data.truth.items() if pair[0] != pair[1]}
    return Dataset(data.kind, data.name, data.series, links)
