"""The constants of causal links: the seed's names, defaults and sections, and the presets `tuned` and `tabletop`.

`tuned` scores with a reply table instead of the seed's formula. `tabletop` also counts distance in the responder's
turns, takes the report of a roll for something to answer, wants .30 of weak intents too, and lets an intent of another
player close those before it: what reading their links found is in docs/dialogue.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from asterism.core.ledger.parameters import Parameters, Setting, choice, count, number


@dataclass(frozen=True, kw_only=True)
class DialogueParameters(Parameters):
    """Every number of spec 05; source 004 is the original document, 05 our page with decisions D1..D5."""

    # Which responses an intent may have
    k_local: int = count(8, 1, 1000, "lines", "004 §3", "how far behind an intent its consequence may stand")
    distance: str = choice("gap", ("gap", "dm_turn"), "05 D1", "what is counted: lines, or lines of responders")
    bridge: str = choice("no", ("no", "yes"), "05 D2", "whether the search goes on behind an excluded line")
    strong_min_score: float = number(0.35, 0, 10, "score", "004 §4", "least score at which a strong intent claims")
    weak_min_score: float = number(0.10, 0, 10, "score", "004 §4", "least score at which a weak intent claims")
    allocation: str = choice("ordered", ("ordered", "greedy"), "05 D3", "who claims first: the earlier, or the best")

    # How intents are found and responses scored
    intent_rules: str = choice("english", ("english", "tabletop"), "05 Intents", "which book of rules finds intents")
    scorer: str = choice("seed", ("seed", "dialogue"), "05 D5", "the seed's formula, or a table fitted on reply links")
    reply_table: str = choice("reply", ("reply", "instruction", "channel"), "05 D5", "the table of scorer dialogue")
    blocking: str = choice("no", ("no", "yes"), "05 D5", "whether another speaker's intent closes those before it")

    # The seed's score
    hill_tau: float = number(2, 0.01, 1000, "lines", "004 §5", "distance at which nearness is one half")
    hill_power: float = number(2.2, 0.01, 20, "exponent", "004 §5", "how steeply nearness falls")
    lexical_weight: float = number(0.5, 0, 10, "factor", "004 §5", "what a full overlap of words adds to nearness")
    answer_boost: float = number(0.15, 0, 10, "score", "004 §5", "what a yes or no adds after a question")

    # Beats
    beat_tau: float = number(30, 0.01, 10_000, "lines", "05 Mass", "gap of centres at which the bridge is one half")
    beat_power: float = number(2.2, 0.01, 20, "exponent", "05 Mass", "how steeply a bridge falls")
    beat_lexical_weight: float = number(2, 0, 100, "factor", "05 Mass", "what a full overlap of words adds to a bridge")
    beat_threshold: float = number(1, 0, 100, "bridge", "05 Mass", "least bridge of two parts without mass")
    beat_mass_weight: float = number(0.15, 0, 100, "factor", "05 Mass", "how far mass raises the least bridge")
    beat_neighbours: int = count(8, 1, 1000, "parts", "05 Mass", "later parts that a part may join")
    beat_reach: int = count(120, 1, 100_000, "lines", "05 Mass", "widest gap of centres that a bridge spans")
    beat_levels: int = count(3, 0, 20, "levels", "05 Mass", "how often parts may join upward")
    context_tau: float = number(8, 0.01, 10_000, "lines", "05 Mass", "gap at which a line's pull is one half")
    context_lexical_weight: float = number(0.8, 0, 100, "factor", "05 Mass", "what a full overlap adds to that pull")
    context_threshold: float = number(0.45, 0, 100, "pull", "05 Mass", "least pull that takes a line in as context")
    context_radius: float = number(6, 0, 10_000, "lines", "05 Mass", "how far a part without mass reaches for lines")
    context_radius_mass: float = number(0.3, 0, 1000, "lines/mass", "05 Mass", "what a unit of mass adds to that")
    context_capacity: float = number(2, 0, 1000, "lines", "05 Mass", "lines that a part without mass takes in")
    context_capacity_mass: float = number(0.25, 0, 1000, "lines/mass", "05 Mass", "what a unit of mass adds to that")

    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "seed": {},
        "tuned": {"scorer": "dialogue"},
        "tabletop": {
            "scorer": "dialogue",
            "intent_rules": "tabletop",
            "blocking": "yes",
            "distance": "dm_turn",
            "weak_min_score": 0.30,
        },
    }
