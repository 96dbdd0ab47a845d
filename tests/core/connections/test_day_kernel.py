"""The compiled day's end gives the bits of the columns' own, compiled and as plain Python."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given, settings

from asterism.core.connections import day_kernel
from asterism.core.connections.day import Kernel
from asterism.core.connections.fold import COMPILED_FROM
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import LinkKind
from asterism.core.ledger.compiling import kept
from asterism.core.ledger.items import Item
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences
from tests.support.strategies import (
    Chosen,
    building,
    large_ledger,
    ledger_of,
    parameter_sets,
    star_added,
    steady,
    tellings,
    type_assigned,
)
from tests.support.strategies import Told as Telling

SEED = ConnectionParameters.build()


def interpreted() -> Kernel:
    """Give the kernel with its functions as they are written."""
    file = Path(day_kernel.__file__)
    names: dict[str, object] = {"__name__": "interpreted"}
    exec(compile(file.read_text(), file, "exec"), names)
    for name in ("fade", "settle", "act", "switch"):
        names[name] = names[name].py_func  # type: ignore[attr-defined]  # numba keeps it
    return cast("Kernel", SimpleNamespace(**names))


INTERPRETED = interpreted()


def folded(items: Sequence[Item], parameters: ConnectionParameters, kernel: Kernel | None) -> Projection:
    projection = Projection(SpaceParameters(parameters))
    projection.connections.rules = replace(projection.connections.rules, kernel=kernel)
    projection.apply_all(items)
    assert projection.day is not None
    projection.close_days(projection.day + 40)
    return projection


@settings(max_examples=40)
@given(tellings(), parameter_sets())
def test_compiled_days_give_the_bits_of_the_columns(told: list[Telling], chosen: Chosen) -> None:
    items, parameters = ledger_of(told), chosen.build()
    by_columns = folded(items, parameters, None).dump()
    for kernel in (cast("Kernel", day_kernel), INTERPRETED):
        assert differences(folded(items, parameters, kernel).dump(), by_columns) == []


@pytest.mark.parametrize("preset", ["seed", "tuned"])
def test_compiled_days_give_the_bits_of_the_columns_over_a_busy_year(preset: str) -> None:
    parameters = ConnectionParameters.build(("seed", preset), {"influence_min_state": "NASCENT"})
    items = large_ledger(5, stars=30, days=200, items=2000)
    by_columns = folded(items, parameters, None).dump()
    for kernel in (cast("Kernel", day_kernel), INTERPRETED):
        assert differences(folded(items, parameters, kernel).dump(), by_columns) == []


def test_compiled_days_let_a_bright_star_lift_another() -> None:
    told = [star_added("a"), star_added("b"), *steady("a", "b", 0, 30, 0), *building("a", "b", 10, 12, 0)]
    told.append(type_assigned("a", "b", LinkKind.GROWTH_EDGE, 15))
    items = ledger_of(told)
    by_columns = Projection(SpaceParameters(SEED))
    compiled = Projection(SpaceParameters(SEED))
    compiled.connections.rules = replace(compiled.connections.rules, kernel=INTERPRETED)
    for projection in (by_columns, compiled):
        projection.apply_all(items)
    assert compiled.connections.graph.stars.boost[compiled.nodes.rows["b"]] > 0
    assert differences(compiled.dump(), by_columns.dump()) == []


def much_folded() -> Projection:
    """Give a space in which so many links' days were ended that the compiler is worth loading."""
    projection = Projection(SpaceParameters(SEED))
    projection.apply_all(ledger_of([star_added("a"), star_added("b")]))
    projection.connections._ended = COMPILED_FROM
    return projection


def test_a_fold_goes_on_compiled_once_that_is_worth_it() -> None:
    projection = much_folded()
    projection.close_days((projection.day or 0) + 2)
    assert projection.connections.rules.kernel is day_kernel
    assert projection.copy().connections.rules.kernel is day_kernel


def test_without_the_extra_a_fold_goes_on_by_its_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("asterism.core.connections.day_kernel")
    monkeypatch.setitem(sys.modules, "asterism.core.connections.day_kernel", None)
    projection = much_folded()
    projection.close_days((projection.day or 0) + 2)
    assert projection.connections.rules.kernel is None


def test_what_cannot_be_kept_for_the_next_process_is_compiled_all_the_same() -> None:
    names: dict[str, object] = {}
    exec("def double(number): return 2 * number", names)  # a function of no file
    assert kept(names["double"])(21) == 42  # type: ignore[operator]  # it is a function
