"""Why a block is as sure as it is, a structural link of blocks as strong, and what an item did to them."""

from __future__ import annotations

from collections.abc import Sequence

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import KINDS, SIMILAR, Key, Link, key_of
from asterism.core.blocks.payloads import said_of
from asterism.core.blocks.scoring import (
    category_match,
    cosine,
    jaccard,
    structural_strength,
    temporal_proximity,
)
from asterism.core.ledger.calendar import MICROS_PER_HOUR, to_datetime
from asterism.core.ledger.explain import SHOWN as SHOWN_BLOCKS
from asterism.core.ledger.explain import Added, Asked, Explains, changed
from asterism.core.ledger.items import Item, cut
from asterism.core.ledger.model import Line, Why, link_id
from asterism.core.ledger.rounding import rounded
from asterism.errors import InputError

ROUNDING = 1e-9  # a score is rounded so
SHOWN = 5  # links of a block


# Blocks


def why_block(asked: Asked[Blocks], name: str) -> Why | None:
    """Explain a block's confidence: the mean of its outcomes and of a first opinion of one half."""
    blocks = asked.fold
    if name not in blocks.blocks:
        return None
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


# Links


def why_link(asked: Asked[Blocks], a: str, b: str, kind: str) -> Why | None:
    """Explain the strength of a structural link, of a kind or the strongest there is."""
    blocks = asked.fold
    keys = [key_of(each, a, b) for each in ([kind] if kind else KINDS)]
    held = [key for key in keys if key in blocks.links.links]
    if not held:
        return None
    key = max(held, key=lambda each: (blocks.strength(each, blocks.hours_now), each))
    link, now = blocks.links.links[key], blocks.hours_now
    strength = blocks.strength(key, now)
    lines, notes = _told(asked, key)
    rest = link.anchor - sum(line.value for line in lines)
    if abs(rest) > ROUNDING:  # more than the ledger at hand explains
        lines.append(Line("as it stood before", rest))
    lines.append(Line(f"faded over {max(0.0, now - link.hours):.2f} active hours", strength - link.anchor))
    if link.reinforced:
        notes.append(f"reinforced {link.reinforced} times: never pruned by age alone")
    return Why(link_id(a, b, key[0]), "strength", tuple(lines), strength, tuple(notes))


def _told(asked: Asked[Blocks], key: Key) -> tuple[list[Line], list[str]]:
    """Fold the blocks again, and tell each item that changed the link: what it added, what had faded before it."""
    blocks = Blocks(asked.fold.parameters)
    lines: list[Line] = []
    notes: list[str] = []
    for item in asked.items():
        before = blocks.links.links.get(key)
        made = _composite(asked, item, blocks, key) if item.what == "dreamed" and _creates(item, key) else []
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


def _composite(asked: Asked[Blocks], item: Item, before: Blocks, key: Key) -> list[Line]:
    """Give the four parts of the composite as they were when the edge was made (04, Composite score)."""
    said, rules = said_of(item.payload), before.parameters
    one, other = (before.blocks[end] for end in key[1:])
    try:
        vectors = asked.vectors([one.text(), other.text()])
    except InputError:  # the embedder that made the vectors is not the one at hand
        return []
    fresh = before.fresh if said.dream == before.dream else set()
    hours = [said.hours if end in fresh or end in said.promoted else before.blocks[end].hours for end in key[1:]]
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


# Items


def added(asked: Asked[Blocks], item: Item) -> Added:
    """Tell the links that an item changed, and the blocks that it made otherwise."""
    blocks, take = asked.before(item)
    if item.what == "session":
        return _session(blocks, item)
    status = {name: block.status for name, block in blocks.blocks.items()}
    sure = {name: block.confidence(blocks.parameters) for name, block in blocks.blocks.items()}
    hours = blocks.clock.advance(item.at)
    old = _strengths(blocks, hours)
    take()
    notes = []
    for name, block in sorted(blocks.blocks.items()):
        if block.status != status.get(name):
            notes.append(f"{name}: {status.get(name, 'new')} -> {block.status}")
        elif (now := block.confidence(blocks.parameters)) != sure[name]:
            notes.append(f"{name}: confidence {sure[name]:.4f} -> {now:.4f}")
    if len(notes) > SHOWN_BLOCKS:
        notes = [*notes[:SHOWN_BLOCKS], f"and {len(notes) - SHOWN_BLOCKS} more blocks"]
    return Added("strength", changed(old, _strengths(blocks, hours)), notes)


def _strengths(blocks: Blocks, hours: float) -> dict[str, float]:
    return {link_id(a, b, kind): blocks.strength((kind, a, b), hours) for kind, a, b in blocks.links.links}


def _session(blocks: Blocks, item: Item) -> Added:
    """Tell how long a session was open that an item ends; sessions side by side count once."""
    clock, name = blocks.clock, str(item.payload["name"])
    if item.payload["act"] == "start" or name not in clock.open:
        told = "a session begins" if item.payload["act"] == "start" else "none was open"
        return Added("active hours", [], [told])
    begun = clock.open[name].until - round(clock.most_hours * MICROS_PER_HOUR)
    hours = (item.at - begun) / MICROS_PER_HOUR
    return Added("active hours", [Line(f"session {cut(name)}, open since {to_datetime(begun):%Y-%m-%d %H:%M}", hours)])


EXPLAINS: Explains[Blocks] = Explains(node=why_block, link=why_link, item=added)
