"""The one file that names the concrete parts: which store a path or a URL means.

    mind.db, /data/mind.db           a SQLite file
    sqlite:///mind.db                the same; what follows the third slash is the path,
    sqlite:////data/mind.db          so one that begins at the root has a fourth; %20 in it is a blank
    :memory:, memory:                lives in this process, for as long as somebody holds it;
    sqlite:///:memory:               the same

A path is taken as it is, % and ? included. Another store is one more row of `SCHEMES`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from asterism.errors import InputError
from asterism.hints import Hint, in_python

if TYPE_CHECKING:  # one of the stores is loaded: the one that is opened
    from pathlib import Path

    from asterism.store.port import Place, Store

URL = re.compile(r"([a-z][a-z0-9+.-]+):(.*)", re.IGNORECASE | re.DOTALL)  # one letter is a drive: C:\mind.db


def place_of(told: str | Path) -> Place:
    """Give the place that a path or a URL means."""
    if not isinstance(told, str | os.PathLike):
        raise InputError(
            f"{told!r} names no memory", code="bad_path", item=str(told), hint="give the path of a file, or :memory:"
        )
    if str(told) == ":memory:":
        return _in_memory("")
    url = URL.fullmatch(told) if isinstance(told, str) else None
    scheme, rest = (url[1].lower(), url[2]) if url is not None else ("", "")
    if scheme in SCHEMES:
        return SCHEMES[scheme](rest)
    if rest.startswith("//"):
        raise InputError(
            f"no store is reached by {scheme}://",
            code="bad_path",
            item=scheme,  # the rest may hold a password
            hint=f"give the path of a file, or one of: {', '.join(EXAMPLES)}",
        )
    return _at(told)


def open_store(told: str | Path, *, read_only: bool = False) -> Store:
    """Open the store that a path or a URL means."""
    return place_of(told).open(read_only=read_only)


def receive_store(told: str | Path) -> Store:
    """Open a store that somebody else hands over, for reading."""
    return place_of(told).receive()


def _sqlite(rest: str) -> Place:
    path = rest.removeprefix("///")
    if path in ("", rest):
        raise InputError(
            f"sqlite:{rest} names no file",
            code="bad_path",
            item=f"sqlite:{rest}",
            hint="three slashes and a path: sqlite:///mind.db",
        )
    if "?" in path or "#" in path:
        raise InputError(
            f"sqlite:{rest} says more than a path, and nothing of that would be heeded",
            code="bad_path",
            item=f"sqlite:{rest}",
            hint=Hint(
                "end it after the path, and write a ? of the path as %3F and a # as %23",
                in_python("; read_only=True opens it for reading only"),
            ),
        )
    from urllib.parse import unquote

    path = unquote(path, errors="surrogateescape")  # as Python names files, whatever their bytes
    return _in_memory("") if path == ":memory:" else _at(path)


def _at(path: str | Path) -> Place:
    from asterism.incoming import path_of
    from asterism.store.sqlite import SQLitePlace

    return SQLitePlace(path_of(path, meant="the path of the memory"))


def _in_memory(rest: str) -> Place:
    if rest:
        raise InputError(
            f"memory:{rest} names no memory", code="bad_path", item=f"memory:{rest}", hint="leave it at memory:"
        )
    from asterism.store.in_memory import InMemoryPlace

    return InMemoryPlace()


def _file(rest: str) -> Place:
    raise InputError(
        f"file:{rest} is not how a file is named here",
        code="bad_path",
        item=f"file:{rest}",
        hint="leave file: out and give the path alone, as in mind.db",
    )


SCHEMES: dict[str, Callable[[str], Place]] = {"sqlite": _sqlite, "memory": _in_memory, "file": _file}
EXAMPLES = ("sqlite:///mind.db", "memory:")
