"""The columns of connections: links, stars, predictions, and the index from a pair to its link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from asterism.core.connections.words import LinkState
from asterism.core.ledger.columns import Bools, Bytes, Floats, Ints, Longs, Masks, Table

NEVER = -(2**30)
NOT_FORMED = 2**30
RING_DAYS = 41  # brightness of this many days is at hand: the longest window and the longest trailing change


class Links(Table):
    """One row for every pair that was ever named together; `a` is the end with the smaller id."""

    schema: ClassVar[Mapping[str, tuple[str, float]]] = {
        "a": ("i4", 0),
        "b": ("i4", 0),
        "kind": ("u1", 0),
        "direction": ("u1", 0),
        "user_type": ("?", 0),
        "blocking": ("?", 0),
        "evaluated_day": ("i4", NEVER),
        "raw_evaluated": ("i4", 0),
        "lag_hours": ("f8", np.nan),  # what the last type evaluation found of causation
        "causation": ("f8", 0.0),
        "same_sign": ("?", 0),
        "lag_direction": ("u1", 0),
        "found": ("u1", 0),  # what findings say of the pair (`findings.Found`)
        "found_day": ("i4", NEVER),  # the last finding that counted as evidence
        "found_until": ("i4", NEVER),  # the last day up to which a finding saw both
        "denied": ("?", 0),  # by a user, and not confirmed by one on a later day
        "strength": ("f8", 0.0),  # from here on: what evidence changes
        "state": ("u1", 2),
        "held_state": ("u1", 2),
        "latent": ("?", 0),  # a lone co-mention after excavation: kept, but no link yet (D3)
        "raw": ("i4", 0),
        "effective": ("f8", 0.0),
        "first_at": ("i8", 0),
        "last_at": ("i8", 0),
        "last_day": ("i4", NEVER),
        "fed_day": ("i4", NEVER),  # the last day with evidence, or on which values renewed what was found
        "gap_squares": ("f8", 0.0),
        "formed_day": ("i4", NOT_FORMED),
    }
    a: Ints
    b: Ints
    kind: Bytes
    direction: Bytes
    user_type: Bools
    blocking: Bools
    evaluated_day: Ints
    raw_evaluated: Ints
    lag_hours: Floats
    causation: Floats
    same_sign: Bools
    lag_direction: Bytes
    found: Bytes
    found_day: Ints
    found_until: Ints
    denied: Bools
    strength: Floats
    state: Bytes
    held_state: Bytes
    latent: Bools
    raw: Ints
    effective: Floats
    first_at: Longs
    last_at: Longs
    last_day: Ints
    fed_day: Ints
    gap_squares: Floats
    formed_day: Ints

    def visible(self) -> Bools:
        """Mark the rows that are connections: some evidence, not latent (dissolved ones included)."""
        return (self.raw[: self.size] > 0) & ~self.latent[: self.size]

    def alive(self) -> Bools:
        """Mark the connections that are not dissolved."""
        alive: Bools = self.visible() & (self.state[: self.size] != LinkState.DISSOLVED)
        return alive

    def dissolve(self, rows: NDArray[np.integer]) -> None:
        """End links that went dormant without a second item: nothing of them counts any more."""
        self.strength[rows] = self.effective[rows] = 0.0
        self.formed_day[rows] = NOT_FORMED


class LinkRow(NamedTuple):
    """One row of `Links`, as the day began."""

    a: int
    b: int
    kind: int
    direction: int
    user_type: bool
    blocking: bool
    evaluated_day: int
    raw_evaluated: int
    lag_hours: float
    causation: float
    same_sign: bool
    lag_direction: int
    found: int
    found_day: int
    found_until: int
    denied: bool
    strength: float
    state: int
    held_state: int
    latent: bool
    raw: int
    effective: float
    first_at: int
    last_at: int
    last_day: int
    fed_day: int
    gap_squares: float
    formed_day: int

    @property
    def alive(self) -> bool:
        """Whether it is a connection, and not dissolved."""
        return self.raw > 0 and not self.latent and self.state != LinkState.DISSOLVED


FIRST_BY_EVIDENCE: Final = 16  # `strength`: from here on, the fields that evidence changes


class Stars(Table):
    """One row for every node; the brightness columns mean something where `born_day` is a day."""

    schema: ClassVar[Mapping[str, tuple[str, float]]] = {
        "born_day": ("i4", NOT_FORMED),
        "domain": ("u1", 0),
        "state": ("u1", 0),
        "brightness": ("f8", 0.0),
        "day_start": ("f8", 0.0),  # brightness as the open day began
        "variance": ("f8", 0.0),
        "days_stable": ("i4", 0),
        "last_engaged": ("i4", NEVER),  # engage, or evidence on a link
        "last_seen": ("i4", NEVER),  # any item about it
        "observed_day": ("i4", NEVER),
        "last_observed": ("f8", np.nan),
        "contradictions": ("i4", 0),
        "dark_marked": ("?", 0),
        "archived": ("?", 0),
        "boost": ("f8", 0.0),
        "cap": ("f8", 1.0),
        "connections": ("i4", 0),
        "engaged_days": ("u8", 0),  # bit k: engaged k days ago
        "valued_days": ("u8", 0),  # bit k: observed or engaged by its own items k days ago
        "observed_days": ("u8", 0),  # bit k: observed k days ago
        "stuck_days": ("u8", 0),  # bit k: stuck k days ago
        "ring_row": ("i4", -1),
    }
    born_day: Ints
    domain: Bytes
    state: Bytes
    brightness: Floats
    day_start: Floats
    variance: Floats
    days_stable: Ints
    last_engaged: Ints
    last_seen: Ints
    observed_day: Ints
    last_observed: Floats
    contradictions: Ints
    dark_marked: Bools
    archived: Bools
    boost: Floats
    cap: Floats
    connections: Ints
    engaged_days: Masks
    valued_days: Masks
    observed_days: Masks
    stuck_days: Masks
    ring_row: Ints


class Predictions(Table):
    """One row for every expectation a causal link raised (seed 6.3)."""

    schema: ClassVar[Mapping[str, tuple[str, float]]] = {
        "link": ("i4", 0),
        "star": ("i4", 0),
        "made_at": ("i8", 0),
        "expected_at": ("i8", 0),
        "from_at": ("i8", 0),
        "until_at": ("i8", 0),
        "sign": ("i1", 0),
        "confidence": ("f8", 0.0),
        "base_rate": ("f8", 0.0),  # as its day began, like the two that follow (`expectations`)
        "probability": ("f8", 0.0),
        "told": ("?", 0),
        "outcome": ("u1", 0),
        "resolved_at": ("i8", 0),
    }
    link: Ints
    star: Ints
    made_at: Longs
    expected_at: Longs
    from_at: Longs
    until_at: Longs
    sign: np.ndarray[tuple[int], np.dtype[np.int8]]
    confidence: Floats
    base_rate: Floats
    probability: Floats
    told: Bools
    outcome: Bytes
    resolved_at: Longs


class Records(Table):
    """How settled predictions did: one row for each link, sign and whether they were told, in this order.

    Sums are in millionths, so that any order of adding gives the same (`expectations`).
    """

    schema: ClassVar[Mapping[str, tuple[str, float]]] = {
        "link": ("i4", 0),
        "sign": ("i1", 0),
        "told": ("?", 0),
        "settled": ("i8", 0),
        "verified": ("i8", 0),
        "by_chance": ("i8", 0),  # of base rates
        "squares": ("i8", 0),  # of probability - outcome
        "chance_squares": ("i8", 0),  # of base rate - outcome
        "log_odds": ("i8", 0),  # of what bets by the probability would have won from the base rate, a day as one
    }
    link: Ints
    sign: np.ndarray[tuple[int], np.dtype[np.int8]]
    told: Bools
    settled: Longs
    verified: Longs
    by_chance: Longs
    squares: Longs
    chance_squares: Longs
    log_odds: Longs


class Events(Table):
    """Brightness changes of at least the event threshold, at their observation times."""

    schema: ClassVar[Mapping[str, tuple[str, float]]] = {
        "star": ("i4", 0),
        "at": ("i8", 0),
        "change": ("f8", 0.0),
    }
    star: Ints
    at: Longs
    change: Floats


class Window(Table):
    """The evidence whose age still changes the effective count: which link, on which day."""

    schema: ClassVar[Mapping[str, tuple[str, float]]] = {"link": ("i4", 0), "day": ("i4", 0)}
    link: Ints
    day: Ints

    def append(self, links: NDArray[np.integer], day: int | Ints) -> None:
        """Note evidence of a day, one entry an item."""
        first = self.size
        self.extend_to(first + len(links))
        self.link[first : self.size] = links
        self.day[first : self.size] = day

    def first_of(self, day: int) -> int:
        """Find the first entry of a date or later."""
        return int(self.day[: self.size].searchsorted(np.int32(day)))  # a plain int would widen the whole column


def pair_keys(a: NDArray[np.integer], b: NDArray[np.integer]) -> Longs:
    """Give one number for each unordered pair of nodes.

    >>> pair_keys(np.array([1, 2]), np.array([2, 1])).tolist()
    [4294967298, 4294967298]
    """
    keys: Longs = np.minimum(a, b).astype(np.int64) << 32 | np.maximum(a, b)
    return keys


class PairIndex:
    """From an unordered pair of nodes to the row of its link: a sorted array, and a dict of what came since."""

    def __init__(self, a: Ints | None = None, b: Ints | None = None) -> None:
        self._new: dict[int, int] = {}
        if a is None or b is None or not len(a):
            self._keys: Longs = np.empty(0, dtype=np.int64)
            self._rows = np.empty(0, dtype=np.intp)
            return
        keys = pair_keys(a, b)
        self._rows = np.argsort(keys, kind="stable")
        self._keys = keys[self._rows]

    def get(self, a: int, b: int) -> int | None:
        """Find the row of a pair, in either order."""
        key = a << 32 | b if a < b else b << 32 | a
        row = self._new.get(key)
        if row is None and self._keys.size:
            place = int(self._keys.searchsorted(key))
            if place < self._keys.size and self._keys[place] == key:
                row = self._new[key] = self._rows.item(place)
        return row

    def put(self, a: int, b: int, row: int) -> None:
        """Remember the row of a new pair."""
        self._new[a << 32 | b if a < b else b << 32 | a] = row

    def copy(self) -> PairIndex:
        """Copy the index; the sorted part never changes and is shared."""
        copied = PairIndex()
        copied._keys, copied._rows, copied._new = self._keys, self._rows, dict(self._new)
        return copied
