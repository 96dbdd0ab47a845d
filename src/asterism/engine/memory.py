"""The class users hold: a living memory, one space of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NoReturn, Self
from weakref import WeakMethod, finalize

from asterism.engine.blocks.calls import BlockCalls, BlockReads
from asterism.engine.care.calls import CareCalls
from asterism.engine.care.erase_calls import ErasureCalls
from asterism.engine.connections.calls import ConnectionCalls
from asterism.engine.diary.calls import DiaryCalls, DiaryReads
from asterism.engine.exchange.calls import ExchangeCalls, ExchangeReads
from asterism.engine.explain.calls import ExplainReads
from asterism.engine.explore.calls import ExplorationCalls, RecallReads
from asterism.engine.graph.calls import Reads
from asterism.engine.market.calls import MarketCalls, MarketReads
from asterism.engine.space.threads import (
    HereRunner,
    Runner,
    ThreadRunner,
    close_what_was_left,
    refuse_to_leave,
    turn_of,
)
from asterism.engine.transcripts.calls import TranscriptCalls, TranscriptReads
from asterism.errors import AsterismError

if TYPE_CHECKING:  # to import this is to know the calls; the engine is loaded when a memory is opened
    from datetime import datetime
    from pathlib import Path
    from types import TracebackType

    from asterism.core.connections.model import Merged, Settings, Stats
    from asterism.core.ledger.calendar import When
    from asterism.core.ledger.parameters import Preset, Setting
    from asterism.core.levels.resting import Resting
    from asterism.core.space.capabilities import Capabilities
    from asterism.engine.space.beside import Beside, SpaceView
    from asterism.engine.space.clock import SystemClock
    from asterism.engine.space.live import Live
    from asterism.engine.space.vectors import EmbedderSpec
    from asterism.store.port import Store
    from asterism.sync import Memory as SyncMemory

SPACE = "default"  # where none is named; that of the command line, too


class Memory(
    ConnectionCalls,
    DiaryReads,
    DiaryCalls,
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
        space: str = SPACE,
        preset: Preset | None = None,
        parameters: Mapping[str, Setting] | None = None,
        clock: Callable[[], datetime] | datetime | SystemClock | None = None,
        trust_clock: bool = False,
        read_only: bool = False,
        embedder: EmbedderSpec = None,
        also_read: Iterable[str] | None = None,
        runner: Runner | None = None,
        capabilities: Capabilities | None = None,
    ) -> None:
        from asterism.core.ledger.items import check_text
        from asterism.core.ledger.parameters import settings_of
        from asterism.engine.space.clock import clock_of

        check_text(space, field="space")
        self._path = path
        self._space = space
        self._preset = preset
        self._parameters = settings_of(parameters)
        self._clock = clock_of(clock, trusted=trust_clock)
        self._read_only = read_only
        self._embedder = embedder
        self._runner: Runner = runner or ThreadRunner()
        self._runner.begin_anew, self._runner.written = _weakly(self._begin_anew), _weakly(self._written)
        self._capabilities = capabilities
        self._live: Live | None = None
        self._mine = False  # whether the store was opened here, and is closed here
        self._resting: dict[str, Resting] = {}
        self._also_read = None if also_read is None else _named_spaces(also_read)
        self._spaces: Beside | None = None
        self._unclosed: finalize[..., Memory] | None = None  # what is done if nobody closes it

    # Opening and closing

    @classmethod
    def open(
        cls,
        path: str | Path | Store,
        *,
        space: str = SPACE,
        preset: Preset | None = None,
        parameters: Mapping[str, Setting] | None = None,
        clock: Callable[[], datetime] | datetime | None = None,
        trust_clock: bool = False,
        read_only: bool = False,
        embedder: EmbedderSpec = None,
        also_read: Iterable[str] | None = None,
    ) -> Self:
        """Open a memory for `async with`: a file, or a URL of one; `:memory:` lives as long as the process.

        `preset` and `parameters` are for a new space (None: "seed") and must agree with those recorded in one that is
        there. `clock` replaces the system clock: a function that gives aware datetimes, or one that stands still.
        The system clock itself is not believed where it is more than a day behind what is known here, or 20 years after
        the release: nothing is written by it then, unless `trust_clock`.
        `embedder` makes vectors of texts: a name (default, hashed, minilm, remote:URL#MODEL), an object with
        embed(texts), or a function; None means the one that made the vectors there are, else the offline default.
        `also_read` names the spaces of the file that `recall(spaces=...)` may ask beside this one; None means all.
        """
        return cls(
            path,
            space=space,
            preset=preset,
            parameters=parameters,
            clock=clock,
            trust_clock=trust_clock,
            read_only=read_only,
            embedder=embedder,
            also_read=also_read,
        )

    @classmethod
    def open_sync(
        cls,
        path: str | Path | Store,
        *,
        space: str = SPACE,
        preset: Preset | None = None,
        parameters: Mapping[str, Setting] | None = None,
        clock: Callable[[], datetime] | datetime | None = None,
        trust_clock: bool = False,
        read_only: bool = False,
        embedder: EmbedderSpec = None,
        also_read: Iterable[str] | None = None,
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
                trust_clock=trust_clock,
                read_only=read_only,
                embedder=embedder,
                also_read=also_read,
                runner=HereRunner(),
            )
        )

    async def __aenter__(self) -> Self:
        if self._live is not None and not self._live.closed:
            return self  # open already
        from asterism.store.port import Store

        if isinstance(self._path, Store):
            self._runner.turn = turn_of(self._path)
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
        """Let go of the file, after the calls that are under way; what was acknowledged is there."""
        if self._runner.is_elsewhere or self._live is None or self._live.closed:
            return  # a process that was forked leaves the file to the one that opened it
        try:
            await self._runner.end(self._let_go)
        except AsterismError as error:
            if error.code != "closed":  # by somebody else, just now
                raise

    def __reduce__(self) -> NoReturn:
        refuse_to_leave(self)

    def _start(self) -> None:
        from asterism.core.space.capabilities import CAPABILITIES
        from asterism.engine.space.live import Live
        from asterism.store.port import Store
        from asterism.wiring import open_store

        mine = not isinstance(self._path, Store)
        store = self._path if isinstance(self._path, Store) else open_store(self._path, read_only=self._read_only)
        try:
            store.check(self._space)
            live = Live(
                store,
                self._space,
                clock=self._clock,
                preset=self._preset,
                overrides=self._parameters,
                embedder=self._embedder,
                capabilities=self._capabilities or CAPABILITIES,
            )
            live.refresh()
        except BaseException:
            if mine:
                store.close()
            raise
        self._live, self._mine = live, mine
        if mine:
            self._unclosed = finalize(self, close_what_was_left, store, self._runner, str(self._path))

    def _begin_anew(self) -> None:
        """Let go of all that is held here but the file: a call was broken off, wherever it was."""
        self._spaces = None
        if self._live is not None:
            self._live.begin_anew()

    def _written(self) -> object:
        return self._live, 0 if self._live is None else self._live.writes

    def _beside(self) -> Beside:
        from asterism.engine.space.beside import Beside

        live = self._open()
        if self._spaces is None:
            self._spaces = Beside(live, self._also_read)
        return self._spaces

    def _let_go(self) -> None:
        if self._live is not None and not self._live.closed:
            if self._live.of_texts is not None:
                from asterism.engine.recall.keeping import leave_what_was_indexed

                leave_what_was_indexed(self._live)
            self._live.leave_what_took_long()
            self._live.closed = True
            if self._mine:
                self._live.store.close()
            if self._unclosed is not None:
                self._unclosed.detach()

    # The memory as a whole

    async def as_of(self, at: When, *, known_at: When | None = None) -> Snapshot:
        """Show the memory as it was at a time; with `known_at`, by what was known then. A date means the end of it."""

        def work() -> Snapshot:
            from asterism.core.ledger.calendar import DAY_END, to_micros

            live = self._open()
            known = None if known_at is None else to_micros(known_at, of_date=DAY_END)
            return Snapshot(self, at=live.reading_time(at), known_at=known)

        return await self._runner.run(work)

    async def merge(self, other: str | Path | Memory) -> Merged:
        """Take in another copy's ledger for this space: the set union of both, erasures honoured."""
        from asterism.engine.exchange.merge import copy_at, copy_of, merge

        self._open()
        copy: str | Path | Memory = getattr(other, "_async", other)  # what is behind a synchronous face
        if isinstance(copy, Memory):  # read where its own work is done: between two writes, never within one
            theirs = await self._runner.ask(copy._runner, lambda: copy_of(copy._open().store, self._space))
            return await self._runner.run(lambda: merge(self._open(), theirs))
        return await self._runner.run(lambda: merge(self._open(), copy_at(copy, self._space)))

    async def spaces(self) -> list[SpaceView]:
        """List the spaces of the file that can be read from here: how much each holds, and when it was last told."""
        return await self._runner.run(lambda: self._beside().views())

    async def parameters(self) -> Settings:
        """Give the parameters this space is folded with, and which presets and values made them."""

        def work() -> Settings:
            from asterism.core.connections.model import Settings

            live = self._open()
            return Settings(live.preset, dict(live.overrides), live.parameters.to_dict(), live.parameters.digest())

        return await self._runner.run(work)

    async def configure(self, *, preset: Preset = "seed", parameters: Mapping[str, Setting] | None = None) -> Stats:
        """Change the parameters of this space for good: the ledger stays, its projection is folded anew."""

        def work() -> Stats:
            from asterism.core.ledger.parameters import settings_of
            from asterism.engine.care.verify import stats
            from asterism.engine.connections.advance import reconfigured

            self._spaces = None
            self._live = reconfigured(self._open(), preset, settings_of(parameters))
            return stats(self._live)

        return await self._runner.run(work)


def _named_spaces(told: Iterable[str]) -> tuple[str, ...]:
    from asterism.engine.space.beside import named_spaces

    return named_spaces(told)


class Snapshot(Reads, DiaryReads, RecallReads, ExplainReads, MarketReads, BlockReads, TranscriptReads, ExchangeReads):
    """A memory as it was; it answers what a memory answers, and changes nothing."""

    def __init__(self, memory: Memory, *, at: int, known_at: int | None) -> None:
        self._memory = memory
        self._runner = memory._runner
        self._at = at
        self._known_at = known_at

    @property
    def at(self) -> datetime:
        """The moment this shows."""
        from asterism.core.ledger.calendar import to_datetime

        assert self._at is not None
        return to_datetime(self._at)

    def __reduce__(self) -> NoReturn:
        refuse_to_leave(self)

    def _beside(self) -> Beside:
        return self._memory._beside()

    def _open(self) -> Live:
        return self._memory._open()  # which may be folded anew with other parameters, or closed, since


def _weakly(method: Callable[[], object]) -> Callable[[], object]:
    """Give a call of a method that does not keep what it belongs to."""
    held = WeakMethod(method)

    def call() -> object:
        found = held()
        return None if found is None else found()

    return call
