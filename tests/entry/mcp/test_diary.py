"""A diary over MCP: a day's values in, a week out."""

from __future__ import annotations

import pytest

from tests.support.mcp_client import Asking, in_process, text_of


def test_a_days_values_are_told_corrected_and_seen_in_the_week() -> None:
    async def work(ask: Asking) -> None:
        told = await ask.call("observe", values={"sleep": 6.5, "mood": 4}, scales={"mood": "1..7"})
        assert [(each["id"], each["made"], each["high"]) for each in told["values"]] == [
            ("sleep", True, 10.0),
            ("mood", True, 7.0),
        ]
        assert "was 4, corrected" in text_of(await ask.result("observe", values={"mood": 5}))
        week = await ask.call("show", what="week")
        assert {each["id"]: each["mean"] for each in week["week"]["stars"]} == {"sleep": 6.5, "mood": 5.0}
        assert text_of(await ask.result("show", what="week")).startswith("The week ")

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
