"""One link's story without the rest of the memory: its items, its ends' engagements, and its turns, folded again.

The day of a link is the one of `day.py`, for a single row:

    items -> predictions that came true -> decay -> what detection added -> state -> evidence ages by a day

Gains and states are the functions that the fold uses; what a link gets from everything else is in its turns
(`turns.py`). So the strength at the end is the fold's to the bit, and it is compared with it: a story that does not
arrive there, or begins before the turns that are kept, is not told, and `why` watches a fold of everything instead.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from asterism.core.connections.day import Rules
from asterism.core.connections.decay import exponential_decay, settled, soft_floor_decay
from asterism.core.connections.evidence import strength_after
from asterism.core.connections.explain import row_of
from asterism.core.connections.findings import Found, finding_of
from asterism.core.connections.fold import Connections, evidence_kind
from asterism.core.connections.states import active_state, day_end_state
from asterism.core.connections.tables import NEVER, NOT_FORMED, LinkRow, Links
from asterism.core.connections.telling import LinkTelling, decay_text
from asterism.core.connections.today import LinkDay, dissolve, settle_link
from asterism.core.connections.turns import FOUND_BITS, Turn
from asterism.core.connections.words import Direction, LinkKind, LinkState, parse
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.items import Item

OWN = frozenset({"evidence", "denied", "type_assigned"})  # items that say something of a pair
KINDS = OWN | {"engaged", "brightness_observed"}  # items that a link's story needs, where they name an end of it
FIRST = tuple(first for _, first in Links.schema.values())
Turned = dict[Turn, list[float]]


def link_story(folded: Connections, ends: tuple[str, str], items: Iterable[Item]) -> LinkTelling | None:
    """Tell a pair's story up to the open day, by the items that name an end of it and count, in order."""
    row = row_of(folded, *ends)
    assert row is not None
    assert folded.day is not None
    own, engaged, told = _sorted_out(folded, ends, items)
    turns: dict[int, Turned] = defaultdict(lambda: defaultdict(list))
    for day, turn, value in folded.graph.turns.of(row):
        turns[day][turn].append(value)
    found = (day for day, turned in turns.items() if Turn.FOUND in turned)
    first = min(chain(own, found), default=folded.day)
    if first < folded.graph.turns_from:
        return None
    link = _Link(folded, row, engaged, told)
    happens = sorted({*own, *turns})
    day = first
    while day < folded.day:
        link.live(day, own.get(day, ()), turns.get(day, {}))
        day += 1
        if link.asleep and day not in own and day not in turns:
            place = bisect_left(happens, day)
            day = happens[place] if place < len(happens) else folded.day
            link.telling.value = link.row.strength  # as a day without items leaves it
    today = folded.link_days.get(row)
    began = today.start.strength if today else folded.graph.links.strength.item(row)
    return link.telling if link.row.strength == began else None


def _sorted_out(
    folded: Connections, ends: tuple[str, str], items: Iterable[Item]
) -> tuple[dict[int, list[Item]], list[int], frozenset[int]]:
    """Give the pair's own items by day, the days on which an end was engaged, and those on which both had a value."""
    pair, rows, stars = set(ends), folded.nodes.rows, folded.graph.stars
    born = {end: stars.born_day.item(rows[end]) for end in ends}
    own: dict[int, list[Item]] = {}
    engaged: dict[int, None] = {}
    valued: dict[str, set[int]] = {end: set() for end in ends}
    for item in items:
        day, payload = item.at // MICROS_PER_DAY, item.payload
        if "star" in payload:
            star = str(payload["star"])
            if day >= born.get(star, NOT_FORMED + 1):
                if item.what == "engaged":
                    engaged[day] = None
                else:
                    valued[star].add(day)
            continue
        a, b = payload["a"], payload["b"]
        if item.what == "evidence" and (a in pair or b in pair) and "finding" not in payload:
            engaged[day] = None
        if a in pair and b in pair:
            own.setdefault(day, []).append(item)
    return own, list(engaged), frozenset.intersection(*map(frozenset, valued.values()))


