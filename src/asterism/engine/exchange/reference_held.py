"""What a space holds of the reference server's graph: which block is which record, and what to write for a new one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.records import Block
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.words import DUPLICATE, FORGOTTEN, SUPERSEDED, THERE
from asterism.core.ledger.items import IN_A_LINE, Payload, check_text, cut
from asterism.engine.exchange.reference_texts import (
    Entity,
    Named,
    Observation,
    Record,
    Relation,
    category_of,
    record_of,
    spellings,
    tags_of,
)
from asterism.errors import InputError

HELD = (*THERE, DUPLICATE, SUPERSEDED)  # what the graph shows: a dream takes nothing from it


@dataclass(frozen=True, slots=True)
class Graph:
    """Entities and the relations of them."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]

    def to_dict(self) -> dict[str, object]:
        """Give it in the words of the reference server."""
        return {
            "entities": [each.to_dict() for each in self.entities],
            "relations": [each.to_dict() for each in self.relations],
        }


class Kept:
    """What a space holds of the graph: every record and the block it is."""

    def __init__(self, ids: dict[Record, str]) -> None:
        self.ids = ids
        self.records = {name: record for record, name in ids.items()}
        self.named: dict[str, Named] = {}
        for each in ids:
            if isinstance(each, Named):
                self.named.setdefault(each.name, each)  # merged memories may know it of two types: the first stays

    def ends(self, blocks: Blocks, relation: Relation, coming: Collection[str] = ()) -> tuple[str, str] | None:
        """Give the blocks of a relation's two entities; None unless both are there (or are coming), and are two."""
        named = [self.named.get(name) for name in (relation.start, relation.end)]
        names = [self.ids[each] for each in named if each is not None]
        ids = [name if name in coming else blocks.there(name) for name in names]
        first, second = [*ids, None, None][:2]
        return (first, second) if first and second and first != second else None

    def graph(self, names: Iterable[str] | None = None) -> Graph:
        """Give the graph, or the entities of some names (in that order, if it is one) with their relations."""
        wanted = self.named if names is None else names
        order = self.named if isinstance(wanted, set) else wanted
        shown = [self.named[name] for name in order if name in wanted and name in self.named]
        seen: dict[str, list[str]] = {each.name: [] for each in shown}
        relations = []
        for record in self.ids:
            if isinstance(record, Observation) and record.about in seen:
                seen[record.about].append(record.text)
            if isinstance(record, Relation) and (names is None or record.start in seen or record.end in seen):
                relations.append(record)
        return Graph(
            tuple(Entity(each.name, each.entity_type, tuple(seen[each.name])) for each in shown), tuple(relations)
        )


def kept_of(blocks: Blocks) -> Kept:
    """Read every record of a space from its blocks, in the order they were told."""
    held = []
    for name, block in blocks.blocks.items():
        record = record_of(block.content, block.tags) if block.status in HELD else None
        if record is not None:
            held.append((block.at, name, record))
    ids: dict[Record, str] = {}
    for _, name, record in sorted(held, key=lambda each: each[:2]):
        ids.setdefault(record, name)
    return Kept(ids)


def one_type_each(records: Iterable[Record], kept: Kept) -> list[Record]:
    """Leave out entities whose name is there, or came before."""
    names = set(kept.named)
    left: list[Record] = []
    for each in records:
        if isinstance(each, Named):
            if each.name in names:
                continue
            names.add(each.name)
        left.append(each)
    return left


def said(blocks: Blocks, records: Iterable[Record]) -> Iterator[tuple[str, Payload]]:
    """Say each record in the first spelling that is free, or bring it back if it was forgotten."""
    taken: set[str] = set()
    for record in records:
        for content in spellings(record):
            name = block_id(content)
            known = blocks.blocks.get(name)
            if name in taken or not _is_free(known, record, content):
                continue
            taken.add(name)
            back = known is not None and known.status == FORGOTTEN
            yield ("restored", {"block": name}) if back else ("learned", _learned(record, content))
            break
        else:
            told = cut(" ".join(record.parts))
            raise InputError(
                f"{told!r} was edited away too often to be told again",
                code="edited_away",
                item=told,
                hint="say it in other words",
            )


def _is_free(known: Block | None, record: Record, content: str) -> bool:
    """Say whether a record can be this block: nobody's, its own of old, or a text that was learned word for word."""
    if known is None:
        return True
    if known.status == FORGOTTEN:
        return record_of(known.content, known.tags) == record
    return known.status in THERE and known.content == content


def _learned(record: Record, content: str) -> Payload:
    name = " ".join(IN_A_LINE.sub(" ", record.name).split()) if isinstance(record, Named) else ""
    return {
        "content": check_text(content, field=category_of(record), many_lines=True),
        "tags": [*tags_of(record)],
        "category": category_of(record),
        "name": name,
        "conversation": "",
        "speaker": "",
    }
