"""A large space made straight into columns: a year's life of many stars, without a year's ledger."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from asterism.core.connections.link_type import Ring
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.states import active_states, ladder
from asterism.core.connections.tables import RING_DAYS, PairIndex
from asterism.core.connections.words import Direction, LinkKind, LinkState, StarState
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection

DAY = 20_000  # the open day
AGE = 200  # of the space, in days
KIND_SHARES = {
    LinkKind.RESONANCE: 0.70,
    LinkKind.TENSION: 0.10,
    LinkKind.CAUSATION: 0.05,
    LinkKind.GROWTH_EDGE: 0.05,
    LinkKind.SHADOW_MIRROR: 0.05,
    LinkKind.BLOCKS: 0.05,
}
STAR_STATE_SHARES = {
    StarState.FLICKERING: 0.35,
    StarState.DIM: 0.30,
    StarState.BRIGHT: 0.15,
    StarState.DARK: 0.03,
    StarState.DORMANT: 0.17,
}


def star_id(number: int) -> str:
    return f"star-{number:06d}"


def space(*, stars: int, links: int, seed: int = 1) -> Projection:
    """Make a space whose columns agree with each other: states with strengths, counts with the evidence window."""
    chance = np.random.default_rng(seed)
    projection = Projection(SpaceParameters(ConnectionParameters()))
    for number in range(stars):
        projection.nodes.declare(star_id(number), "star")
    _stars(projection, stars, chance)
    _links(projection, links, chance)
    _events(projection, stars, chance)
    connections = projection.connections
    connections.names = [f"Star {number:06d}" for number in range(stars)]
    connections.graph.first_star_day = DAY - AGE
    projection.day = connections.day = DAY
    projection.latest_at = DAY * MICROS_PER_DAY
    return projection


def _stars(projection: Projection, size: int, chance: np.random.Generator) -> None:
    graph = projection.connections.graph
    graph.stars.extend_to(size)
    stars = graph.stars.trim()
    share = chance.beta(1.5, 2.5, size)  # of its days on which a star is engaged
    stars.engaged_days[:] = _days_with(share, chance)
    stars.valued_days[:] = stars.engaged_days | _days_with(share / 2, chance)
    stars.stuck_days[:] = stars.engaged_days & _days_with(np.full(size, 0.3), chance)
    stars.born_day[:] = DAY - chance.integers(30, AGE + 1, size)
    stars.domain[:] = chance.integers(0, 5, size)
    stars.state[:] = chance.choice(list(STAR_STATE_SHARES), size, p=list(STAR_STATE_SHARES.values()))
    stars.variance[:] = chance.uniform(0.0, 0.12, size)
    stars.days_stable[:] = chance.integers(0, 30, size)
    idle = 64 - np.bitwise_count(stars.engaged_days | (stars.engaged_days >> np.uint64(1)))
    idle = np.minimum(idle, chance.integers(0, 41, size))
    stars.last_engaged[:] = stars.last_seen[:] = DAY - 1 - idle
    stars.dark_marked[:] = stars.state == StarState.DARK
    stars.ring_row[:] = np.arange(size)
    stars.boost[:] = np.where(chance.random(size) < 0.1, 0.1, 0.0)
    stars.cap[:] = np.where(chance.random(size) < 0.1, 0.7, 1.0)

    # Brightness follows a mood of its own and, in part, that of a group of about fifty stars.
    group = chance.integers(0, max(size // 50, 1), size)
    own, shared = np.zeros(size), np.zeros(group.max() + 1)
    level = chance.uniform(0.2, 0.8, size)
    values = np.empty((RING_DAYS, size))
    for day in range(DAY - RING_DAYS + 1, DAY + 1):
        own = 0.8 * own + chance.normal(0.0, 0.06, size)
        shared = 0.8 * shared + chance.normal(0.0, 0.05, len(shared))
        values[day % RING_DAYS] = np.clip(level + own + shared[group], 0.05, 1.0)
    graph.ring = Ring(values, size)
    stars.brightness[:] = stars.day_start[:] = values[(DAY - 1) % RING_DAYS]


def _days_with(share: NDArray[np.float64], chance: np.random.Generator) -> NDArray[np.uint64]:
    """Draw the days on which something happened, as bits; today's is off."""
    days = np.zeros(len(share), dtype=np.uint64)
    for back in range(1, RING_DAYS):
        days |= (chance.random(len(share)) < share).astype(np.uint64) << np.uint64(back)
    return days


