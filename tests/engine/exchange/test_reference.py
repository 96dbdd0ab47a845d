"""The reference server's graph over a memory: exact, whatever the texts are, whatever dreams do to the blocks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism import Memory
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.scoring import block_id
from asterism.engine.exchange import reference
from asterism.engine.exchange.reference import ReferenceGraph
from asterism.engine.exchange.reference_held import Kept, kept_of
from asterism.engine.exchange.reference_texts import (
    Entity,
    Named,
    Observation,
    Record,
    Relation,
    record_of,
    spellings,
    tags_of,
)
from asterism.errors import InputError, UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.store.in_memory_writing import InMemoryWriting

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
ADA = Entity("Ada Lovelace", "person", ("Writes programs", "likes tea"))
ENGINE = Entity("Analytical Engine", "machine", ("never built",))
WROTE = Relation("Ada Lovelace", "writes_for", "Analytical Engine")
Work = Callable[[Memory, ReferenceGraph], Coroutine[Any, Any, None]]


def run(work: Work) -> None:
    async def inside() -> None:
        async with Memory.open(":memory:", space="me", clock=NOW, embedder="hashed") as memory:
            await work(memory, ReferenceGraph(memory))

    asyncio.run(inside())


def test_entities_relations_and_observations_come_back_as_they_were_told() -> None:
    async def work(memory: Memory, graph: ReferenceGraph) -> None:
        assert await graph.create_entities([ADA, ENGINE]) == [ADA, ENGINE]
        assert await graph.create_relations([WROTE]) == [WROTE]
        assert await graph.add_observations([("Analytical Engine", ["has a mill", "never built"])]) == [
            ("Analytical Engine", ["has a mill"])
        ]
        told = await graph.read_graph()
        assert told.entities == (ADA, Entity("Analytical Engine", "machine", ("never built", "has a mill")))
        assert told.relations == (WROTE,)
        assert (await memory.verify()).ok

    run(work)


def test_what_is_there_is_not_created_again() -> None:
    async def work(_: Memory, graph: ReferenceGraph) -> None:
        await graph.create_entities([ADA])
        assert await graph.create_entities([Entity("Ada Lovelace", "poet", ("other",)), ENGINE]) == [ENGINE]
        await graph.create_relations([WROTE])
        assert await graph.create_relations([WROTE, WROTE]) == []
        assert (await graph.open_nodes(["Ada Lovelace"])).entities == (ADA,)

    run(work)


def test_what_is_deleted_is_gone_and_can_be_created_again() -> None:
    async def work(memory: Memory, graph: ReferenceGraph) -> None:
        await graph.create_entities([ADA, ENGINE])
        await graph.create_relations([WROTE])
        assert await graph.delete_observations([("Ada Lovelace", ["likes tea", "never said"])]) == 1
        assert (await graph.open_nodes(["Ada Lovelace"])).entities[0].observations == ("Writes programs",)
        assert await graph.add_observations([("Ada Lovelace", ["likes tea"])]) == [("Ada Lovelace", ["likes tea"])]
        assert await graph.delete_entities(["Ada Lovelace", "nobody"]) == 4  # herself, two observations, a relation
        told = await graph.read_graph()
        assert told.entities == (ENGINE,)
        assert told.relations == ()
        assert not any("Ada" in hit.text for hit in (await memory.recall("Ada Lovelace programs tea")).hits)
        assert await graph.create_entities([ADA]) == [ADA]
        assert await graph.create_relations([WROTE]) == [WROTE]
        assert (await graph.read_graph()).relations == (WROTE,)

    run(work)


def test_a_relation_is_evidence_and_the_last_one_deleted_denies_it() -> None:
    likes = Relation("Analytical Engine", "likes", "Ada Lovelace")

    async def work(memory: Memory, graph: ReferenceGraph) -> None:
        await graph.create_entities([ADA, ENGINE])
        await graph.create_relations([WROTE, likes, Relation("Ada Lovelace", "knows", "Ada Lovelace")])
        ends = [each.id for each in await memory.blocks() if each.category == "entity"]
        before = await memory.link(*ends)
        assert before is not None
        assert before.evidence.raw == 2
        assert await graph.delete_relations([WROTE]) == 1
        assert await memory.link(*ends) == before
        assert await graph.delete_relations([likes, WROTE]) == 1
        assert await memory.links(*ends) == []
        assert (await graph.read_graph()).relations == (Relation("Ada Lovelace", "knows", "Ada Lovelace"),)

    run(work)


def test_a_relation_may_come_before_its_entities() -> None:
    async def work(_: Memory, graph: ReferenceGraph) -> None:
        assert await graph.create_relations([WROTE]) == [WROTE]
        assert (await graph.read_graph()).entities == ()
        await graph.create_entities([ADA])
        assert (await graph.open_nodes(["Ada Lovelace"])).relations == (WROTE,)

    run(work)


def test_an_observation_of_nobody_is_refused_and_nothing_is_written() -> None:
    async def work(memory: Memory, graph: ReferenceGraph) -> None:
        await graph.create_entities([ADA])
        before = await graph.read_graph()
        with pytest.raises(UnknownError, match="Entity with name Bob not found") as caught:
            await graph.add_observations([("Ada Lovelace", ["new"]), ("Bob", ["x"])])
        assert caught.value.code == "unknown_entity"
        with pytest.raises(InputError, match="10000 at most"):
            await graph.add_observations([("Ada Lovelace", ["fine", "x" * 10_001])])
        assert await graph.read_graph() == before

    run(work)


def test_the_same_words_of_two_entities_and_in_two_cases_are_four_observations() -> None:
    twins = [Entity(name, "twin", ("likes tea", "Likes Tea", "LIKES TEA")) for name in ("Castor", "castor", "Pollux")]

    async def work(_: Memory, graph: ReferenceGraph) -> None:
        assert await graph.create_entities(twins) == twins
        assert list((await graph.read_graph()).entities) == twins
        await graph.delete_observations([("castor", ["Likes Tea"])])
        seen = {each.name: each.observations for each in (await graph.read_graph()).entities}
        assert seen["castor"] == ("likes tea", "LIKES TEA")
        assert seen["Castor"] == twins[0].observations

    run(work)


def test_a_dream_takes_nothing_from_the_graph() -> None:
    near = tuple(f"the deploy failed because the cache was cold{end}" for end in ("", ".", "!", " .", " !"))
    told = [Entity("cache", "service", near), Entity("queue", "service", near)]

    async def work(memory: Memory, graph: ReferenceGraph) -> None:
        await graph.create_entities(told)
        result = await memory.dream()
        assert result.duplicates + result.superseded > 0  # else this shows nothing
        assert list((await graph.read_graph()).entities) == told
        kept = {block.content for block in await memory.blocks()}
        gone = next(text for text in near if f"cache: {text}" in kept)
        await graph.delete_observations([("cache", [gone])])
        rest = tuple(text for text in near if text != gone)
        assert (await graph.open_nodes(["cache"])).entities[0].observations == rest
        hits = (await memory.recall("why did the deploy fail", k=20)).hits
        assert any(hit.text.startswith("cache: the deploy") for hit in hits)  # what it stood for came back
        await graph.add_observations([("cache", [gone])])
        assert set((await graph.open_nodes(["cache"])).entities[0].observations) == set(near)
        assert (await memory.verify()).ok

    run(work)


def test_a_block_that_was_learned_before_becomes_part_of_it_and_an_edited_text_can_be_told_again() -> None:
    async def work(memory: Memory, graph: ReferenceGraph) -> None:
        learned = await memory.learn("Ada Lovelace: likes tea")
        await graph.create_entities([ADA])
        block = await memory.block(learned.id)
        assert block is not None
        assert block.tags == ("about/ada-lovelace",)
        await memory.edit(learned.id, "Ada Lovelace: likes coffee")
        assert (await graph.read_graph()).entities[0].observations == ("Writes programs", "likes coffee")
        assert await graph.add_observations([("Ada Lovelace", ["likes tea"])]) == [("Ada Lovelace", ["likes tea"])]
        assert (await graph.read_graph()).entities[0].observations == ("Writes programs", "likes coffee", "likes tea")

    run(work)


def test_search_finds_every_substring_and_what_means_the_same() -> None:
    async def work(_: Memory, graph: ReferenceGraph) -> None:
        await graph.create_entities([ADA, ENGINE, Entity("Straße", "ort", ("ÄRGER",))])
        await graph.create_relations([WROTE])

        async def names(query: str) -> list[str]:
            return [each.name for each in (await graph.search_nodes(query)).entities]

        assert (await names("RITES PROG"))[0] == "Ada Lovelace"  # within words
        assert (await names("mach"))[0] == "Analytical Engine"
        assert "Straße" in await names("ärger")
        assert await names("") == ["Ada Lovelace", "Analytical Engine", "Straße"]
        assert (await names("which programs did she write?"))[0] == "Ada Lovelace"  # no substring
        assert await names("zzz") == []
        assert (await graph.search_nodes("mach", found=0)).relations == (WROTE,)
        assert [each.name for each in (await graph.search_nodes("mach", found=0)).entities] == ["Analytical Engine"]

    run(work)


def test_a_file_is_loaded_once_and_bad_lines_are_counted() -> None:
    lines: list[Any] = [
        json.dumps({"type": "entity", "name": "Ada", "entityType": "person", "observations": ["a", "b", "a"]}),
        {"type": "entity", "name": "Bob", "entityType": "person", "observations": []},
        json.dumps({"type": "relation", "from": "Ada", "to": "Bob", "relationType": "knows"}),
        "not json",
        json.dumps([1]),
        json.dumps({"type": "thing"}),
        json.dumps({"type": "entity", "name": 3, "entityType": "person"}),
        json.dumps({"type": "entity", "name": "Long", "entityType": "x", "observations": ["x" * 10_001]}),
        json.dumps({"type": "entity", "name": "Odd", "entityType": "x", "observations": [1]}),
    ]

    async def work(_: Memory, graph: ReferenceGraph) -> None:
        first = await graph.load(lines)
        assert (first.entities, first.observations, first.relations, first.known) == (2, 2, 1, 1)
        assert [each.line for each in first.refused] == [4, 5, 6, 7, 8, 9]
        again = await graph.load(lines)
        assert (again.entities, again.observations, again.relations, again.known) == (0, 0, 0, 6)
        assert [each.name for each in (await graph.read_graph()).entities] == ["Ada", "Bob"]

    run(work)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["", " ", '"', '"a"', "a: b", "a (b)", "a → b", ": ", " (", ")", " → ", "\r\n", "\t", "\x85", "ß", "İ", "Σας", "𐐀b"]
)
records: st.SearchStrategy[Record] = (
    st.builds(Named, texts, texts) | st.builds(Observation, texts, texts) | st.builds(Relation, texts, texts, texts)
)


@given(records)
def test_every_spelling_reads_back(record: Record) -> None:
    for content in spellings(record):
        assert content.strip() == content
        assert record_of(content, tuple(tags_of(record))) == record


@given(records, records)
def test_escaped_spellings_of_two_records_are_two_blocks(one: Record, other: Record) -> None:
    if one != other:
        mine, others = ({block_id(text) for text in [*spellings(each)][1:]} for each in (one, other))
        assert not mine & others


@settings(max_examples=15)
@given(st.lists(records, max_size=8), st.lists(records, max_size=3))
def test_the_graph_is_the_set_that_was_told(told: list[Record], gone: list[Record]) -> None:
    async def work(_: Memory, graph: ReferenceGraph) -> None:
        rows = [
            {"type": "relation", "from": each.start, "relationType": each.relation_type, "to": each.end}
            for each in told
            if isinstance(each, Relation)
        ]
        named = {each.name: each for each in reversed(told) if isinstance(each, Named)}
        for each in named.values():
            seen = [o.text for o in told if isinstance(o, Observation) and o.about == each.name]
            rows.append(
                {"type": "entity", "name": each.name, "entityType": each.entity_type, "observations": seen}  # type: ignore[dict-item]
            )
        assert (await graph.load(rows)).refused == ()
        await graph.delete_relations([each for each in gone if isinstance(each, Relation)])
        seen_now = await graph.read_graph()
        assert set(seen_now.relations) == {each for each in told if isinstance(each, Relation) and each not in gone}
        assert {(each.name, each.entity_type) for each in seen_now.entities} == {each.parts for each in named.values()}

    run(work)


def graph_of(work: Any, store: InMemoryStore | str = ":memory:") -> None:
    async def run() -> None:
        async with Memory.open(store, space="me", clock=NOW, embedder="hashed") as memory:
            await work(memory, ReferenceGraph(memory))

    asyncio.run(run())


class CountingStore(InMemoryStore):
    """A store that counts its transactions."""

    begun = 0

    @contextmanager
    def writing(self, space: str) -> Iterator[InMemoryWriting]:
        self.begun += 1
        with super().writing(space) as writing:
            yield writing


def test_every_call_of_the_graph_is_one_transaction() -> None:
    store = CountingStore()
    rows: list[dict[str, object]] = [
        {"type": "relation", "from": "Ada", "to": "Engine", "relationType": "knows"},
        {"type": "relation", "from": "Engine", "to": "Ada", "relationType": "knows"},
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["writes"]},
        {"type": "entity", "name": "Engine", "entityType": "machine", "observations": []},
    ]

    async def work(memory: Memory, graph: ReferenceGraph) -> None:
        before = store.begun
        await graph.load(rows)
        assert store.begun == before + 1
        ends = [each.id for each in await memory.blocks() if each.category == "entity"]
        link = await memory.link(*ends)
        assert link is not None
        assert link.evidence.raw == 2  # one each, also of relations told before their entities
        before = store.begun
        await graph.delete_relations([Relation("Ada", "knows", "Engine"), Relation("Engine", "knows", "Ada")])
        assert store.begun == before + 1
        assert await memory.links(*ends) == []
        assert (await memory.verify()).ok

    graph_of(work, store)


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
