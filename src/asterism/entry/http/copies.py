"""/v1/backup: a copy of the whole memory while it is in use, as the answer."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from asterism.entry.http.spaces import Held

if TYPE_CHECKING:
    from asterism.entry.http.service import Service

PART = 1024 * 1024  # bytes that are read together


async def backup(service: Service, request: Request) -> Response:
    """Copy the memory at one moment, then send the copy; it is gone afterwards, whoever goes away."""
    (await service.token(request)).check_whole()
    folder = tempfile.TemporaryDirectory(prefix="asterism-")
    file = Path(folder.name) / "memory.db"

    def copy(held: Held) -> int:
        held.memory().backup(file)
        return file.stat().st_size

    try:
        spaces = await service.keeper.ask(lambda store: store.spaces())
        length = await service.spaces.job(next(iter(spaces), "default"), copy)
    except BaseException:
        folder.cleanup()
        raise

    async def parts() -> AsyncIterator[bytes]:
        try:
            with file.open("rb") as copied:
                while part := await asyncio.to_thread(copied.read, PART):
                    yield part
        finally:
            folder.cleanup()

    headers = {"Content-Length": str(length), "Content-Disposition": 'attachment; filename="memory.db"'}
    return StreamingResponse(parts(), media_type="application/vnd.sqlite3", headers=headers)
