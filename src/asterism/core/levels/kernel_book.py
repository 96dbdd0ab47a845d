"""The compiled level book: tables that grow, the kernel that fills them, and the same columns as the plain book."""

from __future__ import annotations

import math
from typing import Self

import numpy as np

from asterism.core.ledger.columns import Bools, Columns, Longs, Rows
from asterism.core.levels import kernel, kernel_places
from asterism.core.levels.events import Events
from asterism.core.levels.formulas import all_settled, fades_at
from asterism.core.levels.kernel_tables import (
    CLOCK,
    DROPPED,
    EPISODE,
    EPISODES,
    FREE,
    FREE_EPISODE,
    LEVELS,
    LOGGED,
    MOST_INSIDE,
    NEWEST,
    NONE,
    OLDEST,
    PENDING_PLACES,
    ROW,
    TIDIED,
    WHOLES,
    Batch,
    Records,
    Rules,
    Tables,
    Told,
)
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.state import DROPS, EFFECTS, HOUR, NEVER, OUTSIDE, PLACE, UNARCHIVED, Fed, Log

CHUNK = 8_192  # events between two looks at the tables' room
DTYPES = ("i8", "i8", "u1", "u1", "f8", "f8")


class KernelBook:
    """One symbol's places, in arrays."""

    def __init__(self, parameters: LevelParameters) -> None:
        self.parameters = parameters
        self._rules = rules_of(parameters)
        wholes = np.zeros(WHOLES, dtype=np.int64)
        wholes[[CLOCK, TIDIED]] = NEVER
        for chain in (PENDING_PLACES, EPISODES):
            wholes[[chain + OLDEST, chain + NEWEST]] = NONE
        wholes[[FREE, FREE_EPISODE]] = NONE
        self._tables = Tables(
            places=np.empty(0, dtype=ROW),
            heads=np.full(64, NONE, dtype=np.int32),
            wholes=wholes,
            path=np.zeros(3),
            inside=np.zeros(MOST_INSIDE, dtype=np.int32),
            turned=np.zeros(MOST_INSIDE + 1, dtype=np.int32),
            turned_side=np.zeros(MOST_INSIDE + 1, dtype=np.uint8),
            episodes=np.empty(0, dtype=EPISODE),
            episode_heads=np.full(_power_of_two(2 * parameters.episodes_max), NONE, dtype=np.int32),
        )
        self._reserve(64)
        self._reserve_episodes(parameters.episodes_max + 1)

    @property
    def clock(self) -> int:
        """The time of the last event taken in."""
        return int(self._tables.wholes[CLOCK])

    @property
    def drops(self) -> list[int]:
        """How often each of `DROPS` happened."""
        return [int(count) for count in self._tables.wholes[DROPPED:][: len(DROPS)]]

    def feed(self, events: Events, late: Bools, *, log: bool = False) -> Fed:
        """Take in events in order; a late one only adds to a level that is there."""
        counts = np.zeros(len(EFFECTS), dtype=np.int64)
        batch = Batch._make(np.require(column, requirements=("C", "W")) for column in (*events[:8], late))
        parts = [Log._make(_told(counts, 0)[1:])]
        start = 0
        while start < events.size:
            stop = min(start + CHUNK, events.size)
            self._reserve(2 * (stop - start))
            told = _told(counts, 2 * (stop - start) + 4 * MOST_INSIDE if log else 0)
            self._tables.wholes[LOGGED] = 0
            start = kernel.run(self._tables, self._rules, batch, told, start, stop)
            if start < stop and not late[start] and events.at[start] // HOUR > self._tables.wholes[TIDIED]:
                self._tidy(int(events.at[start]) // HOUR)
            if log:
                written = int(self._tables.wholes[LOGGED])
                parts.append(Log._make(column[:written] for column in told[1:]))
        return Fed(counts, _joined(parts) if log else None)

    def _tidy(self, hour: int) -> None:
        """Drop archived levels that are too old or too many, at the beginning of an hour."""
        tables, p = self._tables, self.parameters
        first, tables.wholes[TIDIED] = tables.wholes[TIDIED] == NEVER, hour
        if first:
            return
        at, places = hour * HOUR, tables.places
        rate, threshold = p.decay_rate_default, p.archive_threshold
        strength = all_settled(places["anchor"], places["anchor_at"], at, rate)
        rows = np.flatnonzero((places["level"] == 1) & (strength < threshold))
        anchored = zip(places["anchor"][rows].tolist(), places["anchor_at"][rows].tolist(), strict=True)
        faded = [fades_at(anchor, anchor_at, rate, threshold) for anchor, anchor_at in anchored]
        order = np.lexsort((places["number"][rows], np.array(faded, dtype=np.int64)))
        oldest, spare = at - self._rules.archive_max_micros, len(rows) - p.archive_max_levels
        for rank, which in enumerate(order.tolist()):
            if faded[which] < oldest or rank < spare:
                kernel_places.forget(tables, int(rows[which]))
                tables.wholes[DROPPED + UNARCHIVED] += 1

    # Room

    def _free_rows(self) -> int:
        used = int(self._tables.wholes[LEVELS] + self._tables.wholes[PENDING_PLACES])
        return len(self._tables.places) - used

    def _reserve(self, rows: int) -> None:
        """Make room for so many new places."""
        have = len(self._tables.places)
        missing = rows - self._free_rows()
        if missing <= 0:
            return
        grown = np.zeros(have + max(missing, have // 2), dtype=ROW)
        grown[:have] = self._tables.places
        grown["number"][have:] = NONE
        self._tables.wholes[FREE] = _chain(grown, have, int(self._tables.wholes[FREE]))
        heads = self._tables.heads
        if len(heads) < 2 * len(grown):
            heads = np.full(_power_of_two(2 * len(grown)), NONE, dtype=np.int32)
        self._tables = self._tables._replace(places=grown, heads=heads)
        kernel_places.chain_all(self._tables)

    def _reserve_episodes(self, rows: int) -> None:
        episodes = np.zeros(rows, dtype=EPISODE)
        episodes["older"] = NONE
        episodes["newer"] = NONE
        self._tables.wholes[FREE_EPISODE] = _chain(episodes, 0, NONE)
        self._tables = self._tables._replace(episodes=episodes)

    def bytes_per_level(self) -> float:
        """Say how much memory a place takes, with its share of the grid."""
        tables = self._tables
        return float((tables.places.nbytes + tables.heads.nbytes) / max(1, len(tables.places)))

    # Packing

    def dump(self) -> Columns:
        """Pack the book into columns of one canonical order."""
        places, wholes = self._tables.places, self._tables.wholes
        rows = np.flatnonzero(places["number"] != NONE)
        rows = rows[np.argsort(places["number"][rows])]
        columns: Columns = {name: np.ascontiguousarray(places[name][rows]) for name in PLACE.names or ()}
        pending = _walk(places, int(wholes[PENDING_PLACES + OLDEST]))
        columns["pending"] = places["number"][pending].astype(np.int64)
        episodes = self._tables.episodes[_walk(self._tables.episodes, int(wholes[EPISODES + OLDEST]))]
        columns["episodes"] = np.stack([episodes[name] for name in ("id", "place", "seen")], axis=1)
        columns["counters"] = wholes[: DROPPED + 4].copy()
        columns["path"] = self._tables.path[:2].copy()
        return columns

    @classmethod
    def load(cls, columns: Columns, parameters: LevelParameters) -> Self:
        """Unpack what either book packed."""
        book = cls(parameters)
        size = len(columns["number"])
        book._reserve(size + CHUNK)
        tables = book._tables
        places, wholes = tables.places, tables.wholes
        for name in PLACE.names or ():
            places[name][:size] = columns[name]
        for row in range(size):
            places["cell"][row] = kernel_places.cell_of(places["centre"][row], book._rules.grid)
        wholes[FREE] = _chain(places, size, NONE)
        wholes[: DROPPED + 4] = columns["counters"]
        wholes[LEVELS] = int(columns["level"].astype(np.int64).sum())
        tables.path[:2] = columns["path"]
        _relink(places, np.searchsorted(columns["number"], columns["pending"]), wholes, PENDING_PLACES)
        for row in np.flatnonzero(places["entered"][:size] != OUTSIDE).tolist():
            kernel_places.step_in(tables, row)
        kernel_places.chain_all(tables)
        book._load_episodes(columns)
        return book

    def _load_episodes(self, columns: Columns) -> None:
        episodes, wholes = self._tables.episodes, self._tables.wholes
        kept = columns["episodes"]
        for place, name in enumerate(("id", "place", "seen")):
            episodes[name][: len(kept)] = kept[:, place]
        heads = self._tables.episode_heads
        wholes[FREE_EPISODE] = _chain(episodes, len(kept), NONE)
        for row in range(len(kept)):
            chain = kernel_places.bucket(int(kept[row, 0]), heads)
            episodes["next"][row] = heads[chain]
            heads[chain] = row
        _relink(episodes, np.arange(len(kept)), wholes, EPISODES)


def rules_of(parameters: LevelParameters) -> Rules:
    """Hand the parameters to the kernel: spans of time in microseconds, words as flags."""
    p = parameters
    named = {name: getattr(p, name) for name in Rules._fields if hasattr(p, name)}
    return Rules(
        **named,
        grid=2.0 ** max(1, math.floor(-math.log2(p.reach))),
        only_when_left=p.revisit == "left",
        all_move=p.path == "all",
        decay_rate=p.decay_rate_default,
        archive_max_micros=int(p.archive_max_days * 86_400e6),
        pending_micros=int(p.pending_seconds * 1e6),
    )


def _power_of_two(least: int) -> int:
    return 1 << max(6, (least - 1).bit_length())


def _told(counts: Longs, room: int) -> Told:
    return Told(counts, *(np.empty(room, dtype=dtype) for dtype in DTYPES))


def _joined(parts: list[Log]) -> Log:
    return Log._make(np.concatenate(columns) for columns in zip(*parts, strict=True))


def _chain(table: Records, start: int, last: int) -> int:
    """Chain the rows from start to the end as free ones, before those that were free; give the first."""
    table["next"][start:-1] = np.arange(start + 1, len(table))
    table["next"][-1] = last
    return start


def _walk(table: Records, first: int) -> list[int]:
    """Give the rows of a chain of use, the oldest first."""
    rows, newer = [], table["newer"]
    while first != NONE:
        rows.append(first)
        first = int(newer[first])
    return rows


def _relink(table: Records, rows: Rows, wholes: Longs, chain: int) -> None:
    """Chain rows in the order of use."""
    table["older"] = NONE
    table["newer"] = NONE
    wholes[chain] = len(rows)
    if len(rows):
        table["older"][rows[1:]] = rows[:-1]
        table["newer"][rows[:-1]] = rows[1:]
        wholes[chain + OLDEST], wholes[chain + NEWEST] = rows[0], rows[-1]
