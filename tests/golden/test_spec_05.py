"""The numbers of spec 05 and the fixtures of seed 004."""

from __future__ import annotations

from uuid import UUID, uuid5

import pytest

from asterism.core.dialogue.eligibility import build_eligibility, exclusion_reasons, is_line_eligible
from asterism.core.dialogue.ids import NAMESPACE, link_id
from asterism.core.dialogue.intents import ENGLISH
from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Line, Mask
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.scoring import hill, is_yes_no_answer, lexical, seed_score, tokens_of
from asterism.core.dialogue.words import STRENGTH

SEED = DialogueParameters()


def said(*lines: tuple[str, str]) -> list[Line]:
    return [Line(place, author, content) for place, (author, content) in enumerate(lines)]


def test_hill() -> None:
    expected = [0.8213, 0.5, 0.2907, 0.1787, 0.1175, 0.0819, 0.0597, 0.0452]
    assert [round(hill(distance), 4) for distance in range(1, 9)] == expected


@pytest.mark.parametrize(
    ("distance", "shared", "answer", "expected"),
    [
        (1, 0.0, False, 0.821),
        (1, 0.0, True, 0.971),
        (2, 0.0, False, 0.5),
        (3, 0.0, False, 0.291),
        (1, 1.0, False, 1.232),
        (1, 1.0, True, 1.382),
        (2, 0.5, True, 0.775),
    ],
)
def test_the_score(distance: int, shared: float, answer: bool, expected: float) -> None:
    found = seed_score(hill(distance), shared, answer=answer, parameters=SEED)
    assert found == pytest.approx(expected, abs=5e-4)
    assert found == round(found, 9)


@pytest.mark.parametrize(
    ("question", "reply", "expected"),
    [
        ("Am I hit?", "Bats everywhere.", 0.821),
        ("Am I hit?", "Yes.", 0.971),
        ("I go in.", "Yes.", 0.821),  # no question, no boost
    ],
)
def test_the_score_in_a_session(question: str, reply: str, expected: float) -> None:
    (link,) = causal_links(said(("PC", question), ("DM", reply)), session="s").links
    assert link.score == pytest.approx(expected, abs=5e-4)


def test_words_in_common() -> None:
    assert tokens_of("The Red door, THE door_2 a b cd") == {"the", "red", "door"}
    assert lexical(tokens_of("red door"), tokens_of("the red door opens")) == 0.5
    assert lexical(tokens_of("at"), tokens_of("red")) == lexical(frozenset(), frozenset()) == 0.0


@pytest.mark.parametrize("text", ["yes", "Yeah!", "Yep", "yup.", "Sure thing", "Okay, so", "ok", "No.", "nope", "Nah,"])
def test_answers(text: str) -> None:
    assert is_yes_no_answer(text)


@pytest.mark.parametrize("text", ["Not really.", "not at all", "Not exactly, but", '"No," he says', "  no"])
def test_answers_of_two_words_and_after_signs(text: str) -> None:
    assert is_yes_no_answer(text)


@pytest.mark.parametrize("text", ["Now", "North", "Nobody", "Yesterday", "Oklahoma", "Surely", "Not yet", "No-one"])
def test_no_answers(text: str) -> None:
    assert not is_yes_no_answer(text)


@pytest.mark.parametrize(
    ("text", "kind", "rule"),
    [
        ("can I see it", "question", "may_i"),
        ("Could we rest", "question", "may_i"),
        ("May I pass", "question", "may_i"),
        ("do I know him", "question", "do_i"),
        ("Are there guards", "question", "is_there"),
        ("what if it's a trap", "question", "what_if"),
        ("Let's go?", "question", "question_mark"),
        ("Can you open it?", "question", "question_mark"),
        ("Can you open it for me", "request", "can_you"),
        ("The key, please.", "request", "please"),
        ("I want the key", "request", "i_want"),
        ("I would like to rest", "request", "i_want"),
        ("I'd like to rest", "request", "i_want"),
        ("Perception check", "request", "skill_call"),
        ("Insight.", "request", "skill_call"),
        ("I’ll go first", "declare", "i_will"),
        ("I'm gonna jump", "declare", "i_am_going_to"),
        ("I am going to jump", "declare", "i_am_going_to"),
        ("I go", "declare", "i_do"),
        ("Then I quickly grab the rope", "declare", "i_do"),
        ("let me try the door", "declare", "let_me"),
        ("Jester wants to paint it", "declare", "third_person"),
        ("Let's go", "propose", "lets"),
        ("we should rest", "propose", "we_should"),
        ("we could rest", "propose", "we_should"),
        ("How about the inn", "propose", "how_about"),
    ],
)
def test_intents(text: str, kind: str, rule: str) -> None:
    found = ENGLISH.first(text)
    assert found is not None
    assert (found.type, found.name) == (kind, rule)


@pytest.mark.parametrize("text", ["", "Nice hat.", "He fell.", "if I go", "They said so.", "That's what I want"])
def test_no_intents(text: str) -> None:
    assert ENGLISH.first(text) is None


