"""Why a link of a transcript or of an exploration has the strength it has."""

from __future__ import annotations

from collections.abc import Iterator

from asterism.core.blocks.read import standing
from asterism.core.dialogue.fold import CAUSED, ORDER
from asterism.core.dialogue.payloads import session_key
from asterism.core.ledger.model import Line, Why, link_id
from asterism.core.space.projection import Projection
from asterism.core.walkers.crystals import WALK
from asterism.engine.explain.causal_links import why_causal
from asterism.hints import Hint, step


def why_told(folded: Projection, a: str, b: str, kind: str | None) -> Why | None:
    """Explain a `caused`, `order` or `walk` link, of that kind or the strongest there is; None if there is none."""
    found = [each for each in _explained(folded, a, b) if kind in (None, each.subject.partition("#")[2])]
    return max(found, key=lambda each: (not each.subject.endswith(ORDER), each.total), default=None)


def _explained(folded: Projection, a: str, b: str) -> Iterator[Why]:
    ends = {a, b}
    called = folded.transcripts.prefixes()
    for link in folded.transcripts.causal_links():
        line = link.consequence_anchor_index
        if line is None or link.score is None:
            continue
        name = called[session_key(link.session_id)]
        if {f"{name}/{link.intent_anchor_index}", f"{name}/{line}"} == ends:
            told = why_causal(folded, link)
            lines = list(told.lines)
            if link.score > 1:
                lines.append(Line("a strength is 1 at most", 1.0 - link.score))
            notes = (*told.notes, Hint("its score: ", step("why", link.id)))
            yield Why(link_id(a, b, CAUSED), "strength", tuple(lines), min(1.0, link.score), notes)
    for made in folded.transcripts.structural():
        if made.kind == ORDER and {made.a, made.b} == ends:
            lines = [Line("one moment follows the other for certain", made.strength)]
            yield Why(link_id(a, b, ORDER), "strength", tuple(lines), made.strength)
    for tie in folded.walks.ties.values():
        if {standing(folded.blocks, tie.a), standing(folded.blocks, tie.b)} == ends:
            lines = [Line(f"polarity from {tie.a} to {tie.b}, as it was crystallised", tie.polarity)]
            notes = (f"back it is {tie.back:g}; permanence {tie.permanence:g}",)
            yield Why(link_id(a, b, WALK), "strength", tuple(lines), tie.polarity, notes)
