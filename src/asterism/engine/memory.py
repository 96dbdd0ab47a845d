"""The class users hold: a living memory, one space of it."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from asterism.core.calendar import MICROS_PER_HOUR, Moment, to_datetime, to_micros
from asterism.core.connections import read
from asterism.core.connections.model import (
    Changes,
    Link,
    Merged,
    Outlook,
    Predictions,
    Receipt,
    Settings,
    Star,
    Stats,
    Verify,
    Why,
)
from asterism.core.items import Payload, check_text
from asterism.core.nodes import slug
from asterism.core.parameters import Preset, Setting
from asterism.core.projection import Projection
from asterism.engine import advancing, merging, provenance, telling
from asterism.engine.advancing import MOST_DAYS
from asterism.engine.live import Live, Written
from asterism.engine.runner import HereRunner, Runner, ThreadRunner, closed
from asterism.engine.telling import Evidence, Said
from asterism.errors import InputError
from asterism.store.port import Store
from asterism.wiring import open_store

if TYPE_CHECKING:
    from asterism.sync import Memory as SyncMemory

Result = TypeVar("Result")
LARGE_BATCH = 1_000
EvidenceRow = Evidence | Mapping[str, str] | tuple[str, str, str]


class Reads:
    """What can be asked of a memory, now or as it was."""

    _runner: Runner
    _live: Live | None
    _at: int | None = None
    _known_at: int | None = None

    async def link(self, a: str, b: str, *, at: Moment | None = None) -> Link | None:
        """Give the connection between two nodes as seen from `a`, or None."""
        return await self._read(at, lambda folded: read.link(folded.connections, _id(folded, a), _id(folded, b)))

    async def links(self, a: str | None = None, b: str | None = None, *, at: Moment | None = None) -> list[Link]:
        """Give connections, strongest first: all of them, one node's, or the one of a pair."""
        return await self._read(at, lambda folded: read.links(folded.connections, _end(folded, a), _end(folded, b)))

    async def star(self, star: str, *, at: Moment | None = None) -> Star | None:
        """Give one star, or None."""
        return await self._read(at, lambda folded: read.star(folded.connections, _id(folded, star)))

    async def nodes(self, *, at: Moment | None = None) -> list[Star]:
        """Give every node (so far: stars), by id."""
        return await self._read(at, lambda folded: read.stars(folded.connections))

    async def predictions(self, *, at: Moment | None = None) -> Predictions:
        """Give what causal links expect or expected, with hit rate and calibration."""
        return await self._read(at, lambda folded: read.predictions(folded.connections))

    async def why(self, *ids: str) -> Why:
        """Explain a number: two ends for a link's strength, one star for its brightness, one item for its gain."""
        return await self._runner.run(lambda: provenance.why(self._open(), ids, at=self._at, known_at=self._known_at))

    async def curves(self, *, points: int = 30) -> dict[str, tuple[float, ...]]:
        """Give every link's strength through time, as so many points."""
        return await self._runner.run(
            lambda: provenance.curves(self._open(), at=self._at, known_at=self._known_at, points=points)
        )

    async def _read(self, at: Moment | None, look: Callable[[Projection], Result]) -> Result:
        moment = self._at if at is None else to_micros(at)
        return await self._runner.run(lambda: look(self._open().view(moment, known_at=self._known_at)))

    def _open(self) -> Live:
        if self._live is None or self._live.closed:
            raise closed()
        return self._live


