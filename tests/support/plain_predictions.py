"""What the plain fold expects of causes, and how earlier predictions did against chance."""

from __future__ import annotations

import math

from asterism.core.connections.words import LinkKind, LinkState
from asterism.core.ledger.calendar import MICROS_PER_DAY, MICROS_PER_HOUR, day_of
from tests.support.plain_detection import PlainDetection
from tests.support.plain_state import PlainPrediction


class PlainPredictions(PlainDetection):
    """Predicts by causal links."""

    def predict(self) -> None:
        """Step 2: raise, verify, expire."""
        p, today = self.p, self.today
        for pair, link in sorted(self.links.items()):
            least = LinkState[p.influence_min_state]
            if link.kind is not LinkKind.CAUSATION or not link.alive or link.found == "gone":
                continue
            if link.state < (LinkState.NASCENT if link.found else least):
                continue
            if link.causation.lag is None or link.lag_direction != link.direction:
                continue
            cause, effect = link.cause_and_effect
            if cause not in self.stars or effect not in self.stars:
                continue
            lag = round(link.causation.lag * MICROS_PER_HOUR)
            slack = round(lag * p.prediction_tolerance)
            for at, change in self.stars[cause].events:
                if day_of(at) == today:
                    sign = 1 if (change > 0) == link.causation.same_sign else -1
                    times = (at + lag, at + lag - slack, at + lag + slack)
                    sure = link.strength * link.causation.confidence
                    made = PlainPrediction(pair, effect, at, *times, sign, sure)
                    self.appraise(made)
                    self.predictions.append(made)
        waiting = [each for each in self.predictions if each.outcome == "open"]
        for each in waiting:
            for at, change in sorted(self.stars[each.star].events):
                inside = max(each.from_at, each.made_at + 1) <= at <= each.until_at
                if day_of(at) == today and inside and (change > 0) == (each.sign > 0):
                    each.outcome, each.resolved_at = "verified", at
                    link = self.links[each.pair]
                    if link.alive and not (link.found and link.state < LinkState[p.influence_min_state]):
                        link.strength = min(p.max_strength, link.strength + p.prediction_verified_bonus)
                    break
            if each.outcome == "open" and each.until_at <= self.day_end:
                each.outcome, each.resolved_at = "missed", each.until_at
            if each.outcome != "open":
                each.settled_on = today
                self.settled.append(each)
        resolved = [each for each in self.predictions if each.outcome != "open"]
        resolved.sort(key=lambda each: (each.made_at, each.pair, each.sign))
        for each in resolved[: max(0, len(resolved) - p.predictions_kept)]:
            self.predictions.remove(each)
            self.dropped += 1

    def appraise(self, made: PlainPrediction) -> None:
        """Say how probable a prediction is, and whether it is told, by what was settled before today."""
        made.base_rate = self.base_rate(made)
        of_link = [each for each in self.settled if each.pair == made.pair]
        of_sign = [each for each in self.settled if each.sign == made.sign]
        lift = self.lift(of_link, self.lift(of_sign, 0.0))
        made.probability = round(min(0.99, max(0.01, made.base_rate + lift)), 6)
        enough = len(of_link) >= self.p.expectation_min_settled
        made.told = self.beats_chance(of_link if enough else of_sign)

    def base_rate(self, made: PlainPrediction) -> float:
        """How often the same window held an event of the same sign on the days before."""
        star = self.stars[made.star]
        trials = hits = 0
        for back in range(1, 100):
            first, last = made.from_at - back * MICROS_PER_DAY, made.until_at - back * MICROS_PER_DAY
            if day_of(first) < self.today - self.p.correlation_window or day_of(last) >= self.today:
                continue
            if star.observed_days & set(range(day_of(first), day_of(last) + 1)):
                trials += 1
                hits += any(first <= at <= last and (change > 0) == (made.sign > 0) for at, change in star.events)
        return round((hits + 0.5) / (trials + 1), 6)

    def lift(self, settled: list[PlainPrediction], toward: float) -> float:
        """By how much more often than by chance they came true, shrunken."""
        excess = sum((each.outcome == "verified") - each.base_rate for each in settled)
        return (excess + self.p.expectation_prior * toward) / (len(settled) + self.p.expectation_prior)

    def beats_chance(self, settled: list[PlainPrediction]) -> bool:
        """Whether there are enough, more came true than by chance, and bets on them won enough."""
        verified = sum(each.outcome == "verified" for each in settled)
        days: dict[int, list[float]] = {}
        for each in settled:
            days.setdefault(each.settled_on, []).append(each.won)
        won = sum(round(sum(of_day) / len(of_day), 6) for of_day in days.values())
        return (
            len(settled) >= self.p.expectation_min_settled
            and verified > round(sum(each.base_rate for each in settled), 6)
            and won >= math.log(self.p.expectation_odds)
        )
