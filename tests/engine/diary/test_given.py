"""What a program hands in of a diary: what is wrong is refused by the name of its argument, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from asterism import Memory
from asterism.errors import InputError
from asterism.sync import Memory as SyncMemory

ROWS = [{"date": "2026-11-03", "sleep": 6.5}]
CSV = "date,sleep,mood\n2026-11-03,{},4\n"


@pytest.fixture(params=["memory", "file"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SyncMemory]:
    place = ":memory:" if request.param == "memory" else tmp_path / "mine.db"
    with Memory.open_sync(place, space="me", clock=lambda: datetime(2026, 11, 18, 9, 30, tzinfo=UTC)) as opened:
        yield opened
        assert sum(opened.stats().items.values()) == 0
        assert opened.verify().ok


def is_refused(call: Callable[[], object], *, code: str, item: str) -> InputError:
    with pytest.raises(InputError) as refused:
        call()
    assert (refused.value.code, refused.value.item) == (code, item)
    assert refused.value.hint
    return refused.value


@pytest.mark.parametrize("told", [None, 5, b"days.csv", {"date": "2026-11-03"}])
def test_what_is_neither_a_path_nor_rows_is_refused(memory: SyncMemory, told: object) -> None:
    is_refused(lambda: memory.read_diary(told), code="bad_diary", item="diary")  # type: ignore[arg-type]  # the fault


@pytest.mark.parametrize(
    ("name", "told"),
    [
        *((name, 5) for name in ("date", "star", "value", "delimiter", "columns")),
        ("columns", "sleep"),
        ("columns", ["sleep", 5]),
        ("columns", None),
        ("scales", ["sleep"]),
        ("scales", "sleep=1..7"),
        ("scales", {5: "1..7"}),
    ],
)
def test_an_argument_of_another_kind_is_refused_by_its_name(memory: SyncMemory, name: str, told: object) -> None:
    error = is_refused(
        lambda: memory.read_diary(ROWS, **{name: told}),  # type: ignore[arg-type]  # the fault
        code=f"bad_{name}",
        item=name,
    )
    assert f"{name}=" in (error.hint or "")


@pytest.mark.parametrize("told", [[("sleep", 6)], "sleep", 5])
def test_values_that_name_no_stars_are_refused(memory: SyncMemory, told: object) -> None:
    is_refused(lambda: memory.tell_values(told), code="bad_values", item="values")  # type: ignore[arg-type]  # the fault


@pytest.mark.parametrize("written", ["1.7e308", "-1e308", "1000000000000001"])
def test_a_value_beyond_every_scale_is_refused_with_its_place(memory: SyncMemory, tmp_path: Path, written: str) -> None:
    path = tmp_path / "days.csv"
    path.write_text(CSV.format(written))
    is_refused(lambda: memory.read_diary(path), code="bad_value", item="row 2, column 'sleep'")
    is_refused(lambda: memory.tell_values({"sleep": float(written)}), code="bad_value", item="sleep")


def test_a_scale_beyond_every_number_is_refused(memory: SyncMemory) -> None:
    with pytest.raises(InputError, match="too wide or too narrow"):
        memory.tell_values({"sleep": 6}, scales={"sleep": "0.." + "9" * 400})


def test_the_largest_values_are_told_and_shown_again() -> None:
    with Memory.open_sync(":memory:", space="me") as memory:
        memory.tell_values({"debt": -1e15, "wealth": 1e15})
        assert [each.values[0].value for each in memory.diary()] == [-1e15, 1e15]
