"""The price path of the compiled level book: it enters, leaves and crosses bands, and turns (D7)."""

from __future__ import annotations

from asterism.core.ledger.columns import Floats, Ints, Longs
from asterism.core.levels.events import ASK, BID
from asterism.core.levels.kernel_places import bucket, cell_of, match, step_in, step_out
from asterism.core.levels.kernel_tables import (
    EXTREME,
    INSIDE,
    NONE,
    PATH,
    RISING,
    TURN,
    Records,
    Rules,
    Tables,
    inner,
    rare,
    reaches,
)
from asterism.core.levels.state import FROM_ABOVE, FROM_BELOW, OUTSIDE, UNKNOWN


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
