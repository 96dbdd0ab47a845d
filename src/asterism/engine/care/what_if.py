"""What if something had never been told: the ledger without it, folded anew and compared. It writes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from asterism.core.connections import read
from asterism.core.connections.read_predictions import prediction_list
from asterism.core.dialogue.fold import ORDER as FOLLOWED
from asterism.core.ledger.arguments import whole
from asterism.core.ledger.calendar import day_of, to_datetime
from asterism.core.ledger.items import Item, cut
from asterism.core.levels import read as read_levels
from asterism.core.space.depends import Depends, Left, Lost, Trimmed
from asterism.core.space.erasure import Difference, LostItem, Seen, TrimmedItem, WhatIf
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection, digest
from asterism.engine.care.subject import Subject, subject_of
from asterism.engine.space.live import Live

TINY = 1e-12  # strengths are kept to so much
MEASURED = ("strength", "brightness", "confidence")
ORDER = ("link", "star", "block", "level", "actor", "moment", "narrative", "causal_link", "prediction")


@dataclass(frozen=True)
class Supposed:
    """A ledger without a subject."""

    subject: Subject
    depends: Depends
    left: Left


def folded_anew(live: Live, items: Sequence[Item]) -> Projection:
    """Fold some items, given in the order (at, id): to the bit what a memory is that was told nothing else."""
    projection = Projection(live.parameters)
    projection.apply_all(items)
    return projection


def suppose(live: Live, told: object) -> Supposed:
    """Give the ledger without a node, a session, a source, an item, or all that has a name."""
    depends = Depends([stored.item for stored in live.store.items(live.space)], live.capabilities)
    subject = subject_of(depends, told)
    chosen = depends.about(subject.nodes) if subject.kind == "node" else subject.items
    return Supposed(subject, depends, depends.without(chosen, live.parameters, gone=subject.nodes))


def what_if(live: Live, told: object, *, limit: int) -> WhatIf:
    """Say what would be otherwise without something, the biggest change first."""
    whole(limit, name="limit", least=1)
    with live.store.one_moment():
        before = live.view()
        supposed = suppose(live, told)
    folded, now = folded_anew(live, supposed.left.items), live.now()
    named = digest(folded.dump())
    after = folded.ahead()
    after.close_days(day_of(now))
    after.look(now)
    found = sorted(_differences(before, after), key=_rank)
    left = supposed.left
    return WhatIf(
        without=str(supposed.subject),
        items=by_kind(left.removed),
        lost=lost_items(left.lost[:limit]),
        lost_items=len(left.lost),
        trimmed=trimmed_items(left.trimmed[:limit]),
        trimmed_items=len(left.trimmed),
        nodes_gone=len(nodes_gone(before, left)),
        changes=tuple(found[:limit]),
        left_out=max(0, len(found) - limit),
        totals=_totals(found),
        digest=named,
    )


def _rank(each: Difference) -> tuple[bool, float, int, str]:
    """Put the biggest change first; that one line merely followed another comes last."""
    return each.id.endswith(f"#{FOLLOWED}"), -each.size, _place(each.what), each.id


def _place(what: str) -> int:
    """Give the place of a kind of thing; a node of a further capability comes last."""
    return ORDER.index(what) if what in ORDER else len(ORDER)


def by_kind(items: Sequence[Item]) -> dict[str, int]:
    """Count items by what they say."""
    return dict(sorted(Counter(item.what for item in items).items()))


def lost_items(lost: Sequence[Lost]) -> tuple[LostItem, ...]:
    """Say which items stood on what is gone."""
    return tuple(LostItem(each.item.id.hex(), each.item.what, to_datetime(each.item.at), each.missing) for each in lost)


def trimmed_items(trimmed: Sequence[Trimmed]) -> tuple[TrimmedItem, ...]:
    """Say which items lose a part, and what takes their place."""
    return tuple(
        TrimmedItem(each.item.id.hex(), each.now.id.hex(), each.item.what, to_datetime(each.item.at), each.missing)
        for each in trimmed
    )


def nodes_gone(folded: Projection, left: Left) -> list[str]:
    """Name the nodes that were there and are not any more, in order."""
    return sorted(SpaceGraph(folded).ids() & left.gone)


def _differences(before: Projection, after: Projection) -> Iterator[Difference]:
    ends = {name: symbol.book.latest for name, symbol in before.levels.symbols.items()}
    was, then = dict(_things(before, ends)), dict(_things(after, ends))
    for key in was.keys() | then.keys():
        what, name = key
        one, other = was.get(key), then.get(key)
        if one is None or other is None:
            there = one or other
            assert there is not None
            yield Difference(what, name, "new" if one is None else "gone", one, other, _size(there))
        elif (size := _apart(one, other)) is not None:
            yield Difference(what, name, "changed", one, other, size)


def _size(seen: Seen) -> float:
    """Say how much it is that something is there at all."""
    return next((float(seen[name]) for name in MEASURED if name in seen), 1.0)


def _apart(one: Seen, other: Seen) -> float | None:
    """Say how much two looks at a thing differ; None if they do not."""
    measured = [name for name in MEASURED if name in one and name in other]
    size = max((abs(float(one[name]) - float(other[name])) for name in measured), default=0.0)
    same = all(one[name] == other[name] for name in one.keys() & other.keys() - set(measured))
    return None if same and size <= TINY else size


def _things(folded: Projection, ends: Mapping[str, int]) -> Iterator[tuple[tuple[str, str], Seen]]:
    """Give everything that can be compared: what it is, its id, and what is seen of it; levels at their book's end.

    Nodes come first as they are recalled, then those of which more is to be seen: of one thing the last word counts.
    """
    graph = SpaceGraph(folded)
    for entry in graph.entries():
        yield (entry.kind, entry.id), {"text": cut(" ".join(entry.text.split()))}
    for link in graph.links():
        seen: Seen = {"strength": link.strength, "kind": link.kind}
        told: Seen = {"state": link.state, "evidence": link.evidence.raw} if link.state else {}
        yield ("link", link.id), seen | told
    for star in read.stars(folded.connections):
        yield ("star", star.id), {"brightness": star.brightness, "state": star.state}
    for name, block in folded.blocks.blocks.items():
        text = cut(" ".join(block.content.split()))
        yield (
            ("block", name),
            {"status": block.status, "confidence": block.confidence(folded.parameters.blocks), "text": text},
        )
    for name, symbol in folded.levels.symbols.items():
        rules = folded.parameters.levels
        for level in read_levels.levels(symbol.book.settled(), name, rules, at=ends[name], archived=True):
            yield ("level", level.id), {"strength": level.strength, "interactions": level.interactions}
    for causal in folded.transcripts.causal_links():
        score = {} if causal.score is None else {"strength": min(1.0, causal.score)}
        yield (
            ("causal_link", causal.id),
            {**score, "actor": causal.actor, "text": cut(" ".join(causal.intent_text.split()))},
        )
    for each in prediction_list(folded.connections):
        name = f"{each.link}!{each.made_at.isoformat()}"
        yield ("prediction", name), {"confidence": each.confidence, "star": each.star, "outcome": each.outcome}


def _totals(found: Sequence[Difference]) -> dict[str, dict[str, int]]:
    counted = Counter((each.what, each.change) for each in found)
    return {
        what: {change: counted[what, change] for change in ("gone", "new", "changed") if counted[what, change]}
        for what in sorted({what for what, _ in counted}, key=lambda what: (_place(what), what))
    }
