"""What a projection shows: stars, links, and how they and what is predicted changed between two moments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from asterism.core.connections.evidence import confidence, timing_variance
from asterism.core.connections.findings import Found
from asterism.core.connections.fold import Connections
from asterism.core.connections.model import Prediction, Star, StateChange
from asterism.core.connections.read_predictions import prediction_list
from asterism.core.connections.tables import NEVER, NOT_FORMED, pair_keys
from asterism.core.connections.words import Direction, LinkKind, LinkState, StarState, domain_word, word
from asterism.core.ledger.calendar import MICROS_PER_DAY, to_date, to_datetime
from asterism.core.ledger.columns import Bytes, Rows
from asterism.core.ledger.model import EvidenceCount, Link, link_id


def star(folded: Connections, node_id: str) -> Star | None:
    """Read one star, or None."""
    row = folded.nodes.rows.get(node_id)
    if row is None or row >= folded.graph.stars.size or folded.graph.stars.born_day[row] == NOT_FORMED:
        return None
    return star_at(folded, row, connections=connection_counts(folded).item(row))


def connection_counts(folded: Connections) -> Rows:
    """Count every node's connections as they stand, dissolved ones left out."""
    table = folded.graph.links.trim()
    rows = np.flatnonzero(table.visible() & (table.state != LinkState.DISSOLVED))
    return np.bincount(np.concatenate([table.a[rows], table.b[rows]]), minlength=len(folded.nodes))


def star_at(folded: Connections, row: int, *, connections: int) -> Star:
    """Read the star of a row."""
    stars = folded.graph.stars
    engaged = stars.last_engaged.item(row)
    return Star(
        id=folded.nodes.ids[row],
        name=folded.names[row],
        domain=domain_word(stars.domain.item(row)),
        state=StarState(stars.state.item(row)).name,
        brightness=stars.brightness.item(row),
        variance=stars.variance.item(row),
        last_engaged=None if engaged == NEVER else to_date(engaged),
        days_stable=stars.days_stable.item(row),
        contradictions=stars.contradictions.item(row),
        archived=stars.archived.item(row),
        boost=stars.boost.item(row),
        cap=stars.cap.item(row),
        connections=connections,
    )


def stars(folded: Connections) -> list[Star]:
    """Read every star, by id."""
    born = folded.graph.stars.trim().born_day
    counts = connection_counts(folded)
    found = [star_at(folded, row, connections=counts.item(row)) for row in np.flatnonzero(born != NOT_FORMED).tolist()]
    return sorted(found, key=lambda each: each.id)


def link(folded: Connections, a: str, b: str) -> Link | None:
    """Read the connection of a pair, seen from `a`, or None; a dissolved one is shown as DISSOLVED."""
    rows = folded.nodes.rows
    if a not in rows or b not in rows:
        return None
    row = folded.pairs.get(rows[a], rows[b])
    if row is None or not folded.graph.links.raw[row] or folded.graph.links.latent[row]:
        return None
    return link_at(folded, row, seen_from=a)


def told_as(folded: Connections, family: Iterable[str], others: Iterable[str]) -> tuple[str, str] | None:
    """Give the ids under which evidence linked two nodes, each of which has several; None if there is no link."""
    rows = folded.nodes.rows
    for one in family:
        for other in others:
            if one in rows and other in rows and folded.pairs.get(rows[one], rows[other]) is not None:
                return one, other
    return None


def row_of(folded: Connections, a: str, b: str) -> int:
    """Give the row of a pair that is known to be linked."""
    row = folded.pairs.get(folded.nodes.rows[a], folded.nodes.rows[b])
    assert row is not None, (a, b)
    return row


def links(folded: Connections, a: str | None = None, b: str | None = None) -> list[Link]:
    """Read connections, strongest first: all, those of one node, or that of a pair; dissolved ones stay archived."""
    if a is not None and b is not None:
        found = link(folded, a, b)
        return [found] if found and found.state != LinkState.DISSOLVED.name else []
    table = folded.graph.links.trim()
    shown = table.visible() & (table.state != LinkState.DISSOLVED)
    end = a if a is not None else b
    if end is not None:
        row = folded.nodes.rows.get(end, -1)
        shown &= (table.a == row) | (table.b == row)
    read = [link_at(folded, row, seen_from=end) for row in np.flatnonzero(shown).tolist()]
    return sorted(read, key=lambda each: (-each.strength, each.id))


