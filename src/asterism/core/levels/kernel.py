"""The level book over arrays, compiled: the rules of `plain`, line for line, and the same bits.

Every function here, in `kernel_places` and in `kernel_path` is plain Python that numba compiles; a test runs them both
ways.
"""

from __future__ import annotations

from asterism.core.levels.events import BOTH, LIQUIDATION, PERSISTENCE, PRICE, REJECTION, TRADE
from asterism.core.levels.kernel_path import move
from asterism.core.levels.kernel_places import expire, extends, hold, match, new_place, use_no_more
from asterism.core.levels.kernel_tables import (
    CLOCK,
    EPISODES,
    LEVELS,
    LOGGED,
    MOST_INSIDE,
    NONE,
    OLDEST,
    PATH,
    PENDING_PLACES,
    TIDIED,
    TURN,
    Batch,
    Records,
    Rules,
    Tables,
    Told,
    called,
    inner,
    raised,
    rare,
    settled,
)
from asterism.core.levels.state import (
    BOOSTED,
    CREATED,
    EXTENDED,
    HELD,
    HOUR,
    NEVER,
    OUTSIDE,
    PENDING,
    REFUSED,
    RESURRECTED,
    UNMATCHED,
)

# Evidence


@rare
def write_down(
    tables: Tables, told: Told, event: int, number: int, effect: int, kind: int, before: float, after: float
) -> None:
    """Write an effect into the log."""
    where = tables.wholes[LOGGED]
    told.event[where] = event
    told.place[where] = number
    told.effect[where] = effect
    told.kind[where] = kind
    told.before[where] = before
    told.after[where] = after
    tables.wholes[LOGGED] = where + 1


@inner
def boost(rules: Rules, kind: int) -> float:
    """Give what an item of a kind adds."""
    if kind == TRADE:
        return rules.boost_execution
    if kind == PERSISTENCE:
        return rules.boost_persistence
    if kind == LIQUIDATION:
        return rules.boost_liquidation
    return rules.boost_rejection if kind == REJECTION else 0.0


@inner
def count_item(places: Records, rules: Rules, row: int, effect: int, kind: int, usd: float, n: int, side: int) -> None:
    """Count an item of a level."""
    place = places[row]
    place.interactions += effect != EXTENDED
    place.side |= side
    if kind == REJECTION:
        place.visits += n
        place.rejections += n
        place.confidence = min(1.0, place.confidence + rules.rejection_confidence_per_visit)
    if kind in (TRADE, LIQUIDATION):  # compiled: two comparisons, no tuple
        place.volume += usd


@inner
def interact(
    places: Records,
    rules: Rules,
    row: int,
    kind: int,
    at: int,
    usd: float,
    seconds: float,
    n: int,
    side: int,
    extending: bool,  # noqa: FBT001  # what `extends` said
) -> tuple[int, float, float]:
    """Settle a level to the item's time, add, anchor again (D8); give the effect, and strength before and after."""
    place = places[row]
    before = settled(place.anchor, place.anchor_at, at, rules.decay_rate)
    if extending:
        after = max(before, raised(rules.persistence_strength_base, rules.persistence_strength_per_sec, seconds))
        effect = EXTENDED
    elif before < rules.archive_threshold:
        after = min(1.0, before + rules.boost_resurrection)
        effect = RESURRECTED
    elif rules.only_when_left and kind in (TRADE, LIQUIDATION) and place.left == 0:
        after = before
        effect = HELD
    else:
        after = min(1.0, before + boost(rules, kind))
        effect = BOOSTED
    place.last_seen = at
    count_item(places, rules, row, effect, kind, usd, n, side)
    if kind in (TRADE, LIQUIDATION):
        place.left = 0
    if effect != HELD:
        place.anchor = after
        place.anchor_at = at
    return effect, before, after


@rare
def add_late(tables: Tables, rules: Rules, event: int, batch: Batch) -> tuple[int, int, float, float]:
    """Add what comes too late at the anchor of its level: time never moves back (D9)."""
    kind = batch.kind[event]
    reach = rules.liquidation_reach if kind == LIQUIDATION else rules.reach
    row = match(tables.places, tables.heads, rules, batch.price[event], reach)
    if row == NONE or tables.places[row].level == 0:
        return NONE, UNMATCHED, 0.0, 0.0
    place = tables.places[row]
    before, seconds = place.anchor, batch.seconds[event]
    if kind == PERSISTENCE and batch.episode[event] != 0 and extends(tables, rules, row, batch.episode[event]):
        after = max(before, raised(rules.persistence_strength_base, rules.persistence_strength_per_sec, seconds))
        effect = EXTENDED
    else:
        after = min(1.0, before + boost(rules, kind))
        effect = BOOSTED
    count_item(tables.places, rules, row, effect, kind, batch.usd[event], batch.n[event], batch.side[event])
    place.anchor = after
    return place.number, effect, before, after


