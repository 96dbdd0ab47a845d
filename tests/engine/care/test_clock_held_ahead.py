"""What holds a memory's clock ahead is named by the doctor, and goes by the command that it gives."""

from __future__ import annotations

import json
import shlex
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism.engine.care import doctor as doctoring
from asterism.engine.care.checkup import Checkup
from asterism.entry.cli.app import app
from asterism.wiring import place_of
from tests.support.memories import DAY, NOON, remembering, system

LATER = NOON + timedelta(days=300)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "my memory.db"
    with remembering(place) as memory:
        memory.add_star("Sleep", domain="health")
        memory.add_star("Mood", domain="soul")
        memory.learn("Ada likes tea.", name="Tea")
    return place


def examined(path: Path, now: datetime = NOON + DAY) -> Checkup:
    return doctoring.examine(place_of(path), clock=system(lambda: now), embedder="hashed", replay=False)


def run(path: Path, repair: str) -> None:
    """Do what the command does, by the clock of these tests."""
    words = shlex.split(repair[repair.index("asterism") :])
    assert words[1] == "erase"
    assert words[words.index("--db") + 1] == str(path)
    with remembering(path, clock=NOON + DAY) as memory:
        memory.erase(words[2])


def clock_of(path: Path, now: datetime = NOON + DAY) -> datetime | None:
    with remembering(path, clock=now) as memory:
        clock: datetime | None = memory.stats().clock
    return clock


def worse(path: Path) -> set[str]:
    return {each.name for each in examined(path).findings if each.severity != "note"}


def test_every_item_that_holds_the_clock_is_named_and_its_command_removes_it(path: Path) -> None:
    with remembering(path, clock=LATER) as memory:
        memory.observe("sleep", "mood", "user_creates", source="a wrong clock")
        memory.learn("Bob likes coffee.", at=LATER - DAY)
    with remembering(path) as memory:
        memory.advance(days=1)
        memory.advance(to=LATER + 2 * DAY)
    found = examined(path).named("future_item")
    assert [each.severity for each in found] == ["warning"] * 4
    assert all("(clock)" in each.what for each in found[:2])
    assert "(evidence by a wrong clock)" in found[2].what
    assert "(learned)" in found[3].what
    assert all(each.item in each.what and each.item in each.repair for each in found)
    assert "2026-12-28" in found[0].what
    assert "--trust-clock" in found[0].repair  # that clock was believed: now the system's is the one that is behind
    for each in found:
        assert clock_of(path) != NOON + DAY
        run(path, each.repair)
    assert worse(path) == set()
    assert clock_of(path) == NOON + DAY
    with remembering(path, clock=NOON + DAY) as memory:
        assert memory.verify().ok
        memory.engage("sleep")
        assert memory.learn("Bob likes coffee.").status == "new"


def test_a_mark_of_the_clock_that_was_meant_goes_by_its_command_too(path: Path) -> None:
    with remembering(path) as memory:
        memory.advance(days=300)
    (found,) = examined(path).named("future_item")
    assert "(clock)" in found.what
    assert "--trust-clock" not in found.repair
    run(path, found.repair)
    assert worse(path) == set()
    assert clock_of(path) == NOON + DAY


def test_what_was_erased_of_a_memory_ahead_of_its_clock_may_be_told_anew(path: Path) -> None:
    with remembering(path) as memory:
        memory.advance(days=3)
        for _ in range(2):
            assert memory.learn("Bob likes coffee.", name="Coffee").status == "new"
            memory.engage("sleep", source="diary")
            memory.erase("node:Coffee")
            memory.erase("source:diary")
        memory.learn("Bob likes coffee.", name="Coffee")
        memory.forget("Coffee")
        assert memory.stats().clock < NOON + 4 * DAY
        found = examined(path, now=NOON).named("future_item")
    for each in found:
        run(path, each.repair)
    with remembering(path) as memory:
        memory.advance(to=NOON + 3 * DAY)  # the very mark that was erased
        assert NOON + 3 * DAY <= memory.stats().clock < NOON + 4 * DAY
        assert memory.verify().ok


def test_many_of_them_are_counted(path: Path) -> None:
    with remembering(path, clock=LATER) as memory:
        memory.observe_many([("sleep", "mood", "user_creates")] * 13)
    *named, rest = examined(path).named("future_item")
    assert len(named) == 10
    assert "3 more items" in rest.what


def test_a_clock_that_is_far_behind_is_told_with_the_item_by_which_it_is(path: Path) -> None:
    with remembering(path, clock=NOON + 20 * DAY) as memory:
        memory.engage("sleep", at=NOON, source="a machine ahead")
    (told,) = examined(path).named("clock_behind")
    assert told.repair == "set the clock of this machine right"
    (found,) = examined(path).named("future_item")
    assert "(engaged by a machine ahead)" in found.what
    assert "2026-03-21" in found.what
    run(path, found.repair)
    assert worse(path) == set()


def test_a_clock_that_is_far_ahead_is_told(path: Path) -> None:
    (found,) = examined(path, now=NOON.replace(year=2106)).named("clock_ahead")
    assert "2106" in found.what
    assert not examined(path, now=NOON.replace(year=2106)).named("future_item")


def test_at_a_prompt_the_command_of_the_finding_can_be_copied(tmp_path: Path) -> None:
    def run(line: str) -> str:
        result = CliRunner().invoke(app, [*shlex.split(line)[1:], "--json"])
        assert result.exit_code == 0, result.output
        return result.stdout

    here = f"--db {shlex.quote(str(tmp_path / 'my memory.db'))}"
    run(f"asterism star add Sleep --domain health {here}")
    run(f"asterism advance --days 30 {here}")
    (found,) = (
        each for each in json.loads(run(f"asterism doctor {here}"))["findings"] if each["name"] == "future_item"
    )
    run(f"{found['repair']} --yes")
    assert "future_item" not in run(f"asterism doctor {here}")
