"""The constants of blocks: the seed's names, defaults and sections, and the presets `b2` and `tight`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from asterism.core.ledger.parameters import Parameters, Setting, count, number


@dataclass(frozen=True, kw_only=True)
class BlockParameters(Parameters):
    """Every number of spec 04; source 003 is the original document, 04 our page with decisions D1..D5."""

    # The composite score
    weight_cosine: float = number(0.55, 0, 1, "factor", "003 §2", "weight of the cosine in an edge's score")
    weight_tags: float = number(0.20, 0, 1, "factor", "003 §2", "weight of the shared tags (Jaccard)")
    weight_category: float = number(0.15, 0, 1, "factor", "003 §2", "weight of the category")
    weight_time: float = number(0.10, 0, 1, "factor", "003 §2", "weight of nearness in active hours")
    minimum_cosine_for_edge: float = number(0.30, 0.01, 1, "cosine", "003 §5, D1", "below this there is no edge at all")
    edge_score_threshold: float = number(0.40, 0.01, 1, "score", "003 §2", "least score of an edge, itself included")
    temporal_sigma_hours: float = number(8, 0.01, 1e6, "active hours", "003 §5", "width of nearness in time")
    cross_category_score: float = number(0.30, 0, 1, "factor", "003 §5", "what two different categories still count")
    edge_degree_cap: int = count(5, 0, 1000, "links", "003 §6, D4", "most links of a block, at either end")

    # Near-duplicates
    near_duplicate_cosine: float = number(0.95, 0, 1, "cosine", "04 Blocks", "from here a new block is a duplicate")
    supersede_cosine: float = number(0.90, 0, 1, "cosine", "04 Blocks", "from here it supersedes the older block")

    # Fading
    decay_permanent: float = number(1e-5, 0, 10, "1/active hour", "04 Blocks", "decay rate of permanent blocks")
    decay_durable: float = number(1e-3, 0, 10, "1/active hour", "04 Blocks", "decay rate of durable blocks")
    decay_standard: float = number(0.01, 0, 10, "1/active hour", "04 Blocks", "decay rate of all other blocks")
    decay_ephemeral: float = number(0.05, 0, 10, "1/active hour", "04 Blocks", "decay rate of ephemeral blocks")
    edge_prune_threshold: float = number(
        0.10, 0, 1, "strength", "00 Words", "a link never reinforced is dropped below this"
    )
    session_hours_max: float = number(
        24, 0.01, 8_760, "hours", "00 point 7", "a session that nobody ended counts so long"
    )
    open_sessions_max: int = count(
        1_000, 1, 1_000_000, "sessions", "00 point 7", "sessions nobody ended that still may be, the latest begun"
    )

    block_tags_max: int = count(100, 1, 10_000, "tags", "00 point 7", "tags that a block keeps, the first told")
    block_sources_max: int = count(
        100, 1, 10_000, "sources", "00 point 7", "sources that a block keeps, the first told"
    )

    # Tellings
    retelling_minutes: float = number(
        30, 0, 1e6, "minutes", "08 E1", "the same words of one source told again within these are a duplicate"
    )
    block_occurrences_max: int = count(
        10_000, 2, 10_000_000, "times", "00 point 7", "plain tellings of a block that are kept, the first and the last"
    )

    # What a text names
    text_names_max: int = count(
        10, 0, 1000, "nodes", "00 point 7", "known nodes named in a text that give evidence, the first named"
    )
    dream_mentions_max: int = count(
        10_000, 0, 10_000_000, "items", "00 point 7", "evidence that one dream tells of names that came after the texts"
    )

    # What was used together
    co_occurs_sessions: int = count(3, 1, 1000, "sessions", "04", "distinct sessions of joint use that make a link")
    co_occurs_strength: float = number(0.55, 0, 1, "strength", "04", "strength of a link made by joint use")
    used_pairs_max: int = count(
        100_000, 0, 10_000_000, "pairs", "00 point 7", "pairs on their way to a link, the latest used"
    )
    used_blocks_max: int = count(50, 2, 1000, "blocks", "00 point 7", "blocks of one answer that are paired")

    # Outcomes
    outcome_good: float = number(0.5, 0, 1, "signal", "04", "above this an outcome links and reinforces")
    outcome_bad: float = number(0.2, 0, 1, "signal", "04", "below this an outcome speeds up decay")
    outcome_strength: float = number(0.8, 0, 1, "factor", "04", "share of the signal that a new outcome link gets")
    outcome_raise: float = number(0.1, 0, 1, "factor", "04", "share of the signal that a further outcome adds")
    outcome_decay_factor: float = number(2, 1, 100, "factor", "04", "what a bad outcome multiplies the decay rate by")
    outcome_decay_max: float = number(0.05, 0, 10, "1/active hour", "04", "highest decay rate a bad outcome can give")
    confidence_weight: float = number(
        2, 0.01, 1000, "outcomes", "04", "outcomes that the first confidence of 0.5 is worth"
    )

    # How a dream works
    dream_batch_blocks: int = count(10_000, 1, 10_000_000, "blocks", "04 Scale", "most blocks that one step takes in")
    dream_exact_pairs: int = count(
        400_000_000, 0, 10**15, "pairs", "04 Scale", "new blocks times all blocks up to which every pair is looked at"
    )
    dream_list: int = count(16, 1, 10_000, "pairs", "04 Scale", "best candidates listed for each new block at first")
    dream_probes: int = count(4, 1, 10_000, "cells", "04 Scale", "fewest near cells searched on the approximate path")
    dream_recall: float = number(
        0.995, 0, 1, "share", "04 Scale", "share of the best pairs of sampled blocks that near cells must hold"
    )

    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "seed": {},
        "b2": {},
        "tight": {"minimum_cosine_for_edge": 0.50, "edge_score_threshold": 0.45, "edge_degree_cap": 5},
    }

    def contradictions(self) -> list[str]:
        """A score must stay within [0, 1], and a duplicate be nearer than what it supersedes."""
        weights = self.weight_cosine + self.weight_tags + self.weight_category + self.weight_time
        problems = []
        if weights > 1 + 1e-9:
            problems.append(f"weight_cosine and the other weights add up to {weights:g}, not to 1 at most")
        for low, high in (("supersede_cosine", "near_duplicate_cosine"), ("outcome_bad", "outcome_good")):
            if getattr(self, low) > getattr(self, high):
                problems.append(f"{low} = {getattr(self, low)!r} is above {high} = {getattr(self, high)!r}")
        return problems

    def decay_rate(self, tier: str) -> float:
        """Give the decay rate of a tier, per active hour.

        >>> BlockParameters().decay_rate("durable")
        0.001
        """
        rate: float = getattr(self, f"decay_{tier}")
        return rate
