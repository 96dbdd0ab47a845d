"""Keeping what recall made: its index and its vectors, so that the next process need not make them anew."""

from __future__ import annotations

from asterism.engine.recall.recaller import CACHE, recaller_of
from asterism.engine.space.live import Live
from asterism.engine.space.vectors import BUILT_IN

CACHED_FROM = 1_000  # entries indexed since the last cache, from which it is written again


def keep_index(live: Live, *, anyway: bool = False) -> None:
    """Keep the index of a large memory, if much was read for it since it was kept, or `anyway`.

    Entries that have no vector get one, but for the inbox, which waits for a dream; so do words.
    """
    recaller = recaller_of(live)
    if recaller.indexed >= CACHED_FROM or (anyway and len(recaller.index) >= CACHED_FROM):
        recaller.embed(0)
        live.keep_vectors(recaller.texts)
        live.keep(CACHE, recaller.cache(live.seq))
        recaller.indexed = 0


def keep_what_was_read(live: Live, entries: int) -> None:
    """Keep index and vectors after much was read, with a checkpoint; not if the embedder is far away, or costs."""
    if entries >= CACHED_FROM and (live.embedder is None or live.embedder in BUILT_IN):
        live.refresh()
        live.leave_checkpoint(work=entries)
        keep_index(live)
