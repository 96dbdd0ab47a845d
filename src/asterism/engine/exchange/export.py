"""Writing a memory to a file: its ledger, or its graph in one of several formats."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO

from asterism.core.ledger.model import Model
from asterism.core.space.projection import FOLD_VERSION
from asterism.core.space.view import GraphView
from asterism.core.text.near import did_you_mean
from asterism.engine.graph.view import Thinning, checked
from asterism.engine.graph.view import view as view_of
from asterism.engine.space.collecting import without_collection
from asterism.engine.space.live import Live, erased_ids
from asterism.errors import InputError
from asterism.formats import files, tables
from asterism.formats.drawn import dot, mermaid
from asterism.formats.graphml import graphml
from asterism.formats.ledger import Header, TextVector, header_line, item_line, tombstone_line, vector_line

Progress = Callable[[float, int], None]  # the share that is done, and how many so far
Target = str | Path | IO[bytes] | None
TEXTS: dict[str, Callable[[GraphView], Iterable[str]]] = {"graphml": graphml, "dot": dot, "mermaid": mermaid}
TABLES = {"csv": tables.write_csv, "parquet": tables.write_parquet}
FORMATS = ("jsonl", *TEXTS, *TABLES, "html")
ENDINGS = {
    ".jsonl": "jsonl",
    ".graphml": "graphml",
    ".xml": "graphml",
    ".dot": "dot",
    ".gv": "dot",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".csv": "csv",
    ".parquet": "parquet",
    ".html": "html",
    ".htm": "html",
}
EACH = 10_000  # lines between two words about the progress


@dataclass(frozen=True, slots=True)
class Exported(Model):
    """What was written: how many of what, what was left out, and the text itself if no file was named."""

    format: str
    path: str | None
    counts: dict[str, int]
    left_out: dict[str, int] = field(default_factory=dict)
    bytes: int = 0
    text: str | None = None


@dataclass(frozen=True)
class Wanted:
    """How to write: to what, as what, with what."""

    target: Target
    format: str | None = None
    vectors: bool = False
    thinning: Thinning = field(default_factory=Thinning)
    force: bool = False
    progress: Progress | None = None


def format_of(target: Target, named: str | None) -> str:
    """Give the format that is meant: the one that was named, else by the ending of the file."""
    if named is not None:
        if named not in FORMATS:
            raise InputError(
                f"there is no format {named!r}",
                code="unknown_format",
                item=str(named),
                hint=did_you_mean(str(named), FORMATS) or f"formats are {', '.join(FORMATS)}",
            )
        return named
    if not isinstance(target, str | os.PathLike):
        return "jsonl"
    path = Path(target)
    ending = Path(path.stem).suffix if path.suffix.lower() == ".gz" else path.suffix
    if ending.lower() not in ENDINGS:
        raise InputError(
            f"the name {path.name!r} does not say which format is meant",
            code="unknown_format",
            item=path.name,
            hint=f"end it in {', '.join(ENDINGS)}, or give the format",
        )
    return ENDINGS[ending.lower()]


def export(live: Live, wanted: Wanted, *, at: int | None, known_at: int | None) -> Exported:
    """Write the memory, now or as it was."""
    kind = format_of(wanted.target, wanted.format)
    if not isinstance(wanted.target, str | os.PathLike):
        if wanted.target is not None:
            files.check_open(wanted.target)
    elif kind not in TABLES:
        files.check_place(Path(wanted.target), force=wanted.force)  # before the work, not behind it
    live.refresh()
    if kind == "jsonl":
        return _ledger(live, wanted, at=at, known_at=known_at)
    if wanted.vectors:
        raise _not_here("vectors", kind, "only a ledger (.jsonl) holds vectors")
    if kind == "html":
        return _page(live, wanted, at=at, known_at=known_at)
    view = view_of(live, wanted.thinning, at=at, known_at=known_at)
    if kind in TABLES:
        return _tables(view, kind, wanted)
    texts = TEXTS[kind](view)
    with _opened(wanted) as out:
        for text in texts:
            out.write(text.encode())
    return _graph_told(view, kind, wanted, out)


# The ledger


def _ledger(live: Live, wanted: Wanted, *, at: int | None, known_at: int | None) -> Exported:
    if wanted.thinning.asked:
        raise _not_here(
            "kinds, min_strength and limit", "jsonl", "a ledger is whole; thin out a graph (.graphml, .dot)"
        )
    store, space = live.store, live.space
    with store.one_moment():
        live.refresh()  # the parameters of the items that are read next
        header = Header(space, live.preset, live.overrides, store.embedder(space), FOLD_VERSION)
        items = [stored.item for stored in store.items(space, until_at=at, known_until=known_at)]
        tombstones = list(store.tombstones(space))
        vectors = _vectors(live, header.embedder) if wanted.vectors else []
    said = {bytes.fromhex(name) for item in items if item.what == "erased" for name in erased_ids(item)}
    orphans = sorted(set(tombstones) - said)
    counts = {"items": len(items), "erased": len(said | set(tombstones)), "vectors": len(vectors)}
    lines = chain(
        [header_line(header)],
        map(item_line, items),
        map(tombstone_line, orphans),
        map(vector_line, vectors),
    )
    total = 1 + len(items) + len(orphans) + len(vectors)
    with _opened(wanted) as out:
        for number, line in enumerate(lines, 1):
            out.write(line)
            if wanted.progress is not None and (number % EACH == 0 or number == total):
                wanted.progress(number / total, number)
    return _told("jsonl", wanted, out, counts, {})


def _vectors(live: Live, identity: str | None) -> list[TextVector]:
    """Give the vectors that are kept, by the hash of their text."""
    if identity is None:
        return []
    kept = live.store.vectors(live.space, identity, live.store.vector_texts(live.space))
    return [TextVector(*each) for each in sorted(kept.items())]


# The graph


def _tables(view: GraphView, kind: str, wanted: Wanted) -> Exported:
    if not isinstance(wanted.target, str | os.PathLike):
        raise InputError(
            f"{kind} is two files, nodes and links",
            code="needs_folder",
            item=kind,
            hint="name a folder to write them in",
        )
    if Path(wanted.target).suffix.lower() == ".gz":
        raise _not_here(".gz", kind, f"{kind} is a folder with two files, which are not compressed: leave .gz out")
    files.check_name(Path(wanted.target))
    there = Path(wanted.target).exists()
    folder = files.folder(Path(wanted.target))
    paths = [folder / f"{name}.{kind}" for name in ("nodes", "links")]
    write = TABLES[kind]
    try:
        with files.writing(*paths, force=wanted.force) as (nodes, links):
            write(tables.NODES, tables.node_rows(view), nodes)
            write(tables.LINKS, tables.link_rows(view), links)
    except BaseException:
        if not there:
            with suppress(OSError):
                folder.rmdir()
        raise
    counts = {"nodes": len(view.nodes), "links": len(view.links)}
    size = sum(path.stat().st_size for path in paths)
    return Exported(kind, str(folder), counts, _left_out(view), size)


def _page(live: Live, wanted: Wanted, *, at: int | None, known_at: int | None) -> Exported:
    from asterism.engine.exchange.constellation import MOST_NODES, sky_of
    from asterism.formats.constellation import page

    thinning = checked(live, wanted.thinning)
    with without_collection():
        with live.store.one_moment():
            sky = sky_of(
                live,
                at=at,
                known_at=known_at,
                kinds=thinning.kinds,
                min_strength=thinning.min_strength,
                most_nodes=thinning.limit or MOST_NODES,
            )
        drawn = page(sky).encode()
    with _opened(wanted) as out:
        out.write(drawn)
    counts = {"nodes": len(sky.nodes), "links": len(sky.links) - sky.dissolved}
    counts |= {"dissolved": sky.dissolved} if sky.dissolved else {}
    return _told("html", wanted, out, counts, sky.left_out)


def _graph_told(view: GraphView, kind: str, wanted: Wanted, out: IO[bytes]) -> Exported:
    return _told(kind, wanted, out, {"nodes": len(view.nodes), "links": len(view.links)}, _left_out(view))


def _left_out(view: GraphView) -> dict[str, int]:
    return {name: count for name, count in (("nodes", view.left_out.nodes), ("links", view.left_out.links)) if count}


# What both share


@contextmanager
def _opened(wanted: Wanted) -> Iterator[IO[bytes]]:
    target = wanted.target
    if target is None:
        yield io.BytesIO()
    elif isinstance(target, str | os.PathLike):
        with files.writing(Path(target), force=wanted.force) as (file,):
            yield file
    else:
        yield target
        target.flush()


def _told(kind: str, wanted: Wanted, out: IO[bytes], counts: dict[str, int], left_out: dict[str, int]) -> Exported:
    path, text, size = None, None, 0
    if isinstance(wanted.target, str | os.PathLike):
        path, size = str(wanted.target), Path(wanted.target).stat().st_size
    elif wanted.target is None and isinstance(out, io.BytesIO):
        text = out.getvalue().decode()
        size = len(out.getvalue())
    return Exported(kind, path, counts, left_out, size, text)


def _not_here(what: str, kind: str, hint: str) -> InputError:
    return InputError(f"{what} mean nothing for {kind}", code="no_such_option", item=what, hint=hint)
