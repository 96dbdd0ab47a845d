"""Why a node that walkers know weighs what it weighs: a narrative, a moment, an actor."""

from __future__ import annotations

import json
from typing import NamedTuple

from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.items import Item, cut
from asterism.core.ledger.model import Line, Why
from asterism.core.space.projection import Projection
from asterism.core.walkers.effects import KINDS, injections, narrative_rows, rows
from asterism.core.walkers.fold import DIGITS, Crystal
from asterism.engine.space.live import Live

OWN = 1.0  # what every node weighs that was not made by a walk
SHOWN = 5  # links of a moment or an actor, paths of a narrative


class Gathered(NamedTuple):
    """What explorations gave a node, line by line, and all of it."""

    lines: list[Line]
    total: float


def explored(live: Live, folded: Projection, known_at: int | None) -> list[Item]:
    """Give the explorations that a projection knows, in order."""
    last = folded.walks.position
    if last is None:
        return []
    stored = live.store.items(live.space, until_at=last.at, known_until=known_at, only=KINDS)
    return [each.item for each in stored if each.item.position <= last and each.seq <= live.seq]


def _gathered(items: list[Item], name: str, field: int, most: float) -> Gathered:
    """Add up what each exploration gave a node, as the fold does: rounded, and no more than it gathers."""
    lines, total = [], 0.0
    for item in items:
        for row in injections(item.payload):
            if row[0] == name and row[field]:
                after = min(round(total + float(row[field]), DIGITS), most)
                told = f"{_when(item)}: walked over with “{cut(str(item.payload['query']))}”"
                lines.append(Line(told if after < most else f"{told}, up to {most:g} in all", after - total))
                total = after
    return Gathered(lines, total)


def _when(item: Item) -> str:
    return f"{to_datetime(item.at):%Y-%m-%d %H:%M}"


def why_narrative(live: Live, folded: Projection, name: str, *, known_at: int | None = None) -> Why:
    """Explain a narrative's weight: how urgent the walk was that crystallised it, and what later walks gave it."""
    crystal = folded.walks.narratives.get(name) or folded.walks.away[name]
    items, p = explored(live, folded, known_at), folded.parameters.exploration
    urgent = next((tie.permanence for tie in folded.walks.ties.values() if tie.a == name), crystal.weight)
    lines = [
        Line("criticality of the walk that made it", urgent),
        Line("times what its state makes of that, crystallising", crystal.weight - urgent),
    ]
    weight = _gathered(items, name, 2, p.node_weight_max)
    energy = _gathered(items, name, 1, p.node_energy_max)
    sums = " ".join(f"+ {line.value:.6f}" for line in energy.lines)
    notes = [
        *_made_of(items, name, crystal),
        f"energy {crystal.energy + energy.total:.6f} = {crystal.energy:.6f} as it crystallised {sums}".rstrip(),
        crystal.content,
    ]
    return Why(name, "weight", (*lines, *weight.lines), crystal.weight + weight.total, tuple(notes))


def _made_of(items: list[Item], name: str, crystal: Crystal) -> list[str]:
    """Say what a narrative was made of: when, the question, the intention, where from, the paths, the nodes."""
    made = next((item for item in items if any(row.id == name for row in narrative_rows(item.payload))), None)
    if made is None:
        return [f"made {to_datetime(crystal.at):%Y-%m-%d %H:%M} from {', '.join(crystal.sources)}"]
    said, known = made.payload, set(crystal.sources)
    paths = [row for row in rows(said, "paths") if all(_ends(str(link)) <= known for link in row[1:])]
    return [
        f"made {_when(made)} by the query “{cut(str(said['query']))}”"
        + (f" with the intention “{cut(str(said['intention']))}”" if said["intention"] else ""),
        f"it started at {said['start']} and found {', '.join(crystal.sources)}",
        *(f"{walker} went {', '.join(map(str, links))}" for walker, *links in paths[:SHOWN]),
        *([f"and {len(paths) - SHOWN} more paths"] if len(paths) > SHOWN else []),
    ]


def _ends(link: str) -> set[str]:
    return set(link.partition("#")[0].split("~"))


def why_moment(live: Live, folded: Projection, name: str, *, known_at: int | None = None) -> Why:
    """Explain a moment's weight, with who said what, and what it led to."""
    found = folded.transcripts.moments(name.rpartition("/")[0])
    moment = next(each for each in found if each.id == name)
    links = [
        link
        for link in folded.transcripts.causal_links(moment.session)
        if moment.line_index in (link.intent_anchor_index, link.consequence_anchor_index)
    ]
    notes = [
        f"{moment.actor} in {moment.session}, line {moment.line_index}, "
        f"{to_datetime(moment.at_ms * 1000):%Y-%m-%d %H:%M}: {json.dumps(cut(moment.content), ensure_ascii=False)}",
        *(f"in the causal link {link.id}" for link in links[:SHOWN]),
        *([f"and in {len(links) - SHOWN} more"] if len(links) > SHOWN else []),
    ]
    return _weighed(live, folded, name, notes, known_at)


def why_actor(live: Live, folded: Projection, name: str, *, known_at: int | None = None) -> Why:
    """Explain an actor's weight, with what they intended and answered."""
    actor = next(each for each in folded.transcripts.actors() if each.id == name)
    said: dict[str, int] = {}
    for moment in folded.transcripts.moments():
        if moment.actor == actor.id:
            said[moment.session] = said.get(moment.session, 0) + 1
    notes = [f"{actor.name} speaks in {sum(said.values())} lines of links"]
    notes += [f"{count} of them in {session}" for session, count in list(said.items())[:SHOWN]]
    if len(said) > SHOWN:
        notes.append(f"and in {len(said) - SHOWN} more sessions")
    return _weighed(live, folded, actor.id, notes, known_at)


def _weighed(live: Live, folded: Projection, name: str, notes: list[str], known_at: int | None) -> Why:
    given = _gathered(explored(live, folded, known_at), name, 2, folded.parameters.exploration.node_weight_max)
    lines = (Line("what every node weighs by itself", OWN), *given.lines)
    return Why(name, "weight", lines, OWN + given.total, tuple(notes))


WEIGHED = {"narrative": why_narrative, "moment": why_moment, "actor": why_actor}
