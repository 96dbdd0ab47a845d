"""What a hit carries beside its text: when it was told, how often, by whom and where, and how long it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from asterism.core.blocks.conflicting import conflicts_of
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.validity import ended_by, is_current, valid_until
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.graph import Entry
from asterism.core.recall.model import AnswerHit
from asterism.core.recall.time_spans import Span


def with_context(
    hit: AnswerHit, entry: Entry, blocks: Blocks, *, at: int, ends: bool, spans: Sequence[Span] = ()
) -> AnswerHit:
    """Say of a hit, asked about at a time, what is known of its telling; `ends`: it may not hold for ever.

    `spans` are the stretches of time that the question names.
    """
    block = blocks.blocks.get(hit.id) if entry.kind == "block" else None
    if block is None:
        told, where = _time(entry.at), entry.group
        return replace(hit, at=told, first_at=told, source=where, session=where, speaker=entry.speaker)
    last = blocks.occurrences(hit.id)[-1]
    return replace(
        hit,
        at=_time(last.at),
        first_at=_time(entry.at),
        times=len(entry.times) or 1,
        times_then=_within(entry, spans) if spans else None,
        valid_until=_time(valid_until(blocks, hit.id, at)) if ends else None,
        ended_by=ended_by(blocks, hit.id, at) if ends else "",
        current=is_current(blocks, hit.id, at) if ends else True,
        source=", ".join(last.sources or block.sources),
        speaker=last.speaker or entry.speaker,
        session=last.conversation or block.conversation,
        conflicts=conflicts_of(blocks, hit.id, at),
    )


def _within(entry: Entry, spans: Sequence[Span]) -> int:
    times = entry.times or (() if entry.at is None else (entry.at,))
    return sum(any(begin <= at < end for begin, end in spans) for at in times)


def _time(at: int | None) -> datetime | None:
    return None if at is None else to_datetime(at)
