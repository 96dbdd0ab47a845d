"""The fold of connections: each item into the open day, each day's end into the columns."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from asterism.core.connections.day import (
    DayItems,
    Graph,
    Seen,
    Watch,
    close_day,
    look,
    open_next_days,
    work_of_a_day,
)
from asterism.core.connections.evidence import CAPS
from asterism.core.connections.findings import finding_of
from asterism.core.connections.first_items import LinkDays, settle_first
from asterism.core.connections.link_type import low_bits
from asterism.core.connections.open_day import OpenDay
from asterism.core.connections.quiet import all_asleep, pass_quiet_days
from asterism.core.connections.tables import NOT_FORMED
from asterism.core.connections.today import Settled, StarAct, settle_star
from asterism.core.connections.turns import FOUND_BITS, MOST, Turn, let_go
from asterism.core.connections.words import (
    Direction,
    EvidenceKind,
    LinkKind,
    LinkState,
    StarState,
    domain_number,
    parse,
)
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.columns import Bytes, Rows
from asterism.core.ledger.items import Item
from asterism.core.ledger.nodes import Nodes
from asterism.core.ledger.payloads import number


class Gain(NamedTuple):
    """What one item of evidence added, and why no more."""

    row: int
    before: float
    after: float
    raw_gain: float
    freshness: float
    day_total: float
    capped_by: str | None

    @property
    def gain(self) -> float:
        """What the item really added."""
        return self.after - self.before


class SeedLook(NamedTuple):
    """Pairs that the seed's detection looked at, what it saw, and whether some stars were left out."""

    a: Rows
    b: Rows
    seen: Seen
    cut: bool


