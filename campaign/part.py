"""What a part of the campaign is: rounds, each told by its seed alone, that hold or raise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

Counts = Counter[str]
Round = Callable[[int, Path], Counts]
"""Play the round of a seed in an empty folder: give what was counted; whatever is raised is a failure."""


class Part(Protocol):
    """A module of this folder: one kind of fault."""

    NAME: str
    HOLDS: str
    """What holds in each round, for the table."""
    COUNTED: str
    """Which of the counts of a round is compared with the goal."""
    GOAL: int
    WITNESS: tuple[str, ...]
    """Counts that are not zero over many rounds: else the faults were none."""
    SHORT: tuple[int, int]
    """Rounds of the short form: in `make test`, and in `make faults`."""

    def rounds(self, folder: Path) -> AbstractContextManager[Round]:
        """Make ready what many rounds share, in an empty folder."""


class CannotRunError(Exception):
    """Something that a part needs is not on this machine: it is passed over, and says so."""
