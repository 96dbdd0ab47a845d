"""A space as it lives in this process: read (see `looking`), written, and kept up to date (see `follow`).

Reads write no item; what took long to make for them may be kept, as checkpoint, cache or vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from asterism.core.connections.day import Watch
from asterism.core.ledger.calendar import EARLIEST, day_of, written
from asterism.core.ledger.capability import Done
from asterism.core.ledger.graph import Stale
from asterism.core.ledger.items import Item, moved
from asterism.core.ledger.parameters import Preset, Setting
from asterism.core.ledger.payloads import texts
from asterism.core.space.capabilities import CAPABILITIES, Capabilities
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import Resolver
from asterism.embed import open_embedder
from asterism.engine.space.clock import Clock
from asterism.engine.space.collecting import AT_ONCE
from asterism.engine.space.follow import Dones
from asterism.engine.space.looking import Looking
from asterism.engine.space.sent import Sending
from asterism.engine.space.tables import tend
from asterism.engine.space.vectors import EmbedderSpec, VectorTable, embedder_of, refuse_another
from asterism.errors import InputError, StoreError
from asterism.hints import Hint, in_python, option
from asterism.store.port import Appended, Cache, Checkpoint, Store, Stored, Version, Writing

Result = TypeVar("Result")
NO_DAY = day_of(EARLIEST)  # of a checkpoint in which none is open: nothing with a day comes too late for it
CHECKPOINTS_KEPT = 4  # of a space that counts days; what knows none is never gone back for, and needs the last alone
LARGE_WORK = 1_000  # blocks of a dream, or items of an import, after which a checkpoint is stored whatever came before
CHECKPOINT_WORK = 20_000  # items, or link-days / 50, after which a writer stores a checkpoint
ANOTHER = Hint(
    "told ",
    in_python("of", otherwise=Hint(option("at"))),
    " another time, or by another ",
    in_python("source", otherwise=Hint(option("source"))),
    ", it is something new",
)


class Written(NamedTuple):
    """What became of an item that was sent, and what it did: evidence gains, a batch is taken in, a block learned."""

    item: Item
    outcome: Appended
    done: Done | None


@dataclass
class Tally:
    """What became of the items of another ledger."""

    added: int = 0
    duplicates: int = 0
    buried: list[Item] = field(default_factory=list)  # erased here: they stay away
    erased: list[bytes] = field(default_factory=list)  # what new items say was erased
    last_seq: int = 0

    def count(self, items: Sequence[Item], outcomes: Sequence[Appended]) -> list[Stored]:
        """Count a batch, and give those that are new, in the order (at, id)."""
        added = _added(items, outcomes)
        self.added += len(added)
        self.duplicates += sum(outcome.duplicate for outcome in outcomes)
        self.buried += [item for item, outcome in zip(items, outcomes, strict=True) if outcome.buried]
        self.erased += [bytes.fromhex(name) for _, item in added if item.what == "erased" for name in erased_ids(item)]
        self.last_seq = max([self.last_seq, *(seq for seq, _ in added)])
        return added


class Beside(Protocol):
    """What comes with the items of another ledger."""

    def build(self, tally: Tally) -> Sequence[Item]:
        """Give what must be told too, now that all of them are there."""

    def store(self, writing: Writing) -> None:
        """Store what is no item."""


class Live(Looking):
    """One space of a store, folded, for reading and writing."""

    def __init__(
        self,
        store: Store,
        space: str,
        *,
        clock: Clock,
        preset: Preset | None = None,
        overrides: dict[str, Setting] | None = None,
        embedder: EmbedderSpec = None,
        capabilities: Capabilities = CAPABILITIES,
    ) -> None:
        super().__init__(store, space, clock=clock, preset=preset, overrides=overrides, capabilities=capabilities)
        self.closed = False
        self.writes = 0  # transactions of items that came to their commit
        self._tabling = {"erased", *(kind for row in capabilities if row.table for kind in row.kinds)}
        self._tabled = False  # whether the derived tables were seen to
        self.embedder = embedder
        self._texts: VectorTable | None = None
        self.of_texts: object | None = None  # what was made of the vectors, and must go with them
        self.of_names: object | None = None  # what was made of the names that texts are looked through for
        self.of_values: object | None = None  # what was made of the values that were told
        self._resolver: Resolver | None = None  # of names that were told before

    # Vectors, opened when they are first needed

    def texts(self) -> VectorTable:
        """Give the vectors of this space's texts; an embedder that did not make those there are is refused."""
        recorded = self.store.embedder(self.space)
        chosen = self._texts
        if chosen is None or (self.embedder is None and recorded not in (None, chosen.embedder.identity)):
            self.use_texts(VectorTable(self.store, self.space, embedder_of(self.embedder, recorded)))
        assert self._texts is not None
        refuse_another(self._texts.embedder, recorded, self.space)
        return self._texts

    def own_texts(self) -> VectorTable:
        """Give vectors by the embedder this memory was opened with, whichever made those there are."""
        return VectorTable(self.store, self.space, open_embedder(self.embedder))

    def use_texts(self, texts: VectorTable) -> None:
        """Use other vectors from now on."""
        self._texts, self.of_texts = texts, None
        if self.past is not None:
            self.past.of_texts = None

    def let_go_of_texts(self) -> None:
        """Forget vectors, index, names and looks: something was erased, and must not be written again from here."""
        if self._texts is not None:
            self._texts.forget()
        self.of_texts = self.of_names = self.of_values = self.past = None

    def begin_anew(self) -> None:
        """Let go of everything that was made here, and of what somebody left undone in the store."""
        self._unfold()
        self.let_go_of_texts()
        if not self.closed:
            self.store.recover()

    def keep(self, name: str, cache: Cache) -> None:
        """Store a cache of what is folded here, unless there is no room or someone wrote since: then it may be untrue.

        It may even hold words of what they erased. The next process computes it again.
        """
        with suppress(StoreError):
            with self.store.writing(self.space) as writing:
                if self.store.version(self.space) != self._version:
                    return
                writing.put_cache(name, cache)
            self._version = writing.version

    def keep_vectors(self, texts: VectorTable) -> None:
        """Store the vectors that were made here, unless someone wrote since: it may have erased one of the texts."""
        made = texts.made()
        if not made:
            return
        with suppress(StoreError):
            with self.store.writing(self.space) as writing:
                recorded = self.store.embedder(self.space)
                if self.store.version(self.space) != self._version or recorded not in (None, texts.embedder.identity):
                    return
                texts.keep(writing, made)
            self._version = writing.version
            texts.kept(made)

    # Writing

    def transact(
        self,
        build: Callable[[Projection], tuple[Sequence[Item], Result]],
        *,
        beside: Callable[[Writing, Result], object] = lambda _, __: None,
        told: Collection[str] = (),
        anew: Callable[[Result], Projection] | None = None,
    ) -> tuple[list[Written], Result]:
        """Append the items that `build` gives for all there is now, durably, then fold them: one unit of work.

        `build` gives something besides, which comes back to the caller and goes to what is stored `beside` the items.
        What was erased is left out; if it is of a kind that somebody `told`, all is refused, and nothing is written.
        Whoever erases, so that all must be folded again, may have done it already: `anew` gives what is there then.
        """
        return self._write(lambda: build(self.refresh()), beside, told, anew=anew)

    def write(
        self,
        build: Callable[[Projection], Sequence[Item]],
        *,
        watch: Watch | None = None,
        told: Collection[str] = (),
    ) -> list[Written]:
        """Append items as `transact` does, where nothing else is asked for.

        What came out of order is only folded anew if `build` comes upon it: the many small writes need none of it.
        """

        def once() -> tuple[Sequence[Item], None]:
            try:
                return build(self._keep_up()), None
            except Stale:
                return build(self.refresh()), None

        return self._write(once, lambda _, __: None, told, watch)[0]

    def _write(
        self,
        build: Callable[[], tuple[Sequence[Item], Result]],
        beside: Callable[[Writing, Result], object],
        told: Collection[str],
        watch: Watch | None = None,
        anew: Callable[[Result], Projection] | None = None,
    ) -> tuple[list[Written], Result]:
        with Sending(self) as sending:
            with self.store.writing(self.space) as writing:
                items, result = build()
                sending.items = items
                outcomes = self._append(writing, items)
                refuse_erased(told, items, outcomes)
                added = _added(items, outcomes)
                late = self._late_day(added)
                if late is not None:
                    writing.drop_checkpoints(after_day=late)
                self._tend_tables(writing, added)
                beside(writing, result)
                buried = self.store.buried(self.space) if anew is not None else 0
                self.writes += 1
            sending.is_committed = True
            self._recorded, self._tabled, self.past = self._record, True, None
            if anew is not None:
                last = max(stored.seq for stored in added)
                self._take_up(anew(result), seq=last, version=writing.version, buried=buried)
                return [Written(item, outcome, None) for item, outcome in zip(items, outcomes, strict=True)], result
            self._learn(added)
            done = self._folded(added, late, writing.version, watch)
        with suppress(StoreError):  # what was sent is durable; a checkpoint is a cache, and the next write tries again
            self.checkpoint_if_due()
        whole = zip(items, outcomes, strict=True)
        return [Written(item, outcome, done.get(item.id)) for item, outcome in whole], result

    def _folded(self, added: list[Stored], late: int | None, version: Version, watch: Watch | None) -> Dones:
        """Fold what was just written here, going back if some of it is late."""
        if self._version is None:
            return {}
        self._version = version  # what others wrote before is folded; what they write from now on differs
        if late is not None:
            with self.store.one_moment():
                added = self._arrived()
        return self._fold(added, watch)

    def take_in(self, batches: Iterable[Sequence[Item]], beside: Beside) -> Tally:
        """Append the items of another ledger in one transaction, however many, then fold them: never all are held.

        An error on the way, in reading them too, leaves nothing behind.
        """
        tally = Tally()
        with Sending(self) as sending:
            version = self._taken_in(batches, beside, tally)
            sending.is_committed = True
            self._recorded, self._tabled, self._learnt = self._record, True, None
            if self.store.buried(self.space) != self._buried:  # by an item that came, or beside them
                self._version, self._tabled = None, False
            if self._version is not None:
                self._version = version
                with self.store.one_moment():
                    if tally.added > AT_ONCE:
                        self._fold_many(until_seq=tally.last_seq, count=tally.added)
                    else:
                        self._fold(self._arrived())
        with suppress(StoreError):  # what was sent is durable; a checkpoint is a cache, and the next write tries again
            self.checkpoint_if_due()
        return tally

    def _taken_in(self, batches: Iterable[Sequence[Item]], beside: Beside, tally: Tally) -> Version:
        """Append the items of another ledger; gives the version that the space has by it."""
        late_days: list[int] = []
        tabling: list[Stored] = []
        with self.store.writing(self.space) as writing:
            self.refresh()
            if self._recorded is None:
                writing.set_parameters(self._record)

            def append(batch: Sequence[Item]) -> None:
                added = tally.count(batch, writing.append(batch))
                if (day := self._late_day(added)) is not None:
                    late_days.append(day)
                tabling.extend(stored for stored in added if stored.item.what in self._tabling)

            for batch in batches:
                append(batch)
            append(beside.build(tally))
            if tally.erased:
                writing.bury(tally.erased)
            if late_days:
                writing.drop_checkpoints(after_day=min(late_days))
            self._tend_tables(writing, tabling)
            beside.store(writing)
            self.writes += 1
        return writing.version

    def _append(self, writing: Writing, items: Sequence[Item]) -> list[Appended]:
        """Append items in a transaction, and bury what they say was erased."""
        if self._recorded is None:
            writing.set_parameters(self._record)
        outcomes = writing.append(items)
        for item, outcome in zip(items, outcomes, strict=True):
            if item.what == "erased" and outcome.seq is not None:  # the item that carries the tombstones
                writing.bury(bytes.fromhex(name) for name in erased_ids(item))
                self._version = None
        return outcomes

    def _tend_tables(self, writing: Writing, added: Sequence[Stored]) -> None:
        """Keep the derived tables to what is folded with these items; whoever writes first here sees to all of them."""
        items = [stored.item for stored in added if stored.item.what in self._tabling]
        if items or not self._tabled:
            erased = {bytes.fromhex(name) for item in items if item.what == "erased" for name in erased_ids(item)}
            tend(self.store, writing, self.space, self._projection, added=items, erased=erased)

    def leave_checkpoint(self, *, work: int) -> bool:
        """Store a checkpoint after something large, so that the next process need not fold it; say if there is one."""
        if work < LARGE_WORK:
            return False
        with suppress(StoreError):
            self.checkpoint_if_due(at_least=1)
        return not self._work

    def leave_what_took_long(self) -> None:
        """Store a checkpoint, before this is closed, if much was folded to read it: the next need not fold it."""
        if not self.closed:
            with suppress(StoreError), self.store.without_waiting():  # read only, no room, or somebody writes: the next
                self.checkpoint_if_due()  # process folds it again

    def checkpoint_if_due(self, *, at_least: int = CHECKPOINT_WORK) -> None:
        """Store a checkpoint when opening this space would otherwise cost a writer's patience."""
        projection = self._projection
        if self._work < at_least or projection.latest_at is None or projection.stale or self._version is None:
            return
        day = NO_DAY if projection.day is None else projection.day
        with self.store.writing(self.space) as writing:
            if self.store.version(self.space) != self._version:
                return  # someone wrote in between: the next write will do it
            kept = Checkpoint(self.fingerprint, self._seq, day, projection.latest_at, projection.dump())
            writing.put_checkpoint(kept, keep=CHECKPOINTS_KEPT if projection.day is not None else 1)
        self._version = writing.version
        self._work = 0

    def has(self, item: Item) -> bool:
        """Say whether an item is there; asked of the store only where it could be."""
        latest = self._projection.latest_at
        return latest is not None and item.at <= latest and self.store.item(self.space, item.id, at=item.at) is not None

    def anew(self, item: Item) -> Item:
        """Give an item at the first time, from its own on, at which it is not there and was not erased."""
        while self.has(item) or (self._buried and self.store.is_buried(self.space, item.id)):
            item = moved(item, at=item.at + 1)
        return item

    def resolver(self, projection: Projection) -> Resolver:
        """Give what finds the nodes that are named; names that were told before are known while no node is another."""
        if self._resolver is None or not self._resolver.holds(projection):
            self._resolver = Resolver(projection)
        return self._resolver


def _added(items: Sequence[Item], outcomes: Sequence[Appended]) -> list[Stored]:
    """Give the items that were not there before, in the order (at, id)."""
    added = [
        Stored(outcome.seq, item) for item, outcome in zip(items, outcomes, strict=True) if outcome.seq is not None
    ]
    if len(added) > 1:
        added.sort(key=lambda stored: (stored.item.at, stored.item.id))
    return added


def refuse_erased(kinds: Collection[str], items: Sequence[Item], outcomes: Sequence[Appended]) -> None:
    """Say that something of these kinds is told which was erased: the very same thing does not come back.

    Of several that are told, the error says which row it is.
    """
    told = [place for place, item in enumerate(items) if item.what in kinds] if kinds else []
    for row, place in enumerate(told, start=1):
        if outcomes[place].buried:
            item = items[place]
            error = InputError(
                f"this was erased ({item.what} at {written(item.at)}), and does not come back",
                code="erased",
                item=item.id.hex(),
                hint=ANOTHER,
            )
            error.row = row if len(told) > 1 else None
            raise error


def erased_ids(item: Item) -> list[str]:
    """Give the ids that an `erased` item names."""
    return texts(item.payload, "ids")
