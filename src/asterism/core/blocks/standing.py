"""Blocks as they stand: which stands for which, when each was told, how far it has faded."""

from __future__ import annotations

from asterism.core.blocks.links import Key, Links
from asterism.core.blocks.occurrences import with_telling
from asterism.core.blocks.packed import Shelf
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.records import Occurrence
from asterism.core.blocks.sessions import ActiveClock
from asterism.core.blocks.words import DUPLICATE, THERE


class Standing:
    """What a fold of blocks can be asked without another item."""

    def __init__(self, parameters: BlockParameters) -> None:
        self.parameters = parameters
        self.blocks = Shelf()
        self.links = Links()
        self.clock = ActiveClock(parameters.session_hours_max, parameters.open_sessions_max)
        self.seen = 0  # the moment at which this is looked at
        self.forebears: dict[str, set[str]] = {}  # by heir: blocks whose place it took

    def there(self, block: str) -> str | None:
        """Give the block that stands for this one now, or None."""
        for _ in range(len(self.blocks)):
            found = self.blocks.get(block)
            if found is None or found.status in THERE or not found.heir:
                return block if found is not None and found.status in THERE else None
            block = found.heir
        return None  # heirs in a circle: each took the place of the next

    def family(self, block: str) -> list[str]:
        """Give a block and all whose place it took, in the order of their ids."""
        found, queue = {block}, [block]
        while queue:
            heir = queue.pop()
            older = {name for name in self.forebears.get(heir, ()) if self.blocks[name].heir == heir} - found
            found |= older
            queue += older
        return sorted(found)

    def occurrences(self, block: str) -> tuple[Occurrence, ...]:
        """Give the times at which a block was told, or words that a dream found to say the same."""
        told = self.blocks[block].occurrences
        if block not in self.forebears:  # almost always
            return told
        for name in self.same(block)[1:]:
            for each in self.blocks[name].occurrences:
                told = with_telling(told, each)
        return told

    def same(self, block: str) -> list[str]:
        """Give a block, and those that repeat it, whatever a dream found first."""
        found = [block]
        for heir in found:
            each = ((name, self.blocks[name]) for name in self.forebears.get(heir, ()))
            same = {name for name, block in each if (block.status, block.heir) == (DUPLICATE, heir)}
            found += sorted(same.difference(found))
        return found

    def standing(self, block: str) -> str:
        """Give the block that these words repeat as a dream found, or themselves."""
        if self.blocks[block].status != DUPLICATE:
            return block
        seen = {block}
        while (found := self.blocks[block]).status == DUPLICATE and found.heir not in seen:
            block = found.heir
            seen.add(block)
        return block

    @property
    def hours_now(self) -> float:
        """The active hours at the moment this is looked at: a session may have been open since the last item."""
        return self.clock.hours_at(self.seen)

    def rate(self, block: str) -> float:
        """Give a block's decay rate."""
        return self.blocks.rate(block, self.parameters)

    def strength(self, key: Key, hours: float) -> float:
        """Give a link's strength at an active hour."""
        return self.links.strength(key, hours, self.rate)
