"""The one file that names the concrete parts: which store a path means."""

from __future__ import annotations

import os
from pathlib import Path

from asterism.errors import InputError
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from asterism.store.sqlite import SQLiteStore


def open_store(path: str | Path, *, read_only: bool = False) -> Store:
    """Open the store a path means: `:memory:` lives in this process, anything else is a SQLite file."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(
            f"{path!r} names no memory", code="bad_path", item=str(path), hint="give the path of a file, or :memory:"
        )
    if str(path) == ":memory:":
        return InMemoryStore()
    return SQLiteStore(path, read_only=read_only)
