"""The tools as a server offers them by default: few tokens, every argument taken all the same."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import MCPError

from asterism.core.recall.prompt import UNSURE
from asterism.entry.mcp.manner import BRIEF, FULL, Manner
from asterism.entry.mcp.offering import PROFILES, offered
from tests.support.mcp_client import COLD, WARM, Asking, in_process, text_of

FACTS = [
    "Anna moved to Berlin in March to work for a small theatre.",
    "The boiler is serviced every October by the firm Keller.",
    "Tom is allergic to hazelnuts, but almonds are fine.",
    "Our staging database is called heron and runs PostgreSQL.",
    "The choir rehearses on Thursdays at half past seven.",
    "Grandmother's plum cake needs a whole lemon, not just the peel.",
    "The car has to be inspected again in May of next year.",
    "Maria prefers trains to flying and gets sick on buses.",
    "The spare key hangs behind the barometer in the hall.",
    "Invoices to the city are paid after sixty days at best.",
]


def tokens(told: object) -> float:
    """Count as the contract does: characters of what goes over the wire, by four."""
    return len(told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, separators=(",", ":"))) / 4


def test_the_list_of_tools_costs_at_most_four_thousand_tokens() -> None:
    async def work(ask: Asking) -> None:
        told = [tool.model_dump(by_alias=True, exclude_none=True) for tool in (await ask.client.list_tools()).tools]
        assert tokens(told) <= 4_000

    in_process(work, manner=BRIEF)


def test_ten_hits_cost_at_most_twice_the_tokens_of_their_facts() -> None:
    async def work(ask: Asking) -> None:
        await ask.client.call_tool("learn", {"facts": FACTS})
        for k, query in ((10, "what is called, needed, paid, preferred or moved?"), (3, "who is Tom?")):
            result = await ask.result("recall", query=query, k=k, floor=0)
            told = [fact for fact in FACTS if fact in text_of(result)]
            assert len(told) == k
            assert result.structured_content is None
            assert tokens(text_of(result)) <= 2 * tokens("".join(told)) + tokens(UNSURE)

    in_process(work, manner=BRIEF)


@pytest.mark.parametrize("tool", PROFILES["asterism"], ids=lambda tool: tool.name)
def test_a_brief_schema_lets_through_all_that_the_full_one_does(tool: Any) -> None:
    brief, full = offered(tool, full=False)["inputSchema"], offered(tool, full=True)["inputSchema"]
    Draft202012Validator.check_schema(brief)
    assert set(brief["properties"]) <= set(full["properties"])
    assert set(full["properties"]) - set(brief["properties"]) == set(tool.rarely)
    assert brief.get("required") == full.get("required")
    assert "additionalProperties" not in brief


def test_an_argument_that_only_the_full_list_has_is_taken_by_either() -> None:
    async def work(ask: Asking) -> None:
        await ask.result("learn", facts=[{"content": COLD, "category": "observation"}, WARM])
        result = await ask.result("recall", query="cache", category="observation")
        assert COLD in text_of(result)
        assert WARM not in text_of(result)

    for manner in (BRIEF, FULL):
        in_process(work, manner=manner)


@pytest.mark.parametrize(("manner", "details"), [(BRIEF, False), (FULL, True)])
def test_a_hit_says_why_it_came_in_words_where_that_is_wanted(manner: Manner, details: bool) -> None:
    async def work(ask: Asking) -> None:
        await ask.result("learn", facts=[COLD, WARM])
        words = "words asked for, here or nearby"
        assert (words in text_of(await ask.result("recall", query="cold cache"))) == details
        assert words in text_of(await ask.result("recall", query="cold cache", details=True))
        assert words not in text_of(await ask.result("recall", query="cold cache", details=False))

    in_process(work, manner=manner)


def test_a_failure_is_told_in_words_alone() -> None:
    async def work(ask: Asking) -> None:
        result = await ask.result("edit", id="nobody", content="x")
        assert result.is_error
        assert result.structured_content is None
        assert "[unknown_block]" in text_of(result)

    in_process(work, manner=BRIEF)


def test_prompts_are_listed_and_filled_in() -> None:
    async def work(ask: Asking) -> None:
        prompts = {each.name: each for each in (await ask.client.list_prompts()).prompts}
        assert set(prompts) == {"recall_first", "what_changed", "settle_conflicts"}
        told = await ask.client.get_prompt("recall_first", {"question": "Where does {Anna} live?"})
        (message,) = told.messages
        assert "Where does {Anna} live?" in message.content.text  # type: ignore[union-attr]
        assert (await ask.client.get_prompt("what_changed", {"since": "2026-04-01"})).messages
        with pytest.raises(MCPError, match="question is missing"):
            await ask.client.get_prompt("recall_first")
        with pytest.raises(MCPError, match="there are recall_first"):
            await ask.client.get_prompt("recall")

    in_process(work, manner=BRIEF)


def test_a_hit_says_when_by_whom_and_how_often_on_its_line() -> None:
    async def work(ask: Asking) -> None:
        for day in ("2026-04-01", "2026-04-08"):
            told = {"content": "I had a headache.", "at": day, "speaker": "Anna", "conversation": "diary"}
            await ask.result("learn", facts=[told])
        line = text_of(await ask.result("recall", query="headache"))
        assert line.endswith("] 2026-04-08, 2x since 2026-04-01: Anna: I had a headache.")

    in_process(work, manner=BRIEF)


def test_what_cannot_both_hold_is_listed() -> None:
    async def work(ask: Asking) -> None:
        assert "dream looks for it" in text_of(await ask.result("show", what="conflicts"))
        facts = [
            {"content": "Anna lives in Paris.", "at": "2026-04-01"},
            {"content": "Anna moved to Berlin.", "at": "2026-04-20"},
        ]
        await ask.call("learn", facts=facts)
        await ask.call("dream")
        (pair,) = (await ask.call("show", what="conflicts"))["conflicts"]
        assert (pair["earlier"]["text"], pair["later"]["text"]) == tuple(each["content"] for each in facts)
        (content,) = (await ask.client.read_resource("asterism://conflicts")).contents
        assert json.loads(content.text)["conflicts"] == [pair]  # type: ignore[union-attr]

    in_process(work)


def test_hits_that_are_hardly_probable_are_left_out_and_counted_unless_asked_for() -> None:
    async def work(ask: Asking) -> None:
        await ask.client.call_tool("learn", {"facts": FACTS})
        query = "Where does the spare key hang?"
        told, whole = [text_of(await ask.result("recall", query=query, **more)) for more in ({}, {"floor": 0})]
        assert FACTS[8] in told
        shown, everything = (sum(fact in each for fact in FACTS) for each in (told, whole))
        assert shown < everything == len(FACTS)
        left = re.search(r"\((\d+) less probable left out: floor=0 shows them\)", told)
        assert left is not None
        assert "left out" not in whole

    in_process(work, manner=BRIEF)


def test_how_often_is_told_where_several_tell_of_it() -> None:
    async def work(ask: Asking) -> None:
        await ask.client.call_tool("learn", {"facts": ["I went running.", "I ran home."]})
        answer = text_of(await ask.result("recall", query="How often did I run?"))
        assert "told in 2 ways: 1x [" not in answer  # of one day, it was once
        await ask.client.call_tool("learn", {"facts": [{"content": "I ran to work.", "at": "2026-01-02"}]})
        answer = text_of(await ask.result("recall", query="How often did I run?"))
        assert "(2 times in all, told in 2 ways: 1x [" in answer

    in_process(work, manner=BRIEF)


def test_an_answer_that_is_unsure_says_so_first() -> None:
    async def work(ask: Asking) -> None:
        await ask.call("learn", facts=FACTS)
        told = await ask.call("recall", query="What is the capital of Mongolia?")
        sure = await ask.call("recall", query="What is Tom allergic to?")
        assert (told["unsure"], sure["unsure"]) == (True, False)
        assert text_of(await ask.result("recall", query="What is the capital of Mongolia?")).startswith("unsure: ")

    in_process(work)


def test_a_budget_holds_for_what_is_told_of_a_long_fact() -> None:
    async def work(ask: Asking) -> None:
        await ask.client.call_tool("learn", {"facts": ["Zebras have stripes " * 450]})
        for details in (False, True):
            told = text_of(await ask.result("recall", query="zebra stripes", max_tokens=100, details=details))
            assert tokens(told) <= 100
            assert "letters were cut" in told

    in_process(work, manner=BRIEF)


def test_a_budget_is_spent_on_what_is_told() -> None:
    async def work(ask: Asking) -> None:
        await ask.client.call_tool("learn", {"facts": FACTS, "source": "the family's diary", "speaker": "Grandmother"})
        told = text_of(await ask.result("recall", query="Grandmother", floor=0, max_tokens=600))
        assert all(fact in told for fact in FACTS)

    in_process(work, manner=BRIEF)


def test_a_floor_is_taken_and_a_hit_tells_its_signals() -> None:
    async def work(ask: Asking) -> None:
        await ask.call("learn", facts=[{"content": COLD}, {"content": WARM}])
        assert (await ask.call("recall", query="capital of Mongolia", floor=1))["hits"] == []
        (hit, *_) = (await ask.call("recall", query="capital of Mongolia", floor=0))["hits"]
        assert sum(hit["signals"].values()) == pytest.approx(hit["score"], abs=1e-3)

    in_process(work, manner=FULL)
