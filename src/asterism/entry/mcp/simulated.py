"""A server over stdio whose clock stands: `python -m asterism.entry.mcp.simulated FILE TIME [EMBEDDER]`.

For evaluations. It is the server of `asterism mcp` in all but the clock: a story told of last spring can be asked about
as of its last evening.
"""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

from asterism.entry.mcp.holding import Holding
from asterism.entry.mcp.manner import BRIEF
from asterism.entry.mcp.running import log_to_stderr, serve_stdio

if TYPE_CHECKING:
    from asterism.engine.memory import Memory


def main(path: str, now: str, embedder: str | None = None) -> None:
    """Serve a file as if it were this time."""

    def open_memory() -> Memory:
        from asterism.engine.memory import Memory

        return Memory.open(path, space="me", clock=datetime.fromisoformat(now), embedder=embedder)

    log_to_stderr()
    serve_stdio(lambda: Holding(open_memory), profile="asterism", manner=BRIEF)


if __name__ == "__main__":
    main(*sys.argv[1:])
