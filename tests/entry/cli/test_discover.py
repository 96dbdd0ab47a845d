"""`asterism discover`: sentences first, then why nothing came of the rest, then who has too few days."""

from __future__ import annotations

import json

from asterism.engine.memory import Memory
from asterism.sync import drive
from tests.support.command_line import Line
from tests.support.diary import keep_diary
from tests.support.memories import NOON, opened


def keep(line: Line) -> None:
    async def told() -> None:
        memory: Memory
        async with opened(line.db, space="default") as memory:
            await keep_diary(memory)
            await memory.add_star("New", at=NOON)
            await memory.set_brightness("New", 0.4, at=NOON)

    drive(told())


def test_a_diary_is_told_in_sentences_and_the_rest_says_why(line: Line) -> None:
    keep(line)
    shown = line.run("discover").output
    assert "Sleep drives Focus a day later: r ." in shown
    assert "Mood goes with Sleep on the same day: r ." in shown
    assert "2 findings written as evidence" in shown
    assert "explained by Sleep" in shown
    assert "may be chance" in shown
    assert "New  too few days: 1 of at least 21" in shown
    assert "no new value of both since" in line.run("discover", "--all").output
    told = json.loads(line.run("discover", "--json").output)
    assert (told["detector"], told["written"], len(told["pairs"])) == ("best", 0, 6)
    assert "causation" in line.run("links").output


def test_a_dream_says_what_it_found_in_values(line: Line) -> None:
    keep(line)
    shown = line.run("dream").output
    assert "2 findings of what goes with what" in shown
    assert "Mood goes with Sleep on the same day: r .88" in shown
    assert "asterism discover" in shown


def test_detectors_are_named_where_one_is_unknown(line: Line) -> None:
    keep(line)
    assert "best, seed" in line.run("discover", "--detector", "sed", code=2).output
    assert "Not compared" in line.run("discover", "--detector", "seed").output


def test_a_memory_without_values_says_how_to_tell_one(line: Line) -> None:
    line.run("star", "add", "Sleep")
    assert "asterism diary read" in line.run("discover").output


def test_why_of_a_found_link_draws_both_series(line: Line) -> None:
    keep(line)
    line.run("discover")
    shown = line.run("why", "sleep", "focus").output
    assert "Focus a day later" in shown
    assert "59 days with both" in shown
    assert "found on" in shown
    told = json.loads(line.run("why", "sleep", "focus", "--json").output)["found"]
    assert (told["first"], told["second"], told["lag_days"], len(told["pairs"])) == ("sleep", "focus", 1, 59)
    assert "days with both" not in line.run("why", "sleep").output
