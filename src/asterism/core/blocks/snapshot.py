"""The folded blocks as columns of one canonical order, and back."""

from __future__ import annotations

from functools import partial

import numpy as np

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import Marked
from asterism.core.blocks.packed import Packed, Shelf, dump_blocks, dump_links, id_column, ids_of, load_links
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.sessions import ActiveClock, Session
from asterism.core.ledger.columns import Column, Columns, prefixed, text_column, texts_of, under
from asterism.core.ledger.items import Position
from asterism.core.text.names import flattened


def dump(blocks: Blocks) -> Columns:
    """Pack the blocks; nothing if no item was folded."""
    assert not blocks.stale, "stale blocks are folded anew before they are packed"
    if blocks.position is None:
        return {}
    clock, lost, ids = blocks.clock, sorted(blocks.lost), sorted(blocks.blocks)
    row = {name: place for place, name in enumerate(ids)}
    opened = sorted(clock.open)
    counts = [blocks.position.at, blocks.dropped, blocks.unfinished, blocks.cut]
    counts += [clock.at, clock.micros, clock.idle, clock.dropped]
    return (
        prefixed("blocks", dump_blocks(blocks.blocks))
        | prefixed("links", dump_links(blocks.links, row))
        | {
            "counts": np.array(counts, dtype=np.int64),
            "position": np.frombuffer(blocks.position.id, dtype=np.uint8),
            "sessions": text_column(opened),
            "until": np.array([clock.open[name].until for name in opened], dtype=np.int64),
            "idle": np.array([clock.open[name].idle for name in opened], dtype=np.int64),
            "joint": text_column(["\t".join([*pair, *names]) for pair, names in blocks.joint.items()]),
            "dream": text_column([blocks.dream]),
            "fresh": np.packbits(np.array([name in blocks.fresh for name in ids], dtype=np.bool_)),
            "lost": id_column(end for pair in lost for end in pair),
            "lost_score": np.array([blocks.lost[pair] for pair in lost], dtype=np.float64),
        }
        | _dump_marks(blocks)
        | ({"unmet": text_column(sorted(blocks.unmet))} if blocks.unmet else {})
    )


def load(columns: Columns, parameters: BlockParameters) -> Blocks:
    """Unpack what `dump` packed."""
    loaded = Blocks(parameters)
    if not columns:
        return loaded
    at, loaded.dropped, unfinished, loaded.cut, *counts = columns["counts"].tolist()
    loaded.unfinished = bool(unfinished)
    loaded.position = Position(at, columns["position"].tobytes())
    loaded.unmet = set(texts_of(columns["unmet"])) if "unmet" in columns else set()
    _wind(loaded.clock, counts, columns)
    packed = Packed(under("blocks", columns))
    ids = packed.ids
    loaded.blocks, loaded.links = Shelf(packed), load_links(under("links", columns), ids)
    for name, heir in packed.told("heir"):
        loaded.forebears.setdefault(heir, set()).add(name)
    for name, called in packed.told("name"):
        loaded.named.setdefault(flattened(called), set()).add(name)
    for row, told in packed.tellings.with_terms():
        loaded.terms.add(ids[row], told)
    for line in texts_of(columns["joint"]):
        first, second, *names = line.split("\t")
        loaded.joint[first, second] = tuple(names)
    (loaded.dream,) = texts_of(columns["dream"])
    loaded.fresh = {ids[row] for row in np.flatnonzero(np.unpackbits(columns["fresh"].astype(np.uint8))).tolist()}
    for line in texts_of(columns["marked"]) if "marked" in columns else ():
        a, b, confidence, reason = line.split(" ")
        loaded.mark(Marked(a, b, float(confidence), reason))
    loaded.packed_lost = partial(_pairs, columns["lost"], columns["lost_score"])
    return loaded


def _dump_marks(blocks: Blocks) -> Columns:
    """Pack what is in conflict; nothing if nothing is."""
    marks = sorted({mark for others in blocks.marked.values() for mark in others.values()})
    rows = [f"{mark.a} {mark.b} {mark.confidence!r} {mark.reason}" for mark in marks]
    return {"marked": text_column(rows)} if rows else {}


def _pairs(ends: Column, scores: Column) -> dict[tuple[str, str], float]:
    names = ids_of(ends)
    return dict(zip(zip(names[::2], names[1::2], strict=True), scores.tolist(), strict=True))


def _wind(clock: ActiveClock, counts: list[int], columns: Columns) -> None:
    """Set a clock to what was packed of it."""
    clock.at, clock.micros, clock.idle, clock.dropped = counts
    opened = map(Session, columns["until"].tolist(), columns["idle"].tolist())
    clock.open = dict(zip(texts_of(columns["sessions"]), opened, strict=True))
    clock.until = columns["until"].max(initial=0).item()
