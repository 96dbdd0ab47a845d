"""The day's end: one vectorised step over all links and stars (spec 01, day order).

    gains, denials (already in the columns) -> prediction bonuses -> decay -> type -> state -> influence

Links are walked in blocks that fit the cache. A `Watch` may look after every stage: that is how `why` learns
what each stage added.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from asterism.core.connections import expectations
from asterism.core.connections import influence as effects
from asterism.core.connections import predictions as prediction
from asterism.core.connections import stars as star_rules
from asterism.core.connections.causation import Causation, EventIndex, detect_causation
from asterism.core.connections.daily_granger import granger_causation
from asterism.core.connections.decay import (
    exponential_decay,
    link_rates,
    settled,
    soft_floor_decay,
    star_rates,
)
from asterism.core.connections.evidence import base_gains, day_factor, day_gain, freshness, gap_square, strength_after
from asterism.core.connections.findings import Found, found_kinds, renewed
from asterism.core.connections.first_items import LinkDays
from asterism.core.connections.link_type import Ring, blockable, correlations, dark_stars, decide, mark_stuck
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.states import Ladder, active_states, day_end_states, ladder
from asterism.core.connections.tables import NEVER, NOT_FORMED, Events, Links, Predictions, Records, Stars, Window
from asterism.core.connections.turns import Turn, Turns
from asterism.core.connections.words import EvidenceKind, LinkState, StarState
from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_HOUR
from asterism.core.ledger.columns import Bools, Bytes, Floats, Ints, Rows

LINKS_AT_ONCE = 32_768
DAY_WORK = 25  # items that can be folded while an empty day is ended
LINKS_AN_ITEM = 50  # links whose day is ended in the time of one more
MASK_DAYS = 64  # days that a day-mask holds


@dataclass
class Graph:
    """The columns a day's step works on."""

    links: Links
    stars: Stars
    ring: Ring
    events: Events
    window: Window
    predictions: Predictions
    turns: Turns
    records: Records = field(default_factory=Records)
    sign_odds: tuple[int, int] = (0, 0)  # as `Records.log_odds`, of all falls and of all rises
    turns_from: int = NEVER  # the first day whose turns are all there
    first_star_day: int = NOT_FORMED
    degrees_changed: bool = False
    predictions_dropped: int = 0
    pairs_not_tested: int = 0
    connections_aside: Ints | int = 0  # of each star, by links that are not in these columns (`quiet`)


@runtime_checkable
class Watch(Protocol):
    """Someone who looks at the columns after every stage of a day's end; never to touch them."""

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Look at what a stage did."""

    def slept(self, day: int, until: int, graph: Graph) -> None:
        """Look at what all days from one up to another leave as it is."""


class Kernel(Protocol):
    """The day's end of links, compiled: for many links (`day_kernel`)."""

    def fade_links(self, graph: Graph, rules: Rules, activity: Bytes, pace: Floats) -> None:
        """Let every link fade."""

    def settle_links(self, graph: Graph, rules: Rules, *, day: int, own: effects.OwnDay) -> effects.Influence:
        """Settle states, and give what links do to stars."""

    def switch_links(self, graph: Graph, rules: Rules) -> None:
        """Switch blocks, and take boosts and caps for tomorrow."""


@dataclass(frozen=True)
class Rules:
    """The parameters, and what is computed from them once."""

    parameters: ConnectionParameters
    rungs: Ladder
    link_rates: Floats
    star_rates: Floats
    gains: tuple[float, ...]
    kernel: Kernel | None = None

    @classmethod
    def of(cls, parameters: ConnectionParameters) -> Rules:
        """Prepare the rules of a set of parameters."""
        return cls(
            parameters,
            ladder(parameters),
            link_rates(parameters),
            star_rates(parameters),
            base_gains(parameters),
        )

    def excavating(self, day: int, first_star_day: int) -> bool:
        """Say whether a date is one of the first of its space (D3)."""
        return first_star_day <= day < first_star_day + self.parameters.excavation_days


@dataclass(frozen=True)
class DayItems:
    """What the open day leaves for its end: what engagement gave each star, and every touched link's day."""

    engage_gain: Floats
    dark: Bools  # who was DARK as the day began
    link_days: LinkDays
    link_ranks: Callable[[], Rows]  # places in the order of ids, for what must not depend on row numbers


