"""A diary as text: what was read, a star's days as a curve, what is missing, and a week in a few lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from asterism.core.connections.in_words import in_words
from asterism.entry.hints import PROMPT
from asterism.entry.text.layout import BLOCKS, WIDTH, Column, Line, Piece, many, paragraph, table
from asterism.hints import Surface, option

if TYPE_CHECKING:
    from asterism.engine.diary.missing import Missing, MissingStar
    from asterism.engine.diary.tell import DiaryTold, Odd
    from asterism.engine.diary.values import Series
    from asterism.engine.diary.week import StarWeek, Week

SHOWN = 5  # lines of each part of a week
NOTABLE = 0.05  # of a scale: a smaller change is told as about the same
CURVE = 30  # days of a curve


def read_lines(told: DiaryTold, *, width: int = WIDTH) -> list[Line]:
    """Say what became of a diary that was read."""
    about = f"{many(told.rows, 'row')}, {told.first} to {told.last}, {told.layout}"
    lines: list[Line] = [[Piece(told.name, "name"), Piece(f": {about}")]]
    rows = [
        (
            Piece(star.name, "name"),
            f"{star.low:.12g}..{star.high:.12g}" + (" (guessed)" if star.guessed else ""),
            str(star.values),
            str(star.new),
            str(star.changed),
            Piece(_remark(star.made, star.rescaled), "dim"),
        )
        for star in told.stars
    ]
    heads = [Column("star", least=8), Column("scale")]
    heads += [Column(head, "right") for head in ("values", "new", "changed")]
    lines += table([*heads, Column("", least=8)], rows, width=width)
    lines += _changes(told)
    notes = [f"{many(told.empty, 'cell')} without a value: missing, not zero."] if told.empty else []
    if told.left_out:
        notes.append(f"Left out, as no values: {', '.join(map(_left_out, told.left_out, told.examples))}.")
    if told.several:
        notes.append(
            f"{many(told.several, 'day')} of a star with several values: the last one is the day's; "
            f"{PROMPT.option(option('several', 'mean'))} or sum makes one of them."
        )
    notes += [odd_value(each, PROMPT) for each in told.odd]
    if told.erased:
        notes.append(f"{many(told.erased, 'value')} erased here before, and left away.")
    if any(star.guessed and star.new for star in told.stars):
        one = next(star for star in told.stars if star.guessed and star.new)
        notes.append(f"Scales were guessed from the values; to tell one: {_scale_option(one.name, PROMPT)}")
    if not told.new and not told.changed:
        notes.append("Nothing new.")
    elif told.layout != "line":
        notes.append("Next: asterism discover, asterism week")
    for note in notes:
        lines += paragraph(note, width=width, style="dim")
    return lines


def _left_out(column: str, example: str) -> str:
    return f"{column} ({example!r})" if example else column


def odd_value(odd: Odd, surface: Surface) -> str:
    """Say that one value stretched a scale that was guessed, where it stands, and what to do."""
    scale = f"{odd.low:.12g}..{odd.high:.12g}"
    where = f"{odd.where}: " if odd.where else ""
    return (
        f"{where}{odd.name} {figure(odd.value)} is far beyond the others, whose scale would be {scale}. "
        f"If it is a mistake, correct it and tell the scale: {surface.option(option('scales', {odd.name: scale}))}"
    )


def told_lines(told: DiaryTold, *, surface: Surface = PROMPT) -> list[Line]:
    """Say what became of values that were told in a line, in the words of a surface."""
    lines: list[Line] = []
    before = {change.star: change.before for change in told.changes}
    for star in told.stars:
        what = "told" if star.new else f"was {figure(before[star.id])}, corrected" if star.changed else "known already"
        new = ", a new star" if star.made else ""
        scale = f"{star.low:.12g}..{star.high:.12g}"
        lines.append([Piece(star.name, "name"), Piece(f": {what} ({scale}{new})")])
        if star.made and star.guessed:
            said = f"  The scale {scale} is guessed; another one: {_scale_option(star.name, surface)}"
            lines.append([Piece(said, "dim")])
        if star.rescaled:
            lines.append([Piece(f"  {many(star.rescaled, 'earlier value')} put on this scale", "dim")])
    return lines + [[Piece(f"  {odd_value(each, surface)}")] for each in told.odd]


def _scale_option(name: str, surface: Surface) -> str:
    return surface.option(option("scales", {name: "LOW..HIGH"}))


def figure(value: float, *, digits: int = 6) -> str:
    """Write a number with so many digits that tell something, all of its whole part, and no powers of ten.

    >>> figure(9223.4, digits=3), figure(6.5), figure(1234567.0), figure(0.00001), figure(-999.6, digits=3)
    ('9223', '6.5', '1234567', '0.00001', '-1000')
    """
    return f"{value:.0f}" if abs(value) >= 10**digits else f"{Decimal(f'{value:.{digits}g}'):f}"


def _remark(made: bool, rescaled: int) -> str:
    parts = ["a new star"] if made else []
    return ", ".join(parts + ([f"{rescaled:,} put on this scale"] if rescaled else []))


def _changes(told: DiaryTold) -> list[Line]:
    names = {star.id: star.name for star in told.stars}
    lines = [
        [Piece(f"  {names[change.star]}, {change.day}: {figure(change.before)} -> {figure(change.after)}")]
        for change in told.changes
    ]
    more = told.changed - len(told.changes)
    return lines + ([[Piece(f"  and {many(more, 'more change')}", "dim")]] if more else [])


def series_lines(all_series: Sequence[Series], *, width: int = WIDTH) -> list[Line]:
    """Show stars with their last value and a curve of the last days; a gap is a dot."""
    rows = [
        (
            Piece(each.name, "name"),
            "" if each.low is None else f"{each.low:.12g}..{each.high:.12g}",
            str(len(each.values)),
            str(each.values[-1].day) if each.values else "",
            figure(each.values[-1].value) if each.values else "",
            curve(each),
        )
        for each in all_series
    ]
    heads = [Column("star", least=8), Column("scale"), Column("days", "right"), Column("last"), Column("", "right")]
    return table([*heads, Column(f"its last {CURVE} days")], rows, width=width)


def days_lines(one: Series, *, days: int = CURVE) -> list[Line]:
    """Show the last values of one star, a line a day."""
    scale = "" if one.low is None else f", {one.low:.12g}..{one.high:.12g}"
    lines: list[Line] = [[Piece(one.name, "name"), Piece(f" ({one.id}{scale}): {many(len(one.values), 'day')}")]]
    lines.append([Piece(curve(one))])
    lines += [[Piece(f"  {each.day}  {figure(each.value)}")] for each in one.values[-days:]]
    return lines


def curve(one: Series, *, days: int = CURVE) -> str:
    """Draw the days up to the last one that was told; a dot is a day without a value."""
    if not one.values:
        return ""
    found = {each.day: each.brightness for each in one.values}
    last = one.values[-1].day
    drawn = [found.get(last - timedelta(days=back)) for back in range(days - 1, -1, -1)]
    text = "".join("·" if each is None else BLOCKS[min(int(each * len(BLOCKS)), len(BLOCKS) - 1)] for each in drawn)
    return text.lstrip("·")


def missing_lines(found: Missing) -> list[Line]:
    """Say what is missing, and how to tell it."""
    lines: list[Line] = []
    today = [star for star in found.stars if star.today]
    if today:
        lines.append([Piece(f"Not told for {found.day}: "), Piece(", ".join(star.name for star in today), "name")])
        lines.append(
            [Piece(f"  asterism diary add {' '.join(shlex.quote(f'{star.name}=..') for star in today)}", "dim")]
        )
    more = [star for star in found.stars if star.missing > star.today]
    lines += [[Piece("  "), Piece(star.name, "name"), Piece(f": {_gaps(star, found.days)}")] for star in more]
    if not found.stars:
        none = f"Nothing is missing in the {found.days} days up to {found.day}."
        lines.append([Piece(none if found.complete else "No star is told day by day yet: asterism diary add sleep=6")])
    if found.lapsed:
        lapsed = ", ".join(found.names.get(each, each) for each in found.lapsed)
        lines.append([Piece(f"Not told for long, and not asked for: {lapsed}", "dim")])
    return lines


def _gaps(star: MissingStar, days: int) -> str:
    spans = [f"{gap.first}" if gap.days == 1 else f"{gap.first} to {gap.last}" for gap in star.gaps]
    streak = f"; {many(star.streak, 'day')} in a row" if star.streak > 1 else ""
    return f"{star.missing} of {many(days, 'day')} ({', '.join(spans[-3:])}){streak}"


def week_lines(week: Week, *, width: int = WIDTH) -> list[Line]:
    """Show a week in a few lines."""
    lines: list[Line] = [[Piece(f"The week {week.first} to {week.last}", "head")]]
    if not week.stars:
        lines.append([Piece("Nothing was told in it, nor in the four weeks before.")])
    elif all(star.share is None for star in week.stars):
        none = "Too little was told to compare: a star takes 3 days with a value in the week, and 3 in the four before."
        lines += paragraph(none, width=width)
    names = {star.id: star.name for star in week.stars}
    changed = [star for star in week.stars if star.share is not None and abs(star.share) >= NOTABLE]
    lines += _part("What changed, against the four weeks before", [_changed(star) for star in changed])
    same = [star.name for star in week.stars if star.share is not None and star not in changed]
    if same:
        lines += paragraph(f"  About the same: {', '.join(same)}.", width=width, style="dim")
    new = set(week.new)
    lines += _part(
        "What goes with what",
        [each.pair.sentence(names) + (" (new)" if each.id in new else "") for each in week.together],
    )
    lines += _part("What no longer holds", [each.pair.sentence(names) for each in week.gone])
    lines += _part("Other links that came", [_called(each, names) for each in week.linked])
    fading = [
        f"{_called(each.id, names)}: {each.before:.2f} -> {each.after:.2f}, {in_words(each.state)}"
        for each in week.fading
    ]
    lines += _part("What fades", fading)
    lines += _part(
        "What was expected",
        [
            f"{names.get(each.star, each.star)} {'up' if each.sign > 0 else 'down'} by {each.expected_at:%Y-%m-%d}: "
            f"{each.outcome}"
            for each in week.expected
        ],
    )
    return lines + _part("What is missing", _absent(week.missing))


def _called(link: str, names: Mapping[str, str]) -> str:
    """Name the ends of a link."""
    return " and ".join(names.get(end, end) for end in link.split("~", 1))


def _absent(missing: Missing) -> list[str]:
    """Say what is missing of a week: what is only not told yet in one line, gaps in one each."""
    today = [star.name for star in missing.stars if star.missing == star.today]
    told = [f"not told for {missing.day} yet: {', '.join(today)}"] if today else []
    gaps = [star for star in missing.stars if star.missing > star.today]
    return [*(f"{star.name}: {_gaps(star, missing.days)}" for star in gaps), *told]


def _changed(star: StarWeek) -> str:
    assert star.before is not None
    assert star.mean is not None
    assert star.change is not None
    before, mean, change = figure(star.before, digits=3), figure(star.mean, digits=3), figure(star.change, digits=2)
    return f"{star.name} {before} -> {mean} ({'+' * (star.change >= 0)}{change}, {many(star.days, 'day')})"


def _part(head: str, told: Iterable[str]) -> list[Line]:
    said = list(told)
    if not said:
        return []
    lines: list[Line] = [[Piece(head, "head")], *([Piece(f"  {each}")] for each in said[:SHOWN])]
    return lines + ([[Piece(f"  and {len(said) - SHOWN} more", "dim")]] if len(said) > SHOWN else [])
