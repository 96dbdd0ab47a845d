"""Going back to a backup: what was erased since stays erased, and what is there now is kept aside.

Everything happens to a copy of the backup, which takes the memory's place at the end, at one stroke; until then the
memory is as it was, and so is the backup.

    copy      the backup, beside the memory; it is another copy, and gets a name of its own
    cut       what was learnt later than `known_at`, if a moment is asked for
    erase     what the memory had erased, with what stands on it, as a merge would; and let in whom it lets in: what a
              service keeps of the whole (tokens) is that of the memory, so that none that was revoked comes back
    look      at all of it: pages, heads, and a replay of every ledger
    take      the place of the memory, if nobody has that open, nor has erased or revoked anything there meanwhile
"""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from asterism.core.ledger.head import mark, total
from asterism.core.ledger.items import Item
from asterism.core.ledger.marks import ERASED
from asterism.core.ledger.model import Model
from asterism.engine.care.erase import said_texts
from asterism.engine.care.verify import verify
from asterism.engine.exchange.backup import Share, faults, refuse_itself
from asterism.engine.exchange.merge import Copy, merge
from asterism.engine.space.clock import Clock
from asterism.engine.space.live import Live
from asterism.errors import AsterismError, BusyError, CorruptError, StoreError, UnknownError
from asterism.store.port import Place, Store
from asterism.wiring import place_of


@dataclass(frozen=True, slots=True)
class Restored(Model):
    """What a memory was restored to: the items of each space, what was erased again, and where the former one is."""

    path: str
    backup: str
    spaces: dict[str, int]
    erased_again: int  # items of the backup that the memory had erased since, with what stood on them
    left_out: int  # items that were learnt later than the moment asked for
    kept: str | None  # the memory that was there
    copy: str


class _Present(NamedTuple):
    """What of the memory that is there wins over the backup."""

    erased: dict[str, _Erased]
    records: dict[str, dict[str, str]]


class _Erased(NamedTuple):
    """What a space had erased."""

    parameters: str | None
    items: list[Item]
    hashes: list[bytes]


NOTHING = _Present({}, {})  # there is no memory yet


def restore(source: Place, target: Place, *, known_at: int | None, clock: Clock, say: Share) -> Restored:
    """Put a backup in the place of a memory, or where none is yet."""
    _check(source, target)
    present = _present(target)
    with target.room() as part:
        with closing(source.open(read_only=True)) as kept:
            kept.copy_to(part, say)
        with closing(place_of(part).open()) as store:
            cut = [] if known_at is None else [_cut(store, space, known_at, clock) for space in store.spaces()]
            again = sum(_erase(store, space, each, clock) for space, each in present.erased.items())
            for sheet in {*store.sheets(), *present.records} if present is not NOTHING else ():
                store.put_records(sheet, dict.fromkeys(store.records(sheet)) | present.records.get(sheet, {}))
            wrong = [each for space in store.spaces() for each in verify(Live(store, space, clock=clock)).differences]
            items = {space: store.head(space).items.count for space in store.spaces()}
            copy = store.copy_name()
        wrong += faults(place_of(part))
        if wrong:
            raise _damaged(source, wrong[0])
        aside = target.take_keeping(part, lambda: _refuse_changed(target, present))
    return Restored(str(target), str(source), items, again, sum(cut), aside, copy)


def _check(source: Place, target: Place) -> None:
    if not source.exists():
        raise UnknownError(
            f"there is no backup at {source}", code="unknown_memory", item=str(source), hint="check the path"
        )
    refuse_itself(source, target)
    source.receive().close()  # whoever hands a backup over may mean harm: it must be a memory, and nothing else
    if found := faults(source):
        raise _damaged(source, found[0])


def _damaged(source: Place, what: str) -> CorruptError:
    return CorruptError(
        f"the backup {source} cannot be restored: {what}; the memory is as it was",
        code="bad_backup",
        item=str(source),
        hint=f"take another backup; what is wrong with this one: asterism doctor --db {quote(str(source))}",
    )


def _present(target: Place) -> _Present:
    """Read what the memory has erased in each space, and keeps of the whole; what cannot be read is not passed over."""
    if not target.exists() or not Path(str(target)).stat().st_size:
        return NOTHING
    try:
        with closing(target.look()) as store:
            erased = {space: _erased_in(store, space) for space in store.spaces() if store.head(space).erased.count}
            return _Present(erased, {sheet: store.records(sheet) for sheet in store.sheets()})
    except AsterismError as error:
        path = quote(str(target))
        raise CorruptError(
            f"what was erased in {target} since the backup cannot be read: {error.message}",
            code="erasures_unknown",
            item=str(target),
            hint=f"to restore without knowing it, move the file away first: mv {path} {path}.damaged",
        ) from None


def _refuse_changed(target: Place, present: _Present) -> None:
    """Refuse to take the place of a memory that has erased or revoked something since it was read: it would be back."""
    now = _present(target)
    if now != present or (now is NOTHING) != (present is NOTHING):
        raise BusyError(
            f"something was erased in {target}, or who may read it was changed, while the backup was restored",
            code="changed_meanwhile",
            item=str(target),
            hint="restore it again; nothing was changed",
        )


def _erased_in(store: Store, space: str) -> _Erased:
    items: list[Item] = []
    with suppress(StoreError):  # where the ledger cannot be read, the hashes alone do as well
        items = [each.item for each in store.items(space, only=[ERASED])]
    hashes = list(store.tombstones(space))
    if store.head(space).erased != total(map(mark, hashes)):
        raise CorruptError(f"space {space!r} lost some of its hashes", code="head_differs", item=space)
    return _Erased(store.parameters(space), items, hashes)


def _cut(store: Store, space: str, known_at: int, clock: Clock) -> int:
    """Remove what was learnt later, and what was made of it; erasures stay, whenever they were learnt."""
    every = [each.item for each in store.items(space)]
    later = [item.id for item in every if item.known_at > known_at and item.what != ERASED]
    if later:
        with store.writing(space) as writing:
            writing.remove(later)
        live = Live(store, space, clock=clock)
        unsaid = store.vector_texts(space) - said_texts(live.refresh())
        live.transact(lambda _: ([], None), beside=lambda writing, _: writing.drop_vectors(unsaid))  # and its tables
        store.scrub()
    return len(later)


def _erase(store: Store, space: str, erased: _Erased, clock: Clock) -> int:
    """Erase what the memory had erased; a space that the backup does not have keeps the hashes alone."""
    if space not in store.spaces() and erased.parameters is not None:
        with store.writing(space) as writing:
            writing.set_parameters(erased.parameters)
    before = store.head(space).items.count
    merged = merge(Live(store, space, clock=clock), Copy(erased.items, erased.hashes))
    return before + merged.added - store.head(space).items.count
