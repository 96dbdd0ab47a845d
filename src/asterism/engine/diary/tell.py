"""Values of a diary into the ledger: stars made on the way, one scale a star, and nothing told twice.

A value without a time of day is the value of its day: told again it is known, told otherwise it corrects, a microsecond
later than what it corrects. One with a time of day is one of several of that day. A star keeps its scale. Told another
one, its values are told again on it, as they were meant; where the scale was only guessed, values beyond it widen it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import NamedTuple

from asterism.core.connections import read
from asterism.core.connections.fold import KINDS
from asterism.core.connections.inputs import VALUE
from asterism.core.connections.scales import MOST, Scale, guess, stretching
from asterism.core.ledger.calendar import MICROS_PER_SECOND, day_of, to_micros
from asterism.core.ledger.items import Item, Value, check_text, cut, make_item
from asterism.core.ledger.model import Model
from asterism.core.ledger.nodes import slug
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import find
from asterism.engine.diary.values import Told, Values, shown, values_of
from asterism.engine.space.live import Live
from asterism.engine.space.said import told_time
from asterism.errors import AsterismError, InputError
from asterism.hints import Hint, option, step

UNIT = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*$")  # at the end of a name: Sleep (h)
SHOWN = 20  # changes that are listed; all are counted


class New(NamedTuple):
    """A value to tell: of which star, of which day, at which time if one was told; and where it stands."""

    name: str
    day: date
    time: time | None
    value: float
    where: str = ""  # row 4, column 'mood'


@dataclass(frozen=True, slots=True)
class Changed(Model):
    """A value that is another now."""

    star: str
    day: date
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Odd(Model):
    """A value that alone made a guessed scale wide, and the scale that the others have: it may be a mistake."""

    star: str
    name: str
    where: str  # row 4, column 'mood'
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class StarTold(Model):
    """What was told of one star."""

    id: str
    name: str
    low: float
    high: float
    guessed: bool  # the scale was looked at from the values
    made: bool  # the star was not there before
    rescaled: int  # earlier values that were told again on another scale
    values: int
    new: int
    changed: int


@dataclass(frozen=True, slots=True)
class DiaryTold(Model):
    """What became of the values of a diary."""

    name: str
    layout: str  # wide, long, or a line: told by hand
    dates: str
    rows: int
    first: date
    last: date
    stars: tuple[StarTold, ...]
    new: int
    changed: int
    known: int  # values that were there already
    empty: int  # cells without a value
    left_out: tuple[str, ...]  # columns that hold no values
    erased: int  # values that were erased here, and did not come back
    changes: tuple[Changed, ...]  # the first of them
    examples: tuple[str, ...] = ()  # what stands first in each column that was left out
    several: int = 0  # days of a star with values of several times: the last is the day's
    odd: tuple[Odd, ...] = ()  # values that may be mistakes


@dataclass
class _Star:
    """One star on the way in."""

    id: str
    name: str
    made: bool
    values: list[New] = field(default_factory=list)
    items: list[tuple[int, float, str]] = field(default_factory=list)  # at, value as told, and where it stands
    rescaled: int = 0
    new: int = 0
    changes: list[Changed] = field(default_factory=list)
    scale: Scale = field(default_factory=lambda: Scale(0.0, 1.0))
    odd: Odd | None = None


class Telling:
    """One call that tells values; all of them are written, or none."""

    def __init__(
        self, live: Live, values: Sequence[New], scales: Mapping[str, Scale], *, source: str, skip_erased: bool
    ) -> None:
        self._live, self._values, self._source, self._skip = live, values, source, skip_erased
        self._scales = scales
        self.stars: list[_Star] = []
        self._now = self._stamp = 0
        self._where: dict[str, str] = {}  # rows and columns, by the items that they give

    def run(self) -> int:
        """Write what is new; give how many values stay away because they were erased."""
        try:
            written = self._live.write(self._items, told=() if self._skip else KINDS)
        except InputError as error:
            if error.code == "erased":  # which counts items, where a reader counts rows
                error.row, where = None, self._where.get(error.item or "")
                error.message = f"{where}: {error.message}" if where else error.message
                error.hint = self._without_erased()
            raise
        return sum(each.outcome.buried for each in written)

    def _without_erased(self) -> str:
        if not any(each.where for each in self._values):
            return "leave it out, or tell one of another day"
        return Hint("leave it out of the file, or leave all such values away: ", option("skip_erased", True))

    def _items(self, folded: Projection) -> list[Item]:
        self._now, self._stamp = self._live.now(), self._live.stamp()  # once: a file has tens of thousands of values
        told = values_of(self._live)
        self.stars = self._named(folded)
        for star in self.stars:
            star.scale = self._scale(star, told)
            self._place(star, told)
        return [item for star in self.stars for item in self._of(star, folded)]

    def _named(self, folded: Projection) -> list[_Star]:
        """Find the stars that are meant; those that are not there are made."""
        graph = SpaceGraph(folded)
        found: dict[str, _Star] = {}
        by_name: dict[str, _Star] = {}
        for each in self._values:
            if abs(each.value) > MOST:
                raise InputError(
                    f"{each.where or cut(each.name)}: {each.value:.16g} is beyond {MOST:g}",
                    code="bad_value",
                    item=each.where or cut(each.name),
                    hint="correct it, or tell it in a larger unit",
                )
            if each.name not in by_name:
                check_text(each.name, field="name")
                there = find(graph, each.name, ("star",))
                if there is None and not each.where:
                    _refuse_alike(folded, each.name)
                star = there.id if there else slug(each.name)
                if star in found:
                    raise InputError(
                        f"{each.name!r} and {found[star].name!r} are one star, {star}",
                        code="same_star",
                        item=each.name,
                        hint="give one of the columns another name" if each.where else "tell one value of it",
                    )
                name = folded.connections.names[folded.nodes.rows[star]] if there else " ".join(each.name.split())
                found[star] = by_name[each.name] = _Star(star, name, made=there is None)
            by_name[each.name].values.append(each)
        for name in self._scales:
            if name not in by_name and slug(name) not in found:
                names = ", ".join(by_name)
                raise InputError(
                    f"a scale is told for {name!r}, which has no values here",
                    code="unknown_star",
                    item=name,
                    hint=f"there are {names}",
                )
        return list(by_name.values())

    def _scale(self, star: _Star, told: Values) -> Scale:
        names = {slug(star.name), star.id, *(slug(each.name) for each in star.values[:1])}
        before: list[float] = []
        chosen = next((scale for name, scale in self._scales.items() if slug(name) in names), None)
        held = told.scale(star.id)
        if chosen is None and held is not None and held.guessed:
            before = [shown(each, held) for each in told.told[star.id] if each.scale is not None]
            if not all(held.holds(each.value) for each in star.values):
                chosen = guess([held.low, held.high, *before, *(each.value for each in star.values)])
                star.odd = _odd(star, before)
        elif chosen is None and held is None:
            star.odd = _odd(star, [])
        scale = chosen or held or guess([each.value for each in star.values])
        for each in star.values:
            if not scale.holds(each.value):
                raise InputError(
                    f"{each.where + ': ' if each.where else ''}"
                    f"{star.name} {each.value:.12g} is not on its scale, {scale}",
                    code="off_scale",
                    item=each.where or star.id,
                    hint=Hint("correct it, or tell another scale: ", option("scales", {star.id: "LOW..HIGH"})),
                )
        return scale

    def _place(self, star: _Star, told: Values) -> None:
        """Say at which times which values are told: those of before on another scale, and those that are new."""
        held, days, seconds = told.scale(star.id), told.days(star.id), told.seconds(star.id)
        due: dict[int, tuple[int, float, str]] = {}  # by the time of what it corrects
        for each in seconds.values():
            if each.scale is not None and each.scale != star.scale:
                due[each.at] = (each.at + 1, shown(each, held), "")
        star.rescaled = len(due)
        for new in star.values:
            at, old = self._slot(new, days, seconds)
            if old is not None and old.scale is not None and _near(shown(old, held), new.value, star.scale):
                continue
            if old is None:
                star.new += 1
                star.items.append((at, new.value, new.where))
            else:
                star.changes.append(Changed(star.id, new.day, shown(old, held or star.scale), new.value))
                due[old.at] = (max(at, old.at + 1), new.value, new.where)
        star.items += due.values()

    def _slot(self, new: New, days: Mapping[int, Told], seconds: Mapping[int, Told]) -> tuple[int, Told | None]:
        """Give the time at which a value is told, and what was told there before."""
        live, now = self._live, self._now
        try:
            if new.time is None:
                at = told_time(live, new.day, now=now)
                return at, days.get(day_of(at))
            at = to_micros(datetime.combine(new.day, new.time, UTC))
            if at > now and day_of(at) == day_of(now):  # a clock on a wall east of here
                return now, days.get(day_of(now))
            at = told_time(live, datetime.combine(new.day, new.time, UTC), now=now)
        except AsterismError as error:
            if new.where:
                error.message, error.hint = f"{new.where}: {error.message}", "correct the date of this row"
            raise
        return at, seconds.get(at // MICROS_PER_SECOND)

    def _of(self, star: _Star, folded: Projection) -> list[Item]:
        items = []
        if star.items:
            first = min(at for at, _, _ in star.items)
            row = folded.nodes.rows.get(star.id)
            born = None if star.made or row is None else folded.connections.graph.stars.born_day.item(row)
            if born is None or day_of(first) < born:
                payload: dict[str, Value] = {"star": star.id, "name": star.name}
                held = read.star(folded.connections, star.id)
                if held is not None and held.domain is not None:
                    payload["domain"] = held.domain
                items.append(self._item("star_added", first, payload))
                self._where[items[-1].id.hex()] = star.name
        scale = star.scale
        for at, value, where in sorted(star.items):
            items.append(self._item(VALUE, at, {"star": star.id, "value": scale.brightness(value), **scale.fields()}))
            self._where[items[-1].id.hex()] = where or star.name
        return items

    def _item(self, what: str, at: int, payload: Mapping[str, Value]) -> Item:
        space = self._live.space
        return make_item(space=space, what=what, at=at, payload=payload, known_at=self._stamp, source=self._source)


def _odd(star: _Star, before: Sequence[float]) -> Odd | None:
    """Name the value that alone makes the scale wide, if there is one among those told now."""
    values = [*before, *(each.value for each in star.values)]
    far = stretching(values)
    if far is None or far < len(before):
        return None
    told, others = star.values[far - len(before)], guess([*values[:far], *values[far + 1 :]])
    return Odd(star.id, star.name, told.where, told.value, others.low, others.high)


def _refuse_alike(folded: Projection, name: str) -> None:
    """Ask whether a star is meant that is called so but for its unit, before another one is made beside it."""
    stars = [each.name for each in read.stars(folded.connections)]
    alike = [each for each in stars if slug(UNIT.sub("", each)) == slug(name)]
    if alike:
        meant = f"did you mean {' or '.join(alike)}? If it is another one, add it first: "
        raise InputError(
            f"there is no star {name!r}, but {' and '.join(repr(each) for each in alike)}",
            code="near_star",
            item=name,
            hint=Hint(meant, step("add_star", name)),
        )


def _near(one: float, other: float, scale: Scale) -> bool:
    return abs(one - other) <= 1e-9 * (scale.high - scale.low)


def tell(
    live: Live,
    values: Sequence[New],
    *,
    scales: Mapping[str, Scale],
    source: str = "",
    skip_erased: bool = False,
    name: str = "",
    layout: str = "line",
    dates: str = "",
    rows: int = 1,
    empty: int = 0,
    left_out: Sequence[str] = (),
    examples: Sequence[str] = (),
    several: int = 0,
) -> DiaryTold:
    """Tell values, and say what became of them."""
    telling = Telling(live, values, scales, source=source, skip_erased=skip_erased)
    erased = telling.run()
    changes = [change for star in telling.stars for change in star.changes]
    new = sum(star.new for star in telling.stars)
    return DiaryTold(
        name=name,
        layout=layout,
        dates=dates,
        rows=rows,
        first=min(each.day for each in values),
        last=max(each.day for each in values),
        stars=tuple(
            StarTold(
                star.id,
                star.name,
                star.scale.low,
                star.scale.high,
                star.scale.guessed,
                star.made,
                star.rescaled,
                len(star.values),
                star.new,
                len(star.changes),
            )
            for star in telling.stars
        ),
        new=new,
        changed=len(changes),
        known=len(values) - new - len(changes),
        empty=empty,
        left_out=tuple(left_out),
        erased=erased,
        changes=tuple(changes[:SHOWN]),
        examples=tuple(examples),
        several=several,
        odd=tuple(star.odd for star in telling.stars if star.odd is not None),
    )
