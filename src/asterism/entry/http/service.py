"""The service: who asks, what for, in which space; one way for every command from a request to an answer."""

from __future__ import annotations

import asyncio
import logging
import math
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet, WeakValueDictionary

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from asterism.entry.http import rights
from asterism.entry.http.arguments import arguments
from asterism.entry.http.command import CARE, JOBS, Call, Command, Told
from asterism.entry.http.ending import Ending
from asterism.entry.http.failure import TooMuchError, blaming, failed, internal
from asterism.entry.http.keys import Keyed, check_key, once
from asterism.entry.http.progress import on_the_way, wants_progress
from asterism.entry.http.rights import EVERY, Right, Token
from asterism.entry.http.sent_token import secret_of
from asterism.entry.http.spaces import Held, Spaces, opening
from asterism.entry.http.watching import Allowance, Figures
from asterism.errors import AsterismError, StoreError, UnknownError
from asterism.wiring import open_store

if TYPE_CHECKING:
    from asterism.engine.space.vectors import EmbedderSpec
    from asterism.store.port import Store

log = logging.getLogger("asterism.http")
Result = TypeVar("Result")
EVERYBODY = Token("everybody", (EVERY,), Right.ADMIN, datetime.min.replace(tzinfo=UTC))
GONE = 499  # what is logged where nobody is left to answer


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one asker may ask, and how long a job may take."""

    at_once: float = 2_000
    per_second: float = 1_000
    wrong_at_once: float = 30  # requests without a token that is known, by address
    wrong_per_second: float = 1
    job_seconds: float = 600


class Keeper:
    """A view of the store of its own, for what belongs to no space: tokens, names of spaces, sizes, arrivals."""

    def __init__(self, db: str | Path) -> None:
        self._db = db
        self._store: Store | None = None
        self._thread = ThreadPoolExecutor(1, "asterism-keeper")

    async def ask(self, work: Callable[[Store], Result]) -> Result:
        """Ask the store something."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(self._opened()))

    def _opened(self) -> Store:
        if self._store is None:
            self._store = open_store(self._db)
        return self._store

    async def close(self) -> None:
        """Let go of it."""
        if self._store is not None:
            await self.ask(lambda store: store.close())
        self._thread.shutdown()


