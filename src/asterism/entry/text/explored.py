"""What an exploration looks like as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from asterism.entry.text.explored_steps import Names, legend_lines, nodes_of_trace, step_lines, tree_lines
from asterism.entry.text.layout import WIDTH, Column, Line, Piece, cut, heading, many, paragraph, table

if TYPE_CHECKING:
    from asterism.core.ledger.graph import Entry
    from asterism.core.walkers.result import Exploration

SHOWN = 10
NEW_SHOWN = 5
STOPS = {
    "branched": "sent out others",
    "cancelled": "was stopped",
    "dead_end": "had no way left",
    "deadline": "ran out of time",
    "fatigue": "grew tired: nothing new came",
    "max_depth": "went as deep as it may",
    "max_steps": "took as many steps as it may",
    "new_content": "found something new",
    "satisfied": "found enough",
    "weak_links": "found no link worth a step",
}


def nodes_of(found: Exploration) -> list[str]:
    """Name the nodes that are shown."""
    return [*(each.id for each in found.found[:SHOWN]), *nodes_of_trace(found)]


def explored_lines(
    found: Exploration,
    names: Mapping[str, Entry],
    *,
    shape: str | None = None,
    learned: bool = True,
    width: int = WIDTH,
) -> list[Line]:
    """Tell what walkers found, what they left behind, and how they went if that was asked for."""
    stop = STOPS.get(found.stop, found.stop.replace("_", " "))
    if not found.walkers:
        return paragraph(f"No walker went out: after {found.took_ms:.0f} ms the time was over.", width=width)
    lines = paragraph(
        f"{many(found.walkers, 'walker')} took {many(found.steps, 'step')} in {found.took_ms:.0f} ms; "
        f"the first {stop}. Satisfaction {found.satisfaction:.2f}.",
        width=width,
    )
    lines += _found(found, names, width)
    lines += heading("Left behind") + _left(found, learned=learned, width=width)
    if found.failed:
        lines += paragraph(f"{many(len(found.failed), 'walker')} failed: {found.failed[0].error}", width=width)
    if shape is None or not found.trace:
        return lines
    called = Names(found, names)
    if shape == "tree":
        lines += heading("The walkers") + tree_lines(found, called, width, STOPS)
    else:
        lines += heading("Step by step") + step_lines(found, called, width)
    return lines + legend_lines(found, called, width)


def _found(found: Exploration, names: Mapping[str, Entry], width: int) -> list[Line]:
    made = {each.id for each in found.narratives}
    there = [each for each in found.found if each.id not in made]
    if not there:
        return paragraph("Nothing that was there fitted well enough.", width=width)
    rows = [
        (
            f"{each.alignment:.2f}",
            Piece(each.kind, "kind"),
            _said(names, each.id),
            many(len(each.path), "hop"),
            Piece(each.id, "dim"),
        )
        for each in there[:SHOWN]
    ]
    columns = [Column("fits", "right"), Column("kind"), Column("what", least=24), Column("way"), Column("id", least=16)]
    more = [[Piece(f"and {len(there) - SHOWN} more", "dim")]] if len(there) > SHOWN else []
    return heading("Found") + table(columns, rows, width=width) + more


def _said(names: Mapping[str, Entry], node: str) -> str:
    entry = names.get(node)
    return " ".join((node if entry is None else entry.name or entry.text).split())


def _left(found: Exploration, *, learned: bool, width: int) -> list[Line]:
    if not learned:
        return paragraph("Nothing: nothing was written.", width=width)
    if not found.narratives:
        return paragraph(f"No narrative: {found.declined_because or 'there was no need'}.", width=width)
    lines = paragraph(f"{many(len(found.narratives), 'narrative')}, where nothing said it yet:", width=width)
    for each in found.narratives[:NEW_SHOWN]:
        lines.append([Piece(cut(f"  {each.name}", width), "name")])
        lines.append([Piece(f"    {each.id}, from {many(len(each.sources), 'node')}", "dim")])
    if len(found.narratives) > NEW_SHOWN:
        lines.append([Piece(f"  and {len(found.narratives) - NEW_SHOWN} more", "dim")])
    return lines
