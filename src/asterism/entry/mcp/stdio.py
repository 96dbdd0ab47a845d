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
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INTERNAL_ERROR = -32700, -32600, -32601, -32603
UNSUPPORTED_VERSION = -32022
LONGEST_MESSAGE = 16 * 1024 * 1024  # bytes
OURS = {
    "prompts": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": False},
    "tools": {"listChanged": False},
}
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
        """Take one line of the client's; what is no message is answered with what is wrong with it."""
        try:
            message = _message(line)
        except RefusedError as error:
            log.warning("refused what is no request: %.100r", line)
            await self._tell(error.data, {"error": {"code": error.code, "message": error.message}})
            return
        if message is None:
            return
        method, params = message["method"], message.get("params") or {}  # some clients write null for none
        if "id" not in message:
            self._note(method, params)
            return
        number = message["id"]
        if method == "initialize":
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
        await self._tell(number, told)

    async def _tell(self, number: object, told: Result) -> None:
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
        cached = {} if method in ("tools/call", "prompts/get") else NOT_CACHED
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
            case "prompts/list":
                return offering.list_prompts
            case "prompts/get":
                prompt, places = params.get("name"), params.get("arguments")
                if isinstance(prompt, str) and _are_texts(places):
                    return lambda: offering.get_prompt(prompt, places)
            case _:
                raise RefusedError(METHOD_NOT_FOUND, "Method not found", method)
        raise RefusedError(INVALID_PARAMS, "Invalid request parameters")


def _message(line: bytes) -> dict[str, Any] | None:
    """Read a request or a notification; None where nothing is asked, else say what is wrong and with which request."""
    told = line.decode("utf-8-sig", "replace").strip()  # one odd byte leaves no request unanswered
    if not told:
        return None
    if len(line) > LONGEST_MESSAGE:
        raise RefusedError(INVALID_REQUEST, f"a message has at most {LONGEST_MESSAGE:,} bytes: send several")
    try:
        message = json.loads(told)
    except (ValueError, RecursionError):
        raise RefusedError(PARSE_ERROR, "Parse error: a line is one message in JSON") from None
    if isinstance(message, list):
        raise RefusedError(INVALID_REQUEST, "Invalid request: batches are not taken, send one message a line")
    if not isinstance(message, dict):
        raise RefusedError(INVALID_REQUEST, "Invalid request: a message is an object")
    number = message.get("id")
    known = number if isinstance(number, str | int) and not isinstance(number, bool) else None
    if "method" not in message and ("result" in message or "error" in message):
        return None  # an answer, though we asked nothing
    wrong = _wrong(message)
    if "id" in message and known is None:
        wrong = "the id is a text or a whole number"
    if wrong:
        raise RefusedError(INVALID_REQUEST, f"Invalid request: {wrong}", known)
    return message


def _wrong(message: dict[str, Any]) -> str:
    if message.get("jsonrpc") != "2.0":
        return 'jsonrpc is "2.0"'
    if not isinstance(message.get("method"), str):
        return "the method is a text"
    if not isinstance(message.get("params"), dict | None):
        return "params are an object"
    return ""


def _are_texts(value: object) -> bool:
    return value is None or (isinstance(value, dict) and all(isinstance(each, str) for each in value.values()))


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _versions(told: Params, field: str) -> dict[str, Any]:
    requested = {"requested": told[field]} if isinstance(told.get(field), str) else {}
    return {"supported": list(ENVELOPE_VERSIONS)} | requested
