"""The open day: what was said so far today, kept so that the order of arrival cannot matter.

Theory of operation. A ledger is a set: two copies that hold the same items must show the same numbers to the bit, in
whatever order each heard of them. Days make that affordable. Between days the order is fixed, by the calendar: a day
is folded when it is over, and an item of an earlier day sends the fold back to a checkpoint (`LateItem`). Inside the
one day that is open everything is a function of the *set* of its items, and an item that comes out of order costs one
row, not a replay.

Held, for each link and each star that was touched today, is a note: the row as the day began (`start`) and what was
said since. The columns always show the rows as they are with all of today's items, so reading needs no special case.

    an item comes     what is noted of it                               settled again, from `start`
    ----------------  ------------------------------------------------  ---------------------------------------------
    evidence          LinkDay: time, base gain, kind                    the link; both ends count as engaged today
    a finding         LinkDay: the finding; one at most is evidence     the link; nobody is engaged
    denied            LinkDay: one more denial                          the link: denials come after all gains
    type_assigned     LinkDay: the latest by (at, id)                   the link
    discovery         what yesterday shows, as evidence                 each link found, once a day (`discovered`)
    star_added        StarDay: the earliest by (at, id)                 the star; every link, if excavation begins
    any other act     StarDay: the act, in the order (at, id)           the star

    the day ends      (fold.py `close_day`, day.py)
    ----------------  -------------------------------------------------------------------------------------------------
    notes are read    the stars' events go to the event log in the order of time; gains and denials are in the columns
    one step for all  prediction, decay, type, state, influence: columns against columns, nothing item by item
    then              the notes are thrown away, evidence ages by a day, and the next day is open
    no notes at all   a quiet day: only what is awake is ended (`quiet.py`)

Why any order gives the same bits:

1. A note forgets the order of arrival. Times, gains and acts are kept sorted; of assignments the last counts, of
   additions the first, by (at, id), which no two items share; denials are a number. `kinds` alone is unsorted, and is
   asked only where there is a single one, or sorted by who asks.
2. Settling begins at `start`, never at what the last settling gave. So the result is a function of the note, and sums
   of floats are added in one order: gains from the largest, gaps from the earliest.
3. Whatever else a row depends on is taken as the day began: the connections of the busier end, the star's boost, who
   was DARK, what detection saw yesterday. No row asks another what today did to it. One thing cannot wait: the first
   star of a space makes this its first day of excavation, on which every gain of today depends; then every noted link
   is settled again.
4. What an item does to rows other than its own says only "today": engaged, seen, awake, not archived. Twice is once.

The notes travel in a checkpoint (`snapshot.py`), so one can be taken in the middle of a day. Where a batch says one
thing each of many links, their notes lie as columns until somebody asks for one (`first_items.py`), by the same
formulas (`evidence.py`).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from operator import neg
from typing import NamedTuple

from asterism.core.connections.evidence import (
    CAPS,
    capped_by,
    day_factor,
    day_gain,
    freshness,
    gap_square,
    strength_after,
)
from asterism.core.connections.findings import Finding, Found, counting, spoken
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.states import Ladder, active_state
from asterism.core.connections.tables import FIRST_BY_EVIDENCE, NEVER, NOT_FORMED, LinkRow
from asterism.core.connections.words import (
    CO_MENTIONS,
    CONFIRMING,
    Direction,
    EvidenceKind,
    LinkKind,
    LinkState,
    StarState,
)


@dataclass(slots=True)
class LinkDay:
    """One link's open day: how it began and what was said of it."""

    start: LinkRow
    times: list[int] = field(default_factory=list)
    gains: list[float] = field(default_factory=list)  # base gains, largest first
    kinds: list[int] = field(default_factory=list)
    gap_squares: float = 0.0  # of the gaps since the day before, in days
    factor: float = 1.0  # freshness x excavation x soft cap, as last settled
    denials: int = 0
    assigned: tuple[int, bytes, int, int] | None = None  # at, id, kind, direction: the last one counts
    findings: list[Finding] = field(default_factory=list)
    counted: Finding | None = None  # the finding that is evidence too

    def add_evidence(self, at: int, kind: EvidenceKind, gain: float) -> None:
        """Note one item of evidence."""
        if self.times and at < self.times[-1]:
            insort(self.times, at)
            self.gap_squares = self._all_gap_squares()
        else:
            self.gap_squares += gap_square(self._last_time(at), at)
            self.times.append(at)
        insort(self.gains, gain, key=neg)
        self.kinds.append(kind)

    def add_finding(self, finding: Finding, *, day: int, gains: Sequence[float], interval: int) -> bool:
        """Note one finding; of a day's findings one at most is evidence. Say whether there is more evidence now."""
        insort(self.findings, finding)
        before, self.counted = self.counted, counting(self.findings, self.start, day=day, interval=interval)
        if self.counted is None or self.counted == before:
            return False
        if before is not None:
            self._take_back(before.at, before.kind, gains[before.kind])
        self.add_evidence(self.counted.at, EvidenceKind(self.counted.kind), gains[self.counted.kind])
        return before is None

    def told(self) -> tuple[list[int], list[int]]:
        """Give times and kinds, each in order, of the evidence that is no finding."""
        times, kinds = list(self.times), sorted(self.kinds)
        if self.counted is not None:
            times.remove(self.counted.at)
            kinds.remove(self.counted.kind)
        return times, kinds

    def denied(self) -> bool:
        """Say whether a user denied the link and none confirmed it since; of a day, denials come last."""
        return self.denials > 0 or (self.start.denied and CONFIRMING.isdisjoint(self.kinds))

    def copy(self) -> LinkDay:
        """Copy the day, so that one copy can go on without the other."""
        return replace(
            self,
            times=list(self.times),
            gains=list(self.gains),
            kinds=list(self.kinds),
            findings=list(self.findings),
        )

    def _take_back(self, at: int, kind: int, gain: float) -> None:
        self.times.remove(at)
        self.gains.remove(gain)
        self.kinds.remove(kind)
        self.gap_squares = self._all_gap_squares() if self.times else 0.0

    def _last_time(self, at: int) -> int:
        if self.times:
            return self.times[-1]
        return self.start.last_at if self.start.raw and self.start.state != LinkState.DISSOLVED else at

    def _all_gap_squares(self) -> float:
        times, self.times = self.times, []
        previous, total = self._last_time(times[0]), 0.0
        for at in times:
            total, previous = total + gap_square(previous, at), at
        self.times = times
        return total


