"""What each family of features adds: tables fitted with one family more each time, and with one family less."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from asterism.errors import InputError
from asterism.evals.dialogue_sets import Dialogue, Pair, Progress
from asterism.evals.dialogue_systems import System, fitted, table_system
from asterism.evals.report import Report, Row
from asterism.evals.training.fit import WITHOUT_VECTORS

Rows = Callable[[Sequence[frozenset[Pair]], Sequence[Dialogue]], Iterable[Row]]


def families_report(
    eval_name: str,
    fit: Sequence[Dialogue],
    check: Sequence[Dialogue],
    *,
    rows: Rows,
    as_system: Callable[[System], System] = lambda system: system,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
    **options: object,
) -> list[Report]:
    """Report F1 of first looks with the families up to each one, and last of the second look with all.

    Tables are fitted on one part and checked on the other.
    """
    if not fit or not check:
        raise InputError(
            "there is nothing to compare families on",
            code="bad_data",
            item=eval_name,
            hint="give data with a part to fit on (`train` in its name) and another part",
        )
    plans: dict[str, tuple[tuple[str, ...], bool]] = {}
    for place, family in enumerate(WITHOUT_VECTORS, start=1):
        plans[f"+ {family}" if place > 1 else family] = (WITHOUT_VECTORS[:place], False)
    plans["+ second look"] = (WITHOUT_VECTORS, True)
    found: list[Row] = []
    started = clock()
    for name, (families, second) in plans.items():
        if progress is not None:
            progress(f"fitting {name}")
        table = fitted(fit, name=name, families=families, second_look=second, **options)
        said = [as_system(table_system(table))(dialogue) for dialogue in check]
        found += [Row(name, row.metric, row.value, row.n) for row in rows(said, check) if "f1" in row.metric]
    return [Report(eval_name, "fitted here", "families", tuple(found), clock() - started)]
