"""What cannot both hold, side by side, and the commands that settle it."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING

from asterism.core.blocks.reasons import REASONS
from asterism.entry.text.layout import WIDTH, Line, Piece, many, paragraph
from asterism.entry.text.render import one_line

if TYPE_CHECKING:
    from asterism.core.blocks.model import ConflictView

DATE = 12


def settling(view: ConflictView) -> dict[str, str]:
    """Give the commands that settle a conflict, by what each says of it: the later one ended the earlier one then."""
    at = view.later.at.isoformat()
    return {
        "the later holds": f"asterism learn {quote(view.later.text)} --replaces {view.earlier.id} --at {at}",
        "the earlier holds": f"asterism forget {view.later.id}",
        "one was told wrong": f"asterism edit {view.earlier.id} TEXT",
    }


def conflicts_lines(views: Sequence[ConflictView], *, more: int = 0, width: int = WIDTH) -> list[Line]:
    """Show pairs that cannot both hold, each with what settles it."""
    if not views:
        return paragraph("Nothing here is known to be in conflict. A dream looks for it: asterism dream")
    lines: list[Line] = []
    for view in views:
        lines.append(
            [
                Piece(f"{REASONS.get(view.reason, view.reason)}", "head"),
                Piece(f"  sure to {view.confidence:.2f}", "dim"),
            ]
        )
        for side in (view.earlier, view.later):
            said = one_line(side.text, most=width - DATE - 20)
            lines.append([Piece(f"  {side.at:%Y-%m-%d}"), Piece(f"  {side.id}", "name"), Piece(f"  {said}")])
        for when, command in settling(view).items():
            lines.append([Piece(f"  {when}: ", "dim"), Piece(command)])
        lines.append([])
    told = f"{many(len(views) + more, 'conflict')}; nothing is settled by itself."
    return lines + paragraph(f"{told} --limit {len(views) + more} shows all." if more else told, width=width)
