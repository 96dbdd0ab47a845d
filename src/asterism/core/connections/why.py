"""What connections answer when they are asked why: of a star, a link, an item, a prediction.

A link's story is told from what happened to it (`story`); that of a star, and of a link whose turns are not all there,
by `explain`: the fold is run again, and somebody watches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asterism.core.connections import read
from asterism.core.connections.day import Graph
from asterism.core.connections.explain import LinkWatch, StarWatch, why_link, why_star, why_told
from asterism.core.connections.fold import Connections, Gain
from asterism.core.connections.found_why import found_in
from asterism.core.connections.model import Prediction
from asterism.core.connections.read_predictions import prediction_list
from asterism.core.connections.story import KINDS, link_story
from asterism.core.ledger.calendar import day_of, to_date, to_micros
from asterism.core.ledger.explain import Added, Asked, Explains, changed
from asterism.core.ledger.items import Item, cut
from asterism.core.ledger.model import Line, Why, link_id
from asterism.errors import UnknownError
from asterism.hints import Hint, step

TINY = 1e-9
SHOWN = 5  # notes of a link
STAR_KINDS = frozenset(
    {
        "star_added",
        "acknowledged",
        "engaged",
        "brightness_observed",
        "contradicted",
        "dark_marked",
        "dark_disputed",
    }
)
CAPPED = {"daily_cap": "daily cap", "ceiling": "ceiling"}


# Stars and links


def why_node(asked: Asked[Connections], node: str) -> Why | None:
    """Explain a star's brightness."""
    if read.star(asked.fold, node) is None:
        return None
    return why_star(asked.watched(lambda folded: StarWatch(folded, node)), day=day_of(asked.moment))


def why_connection(asked: Asked[Connections], a: str, b: str, kind: str) -> Why | None:
    """Explain a connection's strength, with what was said when it was told; it has no kind by which it is named."""
    ends = None if kind else read.told_as(asked.fold, asked.family(a), asked.family(b))
    if ends is None:
        return None
    items = asked.naming(ends, KINDS)
    telling = link_story(asked.fold, ends, items)
    day = day_of(asked.moment)
    if telling is None:
        told = why_link(asked.watched(lambda folded: LinkWatch(folded, *ends)), day=day)
    else:
        told = why_told(asked.fold, ends, telling, day=day)
    return None if told is None else _with_notes(asked, told, ends, items)


def _with_notes(asked: Asked[Connections], told: Why, ends: tuple[str, str], items: Sequence[Item]) -> Why:
    """Add the notes of a pair's evidence, the latest first; how many there are beyond a few is said."""
    noted = [item for item in items if item.note and item.what == "evidence" and _of(item, ends)]
    shown = [_noted(item) for item in noted[: -SHOWN - 1 : -1]]
    more = len(noted) - len(shown)
    stars = (read.star(asked.fold, end) for end in ends)
    found = found_in(ends, items, {star.id: star.name for star in stars if star is not None})
    figures = [] if found is None else found.notes()
    notes = (*figures, *told.notes, *shown, *([f"and {more} earlier notes"] if more else []))
    a, b = ends
    return replace(told, subject=link_id(asked.standing(a), asked.standing(b)), notes=notes, found=found)


def _of(item: Item, ends: tuple[str, str]) -> bool:
    return set(ends) == {item.payload["a"], item.payload["b"]}


def _noted(item: Item) -> str:
    source = f" ({item.source})" if item.source else ""
    return f"{to_date(day_of(item.at))} {item.payload['kind']}: {cut(item.note)}{source}"


# Items


def added(asked: Asked[Connections], item: Item) -> Added:
    """Tell what an item added: to a star's brightness, or to a link's strength."""
    folded, take = asked.before(item)
    if item.what in STAR_KINDS:
        star = str(item.payload["star"])
        before = read.star(folded, star)
        take()
        after = read.star(folded, star)
        if after is None:
            return Added("brightness", [], ["nobody has added this star yet"])
        change = after.brightness - (before.brightness if before else 0.0)
        moved = [f"state {before.state if before else 'none'} -> {after.state}"]
        return Added("brightness", [Line(f"{star}: {item.what.replace('_', ' ')}", change)], moved)
    old = _strengths(folded)
    done = take()
    if isinstance(done, Gain):
        return Added("gain", _gain(item, done))
    if item.what == "evidence":
        return Added("gain", [], ["its reading is not the current one of its session: it does not count"])
    return Added("strength", changed(old, _strengths(folded)))


def _gain(item: Item, gain: Gain) -> list[Line]:
    lines = [Line(f"{item.payload['kind']}, freshness {gain.freshness:g} and other factors", gain.raw_gain)]
    if abs(gain.gain - gain.raw_gain) > 1e-12:
        reason = CAPPED.get(gain.capped_by or "", "diminishing returns of the day")
        lines.append(Line(reason, gain.gain - gain.raw_gain))
    return lines


def _strengths(folded: Connections) -> dict[str, float]:
    table, ids = folded.graph.links.trim(), folded.nodes.ids
    ends = zip(table.a.tolist(), table.b.tolist(), table.strength.tolist(), strict=True)
    return {link_id(ids[a], ids[b]): strength for a, b, strength in ends}


# Predictions


class PredictionWatch:
    """Notes a link's strength and causation on the evening a prediction was made."""

    def __init__(self, folded: Connections, told: Prediction) -> None:
        self.folded = folded
        self.ends = told.link.split("~")
        self.day = day_of(to_micros(told.made_at))
        self.seen: tuple[float, float] | None = None

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Look just before the day's events let causal links expect something."""
        if stage == "star decay" and day == self.day:
            a, b = (self.folded.nodes.rows.get(end) for end in self.ends)
            row = None if a is None or b is None else self.folded.pairs.get(a, b)
            links = graph.links
            self.seen = None if row is None else (links.strength.item(row), links.causation.item(row))

    def slept(self, day: int, until: int, graph: Graph) -> None:
        """Nothing is expected on a day without events."""


def why_other(asked: Asked[Connections], subject: object) -> Why | None:
    """Explain a prediction, given, or named by "LINK!TIME" (when it was made)."""
    if isinstance(subject, Prediction):
        return why_prediction(asked, subject)
    if not isinstance(subject, str) or "!" not in subject:
        return None
    found = next((each for each in prediction_list(asked.fold) if each.id == subject), None)
    return None if found is None else why_prediction(asked, found)


def why_prediction(asked: Asked[Connections], told: Prediction) -> Why:
    """Explain a prediction's confidence: strength x causation confidence, on the day it was made."""
    if told not in prediction_list(asked.fold):
        raise UnknownError(
            f"there is no prediction {told.id} here",
            code="unknown_prediction",
            item=told.id,
            hint=Hint(step("predictions"), " lists those there are; the oldest are no longer kept"),
        )
    seen = asked.watched(lambda folded: PredictionWatch(folded, told)).seen
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
        f"probability {told.probability:.3f}: base rate {told.base_rate:.3f} "
        f"{told.probability - told.base_rate:+.3f} by what was settled before that day",
        "told as an expectation" if told.told else "settled silently: no record beat the base rate then",
    ]
    return Why(told.id, "confidence", tuple(lines), told.confidence, tuple(notes))


EXPLAINS: Explains[Connections] = Explains(node=why_node, link=why_connection, item=added, other=why_other)
