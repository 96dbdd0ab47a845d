"""Erasing: items, what stood on them, vectors, caches, and every byte of them; hashes stay, so that none comes back.

Theory of operation. A subject chooses items. What stands on them is lost with them, and what names them among others is
trimmed: a shorter item takes its place (`core/space/depends`). All of that is one transaction:

    append    the shorter items, and one item `erased` that carries the ids of all that go
    bury      a tombstone for each id; the items leave the ledger, and with them what they gave to derived tables,
              every checkpoint and every cache of the space (store); that a scrub is due is noted
    vectors   of texts that nobody says any more

What was erased lies in four kinds of places, and leaves each in its own way:

    in the file               `scrub` writes it anew and empties its log, right after the commit. Where another program
                              reads meanwhile, the note stays, and whoever next opens it for writing does it; the
                              manifest and the doctor say so until then
    in this process           texts, vectors and the index of recall are let go of, and the projection begins anew: as
                              what is left was folded in the transaction, to know which texts are not said any more
    in other open processes   the same, at their next look: they see the item `erased`, or more tombstones than before
                              (`engine/space/follow`). Until then they hold it in memory, but cannot store it again:
                              checkpoints and caches are kept only while nobody has written since, and whoever writes
                              anything else looks first, in its transaction
    in other copies           the item `erased` travels with a merge or an import. `honoured` sees to it that what
                              either side erased takes along what the other has standing on it

Told again, an item that was erased meets its tombstone: `append` leaves it out, and a caller who told it, alone or
among others, is refused. The same words of another time or by another source are another item, and come in.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from asterism.core.blocks.words import DUPLICATE, SUPERSEDED
from asterism.core.dialogue.payloads import TRANSCRIPT, said_of
from asterism.core.ledger.items import Item, cut, join, make_item
from asterism.core.ledger.nodes import slug
from asterism.core.space.depends import Depends
from asterism.core.space.erasure import Manifest, Mention
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.engine.care.subject import Naming, named, texts_of
from asterism.engine.care.what_if import (
    Supposed,
    by_kind,
    folded_anew,
    lost_items,
    nodes_gone,
    suppose,
    trimmed_items,
)
from asterism.engine.recall.recaller import CACHE
from asterism.engine.space.collecting import without_collection
from asterism.engine.space.live import Live, erased_ids
from asterism.engine.space.vectors import text_key
from asterism.errors import StoreError
from asterism.store.port import Writing

ERASED = "erased"
BLOCKS = ("learned", "edited")


def erase(live: Live, told: object, *, dry_run: bool) -> Manifest:
    """Erase a subject (see `subject_of`) in one transaction, then see to it that no byte is left."""
    with without_collection():
        return _supposed(live, told) if dry_run else _erased(live, told)


def _supposed(live: Live, told: object) -> Manifest:
    live.refresh()
    with live.store.one_moment():
        supposed = suppose(live, told)
        vectors = live.store.vector_texts(live.space)
        vectors = vectors - said_texts(folded_anew(live, supposed.left.items)) if vectors else vectors
        return _manifest(live, supposed, len(vectors), dry_run=True)


class _Made(NamedTuple):
    """What an erasure comes to: the manifest, the vectors that go, and the memory without what is erased."""

    manifest: Manifest
    vectors: set[bytes]
    folded: Projection


def _erased(live: Live, told: object) -> Manifest:
    def build(_: Projection) -> tuple[list[Item], _Made]:
        supposed = suppose(live, told)
        tombstone = tombstones(live, supposed.left.removed)
        shorter = {each.now.id for each in supposed.left.trimmed}
        away = {name for name in shorter if live.store.is_buried(live.space, name)}  # the same was erased before
        left = [item for item in supposed.left.items if item.id not in away]
        insort(left, tombstone, key=lambda item: item.position)
        folded = folded_anew(live, left)
        vectors = live.store.vector_texts(live.space)
        vectors = vectors - said_texts(folded) if vectors else vectors
        manifest = _manifest(live, supposed, len(vectors), dry_run=False)
        return [*(each.now for each in supposed.left.trimmed), tombstone], _Made(manifest, vectors, folded)

    written, made = live.transact(
        build,
        beside=lambda writing, made: writing.drop_vectors(made.vectors),
        anew=lambda made: made.folded,
    )
    note = cleaned(live)
    return replace(made.manifest, tombstone=written[-1].item.id.hex(), scrubbed=not note, note=note)


def cleaned(live: Live) -> str:
    """Let go of what is held here of erased items, and of their bytes; say what kept some, or nothing."""
    live.let_go_of_texts()
    live.refresh()
    with suppress(StoreError):  # it is erased; a checkpoint is a cache, and the next write tries again
        live.checkpoint_if_due()
    return live.store.scrub()


def tombstones(live: Live, gone: Sequence[Item]) -> Item:
    """Say that items are erased: later than they are, so that what is told from now on is none of them.

    But not later than the clock: what goes because it held the memory's clock ahead must not leave that behind.
    """
    now = live.believed()
    return make_item(
        space=live.space,
        what=ERASED,
        at=max([now, *(item.at + 1 for item in gone if item.at <= now)]),
        payload={"ids": sorted(item.id.hex() for item in gone)},
        known_at=live.stamp(),
    )


def said_texts(folded: Projection) -> set[bytes]:
    """Give the hashes of every text that may have a vector."""
    texts = [block.text() for block in folded.blocks.blocks.values()]
    return {text_key(text) for text in (*texts, *(entry.text for entry in SpaceGraph(folded).entries()))}


def _manifest(live: Live, supposed: Supposed, vectors: int, *, dry_run: bool) -> Manifest:
    left, store = supposed.left, live.store
    gone = nodes_gone(live.held, left)
    return Manifest(
        subject=str(supposed.subject),
        dry_run=dry_run,
        items=by_kind(left.removed),
        ids=tuple(item.id.hex() for item in left.removed),
        lost=lost_items(left.lost),
        trimmed=trimmed_items(left.trimmed),
        nodes=tuple(gone),
        returning=_returning(live, set(gone)),
        mentions=_mentions(supposed),
        vectors=vectors,
        checkpoints=store.counts(live.space, live.fingerprint).checkpoints,
        caches=int(store.cache(live.space, CACHE) is not None),
        tombstone="",
        scrubbed=False,
        note="",
        called=_called(live, supposed, gone, dry_run=dry_run),
        sessions=_sessions(supposed),
    )


def _called(live: Live, supposed: Supposed, gone: Sequence[str], *, dry_run: bool) -> dict[str, str]:
    """Give the names of nodes that go where their ids do not tell them, and the texts of blocks without one.

    Once they are gone, only the name of what was asked for: narratives and texts are not to be printed again.
    """
    blocks, own = live.held.blocks.blocks, supposed.subject.nodes if supposed.subject.kind == "node" else ()
    names = {each.node: each.name for said in supposed.depends.says.values() for each in said.called}
    texts = {node: blocks[node].content for node in gone if dry_run and node in blocks}
    texts |= {node: names[node] for node in gone if node in names and (dry_run or node in own)}
    return {node: _beginning(text) for node, text in texts.items() if slug(text) != node}


def _sessions(supposed: Supposed) -> dict[str, tuple[str, ...]]:
    """Name the sessions whose readings go, and who of those that are meant speaks in each."""
    found: dict[str, set[str]] = {}
    for item in supposed.left.removed:
        if item.what == TRANSCRIPT:
            said = said_of(item.payload)
            speaking = {actor.name for actor in said.actors if actor.id in supposed.subject.nodes}
            found.setdefault(said.session, set()).update(speaking)
    return {session: tuple(sorted(who)) for session, who in sorted(found.items())}


def _returning(live: Live, gone: set[str]) -> tuple[str, ...]:
    """Name the blocks whose place was taken by one that goes."""
    blocks = live.held.blocks.blocks
    taken = (DUPLICATE, SUPERSEDED)
    return tuple(sorted(name for name, each in blocks.items() if each.status in taken and each.heir in gone - {name}))


def _mentions(supposed: Supposed) -> tuple[Mention, ...]:
    """Name the items that are left and have one of the names in a text, and say whether `name:` takes them along."""
    naming = Naming(supposed.subject.names)
    found: list[tuple[Item, str, str]] = []
    for item in supposed.left.items:
        at = next(((name, text) for text in texts_of(item) if (name := naming.first(text))), None)
        found += [(item, *at)] if at is not None else []
    depends = Depends(supposed.left.items, supposed.depends.capabilities) if found else supposed.depends
    taken = {name: goes.items for name in {each[1] for each in found} if (goes := named(depends, name)) is not None}
    return tuple(
        Mention(item.id.hex(), item.what, name, _beginning(_told(item, text)), item.id in taken.get(name, ()))
        for item, name, text in found
    )


def _told(item: Item, text: str) -> str:
    """Give what an item says for a person: a learned text, or else the text that has the name in it."""
    if item.what in BLOCKS:
        return str(item.payload["content"])
    return f"session {said_of(item.payload).session}: {text}" if item.what == TRANSCRIPT else text


def _beginning(text: str) -> str:
    return cut(" ".join(text.split()))


# What another copy erased


class Honoured(NamedTuple):
    """What must be told too when another ledger comes in, and the texts that may have vectors then; None: any."""

    items: list[Item]
    texts: set[bytes] | None

    def keep(self, live: Live, writing: Writing) -> None:
        """Remove the vectors of other texts."""
        if self.texts is not None:
            writing.drop_vectors(live.store.vector_texts(live.space) - self.texts)


def honoured(live: Live, theirs: Sequence[Item], buried: Collection[bytes] = ()) -> Honoured:
    """See to it that what either side erased leaves nothing behind: items of one may stand on what the other erased."""
    away = {*live.store.tombstones(live.space), *buried}
    away |= {bytes.fromhex(name) for item in theirs if item.what == ERASED for name in erased_ids(item)}
    mine = [stored.item for stored in live.store.items(live.space)] if away else []
    union = {item.id: item for item in mine}
    for item in theirs:  # notes of two copies may differ, and a note may name a block
        union[item.id] = join(union.get(item.id, item), item)
    chosen = union.keys() & away
    if not chosen:
        return Honoured([], None)
    depends = Depends(sorted(union.values(), key=lambda item: item.position), live.capabilities)
    left = depends.without(chosen, live.parameters)
    gone = [*(each.item for each in left.lost), *(each.item for each in left.trimmed)]
    return Honoured(
        [*(each.now for each in left.trimmed), *map(_tombstone, gone)], said_texts(folded_anew(live, left.items))
    )


def _tombstone(gone: Item) -> Item:
    """Say that one item is erased: a moment later than it, so the same whichever copy finds out, and when."""
    at = gone.at + 1
    return make_item(space=gone.space, what=ERASED, at=at, payload={"ids": [gone.id.hex()]}, known_at=at)
