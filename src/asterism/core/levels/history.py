"""What happened to a symbol's levels, item by item: told by folding its batches again with a log.

From it come `why` (what each item added, what decay took) and `replay` (strength through time).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.columns import Bools, Bytes, Columns, Floats, Longs
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Line, Model, Why
from asterism.core.ledger.nodes import level_id
from asterism.core.levels.events import KINDS, LIQUIDATION, PERSISTENCE, PRICE, TRADE, Events
from asterism.core.levels.fold import MarketBatch, Symbol, of_symbol
from asterism.core.levels.formulas import all_settled, settled
from asterism.core.levels.ordered import OrderedBook, Taken
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.read import REASONS
from asterism.core.levels.state import EFFECTS, EXTENDED, HELD, PENDING, REFUSED, RESURRECTED, UNMATCHED

FIRST_TOLD, LAST_TOLD = 100, 100  # items that `why` tells one by one; those between are added up


class Told(NamedTuple):
    """What events did to places, in order."""

    place: Longs
    effect: Bytes
    kind: Bytes
    before: Floats
    after: Floats
    at: Longs  # of the event
    late: Bools
    usd: Floats
    seconds: Floats
    n: Longs


@dataclass(frozen=True)
class History:
    """A symbol's book at a time, what led there, and the path of its price."""

    symbol: str
    columns: Columns
    parameters: LevelParameters
    told: Told
    path_at: Longs
    path: Floats


def history(items: Iterable[Item], name: str, parameters: LevelParameters, *, until: int | None = None) -> History:
    """Fold the batches of one symbol, given in the order (at, id), up to a time, and keep what each event did."""
    symbol = Symbol(OrderedBook(parameters))
    parts: list[Told] = []
    paths: list[Events] = []
    for item in of_symbol(items, name, until=until):
        taken = symbol.take(item, MarketBatch.of(item), until=until, log=True)
        parts.append(_told(taken))
        paths.append(taken.ready.events)
    taken = symbol.book.flush(log=True)
    parts.append(_told(taken))
    path = Events.join([*paths, taken.ready.events])
    path = path.take(np.isin(path.kind, (PRICE, TRADE, LIQUIDATION)))
    order = np.argsort(path.at, kind="stable")
    told = Told._make(np.concatenate(columns) for columns in zip(*parts, strict=True))
    return History(name, symbol.book.columns, parameters, told, path.at[order], path.price[order])


def _told(taken: Taken) -> Told:
    log, events = taken.fed.log, taken.ready.events
    if log is None:  # nothing was fed
        return Told._make(
            np.zeros(0, dtype=dtype) for dtype in ("i8", "u1", "u1", "f8", "f8", "i8", "?", "f8", "f8", "i8")
        )
    which = log.event
    return Told(
        *log[1:],
        at=events.at[which],
        late=taken.ready.late[which],
        usd=events.usd[which],
        seconds=events.seconds[which],
        n=events.n[which],
    )


def why(history: History, price: float, at: int) -> Why | None:
    """Explain a level's strength at a time: what each item added, what decay took; None if there is no such level."""
    columns = history.columns
    rows = np.flatnonzero((columns["centre"] == price) & (columns["level"] == 1))
    if not len(rows):
        return None
    number = columns["number"][rows[-1]].item()
    steps = _steps(history.told, number, history.parameters, at)
    lines = [Line(text, value) for text, value in _shortened(steps)]
    notes = _notes(history, int(rows[-1]), number)
    total = sum(step[1] for step in steps)
    return Why(level_id(history.symbol, price), "strength", tuple(lines), total, notes)


Step = tuple[str, float, bool]  # what, how much, and whether it was decay


def _steps(told: Told, number: int, parameters: LevelParameters, at: int) -> list[Step]:
    mine = np.flatnonzero((told.place == number) & ~np.isin(told.effect, (PENDING, REFUSED)))
    steps: list[Step] = []
    anchor, anchor_at, grew = 0.0, at, False
    for row in mine.tolist():
        effect, when = int(told.effect[row]), int(told.at[row])
        before, after, late = float(told.before[row]), float(told.after[row]), bool(told.late[row])
        if effect == HELD:
            continue
        growing = effect == EXTENDED and not late
        if growing and grew:  # an episode that goes on is one line, whatever decayed meanwhile
            began = steps[-1][0].partition(" persistence")[0].partition(" to ")[0]
            text = f"{began} to {to_datetime(when):%H:%M:%S} persistence grew to {told.seconds[row]:,g} s, less decay"
            steps[-1] = (text, steps[-1][1] + after - anchor, False)
        else:
            if steps and not late and before != anchor:
                steps.append((f"decay over {_span(when - anchor_at)}", before - anchor, True))
            steps.append((_text(told, row, late=late), after - before, False))
        grew = growing
        anchor, anchor_at = after, anchor_at if late else when
    now = settled(anchor, anchor_at, max(at, anchor_at), parameters.decay_rate_default)
    if now != anchor:
        steps.append((f"decay over {_span(at - anchor_at)}", now - anchor, True))
    return steps


