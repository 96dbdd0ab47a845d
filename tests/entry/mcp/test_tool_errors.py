"""Failures are answers that a model can act on; only calls that make no sense are errors of the protocol."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError

from asterism import Memory
from asterism.embed import CallableEmbedder
from asterism.entry.mcp.manner import FULL
from asterism.entry.mcp.server import build
from tests.support.mcp_client import (
    COLD,
    Asking,
    asking,
    held,
    in_process,
    text_of,
)


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "hint"),
    [
        ("recall", {}, "bad_arguments", "recall takes query"),
        ("recall", {"query": "x", "k": 0}, "bad_arguments", "k (optional)"),
        ("recall", {"query": "x", "max_tokens": 1}, "bad_arguments", "max_tokens"),
        ("recall", {"query": "x", "nonsense": 1}, "bad_arguments", "recall takes"),
        ("recall", {"query": ["x"]}, "bad_arguments", "recall takes"),
        ("recall", {"query": "x", "since": "yesterday"}, "bad_time", ""),
        ("learn", {"facts": []}, "bad_arguments", "learn takes"),
        ("learn", {"facts": [{"content": "x", "at": "2999-01-01"}]}, "future_time", "leave the time out"),
        ("learn", {"facts": [{"content": "x", "at": "2999-01-01"}]}, "future_time", "tell now what holds later, with"),
        ("learn", {"facts": [{"content": "a\x00b"}]}, "bad_text", "clean the content"),
        ("learn", {"facts": [{"content": "  "}]}, "bad_text", ""),
        ("observe", {"a": "x", "b": "y", "kind": "user_confirms"}, "unknown_node", "recall or show"),
        ("observe", {"a": "x", "b": "y", "kind": "magic"}, "bad_arguments", "observe takes"),
        ("outcome", {"ids": ["x"], "signal": 2}, "bad_arguments", "signal"),
        ("outcome", {"ids": ["x"], "signal": 1}, "unknown_block", "recall or show"),
        ("edit", {"id": "x", "content": "y"}, "unknown_block", "recall or show"),
        ("forget", {"ids": ["x"]}, "unknown_block", "recall or show"),
        ("show", {"id": "nobody"}, "unknown_node", "recall or show"),
        ("why", {"ids": ["nobody"]}, "unknown_id", "recall or show"),
        ("market_levels", {"symbol": "NOPE"}, "unknown_symbol", "without a symbol"),
    ],
)
def test_a_failure_says_what_to_do_next(tool: str, arguments: dict[str, Any], code: str, hint: str) -> None:
    async def work(ask: Asking) -> None:
        told = await ask.fail(tool, **arguments)
        assert told["error"] == code
        assert hint in (told["hint"] or "")
        assert "memory." not in (told["hint"] or "")  # no Python
        assert (await ask.call("recall", query="still there?"))["hits"] == []

    in_process(work)


def test_a_node_that_is_not_there_is_said_with_what_may_be_meant() -> None:
    async def work(ask: Asking) -> None:
        facts = [{"content": COLD, "name": "Cache"}]
        (cold,) = (each["id"] for each in (await ask.call("learn", facts=facts))["learned"])
        for wanted, meant in ((cold[:6], cold), ("Cachee", "Cache")):
            told = await ask.fail("show", id=wanted)
            assert told["error"] == "unknown_node"
            assert f"did you mean {meant}?" in told["hint"]

    in_process(work)


def test_forgetting_some_of_which_one_cannot_be_forgets_none() -> None:
    async def work(ask: Asking) -> None:
        facts = [{"content": COLD}, {"content": "tea at four"}]
        cold, tea = (each["id"] for each in (await ask.call("learn", facts=facts))["learned"])
        assert (await ask.fail("forget", ids=[cold, "nope"]))["error"] == "unknown_block"
        await ask.call("forget", ids=[tea])
        assert (await ask.fail("forget", ids=[cold, tea]))["error"] == "unknown_block"
        assert (await ask.call("recall", query="cold cache"))["hits"]
        assert (await ask.fail("forget", ids=[tea, cold], undo=True))["error"] == "not_forgotten"
        (again,) = (await ask.call("learn", facts=[{"content": "tea at four"}]))["learned"]
        assert again["status"] == "again"
        assert "is back" in again["note"]
        await ask.call("forget", ids=[tea])
        assert len((await ask.call("forget", ids=[tea, tea], undo=True))["blocks"]) == 1

    in_process(work)


def test_a_fact_that_was_erased_is_refused_alone_and_among_many_with_its_row(tmp_path: Path) -> None:
    path, tea = tmp_path / "memory.db", {"content": "tea at four", "at": "2026-09-02"}
    with Memory.open_sync(path, space="me") as memory:
        memory.erase(memory.learn(**tea).id)

    async def run() -> None:
        holding = held(path)
        async with Client(build(holding, manner=FULL), mode="legacy") as client:
            ask = await asking(client)
            assert (await ask.fail("learn", facts=[tea]))["error"] == "erased"
            told = await ask.fail("learn", facts=[{"content": COLD}, tea])
            assert told["message"].startswith("row 2: this was erased")
            assert (await ask.call("recall", query="cold cache"))["hits"] == []
        await holding.close()

    asyncio.run(run())


def test_a_name_of_two_nodes_is_asked_back_by_every_tool(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory.open_sync(path, space="me") as memory:
        for name in ("Ferry", "Sleep"):
            memory.add_star(name, domain="soul")
        memory.learn("The boat leaves at noon", name="Ferry")

    async def run() -> None:
        holding = held(path)
        async with Client(build(holding, manner=FULL), mode="legacy") as client:
            ask = await asking(client)
            for tool, arguments in (
                ("show", {"id": "Ferry"}),
                ("why", {"ids": ["Ferry"]}),
                ("why", {"ids": ["sleep", "Ferry"]}),
                ("observe", {"a": "Ferry", "b": "sleep", "kind": "user_confirms"}),
                ("explore", {"query": "boat", "start": "Ferry"}),
            ):
                assert (await ask.fail(tool, **arguments))["error"] == "ambiguous_node"
            assert (await ask.call("show", id="ferry"))["nodes"][0]["kind"] == "star"
        await holding.close()

    asyncio.run(run())


def test_an_unknown_tool_is_an_error_of_the_protocol_with_the_name_it_is_near_to() -> None:
    async def work(ask: Asking) -> None:
        with pytest.raises(MCPError, match="did you mean recall") as caught:
            await ask.result("recal", query="x")
        assert caught.value.code == -32602
        with pytest.raises(MCPError, match="there are recall, learn"):
            await ask.result("zzz")

    in_process(work)


def test_a_memory_that_cannot_be_opened_is_said_at_every_call_and_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.write_text("no database at all, but long enough to be looked at as one" * 20)

    async def run() -> None:
        holding = held(path)
        async with Client(build(holding, manner=FULL), mode="legacy") as client:
            ask = await asking(client)
            for _ in range(2):
                assert (await ask.fail("recall", query="x"))["error"] == "corrupt"
            path.unlink()
            assert (await ask.call("recall", query="x"))["hits"] == []
        await holding.close()

    asyncio.run(run())


def test_a_call_that_is_given_up_leaves_the_server_working() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def embed(texts: list[str]) -> list[list[float]]:
        begun.set()
        go_on.wait()
        return [[1.0, 0.0] for _ in texts]

    async def work(ask: Asking) -> None:
        await ask.call("learn", facts=[{"content": "the town has a well"}])
        dream = asyncio.create_task(ask.result("dream"))
        await asyncio.to_thread(begun.wait)
        dream.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dream
        go_on.set()
        assert (await ask.call("recall", query="town"))["hits"]

    in_process(work, embedder=CallableEmbedder(embed, name="slow", dimension=2))


def test_what_is_wrong_with_a_huge_argument_is_not_cut_away() -> None:
    async def work(asking: Asking) -> None:
        told = await asking.fail("learn", facts=[{"content": "y" * 200_000}])
        assert told["message"].endswith("200,000 characters are too many, there may be 10,000")
        assert len(told["message"]) < 400

    in_process(work)


def test_a_signal_that_is_no_number_is_told_the_range() -> None:
    async def work(ask: Asking) -> None:
        told = await ask.fail("outcome", ids=["x"], signal="good")
        assert told["message"].endswith("give a number from 0 to 1")

    in_process(work)


def test_a_market_that_was_not_fed_names_the_command_as_it_is() -> None:
    async def work(ask: Asking) -> None:
        shown = text_of(await ask.result("market_levels"))
        assert "asterism market feed FILE --symbol NAME" in shown

    in_process(work)


def test_a_link_says_each_name_once() -> None:
    async def work(ask: Asking) -> None:
        await ask.call("observe", values={"sleep": 6, "mood": 4})
        shown = text_of(await ask.result("observe", a="sleep", b="mood", kind="user_confirms"))
        assert shown.splitlines()[-1].endswith("  mood ~ sleep") or shown.splitlines()[-1].endswith("  sleep ~ mood")

    in_process(work)
