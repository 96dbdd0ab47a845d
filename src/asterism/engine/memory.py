"""The class users hold: a living memory, one space of it."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from asterism.core.connections import read
from asterism.core.connections.fold import KINDS as CONNECTION_KINDS
from asterism.core.connections.fold import Gain
from asterism.core.connections.model import (
    Changes,
    Merged,
    Outlook,
    Receipt,
    Settings,
    Star,
    Stats,
    Verify,
)
from asterism.core.ledger.arguments import is_number
from asterism.core.ledger.calendar import (
    DAY_END,
    MICROS_PER_DAY,
    MICROS_PER_HOUR,
    When,
    in_calendar,
    to_datetime,
    to_micros,
)
from asterism.core.ledger.items import Payload, check_text, cut
from asterism.core.ledger.model import Link
from asterism.core.ledger.parameters import Preset, Setting, settings_of
from asterism.core.levels.resting import Resting
from asterism.core.space.capabilities import CAPABILITIES, Capabilities
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.engine.blocks.calls import BlockCalls, BlockReads
from asterism.engine.care import verify as provenance
from asterism.engine.care.calls import CareCalls
from asterism.engine.care.erase_calls import ErasureCalls
from asterism.engine.connections import advance as advancing
from asterism.engine.connections import tell as telling
from asterism.engine.connections.advance import MOST_DAYS
from asterism.engine.connections.tell import Evidence, EvidenceRow
from asterism.engine.exchange import merge as merging
from asterism.engine.exchange.calls import ExchangeCalls, ExchangeReads
from asterism.engine.explain.calls import ExplainReads
from asterism.engine.explore.calls import ExplorationCalls, RecallReads
from asterism.engine.graph.calls import Reads, node_id
from asterism.engine.market.calls import MarketCalls, MarketReads
from asterism.engine.space.live import Live, Written
from asterism.engine.space.said import Said, item_of
from asterism.engine.space.threads import HereRunner, Runner, ThreadRunner
from asterism.engine.space.vectors import EmbedderSpec
from asterism.engine.transcripts.calls import TranscriptCalls, TranscriptReads
from asterism.errors import InputError
from asterism.hints import Hint, mention
from asterism.store.port import Store
from asterism.wiring import open_store

if TYPE_CHECKING:
    from asterism.sync import Memory as SyncMemory

Result = TypeVar("Result")
LARGE_BATCH = 1_000


class Memory(
    Reads,
    RecallReads,
    ExplainReads,
    MarketReads,
    MarketCalls,
    BlockReads,
    BlockCalls,
    TranscriptReads,
    TranscriptCalls,
    ExplorationCalls,
    ExchangeReads,
    ExchangeCalls,
    CareCalls,
    ErasureCalls,
):
    """A living memory: things become linked by evidence; links strengthen, fade and can say why.

    What is told without `at` is told of now; with a date, of its noon UTC, or of now if today's noon is still to come.

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
        embedder: EmbedderSpec = None,
        runner: Runner | None = None,
        capabilities: Capabilities = CAPABILITIES,
    ) -> None:
        check_text(space, field="space")
        self._path = path
        self._space = space
        self._preset = preset
        self._parameters = settings_of(parameters)
        self._clock = _clock(clock)
        self._read_only = read_only
        self._embedder = embedder
        self._runner: Runner = runner or ThreadRunner()
        self._capabilities = capabilities
        self._live: Live | None = None
        self._resting: dict[str, Resting] = {}

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
        embedder: EmbedderSpec = None,
    ) -> Self:
        """Open a memory for `async with`: a file, or a URL of one; `:memory:` lives as long as the process.

        `preset` and `parameters` are for a new space (None: "seed") and must agree with those recorded in one that is
        there. `clock` replaces the system clock: a function that gives aware datetimes, or one that stands still.
        `embedder` makes vectors of texts: a name (default, hashed, minilm, remote:URL#MODEL), an object with
        embed(texts), or a function; None means the one that made the vectors there are, else the offline default.
        """
        return cls(
            path,
            space=space,
            preset=preset,
            parameters=parameters,
            clock=clock,
            read_only=read_only,
            embedder=embedder,
        )

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
        embedder: EmbedderSpec = None,
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
                embedder=embedder,
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
            live = Live(
                store,
                self._space,
                clock=self._clock,
                preset=self._preset,
                overrides=self._parameters,
                embedder=self._embedder,
                capabilities=self._capabilities,
            )
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

    async def add_star(self, name: str, *, domain: str, at: When | None = None, source: str | None = None) -> Star:
        """Add a star; its id is its name in small letters. Adding it again changes nothing; its domain stays."""
        return await self._star(
            lambda live, folded: Said("star_added", telling.star_added(live, folded, name, domain, at), at, source)
        )

    async def acknowledge(self, id: str, *, at: When | None = None, source: str | None = None) -> Star:
        """Say that a star is real: NASCENT becomes FLICKERING at .3."""
        return await self._act(id, "acknowledged", at, source)

    async def engage(
        self, id: str, *, impact: float | None = None, at: When | None = None, source: str | None = None
    ) -> Star:
        """Engage with a star: it brightens by `impact` (.03), more with a bright enabler, at most .06 a day."""
        return await self._star(
            lambda _, folded: Said(
                "engaged",
                telling.engaged(folded, id, folded.parameters.connections.engage_impact if impact is None else impact),
                at,
                source,
            ),
        )

    async def set_brightness(self, id: str, value: float, *, at: When | None = None, source: str | None = None) -> Star:
        """Observe how bright a star is: sets the day's value."""
        return await self._star(
            lambda _, folded: Said(
                "brightness_observed",
                telling.brightness_observed(folded, id, value, folded.parameters.connections),
                at,
                source,
            ),
        )

    async def contradict(self, id: str, *, at: When | None = None, source: str | None = None) -> Star:
        """Note that what was done contradicts what was said; three make a star DARK."""
        return await self._act(id, "contradicted", at, source)

    async def mark_dark(self, id: str, *, at: When | None = None, source: str | None = None) -> Star:
        """Mark a star as DARK."""
        return await self._act(id, "dark_marked", at, source)

    async def dispute_dark(self, id: str, *, at: When | None = None, source: str | None = None) -> Star:
        """Dispute that a star is DARK: it is DIM, and contradictions are forgotten."""
        return await self._act(id, "dark_disputed", at, source)

    # Connections

    async def observe(
        self,
        a: str,
        b: str,
        kind: str,
        *,
        at: When | None = None,
        source: str | None = None,
        note: str | None = None,
    ) -> Receipt:
        """Add evidence for a link; the receipt says what it really added, and what capped it."""
        return (await self.observe_many([Evidence(a, b, kind, at, source, note)]))[0]

    async def observe_many(self, rows: Iterable[EvidenceRow], *, skip_erased: bool = False) -> list[Receipt]:
        """Add much evidence at once: one transaction, all of it or none, in any order of time.

        A row that was erased is an error that names it; with `skip_erased`, its receipt says so, and the others count.
        """
        wanted = telling.evidence_rows(rows)

        def work() -> list[Receipt]:
            live = self._open()
            told = () if skip_erased else CONNECTION_KINDS
            written = live.write(lambda folded: telling.evidence_items(live, folded, wanted), told=told)
            return [_receipt(live, each) for each in written]

        if len(wanted) < LARGE_BATCH:
            return await self._runner.run(work)
        return await self._runner.run(_without_collection, work)

    async def deny(self, a: str, b: str, *, at: When | None = None, source: str | None = None) -> Link | None:
        """Deny a link that is there: .15 from WEAK and above, dissolution below."""
        return await self._link(
            a, b, lambda live, folded: Said("denied", telling.denied(live, folded, a, b, at), at, source)
        )

    async def assign_type(
        self,
        a: str,
        b: str,
        kind: str,
        *,
        direction: str | None = None,
        at: When | None = None,
        source: str | None = None,
    ) -> Link | None:
        """Say what kind a link that is there is; detection leaves it alone from then on."""
        return await self._link(
            a,
            b,
            lambda live, folded: Said(
                "type_assigned", telling.type_assigned(live, folded, a, b, kind, direction, at), at, source
            ),
        )

    # Time

    async def advance(
        self,
        *,
        days: float | None = None,
        hours: float | None = None,
        to: When | None = None,
        discover: bool = False,
    ) -> Changes:
        """Let time pass: decay, states, types, influence; `discover` also looks for links nobody named.

        A date as `to` means its noon UTC, as with everything that is told.
        """
        return await self._runner.run(
            lambda: advancing.advance(
                self._open(),
                by=_span(days, hours),
                to=None if to is None else to_micros(to),
                discover=discover,
            )
        )

    async def as_of(self, at: When, *, known_at: When | None = None) -> Snapshot:
        """Show the memory as it was at a time; with `known_at`, by what was known then. A date means the end of it."""

        def work() -> Snapshot:
            live = self._open()
            known = None if known_at is None else to_micros(known_at, of_date=DAY_END)
            return Snapshot(self, at=live.reading_time(at), known_at=known)

        return await self._runner.run(work)

    async def project(self, to: When | None = None, *, days: float | None = None, limit: int = 100) -> Outlook:
        """Say what will fade, and when, if nothing happens; the strongest links first, `limit` at most.

        A date as `to` means the end of that day; without it, 30 days from now.
        """

        def work() -> Outlook:
            live = self._open()
            live.refresh()
            ahead = _span(days, None) or 30 * MICROS_PER_DAY
            until = in_calendar(live.now() + ahead, "the time ahead") if to is None else to_micros(to, of_date=DAY_END)
            return provenance.project(live, until, limit=limit)

        return await self._runner.run(work)

    # The memory as a whole

    async def merge(self, other: str | Path | Memory) -> Merged:
        """Take in another copy's ledger for this space: the set union of both, erasures honoured."""
        self._open()
        if isinstance(other, Memory):  # read where its own work is done: between two writes, never within one
            theirs = await self._runner.ask(other._runner, lambda: merging.copy_of(other._open().store, self._space))
            return await self._runner.run(lambda: merging.merge(self._open(), theirs))
        return await self._runner.run(lambda: merging.merge(self._open(), merging.copy_at(other, self._space)))

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
            self._live = advancing.reconfigured(self._open(), preset, settings_of(parameters))
            return provenance.stats(self._live)

        return await self._runner.run(work)

    # What the methods above share

    async def _act(self, star: str, what: str, at: When | None, source: str | None) -> Star:
        return await self._star(lambda _, folded: Said(what, {"star": telling.known_star(folded, star)}, at, source))

    async def _star(self, say: Callable[[Live, Projection], Said]) -> Star:
        def work() -> Star:
            live = self._open()
            (written,) = live.write(lambda folded: [item_of(live, say(live, folded))], told=CONNECTION_KINDS)
            found = read.star(live.refresh().connections, str(written.item.payload["star"]))
            assert found is not None
            return found

        return await self._runner.run(work)

    async def _link(self, a: str, b: str, say: Callable[[Live, Projection], Said]) -> Link | None:
        def work() -> Link | None:
            live = self._open()
            live.write(lambda folded: [item_of(live, say(live, folded))], told=CONNECTION_KINDS)
            folded = live.refresh()
            return SpaceGraph(folded).link(node_id(folded, a), node_id(folded, b))

        return await self._runner.run(work)


