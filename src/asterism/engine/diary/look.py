"""Between the calls of a diary and its parts: files and days in, series and gaps out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from asterism.core.connections import read
from asterism.core.ledger.arguments import whole
from asterism.core.ledger.calendar import When, day_of, to_date
from asterism.diaries.reading import read_path, read_rows
from asterism.engine.connections.tell import known_star
from asterism.engine.diary.given import choices_of, diary_of, scales_of, values_of_day
from asterism.engine.diary.missing import Missing, missing
from asterism.engine.diary.tell import DiaryTold, New, tell
from asterism.engine.diary.values import Series, series, values_of
from asterism.engine.space.live import Live
from asterism.engine.space.said import told_time

LONGEST = 3_660  # days that are looked through for gaps


def diary(live: Live, star: str | None, *, at: int | None, known_at: int | None) -> list[Series]:
    """Give what was told of every star, or of one."""
    folded = live.view(live.moment(at), known_at=known_at)
    values = values_of(live, at=at, known_at=known_at)
    names = {each.id: each.name for each in read.stars(folded.connections)}
    wanted = sorted(names) if star is None else [known_star(folded, star)]
    return [series(values, each, names[each]) for each in wanted if star is not None or each in values.told]


def missing_now(live: Live, days: int, *, at: int | None, known_at: int | None) -> Missing:
    """Give what is missing up to a moment."""
    moment = live.moment(at)
    folded = live.view(moment, known_at=known_at)
    names = {each.id: each.name for each in read.stars(folded.connections)}
    values = values_of(live, at=moment, known_at=known_at)
    return missing(values, names, day=day_of(moment), days=min(whole(days, name="days", least=1), LONGEST))


def read_file(
    live: Live,
    told: str | Path | Iterable[Mapping[str, object]],
    chosen: Mapping[str, str | None],
    columns: Iterable[str],
    scales: Mapping[str, str] | None,
    source: str | None,
    *,
    skip_erased: bool,
    max_bytes: int | None = None,
) -> DiaryTold:
    """Read a file or rows, and tell what they say."""
    diary, choices, on = diary_of(told), choices_of(chosen, columns), scales_of(scales)
    found = read_path(diary, choices, max_bytes=max_bytes) if isinstance(diary, Path) else read_rows(diary, choices)
    values = [
        New(entry.star, entry.day, entry.time, entry.value, f"row {entry.cell.row}, column {entry.cell.column!r}")
        for entry in found.entries
    ]
    return tell(
        live,
        values,
        scales=on,
        source=found.name if source is None else source,
        skip_erased=skip_erased,
        name=found.name,
        layout=found.layout,
        dates=found.dates,
        rows=found.rows,
        empty=found.empty,
        left_out=found.left_out,
        examples=found.examples,
        several=found.several,
    )


def tell_day(
    live: Live,
    values: Mapping[str, float],
    at: When | None,
    scales: Mapping[str, str] | None,
    source: str | None,
) -> DiaryTold:
    """Tell the values of one day."""
    numbers, on = values_of_day(values), scales_of(scales)
    day = _day(live, at)
    told = [New(star, day, None, value) for star, value in numbers.items()]
    return tell(live, told, scales=on, source=source or "")


def _day(live: Live, at: When | None) -> date:
    return to_date(day_of(live.now() if at is None else told_time(live, at)))