class Memory(Reads):
    """A living memory: things become linked by evidence; links strengthen, fade and can say why.

    >>> with Memory.open_sync(":memory:", space="me") as memory:
    ...     sleep = memory.add_star("Sleep", domain="health")
    ...     mood = memory.add_star("Mood", domain="soul")
    ...     memory.observe("sleep", "mood", "user_creates").after
    0.15
    """

    def __init__(
        self,
        path: str | Path | Store,
        *,
        space: str,
        preset: Preset | None = None,
        parameters: Mapping[str, Setting] | None = None,
        clock: Callable[[], datetime] | datetime | None = None,
        read_only: bool = False,
        runner: Runner | None = None,
    ) -> None:
        check_text(space, field="space")
        self._path = path
        self._space = space
        self._preset = preset
        self._parameters = dict(parameters or {})
        self._clock = _clock(clock)
        self._read_only = read_only
        self._runner: Runner = runner or ThreadRunner()
        self._live: Live | None = None

    # Opening and closing

    @classmethod
    def open(
        cls,
        path: str | Path | Store,
        *,
        space: str,
        preset: Preset | None = None,
        parameters: Mapping[str, Setting] | None = None,
        clock: Callable[[], datetime] | datetime | None = None,
        read_only: bool = False,
    ) -> Self:
        """Open a memory for `async with`; `:memory:` lives as long as the process.

        `preset` and `parameters` are for a new space (None: "seed") and must agree with those recorded in one that is
        there. `clock` replaces the system clock: a function that gives aware datetimes, or one that stands still.
        """
        return cls(path, space=space, preset=preset, parameters=parameters, clock=clock, read_only=read_only)

    @classmethod
    def open_sync(
        cls,
        path: str | Path | Store,
        *,
        space: str,
        preset: Preset | None = None,
        parameters: Mapping[str, Setting] | None = None,
        clock: Callable[[], datetime] | datetime | None = None,
        read_only: bool = False,
    ) -> SyncMemory:
        """Open a memory for `with`: the same names, without await."""
        from asterism.sync import Memory as SyncMemory

        return SyncMemory(
            cls(
                path,
                space=space,
                preset=preset,
                parameters=parameters,
                clock=clock,
                read_only=read_only,
                runner=HereRunner(),
            )
        )

    async def __aenter__(self) -> Self:
        try:
            await self._runner.run(self._start)
        except BaseException:
            self._runner.stop()  # waits for an opening that was cancelled on the way
            self._let_go()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the file; what was acknowledged is there."""
        if self._live is not None and not self._live.closed:
            await self._runner.run(self._let_go)
            self._runner.stop()

    def _start(self) -> None:
        mine = not isinstance(self._path, Store)
        store = self._path if isinstance(self._path, Store) else open_store(self._path, read_only=self._read_only)
        try:
            live = Live(store, self._space, clock=self._clock, preset=self._preset, overrides=self._parameters)
            live.refresh()
        except BaseException:
            if mine:
                store.close()
            raise
        self._live = live

    def _let_go(self) -> None:
        if self._live is not None:
            self._live.closed = True
            if not isinstance(self._path, Store):
                self._live.store.close()

    # Stars

    async def add_star(self, name: str, *, domain: str, at: Moment | None = None, source: str | None = None) -> Star:
        """Add a star; its id is its name in small letters. Adding it again changes nothing."""
        payload = telling.star_added(name, domain)
        return await self._star(str(payload["star"]), lambda _: Said("star_added", payload, at, source))

    async def acknowledge(self, star: str, *, at: Moment | None = None, source: str | None = None) -> Star:
        """Say that a star is real: NASCENT becomes FLICKERING at .3."""
        return await self._act(star, "acknowledged", at, source)

    async def engage(
        self, star: str, *, impact: float | None = None, at: Moment | None = None, source: str | None = None
    ) -> Star:
        """Engage with a star: it brightens by `impact` (.03), more with a bright enabler, at most .06 a day."""
        return await self._star(
            star,
            lambda folded: Said(
                "engaged",
                telling.engaged(folded, star, folded.parameters.engage_impact if impact is None else impact),
                at,
                source,
            ),
        )

    async def set_brightness(
        self, star: str, value: float, *, at: Moment | None = None, source: str | None = None
    ) -> Star:
        """Observe how bright a star is: sets the day's value."""
        return await self._star(
            star,
            lambda folded: Said(
                "brightness_observed",
                telling.brightness_observed(folded, star, value, folded.parameters),
                at,
                source,
            ),
        )

    async def contradict(self, star: str, *, at: Moment | None = None, source: str | None = None) -> Star:
        """Note that what was done contradicts what was said; three make a star DARK."""
        return await self._act(star, "contradicted", at, source)

    async def mark_dark(self, star: str, *, at: Moment | None = None, source: str | None = None) -> Star:
        """Mark a star as DARK."""
        return await self._act(star, "dark_marked", at, source)

    async def dispute_dark(self, star: str, *, at: Moment | None = None, source: str | None = None) -> Star:
        """Dispute that a star is DARK: it is DIM, and contradictions are forgotten."""
        return await self._act(star, "dark_disputed", at, source)

    # Connections

    async def observe(
        self,
        a: str,
        b: str,
        kind: str,
        *,
        at: Moment | None = None,
        source: str | None = None,
        note: str | None = None,
    ) -> Receipt:
        """Add evidence for a link; the receipt says what it really added, and what capped it."""
        return (await self.observe_many([Evidence(a, b, kind, at, source, note)]))[0]

    async def observe_many(self, rows: Iterable[EvidenceRow]) -> list[Receipt]:
        """Add much evidence at once: one transaction, all of it or none, in any order of time."""
        wanted = [telling.as_evidence(row) for row in rows]

        def work() -> list[Receipt]:
            live = self._open()
            written = live.write(lambda folded: telling.evidence_items(live, folded, wanted))
            return [_receipt(live, each) for each in written]

        if len(wanted) < LARGE_BATCH:
            return await self._runner.run(work)
        return await self._runner.run(_without_collection, work)

    async def deny(self, a: str, b: str, *, at: Moment | None = None, source: str | None = None) -> Link | None:
        """Deny a link: .15 from WEAK and above, dissolution below."""
        return await self._link(a, b, lambda folded: Said("denied", telling.denied(folded, a, b), at, source))

    async def assign_type(
        self,
        a: str,
        b: str,
        kind: str,
        *,
        direction: str | None = None,
        at: Moment | None = None,
        source: str | None = None,
    ) -> Link | None:
        """Say what kind a link is; detection leaves it alone from then on."""
        return await self._link(
            a,
            b,
            lambda folded: Said("type_assigned", telling.type_assigned(folded, a, b, kind, direction), at, source),
        )

    # Time

    async def advance(
        self,
        *,
        days: float | None = None,
        hours: float | None = None,
        to: Moment | None = None,
        discover: bool = False,
    ) -> Changes:
        """Let time pass: decay, states, types, influence; `discover` also looks for links nobody named."""
        return await self._runner.run(
            lambda: advancing.advance(
                self._open(),
                by=_span(days, hours),
                to=None if to is None else to_micros(to),
                discover=discover,
            )
        )

    async def as_of(self, at: Moment, *, known_at: Moment | None = None) -> Snapshot:
        """Show the memory as it was at a time; with `known_at`, by what was known then."""
        moment = to_micros(at)
        known = None if known_at is None else to_micros(known_at)

        def work() -> Snapshot:
            live = self._open()
            live.refresh()
            live.moment(moment)
            return Snapshot(live, self._runner, at=moment, known_at=known)

        return await self._runner.run(work)

    async def project(self, to: Moment | None = None, *, days: float | None = None, limit: int = 100) -> Outlook:
        """Say what will fade, and when, if nothing happens; the strongest links first, `limit` at most."""

        def work() -> Outlook:
            live = self._open()
            live.refresh()
            until = to_micros(to) if to is not None else live.now() + (_span(days, None) or _span(30, None) or 0)
            return provenance.project(live, until, limit=limit)

        return await self._runner.run(work)

    # The memory as a whole

    async def merge(self, other: str | Path | Memory) -> Merged:
        """Take in another copy's ledger for this space: the set union of both, erasures honoured."""
        return await self._runner.run(
            lambda: merging.merge(self._open(), other._open().store if isinstance(other, Memory) else other)
        )

    async def verify(self) -> Verify:
        """Replay the ledger and compare with what is stored, bit for bit."""
        return await self._runner.run(lambda: provenance.verify(self._open()))

    async def stats(self) -> Stats:
        """Count what there is, and what was dropped."""
        return await self._runner.run(lambda: provenance.stats(self._open()))

    async def parameters(self) -> Settings:
        """Give the parameters this space is folded with, and which presets and values made them."""

        def work() -> Settings:
            live = self._open()
            return Settings(live.preset, dict(live.overrides), live.parameters.to_dict(), live.parameters.digest())

        return await self._runner.run(work)

    async def configure(self, *, preset: Preset = "seed", parameters: Mapping[str, Setting] | None = None) -> Stats:
        """Change the parameters of this space for good: the ledger stays, its projection is folded anew."""

        def work() -> Stats:
            self._live = advancing.reconfigured(self._open(), preset, dict(parameters or {}))
            return provenance.stats(self._live)

        return await self._runner.run(work)

    # What the methods above share

    async def _act(self, star: str, what: str, at: Moment | None, source: str | None) -> Star:
        return await self._star(star, lambda folded: Said(what, {"star": telling.known_star(folded, star)}, at, source))

    async def _star(self, star: str, say: Callable[[Projection], Said]) -> Star:
        def work() -> Star:
            live = self._open()
            live.write(lambda folded: [telling.item_of(live, say(folded))])
            folded = live.refresh()
            found = read.star(folded.connections, telling.known_star(folded, star))
            assert found is not None
            return found

        return await self._runner.run(work)

    async def _link(self, a: str, b: str, say: Callable[[Projection], Said]) -> Link | None:
        def work() -> Link | None:
            live = self._open()
            live.write(lambda folded: [telling.item_of(live, say(folded))])
            folded = live.refresh()
            return read.link(folded.connections, _id(folded, a), _id(folded, b))

        return await self._runner.run(work)


