"""How far a long job is, as server-sent events: `progress` as often as it says so, then `answer` or `error`."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Coroutine
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from asterism.entry.http.command import JOBS, Command, Told
from asterism.entry.http.failure import failed, internal
from asterism.errors import AsterismError

if TYPE_CHECKING:
    from asterism.entry.http.ending import Ending

log = logging.getLogger("asterism.http")
EVENTS = "text/event-stream"


def wants_progress(request: Request, command: Command) -> bool:
    """Say whether somebody wants to hear how far a job is; a file as the answer has no place in events."""
    accepted = [each.partition(";")[0].strip() for each in request.headers.get("accept", "").split(",")]
    return command.name in JOBS and not command.writes and EVENTS in accepted


def on_the_way(ending: Ending, work: Coroutine[Any, Any, Told], tasks: set[asyncio.Task[Told]]) -> Response:
    """Answer with how far it is, and then with what came of it; without a listener the job ends."""
    return StreamingResponse(_told(ending, work, tasks), media_type=EVENTS, headers={"X-Accel-Buffering": "no"})


async def _told(
    ending: Ending, work: Coroutine[Any, Any, Told], tasks: set[asyncio.Task[Told]]
) -> AsyncIterator[bytes]:
    loop, said = asyncio.get_running_loop(), asyncio.Queue[str | None]()
    ending.heard = lambda text: loop.call_soon_threadsafe(said.put_nowait, text)
    task = asyncio.create_task(work)
    tasks.add(task)  # until it has ended, whoever listens
    task.add_done_callback(tasks.discard)
    task.add_done_callback(lambda _: said.put_nowait(None))
    try:
        while (text := await said.get()) is not None:
            yield _event("progress", json.dumps({"text": text}, ensure_ascii=False).encode())
        yield _ended(task)
    finally:
        ending.gone()


def _ended(task: asyncio.Task[Told]) -> bytes:
    error = task.exception()
    if error is None:
        return _event("answer", task.result().body)
    if not isinstance(error, AsterismError):
        log.error("a job failed", exc_info=error)
        error = internal()
    return _event("error", bytes(failed(error).body))


def _event(name: str, body: bytes) -> bytes:
    lines = b"".join(b"data: " + line + b"\n" for line in body.splitlines())
    return b"event: " + name.encode() + b"\n" + lines + b"\n"
