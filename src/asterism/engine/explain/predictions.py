"""Why a prediction is as sure as it is: the strength of its link when it was made, and how sure the causation was."""

from __future__ import annotations

from asterism.core.connections.day import Graph
from asterism.core.connections.fold import Connections
from asterism.core.connections.model import Prediction
from asterism.core.connections.read import prediction_list
from asterism.core.ledger.calendar import day_of, to_micros
from asterism.core.ledger.model import Line, Why
from asterism.core.space.projection import Projection
from asterism.engine.space.live import Live
from asterism.errors import UnknownError
from asterism.hints import Hint, step

TINY = 1e-9


class PredictionWatch:
    """Notes a link's strength and causation on the evening a prediction was made."""

    def __init__(self, folded: Connections, link: str, day: int) -> None:
        self.folded = folded
        self.ends = link.split("~")
        self.day = day
        self.seen: tuple[float, float] | None = None

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Look just before the day's events let causal links expect something."""
        if stage == "star decay" and day == self.day:
            a, b = (self.folded.nodes.rows.get(end) for end in self.ends)
            row = None if a is None or b is None else self.folded.pairs.get(a, b)
            if row is not None:
                self.seen = graph.links.strength.item(row), graph.links.causation.item(row)


def prediction_called(folded: Projection, name: str) -> Prediction | None:
    """Find a prediction by its id, "LINK!TIME" (when it was made), or None."""
    found = [each for each in prediction_list(folded.connections) if each.id == name] if "!" in name else []
    return found[0] if found else None


def why_prediction(
    live: Live, folded: Projection, told: Prediction, *, moment: int, known_at: int | None = None
) -> Why:
    """Explain a prediction's confidence: strength x causation confidence, on the day it was made."""
    if told not in prediction_list(folded.connections):
        raise UnknownError(
            f"there is no prediction {told.id} here",
            code="unknown_prediction",
            item=told.id,
            hint=Hint(step("predictions"), " lists those there are; the oldest are no longer kept"),
        )
    watches: list[PredictionWatch] = []

    def watch(projection: Projection) -> PredictionWatch:
        watches.append(PredictionWatch(projection.connections, told.link, day_of(to_micros(told.made_at))))
        return watches[0]

    live.replay(moment, known_at=known_at, watch=watch)
    seen = watches[0].seen
    lines = [Line("as sure as it was when it was made", told.confidence)]
    if seen is not None:
        strength, sure = seen
        lines = [
            Line("strength of the link on the evening it was made", strength),
            Line(f"x {sure:.4f}, how sure the causation was", strength * sure - strength),
        ]
        rest = told.confidence - strength * sure
        if abs(rest) > TINY:
            lines.append(Line("as the fold of then saw it", rest))
    notes = [
        f"{told.star} {'rises' if told.sign > 0 else 'falls'} about {told.expected_at:%Y-%m-%d %H:%M}: {told.outcome}",
        f"made {told.made_at:%Y-%m-%d %H:%M} by the link {told.link}",
    ]
    return Why(told.id, "confidence", tuple(lines), told.confidence, tuple(notes))
