"""What went wrong, as an answer: {error, message, item, hint} with the status of the error's class."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.responses import Response

from asterism.entry.hints import HTTP
from asterism.entry.http.written import json_body
from asterism.errors import AsterismError, InputError, StoreError, UnknownError


class MediaError(InputError):
    """The body is of a kind that is not taken here."""

    http_status = 415


class RepeatedError(AsterismError):
    """A key was used before, and its first answer cannot be given again."""

    exit_code = 2
    http_status = 409


class TooMuchError(AsterismError):
    """More was asked than is done at once; asked again later, it is."""

    exit_code = 4
    http_status = 429

    def __init__(self, message: str, *, code: str, item: str | None = None, seconds: int = 1) -> None:
        super().__init__(message, code=code, item=item, hint=f"try again in {seconds} s")
        self.seconds = seconds


class LateError(AsterismError):
    """It took longer than it may, or whoever asked is gone; what was done in whole steps is kept."""

    exit_code = 4
    http_status = 504


@contextmanager
def blaming(folder: Path) -> Iterator[None]:
    """Tell of a file that came with a request as the sender knows it; if it cannot be opened, that is the sender's."""
    try:
        yield
    except AsterismError as error:
        at = f"{folder}{os.sep}"
        sent = error.item is not None and error.item.startswith(at)
        for name in ("message", "item", "hint"):
            told = getattr(error, name)
            if type(told) is str:  # a hint that names calls names no file
                setattr(error, name, told.replace(at, ""))
        if sent and isinstance(error, StoreError):
            raise InputError(error.message, code=error.code, item=error.item, hint=error.hint) from None
        raise


def failed(error: AsterismError) -> Response:
    """Tell an error."""
    told = error.to_dict() | {"hint": error.hint and HTTP.say(error.hint)}
    headers = {}
    if isinstance(error, TooMuchError):
        headers["Retry-After"] = str(error.seconds)
    if error.http_status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(json_body(told), error.http_status, headers, media_type="application/json")


def internal() -> AsterismError:
    """Say that it is a fault of ours, and nothing else."""
    return AsterismError("the server failed", code="internal", hint="this is a fault of the server; its log says more")


def no_such_page(path: str) -> UnknownError:
    """Say that there is nothing at an address."""
    return UnknownError(
        "there is nothing at this address", code="unknown_page", item=path[:200], hint="GET /openapi.json lists all"
    )
