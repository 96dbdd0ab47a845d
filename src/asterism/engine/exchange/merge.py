"""Merging two copies of a memory: the set union of their ledgers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from asterism.core.blocks.fold import KINDS, folded
from asterism.core.connections.model import Merged
from asterism.core.ledger.items import Item
from asterism.core.space.projection import Projection
from asterism.engine.care.erase import ERASED, Honoured, cleaned, honoured
from asterism.engine.connections.advance import refuse_far_future, strides
from asterism.engine.space.live import Live, erased_ids
from asterism.engine.space.vectors import text_key
from asterism.errors import UnknownError
from asterism.store.port import Store, Writing
from asterism.wiring import open_store


def merge(live: Live, other: str | Path | Store) -> Merged:
    """Take in another ledger of the same space, each item checked; what either side erased stays erased."""
    source = other if isinstance(other, Store) else open_store(other, read_only=True)
    try:
        if live.space not in source.spaces():
            raise UnknownError(
                f"the other memory has no space {live.space!r}",
                code="wrong_space",
                item=live.space,
                hint=f"it has {', '.join(source.spaces()) or 'none'}; open this one with the space to merge",
            )
        theirs = [stored.item for stored in source.items(live.space)]
        vectors = _vectors(live, source, theirs)
    finally:
        if source is not other:
            source.close()
    for item in theirs:
        live.capabilities.check(item)
    live.refresh()
    for item, near in strides(theirs, live.now(), live.held.latest_at):
        refuse_far_future(item.at, near)
    extra: list[Honoured] = []

    def build(_: Projection) -> list[Item]:
        live.refresh()
        extra[:] = [honoured(live, theirs)]
        return [*theirs, *extra[0].items]

    def beside(writing: Writing) -> None:
        extra[0].keep(live, writing)
        _keep(writing, vectors, extra[0].texts)

    written = live.write(build, beside=beside)
    live.refresh()
    buried = any(each.item.what == ERASED and each.outcome.seq is not None for each in written)
    note = cleaned(live) if buried else ""
    return Merged(
        added=sum(each.outcome.seq is not None for each in written),
        duplicates=sum(each.outcome.duplicate for each in written),
        buried=sum(each.outcome.buried for each in written),
        erased=sum(
            len(erased_ids(each.item))
            for each in written
            if each.item.what == "erased" and each.outcome.seq is not None
        ),
        scrubbed=not note,
        note=note,
    )


def _vectors(live: Live, source: Store, items: Sequence[Item]) -> tuple[str, dict[bytes, bytes]]:
    """Give the other copy's vectors, if the same embedder made them; those of another are made anew when needed."""
    made = source.embedder(live.space)
    if made is None or live.store.embedder(live.space) not in (None, made):
        return "", {}
    blocks = folded((item for item in items if item.what in KINDS), live.parameters.blocks).blocks
    return made, source.vectors(live.space, made, {text_key(block.text()) for block in blocks.values()})


def _keep(writing: Writing, vectors: tuple[str, dict[bytes, bytes]], texts: set[bytes] | None) -> None:
    """Keep the other copy's vectors, of these texts only if something was erased."""
    identity, made = vectors
    made = {text: data for text, data in made.items() if texts is None or text in texts}
    if made:
        writing.set_embedder(identity)
        writing.put_vectors(identity, made)
