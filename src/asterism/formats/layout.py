"""Where the nodes of a drawing go: what hangs together is near, every part has a place of its own.

Each connected part is laid out by forces, from the first nodes that came to the whole, so that a memory that grows
keeps its looks; then the parts are packed around the largest. There is no chance in it, and only sums in a fixed order,
products, quotients and roots: the same graph gets the same places, to the bit, on any machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from asterism.core.ledger.columns import Floats, Rows
from asterism.formats.forces import near_pairs, relaxed

GOLDEN = math.pi * (3.0 - math.sqrt(5.0))
SPACING = 34.0  # between a node and the nearest other, as a rule; more in small parts, where names want room
ROOMY, ROOMY_BELOW = 2.2, 200
GAP = 46.0  # between two parts
WIDE = 1.45  # a drawing is wider than high, as screens are
SMALL = 9  # parts of so many nodes need no forces
FIRST, GROWTH = 40, 2  # nodes of the first stage of a part, and by how much each stage has more than the one before
STEPS, FIRST_STEPS = 36, 160
NUDGE = 0.6  # how far from one another nodes begin that came to the same neighbours
LOOKED_AT = 32  # places for a part, at a time; twice as many each time that none is free
BRIDGE = 0.25  # what a link pulls whose ends share no neighbour, next to one whose ends share all


def layout(
    count: int,
    ends: Sequence[tuple[int, int]],
    weights: Sequence[float],
    groups: Sequence[int],
    came: Sequence[int] | None = None,
) -> Floats:
    """Place nodes numbered from 0: x and y of each; nodes without a link stand together by group.

    `came` orders them by when they came (as numbered, if it is not told): what came later is put around what was there.

    >>> layout(2, [(0, 1)], [1.0], [0, 0]).tolist()
    [[-37.2, 0.0], [37.2, 0.0]]
    """
    pairs = [(a, b, w) for (a, b), w in zip(ends, weights, strict=True) if a != b]
    near: list[dict[int, float]] = [{} for _ in range(count)]
    for a, b, weight in pairs:
        near[a][b] = near[b][a] = near[a].get(b, 0.0) + max(weight, 0.05)
    alone: dict[int, list[int]] = {}
    for node in range(count):
        if not near[node]:
            alone.setdefault(groups[node], []).append(node)
    linked = sorted(_parts(near), key=lambda nodes: (-len(nodes), nodes))
    age = came or range(count)
    linked = [sorted(nodes, key=lambda node: (age[node], node)) for nodes in linked]
    parts = [(nodes, _placed(nodes, near)) for nodes in linked]
    parts += [(nodes, sunflower(len(nodes), _spacing(len(nodes)) * 0.7)) for _, nodes in sorted(alone.items())]
    places = np.zeros((count, 2))
    for (nodes, own), middle in zip(parts, _packed([_radius(own) for _, own in parts]), strict=True):
        places[nodes] = own + middle
    return np.asarray(places.round(1) + 0.0)


def _spacing(count: int) -> float:
    """Give the distance between neighbours in a part of so many nodes."""
    return SPACING * (1.0 + (ROOMY - 1.0) * max(0.0, 1.0 - count / ROOMY_BELOW))


def sunflower(count: int, spacing: float) -> Floats:
    """Place points as a sunflower places its seeds, the first in the middle."""
    turns = [(math.sqrt(n) * spacing, n * GOLDEN) for n in range(count)]
    return np.array([(round(r * math.cos(t), 6), round(r * math.sin(t), 6)) for r, t in turns]).reshape(-1, 2)


def _radius(places: Floats) -> float:
    return float(np.sqrt((places * places).sum(axis=1).max())) + GAP / 2


def _parts(near: Sequence[dict[int, float]]) -> list[list[int]]:
    """Find the connected parts, nodes without a link left out."""
    seen = [not each for each in near]
    parts = []
    for start in range(len(near)):
        if seen[start]:
            continue
        part, seen[start] = [start], True
        for node in part:  # it grows on the way
            for other in near[node]:
                if not seen[other]:
                    seen[other] = True
                    part.append(other)
        parts.append(sorted(part))
    return parts


def _placed(nodes: list[int], near: Sequence[dict[int, float]]) -> Floats:
    """Lay out one connected part around its middle, its nodes in the order in which they came."""
    if len(nodes) <= SMALL:
        places = _wheel(nodes, near)
    else:
        own = {node: place for place, node in enumerate(nodes)}
        links = {(own[a], own[b]): near[a][b] * _closeness(near[a], near[b]) for a in nodes for b in near[a] if a < b}
        places = _spread(_grown(len(nodes), links))
    return np.asarray(places - places.mean(axis=0))


def _closeness(one: dict[int, float], other: dict[int, float]) -> float:
    """Say how much two nodes belong together: the share of their neighbours that they have in common."""
    fewer, more = (one, other) if len(one) <= len(other) else (other, one)
    shared = sum(each in more for each in fewer)
    return BRIDGE + (1.0 - BRIDGE) * shared / max(len(fewer) - 1, 1)


def _wheel(nodes: list[int], near: Sequence[dict[int, float]]) -> Floats:
    """Place a few nodes: two in a line, more in a ring, around the one that is linked to all others if there is one."""
    spacing = _spacing(len(nodes))
    if len(nodes) == 2:
        return np.array([(0.0, 0.0), (spacing, 0.0)])
    hub = max(nodes, key=lambda node: (len(near[node]), -node))
    ring = _walked(nodes, near, hub)
    if len(near[hub]) == len(nodes) - 1 and len(nodes) > 3:
        ring.remove(hub)
    turn = 2.0 * math.pi / len(ring)
    radius = max(spacing / (2.0 * math.sin(turn / 2.0)), spacing if len(ring) < len(nodes) else 0.0)
    at = {
        node: (round(radius * math.sin(turn * n), 6), round(-radius * math.cos(turn * n), 6))
        for n, node in enumerate(ring)
    }
    return np.array([at.get(node, (0.0, 0.0)) for node in nodes])


def _walked(nodes: list[int], near: Sequence[dict[int, float]], start: int) -> list[int]:
    """Go through a part along its links, so that neighbours come after one another where they can."""
    order, left = [start], set(nodes) - {start}
    while left:
        here = next((node for node in reversed(order) if left & near[node].keys()), order[-1])
        step = min(left & near[here].keys(), key=lambda node: (-near[here][node], node))
        order.append(step)
        left.remove(step)
    return order


def _grown(count: int, links: dict[tuple[int, int], float]) -> Floats:
    """Lay out a part whose nodes are numbered as they came: a few, then more around them, as it grew.

    Each stage begins with the places of the one before, so that a part of which more is known looks as it did.
    """
    a, b = (np.array([pair[end] for pair in links], dtype=np.intp) for end in (0, 1))
    weight = np.array(list(links.values()))
    last = np.maximum(a, b)
    places, there = sunflower(min(count, FIRST), 1.0), 0
    while there < count:
        more = min(count, max(FIRST, there * GROWTH))
        inside = last < more
        one, other, tied = a[inside], b[inside], weight[inside]
        if there:
            places = _joined(places * math.sqrt(more / there), one, other, tied, more)
        places = relaxed(places, one, other, tied, steps=STEPS if there else FIRST_STEPS)
        there = more
    return places


def _joined(places: Floats, a: Rows, b: Rows, weight: Floats, count: int) -> Floats:
    """Put the nodes that came since then beside those they are linked to; what is linked to none yet, at the rim."""
    there = len(places)
    joined = np.vstack([places, sunflower(count, 1.0)[there:]])
    put = np.arange(count) < there
    while not put.all():
        one, other = np.concatenate([a, b]), np.concatenate([b, a])
        tie = put[one] & ~put[other]
        held = np.bincount(other[tie], weights=np.concatenate([weight, weight])[tie], minlength=count)
        fresh = held > 0.0
        if not fresh.any():
            break
        for axis in (0, 1):
            drawn = np.concatenate([weight, weight])[tie] * joined[one[tie], axis]
            sums = np.bincount(other[tie], weights=drawn, minlength=count)
            joined[fresh, axis] = sums[fresh] / held[fresh]
        joined[fresh] += NUDGE * sunflower(count, 1.0)[fresh] / math.sqrt(count)
        put |= fresh
    return joined


def _spread(places: Floats) -> Floats:
    """Scale a part to the spacing of a drawing, then push apart what is still too near."""
    a, b, gone = near_pairs(places)
    nearest = np.full(len(places), np.inf)
    np.minimum.at(nearest, a, gone)
    np.minimum.at(nearest, b, gone)
    middle, spacing = float(np.sort(nearest)[len(nearest) // 2]), _spacing(len(places))
    places, least = places * (spacing / max(middle, 1e-9)), spacing / 2.0
    for _ in range(16):
        a, b, gone = near_pairs(places, within=least)
        if not len(a):
            break
        gone = np.maximum(gone, 1e-6)
        push = (least * 1.02 - gone) / 2.0 / gone
        for axis in (0, 1):
            move = (places[a, axis] - places[b, axis]) * push
            move = np.where(gone > 1e-5, move, least / 2.0)
            places[:, axis] += np.bincount(a, weights=move, minlength=len(places))
            places[:, axis] -= np.bincount(b, weights=move, minlength=len(places))
    return places


def _packed(radii: Sequence[float]) -> list[Floats]:
    """Give every part, as a disc, the free place nearest to the middle, the largest first."""
    found: list[Floats] = [np.zeros(2)] * len(radii)
    discs = np.zeros((len(radii), 3))
    begin, last = 0, math.inf
    seeds = np.zeros((0, 2))
    for many, part in enumerate(sorted(range(len(radii)), key=lambda each: (-radii[each], each))):
        radius, put, looked_at = radii[part], discs[:many], LOOKED_AT
        if radius < 0.8 * last:  # a smaller one may fit between those there are
            begin, last = 0, radius
        while True:
            if begin + looked_at > len(seeds):
                seeds = sunflower(2 * begin + looked_at, 1.0) * (WIDE, 1.0)
            spots = seeds[begin : begin + looked_at] * (last / 3.0)
            x, y = spots[:, 0, None] - put[:, 0], spots[:, 1, None] - put[:, 1]
            reach = put[:, 2] + radius
            free = np.flatnonzero((x * x + y * y >= reach * reach).all(axis=1))
            if len(free):
                break
            begin, looked_at = begin + looked_at, 2 * looked_at
        begin += int(free[0])
        found[part] = spots[free[0]]
        discs[many] = (*found[part], radius)
    return found
