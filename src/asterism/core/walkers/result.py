"""What an exploration tells: findings with their paths, what was crystallised or why not, the trace, health figures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from asterism.core.ledger.items import Value
from asterism.core.walkers.crystals import Narrative
from asterism.core.walkers.effects import effects_of
from asterism.core.walkers.expedition import Expedition
from asterism.core.walkers.places import NARRATIVE
from asterism.core.walkers.trace import Step, as_data, as_text, as_tree
from asterism.core.walkers.walker import WalkFinding


@dataclass(frozen=True, slots=True)
class Lost:
    """A walker that failed, where, and why."""

    walker: str
    node: str
    error: str


@dataclass(frozen=True, slots=True)
class Health:
    """How well an exploration went."""

    findings_per_step: float
    mean_alignment: float  # of the links walked
    sibling_divergence: float  # of the links walked, mean
    hops: float  # mean depth of the walkers that sent out no others
    backtracks: int  # hops back to a node of the same walk
    declined_branches: int  # for want of walkers
    untold_steps: int  # beyond what the trace keeps
    anomalies: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Exploration:
    """The result of one exploration."""

    found: tuple[WalkFinding, ...]  # most aligned first; what was just crystallised after what was there
    crystallized: str | None  # the root's narrative, or else the first that a child made
    narratives: tuple[Narrative, ...]  # all that were made
    declined_because: str | None
    satisfaction: float
    stop: str
    steps: int
    walkers: int
    awareness: tuple[float, float]  # how far the root went up and down
    failed: tuple[Lost, ...]
    health: Health
    took_ms: float
    embedder: str = ""
    _expedition: Expedition | None = field(default=None, repr=False)

    @cached_property
    def trace(self) -> tuple[Step, ...]:
        """Give every step, with the links it looked at."""
        return () if self._expedition is None else tuple(self._expedition.trace)

    @cached_property
    def effects(self) -> Mapping[str, Value]:
        """Give what the exploration leaves behind: the payload of one `explored` item."""
        stopped = self.stop in ("deadline", "cancelled")  # then nothing is written
        if self._expedition is None or stopped:
            return {}
        return effects_of(self._expedition, embedder=self.embedder)

    def to_dict(self) -> dict[str, object]:
        """Give the result as plain values."""
        return {
            "found": [{**each._asdict(), "path": list(each.path)} for each in self.found],
            "crystallized": self.crystallized,
            "narratives": [_told(each) for each in self.narratives],
            "declined_because": self.declined_because,
            "satisfaction": self.satisfaction,
            "stop": self.stop,
            "steps": self.steps,
            "walkers": self.walkers,
            "awareness": {"up": self.awareness[0], "down": self.awareness[1]},
            "failed": [{"walker": each.walker, "node": each.node, "error": each.error} for each in self.failed],
            "health": {name: getattr(self.health, name) for name in Health.__slots__}
            | {"anomalies": list(self.health.anomalies)},
            "trace": as_data(self.trace),
            "took_ms": self.took_ms,
        }

    def text(self) -> str:
        """Give the trace for a terminal, step by step."""
        return as_text(self.trace)

    def tree(self) -> str:
        """Give the trace as a tree of walkers."""
        return as_tree(self.trace)

    def __str__(self) -> str:
        best = [f"  {each.alignment:.2f}  {each.kind:<9}  {each.id}" for each in self.found[:10]]
        more = [f"  and {len(self.found) - 10} more"] if len(self.found) > 10 else []
        made = [f"crystallised {each.id}, {each.name}" for each in self.narratives[:3]]
        made = made or [f"nothing crystallised: {self.declined_because or 'no need'}"]
        told = f"{self.stop} after {self.steps} steps of {self.walkers} walkers, satisfaction {self.satisfaction:.2f}"
        return "\n".join([told, *best, *more, *made])


def result_of(expedition: Expedition, *, took_ms: float = 0.0, embedder: str = "") -> Exploration:
    """Tell what an expedition found."""
    tour, root = expedition.tour, expedition.root
    found = _found(expedition)
    own = root.crystal or next(iter(tour.made), None)
    lost = [
        Lost(each.name, each.here.id if each.here is not None else each.walked[-1].end, str(each.failed))
        for each in tour.walkers
        if each.failed is not None
    ]
    return Exploration(
        found=tuple(found),
        crystallized=own,
        narratives=tuple(tour.narratives),
        declined_because=None if root.declined is None else str(root.declined),
        satisfaction=round(root.satisfaction, 9),
        stop=root.stop,
        steps=expedition.steps,
        walkers=len(tour.walkers),
        awareness=(round(root.up, 9), round(root.down, 9)),
        failed=tuple(lost),
        health=_health(expedition, found),
        took_ms=took_ms,
        embedder=embedder,
        _expedition=expedition,
    )


def nothing_found(stop: str, *, took_ms: float = 0.0) -> Exploration:
    """Tell of an exploration that ended before its walkers set out.

    >>> print(nothing_found("deadline"))
    deadline after 0 steps of 0 walkers, satisfaction 0.00
    nothing crystallised: no need
    """
    return Exploration(
        found=(),
        crystallized=None,
        narratives=(),
        declined_because=None,
        satisfaction=0.0,
        stop=stop,
        steps=0,
        walkers=0,
        awareness=(0.0, 0.0),
        failed=(),
        health=Health(0.0, 0.0, 0.0, 0.0, 0, 0, 0, ()),
        took_ms=took_ms,
    )


def _found(expedition: Expedition) -> list[WalkFinding]:
    """Give what was there and was found, and what was made; the most aligned first, of equals what was there."""
    tour = expedition.tour
    made = {
        each.crystal: WalkFinding(each.crystal, NARRATIVE, 1.0, tuple(hop.id for hop in each.walked))
        for each in reversed(tour.walkers)
        if each.crystal is not None
    }
    found = {**made, **expedition.root.found}
    return sorted(found.values(), key=lambda each: (-each.alignment, each.id in tour.made, each.id))


def _health(expedition: Expedition, found: list[WalkFinding]) -> Health:
    tour = expedition.tour
    ends = [each.depth for each in tour.walkers if not each.children]
    tired = sum(each.stop == "fatigue" for each in tour.walkers)
    deep = sum(each.depth >= tour.p.max_depth and not each.found and each.crystal is None for each in tour.walkers)
    anomalies = [f"plateau: {tired} walkers tired"] if tired else []
    anomalies += [f"deep without findings: {deep} walkers"] if deep else []
    return Health(
        findings_per_step=_mean(len(found), expedition.steps),
        mean_alignment=_mean(math.fsum(tour.alignments), len(tour.alignments)),
        sibling_divergence=_mean(math.fsum(tour.divergences), len(tour.divergences)),
        hops=_mean(sum(ends), len(ends)),
        backtracks=tour.backtracks,
        declined_branches=tour.declined_branches,
        untold_steps=expedition.untold,
        anomalies=tuple(anomalies),
    )


def _mean(total: float, count: int) -> float:
    return round(total / count, 9) if count else 0.0


def _told(narrative: Narrative) -> dict[str, object]:
    return {
        "id": narrative.id,
        "name": narrative.name,
        "content": narrative.content,
        "weight": narrative.weight,
        "sources": list(narrative.sources),
        "links": [[tie.a, tie.b] for tie in narrative.ties],
        "walker": narrative.walker,
    }
