"""Which notes speak of a time that a question asks about: "Dentist on Friday", told last week, is of last Friday."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from asterism.core.ledger.columns import Longs
from asterism.core.ledger.graph import Entry
from asterism.core.recall.entries import NEVER
from asterism.core.recall.index import Index
from asterism.core.recall.time_spans import Span
from asterism.core.recall.told_times import told_times

READ = 300  # notes whose words are read for times: the latest that speak of one


def speaking_of(index: Index, entries: Mapping[str, Entry], spans: Sequence[Span], now: int) -> tuple[Longs, Longs]:
    """Give the rows of notes whose words name a time in some stretches, and of those that name only others.

    What has a title tells of its thing, and of as many years as that has: it is no note of a day.
    """
    facts = index.facts.trim()
    notes = facts.alive & facts.tells_time & (facts.group == 0) & (facts.speaker == 0)
    rows = np.flatnonzero(notes & (facts.last != NEVER) & (facts.last <= now))
    rows = rows[np.argsort(-facts.last[rows], kind="stable")[:READ]]
    named, other = list[int](), list[int]()
    for row in rows.tolist():
        entry = entries[index.ids[row]]
        told = [span for at in entry.times or (int(facts.last[row]),) for span in told_times(entry.text, at)]
        if told and not entry.name:
            meets = any(begin < until and end > since for begin, end in told for since, until in spans)
            (named if meets else other).append(row)
    return np.array(named, dtype=np.int64), np.array(other, dtype=np.int64)
