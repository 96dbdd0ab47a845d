"""A checkup as text: what was found, the worst first, each with what repairs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asterism.entry.text.layout import WIDTH, Line, Piece, Style, paragraph

if TYPE_CHECKING:
    from asterism.engine.care.checkup import Checkup

STYLES: dict[str, Style] = {"error": "bad", "warning": "fair", "note": "dim"}


def checkup_lines(checkup: Checkup, *, width: int = WIDTH) -> list[Line]:
    """Show a checkup."""
    lines: list[Line] = []
    for done in checkup.repaired:
        lines += paragraph(f"Repaired: {done}.", width=width)
    for found in checkup.findings:
        lines.append([Piece(found.severity, STYLES[found.severity]), Piece(f"  {found.name}", "name")])
        lines += paragraph(found.what, width=width, indent="  ")
        lines.append([Piece("  → "), Piece(found.repair, "kind")])  # never wrapped: it is to be copied
    counts = {name: sum(each.severity == name for each in checkup.findings) for name in STYLES}
    told = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items())
    verdict = "Nothing is broken" if checkup.ok else "Something is broken"
    lines += paragraph(f"{verdict}: {told}. Looked at {', '.join(checkup.checked)}.", width=width)
    return lines