class Service:
    """All that requests are answered with."""

    def __init__(
        self,
        commands: tuple[Command, ...],
        db: str | Path,
        *,
        open_to_all: bool,
        embedder: EmbedderSpec = None,
        bounds: Bounds | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.commands = {command.path: command for command in commands}
        self.db, self.embedder, self.now = db, embedder, now
        self.bounds = bounds or Bounds()
        self.spaces, self.keeper = Spaces(db, embedder=embedder), Keeper(db)
        self.figures = Figures()
        self._open_to_all = open_to_all
        self._allowance = Allowance(at_once=self.bounds.at_once, per_second=self.bounds.per_second)
        self._wrong = Allowance(at_once=self.bounds.wrong_at_once, per_second=self.bounds.wrong_per_second)
        self._written: dict[str, asyncio.Event] = {}
        self.listeners: Counter[str] = Counter()  # streams of events, by token
        self._jobs: set[asyncio.Task[Told]] = set()
        self._endings: WeakSet[Ending] = WeakSet()  # of jobs
        self._keyed: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    # Who asks

    async def token(self, request: Request) -> Token:
        """Give the token of a request; one that asks too much, or guesses, waits."""
        if self._open_to_all:
            return EVERYBODY
        try:
            secret, now = secret_of(request), self.now()
            token = await self.keeper.ask(lambda store: rights.known(store, secret, now=now))
        except rights.NoTokenError:
            address = request.client.host if request.client else ""
            if not self._wrong.take(address, time.monotonic()):
                raise TooMuchError("too many requests without a token", code="too_many", item="token") from None
            raise
        if not self._allowance.take(token.id, time.monotonic()):
            raise TooMuchError("too many requests with this token", code="too_many", item=token.id)
        with suppress(StoreError):  # somebody writes: the next request of this hour tries again
            await self.keeper.ask(lambda store: rights.used(store, token, now=now))
        request.state.token = token.id
        return token

    async def still_knows(self, request: Request) -> bool:
        """Say whether the token of a request opens what it did: it may be revoked, or run out, meanwhile."""
        if self._open_to_all:
            return True
        try:
            secret, now = secret_of(request), self.now()
            await self.keeper.ask(lambda store: rights.known(store, secret, now=now))
        except rights.NoTokenError:
            return False
        return True

    # Commands

    async def answer(self, request: Request, command: Command) -> Response:
        """Answer a command: check who asks, read what is asked, call it when it is its turn."""
        space = request.path_params["space"]
        token = await self.token(request)
        token.check(space, Right.READ)
        key = request.headers.get("idempotency-key") if command.method == "POST" else None
        check_key(key)
        folder = tempfile.TemporaryDirectory(prefix="asterism-")
        try:
            told, file, sent = await arguments(request, command, Path(folder.name))
            for other in told.get("also", ()):
                token.check(other, Right.READ)
        except BaseException:
            folder.cleanup()
            raise
        keyed = None
        if key is not None and token.may >= Right.WRITE:  # who may only read changes nothing, and repeats nothing
            whole = sent + request.url.query.encode()
            keyed = Keyed(space, token.id, key, whole, alone=not told.get("also"))
        ending = Ending(self.bounds.job_seconds if command.name in JOBS else math.inf)

        if command.name in JOBS:
            self._endings.add(ending)
        changed: list[bool] = []

        def check(changes: bool) -> None:  # one question
            token.check(space, _needed(command, told, changes=changes))
            changed.append(changes)

        def work(held: Held) -> Told:
            if command.name in CARE and not told.get("dry_run"):
                token.check(space, Right.ADMIN)
            call = Call(space, told, self.db, Path(folder.name), opening(held, check), ending.say, file)
            with blaming(Path(folder.name)):
                return once(
                    held,
                    keyed,
                    command=command,
                    now=self.now(),
                    call=lambda: command.call(call),
                    changed=lambda: any(changed),
                )

        async def called() -> Told:
            run = self.spaces.job if command.name in JOBS else self.spaces.call
            try:
                async with self._alone(command, keyed):
                    return await run(space, work)
            except UnknownError as error:
                if error.code == "unknown_space":  # whose hint names spaces of others
                    raise rights.unknown_space(str(error.item)) from None
                raise
            finally:
                folder.cleanup()
                if command.method == "POST":
                    self.wrote(space)

        if wants_progress(request, command):
            return on_the_way(ending, called(), self._jobs)
        return self._response(request, command, await self._watched(request, ending, called()))

    def _alone(self, command: Command, keyed: Keyed | None) -> AbstractAsyncContextManager[object]:
        """Keep what bears the same key waiting: jobs of a space run beside each other."""
        if keyed is None:
            return nullcontext()
        return self._keyed.setdefault((keyed.space, keyed.name(command)), asyncio.Lock())

    async def _watched(self, request: Request, ending: Ending, called: Coroutine[Any, Any, Told]) -> Told:
        """Wait for an answer; if whoever asked goes away, it ends where it next says how far it is."""

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            ending.gone()

        watching = asyncio.create_task(watch())
        try:
            return await called
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError, RuntimeError):
                await watching

    def _response(self, request: Request, command: Command, told: Told) -> Response:
        headers = {}
        if told.total is not None:
            headers["X-Total-Count"] = str(told.total)
        if command.method == "GET":
            etag = f'"{sha256(told.body).hexdigest()}"'
            headers |= {"ETag": etag, "Cache-Control": "private, no-cache"}
            if etag in [each.strip() for each in request.headers.get("if-none-match", "").split(",")]:
                return Response(status_code=304, headers=headers)
        return Response(told.body, headers=headers, media_type=told.media)

    # Telling that something was written

    def written(self, space: str) -> asyncio.Event:
        """Give what is set when something may have been written to a space."""
        return self._written.setdefault(space, asyncio.Event())

    def wrote(self, space: str) -> None:
        """Tell those who wait for something new in a space."""
        if space in self._written:
            self._written.pop(space).set()

    async def close(self) -> None:
        """Let go of everything, when what is under way has ended; jobs end where they next say how far they are."""
        for ending in self._endings:
            ending.gone()
        if self._jobs:
            await asyncio.wait(self._jobs)
        await self.spaces.close()
        await self.keeper.close()


def _needed(command: Command, told: dict[str, object], *, changes: bool) -> Right:
    if command.name in CARE and not told.get("dry_run"):
        return Right.ADMIN
    return Right.WRITE if changes else Right.READ


async def guarded(request: Request, answer: Callable[[], object]) -> Response:
    """Answer, whatever happens: an error of ours with its status, a fault without a word of it."""
    try:
        return await answer()  # type: ignore[misc,no-any-return]  # a coroutine of ours
    except AsterismError as error:
        return failed(error)
    except ClientDisconnect:
        return Response(status_code=GONE)
    except Exception:
        log.exception("%s failed", request.scope.get("route"))
        return failed(internal())
