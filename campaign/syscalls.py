"""Single calls that fail: EIO, no room, half a write, a sync that fails; and power losses.

The C shim lets the n-th call that changes a file of the memory go wrong (`shim.c`), and writes down what was written:
what a disk may hold after a power loss is made of it (`power.py`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from campaign import shim
from campaign.model import Disturbed, Played
from campaign.part import Counts, Round
from campaign.power import Disk, calls_of
from campaign.runner import Fault, Runner

NAME = "syscalls"
HOLDS = (
    "a call that fails is told with an error of ours and changes nothing; what was acknowledged outlives a power loss"
)
COUNTED = "faults"
GOAL = 2_500
WITNESS: tuple[str, ...] = ("refused", "power losses", "killed", "went on")
SHORT = (3, 36)
EACH = 40  # rounds of one history
MOST_STEPS = 4  # that a process is given
AFTER = 2  # steps that follow undisturbed
LOSSES = 2  # of one run: what a disk may hold differs
FOR_GOOD = 10**9
FAULTS = (
    ("fails", (1, 3, FOR_GOOD)),
    ("no room", (1, 5, FOR_GOOD)),
    ("short", (1,)),
    ("sync fails", (1, 2, FOR_GOOD)),
    ("killed", (1,)),
    ("torn", (1,)),
)


@contextmanager
def rounds(folder: Path) -> Iterator[Round]:
    with Runner(shim.built(folder)) as runner:
        histories = Played(folder, runner)

        def play(seed: int, at: Path) -> Counts:
            return disturbed(random.Random(f"syscalls {seed}"), runner, histories, seed // EACH, at)

        yield play


def disturbed(chance: random.Random, runner: Runner, histories: Played, number: int, at: Path) -> Counts:
    """Let one call go wrong, and maybe the power be lost; see what is left, and go on."""
    drawn, measured = histories.of(number)
    path, log = at / "here" / "memory.db", at / "calls"
    path.parent.mkdir()
    file = Disturbed(runner, drawn, path, histories.files, done=chance.randrange(len(drawn.steps)))
    what, lengths = chance.choice(FAULTS)
    steps = chance.randint(1, MOST_STEPS)
    at_call = measured.calls.moment(chance, done=file.done, steps=steps)
    disk = Disk(path.parent)
    ran = file.run(Fault(what, at=at_call, times=chance.choice(lengths), log=str(log)), steps=steps)
    counts = Counter(faults=1, refused=len(ran.refused), killed=int(ran.killed))
    disk.play(calls_of(log), chance)
    for loss in range(LOSSES):
        left = at / f"loss {loss}" / "memory.db"
        left.parent.mkdir()
        disk.after_loss(left.parent, chance)
        file.left(ran, left)
        counts["power losses"] += 1
    file.look(ran)
    file.go_on(steps=AFTER)
    counts["went on"] += 1
    return counts
