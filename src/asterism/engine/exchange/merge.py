"""Merging two copies of a memory: the set union of their ledgers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from asterism.core.blocks.fold import KINDS, folded
from asterism.core.connections.model import Merged
from asterism.core.ledger.items import Item, cut
from asterism.core.space.projection import Projection
from asterism.engine.care.erase import Honoured, cleaned, honoured
from asterism.engine.space.clock import ahead, last_believed
from asterism.engine.space.live import Live
from asterism.engine.space.vectors import numbers_of, text_key, vector_problem
from asterism.errors import UnknownError
from asterism.incoming import STREAMED, too_large, unpacked_most
from asterism.store.port import Store, Stored, Writing
from asterism.wiring import receive_store


class Copy(NamedTuple):
    """What another copy of a space holds, as it was at one moment: items, and the vectors that its embedder made."""

    items: list[Item]
    erased: list[bytes]  # hashes
    embedder: str | None = None
    vectors: Mapping[bytes, bytes] = MappingProxyType({})
    lost: tuple[str, ...] = ()  # what it recorded and does not have


def copy_at(path: str | Path, space: str) -> Copy:
    """Read the copy that another file holds; what its items unpack to has the bound of every file from outside."""
    store = receive_store(path)
    try:
        return copy_of(store, space, most=unpacked_most(store.size_bytes()))
    finally:
        store.close()


def copy_of(store: Store, space: str, *, most: int = STREAMED) -> Copy:
    """Read the copy that a store holds; to be called where the work of that store is done, for it has one thread."""
    with store.one_moment():
        if space not in store.spaces():
            raise UnknownError(
                f"the other memory has no space {space!r}",
                code="wrong_space",
                item=space,
                hint=f"it has {', '.join(store.spaces()) or 'none'}; open this one with the space to merge",
            )
        items = list(_up_to(most, store.each_item(space), str(store.place)))
        made = store.embedder(space)
        vectors = {} if made is None else store.vectors(space, made, store.vector_texts(space))
        lost = store.head(space).differences(store.counted(space))
        return Copy(items, list(store.tombstones(space)), made, vectors, tuple(lost))


def _up_to(most: int, stored: Iterable[Stored], name: str) -> Iterator[Item]:
    left = most
    for each in stored:
        left -= len(each.item.text)
        if left < 0:
            raise too_large(name, most)
        yield each.item


def merge(live: Live, theirs: Copy) -> Merged:
    """Take in another copy of the same space, each item checked; what either side erased stays erased."""
    live.refresh()
    last = last_believed(live.clock, live.now())
    for item in theirs.items:
        live.capabilities.check(item)
        if item.at > last:
            raise ahead(item.at, f"item {item.id.hex()} ({cut(item.what)}) of the other copy")
    theirs, damaged = _usable(live, theirs)
    texts = _texts(live, theirs)

    def build(_: Projection) -> tuple[list[Item], Honoured]:
        extra = honoured(live, theirs.items, theirs.erased)
        return [*theirs.items, *extra.items], extra

    buried = live.store.buried(live.space)

    def beside(writing: Writing, extra: Honoured) -> None:
        extra.keep(live, writing)
        untold = set(theirs.erased).difference(live.store.tombstones(live.space))  # what told of them was erased
        if untold:
            writing.bury(sorted(untold))
        _keep(live, writing, theirs, texts if extra.texts is None else texts & extra.texts)

    written, _ = live.transact(build, beside=beside)
    erased = live.store.buried(live.space) - buried
    if erased:
        live.begin_anew()
    note = cleaned(live) if erased else ""
    added = sum(each.outcome.seq is not None for each in written)
    live.refresh()
    live.leave_checkpoint(work=added)
    return Merged(
        added=added,
        duplicates=sum(each.outcome.duplicate for each in written),
        buried=sum(each.outcome.buried for each in written),
        erased=erased,
        scrubbed=not note,
        note=note,
        lost=theirs.lost,
        left_out=damaged,
    )


def _usable(live: Live, theirs: Copy) -> tuple[Copy, int]:
    """Leave out vectors that recall could not use, and count them: they are made anew when they are needed."""
    if theirs.embedder is None or not theirs.vectors:
        return theirs, 0
    numbers = numbers_of(live.store, live.space, theirs.embedder)
    if numbers is None:
        sizes = [len(data) // 4 for data in theirs.vectors.values()]
        numbers = max(sorted(set(sizes)), key=sizes.count)
    kept = {key: data for key, data in theirs.vectors.items() if not vector_problem(data, numbers, theirs.embedder)}
    return theirs._replace(vectors=kept), len(theirs.vectors) - len(kept)


def _texts(live: Live, theirs: Copy) -> set[bytes]:
    """Give the hashes of the texts of the other copy's blocks; of those alone a vector is worth keeping."""
    if not theirs.vectors:
        return set()
    blocks = folded((item for item in theirs.items if item.what in KINDS), live.parameters.blocks).blocks
    return {text_key(block.text()) for block in blocks.values()}


def _keep(live: Live, writing: Writing, theirs: Copy, texts: set[bytes]) -> None:
    """Keep the other copy's vectors, if the same embedder made them; those of another are made anew when needed."""
    kept = {text: data for text, data in theirs.vectors.items() if text in texts}
    if kept and theirs.embedder is not None and live.store.embedder(live.space) in (None, theirs.embedder):
        writing.set_embedder(theirs.embedder)
        writing.put_vectors(theirs.embedder, kept)
