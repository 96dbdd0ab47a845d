"""What a file of a transcript holds, and how its faults are told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from asterism.core.dialogue.lines import REASONS, Actor, Line, Mask, Reason
from asterism.core.dialogue.links import Chunk
from asterism.core.ledger.items import cut
from asterism.errors import InputError


@dataclass(frozen=True)
class Transcript:
    """The lines of a session, and what the file says about them; most formats say nothing more."""

    lines: tuple[Line, ...]
    format: str
    session: str
    responders: tuple[str, ...] | None = None
    actors: tuple[Actor, ...] | None = None
    masks: tuple[Mask, ...] = ()
    chunks: tuple[Chunk, ...] | None = None
    notes: tuple[str, ...] = ()  # what the reader had to settle


def mask_of(text: str) -> Mask:
    """Read a mask as it is typed: first line, last line and reason.

    >>> mask_of("10-20:combat"), mask_of("7:noise").end
    (Mask(start=10, end=20, reason='combat'), 7)
    """
    found = re.fullmatch(r"\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*:\s*(\w+)\s*", text)
    if found is None or found[3] not in REASONS:
        raise InputError(
            f"{cut(text)!r} is no mask",
            code="bad_mask",
            item=cut(text),
            hint=f"write it like 10-20:combat; the reasons are {', '.join(REASONS)}",
        )
    return Mask(int(found[1]), int(found[2] or found[1]), cast(Reason, found[3]))


def fault(name: str, where: str, problem: str, expected: str) -> InputError:
    """Say what is wrong with a file, where, and what was expected."""
    return InputError(
        f"{name}, {where}: {problem}; expected {expected}",
        code="bad_transcript",
        item=name,
        hint="correct the file at this place; nothing was read",
    )


def at(line: int, column: int = 1) -> str:
    """Name a place in a file; both count from 1.

    >>> at(3, 7)
    'line 3, column 7'
    """
    return f"line {line}, column {column}"
