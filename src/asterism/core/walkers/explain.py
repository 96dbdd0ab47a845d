"""Why a narrative weighs what it weighs, what walks gave to a node, and how strong a narrative's link is."""

from __future__ import annotations

from collections.abc import Sequence

from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.explain import Added, Asked, Explains, Sum
from asterism.core.ledger.items import Item, cut
from asterism.core.ledger.model import Line, Why, link_id, possible_ends
from asterism.core.walkers.effects import injections, narrative_rows, rows
from asterism.core.walkers.fold import DIGITS, Crystal, Walks
from asterism.core.walkers.ties import WALK

ENERGY, WEIGHT = 1, 2  # where an injection says them
SHOWN = 5  # paths of a narrative


def why_narrative(asked: Asked[Walks], name: str) -> Why | None:
    """Explain a narrative's weight: how urgent the walk was that crystallised it, and what later walks gave it."""
    walks = asked.fold
    crystal = walks.narratives.get(name)
    if crystal is None:
        return None
    items, p = asked.items(), walks.parameters
    urgent = next((tie.permanence for tie in walks.ties.values() if tie.a == name), crystal.weight)
    lines = [
        Line("criticality of the walk that made it", urgent),
        Line("times what its state makes of that, crystallising", crystal.weight - urgent),
    ]
    weight = _gathered(items, name, WEIGHT, p.node_weight_max)
    energy = _gathered(items, name, ENERGY, p.node_energy_max)
    sums = " ".join(f"+ {line.value:.6f}" for line in energy.lines)
    notes = [
        *_made_of(items, name, crystal),
        f"energy {crystal.energy + energy.total:.6f} = {crystal.energy:.6f} as it crystallised {sums}".rstrip(),
        crystal.content,
    ]
    return Why(name, "weight", (*lines, *weight.lines), crystal.weight + weight.total, tuple(notes))


def given(asked: Asked[Walks], told: Why) -> Sum | None:
    """Tell what explorations added to the weight of somebody else's node."""
    if told.number != "weight":
        return None
    return _gathered(asked.items(), told.subject, WEIGHT, asked.fold.parameters.node_weight_max)


def _gathered(items: Sequence[Item], name: str, field: int, most: float) -> Sum:
    """Add up what each exploration gave a node, as the fold does: rounded, and no more than it gathers."""
    lines, total = [], 0.0
    for item in items:
        for row in injections(item.payload):
            if row[0] == name and row[field]:
                after = min(round(total + float(row[field]), DIGITS), most)
                told = f"{_when(item)}: walked over with “{cut(str(item.payload['query']))}”"
                lines.append(Line(told if after < most else f"{told}, up to {most:g} in all", after - total))
                total = after
    return Sum(lines, total)


def _when(item: Item) -> str:
    return f"{to_datetime(item.at):%Y-%m-%d %H:%M}"


def _made_of(items: Sequence[Item], name: str, crystal: Crystal) -> list[str]:
    """Say what a narrative was made of: when, the question, the intention, where from, the paths, the nodes."""
    made = next((item for item in items if any(row.id == name for row in narrative_rows(item.payload))), None)
    if made is None:
        return [f"made {to_datetime(crystal.at):%Y-%m-%d %H:%M} from {', '.join(crystal.sources)}"]
    said, known = made.payload, set(crystal.sources)
    paths = [row for row in rows(said, "paths") if all(_between(str(link), known) for link in row[1:])]
    return [
        f"made {_when(made)} by the query “{cut(str(said['query']))}”"
        + (f" with the intention “{cut(str(said['intention']))}”" if said["intention"] else ""),
        f"it started at {said['start']} and found {', '.join(crystal.sources)}",
        *(f"{walker} went {', '.join(map(str, links))}" for walker, *links in paths[:SHOWN]),
        *([f"and {len(paths) - SHOWN} more paths"] if len(paths) > SHOWN else []),
    ]


def _between(link: str, nodes: set[str]) -> bool:
    return any(a in nodes and b in nodes for a, b in possible_ends(link))


def why_link(asked: Asked[Walks], a: str, b: str, kind: str) -> Why | None:
    """Explain a link of a narrative, the strongest of these ends."""
    if kind not in ("", WALK):
        return None
    ties = [tie for tie in asked.fold.ties.values() if {asked.standing(tie.a), asked.standing(tie.b)} == {a, b}]
    tie = max(ties, key=lambda each: each.polarity, default=None)
    if tie is None:
        return None
    line = Line(f"polarity from {tie.a} to {tie.b}, as it was crystallised", tie.polarity)
    notes = (f"back it is {tie.back:g}; permanence {tie.permanence:g}",)
    return Why(link_id(a, b, WALK), "strength", (line,), tie.polarity, notes)


def added(_: Asked[Walks], item: Item) -> Added:
    """Tell the energy that an exploration gave."""
    lines = [Line(f"energy for {node}", energy) for node, energy, _ in injections(item.payload) if energy]
    notes = [f"crystallised {row.id}: {cut(row.name)}" for row in narrative_rows(item.payload)]
    return Added("energy", lines, [*notes, f"{len(rows(item.payload, 'coloured'))} links coloured"])


EXPLAINS: Explains[Walks] = Explains(node=why_narrative, link=why_link, item=added, adds=given)
