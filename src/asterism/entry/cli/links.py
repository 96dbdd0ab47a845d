"""Commands about links: telling evidence, and asking what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from asterism.core.connections.words import Direction, EvidenceKind, LinkKind, taken, word
from asterism.entry.cli.commands import MAX_BYTES, SKIP_ERASED, Asked, Command, InFile, Words
from asterism.entry.cli.opening import changing, must_know, reading, space_of
from asterism.entry.cli.output import answer, width, working

if TYPE_CHECKING:
    from asterism.core.ledger.model import Link
    from asterism.entry.text.layout import Line
    from asterism.sync import Memory, Snapshot

EVIDENCE_KINDS, LINK_KINDS = Words(EvidenceKind), Words(LinkKind)
DIRECTIONS = Words([Direction.A_TO_B, Direction.B_TO_A])
CURVES_UP_TO = 200  # links; more than this, and a curve for each is only drawn when asked for
SHOWN = 50


@click.command(
    "observe",
    cls=Command,
    example='asterism observe sleep mood user_confirms --note "bad night, bad day"',
    choices={"KIND": taken(EvidenceKind)},
)
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.argument("kind", required=False, type=EVIDENCE_KINDS, metavar="[KIND]")
@click.option("--source", help="Who or what says so.", metavar="TEXT")
@click.option("--note", help="A remark to keep with it.", metavar="TEXT")
@click.option(
    "--file",
    "path",
    type=InFile(exists=True, dir_okay=False, path_type=Path),
    help="Many at once: .jsonl or .csv with a, b, kind and maybe at, source, note; all of them or none.",
)
@SKIP_ERASED
@MAX_BYTES
@click.pass_obj
def observe(
    asked: Asked,
    a: str | None,
    b: str | None,
    kind: str | None,
    source: str | None,
    note: str | None,
    path: Path | None,
    skip_erased: bool,
    max_bytes: int | None,
) -> None:
    """Add evidence for the link between A and B.

    The answer says what it really added, and what capped it.
    """
    from asterism.entry.text.render import receipt_lines

    if path is not None:
        if a is not None or source or note:
            raise click.UsageError("with --file, the rows say everything; leave A, B, KIND, --source and --note out")
        _observe_file(asked, path, skip_erased=skip_erased, max_bytes=max_bytes)
        return
    if skip_erased:
        raise click.UsageError("--skip-erased is for --file")
    if a is None or b is None or kind is None:
        raise click.UsageError(f"say A, B and KIND; KIND is one of {', '.join(EVIDENCE_KINDS.choices)}")
    with changing(asked) as memory:
        receipt = memory.observe(a, b, kind, at=asked.at, source=source, note=note)
        link = memory.link(a, b)
        now = None if link is None else {"strength": link.strength, "state": link.state}
        answer(asked, receipt.to_dict() | {"now": now}, receipt_lines(receipt, link, dated=asked.at is not None))


def _observe_file(asked: Asked, path: Path, *, skip_erased: bool, max_bytes: int | None) -> None:
    from asterism.entry.evidence_file import blame, read_rows
    from asterism.entry.text.layout import paragraph
    from asterism.errors import AsterismError

    with working(f"Reading {path.name}") as progress:

        def tell(count: int) -> None:
            progress.say(f"{path.name}: {count:,} rows")

        rows = read_rows(path, default_at=asked.at, progress=tell, max_bytes=max_bytes)
    with changing(asked) as memory, working(f"Adding {len(rows):,} rows"):
        try:
            receipts = memory.observe_many([row.evidence for row in rows], skip_erased=skip_erased)
        except AsterismError as error:
            raise blame(error, [row.line for row in rows], path.name) from None
    known, erased = sum(receipt.duplicate for receipt in receipts), sum(receipt.erased for receipt in receipts)
    told: dict[str, Any] = {"rows": len(receipts), "added": len(receipts) - known - erased, "duplicates": known}
    told["erased"] = erased
    text = f"{told['added']:,} items of evidence added from {path.name}, {known:,} were known already"
    text += f", {erased:,} were erased and stay away." if erased else "."
    answer(asked, told | {"receipts": [each.to_dict() for each in receipts]}, paragraph(text))


@click.command("deny", cls=Command, example="asterism deny sleep mood")
@click.argument("a")
@click.argument("b")
@click.option("--source", help="Who says so.", metavar="TEXT")
@click.pass_obj
def deny(asked: Asked, a: str, b: str, source: str | None) -> None:
    """Deny the link between A and B.

    It weakens by 0.15, or dissolves if it was below weak.
    """
    with changing(asked) as memory:
        memory.deny(a, b, at=asked.at, source=source)
        _show_one(asked, memory, memory.link(a, b, at=asked.at))


@click.command(
    "assign-type",
    cls=Command,
    example="asterism assign-type running energy growth_edge --direction a_to_b",
    choices={"KIND": [word(kind) for kind in LinkKind]},
)
@click.argument("a")
@click.argument("b")
@click.argument("kind", type=LINK_KINDS, metavar="KIND")
@click.option("--direction", type=DIRECTIONS, help="For causation, growth_edge and blocks; a_to_b unless said.")
@click.option("--source", help="Who says so.", metavar="TEXT")
@click.pass_obj
def assign_type(asked: Asked, a: str, b: str, kind: str, direction: str | None, source: str | None) -> None:
    """Say what KIND the link between A and B is.

    Detection leaves it alone from then on.
    """
    with changing(asked) as memory:
        memory.assign_type(a, b, kind, direction=direction, at=asked.at, source=source)
        _show_one(asked, memory, memory.link(a, b, at=asked.at))


@click.command("link", cls=Command, example="asterism link sleep mood")
@click.argument("a")
@click.argument("b")
@click.pass_obj
def link(asked: Asked, a: str, b: str) -> None:
    """Show the link between A and B, or say that there is none."""
    with reading(asked) as memory:
        found = memory.link(a, b, at=asked.at)
        if found is None:
            must_know(memory, a, b)
        _show_one(asked, memory, found, other=[] if found else memory.links(a, b, at=asked.at))


def _show_one(asked: Asked, memory: Memory, found: Link | None, *, other: Sequence[Link] = ()) -> None:
    from asterism.entry.text.layout import paragraph
    from asterism.entry.text.render import links_table

    if asked.json or (found is None and not other):
        answer(asked, None if found is None else found.to_dict(), paragraph("There is no link between them."))
        return
    view = memory if asked.at is None else memory.as_of(asked.at)
    shown, curves = ([found], view.curves()) if found else (list(other), None)
    lines = [] if found else paragraph("No evidence links them, but they were found to belong together:")
    answer(asked, None, lines + links_table(shown, curves, texts=texts_of(view, shown), width=width()))


def texts_of(view: Memory | Snapshot, links: Iterable[Link]) -> dict[str, str]:
    """Give what the ends of links say; a star says its name by its id already, unless that holds a hash."""
    ends = {end for link in links for end in (link.a, link.b)}
    found = view.entries(*ends).items()
    return {
        name: each.text for name, each in found if each.kind != "star" or "-".join(each.text.casefold().split()) != name
    }


def show_links(
    asked: Asked,
    memory: Memory,
    view: Memory | Snapshot,
    a: str | None,
    b: str | None,
    *,
    limit: int | None,
    curve: bool | None,
) -> None:
    """Show links of a memory, now or as it was, strongest first."""
    found = view.links(a, b)
    if not found:
        must_know(memory, a, b)
    drawn = sum(each.family != "structural" for each in found)
    curves = view.curves() if curve or (curve is None and not asked.json and 0 < drawn <= CURVES_UP_TO) else None
    listed = found if limit is None else found[:limit]
    if asked.json:
        told = [each.to_dict() for each in listed]
        if curves is not None:
            told = [each | {"curve": list(curves.get(str(each["id"]), ()))} for each in told]
        answer(asked, told, ())
    else:
        of = view.entries(a)[a].id if found and a is not None and b is None else None
        answer(asked, None, _listed(asked, view, found, limit or SHOWN, curves, of=of))


def _listed(
    asked: Asked,
    view: Memory | Snapshot,
    found: list[Link],
    limit: int,
    curves: dict[str, tuple[float, ...]] | None,
    *,
    of: str | None,
) -> list[Line]:
    from asterism.entry.text.layout import paragraph
    from asterism.entry.text.render import links_table

    if not found:
        return paragraph(
            f"No links here in space {space_of(asked)!r}. Evidence makes them: asterism observe A B user_creates; a "
            "dream finds them between blocks: asterism dream"
        )
    shown = found[:limit]
    lines = links_table(shown, curves, texts=texts_of(view, shown), of=of, width=width())
    if len(found) > limit:
        lines += paragraph(f"and {len(found) - limit:,} more; --limit {len(found)} shows all", style="dim")
    return lines


LIMIT = click.option("--limit", type=click.IntRange(min=1), help="Show at most so many, the strongest.", metavar="N")
CURVE = click.option("--curve/--no-curve", default=None, help="Draw each strength through time (as a list in JSON).")


@click.command("links", cls=Command, example="asterism links sleep --limit 10")
@click.argument("a", required=False)
@click.argument("b", required=False)
@LIMIT
@CURVE
@click.pass_obj
def links(asked: Asked, a: str | None, b: str | None, limit: int | None, curve: bool | None) -> None:
    """Show links, strongest first.

    All of them, those of A, or those of A and B: links by evidence, then those found between blocks.
    """
    with reading(asked) as memory:
        view = memory if asked.at is None else memory.as_of(asked.at)
        show_links(asked, memory, view, a, b, limit=limit, curve=curve)


COMMANDS = (observe, deny, assign_type, link, links)
