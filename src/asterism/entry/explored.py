"""What an exploration looks like as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from asterism.core.walkers.trace import CHOSEN
from asterism.entry.blocks import many
from asterism.entry.layout import WIDTH, Column, Line, Piece, cut, heading, paragraph, table

if TYPE_CHECKING:
    from asterism.core.recall.entries import Entry
    from asterism.core.walkers.result import Exploration

SHOWN = 10
NEW_SHOWN = 5
SEEN = 5  # links of a step
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
    return [*(each.id for each in found.found[:SHOWN]), *(step.node for step in found.trace)]


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
    lines = paragraph(
        f"{many(found.walkers, 'walker')} took {many(found.steps, 'step')} in {found.took_ms:.0f} ms; "
        f"the first {stop}. Satisfaction {found.satisfaction:.2f}.",
        width=width,
    )
    lines += _found(found, names, width)
    lines += heading("Left behind") + _left(found, learned=learned, width=width)
    if found.failed:
        lines += paragraph(f"{many(len(found.failed), 'walker')} failed: {found.failed[0].error}", width=width)
    if shape == "tree":
        lines += heading("The walkers") + [[Piece(cut(line, width))] for line in found.tree().splitlines()]
    elif shape == "text":
        lines += heading("Step by step") + _steps(found, width)
    return lines if shape is None else lines + _legend(found, names, width)


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


def _steps(found: Exploration, width: int) -> list[Line]:
    """Tell each step, with the best of the links it looked at."""
    told = "Scores are the products of: alignment, polarity, freshness, novelty, distance from siblings."
    lines = paragraph(told, width=width, style="dim")
    last = None
    for step in found.trace:
        if step.round != last:
            lines.append([Piece(f"round {step.round}", "head")])
            last = step.round
        head = f"  {step.walker}  "
        did = cut(f"  {step.node}: {step.did}", width - len(head) - len(step.state))
        lines.append([Piece(head, "name"), Piece(step.state, "kind"), Piece(did)])
        for each in step.seen[:SEEN]:
            parts = (each.alignment, each.polarity, each.permanence_factor, each.self_novelty, each.sibling_divergence)
            sum_ = f"      {each.score:.3f} = {'×'.join(f'{part:.2f}' for part in parts)}  "
            rest = cut(f"{each.verdict}: {each.to}", width - len(sum_))
            lines.append([Piece(sum_, "dim"), Piece(rest, "good" if each.verdict == CHOSEN else "dim")])
        if len(step.seen) > SEEN:
            lines.append([Piece(f"      and {len(step.seen) - SEEN} more", "dim")])
    return lines


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


def _legend(found: Exploration, names: Mapping[str, Entry], width: int) -> list[Line]:
    """Say what the nodes of a trace are."""
    nodes = [node for node in dict.fromkeys(step.node for step in found.trace) if node in names]
    rows = [(Piece(node, "dim"), _said(names, node)) for node in nodes]
    return heading("The nodes") + table([Column("id", least=16), Column("what", least=24)], rows, width=width)
