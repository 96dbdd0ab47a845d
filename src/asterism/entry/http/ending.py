"""When a call ends before its end: at its deadline, or when nobody waits for it any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from asterism.entry.http.failure import LateError


class Ending:
    """When a call must end: at its deadline, or when nobody waits for it. Asked wherever it says how far it is."""

    def __init__(self, seconds: float) -> None:
        self._due = time.monotonic() + seconds
        self._gone = threading.Event()
        self.heard: Callable[[str], object] = lambda _: None

    def gone(self) -> None:
        """Say that nobody waits any more."""
        self._gone.set()

    def say(self, text: str) -> None:
        """Hear how far a call is; end it if it is to end."""
        if self._gone.is_set():
            raise LateError("whoever asked is gone", code="gone", hint="what was done in whole steps is kept")
        if time.monotonic() > self._due:
            raise LateError(
                "it took longer than it may", code="too_late", hint="what was done in whole steps is kept; ask again"
            )
        self.heard(text)
