"""A projection that follows its ledger: folded exactly as far as that goes, whoever wrote, and in whatever order.

Theory of operation. What is held is a projection, and how far it goes:

    version   of the space at the last look. Equal to the store's: nobody has written, and there is nothing to do
    seq       the last item that is folded, by arrival. What arrived since is everything after it, for items never
              change and one writer at a time numbers them; but what was erased leaves no trace in this order,
    buried    so the tombstones are counted too
    marks     copies of what days change, as earlier days were opened, in this process, each with about half as
              many items after it as the one before
    checkpoints   the same in the store, a few for each fingerprint (parameters and fold version), for every process

A look (`refresh`) reads, at one moment of the store, what happened since, and the first line that fits says what to do:

    what is seen                            what is done
    --------------------------------------  -----------------------------------------------------------------------
    the version it had                      nothing
    other parameters are recorded           use them, and begin anew
    the first look, or a fold that failed   begin anew: from the latest checkpoint, else from nothing
    more tombstones, or an `erased` item    let go of what was made of texts, and begin anew (engine/care/erase.py)
    a late item                             go back to the nearest mark where it is not late, and fold the days since
                                            then again; else to a checkpoint, and fold again what arrived after it; as
                                            often as something in that is late
    other items                             fold them, in the order (at, id)

An item is late if its day has ended here, or if evidence that was folded counts otherwise once it is there: a reading
of a transcript judges the evidence that was told of it (`Projection.late_day`). A fold cannot be undone, so it is done
again from a place before. Capabilities that know no days (levels, blocks, walks) are never gone back for: a part that
an item came to out of order is *stale*, and is folded anew from all of its items, but only when somebody reads it.
Whoever tells evidence, of stars or of markets need not (`Live.write`); whoever writes what depends on all there is does
(`Live.transact`). A late text that nothing else has to do with is folded where it comes (`Blocks.apply`).

A writer (`Live.write`, `Live.transact`) looks inside its transaction, where nobody else can write, so what it builds is
for the ledger as it stands. It drops the checkpoints that a late item of its own makes untrue in the same breath. Its
commit tells it the version that the space has by it; then it folds its own items without a look, going back if one is
late; if it erased, it goes on from what it folded in the transaction, and if it buried otherwise, it begins anew. If
somebody commits right after, the store's version is another, and the next look sees it. Checkpoints and caches are
stored in a transaction of their own, and only if the version is still that of what is held: nobody stores what another
has erased or made untrue. A checkpoint that is damaged is passed over, for the ledger says it all.

This file keeps up; `marks` are the copies; `looking` shows what is held, the past and the days ahead; `live` writes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from typing import NamedTuple

from asterism.core.connections.day import Watch
from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of
from asterism.core.ledger.capability import Done
from asterism.core.ledger.parameters import Preset, Setting
from asterism.core.space.capabilities import CAPABILITIES, Capabilities
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import FOLD_VERSION, Projection
from asterism.engine.space.clock import LAST_CREDIBLE, Clock
from asterism.engine.space.collecting import batches
from asterism.engine.space.marks import Mark, Marks
from asterism.engine.space.parameters import agreed, as_declared, other_parameters, recorded
from asterism.store.port import Checkpoint, Store, Stored, Version

Dones = dict[bytes, Done]  # by item


class Ahead(NamedTuple):
    """A look ahead: of which projection, after how many items with a day, up to which day."""

    told: tuple[Projection, int]
    day: int
    projection: Projection


class TakenUp(NamedTuple):
    """A projection as it was taken up from a checkpoint, with every item up to `seq`; 0: from nothing."""

    projection: Projection
    seq: int


class Following:
    """The ledger of one space, folded and kept up with."""

    def __init__(
        self,
        store: Store,
        space: str,
        *,
        clock: Clock,
        preset: Preset | None,
        overrides: dict[str, Setting],
        capabilities: Capabilities = CAPABILITIES,
    ) -> None:
        self.store = store
        self.space = space
        self.clock = clock
        self.capabilities = capabilities
        self._recorded = store.parameters(space)
        self._use(*agreed(self._recorded, preset, overrides, space))
        self._projection = Projection(self.parameters)
        self._seq = 0
        self._version: Version | None = None  # of the space, at the last look; None: begin anew at the next
        self._buried = 0  # items that had been erased at the last look
        self._marks = Marks()
        self._ahead: Ahead | None = None
        self._work = 0  # since the last checkpoint
        self._learnt: int | None = None  # when something was last learnt here; None: ask the store
        self.taken_up = TakenUp(self._projection, 0)

    def _use(self, preset: tuple[str, ...], overrides: dict[str, Setting]) -> None:
        self.parameters = SpaceParameters.build(preset, overrides, capabilities=self.capabilities)
        self.preset, self.overrides = preset, as_declared(overrides, self.parameters)
        self.fingerprint = f"{self.parameters.fold_digest()}-{FOLD_VERSION}"
        self._record = recorded(preset, self.overrides)

    def refresh(self) -> Projection:
        """Fold what others have written since the last look, and give what there is."""
        self._keep_up()
        for row in self._projection.stale_rows():
            items = [item for seq, item in self.store.items(self.space, only=row.kinds) if seq <= self._seq]
            self._work += self._projection.refold(row, items)
        return self._projection

    def _keep_up(self) -> Projection:
        """Fold what others have written; what came out of order of symbols and blocks may stay stale."""
        if self.store.version(self.space) != self._version:
            self._learnt = None
            with self.store.one_moment():
                version = self.store.version(self.space)
                self._follow_parameters()
                buried = self.store.buried(self.space)
                if self._version is None:
                    self._restart()
                elif buried != self._buried:  # an import brings hashes, and not always the item that tells of them
                    self.let_go_of_texts()
                    self._restart()
                arrived = self._arrived()
            self._buried = buried
            self._fold(arrived)
            self._version = version
        return self._projection

    @property
    def last_known(self) -> int | None:
        """When something was last learnt in this space, as far as a clock may be believed that says so."""
        if self._learnt is None:
            self._learnt = self.store.last_known(self.space, until=LAST_CREDIBLE)
        return self._learnt

    def _learn(self, added: Sequence[Stored]) -> None:
        """Take note of when items were learnt that were written here."""
        if self._learnt is not None:
            known = [stored.item.known_at for stored in added]
            self._learnt = max([self._learnt, *(each for each in known if each <= LAST_CREDIBLE)])

    @property
    def seq(self) -> int:
        """The last item that is folded here."""
        return self._seq

    @property
    def held(self) -> Projection:
        """What is folded here now, without a look at the store."""
        return self._projection

    def _unfold(self) -> None:
        """Let go of what is folded here: the next look begins again."""
        self._version, self._learnt, self._ahead = None, None, None
        self._projection, self._seq = Projection(self.parameters), 0
        self._marks.clear()

    def _follow_parameters(self) -> None:
        """Notice that someone else recorded the parameters of this space, or changed them."""
        recorded_now = self.store.parameters(self.space)
        if recorded_now == self._recorded or recorded_now is None:
            return
        mine = self._record
        if self._recorded is None and recorded_now != mine:
            raise other_parameters(recorded_now, self.space)  # both made it at once, and the other was first
        self._recorded = recorded_now
        if recorded_now != mine:
            self._use(*agreed(recorded_now, None, {}, self.space))
            self._version = None

    def _restart(self, *, until_day: int | None = None) -> None:
        checkpoint = self.store.checkpoint(self.space, self.fingerprint, until_day=until_day)
        self._marks.clear()
        self._ahead = None
        if checkpoint is None:
            self._projection, self._seq = Projection(self.parameters), 0
        else:
            self._projection, self._seq = self._loaded(checkpoint)
        self.taken_up = TakenUp(self._projection, self._seq)

    def _take_up(self, projection: Projection, *, seq: int, version: Version, buried: int) -> None:
        """Go on from what somebody has folded of all items there are."""
        self._marks.clear()
        self._ahead = None
        self._projection, self._seq, self._version, self._buried = projection, seq, version, buried
        self._learnt, self.taken_up = None, TakenUp(projection, seq)
        self._work += seq + projection.days_work  # seq is about as many items

    def _loaded(self, checkpoint: Checkpoint) -> tuple[Projection, int]:
        """Take up a checkpoint; one that is damaged is passed over, for the ledger says it all (verify names it)."""
        if checkpoint.whole:
            with suppress(LookupError, ValueError):  # changed in a way that no checksum sees
                return Projection.load(checkpoint.columns, self.parameters), checkpoint.seq
        return Projection(self.parameters), 0

    def _arrived(self) -> list[Stored]:
        """Read what is not folded yet; go back first to where none of it is late. To be called at one moment."""
        try:
            return self._gone_back_for()
        except BaseException:
            self._unfold()  # what was gone back from is not folded any more
            raise

    def _gone_back_for(self) -> list[Stored]:
        arrived = self.store.items(self.space, after_seq=self._seq)
        if any(stored.item.what == "erased" for stored in arrived):
            self.let_go_of_texts()
            if self._seq:  # something is folded here that may be gone
                self._restart()
                arrived = self.store.items(self.space, after_seq=self._seq)
        while (day := self._late_day(arrived)) is not None:  # what is gone back to may have other readings
            mark = self._go_back(day)
            arrived = self.store.items(self.space, after_seq=self._seq)
            if mark is not None:
                arrived = self._since(mark, arrived)
        return arrived

    def _since(self, mark: Mark, arrived: Sequence[Stored]) -> list[Stored]:
        """Add to what is not folded yet what is not in a mark: of its days by time, of what judges it by arrival."""
        begins, rows = mark.day * MICROS_PER_DAY, self.capabilities.turned_back
        dated = {kind for row in rows if row.days is not None for kind in row.kinds}
        again = self.store.items(self.space, from_at=begins, only=dated)
        again += self.store.items(self.space, after_seq=mark.seq, only=self.capabilities.judged_by)
        read = {stored.seq for stored in again}
        again += [stored for stored in arrived if stored.seq not in read]
        return sorted(again, key=lambda stored: stored.item.position)

    def _late_day(self, arrived: Sequence[Stored]) -> int | None:
        """Give the last day that may be open for these items, in order, to be folded; None if they can be now."""
        return self._projection.late_day([stored.item for stored in arrived])

    def _fold(self, arrived: Sequence[Stored], watch: Watch | None = None) -> Dones:
        """Fold items given in the order (at, id), none of them late; what readings there are first."""
        kinds = self.capabilities.undated
        undated = [stored for stored in arrived if stored.item.what in kinds]
        if undated:
            arrived = [stored for stored in arrived if stored.item.what not in kinds]
        try:
            return self._fold_undated(undated) | self._fold_days(arrived, watch)
        except BaseException:
            self._unfold()  # which is half done
            raise

    def _fold_many(self, *, until_seq: int, count: int) -> None:
        """Fold what arrived up to an item, about so many; never all of it is held. To be called at one moment.

        If some of it is late, go back to a checkpoint first: a mark has not all that a whole fold needs.
        """
        left = due = count
        try:
            while (day := self._late_day_of_many(until_seq)) is not None:
                self._restart(until_day=day)
            after, kinds = self._seq, self.capabilities.undated
            for some in batches(self._each(after, until_seq, only=kinds)):
                self._fold_undated(some)
            dated = self._each(after, until_seq, without=kinds)
            for day, same in groupby(dated, key=lambda stored: day_of(stored.item.at)):
                for some in batches(same):
                    self._fold_day(day, some, None, mark=left <= due)
                    due = left // 2 if left <= due else due  # as `_fold_days` does
                    left -= len(some)
        except BaseException:
            self._unfold()  # which is half done
            raise

    def _late_day_of_many(self, until_seq: int) -> int | None:
        days = (self._late_day(some) for some in batches(self._each(self._seq, until_seq)))
        return min((day for day in days if day is not None), default=None)

    def _each(self, after: int, until: int, **which: Collection[str]) -> Iterator[Stored]:
        found = self.store.each_item(self.space, after_seq=after, **which)
        return (stored for stored in found if stored.seq <= until)

    def _fold_undated(self, arrived: Sequence[Stored]) -> Dones:
        """Fold items that know no days."""
        done: Dones = {}
        for seq, item in arrived:
            did = self._projection.apply(item)
            if did is not None:
                done[item.id] = did
            self._work += 1 + self.capabilities.of_kind[item.what].work(did)
            self._seq = max(self._seq, seq)
        return done

    def _fold_days(self, arrived: Sequence[Stored], watch: Watch | None) -> Dones:
        if len(arrived) == 1:
            return self._fold_day(day_of(arrived[0].item.at), arrived, watch)
        done: Dones = {}
        left = due = len(arrived)
        for day, same in groupby(arrived, key=lambda stored: day_of(stored.item.at)):
            items = list(same)
            done |= self._fold_day(day, items, watch, mark=left <= due)
            due = left // 2 if left <= due else due  # each mark with half as much after it
            left -= len(items)
        return done

    def _fold_day(self, day: int, arrived: Sequence[Stored], watch: Watch | None, *, mark: bool = True) -> Dones:
        projection = self._projection
        if projection.day is not None and day > projection.day:
            self._work += projection.close_days(day, watch=watch)
            if mark:
                self._marks.add(projection, self._seq)
        self._work += len(arrived)
        if len(arrived) == 1:
            ((seq, item),) = arrived
            gain = projection.apply(item)
            done = {} if gain is None else {item.id: gain}
        else:
            done = projection.apply_all([stored.item for stored in arrived])
            seq = max([stored.seq for stored in arrived])
        self._seq = max(self._seq, seq)
        return done

    def _go_back(self, day: int) -> Mark | None:
        mark = self._marks.back_to(day)
        if mark is None:
            self._restart(until_day=day)
        else:
            self._projection = self._projection.turned_back(mark.projection)
        return mark

    def let_go_of_texts(self) -> None:
        """Forget what was made of texts: something was erased."""
