"""MCP on the same port with the same tokens: /mcp/SPACE, and /mcp for a token of one space.

Each space has a server of its own, and so has whoever may only read: its tools are those that change nothing. The SDK
wants each to be begun and ended in one task.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from asterism.entry.http.failure import failed
from asterism.entry.http.rights import EVERY, Right, Token, unknown_space
from asterism.entry.mcp.holding import holding
from asterism.entry.mcp.manner import Manner
from asterism.entry.mcp.running import application
from asterism.entry.mcp.server import build
from asterism.entry.network.limits import Limits
from asterism.errors import AsterismError, InputError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from asterism.entry.http.service import Service

MOST = 100  # servers at once; the one that was begun first makes room


class Agents:
    """Answers everything at /mcp."""

    def __init__(self, service: Service, limits: Limits) -> None:
        self._service, self._limits = service, limits
        self._running: dict[tuple[str, bool], _Running] = {}
        self._turn = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of an agent."""
        request = Request(scope)
        try:
            token = await self._service.token(request)
            space = scope.get("path_params", {}).get("space") or _only(token)
            token.check(space, Right.READ)
            running = await self._of(space, writes=token.may >= Right.WRITE)
        except AsterismError as error:
            await failed(error)(scope, receive, send)
            return
        await running.app({**scope, "path": "/mcp", "raw_path": b"/mcp", "root_path": ""}, receive, send)
        self._service.wrote(space)

    async def _of(self, space: str, *, writes: bool) -> _Running:
        async with self._turn:
            running = self._running.get((space, writes))
            if running is None:
                if len(self._running) >= MOST:
                    await self._running.pop(next(iter(self._running))).end()
                running = self._running[space, writes] = _Running(self._service, space, self._limits, writes=writes)
                await running.ready.wait()
            return running

    async def close(self) -> None:
        """End all servers."""
        for running in self._running.values():
            await running.end()
        self._running.clear()


def _only(token: Token) -> str:
    if len(token.spaces) == 1 and token.spaces[0] != EVERY:
        return token.spaces[0]
    if EVERY in token.spaces:
        raise InputError(
            "this token has more than one space", code="which_space", item="/mcp", hint="ask /mcp/SPACE instead"
        )
    raise unknown_space("")


class _Running:
    """The server of one space, in a task of its own."""

    def __init__(self, service: Service, space: str, limits: Limits, *, writes: bool) -> None:
        self._holding = holding(service.db, space, service.embedder, also_read=())
        server = build(self._holding, manner=Manner(only_reads=not writes))
        self.app: ASGIApp = application(server, limits)
        self._server: Any = server
        self.ready, self._over = asyncio.Event(), asyncio.Event()
        self._task = asyncio.create_task(self._live())

    async def _live(self) -> None:
        async with self._server.session_manager.run():
            self.ready.set()
            await self._over.wait()
        await self._holding.close()

    async def end(self) -> None:
        """End it."""
        self._over.set()
        with suppress(asyncio.CancelledError):
            await self._task
