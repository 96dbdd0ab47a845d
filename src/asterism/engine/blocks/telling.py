"""What it means that words are told: for the first time, again, or nothing but what was told a while ago."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.model import LearnReceipt
from asterism.core.blocks.occurrences import at_once, telling, with_telling
from asterism.core.blocks.payloads import RETOLD
from asterism.core.blocks.records import NO_TERMS, Occurrence
from asterism.core.blocks.words import CORRECTED, FORGOTTEN, THERE
from asterism.core.ledger.calendar import written
from asterism.core.ledger.items import Item, Payload
from asterism.core.ledger.payloads import texts
from asterism.hints import Hint, mention

if TYPE_CHECKING:
    from asterism.engine.blocks.naming import Named

MINUTE = 60_000_000
NEW, AGAIN, DUPLICATE = "new", "again", "duplicate"


class Judged(NamedTuple):
    """What a telling is, and what has to be written of it."""

    status: str
    writes: bool = True
    retold: bool = False  # it adds to the block, and is no other occurrence


@dataclass(slots=True)
class Heard:
    """What is known of some words before they are told: by the memory, and by the rows before in one call."""

    occurrences: list[Occurrence] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)
    has: set[str] = field(default_factory=set)  # of name, conversation, speaker: those it was given
    away: bool = False  # edited away or forgotten, or nothing is there that stands for it
    corrected: int | None = None  # when it was last put away
    now: bool = False  # told by a row before

    @classmethod
    def of(cls, blocks: Blocks, name: str) -> Heard:
        """Read what a memory knows of a block."""
        block = blocks.blocks.get(name)
        if block is None:
            return cls()
        stands = None if block.status in CORRECTED else blocks.there(name)
        known = blocks.blocks[stands or name]
        return cls(
            occurrences=list(block.occurrences),
            tags=set(known.tags),
            sources=set(known.sources),
            has={part for part in ("name", "conversation", "speaker") if getattr(known, part)},
            away=stands is None,
            corrected=block.away[-1][0] if block.away else None,
        )

    def judge(self, item: Item, *, timed: bool, window: int, has: Callable[[Item], bool]) -> Judged:
        """Say what a telling is; it may be `timed` by whoever tells it, or told of now.

        `has` says of an item whether it was told before: by nobody named, at a time of which others are named since.
        """
        if not self.occurrences:
            return Judged(NEW)
        told = _heard(item)
        if timed:
            then = at_once(self.occurrences, told.at)
            same = any(_by_the_same(each, told) and _no_other(told, each) for each in then)
            return Judged(DUPLICATE if same or has(item) else AGAIN)
        last = next((each for each in reversed(self.occurrences) if _by_the_same(each, told)), None)
        if (
            self.away
            or last is None
            or told.at - last.at > window
            or (self.corrected is not None and self.corrected > last.at)
            or not _no_other(told, last)
        ):
            return Judged(AGAIN)
        return Judged(DUPLICATE, writes=self._adds(told, item.payload), retold=True)

    def _adds(self, told: Occurrence, payload: Payload) -> bool:
        """Say whether a telling adds to what is known of its block."""
        parts = ("name", "conversation", "speaker")
        return bool(
            {*texts(payload, "tags")} - self.tags
            or {*told.sources} - self.sources
            or any(payload[part] and part not in self.has for part in parts)
        )

    def note(self, item: Item) -> None:
        """Take note of what was told by this row."""
        told, payload = _heard(item), item.payload
        insort(self.occurrences, told, key=lambda each: each[:2])
        self.tags.update(texts(payload, "tags"))
        self.sources.update(told.sources)
        self.has.update(part for part in ("name", "conversation", "speaker") if payload[part])
        self.away, self.now = False, True


NOBODY = Heard()  # what is known of words that nobody told


def _by_the_same(known: Occurrence, told: Occurrence) -> bool:
    """Say whether words are told by whoever told them then: the source, and if they are said, who spoke and where."""
    return (
        (set(told.sources) <= set(known.sources) if told.sources else not known.sources)
        and told.conversation in ("", known.conversation)
        and told.speaker in ("", known.speaker)
    )


def _no_other(told: Occurrence, known: Occurrence) -> bool:
    """Say whether a telling says nothing else of how long it holds, or of what."""
    return told.terms in (NO_TERMS, known.terms)


def _heard(item: Item) -> Occurrence:
    """Give the occurrence that an item of learning tells."""
    return telling(item, conversation=str(item.payload["conversation"]), speaker=str(item.payload["speaker"]))


def window_of(blocks: Blocks) -> int:
    """Give how long words told again are a duplicate, in microseconds."""
    return round(blocks.parameters.retelling_minutes * MINUTE)


def first_told(heard: Heard, payload: Payload, source: str | None) -> int | None:
    """Give when somebody told these words first: a record without a time that is imported again is the same one."""
    sources = (source,) if source else ()
    told = Occurrence(0, "", sources, str(payload["conversation"]), str(payload["speaker"]))
    return next((each.at for each in heard.occurrences if _by_the_same(each, told)), None)


def retold(payload: Payload) -> Payload:
    """Say of a telling that it is no other occurrence."""
    return {**payload, RETOLD: True}


def receipt_of(blocks: Blocks, name: str, judged: Judged, heard: Heard, named: Named, item: Item) -> LearnReceipt:
    """Say what a telling was, and what became of its block; `heard` is what was known before it."""
    if judged.status == NEW:
        return LearnReceipt(name, NEW, mentions=named.nodes, names_dropped=named.dropped)
    known = blocks.blocks.get(name)
    if known is None or heard.now:
        note = "told twice at once" if judged.status == DUPLICATE else "told more than once in one call"
        return LearnReceipt(name, judged.status, note)
    return LearnReceipt(name, judged.status, _note(blocks, name, judged, heard, item))


def _note(blocks: Blocks, name: str, judged: Judged, heard: Heard, item: Item) -> str | Hint:
    known, stands = blocks.blocks[name], blocks.there(name)
    if heard.away and judged.status == AGAIN and (heard.corrected is None or item.at > heard.corrected):
        since = "" if heard.corrected is None else f" on {written(heard.corrected)[:10]}"
        return f"it was {known.status}{since}, and is back"
    if known.status == FORGOTTEN:
        return Hint("it was forgotten since: ", mention("restore", name), " brings it back")
    if known.status not in THERE:
        return f"it was {known.status}: {stands} stands for it now" if stands else f"it was {known.status} since"
    if judged.status == AGAIN:
        told = _heard(item)
        count = len(with_telling(tuple(heard.occurrences), told))
        if count > 1:
            often = f"told {count} times"
        else:
            known_already = {*told.sources} <= heard.sources and told.terms != NO_TERMS
            often = "told then already, and now how long it holds" if known_already else "told by somebody else too"
        return f"{often}: tags are united, the first category stays"
    return "known already: tags are united, the first category stays"


def names_told(rows: Iterable[tuple[str, Payload]]) -> Mapping[str, str]:
    """Give the blocks that rows tell, by their id and by the name they are given."""
    told: dict[str, str] = {}
    for name, payload in rows:
        told[name] = name
        if payload["name"]:
            told.setdefault(str(payload["name"]), name)
    return told
