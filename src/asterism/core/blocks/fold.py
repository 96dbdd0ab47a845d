"""The fold of blocks: what was learned, edited, forgotten, dreamed, used and told of outcomes, in the order (at, id).

Vectors are not here: they are kept apart, by content and embedder. What a dream decided is in its item, so that replay
needs none. An item that comes after a later one makes the blocks *stale*: they are folded anew, in order, by whoever
holds the ledger; a text that nothing here has to do with needs no order. So they are a function of the set of items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import chain, combinations
from typing import NamedTuple

from asterism.core.blocks.facts import facts_code
from asterism.core.blocks.links import CO_OCCURS, OUTCOME, SIMILAR, Link, Marked, key_of
from asterism.core.blocks.occurrences import Terms, at_once, bounded, closed, telling, with_telling
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.payloads import FIELDS, RETOLD, said_of
from asterism.core.blocks.records import NO_TERMS, Block, Occurrence
from asterism.core.blocks.scoring import block_id
from asterism.core.blocks.standing import Standing
from asterism.core.blocks.words import ACTIVE, CORRECTED, DUPLICATE, EDITED, FORGOTTEN, INBOX, SUPERSEDED, THERE
from asterism.core.ledger.items import Item, Position
from asterism.core.ledger.payloads import texts
from asterism.core.text.names import flattened

KINDS = frozenset(FIELDS)
NOTHING = Block("", "", (), 0, 0)
BEGINNING = ("content", "category", "conversation", "speaker")  # what the first telling of a block decides


class Learned(NamedTuple):
    """What learning did: the block, and whether it is `new`, was told `again`, or `known` and only added to."""

    block: str
    was: str


class Blocks(Standing):
    """The blocks of a space and the structural links between them."""

    name = "blocks"

    def __init__(self, parameters: BlockParameters) -> None:
        super().__init__(parameters)
        self.position: Position | None = None  # of the last item in order
        self.stale = False
        self.joint: dict[tuple[str, str], tuple[str, ...]] = {}  # sessions in which pairs were used, the latest last
        self.dropped = 0  # pairs that fell out of `joint`
        self.dream = ""  # the last dream, what it promoted so far, and what it displaced
        self.fresh: set[str] = set()
        self._lost: dict[tuple[str, str], float] = {}
        self.packed_lost: Callable[[], dict[tuple[str, str], float]] | None = None  # unpacks it, if it was loaded
        self.cut = 0  # tags and sources beyond what a block keeps
        self.unfinished = False  # the last dream left blocks in the inbox
        self.terms = Terms()
        self.marked: dict[str, dict[str, Marked]] = {}  # by each end: what it was found to be in conflict with
        self.named: dict[str, set[str]] = {}  # by name, as `flattened` writes it: blocks that have it
        self.revision = object()  # another one whenever a block may be another
        self.unmet: set[str] | None = set()  # blocks that items named and that were not here; None: nobody knows
        self.followed = False  # somebody has taken changes: `changed` are not all since this was begun or loaded
        self.changed: set[str] = set()  # blocks whose text, name, tags or status changed since `take_changes`

    @property
    def lost(self) -> dict[tuple[str, str], float]:
        """The similarity edges that the last dream displaced, with their scores."""
        if self.packed_lost is not None:
            self._lost, self.packed_lost = self.packed_lost(), None
        return self._lost

    def apply(self, item: Item) -> Learned | None:
        """Fold one item; if it is not the next in order, the blocks are stale from then on, unless it stands alone."""
        if self.position is not None and item.position <= self.position:
            if not self.stale and self._stands_alone(item):
                self.revision = object()
                return self._learned(item)
            self.stale = True
        if self.stale:
            return None
        self.position = item.position
        self.revision = object()
        self.clock.advance(item.at)
        return APPLY[item.what](self, item)

    def _stands_alone(self, item: Item) -> bool:
        """Say whether a late item can be folded where it comes: a text that none of the items here has to do with.

        Nobody told or named its block, and no active hour had passed by then that it could be older by; or its block
        was only ever told, and this is one more telling.
        """
        if item.what != "learned":
            return False
        name = block_id(str(item.payload["content"]))
        if name in self.blocks:
            return self._only_tells(name, item)
        return self.unmet is not None and not self.clock.micros and name not in self.unmet

    def _only_tells(self, name: str, item: Item) -> bool:
        """Say whether a late telling adds a time to a block, and nothing that depends on what was told when."""
        block, payload, rules = self.blocks[name], item.payload, self.parameters
        told = block.occurrences
        first = told[0]
        return (
            block.status in THERE
            and not (block.away or name in self.forebears or RETOLD in payload or payload["name"])
            and (item.at > first.at or self._begins_alike(name, item))
            and not at_once(told, item.at)
            and len(told) < rules.block_occurrences_max
            and len(block.sources) < rules.block_sources_max
            and (not payload["tags"] or len(block.tags) < rules.block_tags_max)
            and {*texts(payload, "tags")} <= {*block.tags}
            and all(not payload[field] or getattr(first, field) for field in ("conversation", "speaker"))
        )

    def _begins_alike(self, name: str, item: Item) -> bool:
        """Say whether a block would be the same but for its time, had it begun with this item, before all others."""
        block, payload = self.blocks[name], item.payload
        return (
            self.unmet is not None
            and name not in self.unmet
            and not self.clock.micros
            and all(payload[field] == getattr(block, field) for field in BEGINNING)
        )

    def _meet(self, names: Iterable[str]) -> None:
        """Take note of the blocks that an item names and that are not here."""
        if self.unmet is not None:
            self.unmet.update(name for name in names if name not in self.blocks)

    def refold(self, items: Iterable[Item]) -> None:
        """Fold anew from all items of blocks, given in the order (at, id)."""
        before = self.blocks.keys()
        again = folded(items, self.parameters)
        again.changed |= before
        self.__dict__ = again.__dict__

    def take_changes(self) -> set[str]:
        """Name the blocks that changed since this was last asked."""
        changed, self.changed, self.followed = self.changed, set(), True
        return changed

    # One kind of item each

    def _learned(self, item: Item) -> Learned:
        payload = item.payload
        content = str(payload["content"])
        name = block_id(content)
        known = self.blocks.get(name)
        if RETOLD in payload:
            self._meet([name])
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
        self._meet([old])
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
        self._leave(old, EDITED, name)
        block.away = (*block.away, (item.at, None))

    def _forgotten(self, item: Item) -> None:
        name = str(item.payload["block"])
        self._meet([name])
        block = self.blocks.get(name)
        if block is not None and block.status != FORGOTTEN:
            self.links.forget(name)
            if block.status != EDITED:
                block.away = (*block.away, (item.at, None))
            block.status, block.heir = FORGOTTEN, ""
            self.changed.add(name)

    def _restored(self, item: Item) -> None:
        name = str(item.payload["block"])
        self._meet([name])
        if self._is(name, FORGOTTEN):
            self._return(name, item.at)

    def _pinned(self, item: Item) -> None:
        name = str(item.payload["block"])
        self._meet([name])
        there = self.there(name)
        if there is not None:
            self.blocks[there].pinned = bool(item.payload["on"])
            self.changed.add(there)

    def _leave(self, name: str, status: str, heir: str) -> None:
        block, there = self.blocks[name], self.there(heir)
        assert there is not None
        block.status, block.heir = status, heir
        self.blocks[there].pinned |= block.pinned
        self.forebears.setdefault(heir, set()).add(name)
        self.links.move(name, there)
        self.changed.add(name)

    def _dreamed(self, item: Item) -> None:
        said = said_of(item.payload)
        if said.dream != self.dream:
            self.dream, self.fresh, self._lost, self.packed_lost = said.dream, set(), {}, None
        self.unfinished = said.remaining > 0
        self._meet(chain(said.promoted, *said.duplicates, *said.superseded))
        self._meet(end for edge in chain(said.displaced, said.created) for end in edge[:2])
        self._meet(end for mark in said.conflicts for end in mark[:2])
        for mark in said.conflicts:
            self.mark(mark)
        for key in list(self.links.faded(said.hours, self.rate, self.parameters)):
            self.links.drop(key)
        for name in said.promoted:
            if self._is(name, INBOX):
                self.blocks[name].status, self.blocks[name].hours = ACTIVE, said.hours
                self.fresh.add(name)
                self.changed.add(name)
        for pairs, status in ((said.duplicates, DUPLICATE), (said.superseded, SUPERSEDED)):
            for name, heir in pairs:
                if self._is(name, *THERE) and self.there(heir) not in (None, name):
                    self._leave(name, status, heir)
        for edge in said.displaced:
            if self._is_pinned(edge.a) or self._is_pinned(edge.b):
                continue
            self.links.drop(key_of(SIMILAR, edge.a, edge.b))
            self.lost[edge.a, edge.b] = edge.score
        for edge in said.created:
            if self._is(edge.a, ACTIVE) and self._is(edge.b, ACTIVE):
                self.links.put(key_of(SIMILAR, edge.a, edge.b), Link(edge.score, said.hours))
                self.lost.pop((edge.a, edge.b), None)
        for end in sorted(
            {end for edge in said.created for end in edge[:2]}
        ):  # two merged memories may both have dreamed
            self.links.hold(
                end, self.parameters.edge_degree_cap, lambda other: self._is(other, *THERE), self._is_pinned
            )

    def mark(self, mark: Marked) -> None:
        """Keep that two blocks were found to be in conflict, whatever becomes of them."""
        for end, other in ((mark.a, mark.b), (mark.b, mark.a)):
            self.marked.setdefault(end, {})[other] = mark

    def _is(self, name: str, *statuses: str) -> bool:
        return name in self.blocks and self.blocks[name].status in statuses

    def _is_pinned(self, name: str) -> bool:
        return name in self.blocks and self.blocks[name].pinned

    def _used(self, item: Item) -> None:
        session, rules = str(item.payload["session"]), self.parameters
        for pair in combinations(self._all_there(item)[: rules.used_blocks_max], 2):
            key = key_of(CO_OCCURS, *pair)
            link = self.links.links.get(key)
            sessions = self.joint.pop(pair, ())
            if link is not None:
                self.links.put(key, link._replace(hours=self.clock.hours, reinforced=link.reinforced + 1))
                continue
            sessions = sessions if session in sessions else (*sessions, session)
            if len(sessions) >= rules.co_occurs_sessions:
                self.links.put(key, Link(rules.co_occurs_strength, self.clock.hours))
            else:
                self.joint[pair] = sessions
        while len(self.joint) > rules.used_pairs_max:
            del self.joint[next(iter(self.joint))]
            self.dropped += 1

    def _outcome(self, item: Item) -> None:
        signal, rules = float(str(item.payload["signal"])), self.parameters
        names = self._all_there(item)
        for name in names:
            block = self.blocks[name]
            block.outcomes += 1
            block.signals += signal
            block.failures += signal < rules.outcome_bad
        if signal <= rules.outcome_good:
            return
        for pair in combinations(names[: rules.used_blocks_max], 2):
            key = key_of(OUTCOME, *pair)
            link = self.links.links.get(key)
            if link is None:
                self.links.put(key, Link(rules.outcome_strength * signal, self.clock.hours))
            else:
                raised = min(1.0, self.strength(key, self.clock.hours) + rules.outcome_raise * signal)
                self.links.put(key, Link(raised, self.clock.hours, link.reinforced + 1))
        for name in names:
            self.blocks[name].hours = self.clock.hours

    def _session(self, item: Item) -> None:
        name = str(item.payload["name"])
        (self.clock.start if item.payload["act"] == "start" else self.clock.end)(name, item.at)

    def _all_there(self, item: Item) -> list[str]:
        """Give the blocks an item names, or what stands for them now, each once and in order."""
        names = texts(item.payload, "blocks")
        self._meet(names)
        found = (self.there(name) for name in names)
        return sorted({name for name in found if name is not None})

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
        copied.unmet, copied.changed = None if self.unmet is None else set(self.unmet), set()
        return copied


APPLY: Mapping[str, Callable[[Blocks, Item], Learned | None]] = {
    "learned": Blocks._learned,
    "edited": Blocks._edited,
    "forgotten": Blocks._forgotten,
    "restored": Blocks._restored,
    "pinned": Blocks._pinned,
    "dreamed": Blocks._dreamed,
    "used": Blocks._used,
    "outcome": Blocks._outcome,
    "session": Blocks._session,
}


def folded(items: Iterable[Item], parameters: BlockParameters) -> Blocks:
    """Fold the items of blocks of a space, given in the order (at, id)."""
    blocks = Blocks(parameters)
    for item in items:
        blocks.apply(item)
    return blocks
