"""Grammar-based fuzzing of everything that reads: files of every format, market rows, and messages of MCP.

Most inputs go to the parsers alone, a sample to the whole call of a memory. What cannot be used is refused with an
error of ours, and leaves what the memory holds as it was.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from asterism.errors import AsterismError
from campaign import fuzz_calls, fuzz_mcp, fuzz_parsers
from campaign.odd import Odd
from campaign.part import Counts, Round
from tests.support.memories import is_told_well

NAME = "fuzz"
HOLDS = "every input is read, or refused with an error of ours; what is refused leaves nothing behind"
COUNTED = "inputs"
GOAL = 1_000_000
WITNESS: tuple[str, ...] = ("read", "refused")
SHORT = (2, 20)
INPUTS = 1_000  # of a round
MOST_CPU_SECONDS = 20.0  # for one small input
SHARES: Mapping[str, float] = {"mcp": 0.04, "calls": 0.05}  # the rest goes to the parsers


@contextlib.contextmanager
def rounds(folder: Path) -> Iterator[Round]:
    """Make the sound files that are spoiled."""
    sound = fuzz_parsers.Sound.made(folder)

    def play(seed: int, at: Path) -> Counts:
        counts: Counts = Counter()
        room = fuzz_parsers.Room(sound, at)
        with fuzz_calls.Called(at) as called, fuzz_mcp.Served() as served:
            for number in range(INPUTS):
                odd = Odd(f"{seed}:{number}")
                counts[_one(odd, {"mcp": served.take, "calls": called.take, "": room.take})] += 1
                counts["inputs"] += 1
        return counts

    yield play


def _one(odd: Odd, takers: Mapping[str, Callable[[Odd], object]]) -> str:
    """Draw one input, and have it read; say what came of it."""
    drawn, which = odd.chance.random(), ""
    for name, share in SHARES.items():
        drawn -= share
        if drawn < 0:
            which = name
            break
    began = time.process_time()
    try:
        takers[which](odd)
    except AsterismError as error:
        if not is_told_well(error):
            raise AssertionError("not told well") from error
        return "refused"
    finally:
        took = time.process_time() - began
        assert took < MOST_CPU_SECONDS, f"one input took {took:.0f} seconds"
    return "read"
