"""The nine tools of the reference memory server, with its names, arguments and results: `--profile reference`.

They keep the same graph (see `asterism.engine.exchange.reference`), so a user switches by changing one line of a
client's configuration, and brings the old file with `asterism import`. search_nodes also finds by words and meaning.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from asterism.entry.mcp.schema import given, many, text, thing, truth
from asterism.entry.mcp.tool import Answered, Arguments, Tool

if TYPE_CHECKING:
    from asterism.engine.exchange.reference import ReferenceGraph
    from asterism.engine.exchange.reference_texts import Entity, Relation
    from asterism.engine.memory import Memory

ENTITY = given(
    {
        "name": text("The name of the entity"),
        "entityType": text("The type of the entity"),
        "observations": many(text(), "What is known of it, one fact each"),
    }
)
RELATION = given(
    {
        "from": text("The name of the entity where the relation starts"),
        "to": text("The name of the entity where the relation ends"),
        "relationType": text("The type of the relation, in active voice"),
    }
)
GRAPH = given({"entities": many(ENTITY), "relations": many(RELATION)})
DONE = given({"success": truth(), "message": text()})


def _graph(memory: Memory) -> ReferenceGraph:
    from asterism.engine.exchange.reference import ReferenceGraph

    return ReferenceGraph(memory)


def _entity(row: dict[str, Any]) -> Entity:
    from asterism.engine.exchange.reference_texts import Entity

    return Entity(row["name"], row["entityType"], tuple(row["observations"]))


def _relation(row: dict[str, Any]) -> Relation:
    from asterism.engine.exchange.reference_texts import Relation

    return Relation(row["from"], row["relationType"], row["to"])


def _told(data: dict[str, Any], shown: object) -> Answered:
    """Answer as the reference server does: the text is the result as indented JSON."""
    return Answered(data, json.dumps(shown, indent=2, ensure_ascii=False))


async def create_entities(memory: Memory, arguments: Arguments) -> Answered:
    """Create entities."""
    made = await _graph(memory).create_entities(_entity(row) for row in arguments["entities"])
    told = [each.to_dict() for each in made]
    return _told({"entities": told}, told)


async def create_relations(memory: Memory, arguments: Arguments) -> Answered:
    """Create relations."""
    made = await _graph(memory).create_relations(_relation(row) for row in arguments["relations"])
    told = [each.to_dict() for each in made]
    return _told({"relations": told}, told)


async def add_observations(memory: Memory, arguments: Arguments) -> Answered:
    """Add observations."""
    rows = [(row["entityName"], row["contents"]) for row in arguments["observations"]]
    added = await _graph(memory).add_observations(rows)
    told = [{"entityName": name, "addedObservations": texts} for name, texts in added]
    return _told({"results": told}, told)


async def delete_entities(memory: Memory, arguments: Arguments) -> Answered:
    """Forget entities."""
    await _graph(memory).delete_entities(arguments["entityNames"])
    return _done("Entities deleted successfully")


async def delete_observations(memory: Memory, arguments: Arguments) -> Answered:
    """Forget observations."""
    rows = [(row["entityName"], row["observations"]) for row in arguments["deletions"]]
    await _graph(memory).delete_observations(rows)
    return _done("Observations deleted successfully")


async def delete_relations(memory: Memory, arguments: Arguments) -> Answered:
    """Forget relations."""
    await _graph(memory).delete_relations(_relation(row) for row in arguments["relations"])
    return _done("Relations deleted successfully")


def _done(message: str) -> Answered:
    return Answered({"success": True, "message": message}, message)


async def read_graph(memory: Memory, _: Arguments) -> Answered:
    """Give the whole graph."""
    told = (await _graph(memory).read_graph()).to_dict()
    return _told(told, told)


async def search_nodes(memory: Memory, arguments: Arguments) -> Answered:
    """Search entities."""
    told = (await _graph(memory).search_nodes(arguments["query"])).to_dict()
    return _told(told, told)


async def open_nodes(memory: Memory, arguments: Arguments) -> Answered:
    """Give entities by name."""
    told = (await _graph(memory).open_nodes(arguments["names"])).to_dict()
    return _told(told, told)


TOOLS = (
    Tool(
        "create_entities",
        "Create entities",
        "Create entities in the knowledge graph, each with what is known of it. One that is there already is left as "
        "it is; add_observations adds to it.",
        {"entities": many(ENTITY)},
        given({"entities": many(ENTITY)}),
        create_entities,
        needs=("entities",),
        repeats=True,
        budget=False,
    ),
    Tool(
        "create_relations",
        "Create relations",
        "Create relations between entities, in active voice. One that is there already is left as it is.",
        {"relations": many(RELATION)},
        given({"relations": many(RELATION)}),
        create_relations,
        needs=("relations",),
        repeats=True,
        budget=False,
    ),
    Tool(
        "add_observations",
        "Add observations",
        "Add facts to entities that are there.",
        {
            "observations": many(
                thing(
                    {
                        "entityName": text("The name of the entity to add to"),
                        "contents": many(text(), "What to add, one fact each"),
                    },
                    needs=["entityName", "contents"],
                )
            )
        },
        given({"results": many(given({"entityName": text(), "addedObservations": many(text())}))}),
        add_observations,
        needs=("observations",),
        repeats=True,
        budget=False,
    ),
    Tool(
        "delete_entities",
        "Delete entities",
        "Delete entities with what is known of them and their relations. Creating one again brings it back.",
        {"entityNames": many(text(), "The names of the entities to delete")},
        DONE,
        delete_entities,
        needs=("entityNames",),
        destroys=True,
        repeats=True,
        budget=False,
    ),
    Tool(
        "delete_observations",
        "Delete observations",
        "Delete single facts of entities.",
        {
            "deletions": many(
                thing(
                    {
                        "entityName": text("The name of the entity"),
                        "observations": many(text(), "What to delete, word for word"),
                    },
                    needs=["entityName", "observations"],
                )
            )
        },
        DONE,
        delete_observations,
        needs=("deletions",),
        destroys=True,
        repeats=True,
        budget=False,
    ),
    Tool(
        "delete_relations",
        "Delete relations",
        "Delete relations between entities.",
        {"relations": many(RELATION, "The relations to delete")},
        DONE,
        delete_relations,
        needs=("relations",),
        destroys=True,
        repeats=True,
        budget=False,
    ),
    Tool(
        "read_graph",
        "Read the graph",
        "Read the whole knowledge graph. It may be long; search_nodes gives only what belongs to a question.",
        {},
        GRAPH,
        read_graph,
        reads=True,
        repeats=True,
        budget=False,
    ),
    Tool(
        "search_nodes",
        "Search nodes",
        "Find entities by a word (or part of one) in names, types and observations, or by the meaning of a question.",
        {"query": text("What to look for")},
        GRAPH,
        search_nodes,
        needs=("query",),
        reads=True,
        repeats=True,
        budget=False,
    ),
    Tool(
        "open_nodes",
        "Open nodes",
        "Give entities by their names, with their relations.",
        {"names": many(text(), "The names of the entities")},
        GRAPH,
        open_nodes,
        needs=("names",),
        reads=True,
        repeats=True,
        budget=False,
    ),
)
