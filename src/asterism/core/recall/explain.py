"""Why a hit has its score, and why two entries are linked by a name or by their order: links that recall finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asterism.core.ledger.explain import Asked, Explains
from asterism.core.ledger.model import Line, Why, link_id
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.unanswered import Questions

if TYPE_CHECKING:  # every space has this row, and not every process recalls
    from asterism.core.recall.index import Index

KINDS = ("mention", "shared_term", "order")  # of links that the index finds


def why_hit(_: Asked[Questions], hit: object) -> Why | None:
    """Explain a hit's score by its signals."""
    from asterism.core.recall.model import AnswerHit

    if not isinstance(hit, AnswerHit):
        return None
    lines = tuple(Line(name, value) for name, value in sorted(hit.signals.items(), key=lambda each: -abs(each[1])))
    notes = tuple(f"{each.kind} from {each.source}{f' over {each.name}' if each.name else ''}" for each in hit.links)
    return Why(hit.id, "score", lines, hit.score, notes)


def why_named(index: Index, rules: RecallParameters, a: str, b: str, kind: str) -> Why | None:
    """Explain a link of one of these kinds; None if there is none."""
    if a not in index or b not in index:
        return None
    found = _order(index, rules, a, b) if kind == "order" else _names(index, rules, a, b, kind)
    if found is None:
        return None
    return Why(
        link_id(a, b, kind), "strength", (found,), found.value, ("recall multiplies it with its source's weight",)
    )


def _names(index: Index, rules: RecallParameters, a: str, b: str, kind: str) -> Line | None:
    """Give the strongest name: 1 / sqrt(n) for one that leads to n others."""
    lines = []
    for here, there in ((a, b), (b, a)):
        for name in index.names.keys_of(index.rows[here]):
            rows = (index.titled(name) if kind == "mention" else index.naming(name)).tolist()
            rare = kind == "mention" or rules.rare_at_least <= len(rows) <= rules.rare_at_most
            if index.rows[there] in rows and rare:
                others = max(len(rows) - (index.rows[here] in rows), 1)
                told = f"{here} names {there}" if kind == "mention" else "both hold the name"
                lines.append(Line(f"{told}: “{name}”, which leads to {others}", others**-0.5))
    return max(lines, key=lambda line: (line.value, line.text), default=None)


def _order(index: Index, rules: RecallParameters, a: str, b: str) -> Line | None:
    """Give the weight with which one entry speaks with the words of the other."""
    from asterism.core.recall.windows import window_weights

    neighbours, weights = index.neighbours(), window_weights(rules)
    lines = [
        Line(f"{there} stands beside {here} ({side.replace('_', ' ')})", weights[side])
        for here, there in ((a, b), (b, a))
        for side in weights
        if neighbours[side][index.rows[here]] == index.rows[there]
    ]
    return max(lines, key=lambda line: (line.value, line.text), default=None)


EXPLAINS: Explains[Questions] = Explains(other=why_hit)
