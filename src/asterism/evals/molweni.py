"""Molweni: short dialogues of several people; which utterance does each one answer?

    asterism eval molweni --data FOLDER

The folder (or its folder `molweni`) holds `.json` or `.json.gz` lists of dialogues with `id`, `edus` and `relations`;
or FOLDER is one such file. Dialogues share utterances, so they are grouped by them: "cross-fitted" is fitted on the
other groups in the same run, in five folds, rounded and read as the shipped table is. That one (`reply`: what
`read_transcript(answering="reply")` reads with) has learnt from the developer part: there its row is no honest
forecast, on other files it is what you get.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.replies import MODELS
from asterism.core.dialogue.tables import Table
from asterism.evals.dialogue_families import families_report
from asterism.evals.dialogue_sets import Dialogue, Pair, Progress, grouped, load_units, rows_of, sampled
from asterism.evals.dialogue_systems import BASELINES, FOLDS, cross_fitted, fitted, run_systems, table_system
from asterism.evals.report import Report, Row
from asterism.evals.used_links import AS_USED, lines_alone

WINDOW = 12
L2 = 30.0
DECIMALS = 2  # of a weight, as the table ships
TABLE, KNOBS = MODELS["reply"]  # what read_transcript(answering="reply") reads with
VIEWS: dict[str, Callable[[Pair], bool]] = {
    "link f1": lambda _: True,
    "f1 beyond 1 line": lambda pair: pair[1] - pair[0] > 1,
}


def run(
    data: Path,
    *,
    progress: Progress | None = None,
    families: bool = False,
    as_used: bool = False,
    sample: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Score every system on all dialogues found, or on a sample; with `families`, what each family of features adds.

    With `as_used` nothing is fitted here.
    """
    dialogues = sampled(load(data), sample)
    if families:
        folds = {group: at % FOLDS for at, group in enumerate(dict.fromkeys(each.group for each in dialogues))}
        fit = [each for each in dialogues if folds[each.group] not in (0, 1)]
        check = [each for each in dialogues if folds[each.group] in (0, 1)]
        return families_report("molweni", fit, check, rows=_rows, progress=progress, clock=clock, window=WINDOW, l2=L2)
    systems = {"as used": (lines_alone, AS_USED), **BASELINES, "inside": (table_system(TABLE, KNOBS), TABLE)}
    if not as_used and len({each.group for each in dialogues}) > 1:
        systems["cross-fitted"] = (cross_fitted(dialogues, _fit, progress, KNOBS), "fitted here")
    return run_systems("molweni", systems, dialogues, _rows, progress=progress, clock=clock)


def load(data: Path) -> list[Dialogue]:
    """Read every dialogue of the set, grouped by shared utterances."""
    return grouped(load_units(data, "molweni", None, Line))


def _fit(others: Sequence[Dialogue]) -> Table:
    table = fitted(others, name="cross-fitted", window=WINDOW, l2=L2)
    first, second = (_rounded(each) for each in (table.first, table.second))
    return replace(table, first=first, second=second)


def _rounded(weights: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, DECIMALS) for name, value in weights.items() if round(value, DECIMALS)}


def _rows(said: Sequence[frozenset[Pair]], dialogues: Sequence[Dialogue]) -> Iterable[Row]:
    yield Row("all", "dialogues", len(dialogues), len(dialogues))
    yield Row("all", "groups", len({each.group for each in dialogues}), len(dialogues))
    yield from rows_of("all", said, dialogues, VIEWS)
