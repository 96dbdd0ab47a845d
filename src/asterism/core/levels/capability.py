"""Levels as a row of the table: market batches, folded into one book for each symbol, by seconds."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from asterism.core.ledger.capability import Capability, Unordered
from asterism.core.ledger.columns import prefixed, under
from asterism.core.ledger.items import Item
from asterism.core.levels.explain import EXPLAINS
from asterism.core.levels.fold import KINDS, Levels, check_batch
from asterism.core.levels.inputs import DECLARED, lost
from asterism.core.levels.ordered import Taken
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.shown import SHOWN

EVENTS_PER_WORK = 5  # market events that cost as much as folding one item


def _refold(levels: Levels, items: Sequence[Item]) -> int:
    """Fold the stale symbols anew."""
    events = 0
    for symbol in sorted(levels.stale):
        levels.refold(symbol, items)
        events += levels.symbols[symbol].events
    return events // EVENTS_PER_WORK


def _work(done: object) -> int:
    return done.ready.events.size // EVENTS_PER_WORK if isinstance(done, Taken) else 0


LEVELS: Capability[Levels, LevelParameters] = Capability(
    name="levels",
    parameters=LevelParameters,
    kinds=KINDS,
    check=check_batch,
    begin=Levels,
    apply=Levels.apply,
    copy=Levels.copy,
    dump=lambda levels: prefixed("levels", levels.dump()),
    load=lambda columns, parameters: Levels.load(under("levels", columns), parameters),
    unordered=Unordered(stale=attrgetter("stale"), refold=_refold),
    work=_work,
    replayed=False,  # a look at a book of the past folds that symbol alone
    graph=SHOWN,
    about=DECLARED,
    explain=EXPLAINS,
    lost=lost,
)
