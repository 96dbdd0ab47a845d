"""The knowledge graph of the reference memory server, kept as blocks: entities, observations, relations.

Each of the three is a block of its own (see `reference_texts` for its words), so that recall, dreams, exploration and
`why` work on it, and what was learned otherwise stands beside it. A relation between two entities that are there is
also evidence (user_creates, its type as the note) for the connection of the two.

What is deleted is forgotten: gone from the graph and from recall, and back when it is created again; `erase` takes
away the bytes. A block that a dream found to repeat another is still part of the graph: the graph is exact, recall
shows the one that stands for both. What the reference server would hold twice (one observation, twice) is held once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.scoring import block_id
from asterism.core.ledger.items import IN_A_LINE, Item, Payload, cut
from asterism.core.ledger.model import Model
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.engine.connections import tell
from asterism.engine.exchange.reference_held import HELD, Graph, Kept, kept_of, one_type_each, said
from asterism.engine.exchange.reference_texts import (
    Entity,
    Named,
    Observation,
    Record,
    Relation,
    names_of,
    parsed,
    records_of,
)
from asterism.engine.explore.calls import RecallReads
from asterism.engine.space.live import Live
from asterism.engine.space.said import Said, after, item_of
from asterism.errors import InputError, UnknownError

Result = TypeVar("Result")
FOUND = 20  # entities that search_nodes adds by words and meaning
WORDS = ("keyword", "kin")  # signals of a hit that has a word of the query, or one of like meaning: else it is no match


@dataclass(frozen=True, slots=True)
class Refused(Model):
    """A line that could not be taken, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Loaded(Model):
    """What a file of the reference server brought: how much was new, how much was there, what was refused."""

    entities: int
    observations: int
    relations: int
    known: int
    refused: tuple[Refused, ...]