class Snapshot(Reads):
    """A memory as it was; it answers what a memory answers, and changes nothing."""

    def __init__(self, live: Live, runner: Runner, *, at: int, known_at: int | None) -> None:
        self._live = live
        self._runner = runner
        self._at = at
        self._known_at = known_at

    @property
    def at(self) -> datetime:
        """The moment this shows."""
        assert self._at is not None
        return to_datetime(self._at)


def _id(folded: Projection, name: str) -> str:
    """Read a name as an id: an id stays as it is, a name becomes its id."""
    slugged = slug(name)
    return name if name in folded.nodes.rows or slugged not in folded.nodes.rows else slugged


def _end(folded: Projection, name: str | None) -> str | None:
    return None if name is None else _id(folded, name)


def _receipt(live: Live, written: Written) -> Receipt:
    gain = written.gain
    if gain is None:
        payload: Payload = written.item.payload
        folded = live.refresh().connections
        seen = read.link(folded, str(payload["a"]), str(payload["b"]))
        strength = seen.strength if seen else 0.0
        return Receipt(written.item.id.hex(), True, 0.0, 0.0, 0.0, 0.0, None, strength, strength)
    return Receipt(
        written.item.id.hex(),
        False,
        gain.gain,
        gain.raw_gain,
        gain.freshness,
        gain.day_total,
        gain.capped_by,
        gain.before,
        gain.after,
    )


def _without_collection(work: Callable[[], Result]) -> Result:
    """Pause the cyclic collector for a large batch: none of its items is garbage, and all would be searched."""
    if not gc.isenabled():
        return work()
    gc.disable()
    try:
        return work()
    finally:
        gc.enable()


def _clock(clock: Callable[[], datetime] | datetime | None) -> Callable[[], int]:
    if clock is None:
        return lambda: time.time_ns() // 1000
    if isinstance(clock, datetime):
        still = to_micros(clock)
        return lambda: still
    return lambda: to_micros(clock())


def _span(days: float | None, hours: float | None) -> int | None:
    if days is None and hours is None:
        return None
    total = float(days or 0.0) * 24 + float(hours or 0.0)
    if not 0 < total <= MOST_DAYS * 24:  # and not NaN
        raise InputError(
            f"{total:g} hours are no span of time",
            code="bad_span",
            item=f"{total:g}",
            hint=f"give days or hours above 0, {MOST_DAYS:,} days at most",
        )
    return round(total * MICROS_PER_HOUR)
