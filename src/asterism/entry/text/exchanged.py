"""What went out to a file and what came in, as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asterism.entry.text.layout import Line, Piece, paragraph

if TYPE_CHECKING:
    from asterism.engine.exchange.export import Exported
    from asterism.engine.exchange.take_in import Imported

WORDS = {
    "items": ("item", "items"),
    "erased": ("tombstone", "tombstones"),
    "vectors": ("vector", "vectors"),
    "nodes": ("node", "nodes"),
    "links": ("link", "links"),
    "dissolved": ("dissolved link of the past", "dissolved links of the past"),
    "entities": ("entity", "entities"),
    "observations": ("observation", "observations"),
    "relations": ("relation", "relations"),
}


def counted(counts: dict[str, int]) -> str:
    """Write counts as words.

    >>> counted({"nodes": 12, "links": 1, "vectors": 0})
    '12 nodes, 1 link'
    """
    told = [f"{count:,} {WORDS.get(name, (name, name))[count != 1]}" for name, count in counts.items() if count]
    return ", ".join(told) or "nothing"


def exported_lines(exported: Exported, *, width: int) -> list[Line]:
    """Say what was written, and what was left out."""
    size = f"{exported.bytes:,} bytes" if exported.bytes < 10_000 else f"{exported.bytes / 1e6:,.2f} MB"
    head: Line = [Piece(exported.path or "written", "name")]
    lines = [head, *paragraph(f"{counted(exported.counts)} as {exported.format}, {size}.", width=width, indent="  ")]
    if exported.left_out:
        lines += paragraph(f"Left out: {counted(exported.left_out)}.", width=width, indent="  ", style="dim")
    return lines


def imported_lines(imported: Imported, *, width: int) -> list[Line]:
    """Say what a file brought."""
    if imported.format == "reference":
        records = {name: getattr(imported, name) for name in ("entities", "observations", "relations")}
        text = f"{counted(records)} added, {imported.duplicates:,} were known already"
        return paragraph(f"{text} (a file of the reference memory server).", width=width)
    text = f"{imported.added:,} items added, {imported.duplicates:,} were known already"
    if imported.buried or imported.erased:
        text += f", {imported.buried:,} stay erased, {imported.erased:,} erased here too"
    if imported.vectors:
        text += f", {counted({'vectors': imported.vectors})} kept"
    lines = paragraph(text + ".", width=width)
    if imported.left_out:
        told = f"Left out: {imported.left_out:,} lines that name another space or embedder."
        lines += paragraph(told, width=width, style="dim")
    return lines if imported.scrubbed else lines + paragraph(imported.note, width=width, style="bad")
