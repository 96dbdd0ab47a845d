"""What learned texts name: known nodes by their names, market levels by symbol and price; told as evidence.

A text that names a star, a named block, an actor or a level is evidence `co_mention_response` between its block and
each of them, and between each two of them. It goes into the transaction that learns the text, with the text's source.
Names that came after a text are found by the next dream, and told at its time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import ref

import numpy as np

from asterism.core.blocks.capability import BLOCKS
from asterism.core.blocks.payloads import is_block_id
from asterism.core.blocks.words import THERE
from asterism.core.dialogue.mentions import TOGETHER
from asterism.core.ledger.columns import Floats
from asterism.core.ledger.graph import GONE
from asterism.core.ledger.items import Item, Payload, make_item, moved
from asterism.core.ledger.nodes import level_id
from asterism.core.levels.fold import Levels
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.text.names import NAMED, Names, is_telling, note_of, pairs_of, prices_named
from asterism.engine.space.live import Live


class Named(NamedTuple):
    """What a text names: nodes by name in the order of the text, then levels; and how many were beyond the limit."""

    nodes: tuple[str, ...] = ()
    dropped: int = 0


NOTHING = Named()
UNWRITTEN = object()  # the names hold some of blocks that are about to come: they are not used again if none comes


@dataclass
class Kept:
    """The names of a space, and of which state: they are used again until something else is told."""

    folded: ref[Projection]
    others: tuple[object, ...]  # what the names of stars, actors and symbols were made of
    blocks: object  # what those of blocks were made of
    names: Names
    symbols: Names
    looked: set[tuple[str, str]] = field(default_factory=set)  # names that a dream looked for ..
    through: set[str] = field(default_factory=set)  # .. in the texts of these blocks


class Naming:
    """Finds what texts name in a space as it stands, with the blocks that are about to come."""

    def __init__(self, live: Live, folded: Projection) -> None:
        self.live, self.folded, self.graph = live, folded, SpaceGraph(folded)
        self.most = live.parameters.blocks.text_names_max
        self._kept = _known(live, folded) if self.most else None
        self._coming: set[str] = set()
        self._centres: dict[str, Floats] = {}  # prices of a symbol's levels
        self._taken: dict[tuple[str, str, str, int], int] = {}  # moments of evidence of two nodes, and a later one

    def coming(self, name: str, block: str) -> None:
        """Know a block that is about to be learned by its name."""
        known = self.folded.blocks.blocks.get(block)
        if self._kept is None or block in self._coming or (known is not None and known.name) or not is_telling(name):
            return  # a block keeps its first name
        self._kept.names.add(name, block)
        self._kept.blocks = UNWRITTEN
        self._coming.add(block)

    def named(self, text: str, block: str) -> Named:
        """Give what a text names, up to the limit; itself it does not name."""
        if self._kept is None:
            return NOTHING
        found: dict[str, None] = {}
        if self._kept.names:
            for node in self._kept.names.find(text):
                if (stands := self._standing(node)) is not None and stands != block:
                    found[stands] = None
        if self._kept.symbols:
            for symbol, price in prices_named(self._kept.symbols, text):
                if (level := self._level(symbol, price)) is not None:
                    found[level] = None
        return Named(tuple(found)[: self.most], max(0, len(found) - self.most)) if found else NOTHING

    def _standing(self, node: str) -> str | None:
        """Give what stands for a node now; None if it is a block that is not there."""
        blocks = self.folded.blocks
        if node in blocks.blocks:
            return blocks.there(node)
        return node if node in self._coming or not is_block_id(node) else None

    def _level(self, symbol: str, price: float) -> str | None:
        """Give the level of a symbol that a price belongs to: the nearest, if the price is in its band."""
        if symbol not in self._centres:
            self._centres[symbol] = centres_of(self.folded.levels, symbol)
        centres = self._centres[symbol]
        if not centres.size:
            return None
        nearest = float(centres[np.argmin(np.abs(centres - price))])
        reach = self.live.parameters.levels.reach
        return level_id(symbol, nearest) if abs(nearest - price) <= nearest * reach else None

    def evidence(
        self, block: str, named: Named, *, at: int, source: str, known_at: int, fresh: Iterable[str] | None = None
    ) -> Iterator[Item]:
        """Say what a block's text is evidence for; if another text told the same of two nodes then, a moment later."""
        for first, second in pairs_of(block, named.nodes, fresh=fresh):
            a, b = sorted(self.graph.pair(first, second))
            if a == b:
                continue
            payload: Payload = {"a": a, "b": b, "kind": TOGETHER}
            item = make_item(
                space=self.live.space,
                what="evidence",
                at=at,
                payload=payload,
                known_at=known_at,
                source=source,
                note=note_of(block),
            )
            if block not in (first, second):
                item = self._free(item, (a, b, source))
            yield item

    def _free(self, item: Item, alike: tuple[str, str, str]) -> Item:
        """Give an item that is like none of this call or of the ledger: as told, or as little later as can be."""
        first = item.at
        while (*alike, item.at) in self._taken or self.live.has(item):
            item = moved(item, at=self._taken.get((*alike, item.at), item.at + 1))
        self._taken[*alike, item.at] = self._taken[*alike, first] = item.at + 1
        return item

    def later(self, most: int) -> tuple[list[Item], Later]:
        """Say what the texts there are tell of names that came after them; of each block all is told, or nothing."""
        kept, folded, live = self._kept, self.folded, self.live
        if kept is None:
            return [], Later()
        wanted = Names(set(names_in(self.graph)) - kept.looked)
        there = {name for name, block in folded.blocks.blocks.items() if block.status in THERE}
        if not wanted and not kept.symbols and there <= kept.through:
            return [], Later()
        at, known_at, told = live.now(), live.stamp(), Told(folded)
        items: list[Item] = []
        left = dropped = 0
        for name, block in folded.blocks.blocks.items():
            if name not in there:
                continue
            names = wanted if name in kept.through else kept.names
            if not names.find(block.content) and not kept.symbols.find(block.content):
                continue
            named = self.named(block.content, name)
            untold = [node for node in named.nodes if not told.of(name, node)]
            source = block.sources[0] if block.sources else ""
            found = list(self.evidence(name, named, at=at, source=source, known_at=known_at, fresh=untold))
            if len(items) + len(found) > most:
                left += 1
            else:
                items += found
                dropped += named.dropped
        return items, Later(len(items), left, dropped)

    def looked(self) -> None:
        """Note that every text was looked through for the names there are."""
        if self._kept is not None:
            blocks = self.folded.blocks.blocks
            self._kept.looked = set(names_in(self.graph))
            self._kept.through = {name for name, block in blocks.items() if block.status in THERE}

    def written(self) -> None:
        """Note that what was coming is there, and nothing else has come: the names are still those of the space."""
        held = self.live.held
        there = self._coming <= held.blocks.blocks.keys()  # what was erased does not come
        if self._kept is not None and self._kept.folded() is held and not held.blocks.stale and there:
            self._kept.blocks = held.blocks.revision


