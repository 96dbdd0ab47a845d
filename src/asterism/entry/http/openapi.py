"""The OpenAPI 3.1 document, from the same values as the routes; by hand is only what is no command."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from asterism.entry.http.arguments import ENDINGS
from asterism.entry.http.command import Command, Schema

ERROR: Schema = {
    "type": "object",
    "required": ["error", "message", "item", "hint"],
    "additionalProperties": False,
    "properties": {
        "error": {"type": "string", "description": "A stable name; docs/errors.md lists all."},
        "message": {"type": "string"},
        "item": {"type": ["string", "null"], "description": "What it is about."},
        "hint": {"type": ["string", "null"], "description": "What to do next."},
    },
}
MEANINGS = {
    "401": "No token, or none that is known.",
    "403": "The token may not do this here.",
    "404": "Not there, or not for this token.",
    "409": "The key was used, and its answer is gone; or a newer version wrote the memory.",
    "413": "The body is too long.",
    "415": "The body is of another type.",
    "422": "It cannot be used; nothing was written.",
    "429": "Too much at once; Retry-After says when.",
    "500": "A fault of the server.",
    "503": "The store refused; what was acknowledged is there.",
    "504": "It took longer than it may.",
    "507": "There is no room left.",
}
SPACE = {"name": "space", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Sent again within a day with the same body, it gives the first answer and does nothing.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]+$"},
}


def document(commands: tuple[Command, ...]) -> dict[str, Any]:
    """Describe the whole service."""
    paths: dict[str, Any] = {f"/v1/spaces/{{space}}/{each.path}": _command(each) for each in commands}
    paths["/v1/spaces"] = {"get": _plain("spaces", "List the spaces that this token may see.", "application/json")}
    paths["/v1/spaces/{space}/events"] = {
        "get": _plain("events", "What comes to a space, as server-sent events.", "text/event-stream")
        | {"parameters": [SPACE, {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}}]}
    }
    paths["/v1/backup"] = {"get": _plain("backup", "An online copy of the memory.", "application/vnd.sqlite3")}
    paths["/metrics"] = {"get": _plain("metrics", "Figures in Prometheus' text.", "text/plain")}
    for name, about in (("healthz", "It runs."), ("readyz", "It can answer.")):
        paths[f"/{name}"] = {"get": _plain(name, about, "application/json") | {"security": []}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Asterism", "version": version("asterism"), "license": {"name": "Apache-2.0"}},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": ERROR},
            "responses": {status: _error(about) for status, about in MEANINGS.items()},
        },
    }


def _error(about: str) -> Schema:
    return {"description": about, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}


def _answers(media: tuple[str, ...]) -> Schema:
    good = {"description": "The answer.", "content": {each: {} for each in media}}
    return {"200": good} | {status: {"$ref": f"#/components/responses/{status}"} for status in MEANINGS}


def _plain(name: str, about: str, media: str) -> Schema:
    return {"operationId": name, "summary": about, "responses": _answers((media,))}


def _command(command: Command) -> Schema:
    summary, _, more = command.about.partition("\n\n")
    media = ("application/json", *command.writes)
    told: Schema = {
        "operationId": command.path.replace("/", "-"),
        "summary": summary,
        "description": " ".join(more.split()),
        "responses": _answers(media),
    }
    if command.lists:
        told["responses"]["200"]["headers"] = {
            "X-Total-Count": {"description": "How many there are in all.", "schema": {"type": "integer"}}
        }
    if command.method == "GET":
        told["parameters"] = [SPACE, *(_parameter(command, name) for name in command.takes)]
        told["responses"]["304"] = {"description": "The body would be the same, to the byte."}
        return {"get": told}
    told["parameters"] = [SPACE, KEY]
    content: Schema = {"application/json": {"schema": command.schema}}
    if command.file is not None:
        content |= {media: {"schema": {"type": "string"}} for media in ENDINGS}
    told["requestBody"] = {"required": bool(command.needs), "content": content}
    return {"post": told}


def _parameter(command: Command, name: str) -> Schema:
    schema = {key: value for key, value in command.takes[name].items() if key != "description"}
    told: Schema = {"name": name, "in": "query", "required": name in command.needs, "schema": schema}
    about = command.takes[name].get("description")
    return told | ({"description": about} if about else {})
