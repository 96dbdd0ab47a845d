"""`asterism diary` and `asterism week`: values from a CSV or in a line, what is missing, and what a week was like."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from asterism.core.ledger.items import cut
from asterism.entry.cli.commands import MAX_BYTES, SKIP_ERASED, SOURCE, Asked, Choice, Command, Group, InFile, OutFile
from asterism.entry.cli.opening import changing, making, reading, without_at
from asterism.entry.cli.output import answer, width, working
from asterism.errors import InputError
from asterism.incoming import path_of

FILE = click.argument("file", type=InFile(dir_okay=False, path_type=Path))
CSV = click.argument("file", type=OutFile(dir_okay=False, path_type=Path))
SCALE = click.option(
    "--scale", "scales", multiple=True, help="From what to what a star's values run: mood=1..7.", metavar="STAR=A..B"
)


@click.group("diary", cls=Group, example="asterism diary read mydays.csv")
def diary() -> None:
    """Tell values day by day: from a CSV, or in a line."""


@diary.command("read", cls=Command, example="asterism diary read mydays.csv --scale mood=1..7")
@FILE
@SCALE
@click.option("--layout", type=Choice(("wide", "long")), help="A column a star, or rows of date, star, value.")
@click.option("--date", help="The column of dates, if it cannot be told.", metavar="COLUMN")
@click.option("--star", help="The column that names stars, of a long file.", metavar="COLUMN")
@click.option("--value", help="The column of values, of a long file.", metavar="COLUMN")
@click.option("--only", "columns", multiple=True, help="Read this star alone; again for more.", metavar="STAR")
@click.option("--dates", type=Choice(("dmy", "mdy", "ymd")), help="Which comes first, of 3/11/2026.")
@click.option("--decimal", type=Choice(("dot", "comma")), help="The sign before decimals.")
@click.option("--delimiter", type=Choice(("comma", "semicolon", "tab")), help="What separates columns.")
@click.option("--several", type=Choice(("last", "mean", "sum")), help="What to make of several values of a day.")
@SOURCE
@SKIP_ERASED
@MAX_BYTES
@click.pass_obj
def read(asked: Asked, /, file: Path, scales: Sequence[str], **chosen: object) -> None:
    """Read FILE, a CSV, into the memory.

    Wide or long, its dates, numbers and delimiter are found by looking at the whole file. Stars are made on the way.
    Read again, only what is new or changed is told. A file with a mistake is not taken at all.
    """
    from asterism.entry.text.diary import read_lines

    without_at(asked, instead="the file has the dates")
    with making(asked) as memory, working(f"Reading {file.name}"):
        told = memory.read_diary(file, scales=_scales(scales), **chosen)  # type: ignore[arg-type]  # as click read them
    answer(asked, told.to_dict(), read_lines(told, width=width()))


@diary.command("add", cls=Command, example="asterism diary add sleep=6.5 mood=4")
@click.argument("values", nargs=-1, required=True, metavar="STAR=VALUE...")
@SCALE
@SOURCE
@click.pass_obj
def add(asked: Asked, values: Sequence[str], scales: Sequence[str], source: str | None) -> None:
    """Tell today's values, or with --at another day's.

    Each on its star's own scale. A star that is not there is made; its scale is guessed, unless --scale tells it.
    """
    from asterism.entry.text.diary import told_lines

    wanted = _pairs(values, "sleep=6.5")
    told_values = {star: _number(star, text) for star, text in wanted.items()}
    with making(asked) as memory:
        told = memory.tell_values(told_values, at=asked.at, scales=_scales(scales), source=source)
    answer(asked, told.to_dict(), told_lines(told))


@diary.command("missing", cls=Command, example="asterism diary missing --days 30")
@click.option("--days", type=click.IntRange(1, 3660), default=14, show_default=True, help="How many days to look at.")
@click.pass_obj
def missing(asked: Asked, days: int) -> None:
    """Say what was not told, today and on the days before."""
    from asterism.entry.text.diary import missing_lines

    with reading(asked) as memory:
        found = memory.missing(days=days, at=asked.at)
    answer(asked, found.to_dict(), missing_lines(found))


@diary.command("show", cls=Command, example="asterism diary show sleep")
@click.argument("star", required=False)
@click.pass_obj
def show(asked: Asked, star: str | None) -> None:
    """Show the values that were told, as they were told."""
    from asterism.entry.text.diary import days_lines, series_lines
    from asterism.entry.text.layout import Piece

    with reading(asked) as memory:
        found = memory.diary(star, at=asked.at)
    told = [each.to_dict() for each in found]
    if not found:
        answer(asked, told, [[Piece("No values yet: asterism diary read FILE.csv, or asterism diary add sleep=6")]])
    else:
        answer(asked, told, series_lines(found, width=width()) if star is None else days_lines(found[0]))


@diary.command("write", cls=Command, example="asterism diary write mydays.csv")
@CSV
@click.pass_obj
def write(asked: Asked, file: Path) -> None:
    """Write the values that were told to FILE, a CSV.

    A row a day, a column a star, in the units they were told in; what is read again from it is nothing new.
    """
    from asterism.diaries.writing import wide_csv
    from asterism.entry.text.layout import Piece, many

    with reading(asked) as memory:
        found = memory.diary(at=asked.at)
    _save(file, wide_csv({each.name: {day.day: day.value for day in each} for each in found}))
    days = {day.day for each in found for day in each}
    said = f": {many(len(found), 'star')}, {many(len(days), 'day')}"
    told = {"file": str(file), "stars": len(found), "days": len(days)}
    answer(asked, told, [[Piece(str(file), "name"), Piece(said)]])


@diary.command("rename", cls=Command, example='asterism diary rename "Sleep (h)" Sleep')
@click.argument("star")
@click.argument("name")
@click.pass_obj
def rename(asked: Asked, star: str, name: str) -> None:
    """Call STAR otherwise.

    What was told of it is told again under NAME, and the old name is erased; asterism discover finds again what its
    values show.
    """
    from asterism.entry.text.layout import Piece, many

    without_at(asked, instead="a star has one name at all times")
    with changing(asked) as memory, working("Telling it again, and erasing the old name"):
        done = memory.rename_star(star, name)
    said = f": {many(done.items, 'item')} of {done.before} told again"
    again = f"; {many(done.found, 'finding')} to be found again: asterism discover" if done.found else ""
    answer(asked, done.to_dict(), [[Piece(done.name, "name"), Piece(f"{said}{again}")]])


@diary.command("remove", cls=Command, example="asterism diary remove coffee --dry-run")
@click.argument("star")
@click.option("--dry-run", is_flag=True, help="Show what would go, and write nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def remove(context: click.Context, star: str, dry_run: bool, yes: bool) -> None:
    """Erase STAR with its values and links, for good."""
    from asterism.entry.cli.erase import erase

    context.invoke(erase, subject=f"node:{star}", dry_run=dry_run, yes=yes)


@diary.command("sample", cls=Command, example="asterism diary sample mydays.csv")
@CSV
@click.pass_obj
def sample(asked: Asked, file: Path) -> None:
    """Write ninety made-up days to FILE, to try it with."""
    from asterism.core.ledger.calendar import day_of, to_date, to_micros
    from asterism.entry.sample.diary import DAYS, diary_csv
    from asterism.entry.text.layout import Piece

    last = to_date(day_of(to_micros(asked.at) if asked.at else to_micros(datetime.now(UTC))) - 1)
    _save(file, diary_csv(last))
    said = f"{DAYS} days up to {last}. Next: asterism diary read {shlex.quote(str(file))}"
    answer(
        asked, {"file": str(file), "days": DAYS, "last": str(last)}, [[Piece(str(file), "name"), Piece(f": {said}")]]
    )


@click.command("week", cls=Command, example="asterism week --at 2026-11-15")
@click.pass_obj
def week(asked: Asked) -> None:
    """Look back on a week.

    What changed, what goes with what, what is new, fades or is missing: of seven days up to now, or up to --at.
    """
    from asterism.entry.text.diary import week_lines

    with reading(asked) as memory, working("Looking back on the week"):
        found = memory.week(at=asked.at)
    answer(asked, found.to_dict(), week_lines(found, width=width()))


def _save(file: Path, text: str) -> None:
    if path_of(file, meant="FILE").exists():
        raise InputError(f"{file} is there already", code="same_file", item=str(file), hint="name another file")
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{file} cannot be written: {error}", code="unwritable", item=str(file), hint="name another file"
        ) from None


def _scales(told: Sequence[str]) -> dict[str, str]:
    return _pairs(told, "mood=1..7")


def _number(star: str, text: str) -> float:
    from asterism.diaries.cells import told_number

    value = told_number(text)
    if value is None:
        told = f"{star}={cut(text)}"
        raise InputError(f"{told!r} tells no number", code="bad_value", item=told, hint="write it like sleep=6.5")
    return value


def _pairs(told: Sequence[str], like: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for each in told:
        star, text = _pair(each, like)
        if star in pairs:
            raise InputError(
                f"{star!r} is told twice, {cut(pairs[star])} and {cut(text)}",
                code="two_values",
                item=star,
                hint="keep one of them",
            )
        pairs[star] = text
    return pairs


def _pair(text: str, like: str) -> tuple[str, str]:
    star, sign, rest = text.partition("=")
    if not (star.strip() and sign and rest.strip()):
        raise InputError(f"{text!r} names no star and value", code="bad_value", item=text, hint=f"write it like {like}")
    return star.strip(), rest.strip()


COMMANDS = (diary, week)
