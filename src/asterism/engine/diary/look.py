"""Between the calls of a diary and its parts: files and days in, series and gaps out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from asterism.core.connections import read
from asterism.core.ledger.arguments import is_number, whole
from asterism.core.ledger.calendar import When, day_of, to_date
from asterism.core.ledger.items import cut
from asterism.diaries.cells import DECIMALS
from asterism.diaries.dates import ORDERS
from asterism.diaries.reading import SEVERAL, Choices, read_path, read_rows
from asterism.engine.connections.tell import known_star
from asterism.engine.diary.missing import Missing, missing
from asterism.engine.diary.tell import DiaryTold, New, tell
from asterism.engine.diary.values import Series, series, values_of
from asterism.engine.space.live import Live
from asterism.engine.space.said import told_time
from asterism.errors import InputError

ALLOWED = {"layout": ("wide", "long"), "dates": ORDERS, "decimal": tuple(DECIMALS), "several": tuple(SEVERAL)}
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
    columns: tuple[str, ...],
    scales: Mapping[str, str] | None,
    source: str | None,
    *,
    skip_erased: bool,
) -> DiaryTold:
    """Read a file or rows, and tell what they say."""
    for name, words in ALLOWED.items():
        if chosen[name] is not None and chosen[name] not in words:
            shown = cut(str(chosen[name]))
            raise InputError(
                f"{name} cannot be {shown!r}", code=f"bad_{name}", item=shown, hint=f"use one of {', '.join(words)}"
            )
    choices = Choices(columns=columns, **chosen)
    found = read_path(Path(told), choices) if isinstance(told, str | Path) else read_rows(told, choices)
    values = [
        New(entry.star, entry.day, entry.time, entry.value, f"row {entry.cell.row}, column {entry.cell.column!r}")
        for entry in found.entries
    ]
    return tell(
        live,
        values,
        scales=scales,
        source=found.name if source is None else source,
        skip_erased=skip_erased,
        name=found.name,
        layout=found.layout,
        dates=found.dates,
        rows=found.rows,
        empty=found.empty,
        left_out=found.left_out,
    )


def tell_day(
    live: Live,
    values: Mapping[str, float],
    at: When | None,
    scales: Mapping[str, str] | None,
    source: str | None,
) -> DiaryTold:
    """Tell the values of one day."""
    if not values:
        raise InputError("no value is told", code="bad_value", hint="name a star and its value: sleep=6")
    for star, value in values.items():
        if not is_number(value):
            shown = cut(str(value))
            raise InputError(
                f"{star} {shown!r} is no number", code="bad_value", item=str(star), hint=f"tell a number: {star}=6"
            )
    day = _day(live, at)
    return tell(
        live, [New(star, day, None, float(value)) for star, value in values.items()], scales=scales, source=source or ""
    )


def _day(live: Live, at: When | None) -> date:
    return to_date(day_of(live.now() if at is None else told_time(live, at)))