class Connections(OpenDay):
    """Stars and the connections between nodes, folded up to an open day."""

    name = "connections"

    # Items of the open day

    def apply(self, item: Item, day: int) -> Gain | None:
        """Fold one item of the open day."""
        act = ACTS.get(item.what)
        if act is not None:
            self._acted(item, day, act)
            return None
        return APPLY[item.what](self, item, day)

    def _star_added(self, item: Item, day: int) -> None:
        star = str(item.payload["star"])
        row = self._node_row(self.nodes.declare(star, "star"))
        stars = self.graph.stars
        if stars.born_day[row] < day:
            return
        today = self._star_day(row)
        added = (item.at, item.id, domain_number(item.payload.get("domain")))
        if today.added is not None and today.added <= added:
            return
        today.added = added
        self.names[row] = str(item.payload["name"])
        self.nodes.revision = object()
        stars.domain[row] = added[2]
        if stars.born_day[row] == NOT_FORMED:
            stars.born_day[row] = day
            stars.brightness[row] = stars.day_start[row] = self.parameters.new_star_brightness
            stars.variance[row] = self.parameters.initial_variance
            stars.ring_row[row] = self.graph.ring.add()
        stars.last_seen[row] = day
        if self.graph.first_star_day > day:
            self.graph.first_star_day = day
            for link_row in self.link_days:  # excavation begins with this day: what was settled before knew it not
                self.resettle_link(link_row, day)
        self._settle_star(row, day)

    def _acted(self, item: Item, day: int, act: StarAct) -> None:
        row = self._node_row(self.nodes.intern(str(item.payload["star"])))
        value = number(item.payload.get("impact", item.payload.get("value", 0.0)), "value")
        self._star_day(row).add(item.at, item.id, act, value)
        self._settle_star(row, day)

    def _evidence(self, item: Item, day: int) -> Gain:
        if "finding" in item.payload:
            return self._found(item, day)
        kind = evidence_kind(str(item.payload["kind"]))
        a, b = self._ends(item)
        row = self._link_row(a, b)
        before = self.graph.links.strength.item(row)
        settled = self._add_evidence(row, day, at=item.at, kind=kind)
        self._engage_by_evidence(a, day)
        self._engage_by_evidence(b, day)
        raw_gain = self.rules.gains[kind] * settled.factor
        return Gain(
            row, before, settled.row.strength, raw_gain, settled.freshness, settled.day_total, settled.capped_by
        )

    def _found(self, item: Item, day: int) -> Gain:
        """Fold a finding: it may be evidence, and engages nobody."""
        row = self._link_row(*self._ends(item))
        before, today, gains = self.graph.links.strength.item(row), self._link_day(row), self.rules.gains
        finding = finding_of(item)
        if today.add_finding(finding, day=day, gains=gains, interval=self.parameters.finding_interval):
            self._in_window(row, day)
        settled = self._settle_link(row, today, day)
        raw_gain = gains[finding.kind] * settled.factor if today.counted == finding else 0.0
        return Gain(
            row, before, settled.row.strength, raw_gain, settled.freshness, settled.day_total, settled.capped_by
        )

    def apply_evidence(self, items: Sequence[Item], day: int) -> list[Gain]:
        """Fold a run of evidence of the open day: the bits that item by item gives, but many links at once."""
        if len(items) < FEW:
            return [self._evidence(item, day) for item in items]
        found = {place for place, item in enumerate(items) if "finding" in item.payload}
        if found:
            told = iter(self.apply_evidence([item for place, item in enumerate(items) if place not in found], day))
            return [self._found(item, day) if place in found else next(told) for place, item in enumerate(items)]
        ends = self._all_ends(items)
        rows = self._link_rows(ends)
        times, begun = Counter(rows), self.link_days
        first = [place for place, row in enumerate(rows) if times[row] == 1 and row not in begun]
        if len(first) == len(items):
            return self._first_evidence(items, np.array(rows), np.array(ends), day)
        together = self._first_evidence(
            [items[place] for place in first], np.array(rows)[first], np.array(ends)[first], day
        )
        gains = dict(zip(first, together, strict=True))
        return [gains.get(place) or self._evidence(item, day) for place, item in enumerate(items)]

    def _first_evidence(
        self, items: Sequence[Item], rows: NDArray[np.intp], ends: NDArray[np.intp], day: int
    ) -> list[Gain]:
        """Fold the first items of today on links that are all different."""
        graph, rules = self.graph, self.rules
        kind = np.array([evidence_kind(str(item.payload["kind"])) for item in items], dtype=np.uint8)
        settled = settle_first(
            graph.links,
            rows,
            at=np.array([item.at for item in items], dtype=np.int64),
            kind=kind,
            gain=np.array(rules.gains)[kind],
            day=day,
            excavating=rules.excavating(day, graph.first_star_day),
            connections=graph.stars.connections[ends].max(axis=1),
            rungs=rules.rungs,
            parameters=self.parameters,
        )
        self.link_days.wait(rows.tolist(), settled.first)
        graph.window.append(rows, day)
        graph.degrees_changed |= bool((settled.first.start.alive() == graph.links.latent[rows]).any())
        self._engage_all_by_evidence(ends.ravel(), day)
        first = settled.first
        columns = (
            first.start.strength,
            settled.strength,
            first.gain * first.factor,
            settled.freshness,
            settled.total,
        )
        caps = [CAPS[cap] for cap in settled.capped_by.tolist()]
        told = zip(rows.tolist(), *(column.tolist() for column in columns), caps, strict=True)
        return [Gain._make(each) for each in told]

    def _add_evidence(self, row: int, day: int, *, at: int, kind: EvidenceKind) -> Settled:
        today = self._link_day(row)
        today.add_evidence(at, kind, self.rules.gains[kind])
        self._in_window(row, day)
        return self._settle_link(row, today, day)

    def _in_window(self, row: int, day: int) -> None:
        window = self.graph.window
        window.put_row(window.add(), (row, day))

    def _denied(self, item: Item, day: int) -> None:
        row = self._link_row(*self._ends(item))
        self._link_day(row).denials += 1
        self.resettle_link(row, day)

    def _type_assigned(self, item: Item, day: int) -> None:
        row = self._link_row(*self._ends(item))
        kind = parse(LinkKind, str(item.payload["kind"]), what="link kind")
        direction = parse(Direction, str(item.payload["direction"]), what="direction")
        today = self._link_day(row)
        assigned = (item.at, item.id, int(kind), int(direction))
        if today.assigned is None or assigned > today.assigned:
            today.assigned = assigned
            self.resettle_link(row, day)

    def _discovery(self, _: Item, day: int) -> None:
        """Link the unlinked pairs among recently engaged stars in which something is seen (D5)."""
        a, b, seen, cut = self.look_for_links(day)
        self.graph.pairs_not_tested += cut
        for place in np.flatnonzero(seen.correlated | seen.caused).tolist():
            pair = (int(a[place]), int(b[place]))
            row = self.pairs.get(*pair)
            if row is not None and (row in self.discovered or self._was_linked(row)):
                continue
            self._discovered(self._link_row(*pair), seen, place, day)

    def look_for_links(self, day: int) -> SeedLook:
        """Look at the pairs of stars that were engaged and told a value of lately, by the days before today (D5)."""
        stars, p = self.graph.stars.trim(), self.parameters
        # today is not over: the order of its items cannot matter
        recent = low_bits(p.engagement_days + 1) & ~np.uint64(1)
        told = (stars.engaged_days & recent).astype(np.bool_) & (stars.observed_days & recent).astype(np.bool_)
        rows = np.flatnonzero(told & (stars.ring_row >= 0))
        by_id = sorted(rows.tolist(), key=self.nodes.ids.__getitem__)  # ties point from the smaller id
        cut = len(by_id) > p.discover_max_stars
        rows = np.array(by_id[: p.discover_max_stars], dtype=np.intp)
        first, second = np.triu_indices(len(rows), k=1)
        a, b = rows[first], rows[second]
        return SeedLook(a, b, look(self.yesterday(), self.rules, a, b, day=day - 1), cut)

    def _discovered(self, row: int, seen: Seen, place: int, day: int) -> None:
        """Begin a link with what was detected: its evidence, and its first evaluation."""
        self.discovered.add(row)
        kinds = seen.evidence(place)
        today = self._link_day(row)
        start = today.start._replace(
            evaluated_day=day,
            raw_evaluated=today.start.raw + len(kinds),
            lag_hours=seen.causation.lag_hours.item(place),
            causation=seen.causation.confidence.item(place),
            same_sign=seen.causation.same_sign.item(place),
            lag_direction=seen.causation.direction.item(place),
        )
        if not start.user_type:
            start = start._replace(kind=seen.kind.item(place), direction=seen.direction.item(place))
            self.graph.turns.note(np.array([row]), day, Turn.FOUND_KIND, np.array([start.kind]))
        today.start = start
        self.graph.turns.note(np.array([row]), day, Turn.FOUND, np.array([sum(FOUND_BITS[kind] for kind in kinds)]))
        for kind in kinds:
            self._add_evidence(row, day, at=day * MICROS_PER_DAY, kind=kind)

    def yesterday(self) -> Graph:
        """Give the graph as detection saw it at yesterday's end: day-masks one day back, today's events not there."""
        stars = self.graph.stars.copy()
        for mask in (stars.engaged_days, stars.valued_days, stars.observed_days, stars.stuck_days):
            mask >>= np.uint64(1)
        stars.state[: stars.size] = self._states_as_the_day_began()
        return Graph(
            self.graph.links,
            stars,
            self.graph.ring,
            self.graph.events,
            self.graph.window,
            self.graph.predictions,
            self.graph.turns,
        )

    def _states_as_the_day_began(self) -> Bytes:
        states: Bytes = self.graph.stars.trim().state.copy()
        for row, today in self.star_days.items():
            states[row] = today.start.state
        return states

    def look_yesterday(self, a: int, b: int, day: int) -> Seen:
        """Show what detection saw in one pair at yesterday's end."""
        pair = (np.array([a]), np.array([b]))
        return look(self.yesterday(), self.rules, *pair, day=day - 1)

    def _was_linked(self, row: int) -> bool:
        """Say whether a pair was a link, or a dissolved one, as the day began."""
        today = self.link_days.get(row)
        start = today.start if today else self._row(row)
        return start.raw > 0 and (not start.latent or start.state == LinkState.DISSOLVED)

    # Days

    def copy(self, nodes: Nodes) -> Connections:
        """Copy everything that can change, for a look ahead that leaves this as it is."""
        copied = Connections(nodes, self.parameters)
        copied.rules, copied._ended = self.rules, self._ended
        g = self.graph
        copied.graph = replace(
            g,
            links=g.links.copy(),
            stars=g.stars.copy(),
            ring=g.ring.copy(),
            events=g.events.copy(),
            window=g.window.copy(),
            predictions=g.predictions.copy(),
            records=g.records.copy(),
            turns=g.turns.copy(),
        )
        copied.names = list(self.names)
        copied.pairs = self.pairs.copy()
        copied.day = self.day
        copied.link_days = self.link_days.copy()
        copied.star_days = {row: today.copy() for row, today in self.star_days.items()}
        copied.discovered = set(self.discovered)
        return copied

    def close_days(self, until: int, watch: Watch | None = None) -> int:
        """Fold the end of every day before a given one, and open that; give the work that it was, in items."""
        assert self.day is not None
        graph, work = self.graph, 0
        while self.day < until:
            self._compile_if_worth_it()
            rules = self.rules
            if self.link_days or self.star_days or (watch is not None and not all_asleep(graph, rules)):
                work += work_of_a_day(graph)
                self.close_day(watch)
            else:
                if watch is not None:
                    watch.slept(self.day, until, graph)
                turns = graph.turns.size
                work += pass_quiet_days(graph, rules, day=self.day, until=until, link_ranks=self._link_ranks)
                graph.turns.in_order(turns)
                self._let_go_of_turns()
                self.day = until
        return work

    def _compile_if_worth_it(self) -> None:
        """Go on with the compiled day's end once so many links' days were ended here that loading it pays."""
        self._ended += self.graph.links.size
        needed = COMPILED_AGAIN if "numba" in sys.modules else COMPILED_FROM
        if self.rules.kernel is None and self._ended >= needed:
            self._ended = -sys.maxsize  # it is tried once
            with suppress(ImportError):  # without the extra, the columns give the same bits
                self.compile()

    def compile(self) -> None:
        """End days by compiled code from now on; needs the extra `fast`."""
        from asterism.core.connections import day_kernel  # loading the compiler takes a second

        self.rules = replace(self.rules, kernel=day_kernel)

    def close_day(self, watch: Watch | None = None) -> None:
        """Fold the open day's end and open the next."""
        assert self.day is not None
        day = self.day
        stars = self.graph.stars
        stars.extend_to(len(self.nodes))
        self.names.extend([""] * (len(self.nodes) - len(self.names)))
        engage_gain = np.zeros(stars.size)
        changes: list[tuple[int, int, float]] = []
        for row, today in self.star_days.items():
            if stars.born_day[row] == NOT_FORMED:
                continue
            settled = settle_star(today, engaged_by_evidence=False, parameters=self.parameters)
            engage_gain[row] = settled.engage_gain
            changes += [(at, row, change) for at, change in settled.events]
        for at, row, change in sorted(changes):
            place = self.graph.events.add()
            self.graph.events.star[place], self.graph.events.at[place] = row, at
            self.graph.events.change[place] = change
        dark = self._states_as_the_day_began() == StarState.DARK
        items = DayItems(engage_gain, dark, self.link_days, self._link_ranks)
        self._note_crowds(day)
        close_day(self.graph, self.rules, day=day, items=items, watch=watch)
        self.link_days = LinkDays()
        self.star_days = {}
        self.discovered = set()
        self.day = day + 1
        self._let_go_of_turns()
        open_next_days(self.graph, self.rules, day=day, until=day + 1)

    def _let_go_of_turns(self) -> None:
        """Keep turns near their bound: a copy of the rest is worth it now and then."""
        graph = self.graph
        if graph.turns.size > MOST + MOST // 4:
            graph.turns, graph.turns_from = let_go(graph.turns, since=graph.turns_from, most=MOST)

    def _note_crowds(self, day: int) -> None:
        """Note at which of today's links the busier end was so busy that it slowed them, or could have."""
        links, connections = self.graph.links, self.graph.stars.connections
        rows = np.array(list(self.link_days), dtype=np.intp)
        crowd = np.maximum(connections[links.a[rows]], connections[links.b[rows]])
        crowded = crowd > self.parameters.soft_cap
        self.graph.turns.note(rows[crowded], day, Turn.CROWDED, crowd[crowded])


@cache
def evidence_kind(text: str) -> EvidenceKind:
    """Read a kind of evidence; every item names one of seven."""
    return parse(EvidenceKind, text, what="evidence kind")


COMPILED_FROM = (
    60_000_000  # days of links, about three seconds of work: for fewer, the compiler costs more than it saves
)
COMPILED_AGAIN = 1_000_000  # once it is loaded
FEW = 16  # items below which folding them together costs more than one by one

ACTS = {
    "acknowledged": StarAct.ACKNOWLEDGED,
    "engaged": StarAct.ENGAGED,
    "brightness_observed": StarAct.OBSERVED,
    "contradicted": StarAct.CONTRADICTED,
    "dark_marked": StarAct.DARK_MARKED,
    "dark_disputed": StarAct.DARK_DISPUTED,
}
APPLY: dict[str, Callable[[Connections, Item, int], Gain | None]] = {
    "star_added": Connections._star_added,
    "evidence": Connections._evidence,
    "denied": Connections._denied,
    "type_assigned": Connections._type_assigned,
    "discovery": Connections._discovery,
}
KINDS = frozenset(ACTS) | frozenset(APPLY)
