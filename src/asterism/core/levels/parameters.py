"""The constants of levels: the seed's names, defaults and sections, and the overlay `rule3`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from asterism.core.ledger.parameters import Parameters, Setting, choice, count, number


@dataclass(frozen=True, kw_only=True)
class LevelParameters(Parameters):
    """Every number of spec 02; source 001 is the original document, 02 our page with decisions D1..D9."""

    # Where a level is
    band_bps: float = number(10, 0.01, 1000, "bps", "02", "full width of a level's band, in 1/10,000 of its centre")
    liquidation_proximity_bps: float = number(
        5, 0.01, 500, "bps", "001 Rule 3", "a liquidation also matches a level whose centre is as near as this"
    )
    # What makes one
    persistence_min_seconds: float = number(10, 0, 86_400, "s", "001 Rule 1", "shortest episode that makes a level")
    persistence_strength_base: float = number(
        0.3, 0, 1, "strength", "001 Rule 1", "strength of an episode of no length"
    )
    persistence_strength_per_sec: float = number(0.01, 0, 1, "strength/s", "001 Rule 1", "what each second adds")
    persistence_confidence: float = number(0.6, 0, 1, "confidence", "001 Rule 1", "confidence of a resting order")
    execution_min_usd: float = number(1_000, 0, 1e12, "USD", "001 Rule 2", "smallest volume that makes a level")
    execution_strength_base: float = number(0.4, 0, 1, "strength", "001 Rule 2", "strength of a fill of no size")
    execution_strength_per_1k: float = number(0.05, 0, 1, "strength/kUSD", "001 Rule 2", "what each $1,000 adds")
    execution_confidence: float = number(0.7, 0, 1, "confidence", "001 Rule 2", "confidence of a fill")
    liquidation_strength_base: float = number(0.3, 0, 1, "strength", "001 Rule 3", "strength before the first event")
    liquidation_strength_per_event: float = number(0.05, 0, 1, "strength", "001 Rule 3", "what each event adds")
    liquidation_confidence: float = number(0.5, 0, 1, "confidence", "001 Rule 3", "confidence of a liquidation")
    rejection_min_visits: int = count(3, 1, 1000, "visits", "001 Rule 4", "fewest turned-back visits that make a level")
    rejection_strength: float = number(0.4, 0, 1, "strength", "001 Rule 4", "strength of a level made by rejections")
    rejection_confidence_base: float = number(
        0.5, 0, 1, "confidence", "001 Rule 4", "confidence before the first visit"
    )
    rejection_confidence_per_visit: float = number(0.05, 0, 1, "confidence", "001 Rule 4", "what each visit adds")
    # What strengthens it
    boost_persistence: float = number(0.1, 0, 1, "strength", "001 Rule 5, D1", "what a new episode adds")
    boost_execution: float = number(0.1, 0, 1, "strength", "001 Rule 5, D1", "what a fill adds")
    boost_liquidation: float = number(0.1, 0, 1, "strength", "001 table, D2", "what a liquidation item adds")
    boost_rejection: float = number(0.1, 0, 1, "strength", "001 Rule 5, D1", "what a turned-back visit adds")
    boost_resurrection: float = number(
        0.2, 0, 1, "strength", "001 Rule 5", "what any of them adds to an archived level"
    )
    revisit: str = choice(
        "any", ("any", "left"), "02 D6", "which fills and liquidations add strength: any, or the first since price left"
    )
    path: str = choice(
        "price", ("price", "all"), "02 D7", "what moves the price path: price events, or fills and liquidations too"
    )
    # What wears it down
    decay_rate_default: float = number(1e-4, 1e-12, 1, "1/s", "001 Decay", "share of the anchor lost each second")
    archive_threshold: float = number(0.01, 1e-9, 1, "strength", "001 Decay", "below this a level is archived")
    archive_max_levels: int = count(100_000, 0, 10_000_000, "levels", "02", "archived levels kept, the latest archived")
    archive_max_days: float = number(30, 0, 36_500, "days", "02", "how long an archived level is kept")
    # Bounds
    levels_max: int = count(1_000_000, 1, 10_000_000, "levels", "00 point 7", "places kept in all; more are refused")
    pending_max: int = count(10_000, 1, 1_000_000, "places", "02 D3", "places held as pending, the latest used")
    pending_seconds: float = number(3_600, 1, 1e9, "s", "02 D3", "how long a pending place waits for its next item")
    episodes_max: int = count(
        10_000, 1, 1_000_000, "episodes", "00 point 7", "episodes remembered, the latest extended"
    )
    lateness: float = number(2, 0, 86_400, "s", "02 D9", "how long a stream's events wait for those before them")
    # Order books
    book_floor_usd: float = number(100_000, 0, 1e12, "USD", "02 The feed", "resting size that counts as persisting")
    book_silence_seconds: float = number(
        600, 1, 1e9, "s", "02 The feed", "after so long without news of the book, nobody knows what rests there"
    )
    book_report_seconds: float = number(10, 0.1, 86_400, "s", "02 The feed", "how often a resting order is reported")
    # Reading
    cluster_gap_bps: float = number(20, 0, 10_000, "bps", "02 Reading", "widest gap between neighbours in one cluster")

    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "seed": {},
        "rule3": {"boost_liquidation": 0.05},
    }

    @property
    def reach(self) -> float:
        """How far from its centre a level reaches, as a share of the centre (half the band, ends included)."""
        return self.band_bps / 20_000 + TOLERANCE

    @property
    def liquidation_reach(self) -> float:
        """How far from its centre a level attracts liquidations, as a share of the centre."""
        return max(self.reach, self.liquidation_proximity_bps / 10_000 + TOLERANCE)


TOLERANCE = 1e-9  # of the centre: a price written in decimals at the very edge is inside
