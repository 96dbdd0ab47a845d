"""The level book as a user holds it: feed it events, ask which prices the market remembers."""

from __future__ import annotations

from collections.abc import Mapping

from asterism.core.ledger.calendar import When
from asterism.core.ledger.items import check_text
from asterism.core.ledger.parameters import Preset, Setting, settings_of
from asterism.core.levels import read
from asterism.core.levels.events import Batch, Events, Malformed, events_of, micros_of
from asterism.core.levels.model import NAMED, BadRow, Cluster, Density, FeedReport, Gap, Level, Nearest
from asterism.core.levels.ordered import OrderedBook, Taken
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.resting import Resting
from asterism.core.levels.state import EFFECTS
from asterism.errors import InputError


class LevelBook:
    """What a market remembers about its prices.

    >>> book = LevelBook("BTCUSDT")
    >>> report = book.feed([{"kind": "trade", "at": 0, "price": 50_000.0, "usd": 5_000.0}])
    >>> [(level.price, level.strength) for level in book.levels(at=0)]
    [(50000.0, 0.65)]
    """

    def __init__(
        self,
        symbol: str,
        *,
        preset: Preset = "seed",
        parameters: Mapping[str, Setting] | None = None,
        lateness: float | None = None,
    ) -> None:
        self.symbol = check_text(symbol, field="symbol")
        overrides = settings_of(parameters) | ({} if lateness is None else {"lateness": lateness})
        self.parameters = LevelParameters.build(preset, overrides)
        self._ordered = OrderedBook(self.parameters)
        self._resting = resting(self.parameters)

    def feed(self, events: Batch | Events, *, unit: str = "s", strict: bool = False) -> FeedReport:
        """Take in events: dicts, or columns by name. Numbers in `at` are in `unit` (s, ms, us, ns).

        A malformed row is named in the report and left out; with `strict` it is an error, and nothing is taken in.
        """
        parsed = events_of(events, unit=unit)
        if strict and parsed.malformed:
            raise malformed(parsed.malformed[0])
        before = self._ordered.drops()
        events = self._resting.through(parsed.events)
        taken = self._ordered.take(events, lateness=round(self.parameters.lateness * 1e6))
        after = self._ordered.drops()
        dropped = {name: count - before[name] for name, count in after.items() if count > before[name]}
        return report(self.symbol, taken, parsed.malformed, dropped, waiting=self._ordered.waiting.events.size)

    def levels(
        self,
        *,
        at: When | float | None = None,
        near: float | None = None,
        within_bps: float | None = None,
        min_strength: float = 0.0,
        side: str | None = None,
        archived: bool = False,
    ) -> list[Level]:
        """Give the levels that stand at a time (None: the latest event's), strongest first.

        The book keeps no history: before the latest event it can only leave out what was first seen later. A memory
        answers for any time.
        """
        return read.levels(
            self._ordered.settled(),
            self.symbol,
            self.parameters,
            at=self._moment(at),
            near=near,
            within_bps=within_bps,
            min_strength=min_strength,
            side=side,
            archived=archived,
        )

    def nearest(self, price: float, n: int = 3, *, at: When | float | None = None) -> Nearest:
        """Give the n levels next below and the n next above a price."""
        return read.nearest(self.levels(at=at), price, n)

    def clusters(self, *, gap_bps: float | None = None, at: When | float | None = None) -> list[Cluster]:
        """Join levels whose neighbours are near, lowest first."""
        return read.clusters(self.levels(at=at), self.parameters.cluster_gap_bps if gap_bps is None else gap_bps)

    def gaps(self, *, gap_bps: float | None = None, at: When | float | None = None) -> list[Gap]:
        """Give the stretches between clusters that nothing remembers, lowest first."""
        return read.gaps(self.levels(at=at), self.parameters.cluster_gap_bps if gap_bps is None else gap_bps)

    def density(self, *, bins: int = 20, at: When | float | None = None) -> list[Density]:
        """Count levels and add up their strength in equal steps of price."""
        return read.density(self.levels(at=at), bins=bins)

    def _moment(self, at: When | float | None) -> int:
        try:
            return self._ordered.latest if at is None else micros_of(at, "s")
        except ValueError as error:
            hint = "give an aware datetime, its text, or seconds since 1970"
            raise InputError(str(error), code="bad_time", item=str(at), hint=hint) from None


def resting(parameters: LevelParameters) -> Resting:
    """Make what turns order-book events into persistence."""
    return Resting(
        parameters.book_floor_usd, parameters.book_report_seconds, silence_seconds=parameters.book_silence_seconds
    )


def report(
    symbol: str,
    taken: Taken,
    bad: tuple[Malformed, ...],
    dropped: dict[str, int],
    *,
    waiting: int,
    later: int = 0,
    duplicates: int = 0,
    skipped: int = 0,
) -> FeedReport:
    """Say what became of a batch."""
    counts = dict(zip(EFFECTS, taken.fed.counts.tolist(), strict=True))
    return FeedReport(
        symbol=symbol,
        used=taken.ready.events.size - taken.late + later,
        late=taken.late,
        malformed=len(bad),
        waiting=waiting,
        bad_rows=tuple(BadRow(*each) for each in bad[:NAMED]),
        dropped=dropped,
        stale=later > 0,
        duplicates=duplicates,
        skipped=skipped,
        **counts,
    )


def malformed(bad: Malformed) -> InputError:
    """Say which row cannot be used."""
    return InputError(
        f"row {bad.row}: {bad.reason}",
        code="malformed_row",
        item=str(bad.row),
        hint="mend the row, or feed without strict to leave it out",
    )
