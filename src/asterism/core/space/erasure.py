"""What an erasure, or a memory without something, comes to: values for whoever asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from asterism.core.ledger.model import Model

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
class Mention(Model):
    """An item that is left and has the name in a text."""

    id: str
    what: str
    name: str  # that is in it
    text: str  # its beginning
    taken: bool  # `erase("name:...")` takes it along

    def __str__(self) -> str:
        return f"{self.what} {self.id}: {self.text}"


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
    mentions: tuple[Mention, ...]  # items that are left and have the name in a text: erase them too if they should go
    vectors: int
    checkpoints: int
    caches: int
    tombstone: str  # the item that carries the hashes
    scrubbed: bool  # no byte of it is left in the file and its log
    note: str  # what kept some, and how it ends
    called: dict[str, str] = field(
        default_factory=dict
    )  # a dry run: names or texts of nodes that go; else the subject's
    sessions: dict[str, tuple[str, ...]] = field(default_factory=dict)  # that go whole: who of them speaks in each

    @property
    def title(self) -> str:
        """The subject, with its name where its id does not tell it."""
        name = self.called.get(self.subject.removeprefix("node:"), "")
        return f"{self.subject} ({name})" if name else self.subject

    def __str__(self) -> str:
        verb = "would be erased" if self.dry_run else "erased"
        rows = [f"{count} {what}" for what, count in self.items.items()]
        counts = ((len(self.nodes), "node"), (self.vectors, "vector"), (self.checkpoints, "checkpoint"))
        rows += [", ".join(_many(count, thing) for count, thing in counts)]
        rows += [f"session {name} goes whole{_speaking(who)}" for name, who in self.sessions.items()]
        rows += [self.still_named, *(f"  {each}" for each in self.mentions)] if self.mentions else []
        rows += [self.note] if self.note else []
        head = f"{self.title}: {_many(len(self.ids), 'item')} {verb}"
        return "\n".join([head, *(f"  {row}" for row in rows)])

    @property
    def still_named(self) -> str:
        """Say how much of what is left has the name in it, and what takes it along; nothing if none has."""
        if not self.mentions:
            return ""
        names = sorted({each.name for each in self.mentions})
        count = len(self.mentions)
        text = f"{_many(count, 'text')} still {'names' if count == 1 else 'name'} {' or '.join(names)}"
        along = [f"name:{name}" for name in names if any(each.taken for each in self.mentions if each.name == name)]
        taken = sum(each.taken for each in self.mentions)
        which = ("it" if count == 1 else "them") if taken == count else f"{taken:,} of them"
        return text + (f"; {' and '.join(along)} takes {which} along" if along else "")


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
    items: dict[str, int]  # left out, by what they say, as `erase` counts them: `lost` and `trimmed` are among them
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


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _speaking(who: tuple[str, ...]) -> str:
    return f", because {' and '.join(who)} {'speaks' if len(who) == 1 else 'speak'} in it" if who else ""
