"""What an erasure, or a memory without something, comes to: values for whoever asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from asterism.core.model import Model

Seen = dict[str, float | str]


@dataclass(frozen=True, slots=True)
class LostItem(Model):
    """An item that goes because nodes it stood on do."""

    id: str
    what: str
    at: datetime
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrimmedItem(Model):
    """An item that loses what it said of nodes that go, and the item that takes its place."""

    id: str
    now: str
    what: str
    at: datetime
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manifest(Model):
    """What was erased, or with `dry_run` what would be; of the items themselves only their hashes are left."""

    subject: str
    dry_run: bool
    items: dict[str, int]  # by what they say
    ids: tuple[str, ...]  # of all of them
    lost: tuple[LostItem, ...]  # of these: what went because something it stood on did
    trimmed: tuple[TrimmedItem, ...]  # of these: what another item took the place of
    nodes: tuple[str, ...]  # that are not there any more
    returning: tuple[str, ...]  # blocks that stand for themselves again: what took their place is gone
    mentions: tuple[str, ...]  # items that are left and have the name in a text: erase them too if they should go
    vectors: int
    checkpoints: int
    caches: int
    tombstone: str  # the item that carries the hashes
    scrubbed: bool  # no byte of it is left in the file and its log
    note: str  # what kept some, and how it ends

    def __str__(self) -> str:
        verb = "would be erased" if self.dry_run else "erased"
        rows = [f"{count} {what}" for what, count in self.items.items()]
        rows += [f"{len(self.nodes)} nodes, {self.vectors} vectors, {self.checkpoints} checkpoints"]
        rows += [f"{len(self.mentions)} items that are left mention it"] if self.mentions else []
        rows += [self.note] if self.note else []
        head = f"{self.subject}: {len(self.ids)} {'item' if len(self.ids) == 1 else 'items'} {verb}"
        return "\n".join([head, *(f"  {row}" for row in rows)])


@dataclass(frozen=True, slots=True)
class Difference(Model):
    """One thing that would be otherwise: `gone`, `new` or `changed`."""

    what: str  # link, star, block, level, actor, moment, narrative, causal_link, prediction
    id: str
    change: str
    before: Seen | None
    after: Seen | None
    size: float  # how much its strength would change; 1 for what has none

    def __str__(self) -> str:
        one, other = self.before or {}, self.after or {}
        moved = [name for name in one if name in other and one[name] != other[name]]
        told = [f"{name} {_word(one[name])} -> {_word(other[name])}" for name in moved]
        return f"{self.change} {self.what} {self.id}{': ' if told else ''}{', '.join(told)}"


@dataclass(frozen=True, slots=True)
class WhatIf(Model):
    """The memory without something: what it would lose, and what would be otherwise, the biggest change first."""

    without: str
    items: dict[str, int]  # left out, by what they say
    lost: tuple[LostItem, ...]
    lost_items: int  # how many there are; `lost` names the first
    trimmed: tuple[TrimmedItem, ...]
    trimmed_items: int
    nodes_gone: int
    changes: tuple[Difference, ...]
    left_out: int  # changes beyond the limit
    totals: dict[str, dict[str, int]]  # by what, then gone, new, changed
    digest: str  # of the projection: that of a memory which was never told

    def __str__(self) -> str:
        rows = [f"{what}: {', '.join(f'{n} {word}' for word, n in each.items())}" for what, each in self.totals.items()]
        rows += [str(each) for each in self.changes]
        rows += [f"and {self.left_out} more"] if self.left_out else []
        return "\n".join([f"Without {self.without}:", *(f"  {row}" for row in rows or ["nothing would change"])])


def _word(value: float | str) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)
