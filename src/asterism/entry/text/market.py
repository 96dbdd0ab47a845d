"""What a market remembers, as lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from asterism.entry.text.layout import WIDTH, Column, Line, Piece, Style, gauge, paragraph, sparkline, table
from asterism.entry.text.render import when

if TYPE_CHECKING:
    from asterism.core.levels.history import Replay
    from asterism.core.levels.model import Cluster, Density, FeedReport, Gap, Level, Nearest, SymbolInfo

CURVES_SHOWN = 15


def price(value: float) -> str:
    """Write a price with as many digits as it needs.

    >>> price(50_000.0), price(0.00012345), price(63_120.55)
    ('50,000', '0.00012345', '63,120.55')
    """
    return f"{value:,.10f}".rstrip("0").rstrip(".") if value < 1 else f"{value:,.6f}".rstrip("0").rstrip(".")


def _style(strength: float) -> Style:
    return "good" if strength >= 0.6 else "fair" if strength >= 0.3 else "weak"


def feed_lines(report: FeedReport, *, width: int = WIDTH) -> list[Line]:
    """Say how a file was read and what became of its rows."""
    rows = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in report.rows.items() if count)
    lines = [[Piece(report.symbol, "name"), Piece(f"  read as {report.mapping}")]]
    lines += paragraph(f"In the file: {rows or 'nothing'}.", width=width)
    if report.stale:
        text = "It holds events from before what was there: the symbol was folded anew, all of it in order of time."
        lines += paragraph(text, width=width)
    if report.skipped:
        text = f"{report.skipped:,} events were there already (as {report.source}); it went on after them."
        lines += paragraph(text, width=width)
    lines += paragraph(str(report) + ".", width=width)
    for bad in report.bad_rows:
        lines += paragraph(f"line {bad.row}: {bad.reason}", width=width, indent="  ", style="bad")
    if report.malformed > len(report.bad_rows):
        lines += paragraph(f"… and {report.malformed - len(report.bad_rows):,} more", width=width, indent="  ")
    return [
        *lines,
        [Piece(f"asterism market levels {report.symbol}", "head"), Piece("  shows what it remembers", "dim")],
    ]


def symbols_lines(found: Sequence[SymbolInfo], *, width: int = WIDTH) -> list[Line]:
    """Show the symbols that were fed."""
    if not found:
        return [[Piece("Nothing was fed yet: asterism market feed FILE --symbol NAME", "dim")]]
    columns = [
        Column("symbol", least=6),
        *(Column(head, "right") for head in ("events", "late", "malformed", "levels")),
    ]
    rows = [
        (
            Piece(each.symbol, "name"),
            f"{each.events:,}",
            f"{each.late:,}",
            f"{each.malformed:,}",
            f"{each.levels:,}",
            when(each.latest),
            ", ".join(each.sources),
        )
        for each in found
    ]
    return table([*columns, Column("latest"), Column("from", least=8)], rows, width=width)


def levels_lines(
    found: Sequence[Level], *, limit: int, parameters: Mapping[str, float | str], width: int = WIDTH
) -> list[Line]:
    """Show levels, strongest first."""
    if not found:
        gone = 1 / float(parameters["decay_rate_default"]) / 3_600
        text = (
            f"No level stands then. One that nothing touches is gone after {gone:.1f} h; --archived shows what faded."
        )
        return paragraph(text, width=width, style="dim")
    lines = levels_table(found[:limit], width=width)
    legend = "items: evidence that touched it; turned, broke: visits turned back, and gone through"
    lines += paragraph(legend, width=width, style="dim")
    if len(found) > limit:
        lines += paragraph(f"… {len(found) - limit:,} more (--limit)", width=width, style="dim")
    return [*lines, [Piece(f"asterism why {found[0].id}", "head"), Piece("  says why", "dim")]]


def levels_table(found: Sequence[Level], *, width: int = WIDTH) -> list[Line]:
    """Lay levels out in a table."""
    columns = [
        Column("price", "right"),
        Column("strength"),
        Column("conf", "right"),
        Column("side"),
        Column("made by", least=6),
        *(Column(head, "right") for head in ("items", "turned", "broke", "seen")),
    ]
    today = max(each.last_seen for each in found).date()
    title: Line = [Piece(f"{found[0].symbol}, last seen on {today.isoformat()}", "dim")]
    rows = [
        (
            Piece(price(each.price), "name"),
            Piece(
                f"{gauge(each.strength, width=6)} {each.strength:.3f}", _style(each.strength) if each.active else "dim"
            ),
            f"{each.confidence:.2f}",
            each.side,
            Piece(each.reason, "kind"),
            f"{each.interactions:,}",
            f"{each.rejections:,}",
            f"{each.breaks:,}",
            f"{each.last_seen:%H:%M}" if each.last_seen.date() == today else f"{each.last_seen:%m-%d}",
        )
        for each in found
    ]
    return [title, *table(columns, rows, width=width)]


def nearest_lines(found: Nearest, *, width: int = WIDTH) -> list[Line]:
    """Show the levels around a price, highest first."""
    marked = [(each.price, each) for each in (*reversed(found.above), *found.below)]
    columns = [Column("price", "right"), Column("strength"), Column("away", "right"), Column("made by")]
    rows: list[tuple[Piece | str, ...]] = []
    here = (Piece(price(found.price), "head"), Piece("◀ here", "head"), "", "")
    for value, each in marked:
        if value <= found.price and here not in rows:
            rows.append(here)
        away = (value / found.price - 1) * 10_000
        strength = Piece(f"{gauge(each.strength)} {each.strength:.3f}", _style(each.strength))
        rows.append((Piece(price(value), "name"), strength, f"{away:+.1f} bps", Piece(each.reason, "kind")))
    return table(columns, rows if here in rows else [*rows, here], width=width)


def clusters_lines(found: Sequence[Cluster], *, width: int = WIDTH) -> list[Line]:
    """Show clusters, highest first."""
    columns = [Column("from", "right"), Column("to", "right"), Column("levels", "right"), Column("strength", "right")]
    rows = [
        (price(each.low), price(each.high), f"{each.levels:,}", f"{each.strength:.2f}", Piece(each.strongest, "name"))
        for each in reversed(found)
    ]
    return table([*columns, Column("strongest", least=8)], rows, width=width)


def gaps_lines(found: Sequence[Gap], *, width: int = WIDTH) -> list[Line]:
    """Show gaps, highest first."""
    columns = [Column("from", "right"), Column("to", "right"), Column("width", "right")]
    return table(
        columns, [(price(each.low), price(each.high), f"{each.bps:,.1f} bps") for each in reversed(found)], width=width
    )


def density_lines(found: Sequence[Density], *, width: int = WIDTH) -> list[Line]:
    """Show how much is remembered by price, highest first."""
    top = max((each.strength for each in found), default=0.0) or 1.0
    columns = [Column("from", "right"), Column("to", "right"), Column("levels", "right"), Column("strength", "right")]
    rows = [
        (
            price(round(each.low, 6)),
            price(round(each.high, 6)),
            f"{each.levels:,}",
            f"{each.strength:.2f}",
            Piece(gauge(each.strength / top, width=20), "fair"),
        )
        for each in reversed(found)
    ]
    return table([*columns, Column("")], rows, width=width)


def replay_lines(told: Replay, plot: Path | None, *, width: int = WIDTH) -> list[Line]:
    """Show the strongest levels as small curves, highest price first."""
    first, last = told.times[0], told.times[-1]
    lines: list[Line] = [[Piece(told.symbol, "name"), Piece(f"  {when(first)} to {when(last)} UTC")]]
    by_sum = sorted(range(len(told.prices)), key=lambda place: -sum(told.strengths[place]))[:CURVES_SHOWN]
    columns = [Column("price", "right"), Column("its life"), Column("now", "right")]
    rows = [
        (
            Piece(price(told.prices[place]), "name"),
            Piece(sparkline(told.strengths[place], width=max(10, width - 30)), "fair"),
            f"{told.strengths[place][-1]:.2f}",
        )
        for place in sorted(by_sum, key=lambda place: -told.prices[place])
    ]
    lines += table(columns, rows, width=width)
    if len(told.prices) > len(rows):
        text = f"… {len(told.prices) - len(rows):,} more, less strong on the whole (--plot draws them all)"
        lines += paragraph(text, width=width, style="dim")
    if plot is not None:
        lines.append([Piece(f"The heat map of {len(told.prices):,} levels is in {plot}", "head")])
    return lines