def _links(projection: Projection, size: int, chance: np.random.Generator) -> None:
    connections = projection.connections
    graph, stars = connections.graph, len(projection.nodes)
    a, b = chance.integers(0, stars, 2 * size + 100), chance.integers(0, stars, 2 * size + 100)
    keys = np.unique(np.minimum(a, b) << 32 | np.maximum(a, b))
    keys = chance.permutation(keys[keys >> 32 != keys & 0xFFFFFFFF])[:size]
    keys.sort()
    assert len(keys) == size
    graph.links.extend_to(size)
    links = graph.links.trim()
    links.a[:], links.b[:] = keys >> 32, keys & 0xFFFFFFFF
    links.strength[:] = np.round(0.05 + 0.95 * chance.beta(1.2, 2.0, size), 12)
    links.kind[:] = chance.choice(list(KIND_SHARES), size, p=list(KIND_SHARES.values()))
    directed = np.isin(links.kind, [LinkKind.CAUSATION, LinkKind.GROWTH_EDGE, LinkKind.BLOCKS])
    links.direction[:] = np.where(directed, chance.choice([Direction.A_TO_B, Direction.B_TO_A], size), 0)
    links.user_type[:] = chance.random(size) < 0.1

    # Evidence: old items that only the raw count knows, and those of the last 60 days, by day.
    items = chance.poisson(3.5, size)
    days = DAY - 1 - (60 * chance.random(int(items.sum())) ** 1.5).astype(np.int32)
    owner = np.repeat(np.arange(size, dtype=np.int32), items)
    order = np.lexsort((owner, days))
    graph.window.append(owner[order], 0)
    graph.window.trim().day[:] = days[order]
    recent = days >= DAY - 30
    links.effective[:] = np.bincount(owner, weights=np.where(recent, 1.0, 0.5), minlength=size)
    links.raw[:] = items + chance.integers(1, 4, size)
    links.last_day[:] = DAY - 61 - chance.integers(0, 60, size)
    np.maximum.at(links.last_day, owner, days)
    links.fed_day[:] = links.last_day
    links.formed_day[:] = DAY - AGE
    links.first_at[:] = (DAY - AGE) * MICROS_PER_DAY + chance.integers(0, MICROS_PER_DAY, size)
    links.last_at[:] = links.last_day.astype(np.int64) * MICROS_PER_DAY + chance.integers(0, MICROS_PER_DAY, size)
    links.gap_squares[:] = links.raw * chance.uniform(1.0, 400.0, size)

    rungs = ladder(projection.parameters.connections)
    active = active_states(links.strength, links.effective, rungs)
    dormant = DAY - 1 - links.last_day >= rungs.dormancy_days[active]
    links.state[:] = np.where(dormant, np.uint8(LinkState.DORMANT), active)
    links.held_state[:] = active
    links.blocking[:] = (links.kind == LinkKind.BLOCKS) & (links.state >= LinkState.WEAK)
    links.evaluated_day[:] = DAY - 1 - chance.integers(0, 7, size)
    links.raw_evaluated[:] = links.raw
    caused = links.kind == LinkKind.CAUSATION
    links.lag_hours[caused] = chance.uniform(4.0, 60.0, int(caused.sum()))
    links.causation[caused] = chance.uniform(0.6, 1.0, int(caused.sum()))
    links.lag_direction[:] = np.where(caused, links.direction, 0)
    counted = links.state != LinkState.DISSOLVED
    graph.stars.trim().connections[:] = np.bincount(
        np.concatenate([links.a[counted], links.b[counted]]), minlength=stars
    )
    connections.pairs = PairIndex(links.a, links.b)


def _events(projection: Projection, stars: int, chance: np.random.Generator) -> None:
    """Two changes a star in the last 30 days, in the order of time; none today."""
    events, size = projection.connections.graph.events, 2 * stars
    events.extend_to(size)
    live = events.trim()
    live.at[:] = np.sort(chance.integers((DAY - 30) * MICROS_PER_DAY, DAY * MICROS_PER_DAY, size))
    live.star[:] = chance.integers(0, stars, size)
    live.change[:] = chance.choice([-1.0, 1.0], size) * chance.uniform(0.1, 0.4, size)


def live_a_day(projection: Projection, chance: np.random.Generator) -> None:
    """Touch the open day as its items would.

    A tenth of the stars is engaged, a tenth of the links has evidence, a star in fifteen changes by an event's worth.
    """
    graph, day = projection.connections.graph, projection.connections.day
    assert day is not None
    stars, links = graph.stars.trim(), graph.links.trim()
    engaged = np.flatnonzero(chance.random(stars.size) < 0.1)
    stars.last_engaged[engaged] = stars.last_seen[engaged] = day
    stars.engaged_days[engaged] |= np.uint64(1)
    stars.valued_days[engaged] |= np.uint64(1)
    stars.brightness[engaged] = np.minimum(stars.brightness[engaged] + 0.03, 1.0)
    stars.state[engaged[stars.state[engaged] == StarState.DORMANT]] = StarState.FLICKERING
    told = np.flatnonzero(chance.random(links.size) < 0.1)
    links.strength[told] = np.minimum(links.strength[told] + 0.02, 1.0)
    links.last_day[told] = links.fed_day[told] = day
    links.raw[told] += 1
    links.effective[told] += 1
    graph.window.append(told, day)
    changed = np.flatnonzero(chance.random(stars.size) < 1 / 15)
    first = graph.events.size
    graph.events.extend_to(first + len(changed))
    events = graph.events.trim()
    events.star[first:] = changed
    events.at[first:] = day * MICROS_PER_DAY + np.sort(chance.integers(0, MICROS_PER_DAY, len(changed)))
    events.change[first:] = chance.choice([-1.0, 1.0], len(changed)) * chance.uniform(0.1, 0.4, len(changed))


def type_due(projection: Projection, *, due: bool) -> None:
    """Say of every link whether its kind is looked at again at this day's end."""
    links, day = projection.connections.graph.links.trim(), projection.connections.day
    assert day is not None
    links.evaluated_day[:] = day - 7 if due else day
    links.raw_evaluated[:] = links.raw
