"""Running the server: over stdio for one client, or over HTTP on this machine for several."""

from __future__ import annotations

import asyncio
import hmac
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from asterism.entry.mcp.holding import Holding
from asterism.entry.mcp.manner import BRIEF, Manner
from asterism.errors import AsterismError

if TYPE_CHECKING:
    from mcp.server.lowlevel.server import Server
    from starlette.types import ASGIApp, Receive, Scope, Send

    from asterism.entry.network.limits import Limits

PATIENCE = 2.0  # seconds to end what is under way when we are told to stop


def serve_stdio(hold: Callable[[], Holding], *, profile: str, manner: Manner) -> None:
    """Serve one client over stdin and stdout until stdin ends, or a signal comes."""
    _refuse_without_sdk()
    asked, answered = sys.stdin.buffer, sys.stdout.buffer
    try:
        with redirect_stdout(sys.stderr):  # stdout belongs to the protocol, whoever may print
            asyncio.run(_stdio(hold, profile, manner, asked, answered))
    except* BrokenPipeError:  # the client is gone: nobody is left to answer
        with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())  # what is still to be flushed goes there


async def _stdio(
    hold: Callable[[], Holding], profile: str, manner: Manner, asked: BinaryIO, answered: BinaryIO
) -> None:
    from importlib.metadata import version

    from asterism.entry.mcp.offering import Offering
    from asterism.entry.mcp.stdio import LONGEST_MESSAGE, Conversation

    holding = hold()
    _end_on_signals(holding)
    turn = asyncio.Lock()

    def write(line: bytes) -> None:
        answered.write(line)
        answered.flush()

    async def send(line: bytes) -> None:
        async with turn:
            await asyncio.to_thread(write, line)  # a client that does not read holds up nobody else

    try:
        async with asyncio.TaskGroup() as under_way:
            offering = Offering(holding, profile=profile, manner=manner)
            talk = Conversation(offering, version=version("asterism"), send=send, under_way=under_way)
            while line := await asyncio.to_thread(read_line, asked, LONGEST_MESSAGE):
                await talk.take(line)
    finally:
        await holding.close()


def read_line(asked: BinaryIO, most: int) -> bytes:
    """Read a line, but keep no more of it than shows that it is too long; b"" at the end.

    >>> from io import BytesIO
    >>> lines = BytesIO(b"ping\\n" + b"x" * 100 + b"\\nping\\n")
    >>> [read_line(lines, 10) for _ in range(4)]
    [b'ping\\n', b'xxxxxxxxxxx', b'ping\\n', b'']
    """
    line = asked.readline(most + 1)
    rest = line
    while len(rest) == most + 1 and not rest.endswith(b"\n"):
        rest = asked.readline(most + 1)
    return line


def _end_on_signals(holding: Holding) -> None:
    """End cleanly on SIGINT and SIGTERM: a thread that waits for stdin would hold up the usual way out."""
    loop = asyncio.get_running_loop()
    ending: list[asyncio.Task[None]] = []

    async def end(number: int) -> None:
        with suppress(Exception):
            await asyncio.wait_for(holding.close(), PATIENCE)
        os._exit(128 + number)

    def told(number: int) -> None:
        ending.append(loop.create_task(end(number)))

    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows ends a process without asking it
            loop.add_signal_handler(number, told, number)


def serve_http(
    hold: Callable[[], Holding],
    *,
    profile: str,
    manner: Manner = BRIEF,
    host: str,
    port: int,
    token: str | None,
    allowed_hosts: Sequence[str],
    tell: Callable[[str], None],
) -> None:
    """Serve clients over streamable HTTP; `tell` is told the address once it answers. No token lets in this machine."""
    _refuse_without_sdk()
    from asterism.entry.network.serving import check_open, listening_at

    if token is None:
        check_open(host)
    with listening_at(host, port) as listening:
        asyncio.run(_http(hold, profile, manner, listening, host, token, allowed_hosts, tell))


def _refuse_without_sdk() -> None:
    """Say that the SDK is not installed; the checks of arguments come with it, whoever carries them."""
    if find_spec("mcp") is None:
        raise AsterismError(
            "the MCP server needs the package mcp",
            code="needs_mcp",
            item="mcp",
            hint="pip install 'asterism[mcp]', or in a clone of the project: pip install '.[mcp]'",
        )


async def _http(
    hold: Callable[[], Holding],
    profile: str,
    manner: Manner,
    listening: socket.socket,
    host: str,
    token: str | None,
    allowed_hosts: Sequence[str],
    tell: Callable[[str], None],
) -> None:
    from asterism.entry.mcp.server import build
    from asterism.entry.network.door import Door
    from asterism.entry.network.hosts import LOOPBACK, Names, bracketed
    from asterism.entry.network.limits import LIMITS
    from asterism.entry.network.serving import serve

    names = Names([*LOOPBACK, host, *allowed_hosts])
    address = f"http://{bracketed(host)}:{listening.getsockname()[1]}/mcp"
    holding = hold()
    try:
        app = application(build(holding, profile=profile, manner=manner), LIMITS)
        door = Door(Guarded(app, token) if token else app, names=names, limits=LIMITS)
        await serve(door, listening, limits=LIMITS, ready=lambda: tell(address))
    finally:
        await holding.close()


def application(server: Server[dict[str, Any]], limits: Limits) -> ASGIApp:
    """Give the SDK's application of a server; who may ask it under which name was seen to before."""
    from mcp.server.transport_security import TransportSecuritySettings

    return server.streamable_http_app(
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=limits.body_bytes,
        max_sessions=limits.sessions,
        session_idle_timeout=limits.session_seconds,
    )


class Guarded:
    """Lets through only requests that carry the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and not self._is_known(scope):
            headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b"a token is needed: Authorization: Bearer TOKEN"})
            return
        await self._app(scope, receive, send)

    def _is_known(self, scope: Any) -> bool:
        told = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(told) == 1 and hmac.compare_digest(told[0], self._wanted)


def log_to_stderr() -> None:
    """Send logs to stderr: stdout belongs to the protocol."""
    import logging

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="asterism mcp: %(message)s")
