"""The way of walkers as text, step by step or as a tree: nodes are called by what they say, their ids come last."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from asterism.core.walkers.trace import CHOSEN
from asterism.entry.text.layout import Column, Line, Piece, cells, cut, heading, paragraph, table

if TYPE_CHECKING:
    from asterism.core.ledger.graph import Entry
    from asterism.core.walkers.result import Exploration
    from asterism.core.walkers.trace import Seen, Step

SEEN = 5  # links of a step
LEAST = 12  # cells for the name of a node
PARTS = (
    ("fits", "how near the link is to what is asked, and why"),
    ("pull", "how strong it is from this end"),
    ("fresh", "how little is settled about it"),
    ("new", "how unlike the way so far"),
    ("apart", "how unlike the other walkers of a branch"),
)
STATES = "Walkers seek, branch at moments, absorb content, resonate with narratives, reflect, crystallise and merge."


class Names:
    """What nodes are called in a trace."""

    def __init__(self, found: Exploration, entries: Mapping[str, Entry]) -> None:
        self._said = {each.id: each.name for each in found.narratives}
        self._said |= {node: entry.name or entry.text for node, entry in entries.items()}
        longest = sorted(self._said, key=len, reverse=True)
        self._ids = re.compile("|".join(map(re.escape, longest))) if longest else None

    def of(self, node: str, width: int) -> str:
        """Give a node's name in so many cells: what it says, or its id."""
        said = self._said.get(node)
        return cut(node, width) if said is None else f"“{cut(' '.join(said.split()), max(LEAST, width) - 2)}”"

    def within(self, told: str, width: int) -> str:
        """Put names in place of the ids in a text."""
        if self._ids is None:
            return told
        return self._ids.sub(lambda found: self.of(found.group(), width), told)


def nodes_of_trace(found: Exploration) -> list[str]:
    """Name the nodes of a trace: those stood on, and those that were only looked at."""
    return [node for step in found.trace for node in (step.node, *(each.to for each in step.seen[:SEEN]))]


def step_lines(found: Exploration, names: Names, width: int) -> list[Line]:
    """Tell each step, with the best of the links it looked at."""
    product = " × ".join(name for name, _ in PARTS)
    lines = paragraph(f"{STATES} Under a step are the links it saw: score = {product}.", width=width, style="dim")
    lines += [[Piece(f"  {name:<6} {what}", "dim")] for name, what in PARTS]
    lines.append([])
    heads = "".join(f"{name:>6}" for name, _ in PARTS)
    last = None
    for step in found.trace:
        if step.round != last:
            lines.append([Piece(f"round {step.round}", "head")])
            last = step.round
        lines.append(_step(step, names, width))
        if step.seen:
            lines.append([Piece(f"        score{heads}", "dim")])
        lines += [_link(each, names, width) for each in step.seen[:SEEN]]
        if len(step.seen) > SEEN:
            lines.append([Piece(f"        and {len(step.seen) - SEEN} more", "dim")])
    return lines


def _step(step: Step, names: Names, width: int) -> Line:
    head = f"  {step.walker}  "
    room = width - cells(head) - len(step.state) - 2
    parent = step.walker.rpartition(".")[0]
    told = f"arrived, sent out by walker {parent}" if step.did.startswith("came by ") else step.did
    did = names.within(told, max(LEAST, (room - 24) // 2))
    here = names.of(step.node, max(LEAST, room - cells(did) - 2))
    return [
        Piece(head, "name"),
        Piece(step.state, "kind"),
        Piece(cut(f"  {here}: {did}", room + 2)),
    ]


def _link(seen: Seen, names: Names, width: int) -> Line:
    parts = (seen.alignment, seen.polarity, seen.permanence_factor, seen.self_novelty, seen.sibling_divergence)
    taken = seen.verdict == CHOSEN
    numbers = f"      {'✓' if taken else ' '} {seen.score:.3f}{''.join(f'{part:6.2f}' for part in parts)}  "
    room = width - cells(numbers)
    why = "" if taken else f"  {seen.verdict}"
    name = cut(names.of(seen.to, room - cells(why)), room)
    return [
        Piece(numbers, "dim"),
        Piece(name, "good" if taken else "dim"),
        Piece(cut(why, room - cells(name)), "dim"),
    ]


def tree_lines(found: Exploration, names: Names, width: int, stops: Mapping[str, str]) -> list[Line]:
    """Draw the walkers as a tree: how each ended, and the nodes it stood on."""
    walkers: dict[str, list[Step]] = {}
    for step in found.trace:
        walkers.setdefault(step.walker, []).append(step)
    below: dict[str, list[str]] = {}
    for walker in walkers:
        below.setdefault(walker.rpartition(".")[0], []).append(walker)
    lines: list[Line] = []

    def draw(walker: str, start: str, rest: str) -> None:
        steps, head = walkers[walker], f"{start}{walker}"
        lines.append([Piece(head, "name"), Piece(cut(f"  {_end(steps, stops)}", width - cells(head)))])
        children = below.get(walker, [])
        indent = f"{rest}{'│  ' if children else '   '}   "
        room = width - cells(indent)
        lines.append([Piece(indent), Piece(cut(_way(steps, names, room), room), "dim")])
        for child in children:
            last = child == children[-1]
            draw(child, f"{rest}{'└─ ' if last else '├─ '}", f"{rest}{'   ' if last else '│  '}")

    for root in below.get("", []):
        draw(root, "", "")
    return lines


def _end(steps: Sequence[Step], stops: Mapping[str, str]) -> str:
    """Say how a walker ended, and what it made."""
    reason = next((step.did.removeprefix("done: ") for step in steps if step.did.startswith("done: ")), "")
    made = ", made a narrative" if any(step.did.startswith("crystallised") for step in steps) else ""
    ended = stops.get(reason, reason.replace("_", " ")) or "ended"
    return f"{ended}{made}; satisfaction {steps[-1].satisfaction:.2f}"


def _way(steps: Sequence[Step], names: Names, room: int) -> str:
    nodes: list[str] = []
    for step in steps:
        if not nodes or nodes[-1] != step.node:
            nodes.append(step.node)
    share = max(LEAST, (room - 3 * (len(nodes) - 1)) // len(nodes))
    return " → ".join(names.of(node, share) for node in nodes)


def legend_lines(found: Exploration, names: Names, width: int) -> list[Line]:
    """Say which ids the nodes of a trace have."""
    nodes = dict.fromkeys(step.node for step in found.trace)
    rows = [(names.of(node, width), Piece(node, "dim")) for node in nodes]
    return heading("The nodes") + table([Column("what", least=24), Column("id", least=16)], rows, width=width)
