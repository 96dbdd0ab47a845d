"""The scorer `dialogue` in the kernel, and the overlays that use it."""

from __future__ import annotations

import numpy as np
import pytest

from asterism import causal_links
from asterism.core.dialogue.actors import INITIATOR, RESPONDER
from asterism.core.dialogue.intents import Intent
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.reply import ReplyModel
from asterism.core.dialogue.reply_scorer import DialogueScorer
from asterism.core.dialogue.scoring import Pairs, Scene
from asterism.core.dialogue.tables import Table
from asterism.errors import InputError

NEAR = Table("near", "by hand", 4, {"distance.1": 2.0, "distance.2": 1.0, "none.bias": -9.0})
SAID = [
    ("Ann", "I want to open the door"),
    ("Bo", "I look for traps"),
    ("DM", "You find none"),
    ("Ann", "With my crowbar"),
    ("DM", "It opens"),
]
LINES = [Line(at, who, text) for at, (who, text) in enumerate(SAID)]
ROLES = [INITIATOR, INITIATOR, RESPONDER, INITIATOR, RESPONDER]
INTENTS = [Intent(0, "Ann", "request", "strong", "want"), Intent(1, "Bo", "declare", "strong", "look")]
PAIRS = Pairs([0, 2, 4], [2, 4, 2, 4], [2, 4, 1, 3])


def scene() -> Scene:
    return Scene(LINES, ROLES, np.ones(5, dtype=np.bool_), INTENTS)


def test_a_score_is_how_likely_the_response_answers_the_intent() -> None:
    scorer = DialogueScorer(ReplyModel(NEAR))
    p = ReplyModel(NEAR).choose(LINES).p
    near, far, second, third = scorer.scores(scene(), PAIRS)
    assert near == pytest.approx(p[2, 1], abs=1e-4)
    assert far == pytest.approx(p[4, 3], abs=1e-4)  # the crowbar comes after an answer: it carries nothing
    assert second == pytest.approx(p[2, 0], abs=1e-4)
    assert third == pytest.approx(p[4, 2], abs=1e-4)


def test_what_a_speaker_adds_before_an_answer_carries_the_intent() -> None:
    said = [LINES[0], LINES[3]._replace(line_index=1), LINES[1]._replace(line_index=2), LINES[2]._replace(line_index=3)]
    told = Scene(said, [INITIATOR] * 3 + [RESPONDER], np.ones(4, dtype=np.bool_), INTENTS[:1])
    p = ReplyModel(NEAR).choose(said).p
    pairs = Pairs([0, 1], [3], [3])
    assert DialogueScorer(ReplyModel(NEAR)).scores(told, pairs) == pytest.approx([p[3, 2] + p[3, 1]], abs=1e-4)
    (parts,) = DialogueScorer(ReplyModel(NEAR)).parts(told, pairs)
    assert parts["carried"] == pytest.approx(p[3, 1], abs=1e-4)


def test_blocking_closes_an_intent_when_another_speaker_intends_something() -> None:
    scorer = DialogueScorer(ReplyModel(NEAR), blocking=True)
    near, far, second, third = scorer.scores(scene(), PAIRS)
    assert (near, far) == (0.0, 0.0)
    assert second > 0.5
    assert third > 0
    assert [parts.get("blocked") for parts in scorer.parts(scene(), PAIRS)] == [1.0, 1.0, None, None]


def test_a_response_that_is_most_likely_its_own_reaches_a_closed_intent() -> None:
    far = Table("far", "by hand", 4, {"distance.2": 5.0, "none.bias": -9.0})
    assert DialogueScorer(ReplyModel(far), blocking=True).scores(scene(), PAIRS)[0] > 0.9


def test_parts_tell_p_what_carries_it_and_the_families_of_the_logit() -> None:
    scorer = DialogueScorer(ReplyModel(NEAR))
    for score, parts in zip(scorer.scores(scene(), PAIRS), scorer.parts(scene(), PAIRS), strict=True):
        assert parts["p"] + parts["carried"] == pytest.approx(score, abs=2e-4)
    assert scorer.parts(scene(), PAIRS)[2]["logit.distance"] == 2.0


def test_an_intent_beyond_the_window_gets_nothing() -> None:
    narrow = Table("narrow", "by hand", 1, {"distance.1": 2.0})
    scorer = DialogueScorer(ReplyModel(narrow))
    assert scorer.scores(scene(), PAIRS)[0] == 0.0
    assert "logit.distance" not in scorer.parts(scene(), PAIRS)[0]


def test_a_system_line_answers_nobody() -> None:
    lines = [*LINES[:2], LINES[2]._replace(kind="system"), *LINES[3:]]
    told = Scene(lines, ROLES, np.ones(5, dtype=np.bool_), INTENTS)
    assert DialogueScorer(ReplyModel(NEAR)).scores(told, PAIRS)[2] == 0.0


def test_no_pairs_have_no_scores() -> None:
    empty = Pairs([0, 0, 0], [], [])
    assert DialogueScorer(ReplyModel(NEAR)).scores(scene(), empty) == []
    assert DialogueScorer(ReplyModel(NEAR)).parts(scene(), empty) == []


@pytest.mark.parametrize("name", ["seed", "tuned", "tabletop"])
def test_every_preset_runs_in_the_kernel(name: str) -> None:
    reading = causal_links(LINES, session="one", responders=["DM"], traces=True, preset=name)
    assert len(reading.links) >= 2
    assert reading.scorer == ("seed" if name == "seed" else "dialogue")
    again = causal_links(LINES, session="one", responders=["DM"], traces=True, preset=name)
    assert again.links == reading.links


def test_an_unknown_preset_or_scorer_is_refused() -> None:
    for wrong in ({"preset": "opera"}, {"scorer": "opera"}):
        with pytest.raises(InputError, match="opera"):
            causal_links(LINES, session="one", responders=["DM"], **wrong)  # type: ignore[arg-type]  # the fault


def test_a_scorer_can_be_named() -> None:
    told = causal_links(LINES, session="one", responders=["DM"], scorer="dialogue")
    assert told.links == causal_links(LINES, session="one", responders=["DM"], preset="tuned").links
    assert causal_links(LINES, session="one", responders=["DM"], preset="tuned", scorer="seed").scorer == "seed"
