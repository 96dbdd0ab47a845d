"""Explorations of a memory: what is asked, where it starts, and what is written of it."""

from __future__ import annotations

from dataclasses import dataclass

from asterism.core.ledger.arguments import lines, number, whole
from asterism.core.ledger.items import Item, check_text, cut
from asterism.core.ledger.model import possible_ends
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import find, may_mean
from asterism.core.walkers.effects import WHAT, nothing_left
from asterism.core.walkers.fold import JOINED
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.inputs import says, walked_links
from asterism.core.walkers.result import Exploration
from asterism.engine.explore.run import Asking
from asterism.engine.recall.answer import Sight
from asterism.engine.recall.keeping import keep_index
from asterism.engine.space.live import Live
from asterism.engine.space.said import Said, after, item_of
from asterism.errors import UnknownError
from asterism.hints import Blank, Hint, elsewhere, step
from asterism.store.port import Writing


@dataclass(frozen=True)
class Journey:
    """What is to be explored, and from where."""

    query: str
    intention: str | None
    start: str | None
    deadline: float | None
    tolerate_failures: bool
    concurrency: int


def journey(
    query: str,
    *,
    intention: str | None,
    start: str | None,
    deadline: float | None,
    tolerate_failures: bool,
    concurrency: int,
) -> Journey:
    """Read what is asked; what cannot be asked is named."""
    query = check_text(lines(query), field="query", many_lines=True)
    if intention is not None:
        intention = check_text(lines(intention), field="intention", many_lines=True)
    if start is not None:
        check_text(start, field="start")
    if deadline is not None:
        deadline = number(deadline, name="deadline", low=0.0, high=86_400.0)
    whole(concurrency, name="concurrency", least=1)
    return Journey(query, intention, start, deadline, tolerate_failures, concurrency)


def seconds(live: Live, wanted: Journey) -> float:
    """Give the time that an exploration may take in all."""
    return live.parameters.exploration.deadline_seconds if wanted.deadline is None else wanted.deadline


def asking_of(live: Live, seen: Sight, graph: WalkGraph, wanted: Journey) -> Asking:
    """Say what is asked of the graph: vectors of query and intention, and where to start (D20)."""
    texts = [wanted.query, *([wanted.intention] if wanted.intention else [])]
    vectors = seen.recaller.texts.embedder.embed(texts)
    start = graph.number(_start(seen, wanted))
    assert start is not None
    return Asking(
        query=wanted.query,
        query_vector=vectors[0],
        start=start,
        intention=wanted.intention,
        intention_vector=vectors[1] if wanted.intention else None,
        parameters=live.parameters.exploration,
        tolerate_failures=wanted.tolerate_failures,
        concurrency=wanted.concurrency,
        embedder=seen.recaller.texts.embedder.identity,
        forgotten=frozenset(seen.folded.walks.forgotten),
    )


def _start(seen: Sight, wanted: Journey) -> str:
    recaller = seen.recaller
    if wanted.start is None:
        best = recaller.recall.ask(seen.query(wanted.query, wanted.intention), k=1)
        return best[0].id if best else min(recaller.index.rows)
    graph = SpaceGraph(seen.folded)
    node = find(graph, wanted.start, gone=True)
    if node is not None and not graph.is_gone(node.id) and graph.standing(node.id) in recaller.index:
        return graph.standing(node.id)
    shown = cut(wanted.start)
    raise UnknownError(
        f"there is nothing called {shown!r} to start at",
        code="unknown_node",
        item=shown,
        hint=may_mean(graph, wanted.start)
        or Hint(
            "give the id of a block, star, actor, moment or narrative, or leave the start out",
            elsewhere("; ", step("recall", Blank("query")), " shows ids"),
        ),
    )


def learn_from(live: Live, found: Exploration) -> bool:
    """Write what an exploration leaves behind, as one item after those before it; say whether there was anything.

    Vectors that were made on the way are kept with it, as a dream keeps them. Nothing is written if a node that it
    walked over was erased meanwhile.
    """
    effects, texts = found.effects, live.texts()
    if nothing_left(effects):
        return False

    def build(folded: Projection) -> tuple[list[Item], dict[bytes, bytes]]:
        last = folded.walks.position
        same = live.store.embedder(live.space) in (None, texts.embedder.identity)  # nobody has reembedded since
        item = after(live, item_of(live, Said(WHAT, effects)), None if last is None else last.at)
        return [item] if _is_there(SpaceGraph(folded), item) else [], texts.made() if same else {}

    def beside(writing: Writing, made: dict[bytes, bytes]) -> None:
        if made:
            texts.keep(writing, made)

    written, made = live.transact(build, beside=beside)
    texts.kept(made)
    keep_index(live)
    return bool(written)


def _is_there(graph: SpaceGraph, item: Item) -> bool:
    """Say whether all that an exploration walked over is there; an id may have the sign in it that joins two."""
    by_links = [possible_ends(link) for link in walked_links(item.payload)]
    of_links = {end for pairs in by_links for ends in pairs for end in ends}
    others = {each for each in says(item).needs - of_links if JOINED not in each}  # not connections
    return all(graph.entry(node) is not None for node in others) and all(
        any(graph.entry(a) is not None and graph.entry(b) is not None for a, b in pairs) for pairs in by_links if pairs
    )
