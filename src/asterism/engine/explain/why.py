"""Why: whatever is named, the number it has is explained line by line, now or as it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from asterism.core.connections.explain import LinkWatch, StarWatch, why_link, why_star
from asterism.core.connections.fold import Connections
from asterism.core.connections.model import Prediction
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.traces import Trace
from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.graph import Entry
from asterism.core.ledger.model import Why, link_id
from asterism.core.ledger.nodes import symbol_of
from asterism.core.recall.index import Index
from asterism.core.recall.model import AnswerHit
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import find, known, node_name
from asterism.engine.explain.blocks import no_structural, why_block, why_hit, why_structural
from asterism.engine.explain.causal_links import causal_link, why_causal, why_trace
from asterism.engine.explain.items import why_item
from asterism.engine.explain.names import KINDS as NAMED
from asterism.engine.explain.names import why_named
from asterism.engine.explain.notes import said_of
from asterism.engine.explain.predictions import prediction_called, why_prediction
from asterism.engine.explain.told import why_told
from asterism.engine.explain.weights import WEIGHED
from asterism.engine.market import feed as market
from asterism.engine.recall.recaller import Recaller, recaller_of
from asterism.engine.space.live import Live
from asterism.errors import InputError, UnknownError
from asterism.hints import Blank, Hint, step

Subject = str | AnswerHit | Prediction | CausalLink | Trace
Watcher = TypeVar("Watcher", LinkWatch, StarWatch)


class Asked(NamedTuple):
    """Where to look: the space, what it is then, and when."""

    live: Live
    folded: Projection
    moment: int
    at: int | None
    known_at: int | None


def why(live: Live, ids: Sequence[Subject], *, at: int | None = None, known_at: int | None = None) -> Why:
    """Explain the number of what is named: one thing, or the two ends of a link."""
    if len(ids) == 1 and isinstance(ids[0], AnswerHit):
        return why_hit(ids[0])
    if len(ids) == 1 and isinstance(ids[0], Trace):
        return why_trace(ids[0])
    folded = live.view(at, known_at=known_at)
    asked = Asked(live, folded, live.moment(at), at, known_at)
    if len(ids) == 1 and isinstance(ids[0], Prediction):
        return _prediction(asked, ids[0])
    names = [node_name(each.id if isinstance(each, AnswerHit | CausalLink | Prediction) else each) for each in ids]
    if len(names) == 2:
        return _pair(asked, *names, kind="")
    if len(names) != 1:
        hint = Hint(step("why", Blank("a"), Blank("b")), " or ", step("why", Blank("star")))
        raise InputError("why takes one id, or the two ends of a link", code="bad_ids", hint=hint)
    (name,) = names
    if (expected := prediction_called(folded, name)) is not None:
        return _prediction(asked, expected)
    if (link := causal_link(folded, name)) is not None:
        return why_causal(folded, link)
    graph = SpaceGraph(folded)
    node = find(graph, name, gone=True)
    if node is not None and node.kind == "narrative" and graph.is_gone(node.id):
        node = None  # what it weighed went with it; a block that was forgotten can still say why
    ends, _, kind = name.partition("#")
    if node is None and ends.count("~") == 1:
        return _pair(asked, *ends.split("~"), kind=kind)
    return _one(asked, name, node)


def _prediction(asked: Asked, told: Prediction) -> Why:
    return why_prediction(asked.live, asked.folded, told, moment=asked.moment, known_at=asked.known_at)


def _one(asked: Asked, name: str, node: Entry | None) -> Why:
    """Explain one thing: a node by its kind, a level that has gone, or else an item."""
    live, folded, known_at = asked.live, asked.folded, asked.known_at
    if node is None and symbol_of(name) is None and name.rpartition("@")[0] not in folded.levels.symbols:
        return why_item(live, name, at=asked.at, known_at=known_at)
    if node is None or node.kind == "level":
        return market.why(live, name if node is None else node.id, at=asked.at, known_at=known_at)
    if node.kind == "block":
        return why_block(folded.blocks, node.id)
    if node.kind in WEIGHED:
        return WEIGHED[node.kind](live, folded, node.id, known_at=known_at)
    story = None
    if node.kind == "star":
        story = why_star(_watched(asked, lambda seen: StarWatch(seen, node.id)), day=day_of(asked.moment))
    if story is None:
        raise UnknownError(f"{node.id} has no brightness", code="not_a_star", item=node.id, hint="name a star")
    return story


def _pair(asked: Asked, a: str, b: str, *, kind: str) -> Why:
    """Explain the link of two nodes: of a kind, or the connection, or the strongest structural one."""
    folded = asked.folded
    graph = SpaceGraph(folded)
    first, second = known(graph, a).id, known(graph, b).id
    if kind:
        found = _structural(asked, first, second, kind)
        if found is None:
            raise no_structural(first, second, kind)
        return found
    ends = graph.pair(first, second)
    told = why_link(_watched(asked, lambda seen: LinkWatch(seen, *ends)), day=day_of(asked.moment))
    if told is not None:
        said = said_of(asked.live, *ends, until=asked.moment, known_at=asked.known_at)
        subject = link_id(*map(graph.standing, ends))
        return replace(told, subject=subject, notes=(*told.notes, *said))
    told = _structural(asked, first, second, None)
    if told is None:
        raise UnknownError(
            f"there is no link between {first} and {second}",
            code="unknown_link",
            item=link_id(first, second),
            hint=Hint(
                "nothing was ever said of this pair; ",
                step("observe", Blank("a"), Blank("b"), Blank("kind")),
                " makes a link",
            ),
        )
    return told


def _structural(asked: Asked, a: str, b: str, kind: str | None) -> Why | None:
    folded = asked.folded
    found = why_structural(asked.live, folded.blocks, a, b, kind, known_at=asked.known_at)
    found = found or why_told(folded, a, b, kind)
    if found is None and kind in NAMED:
        found = why_named(_index(asked), asked.live.parameters.recall, a, b, str(kind))
    return found


def _index(asked: Asked) -> Index:
    """Give the index of what can be recalled, now or as it was."""
    if asked.at is None and asked.known_at is None:
        return recaller_of(asked.live).index
    recaller = Recaller(asked.live.parameters.recall, asked.live.texts())
    recaller.show(asked.folded)
    return recaller.index


def _watched(asked: Asked, make: Callable[[Connections], Watcher]) -> Watcher:
    made: list[Watcher] = []

    def watch(projection: Projection) -> Watcher:
        made.append(make(projection.connections))
        return made[0]

    asked.live.replay(asked.moment, known_at=asked.known_at, watch=watch)
    return made[0]
