"""What a look through all told values came to, as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asterism.entry.text.layout import WIDTH, Column, Line, Piece, heading, many, paragraph, table

if TYPE_CHECKING:
    from asterism.core.space.discovered import Discovered, Tested

SHOWN = 10  # pairs of which nothing came, and stars that were not compared
REASONS = {
    "explained by others": "explained by",
    "within chance": "may be chance",
    "too weak": "too weak to tell",
    "too few days": "too few days with both values",
    "does not vary": "one of them does not vary",
    "hardly varies": "one of them is nearly always the same",
    "few days decide it": "a few days decide it",
    "not day by day": "not seen from day to day",
}


def discovered_lines(found: Discovered, *, whole: bool = False, width: int = WIDTH) -> list[Line]:
    """Say what was found in sentences, then why nothing came of the rest, then who has too few days."""
    names = found.names()
    told, gone = found.told(), [pair for pair in found.pairs if pair.gone]
    lines: list[Line] = []
    for pair in told:
        lines += paragraph(f"{pair.sentence(names)}{'' if pair.written else _not_now(pair)}", width=width)
    for pair in gone:
        lines += paragraph(f"No longer holds: {pair.sentence(names)}", width=width)
    if not told:
        lines += paragraph(_nothing(found), width=width)
    if found.written:
        lines += paragraph(f"{many(found.written, 'finding')} written as evidence.", width=width, style="dim")
    rest = [pair for pair in found.pairs if pair not in told]
    if rest:
        shown = rest if whole else rest[:SHOWN]
        lines += [[], *heading(f"Nothing came of {many(len(rest), 'pair')}"), *_table(shown, names, width=width)]
        if len(shown) < len(rest):
            lines += paragraph(f"{len(rest) - len(shown)} more: --all shows them.", width=width, style="dim")
    left = [star for star in found.stars if star.left_out]
    if left:
        shown_stars = left if whole else left[:SHOWN]
        lines += [[], *heading("Not compared")]
        lines += [[Piece(f"  {star.name}", "name"), Piece(f"  {star.left_out}")] for star in shown_stars]
        if len(shown_stars) < len(left):
            lines += paragraph(f"{len(left) - len(shown_stars)} more: --all shows them.", width=width, style="dim")
    return lines


def _not_now(pair: Tested) -> str:
    return f" ({pair.note})" if pair.note else ""


def _nothing(found: Discovered) -> str:
    if not found.stars:
        return "No star was told a value yet: asterism diary read FILE.csv, or asterism diary add sleep=6, day by day."
    if not found.pairs:
        return "There are no two stars with enough days to compare."
    return "Nothing goes with anything, as far as the values tell."


def _table(pairs: list[Tested], names: dict[str, str], *, width: int) -> list[Line]:
    columns = [Column("pair"), Column("r", "right"), Column("days", "right"), Column("why")]
    rows = []
    for pair in pairs:
        both = f"{names.get(pair.a, pair.a)}, {names.get(pair.b, pair.b)}"
        why = REASONS.get(pair.reason, pair.reason)
        why += f" {' and '.join(names.get(each, each) for each in pair.through)}" if pair.through else ""
        rows.append((Piece(both, "name"), "" if pair.r is None else f"{pair.r:.2f}", f"{pair.days or ''}", why))
    return table(columns, rows, width=width)
