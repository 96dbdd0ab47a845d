"""Incremental export: a folder of ledgers to which each run adds what came since the last.

Nothing in the folder says how far it is but the names of its files: whatever is missing between them, or after the
last, is written from the memory. Every run reads all of it, so that a damaged file is told while the memory can still
write it anew, and so that nothing erased stays there unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from asterism.core.ledger.items import cut
from asterism.core.ledger.marks import ERASED
from asterism.core.ledger.model import Model
from asterism.core.space.projection import FOLD_VERSION
from asterism.engine.exchange.export import Progress
from asterism.engine.space.live import Live, erased_ids
from asterism.errors import InputError
from asterism.formats import files, increments
from asterism.formats.increments import Gap, Increment
from asterism.formats.ledger import Header, header_line, item_line, tombstone_line
from asterism.hints import Hint, option

AT_ONCE = 10_000  # arrivals in memory


@dataclass(frozen=True, slots=True)
class Increments(Model):
    """What was written into a folder of increments, and what is wrong in it."""

    folder: str
    copy: str
    written: tuple[str, ...]  # names of new files: what came since, or what was missing
    items: int  # in them
    erased: int  # hashes of erased items in them
    position: int  # up to which the folder now holds this copy
    files: int  # in the folder, of all copies
    to_remake: tuple[str, ...] = ()  # files that hold something erased
    damaged: tuple[str, ...] = ()  # files that are not what their names say
    missing: tuple[str, ...] = ()  # positions of other copies that no file holds
    remade: tuple[str, ...] = ()  # files that were written anew, by their new names

    @property
    def ok(self) -> bool:
        """Whether nothing in the folder needs a hand."""
        return not (self.to_remake or self.damaged or self.missing)


def export_increments(live: Live, folder: Path, *, remake: bool, progress: Progress | None) -> Increments:
    """Add to a folder what came since its last file of this copy; write anew what holds something erased, if asked."""
    files.folder(folder)
    live.refresh()
    store, space = live.store, live.space
    with store.one_moment():
        writer = _Writer(live, folder, progress)
        there = increments.found(folder)
        _check(there, live, folder)
        writer.fill(there)
        erased = {each.hex() for each in store.tombstones(space)}
        seen = {each: increments.look(each, erased) for each in there}
        damaged = [each for each, looked in seen.items() if not looked.whole]
        holding = [each for each, looked in seen.items() if looked.whole and looked.holds_erased]
        remade: list[Increment] = []
        if remake:
            remade += [increments.remake(each, erased) for each in holding]
            remade += [writer.anew(each) for each in damaged if each.copy == writer.copy]
            damaged, holding = [each for each in damaged if each.copy != writer.copy], []
        now = increments.found(folder)
        return Increments(
            folder=str(folder),
            copy=writer.copy,
            written=_names(writer.written),
            items=writer.items,
            erased=writer.erased,
            position=writer.last,
            files=len(now),
            to_remake=_names(holding),
            damaged=_names(damaged),
            missing=tuple(map(str, increments.gaps(now))),
            remade=_names(remade),
        )


class _Writer:
    """Writes what came to a space, at one moment, by positions."""

    def __init__(self, live: Live, folder: Path, progress: Progress | None) -> None:
        self._live, self._folder, self._progress = live, folder, progress
        self.copy, self.last = live.store.copy_name(), live.store.last_position(live.space)
        self._header = Header(live.space, live.preset, live.overrides, live.store.embedder(live.space), FOLD_VERSION)
        self.written: list[Increment] = []
        self.items = self.erased = 0

    def fill(self, there: list[Increment]) -> None:
        """Write what no file of this copy holds: what came since, and what is missing between the others."""
        mine = [each for each in there if each.copy == self.copy]
        end = max((each.last for each in mine), default=0)
        wanted = increments.gaps(mine) + ([Gap(self.copy, end + 1, self.last)] if self.last > end else [])
        for gap in wanted:
            self.written.append(increments.write(self._folder, gap, self._lines(gap)))

    def anew(self, increment: Increment) -> Increment:
        """Write a file of this copy anew."""
        return increments.replace(increment, self._lines(Gap(increment.copy, increment.first, increment.last)))

    def _lines(self, gap: Gap) -> Iterator[bytes]:
        yield header_line(self._header, copy=gap.copy, **{"from": gap.first, "to": gap.last})
        told: set[str] = set()  # hashes that an item of this file names as erased
        after = gap.first - 1
        while came := self._live.store.arrivals(self._live.space, after=after, until=gap.last, limit=AT_ONCE):
            for each in came:
                if each.item is not None:
                    self.items += 1
                    told.update(erased_ids(each.item) if each.item.what == ERASED else ())
                    yield item_line(each.item)
                elif each.erased is not None:
                    self.erased += 1
                    if each.erased.hex() not in told:
                        yield tombstone_line(each.erased)
            after = came[-1].position
            if self._progress is not None:
                self._progress((after - gap.first + 1) / (gap.last - gap.first + 1), self.items)


def _names(found: Iterable[Increment]) -> tuple[str, ...]:
    return tuple(each.name for each in found)


def _check(there: list[Increment], live: Live, folder: Path) -> None:
    """Refuse a folder of another space, and one that knows later positions of this copy than the copy itself."""
    spaces = {increments.header_in(each).space for each in there}
    if spaces - {live.space}:
        other = cut(min(spaces - {live.space}))
        raise InputError(
            f"{folder} holds increments of space {other!r}, and the memory was opened with {live.space!r}",
            code="other_space",
            item=other,
            hint=Hint("name another folder: one for each space; or ", option("space", other)),
        )
    copy, last = live.store.copy_name(), live.store.last_position(live.space)
    ahead = [each for each in there if each.copy == copy and each.last > last]
    if ahead:
        path = quote(str(live.store.place))
        raise InputError(
            f"{ahead[-1].name} is ahead of {live.store.place}, which was put back to an earlier state by hand",
            code="increments_ahead",
            item=ahead[-1].name,
            hint="asterism import takes in what the folder knows; then give this copy a name of its own: "
            f"asterism backup COPY --db {path} && asterism backup --restore COPY --db {path}",
        )
