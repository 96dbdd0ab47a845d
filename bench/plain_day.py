"""The day's end as one would write it by hand: objects, a loop over the links, the seed's formulas.

`PlainSpace` is tuned: everything of a link in one body, evidence ages through a calendar, inactive links leave early.
`LiteralSpace` is the same with the seed's own functions (sections 1.2, 2.1, 4, 9.1), called link by link.
"""

from __future__ import annotations

import math
from collections import defaultdict

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.space.projection import Projection

DISSOLVED, DORMANT, NASCENT, WEAK = 0, 1, 2, 4
RESONANCE, TENSION, GROWTH_EDGE, SHADOW_MIRROR, BLOCKS = 0, 1, 3, 4, 5
STAR_NASCENT, FLICKERING, DIM, BRIGHT, DARK, STAR_DORMANT = range(6)
RUNGS = ((0.2, 2), (0.4, 3), (0.6, 5), (0.8, 8))
DORMANT_AFTER = {2: 7, 3: 14, 4: 30, 5: 45, 6: 60}
STAR_DORMANT_AFTER = {FLICKERING: 14, DIM: 30, BRIGHT: 60, DARK: 30}
HALF_LIVES = (30, 21, 14, 45, 60, 21)
STAR_HALF_LIVES = (7, 14, 21, 30, 90)
FLOOR = 0.05


class PlainStar:
    __slots__ = (
        "boost",
        "brightness",
        "cap",
        "change",
        "dark",
        "days_stable",
        "drain",
        "last_engaged",
        "last_seen",
        "rate",
        "spillover",
        "start",
        "state",
        "variance",
    )
    brightness: float
    start: float
    change: float
    variance: float
    days_stable: int
    state: int
    rate: float
    last_engaged: int
    last_seen: int
    dark: bool
    spillover: float
    drain: float
    boost: float
    cap: float


class PlainLink:
    __slots__ = (
        "a",
        "b",
        "backward",
        "blocking",
        "effective",
        "evidence",
        "kind",
        "last_day",
        "rate",
        "raw",
        "state",
        "strength",
    )
    a: PlainStar
    b: PlainStar
    strength: float
    kind: int
    rate: float
    backward: bool
    state: int
    raw: int
    effective: float
    evidence: list[int]
    last_day: int
    blocking: bool


class PlainSpace:
    """The same space as a projection, as objects."""

    def __init__(self, projection: Projection) -> None:
        graph = projection.connections.graph
        assert projection.day is not None
        assert projection.parameters.connections == ConnectionParameters(), "the constants above are the defaults"
        self.day = projection.day
        self.stars = [_star(projection, row) for row in range(graph.stars.size)]
        self.links = [_link(projection, row, self.stars) for row in range(graph.links.size)]
        self.evidence: dict[int, list[PlainLink]] = defaultdict(list)
        window = graph.window.trim()
        for row, day in zip(window.link.tolist(), window.day.tolist(), strict=True):
            self.evidence[day].append(self.links[row])
            self.links[row].evidence.append(day)

    def end_day(self) -> None:
        day = self.day
        for star in self.stars:
            if star.last_engaged != day and star.state != STAR_DORMANT:
                value = star.brightness
                star.brightness -= value * star.rate * max(value - FLOOR, 0.0) / (1 - FLOOR)
            star.change = star.brightness - star.start
            star.spillover = star.drain = 0.0
        for link in self.links:
            self._end_link_day(link, day)
        for star in self.stars:
            _apply(star)
            _next_star_state(star, day)
            star.boost, star.cap = 0.0, 1.0
        for link in self.links:
            if link.kind == BLOCKS or link.kind == GROWTH_EDGE:
                _hold(link)
        self.day = day = day + 1
        for age in (31, 61):
            for link in self.evidence.get(day - age, ()):
                if link.state != DISSOLVED:
                    link.effective -= 0.5
        self.evidence.pop(day - 61, None)
        for star in self.stars:
            star.start = star.brightness

    def _end_link_day(self, link: PlainLink, day: int) -> None:
        a, b = link.a, link.b
        if link.state > DORMANT:
            engaged = max(a.last_engaged, b.last_engaged)
            if engaged != day:
                activity = 0.5 if day - engaged <= 7 else 1.0
                value = link.strength
                link.strength -= value * link.rate * activity * max(value - FLOOR, 0.0) / (1 - FLOOR)
        if link.state == DISSOLVED:
            return
        state = NASCENT
        for least_strength, least_evidence in RUNGS:
            if link.strength >= least_strength and link.effective >= least_evidence:
                state += 1
            else:
                break
        if day - link.last_day >= DORMANT_AFTER[state]:
            if state == NASCENT and link.raw == 1:
                link.state, link.strength, link.effective = DISSOLVED, 0.0, 0.0
                return
            state = DORMANT
        link.state = state
        if state >= WEAK:
            _act(link)


class LiteralSpace(PlainSpace):
    """The same day, link by link through the functions of the seed."""

    def _end_link_day(self, link: PlainLink, day: int) -> None:
        update_connection_daily(link, day)


def update_connection_daily(link: PlainLink, day: int) -> None:
    activity = get_activity_factor(link.a, link.b, day)
    link.strength -= calculate_decay(link, activity)
    link.effective = effective_evidence(link, day)
    link.state = determine_connection_state(link, day - link.last_day)
    if link.state == DISSOLVED:
        link.strength, link.evidence = 0.0, []
    if link.state >= WEAK:
        _act(link)