class _Link:
    """One link, day after day."""

    def __init__(self, folded: Connections, row: int, engaged: Sequence[int], told: Collection[int]) -> None:
        self.rules: Rules = folded.rules
        self.first_star_day = folded.graph.first_star_day
        self.engaged, self.told = engaged, told  # days: an end was engaged, both had a value
        a, b = folded.graph.links.a.item(row), folded.graph.links.b.item(row)
        self.row = LinkRow._make((a, b, *FIRST[2:]))
        self.evidence: list[tuple[int, int]] = []  # of this life: day, items
        self.telling = LinkTelling()

    def live(self, day: int, items: Sequence[Item], turned: Turned) -> None:
        """Fold one day, from its items to its end."""
        telling, p = self.telling, self.rules.parameters
        excavating = self.rules.excavating(day, self.first_star_day)
        self.row = self.row._replace(effective=self._effective(day))
        today = self._items(day, items, turned, excavating=excavating)
        telling.items(day, self.row.strength, today, self.rules)
        for _ in turned.get(Turn.VERIFIED, ()):
            self.row = self.row._replace(strength=strength_after(self.row.strength, p.prediction_verified_bonus, p))
        telling.stage("prediction", day, self.row.strength)
        self._decay(day, excavating=excavating)
        detected = self._detect(day, turned)
        telling.stage("detected", day, self.row.strength)
        self._settle(day, detected=detected)
        telling.stage("state", day, self.row.strength)

    @property
    def asleep(self) -> bool:
        """Whether nothing changes until something happens: dissolved, or dormant for good."""
        row = self.row
        return row.state == LinkState.DISSOLVED or (row.state == LinkState.DORMANT and (row.raw != 1 or row.latent))

    def _effective(self, day: int) -> float:
        """Count the evidence of this life: an item is worth 1, .5 once it is old, and nothing in the end."""
        if not self.evidence:
            return self.row.effective
        half_life = self.rules.parameters.evidence_half_life
        self.evidence = [each for each in self.evidence if day - each[0] <= 2 * half_life]
        return sum((items * (1.0 if day - told <= half_life else 0.5) for told, items in self.evidence), 0.0)

    def _items(self, day: int, items: Sequence[Item], turned: Turned, *, excavating: bool) -> LinkDay | None:
        if not items and Turn.FOUND not in turned:
            return None
        today = LinkDay(self.row)
        if Turn.FOUND_KIND in turned:
            today.start = self.row._replace(kind=int(turned[Turn.FOUND_KIND][0]))
        gains = self.rules.gains
        for found in turned.get(Turn.FOUND, ()):
            for kind, bit in FOUND_BITS.items():
                if int(found) & bit:
                    today.add_evidence(day * MICROS_PER_DAY, kind, gains[kind])
        for item in items:
            if "finding" in item.payload:
                interval = self.rules.parameters.finding_interval
                today.add_finding(finding_of(item), day=day, gains=gains, interval=interval)
            elif item.what == "evidence":
                kind = evidence_kind(str(item.payload["kind"]))
                today.add_evidence(item.at, kind, gains[kind])
            elif item.what == "denied":
                today.denials += 1
            else:
                link_kind = parse(LinkKind, str(item.payload["kind"]), what="link kind")
                direction = parse(Direction, str(item.payload["direction"]), what="direction")
                today.assigned = (item.at, item.id, int(link_kind), int(direction))  # they come in order
        crowd = turned.get(Turn.CROWDED)
        self.row = settle_link(
            today,
            day=day,
            excavating=excavating,
            connections=int(crowd[0]) if crowd else 0,
            rungs=self.rules.rungs,
            parameters=self.rules.parameters,
        ).row
        if self.row.state == LinkState.DISSOLVED:
            self.evidence = []
        elif today.times:
            self.evidence.append((day, len(today.times)))
        return today

    def _decay(self, day: int, *, excavating: bool) -> None:
        rules, p, row = self.rules, self.rules.parameters, self.row
        fade = soft_floor_decay if p.decay_shape == "soft_floor" else exponential_decay
        place = bisect_right(self.engaged, day)
        idle = day - (self.engaged[place - 1] if place else NEVER)
        rate: float = rules.link_rates.item(row.kind)
        rate = rate * p.excavation_decay_rate if excavating else rate
        awake = row.alive and row.state > LinkState.DORMANT and not row.denied
        renewed = row.found == Found.HOLDS and awake and day in self.told
        pace = 0.0 if idle <= 0 or renewed or row.state <= LinkState.DORMANT else rate
        if pace and idle <= p.activity_days:
            pace = rate * p.activity_week
        strength = float(settled(row.strength - fade(row.strength, pace=pace, floor=p.floor)))
        self.row = row._replace(strength=strength, fed_day=day if renewed else row.fed_day)
        self.telling.decay(
            day, strength, lambda: decay_text(row.kind, idle_days=idle, excavating=excavating, rules=rules)
        )

    def _detect(self, day: int, turned: Turned) -> bool:
        if Turn.KIND in turned:
            self.row = self.row._replace(kind=int(turned[Turn.KIND][0]))
        for items, turn in enumerate((Turn.DETECTED_ONE, Turn.DETECTED_BOTH), start=1):
            if turn in turned:
                added = strength_after(self.row.strength, turned[turn][0], self.rules.parameters)
                self.row = self.row._replace(
                    strength=float(settled(added)),
                    raw=self.row.raw + items,
                    effective=self.row.effective + items,
                    last_day=day,
                    fed_day=day,
                )
                self.evidence.append((day, items))
                return True
        return False

    def _settle(self, day: int, *, detected: bool) -> None:
        row, rungs = self.row, self.rules.rungs
        active = int(active_state(row.strength, row.effective, rungs))
        if detected:
            row = row._replace(held_state=active)
        state = day_end_state(
            before=row.state,
            active=active,
            basis=row.held_state if self.rules.parameters.dormancy_basis == "held" else active,
            idle_days=day - row.fed_day,
            lone=row.raw == 1 and not row.latent,
            rungs=rungs,
        )
        if state == LinkState.DISSOLVED != row.state:
            self.row = dissolve(row)
            self.evidence = []
        else:
            self.row = row._replace(state=state)
