"""The folded blocks as columns of one canonical order, and back."""

from __future__ import annotations

import numpy as np

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.records import dump_blocks, dump_links, load_blocks, load_links
from asterism.core.blocks.sessions import ActiveClock, Session
from asterism.core.ledger.columns import Columns, prefixed, text_column, texts_of, under
from asterism.core.ledger.items import Position
from asterism.core.text.names import flattened


def dump(blocks: Blocks) -> Columns:
    """Pack the blocks; nothing if no item was folded."""
    assert not blocks.stale, "stale blocks are folded anew before they are packed"
    if blocks.position is None:
        return {}
    clock, lost = blocks.clock, sorted(blocks.lost)
    opened = sorted(clock.open)
    counts = [blocks.position.at, blocks.dropped, blocks.unfinished, blocks.cut]
    counts += [clock.at, clock.micros, clock.idle, clock.dropped]
    return (
        prefixed("blocks", dump_blocks(blocks.blocks))
        | prefixed("links", dump_links(blocks.links))
        | {
            "counts": np.array(counts, dtype=np.int64),
            "position": np.frombuffer(blocks.position.id, dtype=np.uint8),
            "sessions": text_column(opened),
            "until": np.array([clock.open[name].until for name in opened], dtype=np.int64),
            "idle": np.array([clock.open[name].idle for name in opened], dtype=np.int64),
            "joint": text_column(["\t".join([*pair, *names]) for pair, names in blocks.joint.items()]),
            "dream": text_column([blocks.dream, *sorted(blocks.fresh)]),
            "lost": text_column([" ".join(pair) for pair in lost]),
            "lost_score": np.array([blocks.lost[pair] for pair in lost], dtype=np.float64),
        }
    )


def load(columns: Columns, parameters: BlockParameters) -> Blocks:
    """Unpack what `dump` packed."""
    loaded = Blocks(parameters)
    if not columns:
        return loaded
    at, loaded.dropped, unfinished, loaded.cut, *counts = columns["counts"].tolist()
    loaded.unfinished = bool(unfinished)
    loaded.position = Position(at, columns["position"].tobytes())
    _wind(loaded.clock, counts, columns)
    loaded.blocks, loaded.links = load_blocks(under("blocks", columns)), load_links(under("links", columns))
    for name, block in loaded.blocks.items():
        if block.heir:
            loaded.forebears.setdefault(block.heir, set()).add(name)
        if block.name:
            loaded.named.setdefault(flattened(block.name), set()).add(name)
    for line in texts_of(columns["joint"]):
        a, b, *names = line.split("\t")
        loaded.joint[a, b] = tuple(names)
    loaded.dream, *fresh = texts_of(columns["dream"])
    loaded.fresh = set(fresh)
    for pair, score in zip(texts_of(columns["lost"]), columns["lost_score"].tolist(), strict=True):
        a, b = pair.split(" ")
        loaded.lost[a, b] = score
    return loaded


def _wind(clock: ActiveClock, counts: list[int], columns: Columns) -> None:
    """Set a clock to what was packed of it."""
    clock.at, clock.micros, clock.idle, clock.dropped = counts
    opened = map(Session, columns["until"].tolist(), columns["idle"].tolist())
    clock.open = dict(zip(texts_of(columns["sessions"]), opened, strict=True))
    clock.until = columns["until"].max(initial=0).item()
