"""What lies ahead as text: what will fade, and what causal links expect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from asterism.entry.text.layout import WIDTH, Column, Line, Piece, heading, paragraph, sparkline, table
from asterism.entry.text.render import CURVE_WIDTH, label, state, when

if TYPE_CHECKING:
    from asterism.core.connections.model import Fading, Outlook


AGED = 10  # of each kind of thing that ages by another clock; --json tells of all


def outlook_lines(outlook: Outlook, *, limit: int | None = None, width: int = WIDTH) -> list[Line]:
    """Show what will fade, and when, if nothing happens."""
    columns = [
        Column("link", least=12),
        Column("now", "right"),
        Column("then", "right"),
        Column("state"),
        Column("will be"),
        Column("asleep on"),
        Column("curve"),
    ]
    rows = [
        (
            Piece(label(each.link), "name"),
            f"{each.link.strength:.2f}",
            f"{each.strength_then:.2f}",
            state(each.link.state),
            state(each.state_then),
            _end(each),
            sparkline(each.curve, width=CURVE_WIDTH),
        )
        for each in outlook.links[:limit]
    ]
    days = (outlook.to - outlook.now).total_seconds() / 86_400
    lines: list[Line] = [
        [Piece(f"From {when(outlook.now)} to {when(outlook.to)} ({days:g} days), if nothing happens:")]
    ]
    lines += table(columns, rows, width=width) if rows else paragraph("there is no link that could fade.")
    if any(each.dissolved_on for each in outlook.links[:limit]):
        lines += paragraph("† it dissolves: it never had a second item", width=width, style="dim")
    lines += _rising(outlook.links[:limit], width=width)
    moving = [each for each in outlook.stars if each.star.state != each.state_then]
    if moving and limit is None:
        lines += heading("Stars that change")
        star_columns = [
            Column("star", least=8),
            Column("now", "right"),
            Column("then", "right"),
            Column("state"),
            Column("will be"),
        ]
        lines += table(
            star_columns,
            [
                (
                    Piece(each.star.name, "name"),
                    f"{each.star.brightness:.2f}",
                    f"{each.brightness_then:.2f}",
                    state(each.star.state),
                    state(each.state_then),
                )
                for each in moving
            ],
            width=width,
        )
    return lines + _aged_lines(outlook, width=width) if limit is None else lines


def _rising(links: Sequence[Fading], *, width: int) -> list[Line]:
    """Say why a link rises although nothing happens."""
    lines: list[Line] = []
    for each in links:
        if each.rises:
            told = ", ".join(f"{rise.gain:+.3f} on {rise.on} ({' and '.join(rise.reasons)})" for rise in each.rises)
            lines += paragraph(f"↑ {label(each.link)}: {told}", width=width, style="dim")
    if lines:
        why = "↑ found in what was told before: detection looks at it again, and a prediction comes true"
        lines += paragraph(why, width=width, style="dim")
    return lines


def _aged_lines(outlook: Outlook, *, width: int) -> list[Line]:
    """Show what ages by other clocks: structural links and blocks, levels."""
    lines: list[Line] = []
    aged = {"Structural links": outlook.structural, "Blocks": outlook.blocks, "Levels": outlook.levels}
    for title, things in aged.items():
        if not things:
            continue
        half = f"half ({things[0].clock})"
        columns = [Column("id", least=12), Column("kind"), Column("now", "right"), Column("then", "right")]
        columns += [Column(half, "right"), Column("end after", "right"), Column("end")]
        rows = [
            (
                Piece(each.id, "name"),
                each.kind,
                f"{each.now:.2f}",
                f"{each.then:.2f}",
                _hours(each.half_after),
                _hours(each.ends_after),
                each.end,
            )
            for each in things[:AGED]
        ]
        lines += heading(title) + table(columns, rows, width=width)
        if len(things) > AGED:
            lines += paragraph(f"and {len(things) - AGED:,} more", style="dim")
    for note in outlook.notes:
        lines += paragraph(f"{note[0].upper()}{note[1:]}.", width=width, style="dim")
    return lines


def _hours(hours: float | None) -> str:
    return "-" if hours is None else f"{hours:,.1f}"


def _end(fading: Fading) -> Piece:
    if fading.dissolved_on:
        return Piece(f"{fading.dissolved_on} †")
    return Piece(fading.dormant_on.isoformat() if fading.dormant_on else "-", "" if fading.dormant_on else "dim")