def close_day(
    graph: Graph,
    rules: Rules,
    *,
    day: int,
    items: DayItems,
    watch: Watch | None = None,
) -> None:
    """Fold one day's end into the columns; compiled, if the rules are and nobody watches."""
    kernel = rules.kernel if watch is None else None
    _stage(watch, "items", day, graph)
    own_change = _fade_stars(graph, rules, day)
    _stage(watch, "star decay", day, graph)
    _predict(graph, rules, day, items.link_ranks)
    _stage(watch, "prediction", day, graph)
    _fade_links(graph, rules, day, kernel)
    _stage(watch, "decay", day, graph)
    derived = _evaluate_types(graph, rules, day, items.link_days)
    _stage(watch, "detected", day, graph)
    hold_detected(graph, rules, derived)
    own = effects.OwnDay(own_change, items.dark)
    if kernel is None:
        settle_states(graph, rules, day)
        _stage(watch, "state", day, graph)
        sums = effects.influence(graph.links.trim(), graph.stars.trim(), own, rules.parameters)
    else:
        sums = kernel.settle_links(graph, rules, day=day, own=own)
    _influence(graph, rules, sums, items.engage_gain)
    _stage(watch, "influence", day, graph)
    _end_star_day(graph, rules, day, kernel)


def work_of_a_day(graph: Graph) -> int:
    """Estimate what ending a day costs, in items that could be folded instead."""
    return DAY_WORK + graph.links.size // LINKS_AN_ITEM


def open_next_days(graph: Graph, rules: Rules, *, day: int, until: int) -> None:
    """Begin the dates after one that has ended: evidence ages, day-masks move on, start-of-day values are taken."""
    stars = graph.stars.trim()
    if graph.window.size:
        _age_evidence(graph, rules.parameters.evidence_half_life, day=day, until=until)
    for mask in (stars.engaged_days, stars.valued_days, stars.observed_days, stars.stuck_days):
        if until - day < MASK_DAYS:
            mask <<= np.uint64(until - day)
        else:
            mask[:] = 0
    stars.day_start[:] = stars.brightness