class Settled(NamedTuple):
    """What a link is after the open day's items, with the arithmetic that led there."""

    row: LinkRow
    factor: float
    freshness: float
    day_total: float
    capped_by: str | None


def settle_link(
    today: LinkDay,
    *,
    day: int,
    excavating: bool,
    connections: int,
    rungs: Ladder,
    parameters: ConnectionParameters,
) -> Settled:
    """Fold one link's open day: gains, then denials (spec 01, day order).

    `connections` is the number of connections of the busier end as the day began (D4).
    """
    p = parameters
    start = today.start
    arrived = len(today.times)
    if start.state == LinkState.DISSOLVED:  # evidence from before a dissolution never counts again
        if not arrived:
            row = spoken(start, [finding for finding in today.findings if not finding.holds])
            return Settled(row._replace(denied=today.denied()), 1.0, 1.0, 0.0, None)
        start = start._replace(**REBORN)  # type: ignore[arg-type]  # each value is of its field
    fresh = freshness(day=day, last_evidence_day=start.last_day, parameters=p)
    factor = day_factor(fresh, state=start.state, connections=connections, excavating=excavating, parameters=p)
    total = day_gain((gain * factor for gain in today.gains), p)
    strength = strength_after(start.strength, total, p)

    today.factor = factor
    if arrived:
        effective = start.effective + arrived
        state = int(active_state(strength, effective, rungs))
        lone_co_mention = start.raw == 0 and arrived == 1 and today.kinds[0] in CO_MENTIONS and not excavating
        row = LinkRow(
            *start[:FIRST_BY_EVIDENCE],
            strength=strength,
            state=state,
            held_state=state,
            latent=lone_co_mention,
            raw=start.raw + arrived,
            effective=effective,
            first_at=start.first_at if start.raw else today.times[0],
            last_at=today.times[-1],
            last_day=day,
            fed_day=day,
            gap_squares=start.gap_squares + today.gap_squares,
            formed_day=start.formed_day if start.raw else day,
        )
    else:
        row = start._replace(strength=strength)
    if today.assigned is not None:
        row = row._replace(kind=today.assigned[2], direction=today.assigned[3], user_type=True)
    if today.findings:
        row = spoken(row, today.findings)
        row = row if today.counted is None else row._replace(found_day=day)
    row = row._replace(denied=today.denied())
    for _ in range(today.denials if row.raw else 0):
        row = deny(row, rungs=rungs, parameters=p)
        if row.state == LinkState.DISSOLVED:
            break
    return Settled(row, factor, fresh, total, CAPS[capped_by(start.strength, total, p)])


def deny(row: LinkRow, *, rungs: Ladder, parameters: ConnectionParameters) -> LinkRow:
    """Take a denial: .15 from WEAK and above, dissolution below (spec 01, Decay)."""
    strength = row.strength - parameters.denial_cost
    if row.state < LinkState.WEAK or strength <= 0:
        return dissolve(row)
    return row._replace(strength=strength, state=int(active_state(strength, row.effective, rungs)))


