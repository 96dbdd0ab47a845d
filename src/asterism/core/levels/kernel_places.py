"""The places and episodes of the compiled level book: found by price, kept by last use, let go.

The grid's cells are steps of the float's mantissa, so that whole-number arithmetic finds a price's neighbours.
"""

from __future__ import annotations

import math

from asterism.core.ledger.columns import Ints, Longs
from asterism.core.levels.kernel_tables import (
    CLOCK,
    DROPPED,
    EPISODES,
    FREE,
    FREE_EPISODE,
    INSIDE,
    LEVELS,
    MOST_INSIDE,
    NEWEST,
    NEXT_NUMBER,
    NONE,
    OLDEST,
    PATH,
    PENDING_PLACES,
    Records,
    Rules,
    Tables,
    called,
    inner,
    rare,
    reaches,
)
from asterism.core.levels.state import EVICTED, EXPIRED, FORGOTTEN, OUTSIDE, UNKNOWN

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


@called
def chain_all(tables: Tables) -> None:
    """Hang every place into its chain anew, after the grid has grown."""
    tables.heads[:] = NONE
    for row in range(len(tables.places)):
        if tables.places[row].number != NONE:
            link(tables, row)


# Chains of use: of pending places, and of episodes


@rare
def use_no_more(table: Records, wholes: Longs, chain: int, row: int) -> None:
    """Take a row out of a chain, if it is there."""
    entry = table[row]
    if wholes[chain + OLDEST] == row:
        wholes[chain + OLDEST] = entry.newer
    elif entry.older == NONE:
        return  # it was not there
    else:
        table[entry.older].newer = entry.newer
    if wholes[chain + NEWEST] == row:
        wholes[chain + NEWEST] = entry.older
    else:
        table[entry.newer].older = entry.older
    entry.older = NONE
    entry.newer = NONE
    wholes[chain] -= 1


@rare
def use(table: Records, wholes: Longs, chain: int, row: int) -> None:
    """Put a row that is not there at the newest end of a chain."""
    before = wholes[chain + NEWEST]
    table[row].older = before
    if before != NONE:
        table[before].newer = row
    else:
        wholes[chain + OLDEST] = row
    wholes[chain + NEWEST] = row
    wholes[chain] += 1


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
def hold(tables: Tables, rules: Rules, row: int) -> None:
    """Hold a place as pending, the most recently used; the longest unused gives way."""
    wholes = tables.wholes
    use_no_more(tables.places, wholes, PENDING_PLACES, row)
    use(tables.places, wholes, PENDING_PLACES, row)
    if wholes[PENDING_PLACES] > rules.pending_max:
        forget(tables, wholes[PENDING_PLACES + OLDEST])
        wholes[DROPPED + EVICTED] += 1


@called
def forget(tables: Tables, row: int) -> None:
    """Let go of a place."""
    place = tables.places[row]
    use_no_more(tables.places, tables.wholes, PENDING_PLACES, row)
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
        use_no_more(episodes, wholes, EPISODES, found)
    else:
        found = wholes[FREE_EPISODE]
        wholes[FREE_EPISODE] = episodes[found].next
        episodes[found].id = episode
        episodes[found].next = tables.episode_heads[chain]
        tables.episode_heads[chain] = found
    entry = episodes[found]
    entry.place = tables.places[row].number
    entry.seen = wholes[CLOCK]
    use(episodes, wholes, EPISODES, found)
    if wholes[EPISODES] > rules.episodes_max:
        forget_episode(tables, wholes[EPISODES + OLDEST])
        wholes[DROPPED + FORGOTTEN] += 1
    return bool(known == entry.place)


@rare
def forget_episode(tables: Tables, row: int) -> None:
    """Let go of an episode."""
    episodes, heads = tables.episodes, tables.episode_heads
    use_no_more(episodes, tables.wholes, EPISODES, row)
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
    place, episode = PENDING_PLACES + OLDEST, EPISODES + OLDEST
    while wholes[place] != NONE and tables.places[wholes[place]].last_seen < horizon:
        forget(tables, wholes[place])
        wholes[DROPPED + EXPIRED] += 1
    while wholes[episode] != NONE and tables.episodes[wholes[episode]].seen < horizon:
        forget_episode(tables, wholes[episode])
