"""Blocks and links as columns of one canonical order; what is loaded is unpacked when it is first asked for.

A process that opens a large memory to ask it something needs a few of its blocks and, of its links, their columns. So
`Shelf` unpacks a block when it is read, and `Links` its keys when one of them is looked up or changed (core/blocks/
links.py). Ends of links are numbers of blocks in the order of their ids.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, MutableMapping, ValuesView
from dataclasses import replace
from functools import cached_property
from typing import cast

import numpy as np

from asterism.core.blocks.links import KINDS, Links, PackedLinks
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.records import Away, Block
from asterism.core.blocks.tellings import ITEM, NEVER, PackedTellings, dump_tellings
from asterism.core.blocks.words import STATUSES
from asterism.core.ledger.columns import Bytes, Column, Columns, text_column, texts_of

ID = 8  # bytes


class Packed:
    """The columns of blocks."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.ids = ids_of(columns["ids"])
        self.tellings = PackedTellings(columns)
        self._rates: dict[tuple[str, str, int], float] = {}  # by tags, category and failures

    def block(self, row: int) -> Block:
        """Unpack one block."""
        start, end = self._ends[row], self._ends[row + 1]
        number = {name: self.columns[name].item(row) for name in ("at", "facts", "hours", "failures", "outcomes")}
        return Block(
            content=self._content[start:end].decode(),
            category=self._category[row],
            tags=_several(self._tags[row]),
            status=STATUSES[self.columns["status"].item(row)],
            heir=self._heir[row],
            signals=self.columns["signals"].item(row),
            name=self._name[row],
            sources=_several(self._sources[row]),
            conversation=self._conversation[row],
            speaker=self._speaker[row],
            item=b"" if row in self.tellings.rows else self._item[ITEM * row : ITEM * (row + 1)],
            told=self.tellings.of(row),
            away=self._away.get(row, ()),
            pinned=row in self._pinned,
            **number,
        )

    def rate(self, row: int, parameters: BlockParameters) -> float:
        """Give the decay rate of a block, without unpacking it."""
        if row in self._pinned:
            return 0.0
        like = self._tags[row], self._category[row], self.columns["failures"].item(row)
        found = self._rates.get(like)
        if found is None:
            block = Block("", like[1], _several(like[0]), 0, 0, failures=like[2])
            found = self._rates[like] = block.decay_rate(parameters)
        return found

    def told(self, name: str) -> list[tuple[str, str]]:
        """Give the blocks of which a column of texts says something, and what."""
        if len(self.columns[name]) == len(self.ids):  # nothing but the ends of lines
            return []
        texts = texts_of(self.columns[name])
        return [(block, text) for block, text in zip(self.ids, texts, strict=True) if text]

    @cached_property
    def _item(self) -> bytes:
        return self.columns["item"].tobytes()

    @cached_property
    def _away(self) -> dict[int, Away]:
        away: dict[int, Away] = {}
        for row, begin, end in self.columns["away"].reshape(-1, 3).tolist():
            away[row] = (*away.get(row, ()), (begin, None if end == NEVER else end))
        return away

    @cached_property
    def _pinned(self) -> set[int]:
        return set(self.columns["pinned"].tolist())

    @cached_property
    def _content(self) -> bytes:
        return self.columns["content"].tobytes()

    @cached_property
    def _ends(self) -> list[int]:
        ends: list[int] = np.cumsum(self.columns["sizes"], dtype=np.int64).tolist()
        return [0, *ends]

    @cached_property
    def _category(self) -> list[str]:
        return texts_of(self.columns["category"])

    @cached_property
    def _tags(self) -> list[str]:
        return texts_of(self.columns["tags"])

    @cached_property
    def _heir(self) -> list[str]:
        return texts_of(self.columns["heir"])

    @cached_property
    def _name(self) -> list[str]:
        return texts_of(self.columns["name"])

    @cached_property
    def _sources(self) -> list[str]:
        return texts_of(self.columns["sources"])

    @cached_property
    def _conversation(self) -> list[str]:
        return texts_of(self.columns["conversation"])

    @cached_property
    def _speaker(self) -> list[str]:
        return texts_of(self.columns["speaker"])