def dissolve(row: LinkRow) -> LinkRow:
    """End a link: its evidence stays counted in the archive and never counts again."""
    return row._replace(
        strength=0.0, state=int(LinkState.DISSOLVED), effective=0.0, formed_day=NOT_FORMED, blocking=False
    )


REBORN: Mapping[str, float] = {  # a dissolved pair's next life begins with nothing but its ends
    "strength": 0.0,
    "kind": int(LinkKind.RESONANCE),
    "direction": int(Direction.NONE),
    "state": int(LinkState.NASCENT),
    "user_type": False,
    "latent": False,
    "raw": 0,
    "effective": 0.0,
    "last_day": NEVER,
    "gap_squares": 0.0,
    "evaluated_day": NEVER,
    "raw_evaluated": 0,
    "lag_hours": float("nan"),
    "causation": 0.0,
    "same_sign": False,
    "lag_direction": 0,
    "found": int(Found.NEVER),
    "fed_day": NEVER,
}


class StarAct(IntEnum):
    """What can be said of a star in a day."""

    ACKNOWLEDGED = 0
    ENGAGED = 1
    OBSERVED = 2
    CONTRADICTED = 3
    DARK_MARKED = 4
    DARK_DISPUTED = 5


@dataclass(slots=True)
class StarDay:
    """One star's open day: how it began and what was said of it, in fold order."""

    start: StarStart
    acts: list[tuple[int, bytes, int, float]] = field(default_factory=list)  # at, id, act, value
    added: tuple[int, bytes, int] | None = None  # at, id, domain: the first one counts

    def add(self, at: int, item_id: bytes, act: StarAct, value: float) -> None:
        """Note one act."""
        insort(self.acts, (at, item_id, int(act), value))

    def copy(self) -> StarDay:
        """Copy the day, so that one copy can go on without the other."""
        return replace(self, acts=list(self.acts))


@dataclass(frozen=True, slots=True)
class StarStart:
    """The part of a star that its own items can change."""

    is_star: bool
    state: int
    brightness: float
    last_observed: float
    contradictions: int
    dark_marked: bool
    boost: float


@dataclass(frozen=True, slots=True)
class SettledStar:
    """What a star is after the open day's items."""

    state: int
    brightness: float
    last_observed: float
    contradictions: int
    dark_marked: bool
    engaged: bool
    observed: bool
    engage_gain: float
    events: tuple[tuple[int, float], ...]  # time and change


def settle_star(today: StarDay, *, engaged_by_evidence: bool, parameters: ConnectionParameters) -> SettledStar:
    """Fold one star's open day: each act in order, from the star as the day began (spec 01, Stars)."""
    p = parameters
    start = today.start
    state, brightness = start.state, start.brightness
    if not start.is_star:
        state, brightness = int(StarState.NASCENT), p.new_star_brightness
    if engaged_by_evidence and state == StarState.DORMANT:
        state = StarState.FLICKERING
    observed_value, contradictions, marked = start.last_observed, start.contradictions, start.dark_marked
    engaged = observed = False
    gained = 0.0
    events: list[tuple[int, float]] = []
    for at, _, act, value in today.acts:
        if act == StarAct.ENGAGED:
            engaged = True
            if state == StarState.NASCENT:
                brightness = p.acknowledged_brightness
            else:
                gain = min(value * (1.0 + start.boost), p.max_daily_brightness_gain - gained, 1.0 - brightness)
                gained += gain
                brightness += gain
        elif act == StarAct.OBSERVED:
            observed = True
            if observed_value == observed_value and round(abs(value - observed_value), 9) >= p.event_threshold:
                events.append((at, value - observed_value))
            brightness = observed_value = value
        elif act == StarAct.ACKNOWLEDGED and state == StarState.NASCENT:
            brightness = p.acknowledged_brightness
        elif act == StarAct.CONTRADICTED:
            contradictions += 1
        elif act == StarAct.DARK_MARKED:
            marked = True
        elif act == StarAct.DARK_DISPUTED:
            contradictions, marked = 0, False
            if state == StarState.DARK:
                state = StarState.DIM
        state = _state_after(act, state, dark=marked or contradictions >= p.dark_contradictions)
    return SettledStar(
        int(state),
        brightness,
        observed_value,
        contradictions,
        marked,
        engaged,
        observed,
        gained,
        tuple(events),
    )


def _state_after(act: int, state: int, *, dark: bool) -> int:
    if dark and act in (StarAct.DARK_MARKED, StarAct.CONTRADICTED):
        return int(StarState.DARK)
    wakes = act in (StarAct.ENGAGED, StarAct.OBSERVED) and state in (StarState.NASCENT, StarState.DORMANT)
    acknowledged = act == StarAct.ACKNOWLEDGED and state == StarState.NASCENT
    return int(StarState.FLICKERING) if wakes or acknowledged else state
