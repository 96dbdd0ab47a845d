"""What every request passes before anything of ours sees it: its names, its length, its time; and what answers carry.

A pure ASGI application around another: it reads no body and holds none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from asterism.entry.network.hosts import Names
from asterism.entry.network.limits import Limits

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
ALWAYS = (
    (b"content-security-policy", POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
SAID = {
    400: b"the length of the body is not a number, or told twice",
    403: b"requests from pages of another place are not answered",
    408: b"the body came too slowly",
    413: b"the body is too long",
    421: b"this server does not answer under that name",
}


class Door:
    """Lets through what fits the limits and was asked under a known name."""

    def __init__(self, app: ASGIApp, *, names: Names, limits: Limits) -> None:
        self._app, self._names, self._limits = app, names, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = self._names.refusal(scope["headers"], scope["scheme"]) or self._too_long(scope["headers"])
        passing = _Passing(receive, send, self._limits)
        if status is None:
            try:
                await self._app(scope, passing.receive, passing.send)
            except Exception:
                if passing.refused is None:
                    raise  # else: it was told that the client is gone
            status = passing.refused
        if status is not None and not passing.begun:
            await refuse(send, status)

    def _too_long(self, headers: Sequence[tuple[bytes, bytes]]) -> int | None:
        told = [value for name, value in headers if name == b"content-length"]
        if not told:
            return None
        if len(told) > 1 or not told[0].isdigit():
            return 400
        return 413 if int(told[0]) > self._limits.body_bytes else None


class _Passing:
    """One request on its way: its body is counted and timed, its answer carries what every answer does."""

    def __init__(self, receive: Receive, send: Send, limits: Limits) -> None:
        self._receive, self._send, self._limits = receive, send, limits
        self._came, self._whole = 0, False
        self._since = asyncio.get_running_loop().time()
        self.refused: int | None = None
        self.begun = False

    async def receive(self) -> Message:
        """Give the next part of the body; a client that is too slow, or sends too much, counts as gone."""
        if self._whole or self.refused:
            return await self._receive()
        due = self._since + self._limits.body_seconds + self._came / self._limits.slowest_bytes
        try:
            async with asyncio.timeout_at(due):
                message = await self._receive()
        except TimeoutError:
            return self._gone(408)
        self._whole = message["type"] != "http.request" or not message.get("more_body", False)
        self._came += len(message.get("body", b""))
        return message if self._came <= self._limits.body_bytes else self._gone(413)

    def _gone(self, status: int) -> Message:
        self.refused = status
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Hand on an answer; what is said to a client that was turned away is not."""
        if self.refused and not self.begun:
            return
        if message["type"] == "http.response.start":
            self.begun = True
            told = {name for name, _ in message.get("headers", ())}
            added = [each for each in ALWAYS if each[0] not in told]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await self._send(message)


async def refuse(send: Send, status: int) -> None:
    """Turn a request away, and end its connection: what is left of its body is not read."""
    said = SAID[status]
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(said)).encode())]
    await send(
        {"type": "http.response.start", "status": status, "headers": [*headers, (b"connection", b"close"), *ALWAYS]}
    )
    await send({"type": "http.response.body", "body": said})
