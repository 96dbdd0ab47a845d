"""What a memory lives in: Python, SQLite, the room on the disk, what could be installed beside it."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from asterism.embed import has_word_vectors
from asterism.engine.care.checkup import ERROR, NOTE, WARNING, Finding

LEAST_PYTHON = (3, 11)
LEAST_SQLITE = (3, 38, 0)  # JSON functions are always there
LEAST_ROOM = 16 * 1024 * 1024  # bytes: a checkpoint or a merge must find room
EXTRAS = {
    "numba": ("numba", "level books are fed by the plain path, which is slower and gives the same"),
    "pyarrow": ("pyarrow", "Parquet files cannot be read or written"),
    "mcp": ("'mcp>=2,<3'", "no agent can use this memory over MCP"),
}


def versions() -> Iterator[Finding]:
    """See whether Python and SQLite are new enough."""
    if sys.version_info[:2] < LEAST_PYTHON:
        text = f"Python {sys.version.split()[0]} is older than 3.11"
        yield Finding("old_python", ERROR, text, sys.version.split()[0], "install Python 3.11 or newer")
    if sqlite3.sqlite_version_info < LEAST_SQLITE:
        text = f"SQLite {sqlite3.sqlite_version} is older than 3.38"
        repair = "install a Python built with a newer SQLite"
        yield Finding("old_sqlite", ERROR, text, sqlite3.sqlite_version, repair)


def extras() -> Iterator[Finding]:
    """Name what is not installed, and what is missed without it."""
    if not has_word_vectors():
        text = "no word vectors are installed: recall finds by words alone"
        yield Finding("no_word_vectors", NOTE, text, "wordllama", "pip install --no-deps wordllama")
    for module, (package, missed) in EXTRAS.items():
        if find_spec(module) is None:
            text = f"{module} is not installed: {missed}"
            yield Finding("missing_extra", NOTE, text, module, f"pip install {package}")


def room(path: Path) -> Iterator[Finding]:
    """See whether there is room to go on writing: on the disk, and below the limit of the size of a file."""
    if not path.parent.is_dir():
        return
    size = path.stat().st_size if path.is_file() else 0
    needed, free = max(2 * size, LEAST_ROOM), shutil.disk_usage(path.parent).free
    if free < needed:
        text = f"{free:,} bytes are free beside {path}, which has {size:,}"
        yield Finding("disk_nearly_full", WARNING, text, str(path), "make room on the disk, or move the file")
    limit = _largest_file()
    if limit is not None and limit < needed:
        text = f"a file of this process may have {limit:,} bytes at most, and {path} has {size:,}"
        yield Finding("file_size_limit", WARNING, text, str(path), "raise the limit: ulimit -f unlimited")


def _largest_file() -> int | None:
    try:
        import resource
    except ImportError:  # there is none on Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return None if limit == resource.RLIM_INFINITY else int(limit)
