"""What a hit must be, beside a good answer."""

from __future__ import annotations

from dataclasses import dataclass

from asterism.core.blocks.records import Block
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.graph import Entry

NAME_ALONE = "actor"  # it says nothing but its name: given where that, or its kind, is asked for


@dataclass(frozen=True)
class Filter:
    """What a hit must be: of these kinds, with all these tags, of a category, a source, a stretch of time."""

    tags: tuple[str, ...] = ()
    category: str | None = None
    source: str | None = None
    since: int | None = None
    until: int | None = None
    kinds: tuple[str, ...] = ()

    def failed(self, entry: Entry, block: Block | None) -> str | None:
        """Say which condition, the first of them, an entry does not meet; the source of a moment is its session."""
        if self.kinds and entry.kind not in self.kinds:
            return f"It is a {entry.kind}"
        tags, category = (block.tags, block.category) if block is not None else ((), "")
        sources = block.sources if block is not None else (entry.group,) if entry.group else ()
        missing = [tag for tag in self.tags if tag not in tags]
        if missing:
            return f"It has no tag {missing[0]}"
        if self.category is not None and (block is None or category != self.category):
            return f"Its category is {category or 'not given'}"
        if self.source is not None and self.source not in sources:
            return f"Its source is {', '.join(sources) or 'not given'}"
        if self.since is None and self.until is None:
            return None
        if entry.at is None:
            return f"A {entry.kind} has no time"
        times = entry.times or (entry.at,)
        if any(self._in_time(at) for at in times):
            return None
        last = "" if len(times) == 1 else f", {len(times)} times up to {to_datetime(times[-1]):%Y-%m-%d %H:%M}"
        return f"It is of {to_datetime(times[0]):%Y-%m-%d %H:%M}{last}"

    def _in_time(self, at: int) -> bool:
        return (self.since is None or at >= self.since) and (self.until is None or at <= self.until)
