"""What a prediction is worth: a probability from how earlier ones did, and whether it is told (08 E16).

    base rate     (w + .5) / (d + 1): its window, moved back by whole days, held an event of its sign w of d times,
                  in the 30 days before, where it met a day on which the star's value was told
    lift of sign  (verified - by chance) / (settled + 10), of all predictions of that sign
    lift of link  (verified - by chance + 10 x lift of sign) / (settled + 10), of that link's
    probability   base rate + lift of link, within [.01, .99]

"By chance" is the sum of the base rates of those settled. All of it is as the day of the prediction began: nothing
that comes later moves it. With p for base rate + lift, a miss lowers what its link says next by p/(settled + 11), a hit
raises it by (1 - p)/(settled + 11); what the sign learns comes on top.

A record beats the base rate if 20 are settled, more came true than by chance, and somebody who had bet by these
probabilities against the base rate would have made twenty of one: a hit multiplies the stake by probability/base rate,
a miss by (1 - probability)/(1 - base rate), all of one day together by their geometric mean, for they are hardly
independent. Where nothing is to be known that happens once in twenty, however often one looks. A prediction is told if
its link's record beats the base rate; of a link with fewer than 20 settled, if its sign's does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from asterism.core.connections.causation import EventIndex
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.predictions import Outcome
from asterism.core.connections.tables import Events, Predictions, Records, Stars
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.columns import Bools, Floats, Longs, Masks, Rows

MILLIONTHS = 1_000_000
MASK_DAYS = 64
SURE = 0.99  # and 1 - SURE: no record makes anything certain


class Tally(NamedTuple):
    """What the record of a link, or a sign, adds up to; the last two in millionths."""

    settled: Longs
    verified: Longs
    by_chance: Longs
    log_odds: Longs

    def lift(self, toward: Floats | float, prior: float) -> Floats:
        """Give by how much more often than by chance they came true, drawn toward a value while there are few.

        (verified - by chance + prior x toward) / (settled + prior)

        >>> nine_of_ten = Tally(np.array([10]), np.array([9]), np.array([5 * MILLIONTHS]), np.array([0]))
        >>> nine_of_ten.lift(0.1, 10.0).tolist()
        [0.25]
        """
        excess = self.verified - self.by_chance / MILLIONTHS
        return np.asarray((excess + prior * toward) / (self.settled + prior))

    def enough(self, parameters: ConnectionParameters) -> Bools:
        """Say whether so many are settled that the record speaks for itself."""
        return self.settled >= parameters.expectation_min_settled

    def beats_chance(self, parameters: ConnectionParameters) -> Bools:
        """Say whether the record beats the base rate."""
        more_than_chance: Bools = self.verified * MILLIONTHS > self.by_chance
        won: Bools = self.log_odds >= np.log(parameters.expectation_odds) * MILLIONTHS
        return self.enough(parameters) & more_than_chance & won


class DaysBefore(NamedTuple):
    """What is known as a day begins, of which predictions that are made on it are judged by."""

    events: Events
    stars: Stars
    day: int
    records: Records
    sign_odds: tuple[int, int]

    def of_links(self, link: Rows) -> Tally:
        """Add up the record of each of some links; the rows of a link lie together."""
        known = self.records.trim()
        begins, ends = known.link.searchsorted(link), known.link.searchsorted(link, side="right")
        sums = (np.concatenate([[0], np.cumsum(getattr(known, name))]) for name in Tally._fields)
        return Tally(*(up_to[ends] - up_to[begins] for up_to in sums))

    def of_signs(self, sign: Rows) -> Tally:
        """Add up the record of all links, for the sign of each of some predictions."""
        known = self.records.trim()
        falls, rises = (
            [getattr(known, name)[known.sign == way].sum() for name in Tally._fields[:3]] + [odds]
            for way, odds in zip((-1, 1), self.sign_odds, strict=True)
        )
        return Tally(*(np.where(sign > 0, up, down) for up, down in zip(rises, falls, strict=True)))


def appraise(predictions: Predictions, first: int, before: DaysBefore, parameters: ConnectionParameters) -> None:
    """Give every prediction from a row on its base rate, its probability, and whether it is told."""
    p, made = parameters, predictions.trim()
    chance = base_rates(predictions, first, before, p)
    of_link, of_sign = before.of_links(made.link[first:]), before.of_signs(made.sign[first:])
    lift = of_link.lift(of_sign.lift(0.0, p.expectation_prior), p.expectation_prior)
    made.base_rate[first:] = chance
    made.probability[first:] = np.round(np.clip(chance + lift, 1.0 - SURE, SURE), 6)
    made.told[first:] = np.where(of_link.enough(p), of_link.beats_chance(p), of_sign.beats_chance(p))


def base_rates(predictions: Predictions, first: int, before: DaysBefore, parameters: ConnectionParameters) -> Floats:
    """Give how often each prediction's window, on the days before, held an event of its sign."""
    made, day = predictions.trim(), before.day
    star, sign = made.star[first:], made.sign[first:]
    since, until = (day - parameters.correlation_window) * MICROS_PER_DAY, day * MICROS_PER_DAY
    told = before.stars.observed_days[star]
    change = before.events.trim().change
    trials, hits = np.zeros(len(star)), np.zeros(len(star))
    for way in (-1, 1):
        index = EventIndex(Events.load(before.events.dump(np.flatnonzero(np.sign(change) == way))), first_at=since)
        rows = np.flatnonzero(sign == way)
        begins, ends = made.from_at[first:][rows], made.until_at[first:][rows]
        for _ in range(int((begins.max(initial=since) - since) // MICROS_PER_DAY)):
            begins, ends = begins - MICROS_PER_DAY, ends - MICROS_PER_DAY
            met = _any_day(told[rows], newest=day - ends // MICROS_PER_DAY, oldest=day - begins // MICROS_PER_DAY)
            there = np.flatnonzero(met & (begins >= since) & (ends < until))
            found, beyond = index.between(star[rows[there]], begins[there] - 1, ends[there] + 1)
            trials[rows[there]] += 1
            hits[rows[there]] += beyond > found
    return np.round((hits + 0.5) / (trials + 1.0), 6)


def record(records: Records, predictions: Predictions, rows: Rows) -> tuple[Records, list[int]]:
    """Count what was settled on one day, by link, sign and whether it was told; give the signs' odds of the day too."""
    made, known = predictions.trim(), records.trim()
    link, sign, told = made.link[rows], made.sign[rows], made.told[rows]
    likely, chance = made.probability[rows], made.base_rate[rows]
    hit = made.outcome[rows] == Outcome.VERIFIED
    won = _millionths(np.where(hit, np.log(likely / chance), np.log((1.0 - likely) / (1.0 - chance))))
    new: dict[str, Longs] = {
        "settled": np.ones(len(rows), dtype=np.int64),
        "verified": hit.astype(np.int64),
        "by_chance": _millionths(chance),
        "squares": _millionths((likely - hit) ** 2),
        "chance_squares": _millionths((chance - hit) ** 2),
    }
    keys = np.concatenate([_keys(known.link, known.sign, known.told), _keys(link, sign, told)])
    every, place = np.unique(keys, return_inverse=True)
    counted = Records()
    counted.extend_to(len(every))
    counted = counted.trim()
    counted.link[:], counted.sign[:], counted.told[:] = every >> 2, (every & 2) - 1, every & 1
    for name, of_day in new.items():
        np.add.at(getattr(counted, name), place, np.concatenate([getattr(known, name), of_day]))
    counted.log_odds[place[: known.size]] = known.log_odds
    links, which = np.unique(link, return_inverse=True)
    first_of_link = counted.link.searchsorted(links)  # a day of a link is one bet, whatever the signs
    counted.log_odds[first_of_link] += _day_means(won, which, len(links))
    return counted, _day_means(won, (sign > 0).astype(np.int64), 2).tolist()


def _day_means(won: Longs, group: Rows, groups: int) -> Longs:
    """Give the mean of each group, and 0 where there is none."""
    sums, counts = np.zeros(groups, dtype=np.int64), np.bincount(group, minlength=groups)
    np.add.at(sums, group, won)
    return np.rint(sums / np.maximum(counts, 1)).astype(np.int64)


def _keys(link: Rows, sign: Rows, told: Bools) -> Longs:
    """Give one number for each link, sign and whether it was told, in this order."""
    keys: Longs = link.astype(np.int64) << 2 | (sign > 0).astype(np.int64) << 1 | told
    return keys


def _any_day(days: Masks, *, newest: Longs, oldest: Longs) -> Bools:
    """Say whether a mask of days has any between two ages, in days; ages beyond the mask are its ends."""
    low, high = (np.clip(age, 0, MASK_DAYS - 1).astype(np.uint64) for age in (newest, oldest))
    one = np.uint64(1)
    return np.asarray((days >> low) & ((one << (high - low) << one) - one) != 0)


def _millionths(values: Floats) -> Longs:
    millionths: Longs = np.rint(values * MILLIONTHS).astype(np.int64)
    return millionths
