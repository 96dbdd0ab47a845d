"""The application: routes for every command, and those of the server itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from asterism.entry.http import page
from asterism.entry.http.agents import Agents
from asterism.entry.http.command import Command
from asterism.entry.http.copies import backup
from asterism.entry.http.events import events
from asterism.entry.http.failure import failed, no_such_page
from asterism.entry.http.openapi import document
from asterism.entry.http.rights import EVERY
from asterism.entry.http.service import Service, guarded
from asterism.entry.http.watching import AccessLog
from asterism.entry.http.written import json_body
from asterism.entry.network.limits import LIMITS, Limits
from asterism.errors import AsterismError, InputError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from asterism.store.port import Store

Answer = Callable[[Request], Awaitable[Response]]


def application(service: Service, *, log: AccessLog | None = None, limits: Limits = LIMITS) -> ASGIApp:
    """Give the application of a service; it lets go of everything at its end."""
    agents = Agents(service, limits)

    @asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await agents.close()
            await service.close()

    routes = [
        Route("/healthz", name="healthz", endpoint=_guarded(_alive), methods=["GET"]),
        Route("/readyz", name="readyz", endpoint=_guarded(partial(_ready, service)), methods=["GET"]),
        Route("/metrics", name="metrics", endpoint=_guarded(partial(_metrics, service)), methods=["GET"]),
        Route("/openapi.json", name="openapi", endpoint=_guarded(partial(_openapi, service)), methods=["GET"]),
        Route("/v1/spaces", name="spaces", endpoint=_guarded(partial(_spaces, service)), methods=["GET"]),
        Route("/v1/spaces/{space}/events", name="events", endpoint=_guarded(partial(events, service)), methods=["GET"]),
        Route("/v1/backup", name="backup", endpoint=_guarded(partial(backup, service)), methods=["GET"]),
        Route("/mcp", name="mcp", endpoint=agents),
        Route("/mcp/{space}", name="mcp", endpoint=agents),
        *(_route(service, command) for command in service.commands.values()),
        *page.routes(service, _guarded),
    ]
    app = Starlette(routes=routes, lifespan=living, exception_handlers={HTTPException: _refused})
    app.router.redirect_slashes = False
    return Counted(app, service, log)


def _guarded(answer: Answer) -> Answer:
    async def endpoint(request: Request) -> Response:
        return await guarded(request, lambda: answer(request))

    return endpoint


def _route(service: Service, command: Command) -> Route:
    async def endpoint(request: Request) -> Response:
        return await guarded(request, lambda: service.answer(request, command))

    return Route(f"/v1/spaces/{{space}}/{command.path}", endpoint, methods=[command.method], name=command.name)


async def _alive(_: Request) -> Response:
    return Response(json_body({"ok": True}), media_type="application/json")


async def _ready(service: Service, _: Request) -> Response:
    await service.keeper.ask(lambda store: store.spaces())
    return Response(json_body({"ok": True}), media_type="application/json")


async def _openapi(service: Service, _: Request) -> Response:
    return Response(json_body(document(tuple(service.commands.values()))), media_type="application/json")


async def _spaces(service: Service, request: Request) -> Response:
    token = await service.token(request)
    if request.query_params:
        raise InputError("spaces takes no arguments", code="bad_arguments", item="spaces", hint="leave them out")

    def look(store: Store) -> list[Any]:
        from asterism.engine.space.beside import space_view

        there = [name for name in store.spaces() if token.sees(name)]
        granted = [name for name in token.spaces if name != EVERY]
        return [space_view(store, name).to_dict() for name in sorted({*there, *granted})]

    told = await service.keeper.ask(look)
    return Response(json_body({"spaces": told}), media_type="application/json")


async def _metrics(service: Service, request: Request) -> Response:
    (await service.token(request)).check_whole()

    def look(store: Store) -> tuple[int, dict[str, int]]:
        return store.size_bytes(), {name: sum(store.counts(name, "").items.values()) for name in store.spaces()}

    size, items = await service.keeper.ask(look)
    gauges = {
        "asterism_store_bytes": size,
        "asterism_spaces_open": len(service.spaces),
        "asterism_queue": service.spaces.waiting,
    }
    return Response(service.figures.text(gauges, items), media_type="text/plain; version=0.0.4")


async def _refused(request: Request, error: Exception) -> Response:
    """Tell what starlette refuses by itself as everything else is told."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        wrong = MethodError(
            f"{request.method} is not how this is asked", code="bad_method", item=request.method, hint=f"use {allowed}"
        )
        answer = failed(wrong)
        answer.headers["Allow"] = allowed
        return answer
    return failed(no_such_page(request.url.path))


class MethodError(AsterismError):
    """There is something at this address, asked in another way."""

    exit_code = 2
    http_status = 405


class Counted:
    """Counts and writes down every answer of an application."""

    def __init__(self, app: ASGIApp, service: Service, log: AccessLog | None) -> None:
        self._app, self._service, self._log = app, service, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        since, status, length = loop.time(), 500, 0

        async def counted(message: Message) -> None:
            nonlocal status, length
            if message["type"] == "http.response.start":
                status = message["status"]
            length += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, counted)
        finally:
            route = getattr(scope.get("route"), "name", "") or "nothing"
            seconds = loop.time() - since
            self._service.figures.count(route, scope["method"], status, seconds, length)
            if self._log is not None:
                self._log(
                    at=self._service.now(),
                    method=scope["method"],
                    route=route,
                    space=scope.get("path_params", {}).get("space", ""),
                    status=status,
                    seconds=seconds,
                    length=length,
                    who=scope.get("state", {}).get("token", ""),
                )
