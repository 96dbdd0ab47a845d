"""Counting work: how many lines of Python a call takes is the same on any machine, however busy it is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import TraceFunction


def lines_run(call: Callable[[], object]) -> int:
    """Count the lines that a call runs, each turn of a loop for itself."""
    counted, before = 0, sys.gettrace()

    def trace(_: FrameType, event: str, __: object) -> TraceFunction:
        nonlocal counted
        counted += event == "line"
        return trace

    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return counted


def cpu_seconds(call: Callable[[], object]) -> float:
    """Measure what no line of Python shows; only to be compared with another call in the same test, far apart."""
    began = time.process_time()
    call()
    return time.process_time() - began
