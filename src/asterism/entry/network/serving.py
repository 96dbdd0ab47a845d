"""Listening and serving: a socket, the signals that end it, and the line that says it answers."""

from __future__ import annotations

import signal
import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import uvicorn

from asterism.entry.network.connection import limited
from asterism.entry.network.hosts import LOOPBACK
from asterism.entry.network.limits import Limits
from asterism.errors import InputError

if TYPE_CHECKING:
    from starlette.types import ASGIApp


def listening_at(host: str, port: int) -> socket.socket:
    """Listen; port 0 is any that is free."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        return socket.create_server(found[0][4][:2], family=found[0][0])
    except OSError as error:
        raise InputError(
            f"cannot listen at {host} port {port}: {error.strerror or error}",
            code="bad_address",
            item=f"{host}:{port}",
            hint="choose another port with --port (0 is any that is free), or an address of this machine with --host",
        ) from error


def check_open(host: str) -> None:
    """Refuse to let everybody in who reaches an address that other machines reach."""
    if host not in LOOPBACK:
        raise InputError(
            f"anyone who reaches {host} could read and change the memory",
            code="needs_token",
            item=host,
            hint="leave --no-token out, or stay on this machine: --host 127.0.0.1",
        )


class Certificate(NamedTuple):
    """What a server proves with who it is, as two files in PEM."""

    chain: Path
    key: Path

    def check(self) -> None:
        """Refuse files that do not belong together before anything listens."""
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.chain, self.key)
        except (OSError, ssl.SSLError) as error:
            raise InputError(
                f"{self.chain.name} and {self.key.name} cannot be used: {getattr(error, 'reason', '') or error}",
                code="bad_certificate",
                item=self.chain.name,
                hint="give a certificate and its own key, both as PEM and the key without a password",
            ) from None


def check_way(host: str, certificate: Certificate | None) -> None:
    """Refuse to send tokens in the clear to other machines."""
    if certificate is not None:
        certificate.check()
    elif host not in LOOPBACK:
        raise InputError(
            f"whoever is between {host} and its clients could read their tokens",
            code="needs_tls",
            item=host,
            hint="give --certificate FILE and --key FILE, or stay at 127.0.0.1 behind a proxy that speaks HTTPS",
        )


class Server(uvicorn.Server):
    """A server that says when it answers."""

    def __init__(
        self, app: ASGIApp, limits: Limits, ready: Callable[[], object], certificate: Certificate | None = None
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=limited(limits),
                log_level="warning",
                access_log=False,
                lifespan="on",
                ws="none",
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=limits.idle_seconds,  # type: ignore[arg-type]  # seconds; whole ones are not needed
                h11_max_incomplete_event_size=limits.header_bytes,
                timeout_graceful_shutdown=limits.ending_seconds,  # type: ignore[arg-type]
                ssl_certfile=None if certificate is None else certificate.chain,
                ssl_keyfile=None if certificate is None else certificate.key,
            )
        )
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()


async def serve(
    app: ASGIApp,
    listening: socket.socket,
    *,
    limits: Limits,
    ready: Callable[[], object],
    certificate: Certificate | None = None,
) -> None:
    """Serve until a signal comes; `ready` is called once it answers."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)  # uvicorn ends on its own and then calls what was here before
    await Server(app, limits, ready, certificate).serve(sockets=[listening])
