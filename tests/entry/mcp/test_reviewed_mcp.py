"""What a review of the MCP server found, each with the case that showed it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from asterism import Memory
from asterism.core.blocks.fold import Blocks
from asterism.engine.exchange import reference
from asterism.engine.exchange.reference import ReferenceGraph
from asterism.engine.exchange.reference_held import Kept, kept_of
from asterism.engine.exchange.reference_texts import Entity, Relation
from asterism.store.in_memory import InMemoryStore
from tests.support.mcp_client import HELLO, NOW, PATIENCE, Asking, command, environment, in_process, send, text_of

CRANES = [{"content": f"Harbour crane {number} needs grease every {number} days"} for number in range(30)]


async def crystallised(asking: Asking) -> tuple[str, list[str]]:
    """Let walkers leave a narrative; give it, and the blocks."""
    blocks = [each["id"] for each in (await asking.call("learn", facts=CRANES, max_tokens=9_000))["learned"]]
    await asking.call("dream")
    told = await asking.call("explore", query="which cranes need grease?", intention="keep the harbour running")
    assert told["crystallized"]
    return told["crystallized"], blocks


async def items(asking: Asking) -> dict[str, int]:
    (content,) = (await asking.client.read_resource("asterism://stats")).contents
    return dict(json.loads(content.text)["items"])  # type: ignore[union-attr]


def test_a_narrative_is_forgotten_and_comes_back_as_a_block_does() -> None:
    async def work(asking: Asking) -> None:
        narrative, blocks = await crystallised(asking)
        before = await items(asking)
        assert (await asking.fail("forget", ids=[narrative, "nope"]))["error"] == "unknown_block"
        assert await items(asking) == before  # all or none
        told = await asking.call("forget", ids=[narrative, blocks[0], narrative], source="ann")
        assert [(each["id"], each["state"]) for each in told["blocks"]] == [
            (narrative, "forgotten"),
            (blocks[0], "forgotten"),
        ]
        assert (await asking.call("show", id=narrative))["nodes"][0]["state"] == "forgotten"
        away = await asking.call("show", forgotten=True)
        assert {node["id"] for node in away["nodes"]} == {narrative, blocks[0]}
        away = await asking.call("show", forgotten=True, kinds=["narrative"])
        assert [node["id"] for node in away["nodes"]] == [narrative]
        assert (await asking.call("show", kinds=["narrative"]))["nodes"] == []
        assert (await asking.fail("forget", ids=[narrative, blocks[1]], undo=True))["error"] == "not_forgotten"
        assert (await asking.call("show", kinds=["narrative"]))["nodes"] == []
        back = await asking.call("forget", ids=[narrative, blocks[0]], undo=True)
        assert [each["id"] for each in back["blocks"]] == [narrative, blocks[0]]
        assert (await asking.call("show", id=narrative))["links"]

    in_process(work)


def test_an_outcome_in_a_session_that_cannot_be_is_no_outcome() -> None:
    async def work(asking: Asking) -> None:
        (fact,) = (await asking.call("learn", facts=CRANES[:1]))["learned"]
        before = await items(asking)
        assert (await asking.fail("outcome", ids=[fact["id"]], signal=1, session="a\x00b"))["error"] == "bad_text"
        assert await items(asking) == before

    in_process(work)


@pytest.mark.parametrize("walk", [False, True])
def test_pages_of_a_recall_are_pieces_of_one_answer(walk: bool) -> None:
    async def work(asking: Asking) -> None:
        await crystallised(asking)
        asked: dict[str, Any] = {"query": "which cranes need grease?", "k": 7, "walk": walk}
        whole = (await asking.call("recall", **asked, max_tokens=50_000))["hits"]
        assert len(whole) == 7 if not walk else len(whole) >= 7
        seen: list[str] = []
        offset: int | None = 0
        while offset is not None:
            told = await asking.call("recall", **asked, offset=offset, max_tokens=200)
            assert told["page"]["total"] == len(whole)
            seen += [hit["id"] for hit in told["hits"]]
            offset = told["page"]["next_offset"]
        assert seen == [hit["id"] for hit in whole]
        beyond = await asking.call("recall", **asked, offset=len(whole))
        assert "a larger k" in beyond["notes"][-1]

    in_process(work)


def test_nobody_is_told_to_do_again_what_was_done() -> None:
    async def work(asking: Asking) -> None:
        learned = (await asking.call("learn", facts=CRANES, max_tokens=9_000))["learned"]
        ids = [each["id"] for each in learned]
        for tool, more in (("outcome", {"signal": 1}), ("forget", {})):
            result = await asking.result(tool, ids=ids, max_tokens=200, **more)
            page = result.structured_content["page"]
            assert page["next_offset"] is None
            assert page["shown"] < page["total"] == len(ids)
            assert f"and {len(ids) - page['shown']} more" in text_of(result)
            assert "offset=" not in text_of(result)
            assert (await asking.fail(tool, ids=ids, offset=3, **more))["error"] == "bad_arguments"

    in_process(work)


def test_a_page_more_of_an_exploration_learns_nothing() -> None:
    async def work(asking: Asking) -> None:
        await crystallised(asking)
        before = await items(asking)
        await asking.call("explore", query="which cranes are far away?", offset=1)
        assert await items(asking) == before
        await asking.call("explore", query="which cranes are far away?")
        assert await items(asking) != before

    in_process(work)


def test_an_exploration_that_is_late_or_has_nowhere_to_go_says_what_to_do() -> None:
    async def work(asking: Asking) -> None:
        assert "transcript_read" in (await asking.fail("explore", query="cranes"))["hint"]
        for part in range(20):
            facts = [{"content": f"Crane {part} of harbour {each} needs grease"} for each in range(200)]
            await asking.call("learn", facts=facts)
        told = await asking.call("explore", query="which cranes need grease?", seconds=0.1)
        assert told["stop"] == "deadline"
        assert "still being got ready" in told["notes"][0]
        assert "more seconds" in told["notes"][0]

    in_process(work)


def test_why_something_forgotten_is_no_answer_names_a_tool() -> None:
    async def work(asking: Asking) -> None:
        (fact,) = (await asking.call("learn", facts=CRANES[:1]))["learned"]
        await asking.call("forget", ids=[fact["id"]])
        result = await asking.result("why", ids=[fact["id"]], query="cranes")
        assert result.structured_content["gate"] == "gone"
        for told in (result.structured_content["change"], text_of(result)):
            assert "forget with undo=true brings it back" in told
            assert "restore" not in told

    in_process(work)


def test_one_long_node_is_cut_to_the_budget() -> None:
    async def work(asking: Asking) -> None:
        await asking.call("learn", facts=[{"content": "word " * 1_900, "name": "big"}])
        result = await asking.result("show", id="big", max_tokens=200)
        assert len(text_of(result)) <= 4 * 200
        assert result.structured_content["page"]["cut_characters"] > 8_000
        whole = await asking.call("show", id="big", max_tokens=20_000)
        assert whole["nodes"][0]["text"] == ("word " * 1_900).strip()
        assert whole["page"]["cut_characters"] == 0

    in_process(work)


def test_what_is_wrong_with_a_huge_argument_is_not_cut_away() -> None:
    async def work(asking: Asking) -> None:
        told = await asking.fail("learn", facts=[{"content": "y" * 200_000}])
        assert told["message"].endswith("is too long")
        assert len(told["message"]) < 400

    in_process(work)


# The process


def test_a_client_that_is_gone_in_the_middle_ends_the_server_without_a_word(tmp_path: Path) -> None:
    told = command(tmp_path)
    reads, writes = os.pipe()
    process = subprocess.Popen(
        [told.command, *told.args],
        stdin=subprocess.PIPE,
        stdout=writes,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    try:
        os.close(writes)
        send(process, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})
        with open(reads, "rb") as answers:  # noqa: PTH123  # a pipe
            assert b"serverInfo" in answers.readline()
        send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        params = {"name": "learn", "arguments": {"facts": CRANES}}
        send(process, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})
        ends = time.monotonic() + PATIENCE
        while process.poll() is None and not _learned(tmp_path) and time.monotonic() < ends:
            time.sleep(0.1)
        _, log = process.communicate(timeout=PATIENCE)
        assert (process.returncode, log) == (0, b"")
    finally:
        process.kill()
        process.wait()
    assert _learned(tmp_path) == len(CRANES)  # all of it, though nobody could be told


def _learned(folder: Path) -> int:
    if not (folder / "memory.db").exists():
        return 0
    with Memory.open_sync(folder / "memory.db", space="default", embedder="hashed") as memory:
        return len(memory.blocks())


def test_a_server_that_has_ended_leaves_the_sdk_to_others_in_the_process(tmp_path: Path) -> None:
    script = f"""