def link_at(folded: Connections, row: int, *, seen_from: str | None = None) -> Link:
    """Read the connection of a row, from its first end or from the one asked for."""
    table, ids = folded.graph.links, folded.nodes.ids
    a, b = ids[table.a[row]], ids[table.b[row]]
    direction = Direction(table.direction.item(row))
    if seen_from == b:
        a, b = b, a
        direction = {Direction.A_TO_B: Direction.B_TO_A, Direction.B_TO_A: Direction.A_TO_B}.get(direction, direction)
    return Link(
        id=link_id(a, b),
        a=a,
        b=b,
        kind=word(LinkKind(table.kind.item(row))),
        family="connection",
        direction=None if direction is Direction.NONE else word(direction),
        strength=table.strength.item(row),
        confidence=link_confidence(folded, row),
        state=LinkState(table.state.item(row)).name,
        evidence=EvidenceCount(table.raw.item(row), table.effective.item(row)),
        last_engaged=to_datetime(table.last_at.item(row)),
        origin="evidence",
        assigned=table.user_type.item(row),
        holds=None if not table.found[row] else table.found.item(row) == Found.HOLDS,
    )


def link_confidence(folded: Connections, row: int) -> float:
    """Compute a link's confidence from its columns (seed 1.3)."""
    table, p = folded.graph.links, folded.parameters
    base_name = "user_assigned" if table.user_type[row] else word(LinkKind(table.kind.item(row)))
    variance = timing_variance(
        items=table.raw.item(row),
        span_days=(table.last_at.item(row) - table.first_at.item(row)) / MICROS_PER_DAY,
        gap_squares=table.gap_squares.item(row),
    )
    base: float = getattr(p, f"base_confidence_{base_name}")
    return confidence(base=base, effective=table.effective.item(row), variance=variance, parameters=p)


class Look:
    """What can change, copied at one moment."""

    def __init__(self, folded: Connections) -> None:
        table, star_table = folded.graph.links.trim(), folded.graph.stars.trim()
        self.ids = tuple(folded.nodes.ids)
        self.a, self.b = table.a.copy(), table.b.copy()
        self.link_state: Bytes = np.where(table.visible(), table.state, np.uint8(LinkState.DISSOLVED))
        self.link_kind: Bytes = table.kind.copy()
        self.star_state: Bytes = star_table.state.copy()
        self.predictions = prediction_list(folded)

    def changes(self, folded: Connections) -> Changed:
        """Say what is otherwise now; things are known by their ids, for their rows may have moved."""
        now, rows, expected = Look(folded), folded.nodes.rows, frozenset(self.predictions)
        node = np.array([rows.get(each, -1) for each in self.ids], dtype=np.int64)
        mine, theirs = pair_keys(node[self.a], node[self.b]), pair_keys(now.a, now.b)
        _, row, place = np.intersect1d(mine, theirs, return_indices=True)
        state = np.full_like(now.link_state, LinkState.DISSOLVED)  # a link that was not there
        kind, star_state = now.link_kind.copy(), now.star_state.copy()
        state[place], kind[place] = self.link_state[row], self.link_kind[row]
        known = np.flatnonzero(node[: len(self.star_state)] >= 0)
        star_state[node[known]] = self.star_state[known]

        def link(row: int) -> str:
            return link_id(now.ids[now.a[row]], now.ids[now.b[row]])

        return Changed(
            states=_changed(state, now.link_state, link, lambda state: LinkState(state).name),
            types=_changed(kind, now.link_kind, link, lambda kind: word(LinkKind(kind))),
            stars=_changed(star_state, now.star_state, now.ids.__getitem__, lambda state: StarState(state).name),
            predictions=tuple(each for each in now.predictions if each not in expected),
        )


class Changed(NamedTuple):
    """What is otherwise than at an earlier look, by id; of predictions, those that were made or resolved since."""

    states: tuple[StateChange, ...]
    types: tuple[StateChange, ...]
    stars: tuple[StateChange, ...]
    predictions: tuple[Prediction, ...]


def _changed(
    before: Bytes, after: Bytes, name: Callable[[int], str], told: Callable[[int], str]
) -> tuple[StateChange, ...]:
    rows = np.flatnonzero(before != after).tolist()
    changes = [StateChange(name(row), told(before.item(row)), told(after.item(row))) for row in rows]
    return tuple(sorted(changes, key=lambda change: change.id))


def counts(folded: Connections) -> tuple[dict[str, int], dict[str, int], dict[str, int], int]:
    """Count links by state and kind, stars by state, and the pairs that are not links yet."""
    table, star_table = folded.graph.links.trim(), folded.graph.stars.trim()
    shown = table.visible()
    alive = shown & (table.state != LinkState.DISSOLVED)
    states = Counter(table.state[shown].tolist())
    kinds = Counter(table.kind[alive].tolist())
    of_stars = Counter(star_table.state[star_table.born_day != NOT_FORMED].tolist())
    return (
        {state.name: states[state] for state in LinkState if states[state]},
        {word(kind): kinds[kind] for kind in LinkKind if kinds[kind]},
        {state.name: of_stars[state] for state in StarState if of_stars[state]},
        int((table.latent & (table.raw > 0)).sum()),
    )
