"""What an agent can tell by `learn`: words alone or with what goes with them; and what it is told when it cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.mcp_client import COLD, WARM, Asking, in_process, items, text_of


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
        alone = await ask.fail("learn", facts=[{"content": WARM, "at": "2999-01-01"}])
        assert "row 1" in alone["message"]
        assert await items(ask) == before

    in_process(work)


def test_a_correction_says_from_when_on_it_counts_and_how_it_counts_from_the_first() -> None:
    async def work(ask: Asking) -> None:
        learned = await ask.call("learn", facts=[{"content": "Ada has two cats.", "at": "2026-03-01"}])
        old = learned["learned"][0]["id"]
        told = await ask.call("edit", id=old, content="Ada has three cats.")
        assert f"edit {old} again with at=2026-03-01T12:00:00Z" in told["since"]
        told = await ask.call("edit", id=old, content="Ada has three cats.", at="2026-03-01T12:00:00Z")
        assert told["since"] == "It reads so from 2026-03-01 on."

    in_process(work)


def test_what_came_since_a_day_is_listed() -> None:
    async def work(ask: Asking) -> None:
        await told(ask, {"content": COLD, "at": "2026-04-01"}, {"content": WARM, "at": "2026-04-20"})
        for since, there in (("2026-04-20", [WARM]), ("2026-04-01", [WARM, COLD]), ("2026-04-21", [])):
            assert [node["text"] for node in (await ask.call("show", since=since))["nodes"]] == there

    in_process(work)


def test_a_slot_has_the_latest_value_and_its_history_can_be_asked_for() -> None:
    async def work(ask: Asking) -> None:
        rows = [
            {"content": "Ada lives in Graz.", "slot": "ada/home", "at": "2026-03-01"},
            {"content": "Ada moved to Oslo.", "slot": "ada/home", "at": "2026-04-01"},
        ]
        await told(ask, *rows)
        held = (await ask.call("show", slot="ada/home"))["history"]
        assert [(each["text"], each["current"]) for each in held] == [
            ("Ada lives in Graz.", False),
            ("Ada moved to Oslo.", True),
        ]
        shown = text_of(await ask.result("show", slot="ada/home"))
        assert "- 2026-03-01 to 2026-04-01: Ada lives in Graz." in shown
        assert "- 2026-04-01 to now: Ada moved to Oslo." in shown
        hits = (await ask.call("recall", query="where is Ada's home now?"))["hits"]
        assert hits[0]["text"] == "Ada moved to Oslo."
        assert "until 2026-04-01" in next(hit["line"] for hit in hits if "Graz" in hit["text"])
        (content,) = (await ask.client.read_resource("asterism://slots")).contents
        (slot,) = json.loads(content.text)["slots"]  # type: ignore[union-attr]
        (content,) = (await ask.client.read_resource(slot["uri"])).contents
        assert json.loads(content.text)["history"] == held  # type: ignore[union-attr]
        assert "Nothing was told of the slot" in text_of(await ask.result("show", slot="bo/job"))
        assert "did you mean ada/home?" in text_of(await ask.result("show", slot="Ada/Home"))
        assert [each["text"] for each in (await ask.call("show", what="slots"))["history"]] == ["Ada moved to Oslo."]
        assert text_of(await ask.result("show", what="slots")).startswith("- ada/home: 2026-04-01 to now: ")

    in_process(work)


def test_a_fact_replaces_ends_and_expires_as_it_is_told() -> None:
    async def work(ask: Asking) -> None:
        (old,) = await told(ask, {"content": "The code of the door is 1234.", "at": "2026-03-01"})
        await told(ask, {"content": "The code of the door is 9876.", "replaces": old["id"], "at": "2026-04-01"})
        await told(ask, {"content": "The door is painted today.", "at": "2026-04-02", "expires": "2026-04-03"})
        await told(ask, {"content": "The door is open.", "valid_from": "2026-03-01", "valid_until": "2026-03-05"})
        hits = {hit["text"]: hit for hit in (await ask.call("recall", query="door code", floor=0))["hits"]}
        assert not hits["The code of the door is 1234."]["current"]
        assert not hits["The door is open."]["current"]
        assert "The door is painted today." not in hits
        failed = await ask.fail("learn", facts=[COLD, {"content": "x", "replaces": "nobody"}])
        assert "row 2" in failed["message"]

    in_process(work)


def test_a_pin_is_set_and_taken_off_by_learning() -> None:
    async def work(ask: Asking) -> None:
        await told(ask, {"content": COLD, "pin": True}, WARM)
        assert [node["text"] for node in (await ask.call("show", what="pinned"))["nodes"]] == [COLD]
        await told(ask, {"content": COLD, "pin": False})
        assert "Nothing is pinned" in text_of(await ask.result("show", what="pinned"))

    in_process(work)


def test_who_says_what_in_a_conversation_is_kept_in_any_form() -> None:
    async def work(ask: Asking) -> None:
        await told(ask, {"role": "user", "content": "I grow tomatoes."}, conversation="one")
        await told(ask, {"speaker": "Ann", "content": "I sail."}, conversation="two")
        await told(ask, "Bo: I play the cello.", "Cleo: I paint boats.", conversation="three")
        for words, speaker, session in (
            ("tomatoes", "user", "one"),
            ("sail", "Ann", "two"),
            ("cello", "Bo", "three"),
            ("boats", "Cleo", "three"),
        ):
            hit = (await ask.call("recall", query=words))["hits"][0]
            assert (hit["speaker"], hit["session"]) == (speaker, session)

    in_process(work)
