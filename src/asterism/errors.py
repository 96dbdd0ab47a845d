"""Every error Asterism raises, and what to do about it.

    AsterismError                    except AsterismError catches them all
    ├── InputError                   what was passed cannot be used: nothing was written
    ├── UnknownError                 a write names a node, link or space that is not there
    ├── ClockError                   the system's clock cannot be believed: nothing was written
    └── StoreError                   the file or database refused
        ├── ReadOnlyError            it was opened for reading only
        ├── BusyError                another writer held it for longer than the wait
        ├── FullError                no room left to write
        ├── GoneError                its file was deleted, moved, replaced or cut while it was open
        ├── MaybeWrittenError        the end of a write is not known: it may be there, or not
        ├── CorruptError             it is damaged, or not a memory at all
        └── NewerSchemaError         a newer Asterism wrote it

Each carries `code` (stable, for programs), `item` (what it is about) and `hint` (the repair); where many were told at
once, `row` says which of them it is about, counted from 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import ClassVar


class AsterismError(Exception):
    """The root of the tree: `code`, `item` and `hint` say what, about which thing, and what to do next."""

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500
    mcp_code: ClassVar[int] = -32603  # where MCP answers with an error of the protocol; a tool answers in words

    def __init__(self, message: str, *, code: str, item: str | None = None, hint: str | None = None) -> None:
        self.message = _printable(message)
        super().__init__(self.message)
        self.code = code
        self.item = None if item is None else _printable(str(item))  # a caller may have passed anything
        self.hint = hint
        self.row: int | None = None  # set by whoever knows that several were told

    def __str__(self) -> str:
        return f"{self._said} ({self.hint})" if self.hint else self._said

    @property
    def _said(self) -> str:
        return self.message if self.row is None else f"row {self.row}: {self.message}"

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...], dict[str, object]]:
        """Let it be sent to another process, as a pool of them does."""
        return _sent, (type(self), self.message, self.code), self.__dict__

    def to_dict(self) -> dict[str, object]:
        """Give the error as plain values, the same for the command line, MCP and HTTP."""
        return {"error": self.code, "message": self._said, "item": self.item, "hint": self.hint}


def _printable(text: str) -> str:
    """Give a text that can be printed and sent: a file's name, or what a caller says, may be no Unicode."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


class InputError(AsterismError):
    """What was passed cannot be used; nothing was written."""

    exit_code = 2
    http_status = 422
    mcp_code = -32602


class UnknownError(AsterismError):
    """A write names something that is not in this space."""

    exit_code = 3
    http_status = 404
    mcp_code = -32002


class ClockError(AsterismError):
    """The system's clock cannot be believed; nothing was written."""

    exit_code = 5
    http_status = 503


class StoreError(AsterismError):
    """The file or database refused; what was acknowledged before is still there."""

    exit_code = 4
    http_status = 503


class ReadOnlyError(StoreError):
    """The memory was opened for reading only."""

    http_status = 403


class BusyError(StoreError):
    """Another writer held the memory for longer than the wait."""


class FullError(StoreError):
    """There is no room left to write."""

    http_status = 507


class GoneError(StoreError):
    """The file was deleted, moved, replaced or cut while it was open; what was acknowledged is in the one that was."""


class MaybeWrittenError(StoreError):
    """How a write ended is not known: it may be there, or not; to send what it carries again is harmless."""

    exit_code = 6
    ledger = b""  # what was sent, as `import_` takes it in; empty where doing the same again does it

    @property
    def items(self) -> list[dict[str, object]]:
        """What was sent: each item with its id and times."""
        return [json.loads(line) for line in self.ledger.splitlines()[1:]]

    def to_dict(self) -> dict[str, object]:
        """Give the error as plain values, with the ledger that it carries."""
        return super().to_dict() | {"ledger": self.ledger.decode()}


class CorruptError(StoreError):
    """The file is damaged, or is not an Asterism memory."""

    http_status = 500


class NewerSchemaError(StoreError):
    """A newer version of Asterism wrote this file."""

    http_status = 409


def _sent(kind: type[AsterismError], message: str, code: str) -> AsterismError:
    """Make an error anew that was sent; what else it carries is set afterwards."""
    error = kind.__new__(kind, message)
    AsterismError.__init__(error, message, code=code)
    return error
