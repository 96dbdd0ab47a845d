"""The constants of recall: windows, weights of signals and links, bounds.

There is no seed for recall: the preset `seed` holds the weights fitted on the developer parts of LoCoMo and the
multi-hop sets together (docs/recall.md, `python -m asterism.evals.recall_fit`); `lexical` those fitted without vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from asterism.core.ledger.parameters import Parameters, Setting, count, number

FITTED = "fitted: LoCoMo + multihop developer parts, docs/recall.md"
NOT_FITTED = "set by hand: no public set has such links"
NO_GAIN = "measured: it costs LoCoMo up to 1 point, docs/recall.md"
TIMED = "set by hand: no public set has facts that end, docs/recall.md"
WALKED = "measured: no gain on LoCoMo or multihop, docs/recall.md"
NOTES = "prototype on LoCoMo, docs/recall.md"


REFUSED = "fitted: LoCoMo + multihop, 1 in 20 answerable questions below, docs/recall.md"
BY_HAND = "set by hand, docs/recall.md"
CALIBRATED = "fitted: LoCoMo + multihop with questions nothing answers, docs/recall.md"
ON_NOTES = "fitted: stories of our own with the answer left out, docs/recall.md"


def _logit(default: float, meaning: str, source: str = CALIBRATED) -> float:
    return number(default, -100, 100, "log odds", source, meaning)


def _weight(default: float, meaning: str, source: str = FITTED) -> float:
    return number(default, -100, 100, "score", source, meaning)


OF_SPEAKERS = (  # what has a coefficient where a question names who speaks
    "base", "near", "match", "topic",
    "gap_ahead", "gap_behind", "told_ahead", "told_behind", "several_ahead", "several_behind",
)  # fmt: skip


def _of_speakers(known: Sequence[float], said: Sequence[float]) -> dict[str, Setting]:
    """Name coefficients in the order of the fields."""
    names = [f"chance_{against}_{value}" for against in ("known", "said") for value in OF_SPEAKERS]
    return dict(zip(names, (*known, *said), strict=True))


_BY_WORDS: Mapping[str, Setting] = {  # how probable a hit is by the words it holds alone
    "chance_floor": 0.18,
    "chance_base": -1.7,
    "chance_held": 0.82,
    "chance_near": 0.0,
    "chance_match": 4.34,
    "chance_titled": 2.66,
    **_of_speakers(
        [-2.34, 0.0, 2.41, 2.41, 0.16, 0.24, 0.22, 0.35, 0.71, 0.02],
        [0.45, 0.0, -0.21, -0.21, 0.49, 0.13, 0.14, 0.65, 0.66, 0.13],
    ),
    "chance_rest_base": -2.04,
    "chance_rest": 5.3,
    "chance_hit": -0.44,
    "chance_first": 1.48,
    "chance_below": 0.52,
}


@dataclass(frozen=True, kw_only=True)
class RecallParameters(Parameters):
    """Every number of recall."""

    # Keywords and windows
    k1: float = number(0.9, 0, 10, "factor", NOTES, "how late repeats of a term stop counting")
    b: float = number(0.4, 0, 1, "factor", NOTES, "how far long entries are discounted")
    window_previous: float = number(0.7, 0, 1, "factor", NOTES, "weight of the previous entry's words and vector")
    window_following: float = number(0.5, 0, 1, "factor", NOTES, "weight of the following entry's words and vector")
    window_second: float = number(0.3, 0, 1, "factor", NOTES, "weight of the entries two away")
    kin_words: int = count(12, 0, 1000, "words", NOTES, "words near in meaning that stand in for a question's word")
    kin_likeness: float = number(0.35, -1, 1, "cosine", NOTES, "cosine above which a word is near in meaning")
    kin_told: float = number(
        0.7, 0, 1, "cosine", BY_HAND, "likeness of a word that tells what another asks for: vegan, of a diet"
    )
    intention: float = number(0.25, 0, 1, "share", "03 D13", "share of the intention in the query")
    # Links
    hop_from: int = count(8, 0, 1000, "entries", NOTES, "best entries whose links are followed")
    hop_scale: float = number(2.0, 0.01, 100, "score", NOTES, "score below the best at which a source counts 1/e")
    rare_at_least: int = count(2, 2, 1000, "entries", NOTES, "fewest entries that a shared name links")
    rare_at_most: int = count(60, 2, 100_000, "entries", NOTES, "most entries that a shared name links")
    # Levels
    recall_levels_max: int = count(
        3, 0, 100, "levels", "00 point 7", "levels of a symbol named in a question that an answer may hold"
    )
    # Weights of the first signals
    weight_keyword: float = _weight(2.56, "weight of windowed BM25 over the best entry's")
    weight_covered: float = _weight(1.19, "weight of the question's share in the entry's own words")
    weight_kin: float = _weight(0.79, "weight of words near in meaning")
    weight_meaning: float = _weight(0.63, "weight of a standard deviation of the cosine")
    weight_speaker: float = _weight(1.09, "weight of the question naming the speaker")
    weight_name: float = _weight(4.0, "weight of the question holding the entry's title")
    weight_date: float = _weight(2.18, "weight of a matching month")
    weight_group: float = _weight(2.24, "weight of the best keyword score in the group")
    weight_asks: float = _weight(-1.07, "weight of ending with a question")
    weight_answers: float = _weight(0.66, "weight of following a question")
    weight_when: float = _weight(1.41, "weight of telling a time when one is asked for")
    weight_length: float = _weight(0.71, "weight of the log of the number of words, up to 12")
    weight_match: float = _weight(0.0, "weight of a standard deviation of the match piece by piece")
    weight_match_window: float = _weight(0.0, "the same, neighbours included")
    # Weights of what a question says of time
    weight_then: float = _weight(2.0, "weight of being told, or valid, in a time that the question names", TIMED)
    weight_recent: float = _weight(8.0, "weight of being told lately, where now or the latest is asked for", TIMED)
    weight_former: float = _weight(2.0, "weight of having held once, where that is asked for", TIMED)
    weight_often: float = _weight(3.0, "weight of having been told more than once, where it is asked how often", TIMED)
    weight_outdated: float = _weight(-5.0, "weight of being contradicted by what was told later", TIMED)
    weight_instead: float = _weight(1.0, "share of what the question has to do with what it contradicts", TIMED)
    weight_heir: float = _weight(
        1.0, "share of what another value of the slot has more of than the one that holds", TIMED
    )
    weight_not_valid: float = _weight(-3.0, "weight of not holding at the time asked about", TIMED)
    weight_lacks: float = _weight(
        -1.5, "weight of a note that has nothing of the kind of answer that is wanted: no place, no amount", BY_HAND
    )
    # Weights of links
    weight_mention: float = _weight(4.02, "weight of being named by a good entry")
    weight_mentioned_by: float = _weight(2.57, "weight of naming a good entry")
    weight_shared_term: float = _weight(1.47, "weight of sharing a rare name with a good entry")
    weight_mention_rest: float = _weight(2.37, "as mention, times the rest of the question")
    weight_mentioned_by_rest: float = _weight(1.48, "as mentioned_by, times the rest of the question")
    weight_shared_term_rest: float = _weight(6.28, "as shared_term, times the rest of the question")
    weight_similar: float = _weight(0.0, "weight of a similar link of strength 1 to a good entry", NO_GAIN)
    weight_co_occurs: float = _weight(1.0, "weight of a co_occurs link of strength 1 to a good entry", NOT_FITTED)
    weight_outcome: float = _weight(1.0, "weight of an outcome link of strength 1 to a good entry", NOT_FITTED)
    weight_caused: float = _weight(0.3, "weight of being cause or consequence of a good entry", NOT_FITTED)
    weight_evidence: float = _weight(1.0, "weight of a link with evidence, of strength 1", NOT_FITTED)
    weight_walk_found: float = number(
        0.0, 0, 100, "score", WALKED, "weight of the alignment of what walkers found (walk=True)"
    )

    # How probable it is that a hit answers
    chance_floor: float = number(0.19, 0, 1, "probability", REFUSED, "below it in all hits an answer is unsure")
    floor_nothing: float = number(0.25, 0, 1, "share", BY_HAND, "of the floor: with a best hit below, nothing is told")
    floor_far: float = number(0.02, 0, 1, "share", BY_HAND, "of the floor: a hit below is far below and left out")
    chance_base: float = _logit(-3.03, "that anything answers, before anything is known")
    chance_held: float = _logit(1.84, "by the best share of the question's words, by rarity, that an entry holds")
    chance_near: float = _logit(3.83, "by the best cosine of an entry")
    chance_match: float = _logit(2.39, "by the best mean match of the question's words, here or beside")
    chance_titled: float = _logit(2.16, "by the question holding an entry's title")
    chance_known_base: float = _logit(-4.41, "where a speaker is named: that anybody said something like it")
    chance_known_near: float = _logit(3.12, "by the best cosine")
    chance_known_match: float = _logit(2.12, "by the best mean match of the question's words")
    chance_known_topic: float = _logit(2.99, "by the same, words counted by how near they are to the whole question")
    chance_known_gap_ahead: float = _logit(0.12, "by how far the best entry of who is named is ahead, up to 3")
    chance_known_gap_behind: float = _logit(0.48, "by how far it is behind")
    chance_known_told_ahead: float = _logit(0.43, "by the gap with what others say to somebody as theirs, ahead")
    chance_known_told_behind: float = _logit(0.11, "by the same, behind")
    chance_known_several_ahead: float = _logit(0.52, "by the gap between the best three of each, ahead")
    chance_known_several_behind: float = _logit(0.26, "by the same, behind")
    chance_said_base: float = _logit(0.66, "where a speaker is named: that they said it, and nobody else")
    chance_said_near: float = _logit(-1.02, "by the best cosine")
    chance_said_match: float = _logit(-0.84, "by the best mean match of the question's words")
    chance_said_topic: float = _logit(1.16, "by the same, words counted by how near they are to the whole question")
    chance_said_gap_ahead: float = _logit(0.41, "by how far the best entry of who is named is ahead, up to 3")
    chance_said_gap_behind: float = _logit(0.05, "by how far it is behind")
    chance_said_told_ahead: float = _logit(0.03, "by the gap with what others say to somebody as theirs, ahead")
    chance_said_told_behind: float = _logit(0.84, "by the same, behind")
    chance_said_several_ahead: float = _logit(0.66, "by the gap between the best three of each, ahead")
    chance_said_several_behind: float = _logit(0.59, "by the same, behind")
    chance_rest_base: float = _logit(
        -3.3, "that a note tells what is asked, with one word of the question matched", ON_NOTES
    )
    chance_rest: float = _logit(6.42, "by the best match of the question's other words", ON_NOTES)
    chance_wanted_has: float = number(
        0.5, 0, 1, "share", ON_NOTES, "match of a note that has the kind of answer that is wanted: a place, an amount"
    )
    chance_wanted_lacks: float = number(0.3, 0, 1, "share", ON_NOTES, "taken off the match of one that has none")
    chance_elsewhen: float = number(
        0.2, 0, 1, "share", BY_HAND, "what is left of it for a note of another time than the one asked about"
    )
    chance_hit: float = _logit(-0.24, "that it is this hit, if something answers")
    chance_first: float = _logit(1.42, "by its being the best")
    chance_below: float = _logit(0.61, "taken off by how far its score is below the best")

    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "seed": {},
        "lexical": {
            "weight_keyword": 4.24,
            "weight_covered": 1.87,
            "weight_kin": 0.0,
            "weight_meaning": 0.0,
            "weight_speaker": 1.1,
            "weight_name": 4.49,
            "weight_date": 2.21,
            "weight_group": 2.45,
            "weight_asks": -0.97,
            "weight_answers": 0.79,
            "weight_when": 1.44,
            "weight_length": 0.51,
            "weight_mention": 3.98,
            "weight_mentioned_by": 2.64,
            "weight_shared_term": 1.89,
            "weight_mention_rest": 2.97,
            "weight_mentioned_by_rest": 1.52,
            "weight_shared_term_rest": 5.91,
            **_BY_WORDS,
        },
        "by_words": _BY_WORDS,  # of an embedder whose cosines nobody knows: taken by itself where it is chosen
        "minilm": {  # of an embedder that knows the vectors of pieces: taken by itself where it is chosen
            "weight_keyword": 1.4,
            "weight_covered": 0.0,
            "weight_kin": 0.0,
            "weight_meaning": 0.71,
            "weight_speaker": 1.06,
            "weight_name": 3.44,
            "weight_date": 2.18,
            "weight_group": 2.0,
            "weight_asks": -1.08,
            "weight_answers": 0.64,
            "weight_when": 1.47,
            "weight_length": 0.43,
            "weight_match": 0.35,
            "weight_match_window": 0.34,
            "weight_mention": 4.01,
            "weight_mentioned_by": 3.48,
            "weight_shared_term": 1.48,
            "weight_mention_rest": 2.78,
            "weight_mentioned_by_rest": 1.52,
            "weight_shared_term_rest": 5.66,
            "chance_floor": 0.23,
            "floor_far": 0.005,  # its scores are further apart: at .02 it lost 2 of all@5 on musique
            "chance_base": -5.16,
            "chance_held": 1.15,
            "chance_near": 4.47,
            "chance_match": 5.47,
            "chance_titled": 2.07,
            **_of_speakers(
                [-6.58, 3.9, 4.2, 3.98, 0.02, 0.02, 0.51, 0.29, 0.44, 0.92],
                [-0.04, -0.2, 1.24, 1.02, 0.09, -0.14, -0.18, 0.95, 0.79, 1.67],
            ),
            "chance_rest_base": -4.66,
            "chance_rest": 7.62,
            "chance_hit": -0.04,
            "chance_first": 1.52,
            "chance_below": 0.65,
        },
    }

    def weight(self, signal: str) -> float:
        """Give the weight of a signal.

        >>> RecallParameters().weight("co_occurs")
        1.0
        """
        weight: float = getattr(self, f"weight_{signal}")
        return weight

    def suited_to(self, preset: str) -> RecallParameters:
        """Take a preset's values for all that stands at its default: what somebody set stays.

        >>> RecallParameters(weight_kin=2.0).suited_to("lexical").weight_kin, RecallParameters().suited_to("lexical").b
        (2.0, 0.4)
        """
        default = {name: bounds.default for name, bounds in self.table()}
        taken = {name: value for name, value in self.presets[preset].items() if getattr(self, name) == default[name]}
        return replace(self, **taken)  # type: ignore[arg-type]  # presets hold values of the fields' own types

    def contradictions(self) -> list[str]:
        """A name is rare between two bounds, and the lower must not be above the upper."""
        if self.rare_at_least <= self.rare_at_most:
            return []
        return [f"rare_at_least = {self.rare_at_least!r} is above rare_at_most = {self.rare_at_most!r}"]
