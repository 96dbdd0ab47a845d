"""A full disk: files may not grow beyond a size, while calls of every kind are made and the memory is opened."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from campaign.model import Disturbed, Played
from campaign.part import Counts, Round
from campaign.runner import Fault, Runner

NAME = "disk"
HOLDS = "what finds no room is refused and changes nothing, and is done when there is room again"
COUNTED = "rounds"
GOAL = 500
WITNESS: tuple[str, ...] = ("refused", "had room")
SHORT = (2, 15)
EACH = 40  # rounds of one history
MOST_STEPS, AFTER = 5, 2
ROOM = (0, 4_096, 20_000, 60_000, 150_000)  # bytes, at most, beside what the file has


@contextmanager
def rounds(folder: Path) -> Iterator[Round]:
    with Runner() as runner:
        histories = Played(folder, runner)

        def play(seed: int, at: Path) -> Counts:
            chance = random.Random(f"disk {seed}")
            drawn, _ = histories.of(seed // EACH)
            file = Disturbed(runner, drawn, at / "memory.db", histories.files, done=chance.randrange(len(drawn.steps)))
            size = len(drawn.files[file.done])
            room = chance.randint(0, size) if chance.random() < 0.4 else size + chance.randint(0, chance.choice(ROOM))
            ran = file.run(Fault("room", at=room), steps=chance.randint(1, MOST_STEPS))
            file.look(ran)
            file.go_on(steps=AFTER)
            refused = {code for _, code in ran.refused}
            assert refused <= {"full", "io", "maybe_written", "cannot_open"}, refused
            return Counter(["rounds", "refused" if refused else "had room"])

        yield play
