"""What every disturbed run of a history is held to.

Acknowledged means durable, not acknowledged means whole or absent; what was erased has left no byte; no space knows of
another; and going on comes to the state that an undisturbed run comes to.
"""

from __future__ import annotations

import json
import random
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

from campaign import steps as kinds
from campaign.history import History, history, left_over, played, prepare, state
from campaign.runner import UNDISTURBED, UNSURE, Fault, Ran, Runner
from tests.support.memories import remembering


class Passed(NamedTuple):
    """Calls, or ticks: what opening a file takes that is there, and how many had passed in one run after each step."""

    reopened: int
    after: list[int]

    def moment(self, chance: random.Random, *, done: int, steps: int) -> int:
        """Choose one of the next steps, or of the opening before them."""
        last = min(done + steps, len(self.after) - 1)
        opening = self.reopened if done else self.after[0]
        return chance.randint(1, max(1, opening + self.after[last] - self.after[done]))


class Measured(NamedTuple):
    """What an undisturbed run takes."""

    calls: Passed
    ticks: Passed


KEPT = 3  # histories whose undisturbed runs are remembered


class Played:
    """Histories with their states, and the calls and ticks that each of their steps takes; made when first needed."""

    def __init__(self, folder: Path, runner: Runner) -> None:
        self._folder, self._runner = folder, runner
        self.files = folder / "files"
        self.files.mkdir()
        prepare(self.files)
        self._made: OrderedDict[int, tuple[History, Measured]] = OrderedDict()

    def of(self, seed: int) -> tuple[History, Measured]:
        """Give a history, and what an undisturbed run of it by one process takes."""
        if seed not in self._made:
            drawn = played(history(seed, self.files), self._folder / "step-by-step.db")
            path = self._folder / "run" / "memory.db"
            path.parent.mkdir()
            ran = self._runner.run(seed, drawn.codes, path, self.files, done=0, until=len(drawn.steps))
            assert not ran.raw, ran.raw
            assert (ran.did, ran.refused) == (len(drawn.steps), []), ran
            assert state(path) == drawn.states[-1], "one process comes to another end than one for each step"
            last = len(drawn.steps)
            again = self._runner.run(seed, drawn.codes, path, self.files, done=last, until=last)
            for each in (*self._folder.glob("step-by-step.db*"), *path.parent.iterdir()):
                each.unlink()
            path.parent.rmdir()
            calls, ticks = Passed(again.calls[0], ran.calls), Passed(again.ticks[0], ran.ticks)
            self._made[seed] = drawn, Measured(calls, ticks)
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        return self._made[seed]


class Disturbed:
    """A file in which some steps of a history are done, and the next are played with faults on the way."""

    def __init__(self, runner: Runner, drawn: History, path: Path, files: Path, *, done: int) -> None:
        self._runner, self._drawn, self.path, self._files = runner, drawn, path, files
        self.done = done
        if done:
            path.write_bytes(drawn.files[done])

    def run(self, fault: Fault, *, steps: int | None = None) -> Ran:
        """Go on with a fault; the file is to be looked at afterwards."""
        until = len(self._drawn.steps) if steps is None else min(len(self._drawn.steps), self.done + steps)
        ran = self._runner.run(
            self._drawn.seed, self._drawn.codes, self.path, self._files, done=self.done, until=until, fault=fault
        )
        assert not ran.raw, ran.raw
        for _, code in ran.refused:
            assert not code.startswith("not told well"), code
        return ran

    def look(self, ran: Ran) -> None:
        """See that what was acknowledged is there, and of what was not, all or nothing; go on from there."""
        self.done = self.left(ran, self.path)

    def left(self, ran: Ran, path: Path) -> int:
        """Say how many steps are there after a run, in its file or in what a disk may hold of it."""
        left, sure = state(path), ran.did
        unsure = ran.killed or any(code in UNSURE for _, code in ran.refused)
        assert left in self._drawn.states[sure : sure + 1 + unsure], self._told(left, sure, ran)
        done = sure + (left != self._drawn.states[sure])
        self._files_are_whole(path.parent)
        gone = left_over(path, self._drawn.gone(done))
        assert not gone, f"bytes are left of {gone}"
        return done

    def _files_are_whole(self, folder: Path) -> None:
        """See that what was written beside the memory is whole, where it is there."""
        if (folder / kinds.BACKUP).exists():
            assert state(folder / kinds.BACKUP) in self._drawn.states, "there is half a backup"
        ledger = folder / kinds.LEDGER
        if ledger.exists():
            space = json.loads(ledger.read_text(encoding="utf-8").partition("\n")[0])["space"]
            with remembering(":memory:", space=space) as memory:
                memory.import_(ledger)

    def _told(self, left: str, sure: int, ran: Ran) -> str:
        where = self._drawn.states.index(left) if left in self._drawn.states else "none"
        step = self._drawn.steps[min(sure, len(self._drawn.steps) - 1)].kind
        return f"after {sure} acknowledged steps (next: {step}) the file is in state {where}; {ran}"

    def go_on(self, *, steps: int) -> None:
        """Go on undisturbed."""
        ran = self.run(UNDISTURBED, steps=steps)
        assert (ran.refused, ran.ended) == ([], 0), ran
        self.look(ran)
