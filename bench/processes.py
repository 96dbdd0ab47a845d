"""Fresh processes, with bytecode at hand as after any first run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.timing import Timing

Environment = dict[str, str]


@contextmanager
def compiled() -> Iterator[Environment]:
    """Give an environment in which bytecode is kept, wherever the sources lie and whatever the caller's says."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        yield {**kept, "PYTHONPYCACHEPREFIX": folder}


def run(script: str, *arguments: str | Path, environment: Environment) -> tuple[Timing, str]:
    """Run a script in a fresh process; give its CPU seconds and how long it took, and what it printed."""
    command: Sequence[str | Path] = [sys.executable, "-c", script, *arguments]
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"a fresh process ended with {process.returncode}: {script.strip().splitlines()[-1]}")
    return Timing(usage.ru_utime + usage.ru_stime, wall), printed
