"""The protocol over stdin and stdout, for the one client that started us: a JSON message a line.

What a server without requests of its own has to say is little, so it is said here: the official SDK takes a second of
CPU to load its client, an HTTP stack and some six hundred message classes, while a client waits. The SDK's own client
and server are what this is tested against (tests/entry/mcp/test_stdio_protocol.py); over HTTP the SDK serves.

Two protocols are in use, and the client's first request says which one it speaks:

    handshake   up to 2025-11-25: `initialize` first, then requests; what was agreed on then holds for all of them
    envelope    2026-07-28: no handshake; every request says its version and capabilities in `params._meta`
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from asterism.entry.mcp.offering import INVALID_PARAMS, Offering, RefusedError, Result

log = logging.getLogger("asterism.mcp")

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
ENVELOPE_VERSIONS = ("2026-07-28",)
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER = "io.modelcontextprotocol/serverInfo"
INVALID_REQUEST, METHOD_NOT_FOUND, INTERNAL_ERROR, UNSUPPORTED_VERSION = -32600, -32601, -32603, -32022
OURS = {"resources": {"listChanged": False, "subscribe": False}, "tools": {"listChanged": False}}
NOT_CACHED = {"ttlMs": 0, "cacheScope": "private"}  # what we tell may be another the next time

Params = Mapping[str, Any]
Send = Callable[[bytes], Awaitable[None]]


class Conversation:
    """What one client asks and is answered; several requests may be under way at once."""

    def __init__(self, offering: Offering, *, version: str, send: Send, under_way: asyncio.TaskGroup) -> None:
        self._offering = offering
        self._about = {"name": "asterism", "title": "Asterism", "version": version}
        self._send = send
        self._under_way = under_way
        self._tasks: dict[str | int, asyncio.Task[None]] = {}
        self._envelopes: bool | None = None  # whether requests carry one; the first says so
        self._agreed = False  # on a version, by a handshake

    async def take(self, line: bytes) -> None:
        """Take one line of the client's; what is no message is passed over, and the log says so."""
        try:
            message = json.loads(line.decode("utf-8-sig", "replace"))  # one odd byte leaves no request unanswered
            method, params = message["method"], message.get("params")
            params = {} if params is None else params  # some clients write null for none
            if message["jsonrpc"] != "2.0" or not isinstance(method, str) or not isinstance(params, dict):
                raise TypeError
        except (ValueError, LookupError, TypeError, RecursionError):
            log.warning("passed over what is no message: %.100r", line)
            return
        if "id" not in message:
            self._note(method, params)
            return
        number = message["id"]
        if isinstance(number, bool) or not isinstance(number, str | int):
            log.warning("passed over a request without an id: %.100r", line)
        elif method == "initialize":
            await self._answer(number, method, params)  # at once: what comes behind it may count on it
        else:
            task = self._under_way.create_task(self._answer(number, method, params))
            self._tasks[number] = task
            task.add_done_callback(lambda _: self._tasks.pop(number, None))

    def _note(self, method: str, params: Params) -> None:
        """Take a notification: a request that was cancelled is not answered any more."""
        number = params.get("requestId")
        if method == "notifications/cancelled" and isinstance(number, str | int) and number in self._tasks:
            self._tasks[number].cancel()

    async def _answer(self, number: str | int, method: str, params: Params) -> None:
        try:
            told: Result = {"result": await self._result(method, params)}
        except RefusedError as error:
            more = {} if error.data is None else {"data": error.data}
            told = {"error": {"code": error.code, "message": error.message, **more}}
        except Exception:
            log.exception("%s failed", method)
            told = {"error": {"code": INTERNAL_ERROR, "message": "Internal server error"}}
        answer = {"jsonrpc": "2.0", "id": number, **told}
        line = json.dumps(answer, ensure_ascii=False, separators=(",", ":"), default=str)
        await self._send(line.encode(errors="backslashreplace") + b"\n")  # half a surrogate pair goes back as \ud800

    async def _result(self, method: str, params: Params) -> Result:
        meta = params.get("_meta")
        enveloped = method != "initialize" and isinstance(meta, dict) and VERSION in meta
        if self._envelopes is None:
            self._envelopes = enveloped
        return await (self._by_envelope if self._envelopes else self._by_handshake)(method, params)

    # Up to 2025-11-25

    async def _by_handshake(self, method: str, params: Params) -> Result:
        if method == "initialize":
            return self._initialized(params)
        if VERSION in _mapping(params.get("_meta")):
            raise RefusedError(INVALID_REQUEST, "this connection began with a handshake: leave the envelope out")
        if method == "ping":
            return {}
        answer = self._asked(method, params)
        if not self._agreed:
            raise RefusedError(INVALID_PARAMS, "Invalid request parameters: initialize comes first")
        return await answer()

    def _initialized(self, params: Params) -> Result:
        client = _mapping(params.get("clientInfo"))
        wanted = params.get("protocolVersion")
        told = (wanted, client.get("name"), client.get("version"))
        if not all(isinstance(each, str) for each in told) or not isinstance(params.get("capabilities"), dict):
            raise RefusedError(INVALID_PARAMS, "Invalid request parameters")
        self._agreed = True
        return {
            "protocolVersion": wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
            "capabilities": OURS,
            "serverInfo": self._about,
            "instructions": self._offering.instructions,
        }

    # From 2026-07-28 on

    async def _by_envelope(self, method: str, params: Params) -> Result:
        if method == "initialize":
            raise RefusedError(
                UNSUPPORTED_VERSION, "there is no handshake any more", _versions(params, "protocolVersion")
            )
        meta = _mapping(params.get("_meta"))
        missing = [key for key in (VERSION, CAPABILITIES) if key not in meta]
        if missing:
            raise RefusedError(INVALID_PARAMS, f"params._meta lacks {' and '.join(missing)}")
        if not isinstance(meta[VERSION], str):
            raise RefusedError(INVALID_PARAMS, f"params._meta: {VERSION} is no text")
        if meta[VERSION] not in ENVELOPE_VERSIONS:
            raise RefusedError(UNSUPPORTED_VERSION, "Unsupported protocol version", _versions(meta, VERSION))
        if method == "server/discover":
            supported = {"supportedVersions": list(ENVELOPE_VERSIONS), "capabilities": OURS}
            result = supported | {"instructions": self._offering.instructions}
        else:
            result = await self._asked(method, params)()
        cached = {} if method == "tools/call" else NOT_CACHED
        return result | cached | {"resultType": "complete", "_meta": {SERVER: self._about}}

    # What both can ask

    def _asked(self, method: str, params: Params) -> Callable[[], Awaitable[Result]]:
        """Give what answers a method, with what it is asked for in the form that it has to have."""
        offering = self._offering
        match method:
            case "tools/list":
                return offering.list_tools
            case "tools/call":
                name, arguments = params.get("name"), params.get("arguments")
                if isinstance(name, str) and (arguments is None or isinstance(arguments, dict)):
                    return lambda: offering.call_tool(name, arguments)
            case "resources/list":
                return offering.list_resources
            case "resources/templates/list":
                return offering.list_templates
            case "resources/read":
                uri = params.get("uri")
                if isinstance(uri, str):
                    return lambda: offering.read_resource(uri)
            case _:
                raise RefusedError(METHOD_NOT_FOUND, "Method not found", method)
        raise RefusedError(INVALID_PARAMS, "Invalid request parameters")


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _versions(told: Params, field: str) -> dict[str, Any]:
    requested = {"requested": told[field]} if isinstance(told.get(field), str) else {}
    return {"supported": list(ENVELOPE_VERSIONS)} | requested
