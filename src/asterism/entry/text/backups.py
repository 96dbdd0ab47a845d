"""Backups and increments that were written, and what came back of them, as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asterism.entry.text.exchanged import counted
from asterism.entry.text.layout import Line, Piece, many, paragraph

if TYPE_CHECKING:
    from asterism.engine.exchange.backup import Backup
    from asterism.engine.exchange.increments import Increments
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


def increments_lines(told: Increments, *, width: int) -> list[Line]:
    """Say what was added to a folder, and which of its files need a hand."""
    lines: list[Line] = [[Piece(name, "name")] for name in told.written]
    brought = counted({"items": told.items, "erased": told.erased})
    text = f"{brought} added" if told.written else "Nothing new"
    lines += paragraph(f"{text}; {told.folder} holds {many(told.files, 'file')}.", width=width)
    for names, text in (
        (told.remade, "Written anew:"),
        (told.to_remake, "These hold what was erased since; --remake writes them anew without it:"),
        (told.damaged, "These are not what they were, and --remake can write those of this copy anew:"),
        (told.missing, "Positions of other copies that no file holds; fetch them again:"),
    ):
        if names:
            lines += paragraph(text, width=width, style="dim" if names is told.remade else "bad")
            lines += [[Piece(f"  {name}")] for name in names]
    return lines
