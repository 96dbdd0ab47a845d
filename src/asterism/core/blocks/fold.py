"""The fold of blocks: what was learned, edited, forgotten, dreamed, used and told of outcomes, in the order (at, id).

Vectors are not here: they are kept apart, by content and embedder. What a dream decided is in its item, so that replay
needs none. An item that comes after a later one makes the blocks *stale*: they are folded anew, in order, by whoever
holds the ledger; a text that nothing here has to do with needs no order. So they are a function of the set of items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from asterism.core.blocks.dreamed import dreamed
from asterism.core.blocks.facts import facts_code
from asterism.core.blocks.held import Held
from asterism.core.blocks.late import stands_alone
from asterism.core.blocks.occurrences import at_once, bounded, closed, telling, with_telling
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.payloads import FIELDS, RETOLD
from asterism.core.blocks.records import NO_TERMS, Block, Occurrence
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.uses import outcome, used
from asterism.core.blocks.words import CORRECTED, EDITED, FORGOTTEN, INBOX, THERE
from asterism.core.ledger.items import Item
from asterism.core.ledger.payloads import texts
from asterism.core.text.names import flattened

KINDS = frozenset(FIELDS)
NOTHING = Block("", "", (), 0, 0)


class Learned(NamedTuple):
    """What learning did: the block, and whether it is `new`, was told `again`, or `known` and only added to."""

    block: str
    was: str


class Blocks(Held):
    """The blocks of a space and the structural links between them."""

    name = "blocks"

    def apply(self, item: Item) -> Learned | None:
        """Fold one item; if it is not the next in order, the blocks are stale from then on, unless it stands alone."""
        if self.position is not None and item.position <= self.position:
            if not self.stale and stands_alone(self, item):
                self.revision = object()
                return self._learned(item)
            self.stale = True
        if self.stale:
            return None
        self.position = item.position
        self.revision = object()
        self.clock.advance(item.at)
        return APPLY[item.what](self, item)

    def refold(self, items: Iterable[Item]) -> None:
        """Fold anew from all items of blocks, given in the order (at, id)."""
        before = self.blocks.keys()
        again = folded(items, self.parameters)
        again.changed |= before
        self.__dict__ = again.__dict__

    # One kind of item each

    def _learned(self, item: Item) -> Learned:
        payload = item.payload
        content = str(payload["content"])
        name = block_id(content)
        known = self.blocks.get(name)
        if RETOLD in payload:
            self.meet([name])
        if known is None:
            self._add(name, content, str(payload["category"]), (), item.at)
        stands = None if known is not None and known.status in CORRECTED else self.there(name)
        if stands is None:
            self._return(name, item.at)
        told = telling(item, conversation=str(payload["conversation"]), speaker=str(payload["speaker"]))
        more = replace(
            NOTHING,
            tags=tuple(texts(payload, "tags")),
            sources=told.sources,
            name=str(payload["name"]),
            conversation=told.conversation,
            speaker=told.speaker,
        )
        self._unite(stands or name, more)
        if RETOLD in payload and known is not None and stands is not None:
            return Learned(name, "known")
        self._tell(name, told)
        return Learned(name, "new" if known is None else "again")

    def _add(self, name: str, content: str, category: str, tags: tuple[str, ...], at: int) -> None:
        known = self.blocks.get(name)
        if known is not None and known.name:  # one that was put away begins anew, without the name it had
            self.named[flattened(known.name)].discard(name)
        new = self.blocks[name] = Block(content, category, tags, at, facts_code(content), hours=self.clock.hours)
        if known is not None:  # its words were told when they were told
            new.keep(known.occurrences)
            new.away = closed(known.away, at)
        self.changed.add(name)

    def _return(self, name: str, at: int) -> None:
        """Take a block back in that was put away; it goes through the inbox again."""
        block = self.blocks[name]
        block.status, block.heir, block.hours, block.away = INBOX, "", self.clock.hours, closed(block.away, at)
        self.changed.add(name)

    def _tell(self, name: str, told: Occurrence) -> None:
        """Add a time at which a block was told."""
        block = self.blocks[name]
        known = block.occurrences
        occurrences = with_telling(known, told) if known else (told,)
        occurrences, cut = bounded(occurrences, self.parameters.block_occurrences_max)
        block.at = min(block.at, told.at)
        block.keep(occurrences)
        self.cut += cut
        if told.terms != NO_TERMS:
            for each in at_once(occurrences, told.at):  # two tellings of one time may have become one
                self.terms.add(name, each)

    def _unite(self, name: str, told: Block) -> None:
        """Add to what is known of a block; its first name, conversation and speaker stay."""
        block = self.blocks[name]
        occurrences, before = block.occurrences, (block.sources, block.conversation, block.speaker)
        block.tags = self._kept(block.tags, told.tags, self.parameters.block_tags_max)
        block.sources = self._kept(block.sources, told.sources, self.parameters.block_sources_max)
        if told.name and not block.name:
            block.name = told.name
            self.named.setdefault(flattened(told.name), set()).add(name)
        block.conversation = block.conversation or told.conversation
        block.speaker = block.speaker or told.speaker
        if occurrences and before != (block.sources, block.conversation, block.speaker):
            block.keep(occurrences)
        self.changed.add(name)

    def _kept(self, known: tuple[str, ...], told: tuple[str, ...], most: int) -> tuple[str, ...]:
        """Unite names, in their order; what is beyond the limit is counted."""
        fresh = [name for name in told if name not in known]
        room = max(0, most - len(known))
        self.cut += max(0, len(fresh) - room)
        return tuple(sorted([*known, *fresh[:room]])) if fresh else known

    def _edited(self, item: Item) -> None:
        old, content = str(item.payload["block"]), str(item.payload["content"])
        self.meet([old])
        name, block = block_id(content), self.blocks.get(old)
        if block is None or block.status not in THERE:
            return
        if name == old:  # other capitals or blanks
            block.content, block.facts = content, facts_code(content)
            self.changed.add(name)
            return
        new = self.blocks.get(name)
        if new is None or new.status not in THERE:
            self._add(name, content, block.category, block.tags, item.at)
            new = self.blocks[name]
            new.outcomes, new.failures, new.signals = block.outcomes, block.failures, block.signals
        self._unite(name, block)
        self._tell(name, telling(item, conversation=block.conversation, speaker=block.speaker))
        self.leave(old, EDITED, name)
        block.away = (*block.away, (item.at, None))

    def _forgotten(self, item: Item) -> None:
        name = str(item.payload["block"])
        self.meet([name])
        block = self.blocks.get(name)
        if block is not None and block.status != FORGOTTEN:
            self.links.forget(name)
            if block.status != EDITED:
                block.away = (*block.away, (item.at, None))
            block.status, block.heir = FORGOTTEN, ""
            self.changed.add(name)

    def _restored(self, item: Item) -> None:
        name = str(item.payload["block"])
        self.meet([name])
        if self.is_(name, FORGOTTEN):
            self._return(name, item.at)

    def _pinned(self, item: Item) -> None:
        name = str(item.payload["block"])
        self.meet([name])
        there = self.there(name)
        if there is not None:
            self.blocks[there].pinned = bool(item.payload["on"])
            self.changed.add(there)

    def _session(self, item: Item) -> None:
        name = str(item.payload["name"])
        (self.clock.start if item.payload["act"] == "start" else self.clock.end)(name, item.at)

    # Whole

    def copy(self) -> Blocks:
        """Copy the blocks."""
        copied = Blocks(self.parameters)
        copied.__dict__ |= self.__dict__
        copied.blocks = self.blocks.copy()
        copied.links, copied.clock = self.links.copy(), self.clock.copy()
        copied.joint, copied.fresh, copied._lost = dict(self.joint), set(self.fresh), dict(self._lost)
        copied.forebears = {heir: set(names) for heir, names in self.forebears.items()}
        copied.terms = self.terms.copy()
        copied.marked = {end: dict(others) for end, others in self.marked.items()}
        copied.named = {name: set(blocks) for name, blocks in self.named.items()}
        copied.unmet, copied.changed = set(self.unmet), set()
        return copied


APPLY: Mapping[str, Callable[[Blocks, Item], Learned | None]] = {
    "learned": Blocks._learned,
    "edited": Blocks._edited,
    "forgotten": Blocks._forgotten,
    "restored": Blocks._restored,
    "pinned": Blocks._pinned,
    "dreamed": dreamed,
    "used": used,
    "outcome": outcome,
    "session": Blocks._session,
}


def folded(items: Iterable[Item], parameters: BlockParameters) -> Blocks:
    """Fold the items of blocks of a space, given in the order (at, id)."""
    blocks = Blocks(parameters)
    for item in items:
        blocks.apply(item)
    return blocks
