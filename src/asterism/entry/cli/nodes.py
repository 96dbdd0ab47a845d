"""Commands that look at nodes: all of them, or one with its links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from asterism.core.ledger.model import NODE_KINDS
from asterism.entry.cli.commands import Asked, Choice, Command
from asterism.entry.cli.links import texts_of
from asterism.entry.cli.opening import must_know, reading, space_of
from asterism.entry.cli.output import answer, width

if TYPE_CHECKING:
    from asterism.core.ledger.model import Link
    from asterism.engine.graph.nodes import AnyNode
    from asterism.entry.text.layout import Line
    from asterism.sync import Memory, Snapshot

SHOWN = 50  # stars, or nodes of the kinds that were asked for
NAME = 24  # characters of a name, beside what the node says
GLIMPSE = 5  # of each other kind, when nothing was asked for
NO_SPACE = "Nothing in space {!r} yet. Begin: asterism learn TEXT, or asterism star add NAME"


@click.command("nodes", cls=Command, example="asterism nodes --kind star --kind actor")
@click.option("--kind", "kinds", multiple=True, type=Choice(NODE_KINDS), help="Only nodes of this kind; repeat it.")
@click.option("--limit", type=click.IntRange(min=1), help="Show at most so many of a kind.", metavar="N")
@click.pass_obj
def nodes(asked: Asked, kinds: tuple[str, ...], limit: int | None) -> None:
    """Show every node, or those of a kind.

    Stars, blocks, levels of markets, actors and moments of transcripts, narratives of explorations.
    """
    from asterism.entry.text.layout import paragraph

    with reading(asked) as memory:
        found = memory.nodes(kinds=kinds, at=asked.at)
        links = [] if asked.json else memory.links(at=asked.at)
    if asked.json:
        kept = [each for kind in NODE_KINDS for each in [each for each in found if each.kind == kind][:limit]]
        answer(asked, [each.to_dict() for each in kept], ())
        return
    if not found:
        nothing = f"No {' or '.join(kinds)} in space {{!r}}." if kinds else NO_SPACE
        answer(asked, None, paragraph(nothing.format(space_of(asked))))
        return
    lines: list[Line] = []
    for kind in NODE_KINDS:
        same = [each for each in found if each.kind == kind]
        if same:
            lines += _of_kind(kind, same, links, limit or (SHOWN if kinds or kind == "star" else GLIMPSE))
    answer(asked, None, lines)


def _of_kind(kind: str, found: Sequence[AnyNode], links: list[Link], shown: int) -> list[Line]:
    from asterism.core.connections.model import Star
    from asterism.entry.text.layout import Column, Piece, heading, many, paragraph, table
    from asterism.entry.text.render import one_line, stars_table, when

    lines = heading(many(len(found), kind).capitalize())
    stars = [each for each in found[:shown] if isinstance(each, Star)]
    if stars:
        lines += stars_table(stars, links, width=width())
    else:
        rows: list[list[Piece | str]] = []
        for each in found[:shown]:
            number = "" if each.strength is None else f"{each.strength:.2f}"
            said = "" if each.text == each.name else one_line(each.text, most=width())
            told = each.name == each.id or kind == "narrative"  # whose name is the beginning of what it says
            named = "" if told else one_line(each.name, most=NAME)
            rows.append([Piece(each.id, "name"), when(each.at) if each.at else "", number, named, said])
        columns = [Column("id"), Column("at"), Column("str", "right"), Column("name"), Column("says", least=12)]
        kept = [place for place in range(len(columns)) if any(row[place] for row in rows)]
        lines += table(
            [columns[place] for place in kept], [[row[place] for place in kept] for row in rows], width=width()
        )
    if len(found) > shown:
        more = f"and {len(found) - shown:,} more: asterism nodes --kind {kind} --limit {len(found)}"
        lines += paragraph(more, style="dim")
    return lines


@click.command("show", cls=Command, example="asterism show sleep")
@click.argument("name", metavar="ID")
@click.pass_obj
def show(asked: Asked, name: str) -> None:
    """Show one node with its links; ID may be its name."""
    from asterism.core.ledger.model import plain
    from asterism.entry.text.blocks import block_lines
    from asterism.entry.text.layout import Piece, heading, paragraph
    from asterism.entry.text.render import links_table, stars_table

    with reading(asked) as memory:
        view = memory if asked.at is None else memory.as_of(asked.at)
        must_know(view, name)
        entry = view.entries(name)[name]
        star = view.star(entry.id) if entry.kind == "star" else None
        block = view.block(entry.id) if entry.kind == "block" else None
        level = _level_of(view, entry.id) if entry.kind == "level" else None
        node = star or block or level or entry
        links = view.links(node.id)
        curves = view.curves() if star and links and not asked.json else {}
        texts = {} if asked.json else texts_of(view, links)
    told = {"node": plain(entry._asdict() if node is entry else node), "links": [each.to_dict() for each in links]}
    lines = block_lines(block, width=width()) if block else []
    if not (star or block):
        lines = [[Piece(node.id, "name"), Piece(f"  {node.kind}", "kind")], *paragraph(node.text, width=width())]
    if star:
        lines = stars_table([star], links, width=width())
    if links:
        lines += heading("Links") + links_table(links, curves, texts=texts, of=node.id, width=width())
    answer(asked, told, lines)


def _level_of(view: Memory | Snapshot, name: str) -> AnyNode | None:
    return next((each for each in view.nodes(kinds=["level"]) if each.id == name), None)


COMMANDS = (nodes, show)
