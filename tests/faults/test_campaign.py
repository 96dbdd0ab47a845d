"""The campaign in short: some rounds of each of its parts; and it counts, goes on, and names what failed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from asterism.errors import AsterismError
from campaign import shim
from campaign.__main__ import MOST_FAILED, Campaign
from campaign.history import SPACES
from campaign.model import Disturbed, Played
from campaign.part import CannotRunError, Counts, Part, Round
from campaign.parts import PARTS
from campaign.power import Call, Disk, calls_of
from campaign.record import Record, table
from campaign.runner import Fault, Runner
from campaign.simulation import World
from tests.support.paths import ROOT

FULL = 300  # rounds of `make faults`


@pytest.mark.parametrize("part", PARTS, ids=[part.NAME for part in PARTS])
def test_every_round_of_a_part_holds(part: Part, tmp_path: Path, rounds: int) -> None:
    few, many = part.SHORT
    shared, counts = tmp_path / "shared", Counter[str]()
    shared.mkdir()
    try:
        with part.rounds(shared) as play:
            for seed in range(max(few, many * rounds // FULL)):
                folder = tmp_path / str(seed)
                folder.mkdir()
                counts += play(seed, folder)
    except CannotRunError as error:
        pytest.skip(str(error))
    assert counts[part.COUNTED] > 0
    if rounds >= FULL:
        assert [name for name in part.WITNESS if not counts[name]] == []  # the faults were real


@pytest.mark.parametrize(("name", "seed"), [("simulation", 111), ("syscalls", 360)])
def test_a_round_that_failed_once_holds(name: str, seed: int, tmp_path: Path) -> None:
    part = next(part for part in PARTS if name == part.NAME)
    shared, folder = tmp_path / "shared", tmp_path / "round"
    shared.mkdir()
    folder.mkdir()
    try:
        with part.rounds(shared) as play:
            assert play(seed, folder)[part.COUNTED] > 0
    except CannotRunError as error:
        pytest.skip(str(error))


class Uneven:
    """A part of which the rounds of some seeds fail."""

    NAME, HOLDS, COUNTED, GOAL, SHORT = "uneven", "nothing", "tries", 5, (1, 1)
    WITNESS: tuple[str, ...] = ()

    def __init__(self, bad: Container[int] = ()) -> None:
        self.bad = bad
        self.seeds: list[int] = []

    @contextmanager
    def rounds(self, folder: Path) -> Iterator[Round]:
        def play(seed: int, at: Path) -> Counts:
            assert at.parent == folder.parent
            self.seeds.append(seed)
            if seed in self.bad:
                raise ValueError("this one fails")
            return Counter(tries=1)

        yield play


def run(part: Part, state: Path, *, rounds: int | None = None) -> Record:
    record = Record(state)
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(record, Path(folder))
        with campaign:
            campaign.run([part], rounds=rounds, minutes=None, seed=None)
    return record


def test_a_second_run_goes_on_where_the_first_ended(tmp_path: Path) -> None:
    part, state = Uneven(), tmp_path / "state.json"
    run(part, state, rounds=2)
    assert part.seeds == [0, 1]
    run(part, state)  # to the goal
    run(part, state)  # which is reached
    assert part.seeds == [0, 1, 2, 3, 4]
    assert json.loads(state.read_text())["uneven"]["counts"] == {"tries": 5}


def test_what_failed_is_kept_with_its_seed_and_tried_first_by_the_next_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part, state = Uneven(bad=[1]), tmp_path / "state.json"
    record = run(part, state, rounds=3)
    assert record.of(part).failed == {"1": "ValueError: this one fails"}
    assert "python -m campaign uneven --seed 1 --rounds 1" in capsys.readouterr().out
    assert "| 2 tries | 5 |  | 1 (1) | 0 to 2 |" in table(record, [part])
    part.bad = ()
    record = run(part, state, rounds=1)
    assert part.seeds == [0, 1, 2, 1, 3]
    assert (record.of(part).failed, record.of(part).mended, record.of(part).counts["tries"]) == ({}, ["1"], 4)


def test_a_part_that_fails_again_and_again_is_left_alone(tmp_path: Path) -> None:
    part = Uneven(bad=range(1_000))
    assert len(run(part, tmp_path / "state.json").of(part).failed) == MOST_FAILED
    assert part.seeds == list(range(MOST_FAILED))


def test_the_command_replays_one_seed_and_says_what_there_is(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "campaign", "fuzz", "--seed", "7", "--rounds", "1"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    ran = subprocess.run([*command[:3], "nonsense"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "there is no part nonsense; there are " in ran.stderr


def test_one_seed_of_the_simulation_is_one_history(tmp_path: Path) -> None:
    """Processes, faults, clocks and who comes before whom: all of it happens again."""
    ends = []
    for _ in range(2):
        world = World(random.Random("one seed"), tmp_path)
        for number in range(30):
            world.call(f"quix{number}x")
        ends.append((world.counts, [world.store.head(space) for space in SPACES]))
    assert ends[0] == ends[1]
    assert ends[0][0]["came between"] > 0


def test_a_disk_that_says_it_synced_and_did_not_is_noticed(tmp_path: Path) -> None:
    """The model can fail: what was acknowledged is lost with the power then."""
    try:
        library = shim.built(tmp_path)
    except CannotRunError as error:
        pytest.skip(str(error))
    with Runner(library) as runner:
        drawn, _ = (histories := Played(tmp_path, runner)).of(0)
        path, log, left = (tmp_path / name for name in ("here/memory.db", "calls", "left/memory.db"))
        path.parent.mkdir()
        left.parent.mkdir()
        file = Disturbed(runner, drawn, path, histories.files, done=5)
        disk = Disk(path.parent)
        ran = file.run(Fault("lies", at=1, log=str(log)), steps=4)
        disk.play(calls_of(log), random.Random(0))
        disk.after_loss(left.parent, random.Random(0))
        file.look(ran)  # nothing is wrong as long as there is power
        with pytest.raises((AssertionError, AsterismError)):
            file.left(ran, left)


# What a disk may hold after a power loss


def after_loss(tmp_path: Path, *calls: Call) -> set[tuple[tuple[str, bytes], ...]]:
    here, left = tmp_path / "here", tmp_path / "left"
    here.mkdir()
    (here / "file").write_bytes(b"old")
    found = set()
    for seed in range(40):
        chance, disk = random.Random(seed), Disk(here)
        left.mkdir()
        disk.play(
            iter([call._replace(path=str(here / call.path), other=str(here / call.other)) for call in calls]), chance
        )
        disk.after_loss(left, chance)
        found.add(tuple(sorted((path.name, path.read_bytes()) for path in left.iterdir())))
        for path in left.iterdir():
            path.unlink()
        left.rmdir()
    return found


def written(data: bytes, path: str = "file") -> Call:
    return Call("W", path, "", 0, len(data), data)


def done(sign: str, path: str = "file", other: str = "") -> Call:
    return Call(sign, path, other, 0, 0, b"")


def test_what_was_synced_outlives_a_power_loss_and_the_rest_may_not(tmp_path: Path) -> None:
    synced = after_loss(tmp_path, written(b"new"), done("S"), written(b"odd"))
    assert synced == {(("file", b"new"),), (("file", b"odd"),)}


def test_what_a_failed_sync_should_have_saved_may_be_lost_though_a_later_one_succeeds(tmp_path: Path) -> None:
    assert after_loss(tmp_path, written(b"new"), done("X"), done("S")) == {(("file", b"new"),), (("file", b"old"),)}


def test_a_name_outlives_a_power_loss_once_its_folder_was_synced(tmp_path: Path) -> None:
    made = (done("C", "part"), written(b"new", "part"), done("S", "part"), done("R", "part", "file"))
    unsure = after_loss(tmp_path, *made)
    assert unsure == {(("file", b"old"),), (("file", b"old"), ("part", b"new")), (("file", b"new"),)}
    (tmp_path / "here" / "file").unlink()
    (tmp_path / "here").rmdir()
    assert after_loss(tmp_path, *made, done("D")) == {(("file", b"new"),)}
