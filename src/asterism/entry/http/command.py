"""What the service knows of a command: its words, what it takes, how it is called. `cli/table.py` reads them off click.

The command line is the one table of commands: a route, its part of the OpenAPI document and its checks are derived from
these values, and an answer is what the command prints with --json, to the byte.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from asterism.sync import Memory

Schema = dict[str, Any]
READS_BY_ADDRESS = (
    "links",
    "nodes",
    "show",
    "blocks",
    "stats",
    "predictions",
    "history",
    "conflicts",
    "unanswered",
    "export",
)
JOBS = ("dream", "discover", "explore", "export", "import", "merge", "reembed", "verify", "doctor", "market feed")
CARE = ("doctor", "erase", "reembed")
MOST_LISTED, LISTED = 1_000, 100  # of a list, at once; and if nothing was said


class Opening(Protocol):
    """Gives the memory of a request, if whoever asks may do with it what the command does."""

    def __call__(self, *, changes: bool) -> AbstractContextManager[Memory]:
        """Give it for reading, or for changing."""


@dataclass(frozen=True)
class Call:
    """One call of a command: its arguments, checked; the file that came with it; whom it tells how far it is."""

    space: str
    arguments: dict[str, Any]
    db: str | Path
    folder: Path  # for files that it reads and writes; gone afterwards
    memory: Opening
    say: Callable[[str], None]
    file: Path | None = None


@dataclass(frozen=True)
class Told:
    """What a command answered: a body, what it is, and of how many a list is a part."""

    body: bytes
    media: str = "application/json"
    total: int | None = None


@dataclass(frozen=True)
class Command:
    """A command about a memory."""

    words: tuple[str, ...]
    about: str
    takes: dict[str, Schema]
    needs: tuple[str, ...]
    call: Callable[[Call], Told]
    file: str | None = None  # the argument that a body which is no JSON is the value of
    lists: bool = False  # it answers with a list, which is given in pages
    writes: tuple[str, ...] = field(default=())  # media types of files it may answer with

    @property
    def name(self) -> str:
        """How it is called at a prompt."""
        return " ".join(self.words)

    @property
    def path(self) -> str:
        """Where it is, below its space."""
        return "/".join(self.words)

    @property
    def method(self) -> str:
        """How it is asked: what only looks, by its address; the others by a body."""
        return "GET" if self.name in READS_BY_ADDRESS else "POST"

    @property
    def schema(self) -> Schema:
        """What it takes, as JSON Schema."""
        told: Schema = {"type": "object", "properties": self.takes, "additionalProperties": False}
        return told | ({"required": list(self.needs)} if self.needs else {})