def _age_evidence(graph: Graph, half_life: int, *, day: int, until: int) -> None:
    """Let each item of evidence count half after 30 days, and no more after 60."""
    links, window = graph.links.trim(), graph.window.trim()
    for age in (half_life + 1, 2 * half_life + 1):
        aged = slice(window.first_of(day + 1 - age), window.first_of(until + 1 - age))
        rows = window.link[aged]
        np.subtract.at(links.effective, rows[links.formed_day[rows] <= window.day[aged]], 0.5)
    expired = window.first_of(until - 2 * half_life)
    if expired > max(4096, window.size // 4) or expired == window.size:  # a copy of the rest is worth it now and then
        graph.window = Window.load({"link": window.link[expired:].copy(), "day": window.day[expired:].copy()})


def _stage(watch: Watch | None, stage: str, day: int, graph: Graph) -> None:
    if watch is not None:
        watch.after(stage, day, graph)


def _fade_stars(graph: Graph, rules: Rules, day: int) -> Floats:
    """Decay every star that is awake and was not touched today; give each star's own change of the day."""
    stars, p = graph.stars.trim(), rules.parameters
    fade = soft_floor_decay if p.decay_shape == "soft_floor" else exponential_decay
    idle = (stars.last_engaged != day) & (stars.observed_day != day) & (stars.state != StarState.DORMANT)
    idle &= (stars.born_day != NOT_FORMED) & ~stars.archived
    pace = np.where(idle, rules.star_rates[stars.domain], 0.0)
    stars.brightness -= fade(stars.brightness, pace=pace, floor=p.brightness_floor)
    rows = np.flatnonzero(stars.ring_row >= 0)
    graph.ring.on(day)[stars.ring_row[rows]] = stars.brightness[rows]
    mark_stuck(graph.ring, stars, day=day, parameters=p)
    return stars.brightness - stars.day_start


def _predict(graph: Graph, rules: Rules, day: int, link_ranks: Callable[[], Rows]) -> None:
    """Expect, verify and miss; a verified prediction strengthens its link outside the daily cap."""
    p, events = rules.parameters, graph.events.trim()
    first = int(events.at.searchsorted(day * MICROS_PER_DAY))
    if first == events.size and not prediction.expecting(graph.predictions):
        return
    today = prediction.DayEvents(events.star[first:], events.at[first:], events.change[first:])
    made, links = graph.predictions, graph.links
    already = made.size
    prediction.expect(made, links.trim(), graph.stars, today, p)
    if made.size > already:
        before = expectations.DaysBefore(graph.events, graph.stars, day, graph.records, graph.sign_odds)
        expectations.appraise(made, already, before, p)
    resolved = prediction.resolve(made, today, day_end=(day + 1) * MICROS_PER_DAY)
    if len(resolved):
        graph.records, odds = expectations.record(graph.records, made, resolved)
        graph.sign_odds = (graph.sign_odds[0] + odds[0], graph.sign_odds[1] + odds[1])
    verified = resolved[made.outcome[resolved] == prediction.Outcome.VERIFIED]
    least = LinkState[p.influence_min_state]
    for row in made.link[verified].tolist():
        early = links.found[row] != Found.NEVER and links.state[row] < least  # it predicts for its record alone
        if links.state[row] != LinkState.DISSOLVED and not early:
            links.strength[row] = strength_after(links.strength.item(row), p.prediction_verified_bonus, p)
            graph.turns.note(np.array([row]), day, Turn.VERIFIED, 0.0)
    _drop_old_predictions(graph, p.predictions_kept, link_ranks)


def _drop_old_predictions(graph: Graph, kept: int, link_ranks: Callable[[], Rows]) -> None:
    made = graph.predictions.trim()
    surplus = int((made.outcome != prediction.Outcome.OPEN).sum()) - kept
    if surplus > 0:
        resolved = np.flatnonzero(made.outcome != prediction.Outcome.OPEN)
        place = link_ranks()[made.link[resolved]]
        order = np.lexsort((made.sign[resolved], made.expected_at[resolved], place, made.made_at[resolved]))
        oldest = resolved[order[:surplus]]
        left = np.setdiff1d(np.arange(made.size), oldest)
        graph.predictions = Predictions.load(graph.predictions.dump(left))
        graph.predictions_dropped += surplus


def _fade_links(graph: Graph, rules: Rules, day: int, kernel: Kernel | None) -> None:
    """Decay every link but those that today's values renew."""
    links = graph.links.trim()
    rows = renewed(links, graph.stars.trim(), day=day)
    as_they_were = links.strength[rows]
    fade_links(graph, rules, day, kernel)
    links.strength[rows] = settled(as_they_were)
    links.fed_day[rows] = day


def fade_links(graph: Graph, rules: Rules, day: int, kernel: Kernel | None = None) -> None:
    """Decay every link by its kind and by how recently an end was engaged (seed 4; D6, D8)."""
    links, p = graph.links.trim(), rules.parameters
    fade = soft_floor_decay if p.decay_shape == "soft_floor" else exponential_decay
    rates = rules.link_rates
    if rules.excavating(day, graph.first_star_day):
        rates = rates * p.excavation_decay_rate
    engaged = graph.stars.last_engaged
    # pace by (activity, kind): one gather a link. Activity 0: engaged today; 1: within the week; 2: neither
    pace_of = np.concatenate([rates * 0.0, rates * p.activity_week, rates])
    first_pace_of = ((day > engaged).astype(np.uint8) + (day - engaged > p.activity_days)) * np.uint8(len(rates))
    if kernel is not None:
        kernel.fade_links(graph, rules, first_pace_of, pace_of)
        return
    for first in range(0, links.size, LINKS_AT_ONCE):
        part = slice(first, first + LINKS_AT_ONCE)
        place = np.minimum(first_pace_of.take(links.a[part]), first_pace_of.take(links.b[part]))
        place *= links.state[part] > LinkState.DORMANT  # DORMANT freezes decay
        place += links.kind[part]
        strength = links.strength[part]
        strength -= fade(strength, pace=pace_of.take(place), floor=p.floor)
        strength[:] = settled(strength)


def _evaluate_types(graph: Graph, rules: Rules, day: int, link_days: LinkDays) -> Rows:
    """Look again at the kind of every link that is due, and count what detection finds as evidence (D5)."""
    links, p = graph.links.trim(), rules.parameters
    due = day - links.evaluated_day >= p.type_reevaluation_interval
    due |= links.raw - links.raw_evaluated >= p.type_reevaluation_evidence
    due &= links.alive()
    rows = np.flatnonzero(due)
    if not len(rows):
        return rows
    links.evaluated_day[rows] = day
    found = links.found[rows] != Found.NEVER
    if found.any():
        _keep_found_types(graph, day, rows[found])
        rows = np.flatnonzero(due & (links.found == Found.NEVER))
        if not len(rows):
            return rows
    seen = look(graph, rules, links.a[rows], links.b[rows], day=day)
    _turn(graph, day, rows, seen.kind, seen.direction)
    links.lag_hours[rows] = seen.causation.lag_hours
    links.causation[rows] = seen.causation.confidence
    links.same_sign[rows] = seen.causation.same_sign
    links.lag_direction[rows] = seen.causation.direction
    derived = _count_detected(graph, rules, day, rows, seen, link_days)
    links.raw_evaluated[rows] = links.raw[rows]
    return derived


def _keep_found_types(graph: Graph, day: int, rows: Rows) -> None:
    """Give found links the kind that findings gave them; only a DARK end goes first."""
    links, stars = graph.links.trim(), graph.stars.trim()
    dark = dark_stars(stars)
    kind, direction = found_kinds(links, rows, dark=dark[links.a[rows]] | dark[links.b[rows]])
    _turn(graph, day, rows, kind, direction)
    links.raw_evaluated[rows] = links.raw[rows]


def _turn(graph: Graph, day: int, rows: Rows, kind: Bytes, direction: Bytes) -> None:
    """Give links their kind and direction, unless a user did."""
    links = graph.links.trim()
    free = ~links.user_type[rows]
    turned = free & (links.kind[rows] != kind)
    graph.turns.note(rows[turned], day, Turn.KIND, kind[turned])
    links.kind[rows[free]] = kind[free]
    links.direction[rows[free]] = direction[free]


@dataclass(frozen=True)
class Seen:
    """What detection sees in many pairs."""

    correlation: Floats
    causation: Causation
    kind: np.ndarray[tuple[int], np.dtype[np.uint8]]
    direction: np.ndarray[tuple[int], np.dtype[np.uint8]]
    correlated: Bools
    caused: Bools

    def evidence(self, place: int) -> list[EvidenceKind]:
        """Give the evidence that one pair has."""
        found = [EvidenceKind.CORRELATION_DETECTED] if self.correlated[place] else []
        return [*found, EvidenceKind.CAUSATION_DETECTED] if self.caused[place] else found


def look(graph: Graph, rules: Rules, a: Rows, b: Rows, *, day: int) -> Seen:
    """Detect correlation, causation and blocks between many pairs, by the days up to and including `day`."""
    stars, p = graph.stars.trim(), rules.parameters
    correlation = correlations(graph.ring, stars, a, b, day=day, parameters=p)
    first_at = (day + 1 - p.correlation_window) * MICROS_PER_DAY
    causation = detect_causation(EventIndex(graph.events, first_at=first_at), a, b, p)
    if p.causality == "granger":
        causation = granger_causation(graph.ring, stars, a, b, day=day, lagged=causation, parameters=p)
    blocked = blockable(graph.ring, stars, day=day, parameters=p)
    verdict = decide(stars=stars, blocked=blocked, correlation=correlation, causation=causation, a=a, b=b, parameters=p)
    return Seen(
        correlation,
        causation,
        verdict.kind,
        verdict.direction,
        (correlation > p.resonance_threshold) | (correlation < p.tension_threshold),
        causation.confidence > p.causation_threshold,
    )


def _count_detected(graph: Graph, rules: Rules, day: int, rows: Rows, seen: Seen, link_days: LinkDays) -> Rows:
    """Add the evidence that detection derives, on top of what the day already gave (D1); give the rows that had any."""
    links, p = graph.links.trim(), rules.parameters
    found = seen.correlated | seen.caused
    rows, correlated, caused = rows[found], seen.correlated[found], seen.caused[found]
    day_end = (day + 1) * MICROS_PER_DAY - 1

    factor = day_factor(
        freshness(day=day, last_evidence_day=links.last_day[rows], parameters=p),
        state=links.state[rows],
        connections=np.maximum(graph.stars.connections[links.a[rows]], graph.stars.connections[links.b[rows]]),
        excavating=rules.excavating(day, graph.first_star_day),
        parameters=p,
    )
    today = [link_days.get(row) for row in rows.tolist()] if link_days else []
    for place, link_day in enumerate(today):
        if link_day is not None:
            factor[place] = link_day.factor
    with_items = [place for place, link_day in enumerate(today) if link_day is not None and link_day.times]

    correlation_gain = np.where(correlated, rules.gains[EvidenceKind.CORRELATION_DETECTED], 0.0) * factor
    causation_gain = np.where(caused, rules.gains[EvidenceKind.CAUSATION_DETECTED], 0.0) * factor
    larger, smaller = (
        np.maximum(correlation_gain, causation_gain),
        np.minimum(correlation_gain, causation_gain),
    )
    added = day_gain((larger, smaller), p)
    for place in with_items:  # the day already gave something: only the difference is new
        already = [gain * float(factor[place]) for gain in link_days[int(rows[place])].gains]
        together = sorted([*already, float(larger[place]), float(smaller[place])], reverse=True)
        added[place] = day_gain(together, p) - day_gain(already, p)
    links.strength[rows] = settled(strength_after(links.strength[rows], added, p))

    items = correlated.astype(np.int32) + caused
    graph.turns.note(rows, day, (items + (Turn.DETECTED_ONE - 1)).astype(np.uint8), added)
    links.gap_squares[rows] += gap_square(links.last_at[rows], day_end)
    links.raw[rows] += items
    links.effective[rows] += items
    links.last_at[rows] = day_end
    links.last_day[rows] = links.fed_day[rows] = day
    graph.window.append(np.repeat(rows, items), day)
    return rows


def hold_detected(graph: Graph, rules: Rules, derived: Rows) -> None:
    """Note the state that detected evidence gives a link, as evidence that is told does."""
    links = graph.links.trim()
    links.held_state[derived] = active_states(links.strength[derived], links.effective[derived], rules.rungs)


def settle_states(graph: Graph, rules: Rules, day: int) -> None:
    """Give every link its state at day end."""
    links, rungs = graph.links.trim(), rules.rungs
    held = rules.parameters.dormancy_basis == "held"
    for first in range(0, links.size, LINKS_AT_ONCE):
        part = slice(first, first + LINKS_AT_ONCE)
        active = active_states(links.strength[part], links.effective[part], rungs)
        states = day_end_states(
            before=links.state[part],
            active=active,
            basis=links.held_state[part] if held else active,
            idle_days=day - links.fed_day[part],
            lone=(links.raw[part] == 1) & ~links.latent[part],
            rungs=rungs,
        )
        ended = np.flatnonzero((states == LinkState.DISSOLVED) & (links.state[part] != LinkState.DISSOLVED))
        if len(ended):
            graph.degrees_changed = True
            links.dissolve(first + ended)
        links.state[part] = states


def _influence(graph: Graph, rules: Rules, sums: effects.Influence, engage_gain: Floats) -> None:
    """Let links act on stars (D13): what they do together, in one synchronous change."""
    stars, p = graph.stars.trim(), rules.parameters
    after = effects.applied(own=stars.brightness, engage_gain=engage_gain, effects=sums, cap=stars.cap, parameters=p)
    is_star = stars.born_day != NOT_FORMED
    stars.brightness[is_star] = settled(after)[is_star]


def _end_star_day(graph: Graph, rules: Rules, day: int, kernel: Kernel | None) -> None:
    """Give every star its state, and take what depends on states: boosts, caps, connection counts."""
    links, stars, p = graph.links.trim(), graph.stars.trim(), rules.parameters
    is_star = stars.born_day != NOT_FORMED
    variance = star_rules.next_variance(stars.variance, stars.brightness - stars.day_start, p)
    stars.variance[is_star] = settled(variance)[is_star]
    stars.days_stable[:] = np.where(is_star & (stars.variance < p.stable_variance), stars.days_stable + 1, 0)
    dark = is_star & (stars.dark_marked | (stars.contradictions >= p.dark_contradictions))
    states = star_rules.next_states(
        before=stars.state,
        brightness=stars.brightness,
        variance=stars.variance,
        days_stable=stars.days_stable,
        idle_days=day - stars.last_seen,
        dark=dark,
        parameters=p,
    )
    stars.state[is_star] = states[is_star]
    idle_nascent = (stars.state == StarState.NASCENT) & (day - stars.last_seen >= p.nascent_archive_days)
    stars.archived |= is_star & idle_nascent
    if kernel is None:
        effects.set_blocking(links, stars, p)
        stars.boost[:] = effects.boosts(links, stars, p)
        stars.cap[:] = effects.caps(links, stars, p)
    else:
        kernel.switch_links(graph, rules)
    if graph.degrees_changed:
        stars.connections[:] = connections_by(links, stars.size) + graph.connections_aside
        graph.degrees_changed = False
    drop_old_events(graph, p, day=day)


def connections_by(links: Links, stars: int) -> Rows:
    """Count the connections of every star that these links are."""
    rows = np.flatnonzero(links.alive())
    return np.bincount(links.a.take(rows), minlength=stars) + np.bincount(links.b.take(rows), minlength=stars)


def drop_old_events(graph: Graph, parameters: ConnectionParameters, *, day: int) -> None:
    """Let go of events that detection will not look at after a date."""
    p = parameters
    keep_from = (day - p.correlation_window) * MICROS_PER_DAY - round(p.max_causation_lag * MICROS_PER_HOUR)
    expired = int(graph.events.trim().at.searchsorted(keep_from))
    if expired:
        live = graph.events.trim()
        graph.events = Events.load({n: getattr(live, n)[expired:].copy() for n in Events.schema})
