"""Why a structural link of blocks, a block's confidence or a hit has the number it has: lines that add up to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from asterism.core.blocks.fold import KINDS, Blocks
from asterism.core.blocks.links import KINDS as LINK_KINDS
from asterism.core.blocks.links import SIMILAR, Key, Link, key_of
from asterism.core.blocks.payloads import said_of
from asterism.core.blocks.scoring import (
    category_match,
    cosine,
    jaccard,
    structural_strength,
    temporal_proximity,
)
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Line, Why, link_id
from asterism.core.ledger.rounding import rounded
from asterism.core.recall.model import AnswerHit
from asterism.engine.space.live import Live
from asterism.errors import InputError, UnknownError
from asterism.hints import Blank, Hint, step

ROUNDING = 1e-9  # a score is rounded so
SHOWN = 5  # links of a block


def why_hit(hit: AnswerHit) -> Why:
    """Explain a hit's score by its signals."""
    lines = tuple(Line(name, value) for name, value in sorted(hit.signals.items(), key=lambda each: -abs(each[1])))
    notes = tuple(f"{each.kind} from {each.source}{f' over {each.name}' if each.name else ''}" for each in hit.links)
    return Why(hit.id, "score", lines, hit.score, notes)


def why_block(blocks: Blocks, name: str) -> Why:
    """Explain a block's confidence: the mean of its outcomes and of a first opinion of one half."""
    block, weight = blocks.blocks[name], blocks.parameters.confidence_weight
    total = weight + block.outcomes
    lines = [Line(f"first opinion 0.5, worth {weight:g} outcomes", 0.5 * weight / total)]
    if block.outcomes:
        lines.append(Line(f"{block.outcomes} outcomes, together {block.signals:g}", block.signals / total))
    notes = [f"{block.status}; learned {to_datetime(block.at):%Y-%m-%d %H:%M}, category {block.category or 'none'}"]
    if (stands := blocks.there(name)) not in (None, name):
        notes.append(f"{stands} stands for it now")
    linked = blocks.links.of(name)
    notes += [f"{kind} link to {b if a == name else a}" for kind, a, b in linked[:SHOWN]]
    if len(linked) > SHOWN:
        notes.append(f"and {len(linked) - SHOWN} more links")
    return Why(name, "confidence", tuple(lines), block.confidence(blocks.parameters), tuple(notes))


def why_structural(
    live: Live, blocks: Blocks, a: str, b: str, kind: str | None, *, known_at: int | None = None
) -> Why | None:
    """Explain the strength of a structural link, of a kind or the strongest there is; None if there is none."""
    keys = [key_of(each, a, b) for each in ([kind] if kind else LINK_KINDS)]
    held = [key for key in keys if key in blocks.links.links]
    if not held:
        return None
    key = max(held, key=lambda each: (blocks.strength(each, blocks.hours_now), each))
    link, now = blocks.links.links[key], blocks.hours_now
    strength = blocks.strength(key, now)
    lines, notes = _told(live, _items(live, blocks, known_at), key)
    rest = link.anchor - sum(line.value for line in lines)
    if abs(rest) > ROUNDING:  # more than the ledger at hand explains
        lines.append(Line("as it stood before", rest))
    lines.append(Line(f"faded over {max(0.0, now - link.hours):.2f} active hours", strength - link.anchor))
    if link.reinforced:
        notes.append(f"reinforced {link.reinforced} times: never pruned by age alone")
    return Why(link_id(a, b, key[0]), "strength", tuple(lines), strength, tuple(notes))


def _items(live: Live, blocks: Blocks, known_at: int | None) -> list[Item]:
    """Give the items that these blocks know, in order."""
    last = blocks.position
    assert last is not None
    stored = live.store.items(live.space, until_at=last.at, known_until=known_at, only=KINDS)
    return [each.item for each in stored if each.item.position <= last and each.seq <= live.seq]


