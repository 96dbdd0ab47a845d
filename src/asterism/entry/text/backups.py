"""Backups and increments that were written, and what came back of them, as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asterism.entry.text.exchanged import counted
from asterism.entry.text.layout import Line, Piece, paragraph

if TYPE_CHECKING:
    from asterism.engine.exchange.backup import Backup
    from asterism.engine.exchange.restore import Restored


def size(count: int) -> str:
    """Write a number of bytes.

    >>> size(900), size(12_345_678)
    ('900 bytes', '12.35 MB')
    """
    return f"{count:,} bytes" if count < 10_000 else f"{count / 1e6:,.2f} MB"


def spaces_text(spaces: dict[str, int]) -> str:
    """Say what spaces hold.

    >>> spaces_text({"me": 12, "work": 1})
    'me: 12 items, work: 1 item'
    """
    return ", ".join(f"{space}: {counted({'items': count})}" for space, count in spaces.items()) or "no space"


def backup_lines(told: Backup, *, width: int) -> list[Line]:
    """Say what a backup holds."""
    head: Line = [Piece(told.path, "name")]
    text = f"{spaces_text(told.spaces)}; {size(told.bytes)}, read back and whole."
    return [head, *paragraph(text, width=width, indent="  ")]


def restored_lines(told: Restored, *, width: int) -> list[Line]:
    """Say what was restored, what was left out of it, and where the former memory is."""
    lines: list[Line] = [[Piece(told.path, "name")], [Piece(f"  restored from {told.backup}")]]
    lines += paragraph(f"{spaces_text(told.spaces)}.", width=width, indent="  ")
    if told.left_out:
        text = f"{counted({'items': told.left_out})} learnt later left out."
        lines += paragraph(text, width=width, indent="  ")
    if told.erased_again:
        text = f"{counted({'items': told.erased_again})} erased since the backup erased again."
        lines += paragraph(text, width=width, indent="  ")
    if told.kept is not None:
        lines.append([Piece(f"  before: {told.kept}", "dim")])
        lines += paragraph("Remove that when you do not need it any more.", width=width, indent="  ", style="dim")
    return lines
