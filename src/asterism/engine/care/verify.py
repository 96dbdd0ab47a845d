"""Looking behind: verify, stats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from asterism.core.connections import read
from asterism.core.connections.capability import CONNECTIONS
from asterism.core.connections.model import Stats, Verify
from asterism.core.ledger.calendar import to_date, to_datetime
from asterism.core.ledger.columns import Columns
from asterism.core.ledger.items import Item, identity
from asterism.core.ledger.payloads import check_values
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection, differences, digest
from asterism.core.text.words import INDEXED_WITHIN
from asterism.engine.market import feed as market
from asterism.engine.space.live import Live
from asterism.engine.space.tables import table_differences
from asterism.errors import CorruptError
from asterism.store.port import Checkpoint, Stored


def verify(live: Live) -> Verify:
    """Replay the ledger from nothing and compare with what is held and stored, bit for bit.

    An item that was damaged since it was folded is named; if it cannot be folded any more, there is nothing to compare.
    """
    with live.store.one_moment():
        held = live.refresh().dump()
        checkpoints = live.store.checkpoints(live.space, live.fingerprint)
        stored = live.store.items(live.space)
        lost = live.store.head(live.space).differences(live.store.counted(live.space))
        astray = live.store.lost_arrivals(live.space)
    wrong = [f"head: {each}" for each in lost] + [f"arrival: {each}" for each in astray]
    wrong += [f"item {each.item.id.hex()}: {fault}" for each in stored if (fault := _fault(each.item))]
    try:
        named, found = _compared(live, stored, held, checkpoints)
    except CorruptError:
        if not wrong:
            raise
        named, found = "", []
    wrong += found
    return Verify(not wrong, tuple(wrong), len(stored), len(checkpoints), named)


def _fault(item: Item) -> str:
    """Say what is wrong with an item by itself, or nothing."""
    try:
        check_values(item.payload)
        named = identity(space=item.space, what=item.what, at=item.at, source=item.source, payload=item.payload)
    except ValueError as error:
        return str(error)
    return "" if named == item.id else "its content does not give its id"


def _compared(
    live: Live, stored: Sequence[Stored], held: Columns, checkpoints: Sequence[Checkpoint]
) -> tuple[str, list[str]]:
    """Give the digest of a replay, and what differs from it."""
    replayed = Projection(live.parameters)
    replayed.apply_all(each.item for each in stored)
    columns = replayed.dump()
    wrong = [f"projection: {name}" for name in differences(columns, held)]
    for checkpoint in checkpoints:
        again = Projection(live.parameters)
        again.apply_all(each.item for each in stored if each.seq <= checkpoint.seq)
        again.close_days(checkpoint.day)
        found = differences(again.dump(), checkpoint.columns)
        wrong += [f"checkpoint of {to_date(checkpoint.day)}: {name}" for name in found]
    return digest(columns), wrong + table_differences(live.store, live.space, live.parameters)


def _structural(projection: Projection) -> dict[str, int]:
    """Count structural links by kind, whichever capability shows them."""
    links = SpaceGraph(projection).links(without=CONNECTIONS.name)  # which are many, and counted without being read
    return dict(sorted(Counter(link.kind for link in links if link.family == "structural").items()))


def stats(live: Live) -> Stats:
    """Count what there is, and what was dropped."""
    projection = live.view()
    counts = live.store.counts(live.space, live.fingerprint)
    links, kinds, stars, latent = read.counts(projection.connections)
    graph = projection.connections.graph
    return Stats(
        space=live.space,
        spaces=len(live.store.spaces()),
        items=counts.items,
        stars=stars,
        links=links,
        kinds=kinds,
        latent_pairs=latent,
        predictions=graph.predictions.size,
        predictions_dropped=graph.predictions_dropped,
        discoveries_cut=graph.pairs_not_tested,
        blocks=dict(Counter(block.status for block in projection.blocks.blocks.values())),
        structural=_structural(projection),
        used_pairs_dropped=projection.blocks.dropped,
        names_cut=projection.blocks.cut,
        texts_cut=sum(len(each.text) > INDEXED_WITHIN for each in SpaceGraph(projection).entries()),
        sessions_dropped=projection.blocks.clock.dropped,
        evidence_set_aside=projection.transcripts.set_aside,
        colours_dropped=projection.walks.dropped,
        injections_capped=projection.walks.capped,
        embedder=live.store.embedder(live.space),
        levels={each.symbol: each.levels for each in market.symbols(live, at=None, known_at=None)},
        tombstones=counts.tombstones,
        checkpoints=counts.checkpoints,
        size_bytes=live.store.size_bytes(),
        clock=None if projection.latest_at is None else to_datetime(live.now()),
        clock_note=live.clock_note,
        preset=live.preset,
        parameters=live.parameters.digest(),
    )
