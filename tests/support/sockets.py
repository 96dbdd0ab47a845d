"""A server in this process and connections to it by hand: what is waited for is always a byte or the end of one."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.types import ASGIApp

from asterism.entry.network.limits import Limits
from asterism.entry.network.serving import Server, listening_at

Talk = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Talk]]


@asynccontextmanager
async def served(app: ASGIApp, limits: Limits) -> AsyncIterator[Connect]:
    """Serve an application on a free port of this machine; give what connects to it."""
    answering = asyncio.Event()
    with listening_at("127.0.0.1", 0) as listening:
        server = Server(app, limits, answering.set)
        task = asyncio.create_task(server.serve(sockets=[listening]))
        await answering.wait()
        open_ones: list[asyncio.StreamWriter] = []

        async def connect() -> Talk:
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            open_ones.append(writer)
            return reader, writer

        try:
            yield connect
        finally:
            for writer in open_ones:
                writer.close()
            server.should_exit = True
            await task


def shrunk(writer: asyncio.StreamWriter) -> None:
    """Let the system hold little of what comes to this end."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
