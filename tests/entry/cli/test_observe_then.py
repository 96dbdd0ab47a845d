"""What is told of a day long ago is answered of that day, and what is now is said to be now."""

from __future__ import annotations

import pytest

from asterism.core.connections.in_words import in_words
from tests.support.command_line import Line


def test_evidence_of_a_past_day_is_told_of_that_day_and_the_link_as_it_is_now(told: Line) -> None:
    said = told.run("observe", "mood", "sleep", "co_mention_session", "--at", "2026-09-05").output
    now = told.json("link", "mood", "sleep")
    assert "on 2026-09-05: strength 0." in said
    assert f"; now {now['strength']:.4f}, {in_words(str(now['state']))}" in said


def test_evidence_of_a_past_day_as_json_has_its_time_and_the_link_now(told: Line) -> None:
    receipt = told.json("observe", "mood", "sleep", "co_mention_session", "--at", "2026-09-05")
    then = told.json("link", "mood", "sleep", "--at", "2026-09-05T12:00Z")
    now = told.json("link", "mood", "sleep")
    assert receipt["at"] == "2026-09-05T12:00:00+00:00"
    assert receipt["after"] == pytest.approx(then["strength"])
    assert receipt["now"] == {"strength": now["strength"], "state": now["state"]}


def test_evidence_of_now_needs_no_date(line: Line) -> None:
    for name in ("Sleep", "Mood"):
        line.run("star", "add", name, "--domain", "soul")
    said = line.run("observe", "sleep", "mood", "user_creates").output
    assert said.strip() == "sleep ↔ mood: strength 0.0000 → 0.1500 (+0.1500, the day's cap), new"


def test_a_lone_co_mention_has_no_link_now(told: Line) -> None:
    told.run("star", "add", "Tea", "--domain", "health", "--at", "2026-09-20")
    assert told.json("observe", "tea", "mood", "co_mention_session", "--at", "2026-09-20")["now"] is None


def test_a_link_denied_or_assigned_on_a_past_day_is_shown_as_it_was_then(told: Line) -> None:
    told.run("observe", "mood", "sleep", "user_creates", "--at", "2026-09-07")  # after the days that are told of
    assigned = told.json("assign-type", "sleep", "mood", "tension", "--at", "2026-09-04")
    assert assigned == told.json("link", "sleep", "mood", "--at", "2026-09-04")
    assert told.json("deny", "sleep", "mood", "--at", "2026-09-05")["state"] == "DISSOLVED"