class Shelf(MutableMapping[str, Block]):
    """Blocks by id; where one is still packed, the number of its row stands in its place."""

    def __init__(self, packed: Packed | None = None) -> None:
        self._packed = packed
        self._blocks: dict[str, Block | int] = {}
        if packed is not None:
            self._blocks.update(zip(packed.ids, range(len(packed.ids)), strict=True))

    def __getitem__(self, name: str) -> Block:
        found = self._blocks[name]
        if isinstance(found, int):
            assert self._packed is not None
            found = self._blocks[name] = self._packed.block(found)
        return found

    def __setitem__(self, name: str, block: Block) -> None:
        self._blocks[name] = block

    def __delitem__(self, name: str) -> None:
        del self._blocks[name]

    def __contains__(self, name: object) -> bool:
        return name in self._blocks

    def __iter__(self) -> Iterator[str]:
        return iter(self._blocks)

    def __len__(self) -> int:
        return len(self._blocks)

    def keys(self) -> KeysView[str]:
        """Give every id."""
        return self._blocks.keys()

    def rate(self, name: str, parameters: BlockParameters) -> float:
        """Give a block's decay rate."""
        found = self._blocks[name]
        if isinstance(found, int):
            assert self._packed is not None
            return self._packed.rate(found, parameters)
        return found.decay_rate(parameters)

    def of_status(self, status: str) -> list[str]:
        """Name the blocks of a status."""
        packed = np.zeros(0) if self._packed is None else self._packed.columns["status"] == STATUSES.index(status)
        return [
            name
            for name, block in self._blocks.items()
            if (packed[block] if isinstance(block, int) else block.status == status)
        ]

    def _unpacked(self) -> dict[str, Block]:
        if self._packed is not None:
            for name in self._blocks:
                self[name]
            self._packed = None
        return cast("dict[str, Block]", self._blocks)

    def values(self) -> ValuesView[Block]:
        """Give every block."""
        return self._unpacked().values()

    def items(self) -> ItemsView[str, Block]:
        """Give every block with its id."""
        return self._unpacked().items()

    def copy(self) -> Shelf:
        """Copy the blocks, those that are unpacked."""
        copied = Shelf()
        copied._packed = self._packed
        for name, block in self._blocks.items():
            copied._blocks[name] = block if isinstance(block, int) else replace(block)
        return copied


def dump_blocks(blocks: Mapping[str, Block]) -> Columns:
    """Pack blocks, in the order of their ids."""
    ids = sorted(blocks)
    each = [blocks[name] for name in ids]
    content = [block.content.encode() for block in each]
    return {
        "content": _bytes(b"".join(content)),
        "sizes": np.array([len(text) for text in content], dtype=np.int32),
        "ids": id_column(ids),
        "category": text_column([block.category for block in each]),
        "tags": text_column(["\t".join(block.tags) for block in each]),
        "name": text_column([block.name for block in each]),
        "sources": text_column(["\t".join(block.sources) for block in each]),
        "conversation": text_column([block.conversation for block in each]),
        "speaker": text_column([block.speaker for block in each]),
        "heir": text_column([block.heir for block in each]),
        "status": np.array([STATUSES.index(block.status) for block in each], dtype=np.uint8),
        "at": np.array([block.at for block in each], dtype=np.int64),
        "facts": np.array([block.facts for block in each], dtype=np.int64),
        "hours": np.array([block.hours for block in each], dtype=np.float64),
        "failures": np.array([block.failures for block in each], dtype=np.int64),
        "outcomes": np.array([block.outcomes for block in each], dtype=np.int64),
        "signals": np.array([block.signals for block in each], dtype=np.float64),
        "item": _bytes(b"".join([block.item or bytes(ITEM) for block in each])),
        "pinned": np.array([row for row, block in enumerate(each) if block.pinned], dtype=np.int32),
        "away": np.array(
            [
                (row, begin, NEVER if end is None else end)
                for row, block in enumerate(each)
                for begin, end in block.away
            ],
            dtype=np.int64,
        ).reshape(-1),
        **dump_tellings([(row, told) for row, block in enumerate(each) for told in block.told]),
    }


def dump_links(links: Links, row: dict[str, int]) -> Columns:
    """Pack links, in the order of their keys; `row` gives the numbers of blocks."""
    keys = sorted(links.links)
    each = [links.links[key] for key in keys]
    return {
        "kind": np.array([KINDS.index(kind) for kind, _, _ in keys], dtype=np.uint8),
        "a": np.array([row[a] for _, a, _ in keys], dtype=np.int32),
        "b": np.array([row[b] for _, _, b in keys], dtype=np.int32),
        "anchor": np.array([link.anchor for link in each], dtype=np.float64),
        "hours": np.array([link.hours for link in each], dtype=np.float64),
        "reinforced": np.array([link.reinforced for link in each], dtype=np.int64),
    }


def load_links(columns: Columns, ids: list[str]) -> Links:
    """Take what `dump_links` packed."""
    return Links(
        PackedLinks(
            ids,
            columns["kind"].astype(np.uint8, copy=False),
            columns["a"].astype(np.int32, copy=False),
            columns["b"].astype(np.int32, copy=False),
            columns["anchor"].astype(np.float64, copy=False),
            columns["hours"].astype(np.float64, copy=False),
            columns["reinforced"].astype(np.int64, copy=False),
        )
    )


def id_column(ids: Iterable[str]) -> Bytes:
    """Pack ids of blocks, eight bytes each.

    >>> ids_of(id_column(["7eb39c9b70ec4909", "e313e769951d8862"]))
    ['7eb39c9b70ec4909', 'e313e769951d8862']
    """
    return _bytes(bytes.fromhex("".join(ids)))


def ids_of(column: Column) -> list[str]:
    """Unpack what `id_column` packed."""
    digits = column.tobytes().hex()
    return [digits[start : start + 2 * ID] for start in range(0, len(digits), 2 * ID)]


def _several(text: str) -> tuple[str, ...]:
    return tuple(text.split("\t")) if text else ()


def _bytes(raw: bytes) -> Bytes:
    return np.frombuffer(raw, dtype=np.uint8)
