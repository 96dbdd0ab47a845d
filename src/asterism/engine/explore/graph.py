"""The memory as a graph to walk: nodes, vectors and walkable links of what is folded."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from asterism.core.ledger.graph import Edge
from asterism.core.recall.index import Index
from asterism.core.recall.links import named
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.walkers.fold import Mark, Touched
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.places import KINDS, THING
from asterism.engine.explore.edges import TICKS, Edges, Tick
from asterism.engine.explore.walked import changes, names_before, shown_name, walked
from asterism.engine.recall.answer import Sight
from asterism.engine.recall.recaller import Recaller
from asterism.engine.space.live import Live
from asterism.errors import InputError
from asterism.hints import Blank, Hint, in_python, mention, step


@dataclass
class Kept:
    """Nodes and links of a state: they are used again until something else than an exploration changes them.

    What explorations change since is changed in `graph`; the columns here stay in step with it.
    """

    shape: tuple[object, ...]  # what they were made of
    numbers: dict[str, int]  # of the links, by id
    edges: Edges
    more: list[Edges]  # links that explorations made since, in portions
    walked: Mark  # how far the explorations had come
    before: dict[str, list[str]]  # of coloured links: the ids that each had before, in their order
    graph: WalkGraph

    def given(self, number: int) -> tuple[int, int, float]:
        """Give the ends of a link, and the permanence that it was given."""
        for edges in (self.edges, *self.more):
            if number < len(edges.ids):
                return int(edges.a[number]), int(edges.b[number]), edges.permanence.item(number)
            number -= len(edges.ids)
        raise AssertionError(number)


def graph_of(live: Live, seen: Sight, *, tick: Tick | None = None) -> WalkGraph:
    """Give everything that can be recalled as nodes, with the links between them that are awake.

    It is used again until the memory changes, and changed where explorations changed it. `tick` is called now and then
    while it is built, and may end that.
    """
    folded, recaller = seen.folded, seen.recaller
    walks = folded.walks
    # It rises with every item of another kind and never falls: what arrives raises the first, an exploration both, and
    # one that is erased lowers the second. (A revision of the graph tells of nodes and names; strengths count too.)
    told = live.seq - walks.explorations
    shape = (live.parameters, told, folded.day, round(folded.blocks.hours_now, 1), recaller.reshaped)
    kept = recaller.kept
    if not isinstance(kept, Kept) or kept.shape != shape or not _keep_up(kept, seen):
        kept = recaller.kept = _made(seen, shape, tick)
    return kept.graph


def _made(seen: Sight, shape: tuple[object, ...], tick: Tick | None) -> Kept:
    folded, recaller = seen.folded, seen.recaller
    ids = sorted(recaller.index.rows)
    rows = {name: row for row, name in enumerate(ids)}
    edges = Edges.of(_links(folded, recaller.index, tick), rows, folded.parameters.exploration, tick=tick)
    bare = _built(recaller, ids, edges, tick)
    if tick is not None:
        tick()
    numbers = {name: number for number, name in enumerate(edges.ids)}
    graph = walked(seen, bare, edges, numbers)
    if tick is not None:
        tick()
    return Kept(shape, numbers, edges, [], folded.walks.mark, names_before(folded), graph)


def _built(recaller: Recaller, ids: list[str], edges: Edges, tick: Tick | None) -> WalkGraph:
    if not ids:
        more = in_python(" something, or read a transcript", otherwise=Hint(", or ", mention("read_transcript")))
        hint = Hint(step("learn", Blank("content")), more)
        raise InputError("there is nothing to explore", code="empty_space", hint=hint)
    order = [recaller.index.rows[name] for name in ids]
    kinds, numbers = recaller.index.labels["kind"].texts, recaller.index.facts.kind
    return WalkGraph.build(
        ids=ids,
        kinds=[kind if (kind := kinds[numbers[row]]) in KINDS else THING for row in order],
        vectors=recaller.meaning.entries[order],
        a=edges.a,
        b=edges.b,
        link_ids=edges.ids,
        polarity=edges.polarity,
        hierarchy=edges.hierarchy,
        emotions=edges.emotions,
        names=[shown_name(recaller.entries[name]) for name in ids],
        contents=[recaller.entries[name].text for name in ids],
        tick=tick,
    )


def _keep_up(kept: Kept, seen: Sight) -> bool:
    """Change the graph where explorations changed it since; if that cannot be said, say so."""
    touched = seen.folded.walks.touched_since(kept.walked)
    if touched is None or kept.graph.emotions is not None:
        return False
    if touched != Touched():
        made = changes(touched, seen, kept.graph, numbers=kept.numbers, given=kept.given, before=kept.before)
        if made is None:
            return False
        change, edges = made
        kept.numbers.update((name, kept.graph.count + place) for place, name in enumerate(edges.ids))
        kept.more.append(edges)
        kept.graph = kept.graph.changed(change)
    kept.walked = seen.folded.walks.mark
    return True


def _links(folded: Projection, index: Index, tick: Tick | None) -> list[Edge]:
    """Give every link that is awake, and those that names make."""
    found, names, awake = list[Edge](), index.names.names, SpaceGraph(folded).edges(index.rows)
    while some := list(islice(awake, TICKS)):
        found += some
        if tick is not None:
            tick()
    for start in range(0, len(names), TICKS):
        found += named(index, names[start : start + TICKS])
        if tick is not None:
            tick()
    return found
