"""Turning what a caller says into items: every check is made here, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from asterism.core.connections import read
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import (
    DIRECTED,
    Direction,
    Domain,
    EvidenceKind,
    LinkKind,
    parse,
    word,
)
from asterism.core.ledger.arguments import number
from asterism.core.ledger.calendar import (
    DAY_END,
    MICROS_PER_DAY,
    When,
    day_of,
    to_date,
)
from asterism.core.ledger.items import Item, Payload, check_text, cut, make_item
from asterism.core.ledger.nodes import slug
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import Resolver, find, known
from asterism.engine.space.live import Live
from asterism.engine.space.said import NamingTheRow, Said, each_row, item_of, told_time
from asterism.errors import InputError, UnknownError
from asterism.hints import Blank, Hint, step


class Evidence(NamedTuple):
    """One item of evidence for `observe_many`."""

    a: str
    b: str
    kind: str
    at: When | None = None
    source: str | None = None
    note: str | None = None


EvidenceRow = Evidence | Mapping[str, str] | tuple[str, str, str]
EVIDENCE = frozenset(word(kind) for kind in EvidenceKind)


def star_added(live: Live, folded: Projection, name: str, domain: str, at: When | None) -> Payload:
    """Say that a star is there; one that is there already keeps its domain."""
    check_text(name, field="name")
    known = word(parse(Domain, domain, what="domain"))
    star = slug(name)
    held = _domain(folded, star)
    if held not in (None, known) and at is not None:
        held = _domain(live.view(told_time(live, at)), star)  # told of a time before, this one is the first
    if held not in (None, known):
        raise InputError(
            f"{star} is there already, of domain {held}",
            code="other_domain",
            item=star,
            hint=f"a star keeps its domain: add it as {held}, or under another name",
        )
    return {"star": star, "name": " ".join(name.split()), "domain": known}


def _domain(projection: Projection, star: str) -> str | None:
    found = read.star(projection.connections, star)
    return found.domain if found else None


def engaged(projection: Projection, star: str, impact: float) -> Payload:
    """Say that a star was engaged."""
    return {"star": known_star(projection, star), "impact": number(impact, name="impact", low=0.0, high=1.0)}


def brightness_observed(projection: Projection, star: str, value: float, parameters: ConnectionParameters) -> Payload:
    """Say how bright a star is."""
    bright = number(value, name="brightness", low=parameters.brightness_floor, high=1.0)
    return {"star": known_star(projection, star), "value": bright}


def evidence(resolver: Resolver, a: str, b: str, kind: str) -> Payload:
    """Say that something supports a link."""
    known = (
        kind if kind.__class__ is str and kind in EVIDENCE else word(parse(EvidenceKind, kind, what="evidence kind"))
    )
    first, second = pair(resolver, a, b)
    return {"a": first, "b": second, "kind": known}


def evidence_items(live: Live, projection: Projection, rows: Sequence[Evidence]) -> list[Item]:
    """Build the items of many rows; two alike without a time are two."""
    items: list[Item] = []
    taken: dict[bytes, int] = {}  # of rows alike without a time: when the last one came
    known_at, now, space, resolver = live.clock(), live.now(), live.space, Resolver(projection)
    with NamingTheRow(rows, items):
        for row in rows:
            payload = evidence(resolver, row.a, row.b, row.kind)
            if row.at is None:
                said = Said("evidence", payload, None, row.source, row.note)
                items.append(item_of(live, said, taken=taken, known_at=known_at))
                continue
            at = told_time(live, row.at, now=now)
            source, note = row.source or "", row.note or ""
            items.append(
                make_item(
                    space=space, what="evidence", at=at, payload=payload, known_at=known_at, source=source, note=note
                )
            )
    return items


def denied(live: Live, folded: Projection, a: str, b: str, at: When | None) -> Payload:
    """Say that there is no such link."""
    first, second = linked_pair(live, folded, a, b, at)
    return {"a": first, "b": second}


def type_assigned(
    live: Live, folded: Projection, a: str, b: str, kind: str, direction: str | None, at: When | None
) -> Payload:
    """Say what kind a link is; a directed kind points from a to b unless said otherwise."""
    wanted = parse(LinkKind, kind, what="link kind")
    first, second = linked_pair(live, folded, a, b, at)
    if wanted not in DIRECTED:
        if direction is not None:
            raise InputError(
                f"a {word(wanted)} link has no direction",
                code="no_direction",
                item=direction,
                hint=f"leave the direction out, or use {', '.join(sorted(word(each) for each in DIRECTED))}",
            )
        return {"a": first, "b": second, "kind": word(wanted), "direction": word(Direction.NONE)}
    way = parse(Direction, direction or "a_to_b", what="direction")
    if way is Direction.NONE:
        way = Direction.A_TO_B
    graph = SpaceGraph(folded)
    if first not in graph.family(known(graph, a).id):
        way = Direction.B_TO_A if way is Direction.A_TO_B else Direction.A_TO_B
    return {"a": first, "b": second, "kind": word(wanted), "direction": word(way)}


def known_star(projection: Projection, node: str) -> str:
    """Give the id of a star that is there."""
    graph = SpaceGraph(projection)
    found = find(graph, node, ("star",))
    if found is None:
        other = known(graph, node).id
        raise UnknownError(f"{other} is not a star", code="not_a_star", item=other, hint="brightness belongs to stars")
    return found.id


def pair(resolver: Resolver, a: str, b: str) -> tuple[str, str]:
    """Give the ids of two different nodes, smaller first."""
    first, second = resolver.pair(a, b)
    if first == second:
        raise InputError(
            f"{first} cannot be linked to itself",
            code="self_link",
            item=first,
            hint="name two different nodes",
        )
    return (first, second) if first < second else (second, first)


def linked_pair(live: Live, folded: Projection, a: str, b: str, at: When | None) -> tuple[str, str]:
    """Give the ids of two nodes that have a link on the day told of; within it, the order of items does not count."""
    first, second = pair(Resolver(folded), a, b)
    now = live.now()
    told = now if at is None else told_time(live, at, now=now)
    then = live.view(min(told - told % MICROS_PER_DAY + DAY_END, now))
    if not read.links(then.connections, first, second):
        raise UnknownError(
            f"there is no link between {first} and {second} on {to_date(day_of(told))}",
            code="unknown_link",
            item=f"{first}~{second}",
            hint=Hint("make one with evidence: ", step("observe", Blank("a"), Blank("b"), "user_creates")),
        )
    return first, second


def evidence_rows(rows: Iterable[EvidenceRow]) -> list[Evidence]:
    """Read the rows of `observe_many`."""
    if not isinstance(rows, Iterable):
        raise _no_evidence(rows)
    return each_row(list(rows), as_evidence)


def as_evidence(row: EvidenceRow) -> Evidence:
    """Read a row of `observe_many`: an Evidence, a mapping with its fields, or (a, b, kind)."""
    if isinstance(row, Evidence):
        return row
    try:
        if isinstance(row, str):
            raise TypeError
        return Evidence(**row) if isinstance(row, Mapping) else Evidence(*row)
    except TypeError:
        raise _no_evidence(row) from None


def _no_evidence(told: object) -> InputError:
    return InputError(
        f"{cut(str(told))} is not evidence",
        code="bad_evidence",
        item=cut(str(told)),
        hint="give (a, b, kind), or a mapping with a, b, kind and maybe at, source, note",
    )
