"""A process that plays histories in forked children, each with its own fault: quick, for everything is loaded once.

`python -m campaign.runner` takes a request as a line of JSON, and says line by line what its child says: `open`,
`did STEP`, `refused STEP CODE`, `raw STEP ERROR`, each with the calls and ticks so far; then `ended CODE`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self

from asterism.errors import AsterismError
from campaign.history import SPACES, history
from campaign.shim import Shim
from tests.support.killing import at_every_tick
from tests.support.memories import HandClock, is_told_well, remembering
from tests.support.paths import ROOT

UNSURE = ("maybe_written", "not_read_back")  # codes of errors that do not say that nothing was written


@dataclass(frozen=True)
class Fault:
    """What goes wrong, and at which call, tick or size."""

    what: str = "nothing"  # of shim.FAULTS; or "tick", or "room"
    at: int = 0
    times: int = 1
    log: str = ""  # where calls are written down, for a power loss


UNDISTURBED = Fault()


@dataclass
class Ran:
    """What a child said before it ended."""

    opened: bool = False
    did: int = 0  # the last step that was acknowledged
    refused: list[tuple[int, str]] = field(default_factory=list)
    raw: str = ""
    calls: list[int] = field(default_factory=list)  # when it was open, and after each step
    ticks: list[int] = field(default_factory=list)
    ended: int = 0

    @property
    def killed(self) -> bool:
        return self.ended == -signal.SIGKILL


class Runner:
    """The process, from the outside."""

    def __init__(self, library: Path | None = None) -> None:
        preload = {} if library is None else {"LD_PRELOAD": str(library)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "campaign.runner"],
            cwd=ROOT,
            env={**os.environ, **preload},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(
        self, seed: int, codes: list[str], path: Path, files: Path, *, done: int, until: int, fault: Fault = UNDISTURBED
    ) -> Ran:
        """Let a child play the steps after those that are done."""
        request = {
            "seed": seed, "codes": codes, "path": str(path), "files": str(files), "done": done, "until": until,
            "fault": asdict(fault),
        }  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        ran = Ran(did=done)
        for line in self._process.stdout:
            word, *rest = json.loads(line)
            if word == "ended":
                ran.ended = rest[0]
                return ran
            _heard(ran, word, rest)
        raise RuntimeError("the runner itself has ended")


def _heard(ran: Ran, word: str, rest: list[object]) -> None:
    if word == "raw":
        ran.raw = str(rest[1])
    elif word == "refused":
        ran.refused.append((int(str(rest[0])), str(rest[1])))
    else:
        ran.opened = True
        ran.did = int(str(rest[0]))
        ran.calls.append(int(str(rest[1])))
        ran.ticks.append(int(str(rest[2])))


# The process, from the inside


def serve() -> None:
    """Fork a child for each request."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            status = 1
            try:
                Child(json.loads(line)).play()
                status = 0
            except BaseException:
                _say("raw", -1, traceback.format_exc())
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        _say("ended", os.waitstatus_to_exitcode(status))


def _say(*words: object) -> None:
    os.write(1, json.dumps(words).encode() + b"\n")  # at once: it may be the last thing that is said


class Child:
    """One run of some steps."""

    def __init__(self, request: dict[str, object]) -> None:
        self._codes: list[str] = request["codes"]  # type: ignore[assignment]  # as it was sent
        self._path = Path(str(request["path"]))
        self._steps = history(int(str(request["seed"])), Path(str(request["files"]))).steps
        self._done, self._until = int(str(request["done"])), int(str(request["until"]))
        self._fault = Fault(**request["fault"])  # type: ignore[arg-type]
        self._shim, self._ticks = Shim(), 0

    def play(self) -> None:
        self._arm()
        clock = HandClock()
        with ExitStack() as open_memories:
            try:
                memories = {
                    space: open_memories.enter_context(remembering(self._path, space=space, clock=clock))
                    for space in SPACES
                }
            except AsterismError as error:
                _say("refused", self._done, error.code if is_told_well(error) else f"not told well: {error!r}")
                return
            _say("open", self._done, self._shim.calls(), self._ticks)
            for number, step in enumerate(self._steps[self._done : self._until], self._done):
                clock.now = step.told.now
                memory = memories[step.space]
                if not self._did(number, lambda: step.run(memory)):  # noqa: B023  # called at once
                    return
                _say("did", number + 1, self._shim.calls(), self._ticks)

    def _did(self, number: int, run: Callable[[], object]) -> bool:
        """Do a step; one that is refused and wrote nothing is tried again, for the fault may be over."""
        for _ in range(3):
            try:
                run()
                return not self._codes[number]
            except AsterismError as error:
                if error.code == self._codes[number]:
                    return True
                _say("refused", number, error.code if is_told_well(error) else f"not told well: {error!r}")
                if error.code in UNSURE:
                    return False
        return False

    def _arm(self) -> None:
        fault = self._fault
        os.environ["SQLITE_TMPDIR"] = str(self._path.parent)
        if fault.what == "room":
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            resource.setrlimit(resource.RLIMIT_FSIZE, (fault.at, hard))
        elif fault.what == "tick" or not fault.at:
            self._count_ticks(fault.at)
            self._shim.arm(self._path.parent, at=0, times=0, fault="nothing")
        else:
            self._shim.arm(self._path.parent, at=fault.at, times=fault.times, fault=fault.what, log=fault.log)

    def _count_ticks(self, last: int) -> None:
        """Count the ticks of SQLite's machine, and die at one of them."""

        def tick() -> None:
            self._ticks += 1
            if self._ticks == last:
                os.kill(os.getpid(), signal.SIGKILL)

        at_every_tick(tick)


if __name__ == "__main__":
    serve()
