"""Reading mood diaries: prompts become series on an even grid, nights and missed prompts are gaps."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Floats
from asterism.errors import InputError

Slots = NDArray[np.intp]

SLOTS = 16  # of one and a half hours: a day of 24 hours, of which prompts fill the first ten or so
STEP_HOURS = 24.0 / SLOTS
STUDY_START = date(2012, 8, 13)  # first day of the single case, day 1
CODES = ("soc_who", "act_what", "event_cause", "event_concern", "event_freq", "event_pertain")
SINGLE_HEAD = ("date", "dayno", "beepno", "beeptime", "resptime_s", "resptime_e", "time_norm")
MIN_CHANGES = 0.05  # an item that hardly ever changes within a day was asked once a day, not at each prompt


@dataclass(frozen=True, slots=True)
class Diary:
    """One person's answers: items x slots, NaN where there was no prompt or no answer; `first_day` from 1."""

    group: str
    person: str
    items: tuple[str, ...]
    series: Floats
    first_day: int

    def answered(self) -> Slots:
        """Give the slots at which every item was answered."""
        return np.flatnonzero(np.isfinite(self.series).all(axis=0))


def successive(series: Floats) -> Slots:
    """Give the slots whose prompt and the next one, the same day, were both answered in full.

    >>> successive(np.array([[1.0, 2.0, np.nan, 4.0, 5.0]])).tolist()
    [0, 3]
    """
    whole = np.asarray(np.isfinite(series).all(axis=0))
    return np.flatnonzero(whole[:-1] & whole[1:])


def daily(diary: Diary) -> Floats:
    """Give one value a day, the mean of its prompts, items x days; a day without any is missing.

    >>> prompts = np.full((1, SLOTS + 2), np.nan)
    >>> prompts[0, :2] = 1.0, 3.0
    >>> daily(Diary("", "", ("a",), prompts, 1)).tolist()
    [[2.0, nan]]
    """
    items, slots = diary.series.shape
    days = -(-slots // SLOTS)
    whole = np.full((items, days * SLOTS), np.nan)
    whole[:, :slots] = diary.series
    by_day = whole.reshape(items, days, SLOTS)
    count = np.isfinite(by_day).sum(axis=2)
    return np.where(count > 0, np.nansum(by_day, axis=2) / np.maximum(count, 1), np.nan)


def load_diaries(data: Path) -> list[Diary]:
    """Read the diaries in the folder: `single_case*.csv.gz`, `mpath*.csv.gz`, either may be absent."""
    if not data.is_dir():
        raise _unusable(data, "there is no such folder")
    diaries = [_single(path) for path in sorted(data.glob("single_case*.csv*"))]
    for path in sorted(data.glob("mpath*.csv*")):
        diaries += _participants(path)
    if not diaries:
        raise _unusable(data, "it holds neither single_case*.csv.gz nor mpath*.csv.gz")
    return diaries


def _unusable(path: Path, problem: str) -> InputError:
    return InputError(
        f"{path} cannot be evaluated: {problem}",
        code="bad_data",
        item=str(path),
        hint="expected single_case*.csv.gz (date, beepno, items) or mpath*.csv.gz (participant, day_n, "
        "obs_n_day, slider_*)",
    )


def _lines(path: Path, *, needed: Sequence[str]) -> list[dict[str, str]]:
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        lines = list(csv.DictReader(io.StringIO(raw.decode("utf-8"))))
    except (OSError, EOFError, UnicodeDecodeError, csv.Error) as problem:
        raise _unusable(path, f"it is damaged ({problem})") from problem
    missing = [column for column in needed if not lines or column not in lines[0]]
    if missing:
        raise _unusable(path, f"it has no {', '.join(missing)}, or no lines")
    return lines


def _whole(line: Mapping[str, str], column: str, path: Path) -> int:
    try:
        return int(float(line[column]))
    except ValueError as problem:
        raise _unusable(path, f"{column} is {line[column]!r}, not a number") from problem


def _value(cell: str, path: Path) -> float:
    try:
        return float(cell) if cell else float("nan")
    except ValueError as problem:
        raise _unusable(path, f"the answer {cell!r} is not a number") from problem


def _grid(
    group: str,
    person: str,
    cells: Mapping[tuple[int, int], Sequence[float]],
    items: Sequence[str],
    path: Path,
) -> Diary:
    """Lay answers out by (day, prompt) and keep the items that are asked at each prompt and do vary."""
    first, last = min(day for day, _ in cells), max(day for day, _ in cells)
    series = np.full((len(items), (last - first + 1) * SLOTS), np.nan)
    for (day, prompt), values in cells.items():
        if not 0 <= prompt < SLOTS:
            raise _unusable(path, f"prompt {prompt} of a day is beyond {SLOTS - 1}")
        series[:, (day - first) * SLOTS + prompt] = values
    now = successive(series)
    moves = (series[:, now + 1] != series[:, now]).mean(axis=1) if len(now) else np.zeros(len(items))
    kept = np.flatnonzero(moves >= MIN_CHANGES)
    return Diary(group, person, tuple(items[int(index)] for index in kept), series[kept], first)


def _single(path: Path) -> Diary:
    lines = _lines(path, needed=("date", "beepno"))
    items = [name for name in lines[0] if name not in SINGLE_HEAD and not name.startswith(CODES)]
    cells: dict[tuple[int, int], list[float]] = {}
    for line in lines:
        try:
            day, month, year = (int(part) for part in line["date"].split("/"))
            number = (date(2000 + year, month, day) - STUDY_START).days + 1
        except ValueError as problem:
            raise _unusable(path, f"the date {line['date']!r} is not dd/mm/yy") from problem
        cells[number, _whole(line, "beepno", path)] = [_value(line[name], path) for name in items]
    return _grid("single_case", "1", cells, items, path)


def _participants(path: Path) -> list[Diary]:
    lines = _lines(path, needed=("participant", "day_n", "obs_n_day"))
    items = [name for name in lines[0] if name.startswith("slider_")]
    people: dict[str, dict[tuple[int, int], list[float]]] = {}
    for line in lines:
        cells = people.setdefault(line["participant"], {})
        slot = _whole(line, "day_n", path), _whole(line, "obs_n_day", path)
        cells[slot] = [_value(line[name], path) for name in items]
    return [_grid("mpath", person, cells, items, path) for person, cells in people.items()]
