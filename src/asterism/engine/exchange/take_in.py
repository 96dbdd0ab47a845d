"""Taking a file into a memory: a ledger that `export` wrote, or the file of the reference memory server.

Lines are read, checked and written a batch at a time, all in one transaction: a line that cannot be taken, the last one
too, leaves nothing behind, and no more than a batch is in memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from asterism.core.ledger.items import Item, cut
from asterism.core.ledger.model import Model
from asterism.core.ledger.parameters import Preset, Setting
from asterism.core.space.parameters import SpaceParameters
from asterism.engine.care.erase import Honoured, cleaned, honoured
from asterism.engine.exchange.export import Progress
from asterism.engine.exchange.lines import Taken, first_line, items_of, reference_rows
from asterism.engine.space.clock import Clock
from asterism.engine.space.collecting import batches, without_collection
from asterism.engine.space.live import Live, Tally
from asterism.engine.space.vectors import EmbedderSpec, numbers_of
from asterism.errors import InputError
from asterism.formats.files import Lines, reading
from asterism.formats.increments import reading_all
from asterism.formats.ledger import BadLine, Header, NewerHeader, header_of
from asterism.hints import Hint, option, step
from asterism.store.port import Writing
from asterism.wiring import open_store

Source = str | Path | IO[bytes]


@dataclass(frozen=True, slots=True)
class Imported(Model):
    """What a file brought: items that are new, known already, or erased here; of a reference server, its records."""

    format: str
    space: str
    added: int
    duplicates: int
    buried: int = 0
    erased: int = 0
    vectors: int = 0
    left_out: int = 0  # tombstones or vectors of another space or embedder
    entities: int = 0
    observations: int = 0
    relations: int = 0
    scrubbed: bool = True  # no byte of what was erased here too is left
    note: str = ""  # what kept some, and how it ends


@dataclass(frozen=True)
class Asked:
    """What whoever opened the memory asked for, and how the file is to be taken."""

    preset: Preset | None
    parameters: dict[str, Setting]
    embedder: EmbedderSpec
    as_copy: bool
    progress: Progress | None


def lines_of(source: Source, *, max_bytes: int | None) -> AbstractContextManager[Lines]:
    """Open what is to be taken in: a file, or a folder of increments as one."""
    with suppress(OSError):  # a name that is too long: opening it tells
        if isinstance(source, str | os.PathLike) and Path(source).is_dir():
            return reading_all(Path(source), max_bytes=max_bytes)
    return reading(source, max_bytes=max_bytes)


def take_in(
    live: Live, lines: Lines, first: dict[str, object], rest: Iterator[bytes], asked: Asked
) -> tuple[Imported, Live]:
    """Take a ledger into a space: the set union of both. Gives what came of it, and the space as it is now."""
    header = _header(lines, first)
    _check_space(live, header, asked)
    live.refresh()
    live = _agreed(live, header, asked, lines)
    next(rest)
    identity = _embedder(live, header, asked)
    taken = Taken(numbers=None if identity is None else numbers_of(live.store, live.space, identity))
    keep = _Keep(live, taken, identity)
    with without_collection():
        tally = live.take_in(batches(items_of(live, lines, header, rest, asked.progress, taken)), keep)
        live.refresh()
        live.leave_checkpoint(work=tally.added)
    note = cleaned(live) if keep.removed or tally.erased else ""
    told = Imported(
        format="jsonl",
        space=live.space,
        added=tally.added,
        duplicates=tally.duplicates,
        buried=len(tally.buried),
        erased=len(tally.erased) + keep.tombstones,
        vectors=keep.vectors,
        left_out=taken.left_out + len(taken.vectors) - keep.vectors,
        scrubbed=not note,
        note=note,
    )
    return told, live


def look_over(source: Source, *, space: str, as_copy: bool, clock: Clock, max_bytes: int | None = None) -> None:
    """Check a file as an import does into a space that is not there yet; nothing is written."""
    live = Live(open_store(":memory:"), space, clock=clock)
    asked = Asked(None, {}, None, as_copy, None)
    with lines_of(source, max_bytes=max_bytes) as lines:
        first, rest = first_line(lines)
        if "asterism" not in first:
            reference_rows(lines, rest, None)
            return
        header = _header(lines, first)
        _check_space(live, header, asked)
        live = _agreed(live, header, asked, lines)
        next(rest)
        with without_collection():
            for _ in items_of(live, lines, header, rest, None, Taken()):
                pass


def _header(lines: Lines, first: dict[str, object]) -> Header:
    try:
        return header_of(first)
    except NewerHeader as error:
        raise InputError(
            f"{lines.name} was written by a newer Asterism: {error}",
            code="newer_ledger",
            item=lines.name,
            hint=error.hint,
        ) from None
    except BadLine as error:
        raise lines.bad(str(error), error.hint) from None


def _check_space(live: Live, header: Header, asked: Asked) -> None:
    if header.space != live.space and not asked.as_copy:
        raise InputError(
            f"this is the ledger of space {cut(header.space)!r}, and the memory was opened with {live.space!r}",
            code="other_space",
            item=cut(header.space),
            hint=Hint(
                "open the memory with ",
                option("space", cut(header.space)),
                ", or copy the items into this space: ",
                option("as_copy", True),
            ),
        )


def _agreed(live: Live, header: Header, asked: Asked, lines: Lines) -> Live:
    """Give the space with the parameters of the file if it is new; refuse a space that has others."""
    try:
        theirs = SpaceParameters.build(header.preset, header.parameters, capabilities=live.capabilities)
    except InputError as error:
        raise lines.bad(error.message, "a newer Asterism wrote it: upgrade to read it") from None
    if theirs.digest() == live.parameters.digest():
        return live
    made = live.store.parameters(live.space) is not None
    if made or asked.preset is not None or asked.parameters:
        which = "was made" if made else "was opened"
        raise InputError(
            f"space {live.space!r} {which} with other parameters than the ledger: "
            f"preset {'+'.join(header.preset)} and {header.parameters or 'no overrides'} there, "
            f"preset {'+'.join(live.preset)} and {live.overrides or 'no overrides'} here",
            code="other_parameters",
            item=live.space,
            hint=Hint(
                "import it into a new space, or give this one the ledger's parameters first with ",
                step("configure", ...),
            ),
        )
    agreed = Live(
        live.store,
        live.space,
        clock=live.clock,
        preset=header.preset,
        overrides=header.parameters,
        embedder=asked.embedder,
        capabilities=live.capabilities,
    )
    agreed.refresh()
    return agreed


class _Keep:
    """One transaction: the items with what must be told too of erased ones, and what is stored beside them."""

    def __init__(self, live: Live, taken: Taken, identity: str | None) -> None:
        self._live, self._taken, self._identity = live, taken, identity
        self._extra = Honoured([], None)
        self.vectors = 0  # that were kept
        self.tombstones = 0  # of which no item says anything, and that are new here
        self.removed = 0  # items that went under tombstones of which no item says anything

    def build(self, tally: Tally) -> list[Item]:
        """Give what must be told too of erased items, once all that came are there."""
        self._extra = honoured(self._live, tally.buried, [*self._taken.tombstones, *tally.erased])
        return self._extra.items

    def store(self, writing: Writing) -> None:
        """Keep vectors, and bury what is to be buried."""
        texts, vectors = self._extra.texts, self._taken.vectors
        self._extra.keep(self._live, writing)
        if self._identity is not None:
            writing.set_embedder(self._identity)
            kept = {text: data for text, data in vectors.items() if texts is None or text in texts}
            self.vectors = len(kept)
            if kept:
                writing.put_vectors(self._identity, kept)
        if self._taken.tombstones:
            known = set(self._live.store.tombstones(self._live.space))
            self.tombstones = len(set(self._taken.tombstones) - known)
            self.removed = writing.bury(self._taken.tombstones)


def _embedder(live: Live, header: Header, asked: Asked) -> str | None:
    """Say whose vectors to keep: a file's embedder counts where none has made any yet, and none was asked for."""
    made, theirs = live.store.embedder(live.space), header.embedder
    if theirs is None or made not in (None, theirs):
        return None
    own = made is None and asked.embedder is not None
    return None if own and live.own_texts().embedder.identity != theirs else theirs