def _told(live: Live, items: Iterable[Item], key: Key) -> tuple[list[Line], list[str]]:
    """Fold the blocks again, and tell each item that changed the link: what it added, what had faded before it."""
    blocks = Blocks(live.parameters.blocks)
    lines: list[Line] = []
    notes: list[str] = []
    for item in items:
        before = blocks.links.links.get(key)
        made = _composite(live, item, blocks, key) if item.what == "dreamed" and _creates(item, key) else []
        blocks.apply(item)
        after = blocks.links.links.get(key)
        if after is None or after == before:
            if after is None and before is not None:  # it was dropped: what comes later begins anew
                lines, notes = [], []
            continue
        was = 0.0
        if before is not None and key[0] != SIMILAR:
            was = _faded(blocks, key, before, after.hours)
            if was != before.anchor:
                hours = max(0.0, after.hours - before.hours)
                lines.append(Line(f"faded over {hours:.2f} active hours", was - before.anchor))
        elif key[0] == SIMILAR:  # a dream's score takes the place of the one before
            lines, notes = [], [f"found by the dream of {_when(item)}"]
        lines += made
        rest = after.anchor - was - sum(line.value for line in made)
        if abs(rest) > ROUNDING or not made:
            lines.append(Line(_text(item, key, made=bool(made)), rest))
    return lines, notes


def _faded(blocks: Blocks, key: Key, link: Link, hours: float) -> float:
    return structural_strength(
        link.anchor,
        max(0.0, hours - link.hours),
        decay_rate_a=blocks.rate(key[1]),
        decay_rate_b=blocks.rate(key[2]),
    )


def _text(item: Item, key: Key, *, made: bool) -> str:
    when, payload = _when(item), item.payload
    if made:
        return "as the dream saw it, with the vectors, tags and parameters of then"
    if item.what == "outcome":
        return f"{when}: outcome {float(str(payload['signal'])):g}"
    if item.what == "used":
        return f"{when}: used together in {payload['session']}"
    if item.what == "dreamed" and key[0] == SIMILAR:
        return f"{when}: score of a dream"
    return f"{when}: taken over from a block whose place this one took ({item.what})"


def _when(item: Item) -> str:
    return f"{to_datetime(item.at):%Y-%m-%d %H:%M}"


def _creates(item: Item, key: Key) -> bool:
    created: Sequence[str] = item.payload["created"]  # type: ignore[assignment]  # a list of texts
    return key[0] == SIMILAR and any(each.startswith(f"{key[1]} {key[2]} ") for each in created)


def _composite(live: Live, item: Item, before: Blocks, key: Key) -> list[Line]:
    """Give the four parts of the composite as they were when the edge was made (04, Composite score)."""
    try:
        texts = live.texts()
    except InputError:  # the embedder that made the vectors is not the one at hand
        return []
    said, rules = said_of(item.payload), live.parameters.blocks
    one, other = (before.blocks[end] for end in key[1:])
    fresh = before.fresh if said.dream == before.dream else set()
    hours = [said.hours if end in fresh or end in said.promoted else before.blocks[end].hours for end in key[1:]]
    vectors = texts.of([one.text(), other.text()]).astype(float).tolist()
    near = rounded(min(max(cosine(*vectors), 0.0), 1.0))
    tags = jaccard(one.tags, other.tags)
    category = category_match(one.category, other.category, cross_category_score=rules.cross_category_score)
    time = temporal_proximity(hours[0], hours[1], sigma=rules.temporal_sigma_hours)
    weights = (rules.weight_cosine, rules.weight_tags, rules.weight_category, rules.weight_time)
    parts = {"cosine": near, "tags": tags, "category": category, "time": time}
    return [
        Line(f"{name} {value:.4f} x {weight:g}", weight * value)
        for (name, value), weight in zip(parts.items(), weights, strict=True)
    ]


def no_structural(a: str, b: str, kind: str) -> UnknownError:
    """Say that there is no such link."""
    return UnknownError(
        f"there is no {kind} link between {a} and {b}",
        code="unknown_link",
        item=link_id(a, b, kind),
        hint=Hint(
            step("links", Blank("a")),
            " lists what there is; ",
            step("why_not", Blank("a"), Blank("b")),
            " says why a dream did not link them",
        ),
    )
