"""The days of two stars that a finding saw, as two small curves one above the other."""

from __future__ import annotations

from collections.abc import Sequence

from asterism.core.ledger.model import Model
from asterism.entry.text.layout import WIDTH, Line, Piece, cells, sparkline

MOST = 60  # days that are drawn, the last ones
LOWEST = 0.05  # of a curve: a dot would say that there is nothing


def found_plot(found: Model | None, *, width: int = WIDTH) -> list[Line]:
    """Draw both series over the days that were seen, that which follows moved back by its delay; nothing if none."""
    if found is None:
        return []
    from asterism.core.connections.found_why import FoundIn, days_in_words  # with numpy: only where there is a finding

    if not isinstance(found, FoundIn) or len(found.pairs) < 2:
        return []
    pairs = found.pairs[-MOST:]
    later = f" {days_in_words(found.lag_days)} later" if found.lag_days else ""
    names = (found.names[0], f"{found.names[1]}{later}")
    room = max(cells(name) for name in names)
    series = ([pair.first for pair in pairs], [pair.second for pair in pairs])
    rows = zip(names, series, strict=True)
    lines: list[Line] = [[]]
    for name, values in rows:
        drawn = sparkline(_stretched(values), width=max(2, width - room - 4))
        lines.append([Piece(f"  {name}{' ' * (room - cells(name))}  ", "name"), Piece(drawn)])
    lines.append([Piece(f"  {pairs[0].on} to {pairs[-1].on}, {len(pairs)} days with both", "dim")])
    return [*lines, []]


def _stretched(values: Sequence[float]) -> list[float]:
    """Bring values to where a curve shows them, the lowest above nothing."""
    low, high = min(values), max(values)
    return [LOWEST + (1 - LOWEST) * (value - low) / (high - low or 1.0) for value in values]