class ReferenceGraph:
    """The reference server's graph over a memory: its nine calls, and its file."""

    def __init__(self, memory: RecallReads, *, source: str | None = None) -> None:
        self._memory = memory
        self._source = source

    async def create_entities(self, entities: Iterable[Entity]) -> list[Entity]:
        """Create entities with their observations; those whose name is there stay as they are. Gives the new ones."""
        wanted = list(entities)

        def new(kept: Kept) -> list[Record]:
            return [record for each in wanted if each.name not in kept.named for record in records_of(each)]

        made = await self._tell(new)
        return list(Kept(dict.fromkeys(made, "")).graph().entities)

    async def create_relations(self, relations: Iterable[Relation]) -> list[Relation]:
        """Create relations; gives those that are new."""
        wanted = list(relations)
        made = await self._tell(lambda _: wanted)
        return [each for each in made if isinstance(each, Relation)]

    async def add_observations(self, observations: Iterable[tuple[str, Iterable[str]]]) -> list[tuple[str, list[str]]]:
        """Add observations to entities that are there; gives what was new of each."""
        wanted = [(name, list(texts)) for name, texts in observations]

        def new(kept: Kept) -> list[Record]:
            for name, _ in wanted:
                if name not in kept.named:
                    raise _no_entity(name)
            return [Observation(name, text) for name, texts in wanted for text in texts]

        made = set(await self._tell(new))
        told: list[tuple[str, list[str]]] = []
        for name, texts in wanted:
            added = [text for text in dict.fromkeys(texts) if Observation(name, text) in made]
            made -= {Observation(name, text) for text in added}
            told.append((name, added))
        return told

    async def delete_entities(self, names: Iterable[str]) -> int:
        """Forget entities, what was observed of them, and their relations; gives how many blocks."""
        gone = set(names)
        return await self._forget(lambda kept: [each for each in kept.ids if gone.intersection(names_of(each))])

    async def delete_observations(self, observations: Iterable[tuple[str, Iterable[str]]]) -> int:
        """Forget observations of entities; gives how many."""
        gone = [Observation(name, text) for name, texts in observations for text in texts]
        return await self._forget(lambda kept: [each for each in dict.fromkeys(gone) if each in kept.ids])

    async def delete_relations(self, relations: Iterable[Relation]) -> int:
        """Forget relations; where none is left between two entities, their connection is denied. Gives how many."""
        gone = list(relations)
        return await self._forget(lambda kept: [each for each in dict.fromkeys(gone) if each in kept.ids])

    async def read_graph(self) -> Graph:
        """Give the whole graph, in the order it was told."""
        return await self._run(lambda live: kept_of(live.refresh().blocks).graph())

    async def open_nodes(self, names: Iterable[str]) -> Graph:
        """Give entities by their names, and the relations with at least one of them."""
        wanted = set(names)
        return await self._run(lambda live: kept_of(live.refresh().blocks).graph(wanted))

    async def search_nodes(self, query: str, *, found: int = FOUND) -> Graph:
        """Give the entities that hold the query in name, type or observations, then those recall finds by its words.

        All that hold it come, in the order they were told; of the others (with words of the query, or of like
        meaning) at most `found`, the best first.
        """
        kept = await self._run(lambda live: kept_of(live.refresh().blocks))
        named = [each.name for each in kept.graph().entities if _holds(each, query)]
        if query.strip() and kept.named:
            clean = " ".join(IN_A_LINE.sub(" ", query).split())
            answer = await self._memory.recall(clean[:2000], k=max(3 * found, 1), kinds=["block"])
            records = (kept.records.get(hit.id) for hit in answer.hits if any(hit.signals.get(name) for name in WORDS))
            near = dict.fromkeys(name for each in records if each for name in names_of(each) if name in kept.named)
            known = set(named)
            named += [name for name in near if name not in known][:found]
        return kept.graph(named)

    async def load(self, lines: Iterable[str | Mapping[str, object]]) -> Loaded:
        """Take in the lines of a reference server's file (JSON text, or parsed); what cannot be read is counted.

        One transaction. Loading a file twice changes nothing.
        """
        records: list[Record] = []
        refused: list[Refused] = []
        for number, line in enumerate(lines, 1):
            try:
                records += parsed(line)
            except (InputError, ValueError) as error:
                refused.append(Refused(number, cut(str(error), most=200)))
        made = await self._tell(lambda _: records)
        count = {kind: sum(isinstance(each, kind) for each in made) for kind in (Named, Observation, Relation)}
        known = len(records) - len(made)
        return Loaded(count[Named], count[Observation], count[Relation], known, tuple(refused))

    # What the calls share

    async def _run(self, work: Callable[[Live], Result]) -> Result:
        return await self._memory._runner.run(lambda: work(self._memory._open()))

    async def _tell(self, wanted: Callable[[Kept], Sequence[Record]]) -> list[Record]:
        """Write the records that are not there yet, and evidence for the relations, as one; give the records."""

        def work(live: Live) -> list[Record]:
            def build(folded: Projection) -> tuple[list[Item], list[Record]]:
                kept = kept_of(folded.blocks)
                made = one_type_each((each for each in dict.fromkeys(wanted(kept)) if each not in kept.ids), kept)
                told = list(said(folded.blocks, made))
                new = {record: _block(payload) for record, (_, payload) in zip(made, told, strict=True)}
                items = self._items(live, folded.blocks, told)
                return items + self._evidence(live, folded, Kept(kept.ids | new), new, items), made

            return live.transact(build)[1]

        return await self._run(work)

    async def _forget(self, gone: Callable[[Kept], Sequence[Record]]) -> int:
        """Forget records; blocks that a forgotten one stood for come back, lonely connections are denied: as one."""

        def work(live: Live) -> int:
            def build(folded: Projection) -> tuple[list[Item], int]:
                blocks, kept = folded.blocks, kept_of(folded.blocks)
                lost = gone(kept)
                names = {kept.ids[each]: None for each in lost}
                family = dict.fromkeys(each for name in names for each in blocks.family(name))
                heirless = [each for each in family if each not in names and blocks.blocks[each].status in HELD]
                told = [("forgotten", {"block": name}) for name in [*names, *heirless]]
                told += [("restored", {"block": name}) for name in heirless]
                items = self._items(live, blocks, told)
                left = Kept({each: name for each, name in kept.ids.items() if name not in names})
                return items + self._denials(live, folded, left, lost, set(heirless), items), len(lost)

            return live.transact(build)[1]

        return await self._run(work)

    def _items(self, live: Live, blocks: Blocks, told: Iterable[tuple[str, Payload]]) -> list[Item]:
        """Build items that come one after the other, behind all there is."""
        last = None if blocks.position is None else blocks.position.at
        return self._behind(live, last, (Said(what, payload, None, self._source) for what, payload in told))

    def _behind(self, live: Live, last: int | None, told: Iterable[Said]) -> list[Item]:
        items: list[Item] = []
        for each in told:
            item = after(live, item_of(live, each), last)
            last = item.at
            items.append(item)
        return items

    def _evidence(
        self, live: Live, folded: Projection, kept: Kept, new: Mapping[Record, str], before: Sequence[Item]
    ) -> list[Item]:
        """Say that new relations connect their entities, where both are there, or come with them."""
        told: list[Said] = []
        coming = set(new.values())
        for each in [record for record in new if isinstance(record, Relation)]:
            ends = kept.ends(folded.blocks, each, coming)
            a, b = sorted(SpaceGraph(folded).pair(*ends)) if ends is not None else ("", "")
            if a != b:
                note = " ".join(IN_A_LINE.sub(" ", each.relation_type).split()) or None
                told.append(Said("evidence", {"a": a, "b": b, "kind": "user_creates"}, None, self._source, note))
        return self._behind(live, before[-1].at, told) if told else []

    def _denials(
        self,
        live: Live,
        folded: Projection,
        left: Kept,
        lost: Sequence[Record],
        coming: set[str],
        before: Sequence[Item],
    ) -> list[Item]:
        """Deny the connections of entities that are there and have no relation left."""
        related = {frozenset((each.start, each.end)) for each in left.ids if isinstance(each, Relation)}
        lonely = {frozenset((each.start, each.end)): each for each in lost if isinstance(each, Relation)}
        told: list[Said] = []
        for pair, each in lonely.items():
            ends = None if pair in related else left.ends(folded.blocks, each, coming)
            if ends is not None and SpaceGraph(folded).links(*ends):
                told.append(Said("denied", tell.denied(live, folded, *ends, None), None, self._source))
        return self._behind(live, before[-1].at, told) if told else []


def _block(payload: Payload) -> str:
    """Give the id of the block that an item is about: restored, or learned."""
    return str(payload["block"]) if "block" in payload else block_id(str(payload["content"]))


def _no_entity(name: str) -> UnknownError:
    return UnknownError(
        f"Entity with name {cut(name)} not found",
        code="unknown_entity",
        item=cut(name),
        hint="create it first with create_entities; search_nodes finds entities by words",
    )


def _holds(entity: Entity, query: str) -> bool:
    texts = (entity.name, entity.entity_type, *entity.observations)
    return any(query.lower() in text.lower() or query.casefold() in text.casefold() for text in texts)