@rare
def collect(
    tables: Tables,
    rules: Rules,
    row: int,
    kind: int,
    at: int,
    usd: float,
    seconds: float,
    n: int,
    side: int,
    episode: int,
) -> tuple[int, float]:
    """Add evidence to a place that is no level yet; it becomes one when that is enough (D3).

    Gives the effect and the strength.
    """
    place = tables.places[row]
    place.last_seen = at
    same = kind == PERSISTENCE and episode != 0 and episode == place.episode
    place.interactions += not same
    place.side |= side
    if kind in (TRADE, LIQUIDATION):
        place.volume += usd
    if kind == PERSISTENCE:
        place.seconds = max(place.seconds, seconds) if same else seconds
        place.episode = episode
    if kind == REJECTION:
        place.visits += n
        place.rejections += n
    strength, confidence = made(place.seconds, place.volume, place.visits, kind, n, rules)
    if strength < 0.0 or tables.wholes[LEVELS] >= rules.levels_max:
        hold(tables, rules, row)
        return PENDING if strength < 0.0 else REFUSED, 0.0
    use_no_more(tables.places, tables.wholes, PENDING_PLACES, row)
    tables.wholes[LEVELS] += 1
    place.level = 1
    place.reason = kind
    place.anchor = strength
    place.anchor_at = at
    place.confidence = confidence
    if place.side == 0:
        place.side = BOTH
    place.left = place.entered == OUTSIDE
    if kind == PERSISTENCE and episode != 0:
        extends(tables, rules, row, episode)
    return CREATED, strength


@rare
def made(seconds: float, volume: float, visits: int, kind: int, n: int, rules: Rules) -> tuple[float, float]:
    """Give strength and confidence of the level that a place's evidence makes; -1 if it is not enough."""
    if kind == PERSISTENCE and seconds >= rules.persistence_min_seconds:
        strength = raised(rules.persistence_strength_base, rules.persistence_strength_per_sec, seconds)
        return strength, rules.persistence_confidence
    if kind == TRADE and volume >= rules.execution_min_usd:
        strength = raised(rules.execution_strength_base, rules.execution_strength_per_1k, volume / 1000.0)
        return strength, rules.execution_confidence
    if kind == LIQUIDATION:
        strength = raised(rules.liquidation_strength_base, rules.liquidation_strength_per_event, float(n))
        return strength, rules.liquidation_confidence
    if kind == REJECTION and visits >= rules.rejection_min_visits:
        confidence = raised(rules.rejection_confidence_base, rules.rejection_confidence_per_visit, float(visits))
        return rules.rejection_strength, confidence
    return -1.0, 0.0


# The loop


@called
def run(tables: Tables, rules: Rules, batch: Batch, told: Told, start: int, stop: int) -> int:
    """Take in events from start; give where it stopped: at the end, at a new hour, or for want of room to tell."""
    places, heads, wholes, path, known = tables.places, tables.heads, tables.wholes, tables.path, tables.episodes
    kinds, ats, prices, lates, counts = batch.kind, batch.at, batch.price, batch.late, told.counts
    usds, lengths, ns, sides, episodes = batch.usd, batch.seconds, batch.n, batch.side, batch.episode
    logging = len(told.event) > 0
    room = len(told.event) - 2 * MOST_INSIDE
    next_hour = (wholes[TIDIED] + 1) * HOUR if wholes[TIDIED] != NEVER else NEVER
    for event in range(start, stop):
        if logging and wholes[LOGGED] > room:
            return event
        kind, at, price = int(kinds[event]), ats[event], prices[event]
        if lates[event]:
            if kind != PRICE:
                number, effect, before, after = add_late(tables, rules, event, batch)
                counts[effect] += 1
                if logging:
                    write_down(tables, told, event, number, effect, kind, before, after)
            continue
        if at >= next_hour:
            return event
        wholes[CLOCK] = at
        horizon = at - rules.pending_micros
        oldest, oldest_episode = wholes[PENDING_PLACES + OLDEST], wholes[EPISODES + OLDEST]
        if (oldest != NONE and places[oldest].last_seen < horizon) or (
            oldest_episode != NONE and known[oldest_episode].seen < horizon
        ):
            expire(tables, horizon)
        turned = 0
        if (kind == PRICE or (rules.all_move and kind in (TRADE, LIQUIDATION))) and price != path[PATH]:
            turned = move(tables, places, heads, wholes, path, rules, price)
        for step in range(turned + (kind != PRICE)):
            if step < turned:
                by, where, usd, seconds, n, episode = REJECTION, path[TURN], 0.0, 0.0, 1, 0
                row, side = tables.turned[step], int(tables.turned_side[step])
            else:
                by, where, usd, seconds = kind, price, usds[event], lengths[event]
                n, side, episode = ns[event], int(sides[event]), episodes[event]
                row = match(
                    places, heads, rules, price, rules.liquidation_reach if kind == LIQUIDATION else rules.reach
                )
            if row == NONE:
                row = new_place(tables, rules, where, at)
            number = places[row].number
            if places[row].level == 1:
                extending = by == PERSISTENCE and episode != 0 and extends(tables, rules, row, episode)
                effect, before, after = interact(places, rules, row, by, at, usd, seconds, n, side, extending)
            else:
                before = 0.0
                effect, after = collect(tables, rules, row, by, at, usd, seconds, n, side, episode)
            counts[effect] += 1
            if logging:
                write_down(tables, told, event, number, effect, by, before, after)
    return stop
