"""A diary over MCP: a day's values in, a week out."""

from __future__ import annotations

from csv import DictReader
from datetime import date

import pytest

from asterism.entry.sample.diary import diary_csv
from tests.support.mcp_client import Asking, in_process, text_of


def test_a_days_values_are_told_corrected_and_seen_in_the_week() -> None:
    async def work(ask: Asking) -> None:
        told = await ask.call("observe", values={"sleep": 6.5, "mood": 4}, scales={"mood": "1..7"})
        assert [(each["id"], each["made"], each["high"]) for each in told["values"]] == [
            ("sleep", True, 10.0),
            ("mood", True, 7.0),
        ]
        guessed = text_of(await ask.result("observe", values={"my tea": 2}))
        assert 'another one: scales={"my tea": "LOW..HIGH"}' in guessed
        off = text_of(await ask.result("observe", values={"mood": 9}))
        assert 'scales={"mood": "LOW..HIGH"}' in off
        assert "was 4, corrected" in text_of(await ask.result("observe", values={"mood": 5}))
        week = await ask.call("show", what="week")
        assert {each["id"]: each["mean"] for each in week["week"]["stars"]} == {
            "sleep": 6.5,
            "mood": 5.0,
            "my-tea": 2.0,
        }
        assert text_of(await ask.result("show", what="week")).startswith("The week ")

    in_process(work)


def test_a_dream_says_what_it_found_in_values_and_why_nothing_came_of_the_rest() -> None:
    async def work(ask: Asking) -> None:
        for row in DictReader(diary_csv(date(2025, 3, 1)).splitlines()):
            values = {name: float(row[name]) for name in ("sleep", "mood", "steps") if row[name]}
            if values:
                await ask.call("observe", values=values, at=row["date"])
        told = await ask.call("dream")
        assert told["found"] == len(told["findings"]) == 1
        assert "sleep" in told["findings"][0]
        assert sum(told["nothing"].values()) == 2
        again = text_of(await ask.result("dream"))
        assert "Nothing came of 2 pairs of values: " in again

    in_process(work)


@pytest.mark.parametrize(
    ("said", "arguments"),
    [
        ("b, kind are missing", {"a": "sleep"}),
        ("a, b, kind are missing", {}),
        ("values are told by themselves", {"a": "sleep", "values": {"mood": 4}}),
        ("not on its scale", {"values": {"mood": 9}, "scales": {"mood": "1..7"}}),
    ],
)
def test_half_a_link_or_a_value_off_its_scale_says_what_to_give(said: str, arguments: dict[str, object]) -> None:
    async def work(ask: Asking) -> None:
        result = await ask.result("observe", **arguments)
        assert result.is_error
        assert said in text_of(result)

    in_process(work)
