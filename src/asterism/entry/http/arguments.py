"""What a request says, as checked arguments: from its address, from a JSON body, or with a file as the body."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from starlette.datastructures import QueryParams
from starlette.requests import Request

from asterism.entry.http.command import Command, Schema
from asterism.entry.http.failure import MediaError
from asterism.entry.mcp.tool import what_is_wrong
from asterism.errors import InputError

JSON = "application/json"
LONGEST_JSON = 4 * 1024 * 1024
ENDINGS = {  # of files, by what a client says they are: readers go by the name where the content does not tell
    "text/csv": ".csv",
    "application/x-ndjson": ".jsonl",
    "application/jsonl": ".jsonl",
    "application/gzip": ".jsonl.gz",
    "application/vnd.apache.parquet": ".parquet",
    "application/zip": ".zip",
    "text/vtt": ".vtt",
    "text/plain": ".txt",
    "application/octet-stream": "",
}
TRUTHS = {"true": True, "1": True, "false": False, "0": False}


async def arguments(request: Request, command: Command, folder: Path) -> tuple[dict[str, Any], Path | None, bytes]:
    """Give the arguments of a request, the file that came with it, and what it said, for comparing with another."""
    told = addressed(request.query_params, command)
    if command.method == "GET":
        return checked(told, command), None, b""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media in ("", JSON):
        body = await _body(request, media)
        return checked(told | parsed(body, command), command), None, body
    if command.file is None or media not in ENDINGS:
        known = [JSON, *(ENDINGS if command.file is not None else ())]
        raise MediaError(
            f"{command.name} takes no body of the type {media[:100]!r}",
            code="bad_media",
            item=media[:100],
            hint=f"send {', '.join(known)}",
        )
    file = folder / f"{command.file}{ENDINGS[media]}"
    with file.open("wb") as sent:
        async for part in request.stream():
            sent.write(part)
    return checked(told, command, sent=command.file), file, file.read_bytes()


async def _body(request: Request, media: str) -> bytes:
    parts, length = [], 0
    async for part in request.stream():
        length += len(part)
        if length > LONGEST_JSON:
            raise InputError(
                f"a JSON body has {LONGEST_JSON:,} bytes at most",
                code="too_long",
                item="body",
                hint="send a file as the body, with its own content type",
            )
        parts.append(part)
    if parts and length and not media:
        raise MediaError("the body does not say what it is", code="bad_media", item="", hint=f"Content-Type: {JSON}")
    return b"".join(parts)


def addressed(query: QueryParams, command: Command) -> dict[str, Any]:
    """Read what an address says after its ?, each by what it may be."""
    told: dict[str, Any] = {}
    for name in dict.fromkeys(query.keys()):
        schema = command.takes.get(name, {})
        values = [_value(name, text, schema.get("items", schema)) for text in query.getlist(name)]
        if schema.get("type") == "array":
            told[name] = values
        elif len(values) > 1:
            raise _wrong(f"{name} is told more than once", name, command)
        else:
            told[name] = values[0]
    return told


def _value(name: str, text: str, schema: Schema) -> Any:
    kind = schema.get("type")
    try:
        if kind == "integer":
            return int(text)
        if kind == "number":
            return _finite(text)
    except ValueError:
        pass
    return TRUTHS.get(text.lower(), text) if kind == "boolean" and name else text


def parsed(body: bytes, command: Command) -> dict[str, Any]:
    """Read a JSON body."""
    if not body:
        return {}
    try:
        told = json.loads(body, parse_constant=_finite, parse_float=_finite)
        json.dumps(told, ensure_ascii=False).encode()  # half a character pair is no text
    except (ValueError, RecursionError) as error:
        said = f"{error.msg}: line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "it cannot be read"
        raise _wrong(f"the body is no JSON ({said})", "body", command) from None
    if not isinstance(told, dict):
        raise _wrong("the body is no JSON object", "body", command)
    return told


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def checked(told: dict[str, Any], command: Command, *, sent: str | None = None) -> dict[str, Any]:
    """Let arguments through that fit what a command takes; one of them may have come as the body."""
    needs = [each for each in command.needs if each != sent]
    schema = command.schema | {"required": needs}
    wrong = sorted(Draft202012Validator(schema).iter_errors(told), key=lambda each: [str(step) for step in each.path])
    if wrong:
        where, said = what_is_wrong(wrong[0])
        raise _wrong(f"{where}: {said}" if where else said, where or command.name, command)
    nul = next((name for name, value in told.items() if "\0" in str(value)), None)
    if nul is not None:
        raise _wrong(f"{nul}: a text has no character NUL", nul, command)
    return told


def _wrong(message: str, item: str, command: Command) -> InputError:
    takes = ", ".join(name if name in command.needs else f"{name} (optional)" for name in command.takes)
    return InputError(message, code="bad_arguments", item=item, hint=f"{command.name} takes {takes}")
