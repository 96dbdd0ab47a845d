"""The level book over arrays, compiled: the rules of `plain`, line for line, and the same bits.

Every function here is plain Python that numba compiles; a test runs them both ways. Places live in one table of
records. Three chains run through it: places of one cell of the price grid, pending places by last use, free rows.
The grid's cells are steps of the float's mantissa, so that whole-number arithmetic finds a price's neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from asterism.core.columns import Bools, Bytes, Floats, Ints, Longs
from asterism.core.levels import formulas
from asterism.core.levels.events import ASK, BID, BOTH, LIQUIDATION, PERSISTENCE, PRICE, REJECTION, TRADE
from asterism.core.levels.state import (
    BOOSTED,
    CREATED,
    EVICTED,
    EXPIRED,
    EXTENDED,
    FORGOTTEN,
    FROM_ABOVE,
    FROM_BELOW,
    HELD,
    HOUR,
    NEVER,
    OUTSIDE,
    PENDING,
    PLACE,
    REFUSED,
    RESURRECTED,
    UNKNOWN,
    UNMATCHED,
)

Function = TypeVar("Function")
Records = NDArray[np.void]

ROW = np.dtype([("cell", "i8"), ("next", "i4"), ("older", "i4"), ("newer", "i4"), *PLACE.descr], align=True)
EPISODE = np.dtype(
    [("id", "i8"), ("place", "i8"), ("seen", "i8"), ("next", "i4"), ("older", "i4"), ("newer", "i4")], align=True
)
# The whole numbers of a book
(
    CLOCK,
    TIDIED,
    NEXT_NUMBER,
    RISING,
    DROPPED,  # and three more
    LEVELS,
    HELD_PLACES,
    OLDEST,
    NEWEST,
    FREE,
    INSIDE,
    EPISODES,
    OLDEST_EPISODE,
    NEWEST_EPISODE,
    FREE_EPISODE,
    LOGGED,
) = (0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18)
WHOLES = 19
PATH, EXTREME, TURN = 0, 1, 2
MOST_INSIDE = 64  # centres are more than a reach apart, so that only a few bands hold one price
NONE = -1


class Rules(NamedTuple):
    """The parameters, as the kernel reads them."""

    reach: float
    liquidation_reach: float
    grid: float  # cells in an octave of prices
    persistence_min_seconds: float
    persistence_strength_base: float
    persistence_strength_per_sec: float
    persistence_confidence: float
    execution_min_usd: float
    execution_strength_base: float
    execution_strength_per_1k: float
    execution_confidence: float
    liquidation_strength_base: float
    liquidation_strength_per_event: float
    liquidation_confidence: float
    rejection_min_visits: int
    rejection_strength: float
    rejection_confidence_base: float
    rejection_confidence_per_visit: float
    boost_execution: float
    boost_persistence: float
    boost_liquidation: float
    boost_rejection: float
    boost_resurrection: float
    only_when_left: bool
    all_move: bool
    decay_rate: float
    archive_threshold: float
    archive_max_levels: int
    archive_max_micros: int
    levels_max: int
    pending_max: int
    pending_micros: int
    episodes_max: int


class Tables(NamedTuple):
    """The arrays of a book."""

    places: Records
    heads: Ints  # of the grid's chains
    wholes: Longs
    path: Floats
    inside: Ints
    turned: Ints  # bands the price just left on the side it came from; NONE: a turn where nothing is kept yet
    turned_side: Bytes
    episodes: Records
    episode_heads: Ints


class Batch(NamedTuple):
    """The columns of a batch."""

    kind: Bytes
    at: Longs
    price: Floats
    usd: Floats
    seconds: Floats
    n: Longs
    side: Bytes
    episode: Longs
    late: Bools


class Told(NamedTuple):
    """Where the kernel writes what happened; empty columns: it only counts."""

    counts: Longs
    event: Longs
    place: Longs
    effect: Bytes
    kind: Bytes
    before: Floats
    after: Floats


def _compiler(**options: object) -> Callable[[Function], Function]:
    make = cast(Callable[..., Callable[[Function], Function]], numba.njit)  # a compiled function is called as before
    return make(error_model="numpy", **options)


def called(function: Function) -> Function:
    """Compile a function that Python calls, and keep what was compiled for the next process."""
    try:
        return _compiler(cache=True)(function)
    except RuntimeError:  # nowhere to keep it: neither our folder nor the user's can be written
        return _compiler()(function)


def inner(function: Function) -> Function:
    """Compile a function into those that call it: for what every event does (a call copies all the tables' heads)."""
    return _compiler(inline="always")(function)


def rare(function: Function) -> Function:
    """Compile a function that only compiled ones call, and not for every event."""
    return _compiler(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


settled = inner(formulas.settled)
raised = inner(formulas.raised)
reaches = inner(formulas.reaches)

# The grid


@called
def cell_of(price: float, grid: float) -> int:
    """Give the cell of a price: the octave, and the step of the mantissa in it."""
    mantissa, exponent = math.frexp(price)
    return exponent * int(grid) + int((mantissa - 0.5) * 2.0 * grid)


@called
def bucket(cell: int, heads: Ints) -> int:
    """Give the chain that holds a cell: neighbours in price are neighbours in memory."""
    return cell & (len(heads) - 1)


@rare
def link(tables: Tables, row: int) -> None:
    """Hang a place into its cell's chain."""
    chain = bucket(tables.places[row].cell, tables.heads)
    tables.places[row].next = tables.heads[chain]
    tables.heads[chain] = row


@rare
def unlink(tables: Tables, row: int) -> None:
    """Take a place out of its cell's chain."""
    places, heads = tables.places, tables.heads
    chain = bucket(places[row].cell, heads)
    here = heads[chain]
    if here == row:
        heads[chain] = places[row].next
        return
    while places[here].next != row:
        here = places[here].next
    places[here].next = places[row].next


@inner
def match(places: Records, heads: Ints, rules: Rules, price: float, reach: float) -> int:
    """Find the place that covers a price: a level before a pending place, then the nearest, then the older."""
    best, best_level, best_distance, best_number = NONE, 0, 0.0, 0
    span = price * reach * 1.1
    for cell in range(cell_of(price - span, rules.grid), cell_of(price + span, rules.grid) + 1):
        row = heads[bucket(cell, heads)]
        while row != NONE:
            place = places[row]
            if place.cell == cell and reaches(place.centre, price, reach):
                distance = abs(price - place.centre)
                if (
                    best == NONE
                    or place.level > best_level
                    or (
                        place.level == best_level
                        and (distance < best_distance or (distance == best_distance and place.number < best_number))
                    )
                ):
                    best, best_level, best_distance, best_number = row, place.level, distance, place.number
            row = place.next
    return best


# Keeping and forgetting


@rare
def new_place(tables: Tables, rules: Rules, price: float, at: int) -> int:
    """Take a new place into the list; the price may already be inside its band."""
    wholes = tables.wholes
    row: int = wholes[FREE]
    place = tables.places[row]
    wholes[FREE] = place.next
    place.number = wholes[NEXT_NUMBER]
    wholes[NEXT_NUMBER] += 1
    place.centre = price
    place.anchor = 0.0
    place.anchor_at = 0
    place.confidence = 0.0
    place.volume = 0.0
    place.first_seen = at
    place.last_seen = 0
    place.interactions = 0
    place.visits = 0
    place.rejections = 0
    place.breaks = 0
    place.episode = 0
    place.seconds = 0.0
    place.level = 0
    place.reason = 0
    place.side = 0
    place.left = 0
    place.entered = OUTSIDE
    place.older = NONE
    place.newer = NONE
    place.cell = cell_of(price, rules.grid)
    link(tables, row)
    if tables.path[PATH] > 0.0 and reaches(price, tables.path[PATH], rules.reach):
        place.entered = UNKNOWN
        step_in(tables, row)
    return row


@called
def step_in(tables: Tables, row: int) -> None:
    """Note that the price is in a band, keeping the order of numbers."""
    inside, number = tables.inside, tables.places[row].number
    where = tables.wholes[INSIDE]
    if where == MOST_INSIDE:
        raise ValueError("more bands hold one price than can be")
    while where > 0 and tables.places[inside[where - 1]].number > number:
        inside[where] = inside[where - 1]
        where -= 1
    inside[where] = row
    tables.wholes[INSIDE] += 1


@rare
def step_out(tables: Tables, row: int) -> None:
    """Note that the price is in a band no more."""
    inside, count = tables.inside, tables.wholes[INSIDE]
    where = 0
    while inside[where] != row:
        where += 1
    for after in range(where + 1, count):
        inside[after - 1] = inside[after]
    tables.wholes[INSIDE] = count - 1


@rare
def wait_no_more(tables: Tables, row: int) -> None:
    """Take a place out of the chain of pending ones."""
    wholes, places = tables.wholes, tables.places
    place = places[row]
    if wholes[OLDEST] == row:
        wholes[OLDEST] = place.newer
    elif place.older == NONE:
        return  # it was not there
    else:
        places[place.older].newer = place.newer
    if wholes[NEWEST] == row:
        wholes[NEWEST] = place.older
    else:
        places[place.newer].older = place.older
    place.older = NONE
    place.newer = NONE
    wholes[HELD_PLACES] -= 1


@rare
def hold(tables: Tables, rules: Rules, row: int) -> None:
    """Hold a place as pending, the most recently used; the longest unused gives way."""
    wholes, places = tables.wholes, tables.places
    wait_no_more(tables, row)
    places[row].older = wholes[NEWEST]
    if wholes[NEWEST] != NONE:
        places[wholes[NEWEST]].newer = row
    else:
        wholes[OLDEST] = row
    wholes[NEWEST] = row
    wholes[HELD_PLACES] += 1
    if wholes[HELD_PLACES] > rules.pending_max:
        forget(tables, wholes[OLDEST])
        wholes[DROPPED + EVICTED] += 1


@called
def forget(tables: Tables, row: int) -> None:
    """Let go of a place."""
    place = tables.places[row]
    wait_no_more(tables, row)
    unlink(tables, row)
    if place.entered != OUTSIDE:
        step_out(tables, row)
    tables.wholes[LEVELS] -= place.level
    place.number = NONE
    place.level = 0
    place.next = tables.wholes[FREE]
    tables.wholes[FREE] = row


# Episodes


@rare
def extends(tables: Tables, rules: Rules, row: int, episode: int) -> bool:
    """Say whether an item goes on with an episode that this place knows; remember it if not (D5)."""
    wholes, episodes = tables.wholes, tables.episodes
    chain = bucket(episode, tables.episode_heads)
    found = tables.episode_heads[chain]
    while found != NONE and episodes[found].id != episode:
        found = episodes[found].next
    known = NONE
    if found != NONE:
        known = episodes[found].place
        unchain_episode(tables, found)
    else:
        found = wholes[FREE_EPISODE]
        wholes[FREE_EPISODE] = episodes[found].next
        episodes[found].id = episode
        episodes[found].next = tables.episode_heads[chain]
        tables.episode_heads[chain] = found
    entry = episodes[found]
    entry.place = tables.places[row].number
    entry.seen = wholes[CLOCK]
    entry.newer = NONE
    entry.older = wholes[NEWEST_EPISODE]
    if wholes[NEWEST_EPISODE] != NONE:
        episodes[wholes[NEWEST_EPISODE]].newer = found
    else:
        wholes[OLDEST_EPISODE] = found
    wholes[NEWEST_EPISODE] = found
    wholes[EPISODES] += 1
    if wholes[EPISODES] > rules.episodes_max:
        forget_episode(tables, wholes[OLDEST_EPISODE])
        wholes[DROPPED + FORGOTTEN] += 1
    return bool(known == entry.place)


@rare
def unchain_episode(tables: Tables, row: int) -> None:
    """Take an episode out of the chain of use."""
    wholes, episodes = tables.wholes, tables.episodes
    entry = episodes[row]
    if wholes[OLDEST_EPISODE] == row:
        wholes[OLDEST_EPISODE] = entry.newer
    else:
        episodes[entry.older].newer = entry.newer
    if wholes[NEWEST_EPISODE] == row:
        wholes[NEWEST_EPISODE] = entry.older
    else:
        episodes[entry.newer].older = entry.older
    wholes[EPISODES] -= 1


@rare
def forget_episode(tables: Tables, row: int) -> None:
    """Let go of an episode."""
    episodes, heads = tables.episodes, tables.episode_heads
    unchain_episode(tables, row)
    chain = bucket(episodes[row].id, heads)
    if heads[chain] == row:
        heads[chain] = episodes[row].next
    else:
        here = heads[chain]
        while episodes[here].next != row:
            here = episodes[here].next
        episodes[here].next = episodes[row].next
    episodes[row].next = tables.wholes[FREE_EPISODE]
    tables.wholes[FREE_EPISODE] = row


# Time


@rare
def expire(tables: Tables, horizon: int) -> None:
    """Let go of pending places and episodes that were last used before a time."""
    wholes = tables.wholes
    while wholes[OLDEST] != NONE and tables.places[wholes[OLDEST]].last_seen < horizon:
        forget(tables, wholes[OLDEST])
        wholes[DROPPED + EXPIRED] += 1
    while wholes[OLDEST_EPISODE] != NONE and tables.episodes[wholes[OLDEST_EPISODE]].seen < horizon:
        forget_episode(tables, wholes[OLDEST_EPISODE])


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
    wait_no_more(tables, row)
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


# The price path


@inner
def move(tables: Tables, places: Records, heads: Ints, wholes: Longs, path: Floats, rules: Rules, price: float) -> int:
    """Let the price enter, leave and cross bands, and turn (D7); give how many turned it back."""
    before = path[PATH]
    turned = 0
    where = 0
    while where < wholes[INSIDE]:
        row = tables.inside[where]
        if reaches(places[row].centre, price, rules.reach):
            where += 1
        else:
            turned += leave(tables, row, price, turned)
    if before > 0.0:
        cross(places, heads, rules, before, price)
    path[PATH] = price
    span = price * rules.reach * 1.1
    for cell in range(cell_of(price - span, rules.grid), cell_of(price + span, rules.grid) + 1):
        row = heads[bucket(cell, heads)]
        while row != NONE:
            place = places[row]
            if place.cell == cell and place.entered == OUTSIDE and reaches(place.centre, price, rules.reach):
                if before == 0.0:
                    place.entered = UNKNOWN
                else:
                    place.entered = FROM_BELOW if before < place.centre else FROM_ABOVE
                step_in(tables, row)
            row = place.next
    if path[EXTREME] == 0.0:
        path[EXTREME] = price
    if wholes[RISING] != 0 and (price - path[EXTREME]) * wholes[RISING] >= 0.0:
        path[EXTREME] = price
    elif not reaches(path[EXTREME], price, rules.reach):
        turned += turn(tables, rules, price, turned)
    return turned


@rare
def leave(tables: Tables, row: int, price: float, turned: int) -> int:
    """Leave a band: on the side the price came from it is a rejection, else a break."""
    place = tables.places[row]
    came = place.entered
    went = FROM_ABOVE if price > place.centre else FROM_BELOW
    place.entered = OUTSIDE
    place.left = 1
    step_out(tables, row)
    if came == went:
        tables.turned[turned] = row
        tables.turned_side[turned] = ASK if came == FROM_BELOW else BID
        return 1
    if came != UNKNOWN:
        place.breaks += 1
        place.visits = 0
    return 0


@inner
def cross(places: Records, heads: Ints, rules: Rules, before: float, price: float) -> None:
    """Break the places whose bands lie between two prices of the path and hold neither."""
    first, last = cell_of(min(before, price), rules.grid), cell_of(max(before, price), rules.grid)
    if last - first > len(places):
        leap(places, rules, before, price)
        return
    for cell in range(first, last + 1):
        row = heads[bucket(cell, heads)]
        while row != NONE:
            if places[row].cell == cell:
                pass_by(places, rules, row, before, price)
            row = places[row].next


@inner
def pass_by(places: Records, rules: Rules, row: int, before: float, price: float) -> None:
    """Break a place if its band lies between two prices of the path and holds neither."""
    place = places[row]
    if (
        min(before, price) <= place.centre < max(before, price)
        and not reaches(place.centre, before, rules.reach)
        and not reaches(place.centre, price, rules.reach)
    ):
        place.breaks += 1
        place.visits = 0
        place.left = 1


@rare
def leap(places: Records, rules: Rules, before: float, price: float) -> None:
    """Do as `cross` where there are more cells between the prices than places in all."""
    for row in range(len(places)):
        if places[row].number != NONE:
            pass_by(places, rules, row, before, price)


@rare
def turn(tables: Tables, rules: Rules, price: float, turned: int) -> int:
    """Begin a swing the other way: a turn where nothing is kept yet is the first visit of a new place."""
    wholes, path = tables.wholes, tables.path
    rising, extreme = wholes[RISING], path[EXTREME]
    path[EXTREME] = price
    if rising == 0:
        wholes[RISING] = 1 if price > extreme else -1
        return 0
    wholes[RISING] = -rising
    path[TURN] = extreme
    if match(tables.places, tables.heads, rules, extreme, rules.reach) != NONE:
        return 0
    tables.turned[turned] = NONE
    tables.turned_side[turned] = ASK if rising > 0 else BID
    return 1


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
        oldest, oldest_episode = wholes[OLDEST], wholes[OLDEST_EPISODE]
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


@called
def chain_all(tables: Tables) -> None:
    """Hang every place into its chain anew, after the grid has grown."""
    tables.heads[:] = NONE
    for row in range(len(tables.places)):
        if tables.places[row].number != NONE:
            link(tables, row)
