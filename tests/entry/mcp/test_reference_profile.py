"""The nine tools of the reference memory server, in its words: a user switches by changing one line."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from mcp import Client

from asterism import Memory
from asterism.entry.mcp.manner import FULL
from asterism.entry.mcp.offering import PROFILES
from asterism.entry.mcp.server import build
from tests.support.mcp_client import NOW, Asking, asking, held, in_process, text_of

ADA = {"name": "Ada", "entityType": "person", "observations": ["writes programs", "likes tea"]}
ENGINE = {"name": "Analytical Engine", "entityType": "machine", "observations": []}
WROTE = {"from": "Ada", "to": "Analytical Engine", "relationType": "writes_for"}
GRAPH = {"entities": [ADA, ENGINE], "relations": [WROTE]}
TAKES = {
    "create_entities": ["entities"],
    "create_relations": ["relations"],
    "add_observations": ["observations"],
    "delete_entities": ["entityNames"],
    "delete_observations": ["deletions"],
    "delete_relations": ["relations"],
    "read_graph": [],
    "search_nodes": ["query"],
    "open_nodes": ["names"],
}


def served(work: object) -> None:
    in_process(work, profile="reference")  # type: ignore[arg-type]


def test_the_nine_have_the_names_and_arguments_of_the_reference_server() -> None:
    taken = {tool.name: list(tool.input_schema["properties"]) for tool in PROFILES["reference"]}
    assert taken == TAKES
    assert {tool.name: list(tool.needs) for tool in PROFILES["reference"]} == TAKES


def test_each_gives_what_the_reference_server_gives() -> None:
    async def work(ask: Asking) -> None:
        assert await ask.call("create_entities", entities=[ADA, ENGINE]) == {"entities": [ADA, ENGINE]}
        assert await ask.call("create_entities", entities=[ADA]) == {"entities": []}
        assert await ask.call("create_relations", relations=[WROTE]) == {"relations": [WROTE]}
        assert await ask.call("create_relations", relations=[WROTE]) == {"relations": []}
        added = await ask.call(
            "add_observations", observations=[{"entityName": "Ada", "contents": ["likes tea", "born in 1815"]}]
        )
        assert added == {"results": [{"entityName": "Ada", "addedObservations": ["born in 1815"]}]}
        done = await ask.call(
            "delete_observations", deletions=[{"entityName": "Ada", "observations": ["born in 1815", "never said"]}]
        )
        assert done == {"success": True, "message": "Observations deleted successfully"}
        result = await ask.result("read_graph")
        assert result.structured_content == GRAPH
        assert json.loads(text_of(result)) == GRAPH
        assert await ask.call("open_nodes", names=["Ada", "nobody"]) == {"entities": [ADA], "relations": [WROTE]}
        found = await ask.call("search_nodes", query="MACH")
        assert found["entities"][0] == ENGINE
        assert (await ask.call("search_nodes", query="who wrote a program?"))["entities"][0] == ADA
        done = await ask.call("delete_relations", relations=[WROTE])
        assert done == {"success": True, "message": "Relations deleted successfully"}
        done = await ask.call("delete_entities", entityNames=["Ada", "nobody"])
        assert done == {"success": True, "message": "Entities deleted successfully"}
        assert await ask.call("read_graph") == {"entities": [ENGINE], "relations": []}
        assert await ask.call("create_entities", entities=[ADA]) == {"entities": [ADA]}

    served(work)


def test_an_observation_of_nobody_fails_in_the_words_of_the_reference_server() -> None:
    async def work(ask: Asking) -> None:
        told = await ask.fail("add_observations", observations=[{"entityName": "Bob", "contents": ["x"]}])
        assert told["message"] == "Entity with name Bob not found"
        assert told["error"] == "unknown_entity"
        assert (await ask.fail("create_entities", entities=[{"name": "x"}]))["error"] == "bad_arguments"

    served(work)


def test_a_file_that_was_imported_is_what_the_tools_then_show(tmp_path: Path) -> None:
    lines = [json.dumps({"type": "entity", **ADA}), json.dumps({"type": "entity", **ENGINE})]
    lines.append(json.dumps({"type": "relation", **WROTE}))
    path = tmp_path / "memory.db"

    async def run() -> None:
        from asterism.engine.exchange.reference import ReferenceGraph

        async with Memory.open(path, space="me", clock=NOW, embedder="hashed") as memory:
            await ReferenceGraph(memory).load(lines)
        for profile in ("reference", "asterism"):
            holding = held(path)
            async with Client(build(holding, profile=profile, manner=FULL), mode="legacy") as client:
                ask = await asking(client)
                if profile == "reference":
                    assert await ask.call("read_graph") == GRAPH
                else:  # the same memory, through our own tools
                    hits = (await ask.call("recall", query="what does Ada like?"))["hits"]
                    assert "Ada: likes tea" in [hit["text"] for hit in hits]
            await holding.close()

    asyncio.run(run())
