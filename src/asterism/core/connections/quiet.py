"""Quiet days: dates on which nobody says anything cost what is awake, and nothing where all sleeps.

Theory of operation. A day's end works on every row, but in a stretch of days without items most rows cannot change:

    sleeps            what its day's end would do
    ----------------  -------------------------------------------------------------------------------------------------
    a link            DORMANT and DISSOLVED do not fade or act, and nothing but evidence wakes them. Detection may find
                      evidence, but only where both ends were valued lately, or one was engaged on most days or is
                      DARK: in a quiet stretch no pair comes to be one of these (`_watched`)
    a star            DORMANT and archived do not fade. Influence comes by links that are awake
    what they still   the evidence window and the day-masks move on, the ring takes today's brightness, variance sinks
    do                to its rest, stable days are counted, and detection that sees nothing says so every week: for any
                      number of days at once (`sleep`)

So what is awake (with the ends of its links) is taken out into columns of its own, the plain day's end runs on those
day after day, all others sleep over the whole stretch at once, and what was awake is put back. What falls asleep on
the way is set aside in the same manner; when all sleeps, the rest of the stretch is one step. No row is computed by
another formula than on a busy day, and sums by star are exact whatever else is in the columns (`influence`), so the
bits are those of ending each day for all rows: tests compare the two over long random histories.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from asterism.core.connections import stars as star_rules
from asterism.core.connections.day import (
    DayItems,
    Graph,
    Rules,
    close_day,
    connections_by,
    drop_old_events,
    open_next_days,
    work_of_a_day,
)
from asterism.core.connections.decay import settled
from asterism.core.connections.findings import Found, found_kinds
from asterism.core.connections.first_items import LinkDays
from asterism.core.connections.link_type import Ring, low_bits, often_engaged
from asterism.core.connections.predictions import expecting
from asterism.core.connections.tables import NOT_FORMED, RING_DAYS, Events, Links, Stars, Window
from asterism.core.connections.turns import Turn, Turns
from asterism.core.connections.words import Direction, LinkKind, LinkState, StarState
from asterism.core.ledger.columns import Bools, Floats, Rows

AT_ONCE = 8  # days of what is awake between two looks at what fell asleep
RanksOfLinks = Callable[[], Rows]


class Awake(NamedTuple):
    """The rows that a quiet day may change by more than its count."""

    links: Rows
    stars: Rows


def pass_quiet_days(graph: Graph, rules: Rules, *, day: int, until: int, link_ranks: RanksOfLinks) -> int:
    """End every day from the open one up to another, on none of which anything is said; give the work it was."""
    work = work_of_a_day(graph)
    while day < until:
        awake = awake_in(graph, rules)
        if _nothing(graph, awake):
            sleep(graph, rules, day=day, until=until)
            return work
        if 2 * (len(awake.links) + len(awake.stars)) < graph.links.size + graph.stars.size:
            part = take_out(graph, awake)
            work += pass_quiet_days(part, rules, day=day, until=until, link_ranks=link_ranks)
            turns = graph.turns.size
            sleep(graph, rules, day=day, until=until)
            graph.turns.take_back(turns, awake.links)  # these did not sleep
            _put_back(graph, awake, part, since=day)
            return work
        for each in range(day, min(day + AT_ONCE, until)):
            end_quiet_day(graph, rules, day=each, link_ranks=link_ranks)
            work += work_of_a_day(graph)
        day = min(day + AT_ONCE, until)
    return work


def all_asleep(graph: Graph, rules: Rules) -> bool:
    """Say whether days without items change nothing from here on, however many there are."""
    return _nothing(graph, awake_in(graph, rules))


def _nothing(graph: Graph, awake: Awake) -> bool:
    return not len(awake.links) and not len(awake.stars) and not expecting(graph.predictions)


def end_quiet_day(graph: Graph, rules: Rules, *, day: int, link_ranks: RanksOfLinks) -> None:
    """End one day on which nothing was said, as any other."""
    stars = graph.stars.trim()
    nothing = DayItems(np.zeros(stars.size), stars.state == StarState.DARK, LinkDays(), link_ranks)
    close_day(graph, rules, day=day, items=nothing)
    open_next_days(graph, rules, day=day, until=day + 1)


def awake_in(graph: Graph, rules: Rules) -> Awake:
    """Find what a quiet day may change: awake stars, links that are awake or watched, and the ends of those."""
    links, stars = graph.links.trim(), graph.stars.trim()
    rows = np.flatnonzero((links.state > LinkState.DORMANT) | _watched(graph, rules))
    awake: Bools = (stars.born_day != NOT_FORMED) & (stars.state != StarState.DORMANT) & ~stars.archived
    awake[links.a[rows]] = awake[links.b[rows]] = True
    return Awake(rows, np.flatnonzero(awake))


def _watched(graph: Graph, rules: Rules) -> Bools:
    """Mark the links in which detection may see something, on this day or a later one of the same stretch."""
    links, stars, p = graph.links.trim(), graph.stars.trim(), rules.parameters
    valued: Bools = (stars.valued_days & low_bits(p.correlation_window)) != 0  # all who had events are among these
    telling = often_engaged(stars, p) | (stars.state == StarState.DARK)
    watched: Bools = telling[links.a] | telling[links.b] | (valued[links.a] & valued[links.b])
    watched &= links.alive()
    return watched


# What is awake, in columns of its own


def take_out(graph: Graph, awake: Awake) -> Graph:
    """Copy the awake rows into columns of their own, with all that their days depend on."""
    place_of_star = _places(awake.stars, graph.stars.size)
    columns = graph.links.dump(awake.links)
    columns["a"], columns["b"] = place_of_star[columns["a"]], place_of_star[columns["b"]]
    links = Links.load(columns)
    stars = Stars.load(graph.stars.dump(awake.stars))
    with_ring = np.flatnonzero(stars.ring_row >= 0)
    ring = Ring(graph.ring.values[:, stars.ring_row[with_ring]], len(with_ring))
    stars.ring_row[with_ring] = np.arange(len(with_ring))

    events = graph.events.dump(np.flatnonzero(place_of_star[graph.events.trim().star] >= 0))
    events["star"] = place_of_star[events["star"]]
    place_of_link = _places(awake.links, graph.links.size)
    window = graph.window.dump(np.flatnonzero(place_of_link[graph.window.trim().link] >= 0))
    window["link"] = place_of_link[window["link"]]
    part = Graph(
        links,
        stars,
        ring,
        Events.load(events),
        Window.load(window),
        graph.predictions,  # shared: no day without events looks into their links
        Turns(),
        graph.records,  # shared as well
        graph.sign_odds,
        first_star_day=graph.first_star_day,
        predictions_dropped=graph.predictions_dropped,
    )
    part.connections_aside = stars.connections - connections_by(links, stars.size)
    return part


def _put_back(graph: Graph, awake: Awake, part: Graph, *, since: int) -> None:
    """Write what became of the awake rows over what sleep made of them."""
    columns = part.links.dump()
    for name in Links.schema:
        if name not in ("a", "b"):
            getattr(graph.links, name)[awake.links] = columns[name]
    stars = part.stars.trim()
    with_ring = np.flatnonzero(stars.ring_row >= 0)
    ring_rows = graph.stars.ring_row[awake.stars[with_ring]]
    graph.ring.values[:, ring_rows] = part.ring.values[:, : part.ring.size]
    for name in Stars.schema:
        if name != "ring_row":
            getattr(graph.stars, name)[awake.stars] = getattr(stars, name)
    detected = part.window.trim()
    first = detected.first_of(since)
    graph.window.append(awake.links[detected.link[first:]], detected.day[first:])
    graph.predictions, graph.predictions_dropped = part.predictions, part.predictions_dropped
    graph.records, graph.sign_odds = part.records, part.sign_odds
    turns = part.turns.trim()
    graph.turns.note(awake.links[turns.link], turns.day, turns.turn, turns.value)


def _places(rows: Rows, size: int) -> Rows:
    places = np.full(size, -1, dtype=np.int32)
    places[rows] = np.arange(len(rows))
    return places


# What sleeps, for any number of days at once


def sleep(graph: Graph, rules: Rules, *, day: int, until: int) -> None:
    """Let every row sleep from the open day up to another."""
    _rest_stars(graph, rules, day=day, until=until)
    _see_nothing(graph.links.trim(), graph.turns, rules, day=day, until=until)
    drop_old_events(graph, rules.parameters, day=until - 1)
    open_next_days(graph, rules, day=day, until=until)


def _rest_stars(graph: Graph, rules: Rules, *, day: int, until: int) -> None:
    """Note the brightness of sleeping stars in the ring, and let their variance sink."""
    stars, p = graph.stars.trim(), rules.parameters
    rows = np.flatnonzero(stars.ring_row >= 0)
    for each in range(max(day, until - RING_DAYS), until):
        graph.ring.on(each)[stars.ring_row[rows]] = stars.brightness[rows]
    variance, stable = stars.variance[rows], stars.days_stable[rows]
    unchanged: Floats = np.zeros(len(rows))
    for days_left in range(until - day, 0, -1):
        lower = settled(star_rules.next_variance(variance, unchanged, p))
        if np.array_equal(lower, variance):
            stable = np.where(variance < p.stable_variance, stable + days_left, 0)
            break
        variance = lower
        stable = np.where(variance < p.stable_variance, stable + 1, 0)
    stars.variance[rows], stars.days_stable[rows] = variance, stable


def _see_nothing(links: Links, turns: Turns, rules: Rules, *, day: int, until: int) -> None:
    """Let detection look at sleeping links on its days, and see nothing: what it says is the same every time."""
    p = rules.parameters
    first = np.maximum(links.evaluated_day + p.type_reevaluation_interval, day)
    first[links.raw - links.raw_evaluated >= p.type_reevaluation_evidence] = day
    rows = np.flatnonzero(links.alive() & (first < until))
    first = first[rows]
    links.evaluated_day[rows] = until - 1 - (until - 1 - first) % p.type_reevaluation_interval
    links.raw_evaluated[rows] = links.raw[rows]
    never = links.found[rows] == Found.NEVER
    seen = rows[never]
    links.lag_hours[seen], links.causation[seen] = np.nan, 0.0
    links.same_sign[seen], links.lag_direction[seen] = False, Direction.NONE
    kind, direction = found_kinds(links, rows, dark=np.zeros(len(rows), dtype=np.bool_))
    kind[never], direction[never] = LinkKind.RESONANCE, Direction.NONE
    free = ~links.user_type[rows]
    turned = (links.kind[rows] != kind) & free
    turns.note(rows[turned], first[turned], Turn.KIND, kind[turned])
    links.kind[rows[free]], links.direction[rows[free]] = kind[free], direction[free]
