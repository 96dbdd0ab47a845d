"""kill -9 at a call or a tick of SQLite's machine, over histories of every kind of operation."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from campaign import shim
from campaign.model import Disturbed, Played
from campaign.part import CannotRunError, Counts, Round
from campaign.runner import Fault, Runner

NAME = "kill"
HOLDS = "what was acknowledged is there, what was not is there as a whole or not at all, nothing erased is left"
COUNTED = "kills"
GOAL = 2_500
WITNESS: tuple[str, ...] = ("kills", "whole", "absent")
SHORT = (3, 36)
EACH = 40  # rounds of one history
IN_A_ROW = 3  # kills of one file at most
MOST_STEPS = 4  # that a process is given
AFTER = 2  # steps that follow undisturbed


@contextmanager
def rounds(folder: Path) -> Iterator[Round]:
    with ExitStack() as stack:
        try:
            library = shim.built(folder)
        except CannotRunError:  # then only at ticks
            library = None
        runner = stack.enter_context(Runner(library))
        histories = Played(folder, runner)

        def play(seed: int, at: Path) -> Counts:
            return killed(random.Random(f"kill {seed}"), runner, histories, seed // EACH, at / "memory.db")

        yield play


def killed(chance: random.Random, runner: Runner, histories: Played, number: int, path: Path) -> Counts:
    """Kill one process after the other on one file, and let one go on in the end."""
    drawn, measured = histories.of(number)
    file = Disturbed(runner, drawn, path, histories.files, done=chance.randrange(len(drawn.steps)))
    counts = Counter[str]()
    for _ in range(chance.randint(1, IN_A_ROW)):
        steps = chance.randint(1, MOST_STEPS)
        by_calls = bool(measured.calls.after[-1]) and chance.random() < 0.6
        what = chance.choice(["killed", "torn"]) if by_calls else "tick"
        passed = measured.calls if by_calls else measured.ticks
        ran = file.run(Fault(what, at=passed.moment(chance, done=file.done, steps=steps)), steps=steps)
        before = ran.did
        file.look(ran)
        if ran.killed:
            counts["kills"] += 1
            counts["whole" if file.done > before else "absent"] += 1
    file.go_on(steps=AFTER)
    return counts
