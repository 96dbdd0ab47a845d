"""Random market feeds and level parameters, shared by the tests of levels.

A feed is a list of *steps*: what happens, how long after the step before, how many reaches further the price is.
Prices so come back to the edges of bands, into overlapping ones and over many at one stroke, whatever the band is.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from asterism.core.ledger.columns import Bools
from asterism.core.ledger.parameters import Setting
from asterism.core.levels.events import LIQUIDATION, PERSISTENCE, PRICE, REJECTION, TRADE, Events
from asterism.core.levels.parameters import LevelParameters

START = 1_700_000_000_000_000
SECOND = 1_000_000


@dataclass(frozen=True)
class Chosen:
    """Parameters by their difference to the seed's, so that a failure can be read."""

    preset: str
    overrides: Mapping[str, Setting]

    def build(self) -> LevelParameters:
        """Build the parameters."""
        return LevelParameters.build(("seed", self.preset), self.overrides)


class Step(NamedTuple):
    """One event, told by its difference to the one before."""

    kind: int
    gap: float  # seconds since the step before
    move: float  # reaches from the price before
    back: int  # this many steps ago the price was the same; 0: it moves
    usd: float
    seconds: float
    n: int
    side: int
    episode: int
    late: bool


class Feed(NamedTuple):
    """Events in order, and which of them are late."""

    events: Events
    late: Bools

    def cut(self, places: Iterable[int]) -> list[Feed]:
        """Cut the feed at some places."""
        ends = sorted({place % (self.events.size + 1) for place in places} | {0, self.events.size})
        cuts = [slice(start, end) for start, end in itertools.pairwise(ends)]
        return [Feed(self.events.take(cut), self.late[cut]) for cut in cuts]


KIND = (TRADE, TRADE, TRADE, PERSISTENCE, LIQUIDATION, PRICE, PRICE, PRICE, REJECTION)
GAPS = (0.0, 0.0, 0.001, 0.5, 1.0, 7.0, 60.0, 900.0, 3_600.0, 7_200.0, 86_400.0, 40 * 86_400.0)
MOVES = (0.0, 0.3, -0.3, 0.9, -0.9, 1.0, -1.0, 1.01, -1.01, 2.2, -2.2, 7.0, -7.0, 40.0, -40.0, 3_000.0)
USD = (0.0, 0.01, 99.99, 400.0, 1_000.0, 12_345.67, 1e9)
SECONDS = (0.0, 3.3, 9.999, 10.0, 33.0, 500.0)
NUMBERS = (1, 1, 1, 2, 5, 40)

STEP = st.builds(
    Step,
    st.sampled_from(KIND),
    st.sampled_from(GAPS),
    st.sampled_from(MOVES),
    st.sampled_from((0, 0, 0, 1, 2, 5)),
    st.sampled_from(USD),
    st.sampled_from(SECONDS),
    st.sampled_from(NUMBERS),
    st.integers(0, 3),
    st.sampled_from((0, 1, 2, 3, 64, 2**62)),
    st.sampled_from((False, False, False, False, True)),
)


def feed_of(steps: Sequence[Step], parameters: LevelParameters, *, price: float = 100.0) -> Feed:
    """Turn steps into events: the price is kept between 1/1000 and 1000 times the first."""
    at, prices, times = START, [price], []
    for step in steps:
        at += round(step.gap * SECOND) * (not step.late)
        times.append(at - (3 * SECOND if step.late else 0))
        if step.back:
            prices.append(prices[max(0, len(prices) - 1 - step.back)])
            continue
        moved = prices[-1] * (1.0 + step.move * parameters.reach)
        prices.append(moved if price / 1000 < moved < price * 1000 else price)
    columns = {name: np.array([getattr(step, name) for step in steps]) for name in Step._fields}
    names = ("kind", "usd", "seconds", "n", "side", "episode")
    events = Events.of(
        len(steps),
        at=np.array(times, dtype=np.int64),
        price=np.array(prices[1:]),
        **{name: columns[name] for name in names},
    )
    return Feed(events, np.array(columns["late"], dtype=np.bool_))


def steps_by_chance(number: int, size: int, *, late: bool = True) -> list[Step]:
    """Make many steps by chance of a given number; long gaps are rare."""
    chance = random.Random(number)
    return [
        Step(
            chance.choice(KIND),
            chance.choice(GAPS if chance.random() < 0.05 else GAPS[:6]),
            chance.choice(MOVES if chance.random() < 0.2 else MOVES[:11]),
            chance.choice((0, 0, 0, 1, 2, 5)),
            chance.choice(USD),
            chance.choice(SECONDS),
            chance.choice(NUMBERS),
            chance.randrange(4),
            chance.choice((0, 1, 2, 3, chance.randrange(100))),
            late and chance.random() < 0.1,
        )
        for _ in range(size)
    ]


CHOICES: dict[str, Sequence[Setting]] = {
    "band_bps": (0.01, 0.5, 3, 100, 1000),
    "liquidation_proximity_bps": (0.01, 20, 500),
    "persistence_min_seconds": (0, 40),
    "persistence_strength_per_sec": (0, 0.3),
    "execution_min_usd": (0, 5_000),
    "liquidation_strength_base": (0, 1),
    "rejection_min_visits": (1, 2, 6),
    "rejection_strength": (0, 0.9),
    "rejection_confidence_per_visit": (0, 0.3),
    "boost_persistence": (0, 0.7),
    "boost_execution": (0, 0.03),
    "boost_rejection": (0, 1),
    "boost_resurrection": (0, 1),
    "revisit": ("any", "left"),
    "path": ("price", "all"),
    "decay_rate_default": (1e-12, 1e-6, 1e-3, 1),
    "archive_threshold": (1e-9, 0.3, 1),
    "archive_max_levels": (0, 1, 3),
    "archive_max_days": (0, 0.1, 1),
    "levels_max": (1, 2, 5),
    "pending_max": (1, 2, 4),
    "pending_seconds": (1, 20, 1e9),
    "episodes_max": (1, 2),
}


@st.composite
def parameter_sets(draw: st.DrawFn) -> Chosen:
    """Draw the numbers of a preset, with a handful of others."""
    preset = draw(st.sampled_from(("seed", "rule3")))
    names = draw(st.lists(st.sampled_from(sorted(CHOICES)), max_size=8, unique=True))
    return Chosen(preset, {name: draw(st.sampled_from(CHOICES[name])) for name in names})


def chosen_by_chance(number: int) -> Chosen:
    """Choose parameters by chance of a given number."""
    chance = random.Random(number)
    names = chance.sample(sorted(CHOICES), chance.randrange(9))
    return Chosen(chance.choice(("seed", "rule3")), {name: chance.choice(CHOICES[name]) for name in names})
