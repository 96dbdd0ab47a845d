"""What the plain fold sees in values: what goes together, what drives what, and what blocks what."""

from __future__ import annotations

import math

from asterism.core.connections.words import EvidenceKind, LinkKind, StarState
from asterism.core.ledger.calendar import MICROS_PER_HOUR, day_of
from tests.support.plain_state import CONSTANT, Causation, Detected, PlainStar, PlainState, below


class PlainDetection(PlainState):
    """Looks at the values of pairs of stars."""

    def detect(self, a: str, b: str, day: int) -> Detected:
        """Correlation and causation over the days up to `day`, the evidence they are and the kind they make."""
        p, seen = self.p, Detected()
        ends = [self.stars[end] for end in (a, b) if end in self.stars]
        dark = any(StarState.DARK is (s.state if day == self.today else s.state_began) for s in ends)
        blocked = ""
        if len(ends) == 2:
            one, two = ends
            seen.correlation = self.correlation(one, two, day)
            seen.causation, back = self.causation(one, two, day), self.causation(two, one, day)
            if back.confidence > seen.causation.confidence:
                seen.causation, seen.lag_direction = back, "b_to_a"
            for blocker, star, direction in ((b, a, "b_to_a"), (a, b, "a_to_b")):
                blocked = direction if self.blocks(blocker, star, day) >= p.blocking_threshold else blocked
        together = seen.correlation is not None and seen.correlation > p.resonance_threshold
        against = seen.correlation is not None and seen.correlation < p.tension_threshold
        caused = seen.causation.confidence > p.causation_threshold
        if together or against:
            seen.evidence.append(EvidenceKind.CORRELATION_DETECTED)
        if caused:
            seen.evidence.append(EvidenceKind.CAUSATION_DETECTED)
        if dark:
            seen.kind = LinkKind.SHADOW_MIRROR
        elif blocked:
            seen.kind, seen.direction = LinkKind.BLOCKS, blocked
        elif together:
            seen.kind = LinkKind.RESONANCE
        elif against:
            seen.kind = LinkKind.TENSION
        elif caused:
            seen.kind = LinkKind.GROWTH_EDGE if seen.causation.same_sign else LinkKind.CAUSATION
            seen.direction = seen.lag_direction
        return seen

    def correlation(self, one: PlainStar, two: PlainStar, day: int) -> float | None:
        """Pearson over the days on which both stars have a value."""
        window = range(day - self.p.correlation_window + 1, day + 1)
        days = [each for each in window if each in one.valued and each in two.valued]
        if len(days) < self.p.min_observations:
            return None
        x, y = [one.values[each] for each in days], [two.values[each] for each in days]
        mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
        together = math.fsum((i - mean_x) * (j - mean_y) for i, j in zip(x, y, strict=True))
        square_x = math.fsum((i - mean_x) ** 2 for i in x)
        square_y = math.fsum((j - mean_y) ** 2 for j in y)
        if square_x < CONSTANT or square_y < CONSTANT:
            return None
        return round(together / math.sqrt(square_x * square_y), 9)

    def causation(self, cause: PlainStar, effect: PlainStar, day: int) -> Causation:
        """Seed 5.3 over the events of the window."""
        p = self.p
        first = day - p.correlation_window + 1
        causes = [(at, change) for at, change in cause.events if first <= day_of(at) <= day]
        effects = sorted((at, change) for at, change in effect.events if first <= day_of(at) <= day)
        lags, same = [], 0
        for at, change in causes:
            later = [event for event in effects if event[0] > at]
            for then, answer in later[:1] if p.causation_pairing == "next" else later:
                if (then - at) / MICROS_PER_HOUR < p.max_causation_lag:
                    lags.append((then - at) / MICROS_PER_HOUR)
                    same += (change > 0) == (answer > 0)
        if len(lags) < p.min_causation_observations:
            return Causation()
        mean = math.fsum(lags) / len(lags)
        spread = math.fsum((lag - mean) ** 2 for lag in lags) / len(lags)
        if p.causation_spread == "stdev":
            spread = math.sqrt(spread)
        consistency = min(1.0, max(0.0, 1 - spread / mean))
        confidence = min(1.0, len(lags) / p.saturation_count * consistency)
        return Causation(round(confidence, 9), mean, same > len(lags) / 2)

    def blocks(self, blocker: str, blocked: str, day: int) -> float:
        """Seed 5.4: how sure it is that one star holds the other back."""
        p, star = self.p, self.stars[blocked]
        window = set(range(day - p.engagement_days + 1, day + 1))
        engagement = len(self.engaged.get(blocked, set()) & window) / p.engagement_days
        since = max(star.born, day - p.engagement_days)
        progress = star.values.get(day, 0.0) - star.values.get(since, 0.0)
        stuck = star.stuck & window
        if engagement > p.high_engagement and below(progress, p.low_progress) and stuck:
            activity = len(self.engaged.get(blocker, set()) & stuck) / len(stuck)
            if activity > p.activity_threshold:
                return 0.7
        return 0.0