from click.testing import CliRunner
from asterism.entry.cli.app import app
hello = {json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})!r} + chr(10)
result = CliRunner().invoke(app, ["mcp", "--db", {str(tmp_path / "memory.db")!r}], input=hello)
assert result.exit_code == 0 and "serverInfo" in result.output, result.output
import importlib.util
assert importlib.util.find_spec("mcp")
from mcp import Client
from asterism.entry.mcp.holding import holding
from asterism.entry.mcp.server import build
assert build(holding(":memory:", "me")).streamable_http_app()
"""
    told = subprocess.run(
        [sys.executable, "-c", script], env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr


# The graph of the reference server


def graph_of(work: Any) -> None:
    async def run() -> None:
        async with Memory.open(":memory:", space="me", clock=NOW, embedder="hashed") as memory:
            await work(memory, ReferenceGraph(memory))

    asyncio.run(run())


@pytest.fixture
def transactions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count the transactions of the store in memory."""
    begun: list[str] = []
    writing = InMemoryStore.writing

    def begin(store: InMemoryStore, space: str) -> Any:
        begun.append(space)
        return writing(store, space)

    monkeypatch.setattr(InMemoryStore, "writing", begin)
    return begun


def test_every_call_of_the_graph_is_one_transaction(transactions: list[str]) -> None:
    rows: list[dict[str, object]] = [
        {"type": "relation", "from": "Ada", "to": "Engine", "relationType": "knows"},
        {"type": "relation", "from": "Engine", "to": "Ada", "relationType": "knows"},
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["writes"]},
        {"type": "entity", "name": "Engine", "entityType": "machine", "observations": []},
    ]

    async def work(memory: Memory, graph: ReferenceGraph) -> None:
        transactions.clear()
        await graph.load(rows)
        assert len(transactions) == 1
        ends = [each.id for each in await memory.blocks() if each.category == "entity"]
        link = await memory.link(*ends)
        assert link is not None
        assert link.evidence.raw == 2  # one each, also of relations told before their entities
        transactions.clear()
        await graph.delete_relations([Relation("Ada", "knows", "Engine"), Relation("Engine", "knows", "Ada")])
        assert len(transactions) == 1
        assert await memory.links(*ends) == []
        assert (await memory.verify()).ok

    graph_of(work)


