"""What comes to a space, as server-sent events: the id is COPY-POSITION, so that nothing is lost or told twice.

COPY is the store's own name, another in every copy of the file; POSITION the place of what came in the order of
arrival. Somebody who comes back with an id goes on behind it; with the id of another copy, or one that this copy never
gave, is told `reset` and begins anew. Events are `item`, `erased` and `reset`; a comment keeps a quiet stream alive.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from asterism.entry.http.failure import TooMuchError
from asterism.entry.http.rights import Right
from asterism.errors import InputError
from asterism.formats.ledger import item_line, tombstone_line

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from asterism.entry.http.service import Service
    from asterism.store.port import Arrival, Store

ID = re.compile(r"([0-9a-f]{16})-([0-9]{1,18})")
AT_ONCE = 500  # arrivals that are read together
LOOK_SECONDS = 1.0  # between two looks for what other programs write
QUIET_SECONDS = 15.0  # after which a comment is sent
STREAMS = 100  # of a server
STREAMS_OF_ONE = 20  # of a token


async def events(service: Service, request: Request) -> Response:
    """Answer with a stream that lasts as long as somebody listens."""
    space = request.path_params["space"]
    token = await service.token(request)
    token.check(space, Right.READ)
    copy = await service.keeper.ask(lambda store: store.copy_name())
    last = await service.keeper.ask(lambda store: store.last_position(space))
    after, reset = resumed(request.headers.get("last-event-id", ""), copy, last)
    listening = service.listeners
    if listening.total() >= STREAMS or listening[token.id] >= STREAMS_OF_ONE:
        raise TooMuchError("too many listen already", code="too_many_streams", item=space, seconds=5)
    return _Counted(service, token.id, _told(service, request, space, copy, after, reset=reset))


class _Counted(StreamingResponse):
    """A stream that is counted from when it was let in to its end, whether anything of it was sent or not."""

    def __init__(self, service: Service, who: str, told: AsyncIterator[str]) -> None:
        super().__init__(told, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self._listeners, self._who = service.listeners, who
        self._listeners[who] += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._listeners[self._who] -= 1
            self._listeners += Counter()  # without those that are at none


def resumed(told: str, copy: str, last: int) -> tuple[int, bool]:
    """Give the position to go on behind, and whether that is a beginning anew.

    >>> resumed("", "a" * 16, 9), resumed("a" * 16 + "-7", "a" * 16, 9), resumed("b" * 16 + "-7", "a" * 16, 9)
    ((0, False), (7, False), (0, True))
    """
    if not told:
        return 0, False
    found = ID.fullmatch(told)
    if found is None:
        raise InputError(
            "this is no id of an event", code="bad_event_id", item=told[:100], hint="send the last id as it came"
        )
    known = found[1] == copy and int(found[2]) <= last
    return (int(found[2]), False) if known else (0, True)


async def _told(
    service: Service, request: Request, space: str, copy: str, after: int, *, reset: bool
) -> AsyncIterator[str]:
    """Tell what comes, until the token is revoked or has run out."""
    yield "retry: 1000\n\n"
    if reset:
        yield f"id: {copy}-0\nevent: reset\ndata: {{}}\n\n"
    version: object = None
    quiet = asyncio.get_running_loop().time() + QUIET_SECONDS
    while True:
        written = service.written(space)
        now, arrived = await service.keeper.ask(partial(look, space=space, after=after, version=version))
        if not await service.still_knows(request):
            return
        for arrival in arrived:
            yield event(copy, arrival)
            after = arrival.position
        if arrived:
            quiet = asyncio.get_running_loop().time() + QUIET_SECONDS
        version = now if len(arrived) < AT_ONCE else None
        if version is None:
            continue
        if asyncio.get_running_loop().time() >= quiet:
            yield ": quiet\n\n"
            quiet += QUIET_SECONDS
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await written.wait()
        except TimeoutError:
            continue


def look(store: Store, *, space: str, after: int, version: object) -> tuple[object, list[Arrival]]:
    """Read what came since, unless nothing was written since."""
    now = store.version(space)
    if version is not None and version == now:
        return now, []
    return now, store.arrivals(space, after=after, limit=AT_ONCE)


def event(copy: str, arrival: Arrival) -> str:
    """Write one event; what it says is the line that an export has of it."""
    if arrival.item is None:
        assert arrival.erased is not None
        kind, line = "erased", tombstone_line(arrival.erased)
    else:
        kind, line = "item", item_line(arrival.item)
    return f"id: {copy}-{arrival.position}\nevent: {kind}\ndata: {line.decode().rstrip()}\n\n"
