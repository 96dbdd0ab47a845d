"""What a memory says of a diary: the calls, thin over `tell`, `values`, `missing` and `week`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from asterism.engine.space.face import Held

if TYPE_CHECKING:  # a call loads what does its work
    from pathlib import Path

    from asterism.core.ledger.calendar import When
    from asterism.engine.diary.missing import Missing
    from asterism.engine.diary.tell import DiaryTold
    from asterism.engine.diary.values import Series
    from asterism.engine.diary.week import Week


class DiaryReads(Held):
    """What can be asked of a diary, now or as it was."""

    async def diary(self, star: str | None = None, *, at: When | None = None) -> list[Series]:
        """Give the values that were told, day by day, in the units they were told in: of all stars, or of one."""

        def work() -> list[Series]:
            from asterism.engine.diary.look import diary

            live = self._open()
            return diary(live, star, at=self._moment(live, at), known_at=self._known_at)

        return await self._runner.run(work)

    async def missing(self, *, days: int = 14, at: When | None = None) -> Missing:
        """Say which stars that are told day by day lack a value, on which of the last days, and for how long."""

        def work() -> Missing:
            from asterism.engine.diary.look import missing_now

            live = self._open()
            return missing_now(live, days, at=self._moment(live, at), known_at=self._known_at)

        return await self._runner.run(work)

    async def week(self, *, at: When | None = None) -> Week:
        """Look back on seven days: what changed, what goes with what, what is new or fades, what is missing."""

        def work() -> Week:
            from asterism.engine.diary.week import week

            live = self._open()
            return week(live, at=self._moment(live, at), known_at=self._known_at)

        return await self._runner.run(work)


class DiaryCalls(Held):
    """What can be told of a diary."""

    async def read_diary(
        self,
        diary: str | Path | Iterable[Mapping[str, object]],
        *,
        scales: Mapping[str, str] | None = None,
        layout: str | None = None,
        date: str | None = None,
        star: str | None = None,
        value: str | None = None,
        columns: Iterable[str] = (),
        dates: str | None = None,
        decimal: str | None = None,
        delimiter: str | None = None,
        several: str | None = None,
        source: str | None = None,
        skip_erased: bool = False,
        max_bytes: int | None = None,
    ) -> DiaryTold:
        """Read values from a CSV file or from rows: wide (a column a star) or long (date, star, value).

        Everything not told is found by looking at the whole file, or asked for: the `layout`, the columns of the
        `date`, `star` and `value`, the order of `dates` (dmy, mdy), the sign before decimals (`decimal`: dot, comma).
        `scales` says for a star from what to what its values run ("1..7"); else it is guessed, and kept.
        `several` makes one of the values of a day: last, mean, sum. Read again, only what is new or changed is told.
        A file may have 128 MiB, or `max_bytes`.
        """
        from asterism.engine.diary.look import read_file

        chosen = {
            "layout": layout,
            "date": date,
            "star": star,
            "value": value,
            "dates": dates,
            "decimal": decimal,
            "delimiter": delimiter,
            "several": several,
        }
        return await self._runner.run(
            lambda: read_file(
                self._open(), diary, chosen, columns, scales, source, skip_erased=skip_erased, max_bytes=max_bytes
            )
        )

    async def tell_values(
        self,
        values: Mapping[str, float],
        *,
        at: When | None = None,
        scales: Mapping[str, str] | None = None,
        source: str | None = None,
    ) -> DiaryTold:
        """Tell today's values, or another day's, on each star's own scale; a star that is not there is made."""
        from asterism.engine.diary.look import tell_day

        return await self._runner.run(lambda: tell_day(self._open(), values, at, scales, source))
