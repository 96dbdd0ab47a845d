"""The day's end of links, compiled: `fade_links`, `settle_states` and `influence`, a link at a time, and the same bits.

Each function is plain Python that numba compiles; tests run them both ways, and beside the columns' own. Two walks over
the links do what a dozen passes over their columns do in `day`: one before types are looked at, and one after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from asterism.core.connections.decay import GRAIN
from asterism.core.connections.influence import QUANTUM, Influence, OwnDay
from asterism.core.connections.tables import NOT_FORMED
from asterism.core.connections.words import Direction, LinkKind, LinkState, StarState
from asterism.core.ledger.columns import Bools, Bytes, Floats, Ints
from asterism.core.ledger.compiling import kept

if TYPE_CHECKING:
    from asterism.core.connections.day import Graph, Rules

DISSOLVED, DORMANT, NASCENT = int(LinkState.DISSOLVED), int(LinkState.DORMANT), int(LinkState.NASCENT)
WEAK = int(LinkState.WEAK)
RESONANCE, TENSION, SHADOW_MIRROR = int(LinkKind.RESONANCE), int(LinkKind.TENSION), int(LinkKind.SHADOW_MIRROR)
GROWTH_EDGE, BLOCKS = int(LinkKind.GROWTH_EDGE), int(LinkKind.BLOCKS)
B_TO_A = int(Direction.B_TO_A)
BRIGHT, STAR_DORMANT, NO_STAR = int(StarState.BRIGHT), int(StarState.DORMANT), 255


class LinkColumns(NamedTuple):
    """What a walk over the links reads and writes."""

    a: Ints
    b: Ints
    kind: Bytes
    strength: Floats
    state: Bytes
    held_state: Bytes
    latent: Bools
    raw: Ints
    effective: Floats
    fed_day: Ints
    formed_day: Ints
    direction: Bytes
    blocking: Bools


class Rungs(NamedTuple):
    """The ladder of states, and whether the state that was held at the last evidence says when a link sleeps."""

    strength: tuple[float, ...]
    evidence: tuple[int, ...]
    dormancy_days: Ints
    held: bool


class Forces(NamedTuple):
    """The numbers of influence."""

    least_state: int
    spillover: float
    falling: float
    tension_from: float
    tension: float
    shadow: float


class Reach(NamedTuple):
    """The numbers of boosts and blocks."""

    least_state: int
    boost: float
    block: float
    release: float


# What links do to a star is reckoned from its change, or from how DARK it is, and summed beside that, in quanta. The
# fields of a star lie together, because every link reads and writes two stars, which may be anywhere.
CHANGE, DARKNESS, SPILLOVER, DRAIN = range(4)


class Fading(NamedTuple):
    """How links fade: where they stop, and whether by the same share every day."""

    floor: float
    exponential: bool


@kept
def fade(links: LinkColumns, activity: Bytes, pace: Floats, fading: Fading) -> None:
    """Let every link fade by its kind and by how recently an end was engaged."""
    for row in range(len(links.strength)):
        place = min(activity[links.a[row]], activity[links.b[row]]) if links.state[row] > DORMANT else 0
        value = links.strength[row]
        lost = value * pace[place + links.kind[row]]
        above = max(value - fading.floor, 0.0)
        lost = min(lost, above) if fading.exponential else lost * (above / (1.0 - fading.floor))
        links.strength[row] = np.rint((value - lost) * GRAIN) / GRAIN


@kept
def settle(links: LinkColumns, states: Bytes, rungs: Rungs, day: int) -> int:
    """Work out every link's state at day end; give how many dissolve. No branches: many links at once."""
    dissolving = 0
    s_1, s_2, s_3, s_4 = rungs.strength
    e_1, e_2, e_3, e_4 = rungs.evidence
    for row in range(len(states)):
        s, e = links.strength[row], links.effective[row]
        active = NASCENT + ((s >= s_1) & (e >= e_1)) + ((s >= s_2) & (e >= e_2))
        active = active + ((s >= s_3) & (e >= e_3)) + ((s >= s_4) & (e >= e_4))
        basis = links.held_state[row] if rungs.held else active
        dormant = day - links.fed_day[row] >= rungs.dormancy_days[basis]
        lone = (links.raw[row] == 1) & (not links.latent[row])
        there = links.state[row] != DISSOLVED
        ends = dormant & lone & (active == NASCENT)
        states[row] = (DORMANT if dormant else active) * (there & (not ends))
        dissolving += there & ends
    return dissolving


