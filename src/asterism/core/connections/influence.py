"""Influence: what links do to the stars at their ends, one synchronous step a day (seed 6 and 7; D13, D14).

    spillover   change x .15 x strength, falling changes at half           RESONANCE, both ways
    drain       rise (> .05) x .08 x strength                              TENSION, both ways
                .01 x strength x min(1 - brightness, .8) a day             SHADOW_MIRROR, from a DARK end
    boost       .2 x strength while the enabler is BRIGHT; best wins       GROWTH_EDGE, along its direction
    cap         1 - .5 x strength from WEAK until below .30; worst wins    BLOCKS, along its direction

Every effect is computed from start-of-day star values and the day's own changes, summed, clamped, then applied.
Contributions are rounded to 2^-36 before they are summed: sums of such numbers are exact in float64 (for up to
900,000 links at a star), so the order of links does not matter, to the bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import NOT_FORMED, Links, Stars
from asterism.core.connections.words import Direction, LinkKind, LinkState, StarState
from asterism.core.ledger.columns import Bools, Bytes, Floats, Rows

QUANTUM = 2.0**36


class Influence(NamedTuple):
    """What a day's links do to every star, before clamping."""

    spillover: Floats
    drain: Floats


def acting(links: Links, kind: LinkKind, parameters: ConnectionParameters) -> Rows:
    """Give the rows of one kind that influence anything."""
    acts = (links.kind == kind) & (links.state >= LinkState[parameters.influence_min_state])
    return np.flatnonzero(acts & ~links.latent)


def summed(where: Rows, amounts: Floats, size: int) -> Floats:
    """Sum amounts by star, exactly, whatever their order.

    >>> summed(np.array([1, 1]), np.array([0.1, 0.2]), 2).round(9).tolist()
    [0.0, 0.3]
    """
    return np.bincount(where, weights=np.rint(amounts * QUANTUM), minlength=size) / QUANTUM


def spilled(change: Floats, *, strength: Floats, parameters: ConnectionParameters) -> Floats:
    """Give what a change at one end adds to the other end by resonance (seed 6.1)."""
    carried = change * (parameters.resonance_spillover * strength)
    return np.where(change < 0, carried * parameters.resonance_falling, carried)


def tension_drained(change: Floats, *, strength: Floats, parameters: ConnectionParameters) -> Floats:
    """Give what a rise at one end takes from the other end by tension (seed 6.2)."""
    rises = np.round(change, 9) > parameters.tension_activation_threshold
    return np.where(rises, change * (parameters.tension_drain * strength), 0.0)


def shadow_drained(brightness: Floats, *, strength: Floats, parameters: ConnectionParameters) -> Floats:
    """Give what a DARK star takes from the other end in a day (seed 6.5)."""
    intensity = np.minimum(1.0 - brightness, parameters.dark_intensity_cap)
    return parameters.shadow_drain_rate * strength * intensity


class OwnDay(NamedTuple):
    """Each star's own change of the day, and whether it was DARK as the day began."""

    change: Floats
    dark: Bools


def influence(links: Links, stars: Stars, day: OwnDay, parameters: ConnectionParameters) -> Influence:
    """Sum a day's spillover and drain at every star."""
    change, dark = day
    size = len(change)
    spillover, drain = np.zeros(size), np.zeros(size)
    is_star = stars.born_day != NOT_FORMED

    rows = acting(links, LinkKind.RESONANCE, parameters)
    for source, target in _both_ways(links, rows):
        amounts = spilled(change[source], strength=links.strength[rows], parameters=parameters)
        spillover += summed(target, amounts, size)

    rows = acting(links, LinkKind.TENSION, parameters)
    for source, target in _both_ways(links, rows):
        amounts = tension_drained(change[source], strength=links.strength[rows], parameters=parameters)
        drain += summed(target, amounts, size)

    rows = acting(links, LinkKind.SHADOW_MIRROR, parameters)
    dark = dark & is_star
    for source, target in _both_ways(links, rows):
        amounts = shadow_drained(stars.day_start[source], strength=links.strength[rows], parameters=parameters)
        drain += summed(target, np.where(dark[source], amounts, 0.0), size)
    return Influence(np.where(is_star, spillover, 0.0), np.where(is_star, drain, 0.0))


