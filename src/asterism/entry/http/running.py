"""Running the service: the store is made or checked first, then it listens, and says so when it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from asterism.errors import AsterismError
from asterism.wiring import open_store

if TYPE_CHECKING:
    from asterism.engine.space.vectors import EmbedderSpec
    from asterism.entry.http.command import Command

LONGEST_BODY = 256 * 1024 * 1024  # a file that is sent to be taken in


def run(
    commands: tuple[Command, ...],
    db: str | Path,
    *,
    host: str,
    port: int,
    open_to_all: bool,
    allowed_hosts: Sequence[str],
    certificate: tuple[Path, Path] | None,
    embedder: EmbedderSpec,
    tell: Callable[[str], None],
    log: Callable[[str], object] | None,
) -> None:
    """Serve a memory until a signal comes; `tell` is told the address once it answers."""
    if find_spec("mcp") is None or find_spec("starlette") is None:
        raise AsterismError(
            "the service needs the packages of the extra serve",
            code="needs_serve",
            item="serve",
            hint="pip install 'asterism[serve]', or in a clone of the project: pip install '.[serve]'",
        )
    from asterism.entry.http.app import application
    from asterism.entry.http.service import Service
    from asterism.entry.http.watching import AccessLog
    from asterism.entry.network.door import Door
    from asterism.entry.network.hosts import LOOPBACK, Names, bracketed
    from asterism.entry.network.limits import LIMITS
    from asterism.entry.network.serving import Certificate, check_open, check_way, listening_at, serve

    proof = None if certificate is None else Certificate(*certificate)
    if open_to_all:
        check_open(host)
    check_way(host, proof)
    open_store(db).close()  # what is wrong with it is said now
    limits = replace(LIMITS, body_bytes=LONGEST_BODY)
    names = Names([*LOOPBACK, host, *allowed_hosts])
    with listening_at(host, port) as listening:
        service = Service(commands, db, open_to_all=open_to_all, embedder=embedder)
        app = application(service, log=None if log is None else AccessLog(log))
        address = f"{'http' if proof is None else 'https'}://{bracketed(host)}:{listening.getsockname()[1]}"
        door = Door(app, names=names, limits=limits)
        asyncio.run(serve(door, listening, limits=limits, ready=lambda: tell(address), certificate=proof))
