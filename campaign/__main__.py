"""python -m campaign [PART ...] [--rounds N | --minutes M] [--seed S] [--state FILE] [--table]"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from campaign.part import CannotRunError, Part, Round
from campaign.parts import PARTS
from campaign.record import Record, table

TURN_SECONDS = 30.0  # after which another part has its turn
LONGEST_ROUND = 1_800  # seconds: what takes longer waits for ever
MOST_FAILED = 20  # rounds of a part, after which it is left alone until some are mended
SAVED_EVERY = 5.0  # seconds


def main(arguments: Sequence[str] | None = None) -> int:
    names = [part.NAME for part in PARTS]
    parser = argparse.ArgumentParser(prog="python -m campaign", description="Look for faults for hours.")
    parser.add_argument("names", nargs="*", metavar="part", help=f"which ones: {', '.join(names)} (all)")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--rounds", type=int, help="of each part; without it, until the goals are reached")
    length.add_argument("--minutes", type=float, help="at most, in all")
    parser.add_argument("--seed", type=int, help="play the rounds from this seed on, and record nothing")
    parser.add_argument("--state", type=Path, help="where it is kept what was done, to go on from there")
    parser.add_argument("--table", action="store_true", help="print the figures so far, and run nothing")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - set(names):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    parts = [part for part in PARTS if not asked.names or part.NAME in asked.names]
    record = Record(None if asked.seed is not None else asked.state)
    if asked.table:
        print(table(record, parts))
    else:
        with tempfile.TemporaryDirectory(prefix="asterism-campaign-") as folder, _patience():
            campaign = Campaign(record, Path(folder))
            with campaign:
                campaign.run(parts, rounds=asked.rounds, minutes=asked.minutes, seed=asked.seed)
    return int(any(record.of(part).failed for part in parts))


class Campaign:
    """Parts that take turns, each with what its rounds share."""

    def __init__(self, record: Record, folder: Path) -> None:
        self._record, self._folder = record, folder
        self._ready: dict[str, Round] = {}
        self._open = ExitStack()
        self._saved = 0.0

    def __enter__(self) -> None:
        self._open.__enter__()

    def __exit__(self, *error: object) -> None:
        self._record.save()
        self._open.close()

    def run(self, parts: Sequence[Part], *, rounds: int | None, minutes: float | None, seed: int | None) -> None:
        ends = time.monotonic() + 60 * minutes if minutes is not None else float("inf")
        able = [part for part in parts if self._is_able(part)]
        for part in able:
            self._record.of(part).next = seed if seed is not None else self._record.of(part).next
            self._try_again(part)
        if rounds is not None:
            for part in able:
                for _ in range(rounds):
                    self._next(part)
            return
        while (short := [part for part in able if self._goes_on(part)]) and time.monotonic() < ends:
            self._turn(min(short, key=self._share), min(ends, time.monotonic() + TURN_SECONDS))

    def _is_able(self, part: Part) -> bool:
        if part.NAME not in self._ready:
            shared = self._folder / part.NAME
            shared.mkdir()
            try:
                self._ready[part.NAME] = self._open.enter_context(part.rounds(shared))
            except CannotRunError as error:
                self._record.of(part).passed_over = str(error)
                print(f"{part.NAME}: passed over: {error}", flush=True)
                return False
        return True

    def _goes_on(self, part: Part) -> bool:
        return self._share(part) < 1 and len(self._record.of(part).failed) < MOST_FAILED

    def _share(self, part: Part) -> float:
        return self._record.of(part).done(part) / part.GOAL

    def _turn(self, part: Part, ends: float) -> None:
        self._next(part)
        while self._goes_on(part) and time.monotonic() < ends:
            self._next(part)
        tally = self._record.of(part)
        failed = f", {len(tally.failed)} failed" if tally.failed else ""
        print(f"{part.NAME}: {tally.done(part):,} of {part.GOAL:,} {part.COUNTED}{failed}", flush=True)

    def _next(self, part: Part) -> None:
        tally = self._record.of(part)
        seed, began = tally.next, time.monotonic()
        problem = self._play(part, seed)
        tally.next += 1
        tally.seconds += time.monotonic() - began
        if problem:
            tally.failed[str(seed)] = problem.strip().splitlines()[-1][:300]
            print(
                f"{part.NAME}, seed {seed}: {problem}\nagain: python -m campaign {part.NAME} --seed {seed} --rounds 1"
            )
        if problem or time.monotonic() > self._saved + SAVED_EVERY:
            self._record.save()
            self._saved = time.monotonic()

    def _play(self, part: Part, seed: int) -> str:
        """Play one round; give what went wrong, or nothing."""
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        try:
            with _one_round():
                self._record.of(part).counts += self._ready[part.NAME](seed, folder)
        except Exception:
            return traceback.format_exc()
        finally:
            _remove(folder)
        return ""

    def _try_again(self, part: Part) -> None:
        """Play again what failed in an earlier run: it may hold by now."""
        tally = self._record.of(part)
        for seed in list(tally.failed):
            if not self._play(part, int(seed)):
                del tally.failed[seed]
                tally.mended.append(seed)


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)
    folder.rmdir()


def _too_long(_: int, __: FrameType | None) -> None:
    raise TimeoutError(f"a round took longer than {LONGEST_ROUND} seconds")


@contextmanager
def _patience() -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, _too_long)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _one_round() -> Iterator[None]:
    signal.alarm(LONGEST_ROUND)
    try:
        yield
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    sys.exit(main())