def get_activity_factor(a: PlainStar, b: PlainStar, day: int) -> float:
    idle = day - max(a.last_engaged, b.last_engaged)
    if idle == 0:
        return 0.0
    return 0.5 if idle <= 7 else 1.0


def calculate_decay(link: PlainLink, activity: float) -> float:
    if link.state <= DORMANT:
        return 0.0
    base_decay_rate = 1 - math.pow(0.5, 1 / HALF_LIVES[link.kind])
    base_decay = link.strength * base_decay_rate * activity
    return base_decay * max(link.strength - FLOOR, 0.0) / (1.0 - FLOOR)


def effective_evidence(link: PlainLink, day: int) -> float:
    total = 0.0
    for seen in link.evidence:
        age = day - seen
        if age <= 30:
            total += 1.0
        elif age <= 60:
            total += 0.5
    return total


def determine_connection_state(link: PlainLink, days_inactive: int) -> int:
    if link.state == DISSOLVED:
        return DISSOLVED
    strength, evidence = link.strength, link.effective
    if strength >= 0.80 and evidence >= 8:
        state = 6
    elif strength >= 0.60 and evidence >= 5:
        state = 5
    elif strength >= 0.40 and evidence >= 3:
        state = 4
    elif strength >= 0.20 and evidence >= 2:
        state = 3
    else:
        state = NASCENT
    if days_inactive >= DORMANT_AFTER[state]:
        return DISSOLVED if state == NASCENT and link.raw == 1 else DORMANT
    return state


def _act(link: PlainLink) -> None:
    """Let a link act on the stars at its ends."""
    a, b, kind, strength = link.a, link.b, link.kind, link.strength
    if kind == RESONANCE:
        b.spillover += a.change * 0.15 * strength * (0.5 if a.change < 0 else 1.0)
        a.spillover += b.change * 0.15 * strength * (0.5 if b.change < 0 else 1.0)
    elif kind == TENSION:
        if a.change > 0.05:
            b.drain += a.change * 0.08 * strength
        if b.change > 0.05:
            a.drain += b.change * 0.08 * strength
    elif kind == SHADOW_MIRROR:
        if a.state == DARK:
            b.drain += 0.01 * strength * min(1 - a.start, 0.8)
        if b.state == DARK:
            a.drain += 0.01 * strength * min(1 - b.start, 0.8)


def _apply(star: PlainStar) -> None:
    spillover = max(min(star.spillover, 0.10, 0.06), -0.10)
    brightness = star.brightness + spillover
    brightness -= min(star.drain, 0.08, max(brightness - 0.3, 0.0))
    if brightness > star.cap:
        brightness = max(star.cap, brightness - 0.05)
    star.brightness = min(max(brightness, FLOOR), 1.0)


def _next_star_state(star: PlainStar, day: int) -> None:
    star.variance = 0.3 * abs(star.brightness - star.start) + 0.7 * star.variance
    star.days_stable = star.days_stable + 1 if star.variance < 0.05 else 0
    before = star.state
    if before == STAR_DORMANT or day - star.last_seen >= STAR_DORMANT_AFTER.get(before, 2**31):
        star.state = STAR_DORMANT
    elif star.dark:
        star.state = DARK
    elif before == STAR_NASCENT:
        return
    elif star.variance > 0.15 or star.days_stable < 7:
        star.state = FLICKERING
    elif star.brightness >= 0.7:
        star.state = BRIGHT
    else:
        star.state = DIM if star.brightness < 0.5 else FLICKERING


def _hold(link: PlainLink) -> None:
    tail, head = (link.b, link.a) if link.backward else (link.a, link.b)
    if link.kind == BLOCKS:
        on = link.blocking or link.state >= WEAK
        link.blocking = on and link.state > DORMANT and tail.state != STAR_DORMANT and link.strength >= 0.3
        if link.blocking:
            head.cap = min(head.cap, 1 - 0.5 * link.strength)
    elif link.state >= WEAK and tail.state == BRIGHT:
        head.boost = max(head.boost, 0.2 * link.strength)


def _star(projection: Projection, row: int) -> PlainStar:
    stars, star = projection.connections.graph.stars, PlainStar()
    star.brightness, star.start = stars.brightness.item(row), stars.day_start.item(row)
    star.variance, star.days_stable = stars.variance.item(row), stars.days_stable.item(row)
    star.state, star.dark = stars.state.item(row), stars.dark_marked.item(row)
    star.rate = 1 - 0.5 ** (1 / STAR_HALF_LIVES[stars.domain.item(row)])
    star.last_engaged, star.last_seen = stars.last_engaged.item(row), stars.last_seen.item(row)
    star.boost, star.cap = stars.boost.item(row), stars.cap.item(row)
    return star


def _link(projection: Projection, row: int, stars: list[PlainStar]) -> PlainLink:
    links, link = projection.connections.graph.links, PlainLink()
    link.a, link.b = stars[links.a.item(row)], stars[links.b.item(row)]
    link.strength, link.kind, link.state = (
        links.strength.item(row),
        links.kind.item(row),
        links.state.item(row),
    )
    link.rate = 1 - 0.5 ** (1 / HALF_LIVES[link.kind])
    link.backward = links.direction.item(row) == 2
    link.raw, link.effective = links.raw.item(row), links.effective.item(row)
    link.last_day, link.blocking = links.last_day.item(row), links.blocking.item(row)
    link.evidence = []
    return link