def _text(told: Told, row: int, *, late: bool) -> str:
    kind, effect = int(told.kind[row]), int(told.effect[row])
    detail = {
        TRADE: f" of ${told.usd[row]:,.0f}",
        PERSISTENCE: f" of {told.seconds[row]:g} s",
        LIQUIDATION: f" x {told.n[row]}",
    }
    word = REASONS.get(KINDS[kind], KINDS[kind])
    extra = ", late" if late else ", back from the archive" if effect == RESURRECTED else ""
    return f"{to_datetime(int(told.at[row])):%Y-%m-%d %H:%M:%S} {word}{detail.get(kind, '')}: {EFFECTS[effect]}{extra}"


def _shortened(steps: list[Step]) -> list[tuple[str, float]]:
    """Tell the first and the last steps; add up those between."""
    if len(steps) <= FIRST_TOLD + LAST_TOLD:
        return [(text, value) for text, value, _ in steps]
    between = steps[FIRST_TOLD:-LAST_TOLD]
    added = [value for _, value, decay in between if not decay]
    lost = [value for _, value, decay in between if decay]
    return [
        *((text, value) for text, value, _ in steps[:FIRST_TOLD]),
        (f"… {len(added):,} more items", sum(added)),
        (f"… decay between them, {len(lost):,} times", sum(lost)),
        *((text, value) for text, value, _ in steps[-LAST_TOLD:]),
    ]


def _notes(history: History, row: int, number: int) -> tuple[str, ...]:
    told, columns = history.told, history.columns
    pending = int(((told.place == number) & (told.effect == PENDING)).sum())
    held = int(((told.place == number) & (told.effect == HELD)).sum())
    notes = [f"confidence {columns['confidence'][row].item():.3f}, volume ${columns['volume'][row].item():,.0f}"]
    if pending:
        notes.append(f"{pending:,} items before it became a level were held as pending")
    if held:
        notes.append(f"{held:,} fills inside a visit added volume, not strength")
    return tuple(notes)


def _span(micros: int) -> str:
    seconds = micros / 1e6
    if seconds < 120:
        return f"{seconds:g} s"
    return f"{seconds / 60:.1f} min" if seconds < 7_200 else f"{seconds / 3_600:.1f} h"


@dataclass(frozen=True, slots=True)
class Replay(Model):
    """Strength through time: one row for each level, one column for each time."""

    symbol: str
    times: tuple[datetime, ...]
    path: tuple[float | None, ...]
    levels: tuple[str, ...]
    prices: tuple[float, ...]
    strengths: tuple[tuple[float, ...], ...]


def replay(history: History, *, start: int, end: int, steps: int, most: int) -> Replay:
    """Give the strength of the levels at equal steps of time: those that were strongest on the whole, by price."""
    times = np.linspace(start, end, steps).astype(np.int64)
    rows = history.columns["level"] == 1
    centres = history.columns["centre"][rows].astype(np.float64)
    table = _curves(history, history.columns["number"][rows].astype(np.int64), times)
    strongest = np.argsort(-table.sum(axis=1), kind="stable")[:most]
    strongest = strongest[table[strongest].max(axis=1, initial=0.0) > 0.0]
    chosen = strongest[np.argsort(centres[strongest], kind="stable")]
    where = np.searchsorted(history.path_at, times, side="right") - 1
    path = [history.path[place].item() if place >= 0 else None for place in where.tolist()]
    prices = tuple(centres[chosen].tolist())
    return Replay(
        history.symbol,
        tuple(to_datetime(at) for at in times.tolist()),
        tuple(path),
        tuple(level_id(history.symbol, price) for price in prices),
        prices,
        tuple(tuple(row) for row in table[chosen].tolist()),
    )


def _curves(history: History, numbers: Longs, times: Longs) -> Floats:
    """Give the strength of places at some times; what came late shows from the next item on."""
    told, rate = history.told, history.parameters.decay_rate_default
    anchoring = np.flatnonzero(~told.late & ~np.isin(told.effect, (PENDING, REFUSED, HELD, UNMATCHED)))
    anchoring = anchoring[np.argsort(told.place[anchoring], kind="stable")]
    starts = np.searchsorted(told.place[anchoring], numbers)
    ends = np.searchsorted(told.place[anchoring], numbers, side="right")
    table = np.zeros((len(numbers), len(times)))
    for place, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        mine = anchoring[start:end]
        where = np.searchsorted(told.at[mine], times, side="right") - 1
        curve = all_settled(told.after[mine][where], told.at[mine][where], times, rate)
        table[place] = np.where(where >= 0, curve, 0.0)
    return table
