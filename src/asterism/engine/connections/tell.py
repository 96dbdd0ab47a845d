"""Turning what a caller says into items: every check is made here, before anything is written."""

from __future__ import annotations

from collections.abc import Callable

from asterism.core.connections import read
from asterism.core.connections.fold import KINDS
from asterism.core.connections.words import (
    DIRECTED,
    Direction,
    Domain,
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
from asterism.core.ledger.items import Payload, Value, check_text
from asterism.core.ledger.nodes import slug
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import Resolver, find, known
from asterism.engine.space.live import Live
from asterism.engine.space.said import Said, item_of, told_time
from asterism.errors import InputError, UnknownError
from asterism.hints import Blank, Hint, step

Saying = Callable[[Live, Projection], Payload]  # what an item says, of a space as it stands


def told(live: Live, what: str, say: Saying, at: When | None, source: str | None) -> Payload:
    """Write the one item that somebody tells; give what it says."""
    (written,) = live.write(lambda folded: [item_of(live, Said(what, say(live, folded), at, source))], told=KINDS)
    return written.item.payload


def star_added(live: Live, folded: Projection, name: str, domain: str | None, at: When | None) -> Payload:
    """Say that a star is there; one that is there already keeps its domain."""
    check_text(name, field="name")
    star = slug(name)
    payload: dict[str, Value] = {"star": star, "name": " ".join(name.split())}
    if domain is None:
        return payload
    known = word(parse(Domain, domain, what="domain"))
    held = read.star(folded.connections, star)
    if held is not None and held.domain != known and at is not None:
        held = read.star(live.view(told_time(live, at)).connections, star)  # told of a time before, this is the first
    if held is not None and held.domain != known:
        there, like = (f"of domain {held.domain}", f"as {held.domain}") if held.domain else 2 * ("without a domain",)
        raise InputError(
            f"{star} is there already, {there}",
            code="other_domain",
            item=star,
            hint=f"a star keeps its domain: add it {like}, or under another name",
        )
    return {**payload, "domain": known}


def engaged(projection: Projection, star: str, impact: float | None) -> Payload:
    """Say that a star was engaged."""
    by = projection.parameters.connections.engage_impact if impact is None else impact
    return {"star": known_star(projection, star), "impact": number(by, name="impact", low=0.0, high=1.0)}


def brightness_observed(projection: Projection, star: str, value: float) -> Payload:
    """Say how bright a star is."""
    floor = projection.parameters.connections.brightness_floor
    bright = number(value, name="brightness", low=floor, high=1.0)
    return {"star": known_star(projection, star), "value": bright}


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
    then = now if at is None else told_time(live, at, now=now)
    seen = live.view(min(then - then % MICROS_PER_DAY + DAY_END, now))
    if not read.links(seen.connections, first, second):
        raise UnknownError(
            f"there is no link between {first} and {second} on {to_date(day_of(then))}",
            code="unknown_link",
            item=f"{first}~{second}",
            hint=Hint("make one with evidence: ", step("observe", Blank("a"), Blank("b"), "user_creates")),
        )
    return first, second
