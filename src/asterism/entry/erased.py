"""Erasures, and a memory without something, as lines for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from asterism.entry.blocks import many
from asterism.entry.layout import WIDTH, Column, Line, Piece, heading, paragraph, table

if TYPE_CHECKING:
    from asterism.core.erasure import Difference, LostItem, Manifest, TrimmedItem, WhatIf

SHOWN = 12
STYLES = {"gone": "bad", "new": "good", "changed": "fair"}


def manifest_lines(manifest: Manifest, *, width: int = WIDTH) -> list[Line]:
    """Say what was erased, or would be."""
    counts = ", ".join(f"{count:,} {what}" for what, count in manifest.items.items())
    verb = "would be erased" if manifest.dry_run else "erased for good"
    lines: list[Line] = [
        [Piece(manifest.subject, "name"), Piece(f": {many(len(manifest.ids), 'item')} {verb} ({counts})")]
    ]
    dropped = [(manifest.vectors, "vectors"), (manifest.checkpoints, "checkpoints"), (manifest.caches, "indexes")]
    also = [f"{len(manifest.nodes):,} nodes", *(f"{count:,} {what}" for count, what in dropped if count)]
    lines += paragraph(f"With them: {', '.join(also)}.", width=width, indent="  ")
    lines += _lost(manifest.lost, len(manifest.lost), width) + _trimmed(manifest.trimmed, len(manifest.trimmed), width)
    lines += _named("Gone", manifest.nodes, width)
    lines += _named("These blocks stand for themselves again", manifest.returning, width)
    if manifest.mentions:
        lines += heading("The name is still in these items")
        lines += _some([f"item:{name}" for name in manifest.mentions], width)
        lines += paragraph("asterism erase item:ID erases one of them.", width=width, indent="  ", style="dim")
    if manifest.dry_run:
        return [*lines, [], *paragraph("Nothing was written.", style="dim")]
    told = (
        manifest.note or "No byte of it is left in the file, its log or its index; only hashes, so that it stays away."
    )
    return [*lines, [], *paragraph(told, width=width, style="dim" if manifest.scrubbed else "bad")]


def what_if_lines(found: WhatIf, *, width: int = WIDTH) -> list[Line]:
    """Say what would be otherwise."""
    counts = ", ".join(f"{count:,} {what}" for what, count in found.items.items())
    lines: list[Line] = [[Piece(f"Without {found.without}", "name"), Piece(f" ({counts}):")]]
    lines += _lost(found.lost, found.lost_items, width) + _trimmed(found.trimmed, found.trimmed_items, width)
    if not found.changes:
        return lines + paragraph("Nothing would change.", indent="  ")
    totals = "; ".join(
        f"{what.replace('_', ' ')}: {', '.join(f'{count:,} {change}' for change, count in each.items())}"
        for what, each in found.totals.items()
    )
    lines += [[], *paragraph(totals, width=width)]
    columns = [
        Column("change"),
        Column("what"),
        Column("id", least=12),
        Column("now", least=10),
        Column("then", least=10),
    ]
    lines += [[], *table(columns, [_row(each) for each in found.changes], width=width)]
    if found.left_out:
        lines += paragraph(f"and {found.left_out:,} more; --limit shows them", style="dim")
    return lines


def _row(each: Difference) -> list[Piece | str]:
    now, then = (_seen(side) for side in (each.before, each.after))
    style = STYLES[each.change]
    return [Piece(each.change, style), each.what.replace("_", " "), Piece(each.id, "name"), now, then]  # type: ignore[arg-type]  # a style


def _seen(seen: dict[str, float | str] | None) -> str:
    if seen is None:
        return "-"
    return " ".join(f"{value:.3f}" if isinstance(value, float) else str(value) for value in seen.values())


def _lost(lost: Sequence[LostItem], total: int, width: int) -> list[Line]:
    if not total:
        return []
    rows = [f"{each.what} of {each.at:%Y-%m-%d}: {', '.join(each.missing[:3])}" for each in lost[:SHOWN]]
    return heading("Goes too, because it stood on them") + _some(rows, width, total)


def _trimmed(trimmed: Sequence[TrimmedItem], total: int, width: int) -> list[Line]:
    if not total:
        return []
    rows = [
        f"{each.what} of {each.at:%Y-%m-%d}: without {len(each.missing):,} of its nodes" for each in trimmed[:SHOWN]
    ]
    return heading("Stays in part") + _some(rows, width, total)


def _named(title: str, names: Sequence[str], width: int) -> list[Line]:
    return heading(title) + _some(names[:SHOWN], width, len(names)) if names else []


def _some(rows: Sequence[str], width: int, total: int | None = None) -> list[Line]:
    """Give the first of some rows, and say how many there are beyond."""
    lines: list[Line] = []
    for row in rows[:SHOWN]:
        lines += paragraph(row, width=width, indent="  ")
    more = (len(rows) if total is None else total) - len(rows[:SHOWN])
    return lines + (paragraph(f"and {more:,} more", indent="  ", style="dim") if more else [])
