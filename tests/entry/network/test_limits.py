"""What listens, over real sockets: who is slow, sends too much or asks under another name is turned away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from asterism.entry.network.door import ALWAYS, Door
from asterism.entry.network.hosts import LOOPBACK, Names
from asterism.entry.network.limits import LIMITS, Limits
from tests.support.sockets import Connect, served, shrunk

SOON = 0.05  # seconds: a limit that a test waits for
FOREVER = 1e6
ONE = b"\r\n\r\none"  # the end of the headers, and the answer
CHUNKED = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


def patient(**told: float | int) -> Limits:
    """Give limits of which only those told are ever met."""
    waits = dict.fromkeys(("header_seconds", "idle_seconds", "body_seconds", "reading_seconds"), FOREVER)
    return Limits(**{**waits, "ending_seconds": 1, **told})  # type: ignore[arg-type]


def application(limits: Limits) -> ASGIApp:
    async def echo(request: Request) -> Response:
        return PlainTextResponse(await request.body())

    async def flood(_: Request) -> Response:
        async def much() -> AsyncIterator[bytes]:
            for _ in range(1_000):
                yield b"x" * 65_536

        return StreamingResponse(much())

    app = Starlette(routes=[Route("/", echo, methods=["GET", "POST"]), Route("/flood", flood)])
    return Door(app, names=Names(LOOPBACK), limits=limits)


def run(work: Callable[[Connect], Awaitable[None]], limits: Limits) -> None:
    async def all_of_it() -> None:
        async with served(application(limits), limits) as connect:
            await work(connect)

    asyncio.run(all_of_it())


def post(body: bytes, *, length: int | None = None, host: str = "127.0.0.1") -> bytes:
    told = len(body) if length is None else length
    return f"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: {told}\r\n\r\n".encode() + body


def test_headers_that_do_not_come_end_a_connection() -> None:
    async def work(connect: Connect) -> None:
        silent, _ = await connect()
        slow, slowly = await connect()
        slowly.write(b"GET / HTTP/1.1\r\nHost: 127.")
        for reader in (silent, slow):
            assert (await reader.read()).startswith(b"HTTP/1.1 408 ")

    run(work, patient(header_seconds=SOON))


def test_a_second_request_must_be_whole_in_time_too() -> None:
    async def work(connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(post(b"one") + b"GET / HT")
        await reader.readuntil(ONE)
        assert (await reader.read()).startswith(b"HTTP/1.1 408 ")

    run(work, patient(header_seconds=SOON))


def test_a_connection_without_a_next_request_is_closed() -> None:
    async def work(connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(post(b"one"))
        await reader.readuntil(ONE)
        assert await reader.read() == b""

    run(work, patient(idle_seconds=SOON))


@pytest.mark.parametrize("sent", [b"", b"hal"])
def test_a_body_that_does_not_come_is_refused(sent: bytes) -> None:
    async def work(connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(post(sent, length=4))
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"too slowly" in answer

    run(work, patient(body_seconds=SOON, slowest_bytes=FOREVER))


@pytest.mark.parametrize(
    "request_bytes",
    [
        post(b"", length=11),
        CHUNKED + b"6\r\nabcdef\r\n6\r\nghijkl\r\n0\r\n\r\n",
    ],
    ids=["told", "in chunks"],
)
def test_a_body_that_is_too_long_is_refused_without_reading_it(request_bytes: bytes) -> None:
    async def work(connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(request_bytes)
        assert (await reader.read()).startswith(b"HTTP/1.1 413 ")

    run(work, patient(body_bytes=10))


def test_headers_that_are_too_long_are_refused() -> None:
    async def work(connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 5_000)
        assert (await reader.read()).startswith(b"HTTP/1.1 400 ")

    run(work, patient(header_bytes=2_000))


def test_one_connection_too_many_is_turned_away_and_the_others_work() -> None:
    async def work(connect: Connect) -> None:
        kept = [await connect(), await connect()]
        for reader, writer in kept:
            writer.write(post(b"one"))
            await reader.readuntil(ONE)
        late, _ = await connect()
        assert (await late.read()).startswith(b"HTTP/1.1 503 ")
        for reader, writer in kept:
            writer.write(post(b"two"))
            await reader.readuntil(b"\r\n\r\ntwo")

    run(work, patient(connections=2))


def test_a_client_that_does_not_read_its_answer_is_let_go() -> None:
    async def work(connect: Connect) -> None:
        _, writer = await connect()
        shrunk(writer)
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # a socket's can
        writer.write(b"GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with pytest.raises(ConnectionError):
            await until_gone(writer)

    async def until_gone(writer: asyncio.StreamWriter) -> None:
        while True:  # to write is to learn that the other end is gone
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0)

    run(work, patient(reading_seconds=SOON))


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("LOCALHOST:80", 200),
        ("[::1]:7717", 200),
        ("[0:0:0:0:0:0:0:1]", 200),
        ("evil.example", 421),
        ("127.0.0.1:evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost:0", 421),
        ("localhost:65536", 421),
        ("user@localhost", 421),
        ("localhost/", 421),
        ("localhost, localhost", 421),
        ("[::1", 421),
        ("[::ffff]x", 421),
        ("", 421),
    ],
)
def test_a_host_is_parsed_whole(host: str, status: int) -> None:
    async def work(connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(post(b"one", host=host))
        assert (await reader.readline()).startswith(f"HTTP/1.1 {status} ".encode())

    run(work, patient())


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost", 200),
        ("http://localhost:80", 200),
        ("https://localhost", 200),  # a proxy that speaks HTTPS
        ("http://localhost:3000", 403),  # another program of this machine
        ("http://127.0.0.1", 403),
        ("https://evil.example", 403),
        ("null", 403),
        ("http://localhost:x", 403),
    ],
)
def test_pages_of_other_places_are_not_answered(origin: str, status: int) -> None:
    async def work(connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(f"GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\n\r\n".encode())
        assert (await reader.readline()).startswith(f"HTTP/1.1 {status} ".encode())

    run(work, patient())


@pytest.mark.parametrize("path", ["/", "/nowhere"])
@pytest.mark.parametrize("host", ["localhost", "evil.example"])
def test_every_answer_has_a_policy_that_lets_a_page_do_nothing(path: str, host: str) -> None:
    async def work(connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        head = (await reader.read()).partition(b"\r\n\r\n")[0].lower()
        for name, value in ALWAYS:
            assert name + b": " + value.lower() in head

    run(work, LIMITS)
