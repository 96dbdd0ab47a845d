"""`asterism export` and `asterism import`: a memory as a file, and a file as a memory."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from asterism.core.ledger.model import NODE_KINDS
from asterism.entry.cli.commands import MAX_BYTES, Asked, Choice, Command, InFile, OutFile
from asterism.entry.cli.opening import making, reading, space_of, where, without_at
from asterism.entry.cli.output import answer, width, working

if TYPE_CHECKING:
    from asterism.engine.exchange.export import Progress as Told
    from asterism.entry.cli.output import Progress

FORMATS = ("jsonl", "graphml", "dot", "mermaid", "csv", "parquet", "html")


@click.command("export", cls=Command, example="asterism export graph.graphml --kind block --min-strength 0.3")
@click.argument("file", type=OutFile(path_type=Path, allow_dash=True))
@click.option("--format", "kind_of_file", type=Choice(FORMATS), help="What to write, if the name does not say it.")
@click.option(
    "--kind", "--kinds", "kinds", multiple=True, type=Choice(NODE_KINDS), help="Only nodes of this kind; repeat it."
)
@click.option("--min-strength", type=click.FloatRange(0, 1), default=0.0, help="Only links so strong.", metavar="SHARE")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many nodes, most linked first.", metavar="N")
@click.option("--vectors", is_flag=True, help="Put the blocks' vectors into a ledger too.")
@click.option("--known-at", help="Only what was known at this moment.", metavar="TIME")
@click.option("--increments", is_flag=True, help="FILE is a folder: add one file with what came since the last.")
@click.option("--remake", is_flag=True, help="With --increments: write files anew that hold what was erased since.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.pass_obj
def export(
    asked: Asked,
    file: Path,
    kind_of_file: str | None,
    kinds: tuple[str, ...],
    min_strength: float,
    limit: int | None,
    vectors: bool,
    known_at: str | None,
    increments: bool,
    remake: bool,
    force: bool,
) -> None:
    """Write the memory to FILE.

    The ending says what: .jsonl the whole ledger, one line an item (.jsonl.gz compressed); .graphml, .dot, .mmd and
    .html the graph; a folder ending in .csv or .parquet two tables, nodes and links. - is standard output.
    With --increments a folder of ledgers, to which each run adds one file: for Git, rsync and asterism import.
    """
    from asterism.entry.text.exchanged import exported_lines

    if increments:
        _whole_ledger(kind_of_file, kinds, min_strength, limit, vectors, known_at, asked.at, force)
        _add_increment(asked, file, remake=remake)
        return
    if remake:
        raise click.UsageError("--remake goes with --increments")
    out = str(file) == "-"
    if out and asked.json:
        raise click.UsageError("--json would stand among what is written; leave it out, or name a file")
    target: Path | IO[bytes] = sys.stdout.buffer if out else file
    with reading(asked) as memory, working("Writing") as progress:
        view = memory if known_at is None else memory.as_of(asked.at or known_at, known_at=known_at)
        told = view.export(
            target,
            format=kind_of_file,
            kinds=kinds,
            min_strength=min_strength,
            limit=limit,
            vectors=vectors,
            at=asked.at if known_at is None else None,
            force=force,
            progress=_saying(progress, "Writing"),
        )
    if not out:
        answer(asked, told.to_dict(), exported_lines(told, width=width()))


def _whole_ledger(*told: object) -> None:
    """Refuse what would make an increment less than what came."""
    if any(told):
        raise click.UsageError("increments are whole: with --increments only --remake means something")


def _add_increment(asked: Asked, folder: Path, *, remake: bool) -> None:
    from asterism.entry.text.backups import increments_lines

    with reading(asked) as memory, working("Writing") as progress:
        told = memory.export_increments(folder, remake=remake, progress=_saying(progress, "Writing"))
    answer(asked, told.to_dict() | {"ok": told.ok}, increments_lines(told, width=width()))
    if not told.ok:
        click.get_current_context().exit(1)


@click.command("import", cls=Command, example="asterism import memory.jsonl --space me")
@click.argument("file", type=InFile(path_type=Path, allow_dash=True))
@click.option("--as-copy", is_flag=True, help="Take in the items of another space, under new ids.")
@MAX_BYTES
@click.pass_obj
def import_(asked: Asked, file: Path, as_copy: bool, max_bytes: int | None) -> None:
    """Take in a ledger that export wrote, or its increments.

    Every line is checked first; the space then holds the union of both, and what was erased stays erased. The JSON
    lines of the reference memory server are taken in too. - is standard input.
    """
    from asterism.entry.text.exchanged import imported_lines

    without_at(asked, instead="items keep the times they have")
    source: Path | IO[bytes] = sys.stdin.buffer if str(file) == "-" else file
    with ExitStack() as kept:
        if not where(asked).exists():
            source = _looked_over(asked, source, kept, as_copy=as_copy, max_bytes=max_bytes)
        memory, progress = kept.enter_context(making(asked)), kept.enter_context(working("Reading"))
        told = memory.import_(source, as_copy=as_copy, max_bytes=max_bytes, progress=_saying(progress, "Reading"))
    answer(asked, told.to_dict(), imported_lines(told, width=width()))


def _looked_over(
    asked: Asked, source: Path | IO[bytes], kept: ExitStack, *, as_copy: bool, max_bytes: int | None
) -> Path | IO[bytes]:
    """Check all of a file before a memory is made for it; what can be read only once is kept for the second time."""
    with working("Checking"):
        from asterism.engine.exchange.take_in import look_over
        from asterism.engine.space.clock import SystemClock

        if not isinstance(source, Path):
            copy = kept.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  # the stack closes it
            shutil.copyfileobj(source, copy)
            copy.seek(0)
            source = copy
        look_over(source, space=space_of(asked), as_copy=as_copy, clock=SystemClock(), max_bytes=max_bytes)
        if not isinstance(source, Path):
            source.seek(0)
    return source


def _saying(progress: Progress, word: str) -> Told:
    """Say how far it is."""

    def say(share: float, count: int) -> None:
        progress.say(f"{word}: {count:,} lines, {share:.0%}")

    return say


COMMANDS = (export, import_)
