"""One connection, with limits: what is slow to ask, or slow to read its answer, is closed; too many are turned away.

uvicorn bounds the time between two requests and nothing else. The state of a connection is h11's: while the other side
is IDLE, headers are awaited.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from asterism.entry.network.limits import Limits

TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
TOO_MANY = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n"


class Due:
    """Something that happens unless it is called off in time."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, seconds: float, do: Callable[[], object]) -> None:
        """Begin to count, unless it counts already."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, do)

    def end(self) -> None:
        """Call it off."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Connection(H11Protocol):
    """A connection whose headers must be whole in time; `limited` gives the class for some limits."""

    limits: Limits

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._asked, self._read = Due(), Due()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for headers; of too many connections the latest goes."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            self._close(TOO_MANY)
        else:
            self._await_headers()

    def data_received(self, data: bytes) -> None:
        """Take in what came; headers that have begun must be whole in time."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._await_headers()
        else:
            self._asked.end()

    def on_response_complete(self) -> None:
        """Wait for the next request, or take up one that is there already."""
        super().on_response_complete()
        if self.conn.their_state is not h11.IDLE:
            self._asked.end()
        elif self.conn.trailing_data[0]:  # which has begun
            self._await_headers()

    def pause_writing(self) -> None:
        """Wait for a client that does not read, but not for ever."""
        super().pause_writing()
        self._read.begin(self.limits.reading_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: it has read."""
        super().resume_writing()
        self._read.end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._asked.end()
        self._read.end()
        super().connection_lost(exc)

    def _await_headers(self) -> None:
        self._asked.begin(self.limits.header_seconds, lambda: self._close(TOO_SLOW))

    def _close(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()


def limited(limits: Limits) -> type[Connection]:
    """Give the class of connections with these limits."""
    return type("LimitedConnection", (Connection,), {"limits": limits})