def applied(
    *, own: Floats, engage_gain: Floats, effects: Influence, cap: Floats, parameters: ConnectionParameters
) -> Floats:
    """Give brightness at day end from the stars' own values, the day's effects and the block caps (7.1, D14)."""
    p = parameters
    spillover = np.clip(effects.spillover, -p.max_spillover_per_day, p.max_spillover_per_day)
    room = np.maximum(p.max_daily_brightness_gain - engage_gain, 0.0)
    spillover = np.where(spillover > 0, np.minimum(spillover, room), spillover)
    drain = np.minimum(effects.drain, p.max_drain_per_day)
    brightness = own + spillover
    brightness -= np.minimum(drain, np.maximum(brightness - p.hope_floor, 0.0))
    over = brightness > cap
    brightness = np.where(over, np.maximum(cap, brightness - p.cap_step), brightness)
    return np.clip(brightness, p.brightness_floor, 1.0)


def set_blocking(links: Links, stars: Stars, parameters: ConnectionParameters) -> None:
    """Switch blocks on at WEAK, off below .30 or when the blocker is DORMANT (hysteresis)."""
    rows = np.flatnonzero((links.kind == LinkKind.BLOCKS) | links.blocking)
    if not len(rows):
        return
    blocker = _tail(links, rows)
    is_star = stars.born_day != NOT_FORMED
    awake = (links.state[rows] > LinkState.DORMANT) & (stars.state[blocker] != StarState.DORMANT)
    awake &= is_star[links.a[rows]] & is_star[links.b[rows]]
    strong = links.strength[rows] >= parameters.block_release_threshold
    is_block = (links.kind[rows] == LinkKind.BLOCKS) & ~links.latent[rows]
    on = links.blocking[rows] | (links.state[rows] >= LinkState.WEAK)
    links.blocking[rows] = is_block & awake & strong & on


def boosts(links: Links, stars: Stars, parameters: ConnectionParameters) -> Floats:
    """Give every star's growth boost: the best of its enablers, recomputed each day (seed 6.4)."""
    boost = np.zeros(len(stars.brightness))
    rows = acting(links, LinkKind.GROWTH_EDGE, parameters)
    if not len(rows):
        return boost
    enabler = _tail(links, rows)
    bright = (stars.state[enabler] == StarState.BRIGHT) & (stars.born_day[enabler] != NOT_FORMED)
    bright &= stars.born_day[_head(links, rows)] != NOT_FORMED
    rows = rows[bright]
    np.maximum.at(boost, _head(links, rows), parameters.growth_edge_boost * links.strength[rows])
    return boost


def caps(links: Links, stars: Stars, parameters: ConnectionParameters) -> Floats:
    """Give every star's highest brightness: the worst of its blocks, recomputed each day (seed 6.6)."""
    cap = np.ones(len(stars.brightness))
    rows = np.flatnonzero(links.blocking)
    if not len(rows):
        return cap
    np.minimum.at(cap, _head(links, rows), 1.0 - parameters.block_factor * links.strength[rows])
    return cap


def _both_ways(links: Links, rows: Rows) -> tuple[tuple[Rows, Rows], ...]:
    if not len(rows):
        return ()
    a, b = links.a.take(rows), links.b.take(rows)
    return (a, b), (b, a)


def _tail(links: Links, rows: Rows) -> Rows:
    return np.where(_backward(links.direction[rows]), links.b[rows], links.a[rows])


def _head(links: Links, rows: Rows) -> Rows:
    return np.where(_backward(links.direction[rows]), links.a[rows], links.b[rows])


def _backward(direction: Bytes) -> Bools:
    back: Bools = direction == Direction.B_TO_A
    return back
