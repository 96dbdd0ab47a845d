"""Keeping what recall made: its index and its vectors, so that the next process need not make them anew."""

from __future__ import annotations

from contextlib import suppress

from asterism.engine.recall.recaller import CACHE, Recaller, recaller_of
from asterism.engine.space.live import Live
from asterism.engine.space.vectors import BUILT_IN
from asterism.errors import StoreError

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


def leave_what_was_indexed(live: Live) -> None:
    """Keep the index, before a memory is closed, if many entries were read for it: the next process need not.

    A question is no reason to bind a space to an embedder: vectors are kept only where some are.
    """
    recaller = live.of_texts
    if not isinstance(recaller, Recaller) or recaller.indexed < CACHED_FROM or live.closed:
        return
    with suppress(StoreError), live.store.without_waiting():  # read only, no room, or somebody writes: it is read again
        if live.store.embedder(live.space) is not None:
            live.keep_vectors(recaller.texts)
        live.leave_checkpoint(work=recaller.indexed)
        live.keep(CACHE, recaller.cache(live.seq))


def keep_what_was_read(live: Live, entries: int) -> None:
    """Keep index and vectors after much was read, with a checkpoint; not if the embedder is far away, or costs."""
    if entries >= CACHED_FROM and (live.embedder is None or live.embedder in BUILT_IN):
        live.refresh()
        live.leave_checkpoint(work=entries)
        keep_index(live)
