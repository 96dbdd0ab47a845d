"""What an exploration leaves behind, as the payload of one `explored` item; and what is said of a narrative later.

Rows are JSON in texts, because a payload holds texts and lists of texts. Vectors are written once and named by number.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from asterism.core.ledger.items import Payload, Value
from asterism.core.ledger.payloads import number, texts
from asterism.core.walkers.ties import Tie
from asterism.core.walkers.vectors import Vector, written

if TYPE_CHECKING:  # whoever folds effects need not know how they come about
    from asterism.core.walkers.expedition import Expedition

WHAT = "explored"
FORGOTTEN, RESTORED = "narrative_forgotten", "narrative_restored"
KINDS = frozenset({WHAT, FORGOTTEN, RESTORED})
TINY = 12  # digits that sums are kept with


class ColourRow(NamedTuple):
    """A coloured link as an item says it."""

    link: str
    hop: int
    permanence: float
    boost: float
    vector: int


class NarrativeRow(NamedTuple):
    """A narrative as an item says it."""

    id: str
    name: str
    content: str
    weight: float
    energy: float
    vector: int
    sources: list[str]


def effects_of(expedition: Expedition, *, embedder: str = "") -> dict[str, Value]:
    """Say what an exploration leaves behind; the same walk says the same, to the byte."""
    tour, vectors = expedition.tour, _Numbers()
    nodes = sorted({*tour.energy, *tour.weight})
    coloured = [
        ColourRow(each.link, each.hop, each.permanence, each.boost, vectors.of(each.vector))
        for _, each in sorted(tour.coloured.items())
    ]
    narratives = [
        NarrativeRow(
            each.id, each.name, each.content, each.weight, each.energy, vectors.of(each.vector), list(each.sources)
        )
        for each in tour.narratives
    ]
    injected = [
        (node, round(tour.energy.get(node, 0.0), TINY), round(tour.weight.get(node, 0.0), TINY)) for node in nodes
    ]
    return {
        "query": tour.question.query,
        "intention": tour.question.intention or "",
        "start": expedition.start.id,
        "embedder": embedder,
        "vector": written(expedition.root.vector),
        "paths": [_row([each.name, *(hop.id for hop in each.path)]) for each in tour.walkers if each.path],
        "injections": [_row(each) for each in injected],
        "coloured": [_row(each) for each in coloured],
        "narratives": [_row(each) for each in narratives],
        "ties": [_row(tie) for each in tour.narratives for tie in each.ties],
        "vectors": vectors.texts,
    }


def nothing_left(payload: Payload) -> bool:
    """Say whether an exploration changed nothing, so that there is nothing to write."""
    return not any(payload[field] for field in ("injections", "coloured", "narratives"))


def rows(payload: Payload, field: str) -> list[list[object]]:
    """Read the rows of a field; an item that says something of a narrative has none."""
    return [json.loads(each) for each in texts(payload, field)] if field in payload else []


def injections(payload: Payload) -> list[tuple[str, float, float]]:
    """Read what energy and weight each node was given."""
    return [
        (str(node), number(energy, "energy"), number(weight, "weight"))
        for node, energy, weight in rows(payload, "injections")
    ]


def colour_rows(payload: Payload) -> list[ColourRow]:
    """Read the coloured links."""
    return [ColourRow(*row) for row in rows(payload, "coloured")]  # type: ignore[arg-type]  # checked when it came in


def narrative_rows(payload: Payload) -> list[NarrativeRow]:
    """Read the narratives."""
    return [NarrativeRow(*row) for row in rows(payload, "narratives")]  # type: ignore[arg-type]  # as above


def tie_rows(payload: Payload) -> list[Tie]:
    """Read the narratives' links."""
    return [tie_of(row) for row in rows(payload, "ties")]


def tie_of(row: list[object]) -> Tie:
    """Read one of them."""
    tie = Tie(*row)  # type: ignore[arg-type]  # as above
    return tie._replace(emotions=tuple(tie.emotions))


class _Numbers:
    """Vectors in the order of their first use."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._known: dict[str, int] = {}

    def of(self, vector: Vector) -> int:
        said = written(vector)
        if said not in self._known:
            self._known[said] = len(self.texts)
            self.texts.append(said)
        return self._known[said]


def _row(values: object) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
