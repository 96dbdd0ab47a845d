"""A service in this process, asked without sockets: what a request says goes in, what an answer says comes out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.types import ASGIApp, Message

from asterism.entry.cli.app import app as command_line
from asterism.entry.cli.table import table
from asterism.entry.http import rights
from asterism.entry.http.app import application
from asterism.entry.http.rights import Right
from asterism.entry.http.service import Bounds, Service
from asterism.entry.http.watching import AccessLog
from asterism.wiring import open_store

COMMANDS = table(command_line)
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def value(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Asker:
    """Asks an application, with a token or without."""

    def __init__(self, app: ASGIApp, token: str | None = None) -> None:
        self._app, self._token = app, token

    def with_token(self, token: str | None) -> Asker:
        return Asker(self._app, token)

    async def get(self, path: str, headers: Mapping[str, str] | None = None, **query: Any) -> Answer:
        return await self.ask("GET", path, b"", query, headers or {})

    async def post(
        self,
        path: str,
        told: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Answer:
        if body is None:
            body = b"" if told is None else json.dumps(told).encode()
            headers = {"content-type": "application/json", **(headers or {})}
        return await self.ask("POST", path, body, query or {}, headers or {})

    async def ask(
        self,
        method: str,
        path: str,
        body: bytes,
        query: Mapping[str, Any],
        headers: Mapping[str, str],
        *,
        until: bytes | None = None,
    ) -> Answer:
        sent = {"host": "localhost", **headers}
        if self._token is not None:
            sent["authorization"] = f"Bearer {self._token}"
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": urlencode(query, doseq=True).encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 1),
            "scheme": "http",
            "http_version": "1.1",
            "root_path": "",
            "state": {},
            "asgi": {"version": "3.0"},
        }
        start: dict[str, Any] = {}
        parts: list[bytes] = []
        asked = iter([{"type": "http.request", "body": body}])
        ended = asyncio.Event()

        async def receive() -> Message:
            for message in asked:
                return message
            await ended.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            parts.append(message.get("body", b""))
            if until is not None and until in b"".join(parts):
                ended.set()  # whoever asked goes away

        await self._app(scope, receive, send)
        ended.set()
        heads = {name.decode(): value.decode() for name, value in start["headers"]}
        return Answer(start["status"], heads, b"".join(parts))


Work = Callable[[Asker], Awaitable[None]]


def serving(
    db: Path,
    work: Work,
    *,
    open_to_all: bool = True,
    bounds: Bounds | None = None,
    now: Callable[[], datetime] = lambda: NOW,
    log: Callable[[str], object] | None = None,
) -> None:
    """Run work with a service over a file."""

    async def run() -> None:
        service = Service(COMMANDS, db, open_to_all=open_to_all, embedder="hashed", bounds=bounds, now=now)
        try:
            await work(Asker(application(service, log=None if log is None else AccessLog(log))))
        finally:
            await service.close()

    asyncio.run(run())


def token(db: Path, *spaces: str, may: str, expires: datetime | None = None) -> str:
    """Make a token in a file."""
    store = open_store(db)
    try:
        sent, _ = rights.add(store, spaces=spaces, may=Right[may.upper()], now=NOW, expires=expires)
    finally:
        store.close()
    return sent
