"""The trace of an exploration: as data, as text, as a tree of walkers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

CHOSEN = "chosen"


class Seen(NamedTuple):
    """A link that a step looked at, its five components, and what became of it."""

    link: str
    to: str
    score: float
    alignment: float
    polarity: float
    permanence_factor: float
    self_novelty: float
    sibling_divergence: float
    verdict: str

    def to_dict(self) -> dict[str, object]:
        """Give the link as plain values."""
        return self._asdict()


class Step(NamedTuple):
    """One step of one walker."""

    round: int
    walker: str
    state: str
    node: str
    depth: int
    did: str
    after: str
    satisfaction: float
    criticality: float
    seen: tuple[Seen, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Give the step as plain values."""
        return {**self._asdict(), "seen": [each.to_dict() for each in self.seen]}


def as_data(trace: Iterable[Step]) -> list[dict[str, object]]:
    """Give a trace as plain values, for JSON."""
    return [step.to_dict() for step in trace]


def from_data(data: Iterable[dict[str, object]]) -> list[Step]:
    """Read what `as_data` gave.

    >>> step = Step(0, "0", "SEEKING", "deploy", 0, "walked to cache", "ABSORBING", 0.0, 0.5)
    >>> from_data(as_data([step])) == [step]
    True
    """
    steps = []
    for each in data:
        seen = each["seen"]
        assert isinstance(seen, list)
        steps.append(Step(**{**each, "seen": tuple(Seen(**one) for one in seen)}))  # type: ignore[arg-type]
    return steps


def as_text(trace: Sequence[Step]) -> str:
    """Write a trace for a terminal: a line for each step, under it the links it looked at.

    >>> seen = Seen("a--b", "b", 0.07, 0.7, 0.5, 0.5, 0.8, 0.5, CHOSEN)
    >>> print(as_text([Step(1, "0", "SEEKING", "a", 0, "walked to b", "SEEKING", 0.0, 0.5, (seen,))]))
    round 1
      0  SEEKING  a: walked to b
           0.0700  align 0.70  polar 0.50  fresh 0.50  novel 0.80  apart 0.50  → b  chosen
    """
    lines: list[str] = []
    last = None
    width = max((len(step.walker) for step in trace), default=0)
    state = max((len(step.state) for step in trace), default=0)
    for step in trace:
        if step.round != last:
            lines.append(f"round {step.round}")
            last = step.round
        lines.append(f"  {step.walker:<{width}}  {step.state:<{state}}  {step.node}: {step.did}")
        lines += [f"  {'':<{width}}    {_line(each)}" for each in step.seen]
    return "\n".join(lines)


def as_tree(trace: Sequence[Step]) -> str:
    """Draw the walkers as a tree, each with the nodes it stood on and how it ended.

    >>> steps = [
    ...     Step(1, "0", "SEEKING", "a", 0, "walked to b", "BRANCHING", 0.0, 0.5),
    ...     Step(2, "0", "BRANCHING", "b", 1, "sent out 1", "BRANCHING", 0.0, 0.5),
    ...     Step(3, "0.0", "SEEKING", "c", 2, "arrived", "SEEKING", 0.0, 0.5),
    ...     Step(4, "0.0", "SEEKING", "c", 2, "no link left", "REFLECTING", 0.0, 0.5),
    ... ]
    >>> print(as_tree(steps))
    0  a → b  (sent out 1; satisfaction 0.00)
    └─ 0.0  c  (no link left; satisfaction 0.00)
    """
    walkers: dict[str, list[Step]] = {}
    for step in trace:
        walkers.setdefault(step.walker, []).append(step)
    below: dict[str, list[str]] = {}
    for name in walkers:
        below.setdefault(name.rpartition(".")[0], []).append(name)
    lines: list[str] = []

    def draw(name: str, start: str, rest: str) -> None:
        lines.append(f"{start}{name}  {_way(walkers[name])}")
        children = below.get(name, [])
        for child in children:
            last = child == children[-1]
            draw(child, f"{rest}{'└─ ' if last else '├─ '}", f"{rest}{'   ' if last else '│  '}")

    for root in below.get("", []):
        draw(root, "", "")
    return "\n".join(lines)


def _way(steps: Sequence[Step]) -> str:
    nodes: list[str] = []
    for step in steps:
        if not nodes or nodes[-1] != step.node:
            nodes.append(step.node)
    ends = [step.did for step in steps if step.did]
    return f"{' → '.join(nodes)}  ({ends[-1]}; satisfaction {steps[-1].satisfaction:.2f})"


def _line(seen: Seen) -> str:
    return (
        f"{seen.score:.4f}  align {seen.alignment:.2f}  polar {seen.polarity:.2f}  fresh {seen.permanence_factor:.2f}  "
        f"novel {seen.self_novelty:.2f}  apart {seen.sibling_divergence:.2f}  → {seen.to}  {seen.verdict}"
    )
