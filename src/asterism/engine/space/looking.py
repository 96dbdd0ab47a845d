"""Looking at a space: as it is, as it was, and on days to come; at the time that its clock says, if that is believed.

A look at a later day works on a copy of what days change, a look back on a fold of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from asterism.core.ledger.calendar import DAY_END, When, day_of, to_micros, written
from asterism.core.ledger.items import Item
from asterism.core.ledger.parameters import Preset, Setting
from asterism.core.space.capabilities import CAPABILITIES, Capabilities
from asterism.core.space.projection import Projection
from asterism.engine.space.clock import RELEASED_AT, Clock, SystemClock, doubt
from asterism.engine.space.follow import Ahead, Following
from asterism.errors import ClockError, InputError
from asterism.hints import Blank, Hint, step
from asterism.store.port import Store

WATCHED_LINK_DAYS = 50_000_000  # about three seconds of folding


@dataclass
class Past:
    """A look back: of which version, by which parameters, at which time and by what was known when."""

    told: tuple[object, ...]
    projection: Projection
    of_texts: object | None = None  # what was made of its texts


class Looking(Following):
    """One space of a store, folded, for reading."""

    def __init__(
        self,
        store: Store,
        space: str,
        *,
        clock: Clock,
        preset: Preset | None = None,
        overrides: dict[str, Setting] | None = None,
        capabilities: Capabilities = CAPABILITIES,
    ) -> None:
        super().__init__(store, space, clock=clock, preset=preset, overrides=overrides or {}, capabilities=capabilities)
        self.past: Past | None = None  # the last look back

    # The time

    def now(self) -> int:
        """The memory's clock: the latest item or the system clock, whichever is later."""
        latest, clock = self._projection.latest_at, self.believed()
        return clock if latest is None else max(latest, clock)

    def believed(self) -> int:
        """Read the clock; in place of one that cannot be believed, say when something was last learnt."""
        system = self.clock()
        if self.doubt(system) is None:
            return system
        known = self.last_known
        return RELEASED_AT if known is None else known

    def stamp(self) -> int:
        """Read the clock to say when something is learnt; one that cannot be believed is refused."""
        system = self.clock()
        doubted = self.doubt(system)
        if doubted is not None:
            raise doubted
        return system

    @property
    def clock_note(self) -> str:
        """Say in words that the system's clock is not believed; nothing if it is."""
        doubted = self.doubt()
        return "" if doubted is None else f"{doubted.message}: it is not believed, and nothing is written by it"

    def doubt(self, system: int | None = None) -> ClockError | None:
        """Say why the system's clock cannot be believed; None if it can, or somebody answers for it."""
        if not isinstance(self.clock, SystemClock):
            return None
        return doubt(self.clock() if system is None else system, self.last_known)

    def moment(self, at: int | None) -> int:
        """Take a time to look at, that is not the future; none means now."""
        now = self.now()
        if at is not None and at > now:
            ahead = Hint(step("project", Blank("to")), " shows what lies ahead; leave the time out to see now")
            raise future_time(at, now, hint=ahead)
        return now if at is None else at

    def reading_now(self) -> int:
        """Give the latest time that can be looked at."""
        self.refresh()
        return self.now()

    def reading_time(self, at: When) -> int:
        """Take a time to look at: a date means its end, or now if that is earlier."""
        self.refresh()
        return self.moment(to_micros(at, of_date=DAY_END, now=self.now()))

    # What is seen

    def view(self, at: int | None = None, *, known_at: int | None = None) -> Projection:
        """Show the space as it is, or as it was; what is given must not be changed."""
        projection = self.refresh()
        moment = self.moment(at)
        day = day_of(moment)
        latest = projection.latest_at
        if known_at is not None or (latest is not None and moment < latest):
            return self._seen_back(moment, known_at).projection
        projection.look(moment)
        if projection.day is None or projection.day >= day:
            return projection
        told = (projection, projection.dated)
        if self._ahead is None or self._ahead.told != told or self._ahead.day > day:
            self._ahead = Ahead(told, day, projection.ahead())
        self._ahead = self._ahead._replace(day=day)
        self._ahead.projection.share(projection)  # items without a day may have come since
        self._ahead.projection.close_days(day)
        return self._ahead.projection

    def _seen_back(self, moment: int, known_at: int | None) -> Past:
        """Fold the space as it was, once for all that is asked of it while nobody writes."""
        told = (self._version, self.fingerprint, moment, known_at)
        if self.past is None or self.past.told != told:
            self.past = None  # before another is made: they are large
            projection = self.replay(moment, known_at=known_at)
            projection.look(moment)
            self.past = Past(told, projection)
        return self.past

    def replay(
        self,
        at: int,
        *,
        known_at: int | None = None,
        watch: Callable[[Projection], object] | None = None,
        before: Item | None = None,
    ) -> Projection:
        """Fold the ledger up to a time: from the nearest checkpoint, or from nothing when someone watches.

        Where watching everything would take too long, the watch begins at a checkpoint too, and says so. `before` an
        item of that time only what stands before it is folded; what it counts by is known whatever its time.
        """

        def stored(**asked: Collection[str] | int) -> list[Item]:
            found = self.store.items(self.space, until_at=at, known_until=known_at, **asked)  # type: ignore[arg-type]  # by name
            return [each.item for each in found if before is None or each.item.position < before.position]

        start, seq = Projection(self.parameters), 0
        with self.store.one_moment():
            if known_at is None and (watch is None or self._long_history()):
                last = at if before is None else before.at - 1
                checkpoint = self.store.checkpoint(self.space, self.fingerprint, until_at=last)
                if checkpoint is not None:
                    start, seq = self._loaded(checkpoint)
            items = stored(after_seq=seq, without=self.capabilities.not_replayed)
            if before is not None and self.capabilities.has_judges(before):
                judged_by = self.capabilities.judged_by
                later = self.store.items(self.space, after_seq=seq, known_until=known_at, only=judged_by)
                items += [each.item for each in later if each.item.position > before.position]
            watcher = watch(start) if watch else None
            start.apply_all(items, watch=watcher)
            for row in start.stale_rows():  # one of its items came after the checkpoint, and before something in it
                start.refold(row, stored(only=row.kinds))
        start.close_days(day_of(at), watch=watcher)
        return start

    def _long_history(self) -> bool:
        graph, day = self._projection.connections.graph, self._projection.day
        return day is not None and graph.links.size * max(day - graph.first_star_day, 0) > WATCHED_LINK_DAYS


def future_time(at: int, now: int, *, hint: str) -> InputError:
    """Say that a time has not come yet."""
    return InputError(
        f"{written(at)} is in the future: the clock stands at {written(now)}",
        code="future_time",
        item=written(at),
        hint=hint,
    )
