"""What a memory lives in: Python, and what could be installed beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec

from asterism.embed import has_word_vectors
from asterism.engine.care.checkup import ERROR, NOTE, CheckupFinding

LEAST_PYTHON = (3, 11)
EXTRAS = {
    "numba": ("numba", "level books are fed and days of many links ended by the plain paths, slower and the same"),
    "pyarrow": ("pyarrow", "Parquet files cannot be read or written"),
    "mcp": ("'mcp>=2,<3'", "no agent can use this memory over MCP"),
}


def versions() -> Iterator[CheckupFinding]:
    """See whether Python is new enough."""
    if sys.version_info[:2] < LEAST_PYTHON:
        text = f"Python {sys.version.split()[0]} is older than 3.11"
        yield CheckupFinding("old_python", ERROR, text, sys.version.split()[0], "install Python 3.11 or newer")


def extras() -> Iterator[CheckupFinding]:
    """Name what is not installed, and what is missed without it."""
    if not has_word_vectors():
        text = "no word vectors are installed: recall finds by words alone"
        yield CheckupFinding("no_word_vectors", NOTE, text, "wordllama", "pip install --no-deps wordllama")
    for module, (package, missed) in EXTRAS.items():
        if find_spec(module) is None:
            text = f"{module} is not installed: {missed}"
            yield CheckupFinding("missing_extra", NOTE, text, module, f"pip install {package}")
