"""What a reader gets of blocks: frozen values, each with `to_dict()`."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from asterism.core.ledger.model import ConflictWith, Model, Noded


@dataclass(frozen=True, slots=True)
class LearnReceipt(Model):
    """What learning did: `new`, `again` (told of another time, or by another source), `duplicate` (nothing new, or only
    tags and the like), or `erased` (left out, where that was asked for)."""

    id: str
    status: str
    note: str = ""
    mentions: tuple[str, ...] = ()  # known nodes that a new text names: evidence was told for each
    names_dropped: int = 0  # nodes it names beyond the limit of a text
    tags_dropped: int = 0  # tags told that the block does not keep: it has as many as it may


@dataclass(frozen=True, slots=True)
class Telling(Model):
    """One time at which a block's words were told."""

    at: datetime
    item: str  # of the ledger
    sources: tuple[str, ...]
    conversation: str
    speaker: str
    slot: str
    valid_from: datetime | None
    valid_until: datetime | None
    expires: datetime | None
    replaces: str


@dataclass(frozen=True, slots=True)
class SlotValue(Model):
    """What a slot held for a while."""

    slot: str
    id: str  # of the block
    text: str
    begin: datetime
    end: datetime | None
    ended_by: str  # the block that took its place, or `valid_until`, `expires`, `put away`; empty if it holds on
    current: bool


@dataclass(frozen=True, slots=True)
class BlockView(Noded):
    """A block as it stands."""

    kind: ClassVar[str] = "block"
    id: str
    content: str
    name: str
    category: str
    tags: tuple[str, ...]
    sources: tuple[str, ...]
    conversation: str
    speaker: str
    status: str  # inbox, active, duplicate, superseded, edited, forgotten
    superseded_by: str | None  # the block that stands for it now
    at: datetime  # when it was told last
    tier: str
    recency: float
    confidence: float
    outcomes: int
    first_at: datetime
    times: int = 1  # how often it was told
    occurrences: tuple[Telling, ...] = ()
    away: tuple[tuple[datetime, datetime | None], ...] = ()  # when it was edited away or forgotten
    slot: str = ""  # what it is the value of, or was last
    valid_from: datetime | None = None  # of what holds now, or held last
    valid_until: datetime | None = None
    current: bool = True
    expires: datetime | None = None  # when it leaves recall
    pinned: bool = False
    conflicts: tuple[ConflictWith, ...] = ()  # what it cannot hold together with, the latest first

    @property
    def text(self) -> str:
        """What it says."""
        return self.content

    @property
    def state(self) -> str:
        """What became of it."""
        return self.status

    @property
    def strength(self) -> float:
        """Its own number: how far it is trusted."""
        return self.confidence


@dataclass(frozen=True, slots=True)
class ConflictSide(Model):
    """One side of a conflict: what it says, and when that was last told."""

    id: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ConflictView(Model):
    """Two blocks that probably cannot both hold, found by a dream; nothing was settled."""

    id: str  # of the link
    reason: str  # home, work, value, number, state, negation ...
    confidence: float
    earlier: ConflictSide
    later: ConflictSide

    @property
    def ends(self) -> set[str]:
        """The two blocks."""
        return {self.earlier.id, self.later.id}

    def __str__(self) -> str:
        sides = [f"{side.at:%Y-%m-%d} {side.id}: {side.text}" for side in (self.earlier, self.later)]
        return "\n  ".join([f"{self.id} ({self.reason}, {self.confidence:.2f})", *sides])


@dataclass(frozen=True, slots=True)
class DreamResult(Model):
    """What a dream did, counted; `exact` says whether every pair had its chance, else `recall` what share did."""

    promoted: int
    duplicates: int
    superseded: int
    edges_created: int
    edges_displaced: int
    exact: bool
    recall: float
    remaining: int
    steps: int
    embedded: int
    active_hours: float
    mentions: int = 0  # items of evidence for names that came after the texts
    mentions_left: int = 0  # blocks whose evidence is left to the next dream
    names_dropped: int = 0  # names beyond the limit of a text
    conflicts: int = 0  # pairs found that probably cannot both hold
    found: int = 0  # findings written: what goes with what in the values that were told
    findings: tuple[str, ...] = ()  # the first of them, in sentences
    nothing: dict[str, int] = field(default_factory=dict)  # pairs of which nothing came, by why

    def __str__(self) -> str:
        told = [f"{self.promoted} promoted"]
        told += [
            f"{count} {one if count == 1 else several}"
            for count, one, several in (
                (self.duplicates, "duplicate", "duplicates"),
                (self.superseded, "superseded", "superseded"),
                (self.edges_created, "link found", "links found"),
                (self.edges_displaced, "link displaced", "links displaced"),
                (self.mentions, "item of evidence by name", "items of evidence by name"),
                (self.conflicts, "conflict", "conflicts"),
                (self.found, "finding in told values", "findings in told values"),
            )
            if count
        ]
        if not self.exact:
            told.append(f"approximate, recall {self.recall:.3f} on a sample")
        if self.remaining:
            told.append(f"{self.remaining} still in the inbox")
        return f"Dreamed: {', '.join(told)}."
