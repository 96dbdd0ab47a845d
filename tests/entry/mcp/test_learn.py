"""What an agent can tell by `learn`: words alone or with what goes with them; and what it is told when it cannot."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.mcp_client import COLD, WARM, Asking, in_process, items


async def told(ask: Asking, *facts: Any, **common: Any) -> list[dict[str, Any]]:
    """Learn facts and give what is known of each."""
    return list((await ask.call("learn", facts=list(facts), **common))["learned"])


def test_facts_are_texts_or_objects() -> None:
    async def work(ask: Asking) -> None:
        assert [each["status"] for each in await told(ask, COLD, {"content": WARM, "tags": ["ops"]})] == ["new", "new"]
        shown = await ask.call("show", tags=["ops"])
        assert [node["text"] for node in shown["nodes"]] == [WARM]

    in_process(work)


@pytest.mark.parametrize(
    ("facts", "where", "wrong"),
    [
        ("tea", "facts", "is not of type 'array'"),
        ([COLD, 7], "facts[1]", "7 is not a text or an object with names"),
        ([COLD, {"text": "tea"}], "facts[1]", "'content' is a required property"),
        ([COLD, {"tags": ["x"]}], "facts[1]", "'content' is a required property"),
        ([COLD, {"content": "x", "tags": "y"}], "facts[1].tags", "'y' is not of type 'array'"),
        ([COLD, "x" * 10_001], "facts[1]", "10,001 characters are too many, there may be 10,000"),
        ([COLD, {"content": "x" * 10_001}], "facts[1].content", "10,001 characters are too many"),
    ],
)
def test_a_fact_of_the_wrong_shape_is_named_with_the_right_shape(facts: Any, where: str, wrong: str) -> None:
    async def work(ask: Asking) -> None:
        before = await items(ask)
        failed = await ask.fail("learn", facts=facts)
        assert failed["item"] == where
        assert wrong in failed["message"]
        assert 'facts=["Ada likes tea", {"content": ' in failed["hint"]
        assert "transcript_read" in failed["hint"]
        assert await items(ask) == before

    in_process(work)


def test_a_fact_that_cannot_be_taken_is_named_by_its_row_and_none_is_learned() -> None:
    async def work(ask: Asking) -> None:
        before = await items(ask)
        failed = await ask.fail("learn", facts=[COLD, {"content": WARM, "at": "2999-01-01"}])
        assert "row 2" in failed["message"]
        assert await items(ask) == before

    in_process(work)


def test_what_came_since_a_day_is_listed() -> None:
    async def work(ask: Asking) -> None:
        await told(ask, {"content": COLD, "at": "2026-04-01"}, {"content": WARM, "at": "2026-04-20"})
        for since, there in (("2026-04-20", [WARM]), ("2026-04-01", [WARM, COLD]), ("2026-04-21", [])):
            assert [node["text"] for node in (await ask.call("show", since=since))["nodes"]] == there

    in_process(work)