@kept
def act(links: LinkColumns, stars: Floats, forces: Forces) -> None:
    """Sum up what links do to the stars at their ends."""
    for row in range(len(links.strength)):
        if links.state[row] < forces.least_state or links.latent[row]:
            continue
        kind = links.kind[row]
        a, b = links.a[row], links.b[row]
        if kind == RESONANCE:
            carried = forces.spillover * links.strength[row]
            to_b, to_a = stars[a, CHANGE] * carried, stars[b, CHANGE] * carried
            stars[b, SPILLOVER] += np.rint((to_b * forces.falling if to_b < 0 else to_b) * QUANTUM)
            stars[a, SPILLOVER] += np.rint((to_a * forces.falling if to_a < 0 else to_a) * QUANTUM)
        elif kind == TENSION:
            drained = forces.tension * links.strength[row]
            for source, target in ((a, b), (b, a)):
                change = stars[source, CHANGE]
                if np.rint(change * 1e9) / 1e9 > forces.tension_from:
                    stars[target, DRAIN] += np.rint(change * drained * QUANTUM)
        elif kind == SHADOW_MIRROR:
            drained = forces.shadow * links.strength[row]
            stars[b, DRAIN] += np.rint(drained * stars[a, DARKNESS] * QUANTUM)
            stars[a, DRAIN] += np.rint(drained * stars[b, DARKNESS] * QUANTUM)


@kept
def switch(links: LinkColumns, star_state: Bytes, reach: Reach, boost: Floats, cap: Floats) -> None:
    """Switch blocks on and off, and take the best boost and the worst block of every star."""
    for row in range(len(links.strength)):
        kind = links.kind[row]
        if kind != BLOCKS and kind != GROWTH_EDGE and not links.blocking[row]:
            continue
        tail, head = links.a[row], links.b[row]
        if links.direction[row] == B_TO_A:
            tail, head = head, tail
        state, strength = links.state[row], links.strength[row]
        both_stars = star_state[tail] != NO_STAR and star_state[head] != NO_STAR
        links.blocking[row] = (
            kind == BLOCKS
            and not links.latent[row]
            and both_stars
            and state > DORMANT
            and star_state[tail] != STAR_DORMANT
            and strength >= reach.release
            and (links.blocking[row] or state >= WEAK)
        )
        if links.blocking[row]:
            cap[head] = min(cap[head], 1.0 - reach.block * strength)
            continue
        acts = kind == GROWTH_EDGE and state >= reach.least_state and not links.latent[row]
        if acts and both_stars and star_state[tail] == BRIGHT:
            boost[head] = max(boost[head], reach.boost * strength)


def columns_of(graph: Graph) -> LinkColumns:
    """Give the columns that are walked over."""
    links = graph.links.trim()
    return LinkColumns(*(getattr(links, name) for name in LinkColumns._fields))


def fade_links(graph: Graph, rules: Rules, activity: Bytes, pace: Floats) -> None:
    """Let links fade, as `day.fade_links` does."""
    p = rules.parameters
    fade(columns_of(graph), activity, pace, Fading(p.floor, p.decay_shape != "soft_floor"))


def settle_links(graph: Graph, rules: Rules, *, day: int, own: OwnDay) -> Influence:
    """Settle the states of links, as `day.settle_states` does, and give what they do to stars."""
    p = rules.parameters
    columns = columns_of(graph)
    states = np.empty(len(columns.state), dtype=np.uint8)
    rungs = Rungs(*rules.rungs, p.dormancy_basis == "held")
    if settle(columns, states, rungs, day):
        graph.links.dissolve(np.flatnonzero((states == DISSOLVED) & (columns.state != DISSOLVED)))
        graph.degrees_changed = True
    columns.state[:] = states

    stars = graph.stars.trim()
    is_star = stars.born_day != NOT_FORMED
    sums = np.zeros((stars.size, 4))
    sums[:, CHANGE] = own.change
    sums[:, DARKNESS] = np.where(own.dark & is_star, np.minimum(1.0 - stars.day_start, p.dark_intensity_cap), 0.0)
    forces = Forces(
        int(LinkState[p.influence_min_state]),
        p.resonance_spillover,
        p.resonance_falling,
        p.tension_activation_threshold,
        p.tension_drain,
        p.shadow_drain_rate,
    )
    act(columns, sums, forces)
    return Influence(*(np.where(is_star, sums[:, field] / QUANTUM, 0.0) for field in (SPILLOVER, DRAIN)))


def switch_links(graph: Graph, rules: Rules) -> None:
    """Switch blocks, and take boosts and caps for tomorrow, as `influence` does."""
    p, stars = rules.parameters, graph.stars.trim()
    star_state = np.where(stars.born_day != NOT_FORMED, stars.state, np.uint8(NO_STAR))
    stars.boost[:], stars.cap[:] = 0.0, 1.0
    least_state = int(LinkState[p.influence_min_state])
    reach = Reach(least_state, p.growth_edge_boost, p.block_factor, p.block_release_threshold)
    switch(columns_of(graph), star_state, reach, stars.boost, stars.cap)
