"""The lives of connections and stars: how strong and in what state each was, and will be, at the times of a slider."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain

import numpy as np

from asterism.core.blocks.read import standing
from asterism.core.connections.day import Graph
from asterism.core.connections.explain import LinkWatch
from asterism.core.connections.fold import Connections
from asterism.core.connections.tables import NOT_FORMED
from asterism.core.connections.words import LinkState, StarState
from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of, to_datetime
from asterism.core.ledger.columns import Bytes, Floats, Ints
from asterism.core.ledger.model import link_id
from asterism.core.space.projection import Projection

Life = tuple[tuple[float, ...], tuple[str, ...]]
NO_STATE = -1
LINK_STATES = {NO_STATE: "", **{int(state): state.name for state in LinkState}}
STAR_STATES = {NO_STATE: "", **{int(state): state.name for state in StarState}}
NOT_SEEN: tuple[Floats, Bytes] = (np.zeros(0), np.zeros(0, dtype=np.uint8))


class Look:
    """Strengths and states of all connections and stars at one time, by row."""

    def __init__(self, graph: Graph) -> None:
        links, stars = graph.links.trim(), graph.stars.trim()
        self.strength: Floats = links.strength.copy()
        self.state: Bytes = links.state.copy()
        self.brightness: Floats = np.where(stars.born_day == NOT_FORMED, 0.0, stars.brightness)
        self.star_state: Bytes = stars.state.copy()


class SkyWatch:
    """Looks at each day that is asked for, just before it ends; lets the watchers of single links see every stage."""

    def __init__(self, folded: Connections, times: Sequence[int], stories: Iterable[LinkWatch]) -> None:
        self.folded = folded
        self.days = {day_of(time) for time in times}
        self.stories = list(stories)
        self.looks: dict[int, Look] = {}
        self.since = folded.day  # where watching began: at a checkpoint, if everything would take too long

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Note a stage of a day's end."""
        for story in self.stories:
            story.after(stage, day, graph)
        if stage == "items" and day in self.days:  # what `as_of` says of a day's last moment
            self.looks[day] = Look(graph)

    def slept(self, day: int, until: int, graph: Graph) -> None:
        """Look once at the days that are asked for among many that are alike."""
        asked = [each for each in self.days if day <= each < until]
        if asked:
            self.looks |= dict.fromkeys(asked, Look(graph))


class Rows:
    """Where a projection keeps its connections and stars: rows are numbered in the order of what it has folded."""

    def __init__(self, projection: Projection) -> None:
        folded = projection.connections
        table, ids = folded.graph.links.trim(), folded.nodes.ids
        self.stars = folded.nodes.rows
        self.links: dict[str, int] = {}
        self.begun: dict[str, datetime] = {}
        by_strength = np.argsort(table.strength, kind="stable")  # of two that became one, the stronger
        for row in by_strength[table.visible()[by_strength]].tolist():
            a, b = (standing(projection.blocks, ids[end]) for end in (table.a[row], table.b[row]))
            self.links[link_id(a, b)] = row
            self.begun[link_id(a, b)] = to_datetime(table.first_at.item(row))


class Course:
    """A few looks at the same rows, one after the other: how strong each row was, and in what state."""

    def __init__(self, looks: Sequence[Look | None]) -> None:
        self._absent = [0.0] * len(looks), [""] * len(looks)
        self._links = _side_by_side([(look.strength, look.state) if look else NOT_SEEN for look in looks])
        self._stars = _side_by_side([(look.brightness, look.star_state) if look else NOT_SEEN for look in looks])

    def of_link(self, row: int | None) -> tuple[list[float], list[str]]:
        """Give what was seen of a connection."""
        return self._of(self._links, row, LINK_STATES)

    def of_star(self, row: int | None) -> tuple[list[float], list[str]]:
        """Give what was seen of a star."""
        return self._of(self._stars, row, STAR_STATES)

    def _of(self, seen: tuple[Floats, Ints], row: int | None, words: dict[int, str]) -> tuple[list[float], list[str]]:
        strengths, states = seen
        if row is None or row >= len(strengths):
            return self._absent
        return strengths[row].tolist(), [words[state] for state in states[row].tolist()]


def _side_by_side(columns: Sequence[tuple[Floats, Bytes]]) -> tuple[Floats, Ints]:
    """Put columns of different length beside each other, a row for each of theirs: 0 and no state where one ends."""
    most = max((len(strength) for strength, _ in columns), default=0)
    strengths, states = np.zeros((most, len(columns))), np.full((most, len(columns)), NO_STATE, dtype=np.int32)
    for place, (strength, state) in enumerate(columns):
        strengths[: len(strength), place], states[: len(state), place] = strength, state
    return strengths, states


class Lives:
    """Every connection's and star's numbers through time, by id."""

    def __init__(self, past: tuple[Rows, Course], now_and_ahead: tuple[Rows, Course]) -> None:
        self._courses = (past, now_and_ahead)
        self.begun = now_and_ahead[0].begun

    def of_link(self, name: str) -> Life:
        """Give a connection's life; nothing where it was not there yet."""
        return _life([course.of_link(rows.links.get(name)) for rows, course in self._courses])

    def of_star(self, name: str) -> Life:
        """Give a star's life."""
        return _life([course.of_star(rows.stars.get(name)) for rows, course in self._courses])


def _life(seen: Sequence[tuple[list[float], list[str]]]) -> Life:
    return tuple(chain.from_iterable(each for each, _ in seen)), tuple(chain.from_iterable(each for _, each in seen))


def looked_ahead(
    projection: Projection, replayed: Projection, watch: SkyWatch, times: Sequence[int], now: int
) -> Lives:
    """Put together what was seen on the way, what is, and what will be if nothing happens."""
    past = Course([watch.looks.get(day_of(time)) for time in times[:now]])
    looks = [Look(projection.connections.graph)]
    ahead = projection.ahead()
    for time in times[now + 1 :]:
        ahead.close_days(day_of(time))
        looks.append(Look(ahead.connections.graph))
    return Lives((Rows(replayed), past), (Rows(projection), Course(looks)))


def first_seen(projection: Projection) -> dict[str, datetime]:
    """Say since when nodes are there that do not say it themselves: stars, actors, and ends of connections."""
    folded = projection.connections
    ids, links, born = folded.nodes.ids, folded.graph.links.trim(), folded.graph.stars.trim().born_day
    first: dict[str, int] = {}

    def came(name: str, at: int) -> None:
        first[name] = min(at, first.get(name, at))

    for row in np.flatnonzero(links.visible()).tolist():
        for end in (links.a[row], links.b[row]):
            came(standing(projection.blocks, ids[end]), links.first_at.item(row))
    for moment in projection.transcripts.moments():
        came(moment.actor, moment.at_ms * 1000)
    for row in np.flatnonzero(born != NOT_FORMED).tolist():
        first[ids[row]] = born.item(row) * MICROS_PER_DAY
    return {name: to_datetime(at) for name, at in first.items()}
