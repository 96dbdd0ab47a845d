"""Times that commands are given: those at the edge of the calendar are told, not tripped over."""

from __future__ import annotations

import json

import pytest

from tests.support.command_line import Line

EDGES = ["0001-01-01", "9999-12-31", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-12:00"]
COMMANDS = {
    "observe": ("observe", "sleep", "mood", "user_creates", "--at", "TIME"),
    "deny": ("deny", "sleep", "mood", "--at", "TIME"),
    "star": ("star", "engage", "sleep", "--at", "TIME"),
    "learn": ("learn", "Tea is green.", "--at", "TIME"),
    "links": ("links", "--at", "TIME"),
    "show": ("show", "sleep", "--at", "TIME"),
    "why": ("why", "sleep", "--at", "TIME"),
    "advance": ("advance", "--to", "TIME"),
    "project": ("project", "--to", "TIME"),
    "as-of": ("as-of", "TIME"),
    "known at": ("as-of", "2026-09-03", "--known-at", "TIME"),
    "since": ("recall", "sleep", "--since", "TIME"),
    "until": ("recall", "sleep", "--until", "TIME"),
    "export": ("export", "links.csv", "--at", "TIME"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_time_at_the_edge_of_the_calendar_is_refused_with_a_hint(told: Line, command: str) -> None:
    for edge in EDGES:
        words = [edge if word == "TIME" else word for word in COMMANDS[command]]
        refused = json.loads(told.run(*words, "--json", code=2).stderr)
        assert refused["error"] == "bad_time"
        assert refused["hint"]