def test_strength() -> None:
    assert STRENGTH == {"question": "weak", "declare": "strong", "propose": "strong", "request": "strong"}


def test_the_two_lines_of_the_seed() -> None:
    reading = causal_links(said(("PC", "Where is X?"), ("DM", "X is here")), session="test", created_at_ms=7)
    assert reading.links == (
        CausalLink(
            id=link_id("test", "pc", 0),
            session_id="test",
            actor="pc",
            intent_text="Where is X?",
            intent_type="question",
            intent_strength="weak",
            intent_anchor_index=0,
            consequence_text="X is here",
            consequence_type="information",
            consequence_anchor_index=1,
            distance=1,
            score=0.821262391,
            claimed=True,
            created_at_ms=7,
            rule="question_mark",
        ),
    )
    assert reading.metrics.coverage == 1.0


def test_ids_are_uuids_of_version_5_and_never_change() -> None:
    assert link_id("test", "pc", 0) == str(uuid5(UUID(bytes=NAMESPACE), "test\x1fpc\x1f0"))
    assert link_id("test", "pc", 0) == "a2291839-ed1e-59f0-88e0-129a77955712"
    assert UUID(link_id("a", "b", 3)).version == 5


def test_the_threshold_of_strong_intents_is_inclusive() -> None:
    near = said(("PC", "I go."), ("PC2", "hm"), ("DM", "Bats."))
    assert causal_links(near, session="s", strong_min_score=0.5).links[0].claimed
    assert not causal_links(near, session="s", strong_min_score=0.500000001).links[0].claimed


def test_without_words_in_common_strong_intents_reach_two_lines_and_weak_ones_five() -> None:
    for gap in range(1, 10):
        idle = [("Bo", "hm")] * (gap - 1)
        (strong,) = causal_links(said(("PC", "I go."), *idle, ("DM", "Bats.")), session="s").links
        (weak,) = causal_links(said(("PC", "Who?"), *idle, ("DM", "Bats.")), session="s").links
        assert strong.claimed == (gap <= 2)
        assert weak.claimed == (gap <= 5)


def test_one_to_one_and_many_to_one() -> None:
    strong = causal_links(said(("A", "I go."), ("B", "I go too."), ("DM", "Off you go.")), session="s")
    assert [link.claimed for link in strong.links] == [True, False]
    weak = causal_links(said(("A", "Who?"), ("B", "Where?"), ("DM", "Bats.")), session="s")
    assert [link.consequence_anchor_index for link in weak.links] == [2, 2]
    assert weak.metrics.fanout == {2: 1}


def test_ties_go_to_the_nearer_line() -> None:
    lines = said(("A", "Who?"), ("DM", "Bats."), ("DM", "Bats."))
    (link,) = causal_links(lines, session="s", scorer=_Flat()).links
    assert link.consequence_anchor_index == 1


class _Flat:
    name = "flat"

    def scores(self, _: object, pairs: object) -> list[float]:
        return [1.0] * len(pairs.responses)  # type: ignore[attr-defined]

    def parts(self, _: object, pairs: object) -> list[dict[str, float]]:
        return [{}] * len(pairs.responses)  # type: ignore[attr-defined]


def test_masks() -> None:
    found = build_eligibility(6, [Mask(-4, 1, "noise"), Mask(1, 3, "ooc_hard"), Mask(5, 50, "combat")])
    assert [is_line_eligible(found, place) for place in range(-1, 7)] == [False] * 5 + [True, False, False]
    assert exclusion_reasons(found, 1) == ("ooc_hard", "noise")
    assert exclusion_reasons(found, 4) == ()
    assert [tuple(run) for run in found.excluded] == [
        (0, 0, ("noise",)),
        (1, 1, ("ooc_hard", "noise")),
        (2, 3, ("ooc_hard",)),
        (5, 5, ("combat",)),
    ]


def test_no_link_spans_an_excluded_line() -> None:
    lines = said(("PC", "Who?"), ("Bo", "pizza"), ("DM", "Bats."))
    assert not causal_links(lines, session="s", masks=[Mask(1, 1, "ooc_soft")]).links[0].claimed


def test_more_than_three_quarters_of_strong_intents_are_claimed_by_responder_turns() -> None:
    """The seed's check of a whole session, where players talk before the master answers."""
    lines: list[tuple[str, str]] = []
    for turn in range(100):
        lines += [("Ann", f"I try door number {turn}."), ("Bo", "Careful."), ("Cy", "Go on.")]
        lines += [("DM", f"Door {turn} opens.")] if turn % 8 else [("Ann", "Hm.")]
    by_turn, by_gap = (
        causal_links(said(*lines), session="s", distance=distance).metrics.by_strength["strong"].share
        for distance in ("dm_turn", "gap")
    )
    assert by_turn > 0.75
    assert by_gap < by_turn


def test_the_largest_score() -> None:
    (link,) = causal_links(said(("PC", "sure, the door?"), ("DM", "Sure the door")), session="s").links
    assert link.score == pytest.approx(1.38, abs=5e-3)
