"""An agent's days over MCP: what counts as right, and the page is that of today."""

from __future__ import annotations

import pytest

pytest.importorskip("mcp")

from asterism.evals.agent_day import DAYS, KINDS, STORIES, Question, Reply, by_day, rows, story
from asterism.evals.agent_page import page
from tests.support.paths import ROOT

HEADACHE = "[3f] 2026-04-08, 6x since 2026-04-01: I had a headache."


SIZES = ((200, 100, DAYS), (127, 74, DAYS), (44, 34, 39))


@pytest.mark.parametrize(("name", "size"), [*zip(STORIES, SIZES, strict=True)])
def test_a_story_is_as_long_as_it_says_and_every_answer_is_told(name: str, size: tuple[int, int, int]) -> None:
    facts, questions = story(name)
    assert (len(facts), len(questions), len({each.day for each in facts})) == size
    assert {each.kind for each in questions} == set(KINDS)
    assert {each.gold for each in questions} - {each.text for each in facts} == {""}
    assert {each.day for each in facts} <= set(range(1, DAYS + 1))
    assert sum(len(told) for _, told in by_day(facts)) == len(facts)


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        (Question("?", "now", "I had a headache."), HEADACHE, True),
        (Question("?", "now", "I slept badly."), HEADACHE, False),
        (Question("?", "now", "I had a headache."), f"unsure: probably nothing.\n{HEADACHE}", False),
        (Question("?", "when", "I had a headache.", date="2026-04-08"), HEADACHE, True),
        (Question("?", "when", "I had a headache.", date="2026-04-02"), HEADACHE, False),
        (Question("?", "how often", "I had a headache.", times=6), HEADACHE, True),
        (Question("?", "how often", "I had a headache.", times=16), HEADACHE, False),
        (Question("?", "unanswerable"), HEADACHE, False),
        (Question("?", "unanswerable"), "Nothing was recalled.", True),
        (Question("?", "unanswerable"), f"unsure: probably nothing.\n{HEADACHE}", True),
        (Question("?", "now", "I am unsure."), "[3f] I am unsure.\n[4f] Go.", True),
    ],
)
def test_right_is_the_fact_first_with_what_was_asked_of_it_or_rightly_none(
    question: Question, text: str, right: bool
) -> None:
    assert Reply(question, text).right is right


def test_what_is_right_is_counted_by_kind_and_in_all() -> None:
    _, questions = story("translator")
    found = rows([Reply(each, "Nothing was recalled.") for each in questions])
    assert {row.name: row.value for row in found} == dict.fromkeys(KINDS, 0.0) | {"unanswerable": 1.0, "all": 0.18}


def test_the_page_shows_what_is_said_against_a_hit_below_it_and_against_no_later_one() -> None:
    _, questions = story("translator")
    text = "[1] Ice.\n[2] Tea.\n  or: [4] Rum.\n[3] Mud.\n  or: [5] Fog.\n(a note)"
    shown = page({"translator": [Reply(each, text) for each in questions]})
    beside = " " * 11
    assert f"\n{beside}[1] Ice.\n{beside}[2] Tea.\n{beside}  or: [4] Rum.\n" in shown
    assert not any(told in shown for told in ("Mud", "Fog", "a note"))


@pytest.mark.parametrize("name", STORIES)
def test_the_page_is_that_of_the_stories(name: str) -> None:
    facts, questions = story(name)
    page = (ROOT / "docs" / "agent-day.md").read_text(encoding="utf-8")
    assert all(text in page for text in (*(each.text for each in facts), *(each.text for each in questions)))