def test_a_relation_whose_connection_was_denied_can_be_deleted() -> None:
    async def work(memory: Memory, graph: ReferenceGraph) -> None:
        await graph.create_entities([Entity("Ada", "person"), Entity("Engine", "machine")])
        knows = Relation("Ada", "knows", "Engine")
        await graph.create_relations([knows])
        ends = [each.id for each in await memory.blocks() if each.category == "entity"]
        await memory.deny(*ends)
        assert await graph.delete_relations([knows]) == 1
        assert (await graph.read_graph()).relations == ()

    graph_of(work)


def test_deleting_a_hub_reads_the_graph_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(_: Memory, graph: ReferenceGraph) -> None:
        names = [f"thing {number}" for number in range(50)]
        await graph.create_entities([Entity("hub", "thing"), *(Entity(name, "thing") for name in names)])
        await graph.create_relations([Relation("hub", "holds", name) for name in names])
        looks: list[Blocks] = []

        def look(blocks: Blocks) -> Kept:
            looks.append(blocks)
            return kept_of(blocks)

        monkeypatch.setattr(reference, "kept_of", look)
        assert await graph.delete_entities(["hub"]) == 51
        assert len(looks) == 1  # not once more for every relation
        assert len((await graph.read_graph()).entities) == 50

    graph_of(work)
