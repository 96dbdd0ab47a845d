"""Vectors from a server that speaks the OpenAI protocol: POST URL/embeddings. Used only when it is asked for.

One request at a time, in bounded batches. What may pass by itself (no connection, a time-out, 408, 429, 5xx) is tried
again after each of the given waits; anything else is an error at once. Redirects are not followed and no proxy is read
from the environment, so the key reaches the named server and no other.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPException, HTTPMessage, HTTPResponse, IncompleteRead
from time import monotonic
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

import numpy as np

from asterism.embed.checked import as_rows, whole_dimension
from asterism.embed.port import Vectors
from asterism.errors import AsterismError, InputError

PROBE = "dimension"
BATCH_TEXTS = 64
TIMEOUT_SECONDS = 30.0
WAITS_SECONDS = (0.5, 2.0, 8.0)
LONGEST_WAIT_SECONDS = 60.0  # however long the server asks for
LARGEST_ANSWER = 64 * 1024 * 1024  # bytes
READ_BYTES = 65_536
PASSING = frozenset({408, 429, 500, 502, 503, 504})
SHOWN_CHARACTERS = 200


def pause(seconds: float) -> None:
    """Wait."""
    threading.Event().wait(seconds)


class RemoteEmbedder:
    """An endpoint and the name of its model; nothing is sent before the first use.

    The dimension is asked once, with one short text, unless it is given.
    """

    def __init__(
        self,
        url: str,
        *,
        model: str,
        api_key: str | None = None,
        dimension: int | None = None,
        batch: int = BATCH_TEXTS,
        timeout_seconds: float = TIMEOUT_SECONDS,
        waits_seconds: Sequence[float] = WAITS_SECONDS,
        wait: Callable[[float], object] = pause,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or not model.strip():
            raise InputError(
                f"{url!r} with model {model!r} names no embedding server",
                code="bad_remote",
                item=url,
                hint="for example remote:http://localhost:8080/v1#my-model",
            )
        if batch < 1 or timeout_seconds <= 0 or any(not 0 <= each < float("inf") for each in waits_seconds):
            raise InputError(
                "a remote embedder needs a batch of at least 1, a time-out above 0 and waits of 0 or more seconds",
                code="bad_remote",
                item=f"batch {batch}, time-out {timeout_seconds}, waits {tuple(waits_seconds)}",
                hint="leave them out for the defaults",
            )
        base = url.rstrip("/")
        self._url = base if base.endswith("/embeddings") else f"{base}/embeddings"
        self._model = model
        self._key = api_key
        self._batch = batch
        self._timeout_seconds = timeout_seconds
        self._waits_seconds = tuple(waits_seconds)
        self._wait = wait
        self._opener: OpenerDirector = build_opener(ProxyHandler({}), _NoRedirect)
        if dimension is not None:
            self.dimension = whole_dimension(dimension)

    @cached_property
    def dimension(self) -> int:
        """How many numbers the model gives for a text: said at the start, or asked once."""
        return int(self._asked([PROBE]).shape[1])

    @property
    def identity(self) -> str:
        """The model's name and dimension; whoever serves it."""
        return f"remote-{self._model}-{self.dimension}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Ask the server, batch by batch."""
        asked = [self._asked(list(texts[at : at + self._batch])) for at in range(0, len(texts), self._batch)]
        if not asked:
            return np.zeros((0, self.dimension), dtype=np.float32)
        if len({rows.shape[1] for rows in asked}) > 1:
            raise self._odd("vectors of several lengths")
        return np.concatenate(asked)

    def _asked(self, texts: list[str]) -> Vectors:
        sent = json.dumps({"model": self._model, "input": texts, "encoding_format": "float"}).encode()
        for wait_seconds in self._waits_seconds:
            answer = self._once(sent)
            if isinstance(answer, bytes):
                return self._rows(answer, len(texts))
            if not answer.passing:
                raise answer.error
            self._wait(min(max(wait_seconds, answer.asked_seconds), LONGEST_WAIT_SECONDS))
        answer = self._once(sent)
        if isinstance(answer, bytes):
            return self._rows(answer, len(texts))
        raise answer.error

    def _once(self, sent: bytes) -> bytes | _Failure:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "asterism"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(self._url, data=sent, headers=headers, method="POST")  # noqa: S310 # the scheme was checked
        deadline = monotonic() + self._timeout_seconds
        try:
            with self._opener.open(request, timeout=self._timeout_seconds) as response:
                return self._read(response, deadline)
        except HTTPError as error:
            with error:
                return self._refused(error)
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            return _Failure(self._unreachable(str(reason) or type(reason).__name__), passing=True)

    def _read(self, response: HTTPResponse, deadline: float) -> bytes:
        """Read an answer that is bounded in size and in time."""
        parts: list[bytes] = []
        size = 0
        while part := response.read1(READ_BYTES):
            size += len(part)
            if size > LARGEST_ANSWER:
                raise self._odd(f"more than {LARGEST_ANSWER} bytes")
            if monotonic() > deadline:
                raise TimeoutError(f"no whole answer in {self._timeout_seconds:g} s")
            parts.append(part)
        if response.length:  # bytes that were announced and did not come
            raise IncompleteRead(b"", response.length)
        return b"".join(parts)

    def _rows(self, answer: bytes, texts: int) -> Vectors:
        try:
            data = json.loads(answer)["data"]
            placed = {entry.get("index", place): entry["embedding"] for place, entry in enumerate(data)}
            rows = [placed[place] for place in range(texts)]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise self._odd("no vector for each text") from None
        if len(placed) != texts or len(data) != texts:
            raise self._odd(f"{len(data)} vectors for {texts} texts")
        return as_rows(rows, f"{self._model} at {self._url}")

    def _refused(self, error: HTTPError) -> _Failure:
        told = error.read(4 * SHOWN_CHARACTERS).decode(errors="replace")[:SHOWN_CHARACTERS]
        if self._key:
            told = told.replace(self._key, "(the key)")
        asked = error.headers.get("Retry-After", "") if error.headers else ""
        return _Failure(
            AsterismError(
                f"{self._url} answered {error.code} for model {self._model!r}: {told}",
                code="remote_refused",
                item=self._url,
                hint="check the address, the model's name and the key",
            ),
            passing=error.code in PASSING,
            asked_seconds=float(asked) if asked.isdecimal() and asked.isascii() else 0.0,
        )

    def _unreachable(self, reason: str) -> AsterismError:
        return AsterismError(
            f"{self._url} does not answer: {reason}",
            code="remote_unreachable",
            item=self._url,
            hint="start the server or check the address, then do it again: what was done before is kept",
        )

    def _odd(self, what: str) -> AsterismError:
        return AsterismError(
            f"{self._url} answered with {what}",
            code="remote_bad_answer",
            item=self._url,
            hint="the address must serve the OpenAI embeddings protocol",
        )


@dataclass(frozen=True)
class _Failure:
    """An answer that is none, and whether another try may help."""

    error: AsterismError
    passing: bool
    asked_seconds: float = 0.0


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would carry the key to another server."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        """Refuse."""