def _known(live: Live, folded: Projection) -> Kept:
    """Give the names of a space; what was made for the state before is used again if it is still true."""
    kept = live.of_names if isinstance(live.of_names, Kept) else None
    if kept is not None and kept.folded() is not folded:  # something was erased, or came late: look anew
        kept = None
    graph = SpaceGraph(folded)
    others, blocks = graph.revision(without=BLOCKS.name), folded.blocks.revision
    if kept is None or kept.others != others or kept.blocks is not blocks:
        looked, through = (kept.looked, kept.through) if kept is not None else (set(), set())
        symbols = Names((name, name) for name in sorted(folded.levels.symbols) if any(map(str.isalpha, name)))
        kept = live.of_names = Kept(ref(folded), others, blocks, Names(names_in(graph)), symbols, looked, through)
    return kept


def names_in(graph: SpaceGraph) -> list[tuple[str, str]]:
    """Give every name that a text may call a known node by, with what stands for the node now."""
    found = {(each.name, each.stands) for each in graph.names(NAMED) if each.stands != GONE}
    return sorted(each for each in found if is_telling(each[0]))


def centres_of(levels: Levels, symbol: str) -> Floats:
    """Give the prices of a symbol's levels, active or archived."""
    book = levels.symbols.get(symbol)
    if book is None:
        return np.empty(0)
    columns = book.book.settled()
    found: Floats = columns["centre"][columns["level"] == 1].astype(np.float64)
    return found


# Names that came after the texts


class Later(NamedTuple):
    """What a dream told of names that came after the texts."""

    mentions: int = 0  # items of evidence
    left: int = 0  # blocks whose evidence is left to the next dream
    dropped: int = 0  # names beyond the limit of a text


def tell_later(live: Live) -> Later:
    """Tell the evidence of texts for names that came after them, at this time; one transaction, bounded."""
    most = live.parameters.blocks.dream_mentions_max
    naming = Naming(live, live.refresh())
    items, later = naming.later(most)
    if items:
        _, later = live.transact(lambda folded: Naming(live, folded).later(most))  # somebody may have told of them
    if not later.left:
        naming.looked()
    return later


class Told:
    """Knows which pairs of blocks and other nodes something was ever said of."""

    def __init__(self, folded: Projection) -> None:
        self.folded = folded
        self._levels: dict[str, list[str]] = {}  # those that evidence named, by symbol
        for node in folded.nodes.rows:
            if "@" in node:
                self._levels.setdefault(node.rpartition("@")[0], []).append(node)

    def of(self, block: str, node: str) -> bool:
        """Say whether something was said of the two; of a level, whether it was of any level of its symbol."""
        blocks, rows, pairs = self.folded.blocks, self.folded.nodes.rows, self.folded.connections.pairs
        others = self._levels.get(node.rpartition("@")[0], []) if "@" in node else [node]
        others = blocks.family(node) if node in blocks.blocks else others
        return any(
            pairs.get(rows[one], rows[other]) is not None
            for one in blocks.family(block)
            for other in others
            if one in rows and other in rows
        )
