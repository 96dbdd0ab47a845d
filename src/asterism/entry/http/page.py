"""The page over HTTP: its files for everybody, and a cookie for whoever has shown a token once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from asterism.entry.http.sent_token import COOKIE, secret_of
from asterism.entry.http.written import json_body
from asterism.entry.network.hosts import LOOPBACK, host_of
from asterism.entry.page.files import File, files

if TYPE_CHECKING:
    from asterism.entry.http.service import Service

Answer = Callable[[Request], Awaitable[Response]]


def routes(service: Service, guard: Callable[[Answer], Answer]) -> list[Route]:
    """Give the routes of the page: `/`, its files, and `/v1/session` for signing in and out."""

    async def begin(request: Request) -> Response:
        await service.token(request)
        answer = Response(json_body({"ok": True}), media_type="application/json")
        if "authorization" in request.headers:
            here = host_of(request.headers.get("host", "")) in LOOPBACK  # else a proxy speaks HTTPS for us
            secure = request.url.scheme == "https" or not here
            answer.set_cookie(COOKIE, secret_of(request), httponly=True, samesite="strict", secure=secure, path="/")
        return answer

    async def end(_: Request) -> Response:
        answer = Response(json_body({"ok": True}), media_type="application/json")
        answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return answer

    return [
        Route("/v1/session", name="session", endpoint=guard(begin), methods=["POST"]),
        Route("/v1/session", name="session", endpoint=guard(end), methods=["DELETE"]),
        Route("/", name="page", endpoint=guard(_giving(files()["index.html"])), methods=["GET"]),
        *(
            Route(f"/{name}", name="page", endpoint=guard(_giving(file)), methods=["GET"])
            for name, file in files().items()
        ),
    ]


def _giving(file: File) -> Answer:
    async def give(request: Request) -> Response:
        headers = {"ETag": f'"{file.tag}"', "Cache-Control": "no-cache", "Content-Security-Policy": file.policy}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(file.body, headers=headers | {"Content-Type": file.media})

    return give
