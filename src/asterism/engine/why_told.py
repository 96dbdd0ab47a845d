"""Why a link of a transcript or of an exploration, or a narrative, has the number it has."""

from __future__ import annotations

from collections.abc import Iterator

from asterism.core.calendar import to_datetime
from asterism.core.dialogue.fold import CAUSED, ORDER
from asterism.core.dialogue.payloads import moment_id
from asterism.core.model import Line, Why, link_id
from asterism.core.projection import Projection
from asterism.core.walkers.crystals import WALK


def why_told(folded: Projection, a: str, b: str, kind: str | None) -> Why | None:
    """Explain a `caused`, `order` or `walk` link, of that kind or the strongest there is; None if there is none."""
    found = [each for each in _explained(folded, a, b) if kind in (None, each.subject.partition("#")[2])]
    return max(found, key=lambda each: (not each.subject.endswith(ORDER), each.total), default=None)


def _explained(folded: Projection, a: str, b: str) -> Iterator[Why]:
    ends = {a, b}
    for link in folded.transcripts.causal_links():
        line = link.consequence_anchor_index
        if line is None or link.score is None:
            continue
        if {moment_id(link.session_id, link.intent_anchor_index), moment_id(link.session_id, line)} == ends:
            said = folded.transcripts.said(link.session_id)
            scorer = "" if said is None else f" by the scorer {said.scorer}"
            lines = [Line(f"score of the pair{scorer}", link.score)]
            if link.score > 1:
                lines.append(Line("a strength is 1 at most", 1.0 - link.score))
            notes = (
                f"session {link.session_id}: line {link.intent_anchor_index} ({link.intent_type}, rule {link.rule}) "
                f"to line {line} ({link.consequence_type}), distance {link.distance}",
            )
            yield Why(link_id(a, b, CAUSED), "strength", tuple(lines), min(1.0, link.score), notes)
    for made in folded.transcripts.structural():
        if made.kind == ORDER and {made.a, made.b} == ends:
            lines = [Line("one moment follows the other for certain", made.strength)]
            yield Why(link_id(a, b, ORDER), "strength", tuple(lines), made.strength)
    for tie in folded.walks.ties.values():
        if {tie.a, tie.b} == ends:
            lines = [Line(f"polarity from {tie.a} to {tie.b}, as it was crystallised", tie.polarity)]
            notes = (f"back it is {tie.back:g}; permanence {tie.permanence:g}",)
            yield Why(link_id(a, b, WALK), "strength", tuple(lines), tie.polarity, notes)


def why_narrative(folded: Projection, name: str) -> Why | None:
    """Explain a narrative's weight: what it crystallised with, and what later walks gave it."""
    crystal = folded.walks.narratives.get(name)
    if crystal is None:
        return None
    given = folded.walks.weight.get(name, 0.0)
    lines = [Line("crystallised with", crystal.weight), Line("given by later walks", given)]
    notes = (f"made {to_datetime(crystal.at):%Y-%m-%d %H:%M} from {', '.join(crystal.sources)}", crystal.content)
    return Why(name, "weight", tuple(lines), crystal.weight + given, notes)
