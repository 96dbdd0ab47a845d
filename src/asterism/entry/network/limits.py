"""What a server waits for, and how much it holds at once: one table for all that listens."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one server; each has a default that a person on a slow line does not meet."""

    header_seconds: float = 10.0  # from a connection, or the first byte of a request, to the end of its headers
    idle_seconds: float = 15.0  # between an answer and the next request
    body_seconds: float = 20.0  # for a body, beside what its length takes at the slowest rate
    slowest_bytes: float = 16_384  # a second, of a body
    reading_seconds: float = 60.0  # for a client that does not read its answer
    header_bytes: int = 32 * 1024
    body_bytes: int = 4 * 1024 * 1024
    connections: int = 512
    sessions: int = 256  # of MCP clients that keep one
    session_seconds: float = 1800.0  # without a request, after which a session is closed
    ending_seconds: float = 2.0  # to end what is under way when the server is told to stop


LIMITS = Limits()
