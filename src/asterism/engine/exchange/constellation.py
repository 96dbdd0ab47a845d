"""The sky of a memory: its nodes and links as they are, as they were, and as they will be if nothing happens."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime

import numpy as np

from asterism.core.blocks.model import BlockView
from asterism.core.blocks.read import standing
from asterism.core.connections import read
from asterism.core.connections.explain import LinkWatch, why_link
from asterism.core.connections.model import Star
from asterism.core.connections.read_predictions import predictions
from asterism.core.ledger.calendar import DAY_END, MICROS_PER_DAY, day_of, to_datetime
from asterism.core.ledger.items import cut
from asterism.core.ledger.model import Link, Node, Why
from asterism.core.ledger.nodes import KINDS
from asterism.core.levels.model import Level
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.engine.exchange.constellation_times import Lives, SkyWatch, first_seen, looked_ahead
from asterism.engine.explain.look import Look
from asterism.engine.explain.why import why_links
from asterism.engine.graph.nodes import AnyNode
from asterism.engine.graph.nodes import nodes as nodes_of
from asterism.engine.space.live import Live
from asterism.formats.constellation import SaidAndCame, Sky, SkyLink, SkyNode

MOST_NODES, MOST_LINKS = 4_000, 15_000  # that a page draws while one waits
FAINT = 0.0005  # a strength up to which the page draws no link
MOST_TEXT = 1_000  # characters of a node's text
PAST_POINTS, AHEAD_POINTS = 36, 12
MOST_AHEAD = 60  # days
SUMS, STRUCTURAL_SUMS = 200, 40  # links whose sum is told: one fold for all connections, one for each structural link
OBSERVED = "connection"


def sky_of(
    live: Live,
    *,
    at: int | None = None,
    known_at: int | None = None,
    title: str | None = None,
    kinds: Collection[str] = (),
    min_strength: float = 0.0,
    most_nodes: int = MOST_NODES,
    most_links: int = MOST_LINKS,
) -> Sky:
    """Gather what a drawing of the memory shows, at a time or now: of some kinds, with links so strong, not too much.

    What is left out is counted.
    """
    folded = live.view(at, known_at=known_at)
    moment = live.moment(at)
    found, gone = SpaceGraph(folded).links(), _dissolved(folded)
    strong = [link for link in found if link.strength >= min_strength]
    every = [link for link in strong if link.strength > FAINT] + ([] if min_strength > 0 else gone)
    every_node = nodes_of(live, (), at=at, known_at=known_at)
    nodes, left = _chosen_nodes(folded, every_node, every, kinds, most_nodes)
    left["links weaker than asked for"] = len(found) - len(strong)
    left["links too weak to be drawn"] = sum(link.strength <= FAINT for link in strong)
    left["links that have dissolved"] = len(gone) if min_strength > 0 else 0
    first = first_seen(folded)
    nodes = [
        replace(node, at=first.get(node.id, node.at)) if node.kind == "star" or node.at is None else node
        for node in nodes
    ]
    names = {node.id for node in nodes}
    there = [link for link in every if link.a in names and link.b in names and link.a != link.b]
    links = _strongest(there, most_links)
    left["links of nodes that are not drawn"] = len(every) - len(there)
    left["weaker links"] = len(there) - len(links)
    born = [node.at for node in nodes if node.at is not None]
    times, now = _times(born, moment)
    told = _strongest([link for link in links if link.family == OBSERVED and link.state != "DISSOLVED"], SUMS)
    replayed, watch, sums = _watched(live, folded, told, times[: now + 1], moment, known_at)
    skipped = [] if watch.since is None else [time for time in times[:now] if day_of(time) < watch.since]
    times, now = times[len(skipped) :], now - len(skipped)
    lives = looked_ahead(folded, replayed, watch, times, now)
    sums |= _structural_sums(Look(live, at=at, known_at=known_at, folded=folded), links)
    groups = {node.id: group_of(node) for node in every_node}
    shown = [_node(node, lives, groups.get(node.id, "")) for node in nodes]
    since = {node.id: node.at for node in nodes}
    drawn = [_link(link, lives, sums.get(link.id), since) for link in links]
    shortened = {
        "links that have dissolved: drawn at the times when they were there": sum(
            link.state == "DISSOLVED" for link in links
        ),
        "links whose sum is not written out here": len(links) - len(sums),
        "earlier times that are not on the slider": len(skipped),
        "texts cut short": sum(len(node.text) > MOST_TEXT for node in nodes),
        "nodes and links with their present strength alone": len(
            [node for node in shown if not node.strengths and node.strength is not None]
            + [link for link in drawn if not link.strengths]
        ),
    }
    return Sky(
        title=title or ("Constellation" if live.space == "default" else f"Constellation of {live.space}"),
        space=live.space,
        made_at=f"{to_datetime(moment):%Y-%m-%d %H:%M} UTC",
        nodes=tuple(shown),
        links=tuple(drawn),
        times=tuple(to_datetime(time) for time in times),
        now=now,
        left_out={text: count for text, count in left.items() if count},
        shortened={text: count for text, count in shortened.items() if count},
        record=tuple(
            SaidAndCame(round(each.mean_probability, 4), round(each.hit_rate, 4), each.n)
            for each in predictions(folded.connections).reliability
        ),
    )


def _chosen_nodes(
    folded: Projection, every: list[AnyNode], links: list[Link], kinds: Collection[str], most: int
) -> tuple[list[Node], dict[str, int]]:
    """Give the nodes to draw: all, or those whose links weigh the most; ends that nobody declared are nodes too."""
    found = {each.id: each.node() for each in every}
    for end in {end for link in links for end in (link.a, link.b)} - found.keys():
        found[end] = _undeclared(folded, end)
    weight = dict.fromkeys(found, 0.0)
    for link in links:
        weight[link.a] += link.strength
        weight[link.b] += link.strength
    wanted = [node for node in found.values() if not kinds or node.kind in kinds]
    kept = sorted(wanted, key=lambda node: (-weight[node.id], -(node.strength or 0.0), node.id))[:most]
    left = {
        "nodes of other kinds": len(found) - len(wanted),
        "nodes with fewer or weaker links": len(wanted) - len(kept),
    }
    return sorted(kept, key=lambda node: node.id), left


def group_of(node: AnyNode) -> str:
    """Name what a node folds into: its conversation, symbol, tag or domain; nothing where it has none."""
    if isinstance(node, BlockView):
        return node.conversation or next(iter(node.tags), "")
    if isinstance(node, Level):
        return node.symbol
    if isinstance(node, Star):
        return node.domain or ""
    return node.id.rpartition("/")[0] if node.kind == "moment" else ""


def _undeclared(folded: Projection, name: str) -> Node:
    row = folded.nodes.rows.get(name)
    kind = KINDS[folded.nodes.kinds[row]] if row is not None else KINDS[0]
    block = folded.blocks.blocks.get(name)
    text = block.content if block is not None else ""
    return Node(id=name, kind=kind, name="" if text else name, text=text, state="", strength=None, at=None)


def _dissolved(folded: Projection) -> list[Link]:
    """Give the connections that are no more: the past has them."""
    table = folded.connections.graph.links.trim()
    rows = np.flatnonzero(table.visible() & (table.state == 0)).tolist()
    found = [read.link_at(folded.connections, row) for row in rows]
    return [link for link in found if all(standing(folded.blocks, end) == end for end in (link.a, link.b))]


def _strongest(links: Iterable[Link], most: int) -> list[Link]:
    return sorted(links, key=lambda link: (link.state == "DISSOLVED", -link.strength, link.id))[:most]


def _times(born: list[datetime], moment: int) -> tuple[list[int], int]:
    """Give the points of the slider, ends of days where there are days enough, and which of them is the present."""
    first = min((round(time.timestamp() * 1_000_000) for time in born), default=moment)
    first = min(first, moment)
    days = day_of(moment) - day_of(first)
    if days >= 2:
        points = np.linspace(day_of(first) - 1, day_of(moment), min(days + 2, PAST_POINTS)).round().astype(int)
        past = [day * MICROS_PER_DAY + DAY_END for day in points.tolist()[:-1]]
    else:
        past = np.linspace(first - (moment - first) // 20 - 1, moment, PAST_POINTS).astype(np.int64).tolist()[:-1]
    far = min(max(days, AHEAD_POINTS), MOST_AHEAD)
    ahead = [moment + step * far // AHEAD_POINTS * MICROS_PER_DAY for step in range(1, AHEAD_POINTS + 1)]
    return [*past, moment, *ahead], len(past)


def _watched(
    live: Live, folded: Projection, told: list[Link], past: list[int], moment: int, known_at: int | None
) -> tuple[Projection, SkyWatch, dict[str, Why]]:
    """Fold the ledger once more, noting every strength at the given times and every line of the sums wanted."""
    names = {link.id: _told_ends(folded, link) for link in told}
    watches: list[SkyWatch] = []
    stories: dict[str, LinkWatch] = {}

    def watch(projection: Projection) -> SkyWatch:
        stories.update({name: LinkWatch(projection.connections, *ends) for name, ends in names.items()})
        watches.append(SkyWatch(projection.connections, past, stories.values()))
        return watches[0]

    replayed = live.replay(moment, known_at=known_at, watch=watch)
    found = {name: why_link(story, day=day_of(moment)) for name, story in stories.items()}
    return replayed, watches[0], {name: why for name, why in found.items() if why is not None}


def _told_ends(folded: Projection, link: Link) -> tuple[str, str]:
    """Give the ends a connection was told of: those of a block may be named by its heir now."""
    for a in folded.blocks.family(link.a):
        for b in folded.blocks.family(link.b):
            found = read.link(folded.connections, a, b)
            if found is not None and found.strength == link.strength:
                return a, b
    return link.a, link.b


def _structural_sums(look: Look, links: list[Link]) -> dict[str, Why]:
    """Explain structural links; one that needs an embedder which is not there is counted among the sums not told."""
    chosen = [link for link in links if link.family != OBSERVED][:STRUCTURAL_SUMS]
    found = why_links(look, [(link.a, link.b, link.kind) for link in chosen])
    return {link.id: why for link, why in zip(chosen, found, strict=True) if why is not None}


def _node(node: Node, lives: Lives, group: str) -> SkyNode:
    strengths, states = lives.of_star(node.id) if node.kind == "star" else ((), ())
    text = cut(node.text, most=MOST_TEXT)
    name = cut(node.name, most=MOST_TEXT)
    return SkyNode(node.id, node.kind, name, text, node.state, node.strength, node.at, strengths, states, group)


def _link(link: Link, lives: Lives, why: Why | None, since: dict[str, datetime | None]) -> SkyLink:
    strengths, states = lives.of_link(link.id) if link.family == OBSERVED else ((), ())
    ends = [time for time in (since[link.a], since[link.b]) if time is not None]
    return SkyLink(
        id=link.id,
        a=link.a,
        b=link.b,
        kind=link.kind,
        family=link.family,
        direction=link.direction,
        strength=link.strength,
        confidence=link.confidence,
        state=link.state,
        at=lives.begun.get(link.id) if link.family == OBSERVED else max(ends, default=None),
        strengths=strengths,
        states=states,
        evidence=link.evidence.raw,
        why=why,
    )
