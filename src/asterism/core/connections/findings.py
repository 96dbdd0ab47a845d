"""Findings: evidence that looking through all told values gave, and what it makes of a link (spec 08, E14, E17).

A finding says of a pair that its values go together or that one drives the other, with the figures and the last day it
looked at; or that a pair which was found no longer holds. Copies of a memory may both find the same, a little apart:

    speaks   the finding that saw the newest values; one that saw older values than the link knows of says nothing new
    counts   as evidence once in `finding_interval` days, and only if it saw newer values than the last

A link that is dissolved hears of a finding that does not count only that it no longer holds.

Once found, a link has its kind, direction and delay from findings and no longer from detection (D5); what a user
assigned, and a DARK end, go first. While it holds, a day on which both ends are told a value renews it: it does not
fade that day, and its days without evidence begin anew; not so a link that a user denied. Detected evidence engages
nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from asterism.core.connections.payloads import HOLDS
from asterism.core.connections.tables import NEVER, LinkRow, Links, Stars
from asterism.core.connections.words import Direction, EvidenceKind, LinkKind, LinkState, parse
from asterism.core.ledger.calendar import day_of, to_micros
from asterism.core.ledger.columns import Bools, Bytes, Rows
from asterism.core.ledger.items import Item
from asterism.core.ledger.payloads import number

KINDS = np.array([[LinkKind.TENSION, LinkKind.CAUSATION], [LinkKind.RESONANCE, LinkKind.CAUSATION]], dtype=np.uint8)
DAY_HOURS = 24.0


class Found(IntEnum):
    """What findings say of a pair."""

    NEVER = 0
    HOLDS = 1
    GONE = 2


class Finding(NamedTuple):
    """One finding; of several, the one that saw the newest values is the greatest."""

    until: int
    at: int
    id: bytes
    holds: bool
    kind: int
    direction: int
    lag_days: int
    r: float


def finding_of(item: Item) -> Finding:
    """Read the finding that an item of evidence is."""
    told = item.payload
    return Finding(
        day_of(to_micros(str(told["until"]))),
        item.at,
        item.id,
        told["finding"] == HOLDS,
        int(parse(EvidenceKind, str(told["kind"]), what="evidence kind")),
        int(parse(Direction, str(told["direction"]), what="direction")),
        int(number(told["lag_days"], "lag_days")),
        number(told["r"], "r"),
    )


def counting(findings: Sequence[Finding], start: LinkRow, *, day: int, interval: int) -> Finding | None:
    """Give the one of a day's findings, in order, that counts as evidence, if one does."""
    if start.found_day != NEVER and day - start.found_day < interval:
        return None
    new = [finding for finding in findings if finding.holds and finding.until > start.found_until]
    return new[-1] if new else None


def spoken(row: LinkRow, findings: Sequence[Finding]) -> LinkRow:
    """Give a link as a day's findings, in order, leave it."""
    for finding in findings:
        if finding.until < row.found_until:
            continue
        if not finding.holds:
            found = Found.GONE if row.found else Found.NEVER
            row = row._replace(found=int(found), found_until=finding.until)
            continue
        same_sign, directed = finding.r > 0, finding.direction != Direction.NONE
        row = row._replace(
            found=int(Found.HOLDS),
            found_until=finding.until,
            evaluated_day=NEVER,  # a DARK end goes first: the day's end looks
            lag_hours=finding.lag_days * DAY_HOURS if directed else float("nan"),
            causation=abs(finding.r) if directed else 0.0,
            same_sign=same_sign,
            lag_direction=finding.direction,
        )
        if not row.user_type:
            row = row._replace(kind=KINDS.item(int(same_sign), int(directed)), direction=finding.direction)
    return row


def found_kinds(links: Links, rows: Rows, *, dark: Bools) -> tuple[Bytes, Bytes]:
    """Give kind and direction of links that were found, some of which have a DARK end."""
    direction = links.lag_direction[rows]
    kind = KINDS[links.same_sign[rows].astype(np.intp), (direction != Direction.NONE).astype(np.intp)]
    kind[dark], direction[dark] = LinkKind.SHADOW_MIRROR, Direction.NONE
    return kind, direction


def renewed(links: Links, stars: Stars, *, day: int) -> Rows:
    """Give the links that hold, are awake and not denied, both of whose ends were told a value on a day."""
    if not links.found.max(initial=0):  # most spaces have none, and many links
        return np.zeros(0, dtype=np.intp)
    rows = np.flatnonzero(links.found == Found.HOLDS)
    told = stars.observed_day == day
    there = told[links.a[rows]] & told[links.b[rows]] & (links.state[rows] > LinkState.DORMANT)
    awake: Rows = rows[there & ~links.latent[rows] & ~links.denied[rows]]
    return awake