class Snapshot(Reads, RecallReads, ExplainReads, MarketReads, BlockReads, TranscriptReads, ExchangeReads):
    """A memory as it was; it answers what a memory answers, and changes nothing."""

    def __init__(self, memory: Memory, *, at: int, known_at: int | None) -> None:
        self._memory = memory
        self._runner = memory._runner
        self._at = at
        self._known_at = known_at

    @property
    def at(self) -> datetime:
        """The moment this shows."""
        assert self._at is not None
        return to_datetime(self._at)

    def _open(self) -> Live:
        return self._memory._open()  # which may be folded anew with other parameters, or closed, since


def _receipt(live: Live, written: Written) -> Receipt:
    gain, item = written.done, written.item
    at = to_datetime(item.at)
    if not isinstance(gain, Gain):
        payload: Payload = item.payload
        folded = live.refresh().connections
        seen = read.link(folded, str(payload["a"]), str(payload["b"]))
        strength = seen.strength if seen else 0.0
        erased = written.outcome.buried
        return Receipt(item.id.hex(), at, not erased, 0.0, 0.0, 0.0, 0.0, None, strength, strength, erased)
    return Receipt(
        item.id.hex(),
        at,
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
    if callable(clock):
        return lambda: to_micros(clock())
    still = to_micros(clock)
    return lambda: still


def _span(days: float | None, hours: float | None) -> int | None:
    """Read a span ahead: so many days and hours."""
    given = {name: value for name, value in (("days", days), ("hours", hours)) if value is not None}
    if not given:
        return None
    if all(is_number(value) for value in given.values()):
        total = float(given.get("days", 0)) * 24 + float(given.get("hours", 0))
        if 0 < total <= MOST_DAYS * 24:
            return round(total * MICROS_PER_HOUR)
    told = " and ".join(
        f"{float(value):g} {name}" if is_number(value) else f"{cut(repr(value))} {name}"
        for name, value in given.items()
    )
    raise InputError(
        f"{told} is no span of time ahead",
        code="bad_span",
        item=told,
        hint=Hint(f"give a number above 0, {MOST_DAYS:,} days at most; ", mention("as_of"), " shows the past"),
    )
