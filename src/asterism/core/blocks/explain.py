"""Why a block is as sure as it is, a structural link of blocks as strong, and what an item did to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from asterism.core.blocks.conflicting import conflict_views, is_open
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import CONFLICT, KINDS, SIMILAR, Key, Link, Marked, key_of
from asterism.core.blocks.payloads import said_of
from asterism.core.blocks.reasons import REASONS
from asterism.core.blocks.records import NO_TERMS, Occurrence
from asterism.core.blocks.scoring import (
    category_match,
    cosine,
    jaccard,
    structural_strength,
    temporal_proximity,
)
from asterism.core.blocks.validity import stays
from asterism.core.ledger.calendar import MICROS_PER_HOUR, to_datetime
from asterism.core.ledger.explain import SHOWN as SHOWN_BLOCKS
from asterism.core.ledger.explain import Added, Asked, Explains, Wanted, changed
from asterism.core.ledger.items import Item, cut
from asterism.core.ledger.model import Line, Why, link_id
from asterism.core.ledger.rounding import rounded
from asterism.errors import InputError

Story = tuple[list[Line], list[str]]  # of a link: lines and notes
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
    notes = [f"{block.status}; learned {_minute(block.at)}, category {block.category or 'none'}"]
    if (stands := blocks.there(name)) not in (None, name):
        notes.append(f"{stands} stands for it now")
    notes += _told_when(blocks, name)
    linked = blocks.links.of(name)
    notes += [f"{kind} link to {b if a == name else a}" for kind, a, b in linked[:SHOWN]]
    if len(linked) > SHOWN:
        notes.append(f"and {len(linked) - SHOWN} more links")
    return Why(name, "confidence", tuple(lines), block.confidence(blocks.parameters), tuple(notes))


def _told_when(blocks: Blocks, name: str) -> list[str]:
    """Say when a block was told, for how long it holds, when it was away, and whether it is pinned."""
    told, notes = blocks.occurrences(name), list[str]()
    if len(told) > 1 or told[0].terms != NO_TERMS:
        notes.append(f"told {len(told)} times" if len(told) > 1 else "told once")
        shown = told if len(told) <= SHOWN else (told[0], *told[1 - SHOWN :])
        notes += [_one_telling(each) for each in shown]
        if len(told) > SHOWN:
            notes.append(f"and {len(told) - SHOWN} times in between")
    for stay in stays(blocks, name) if name in blocks.terms.timed else ():
        slot = f" as {stay.slot}" if stay.slot else ""
        end = "on" if stay.end is None else f"until {_minute(stay.end)}, ended by {stay.ended_by}"
        notes.append(f"holds{slot} from {_minute(stay.begin)} {end}")
    for left, back in blocks.blocks[name].away:
        notes.append(f"put away {_minute(left)}" + ("" if back is None else f", back {_minute(back)}"))
    return [*notes, "pinned: it does not fade"] if blocks.blocks[name].pinned else notes


def _one_telling(told: Occurrence) -> str:
    by = f" by {', '.join(told.sources)}" if told.sources else ""
    said = f", said by {told.speaker}" if told.speaker else ""
    where = f" in {told.conversation}" if told.conversation else ""
    return f"told {_minute(told.at)}{by}{said}{where} (item {told.item})"


def _minute(at: int) -> str:
    return f"{to_datetime(at):%Y-%m-%d %H:%M}"


# Links


def why_link(asked: Asked[Blocks], a: str, b: str, kind: str) -> Why | None:
    """Explain the strength of a structural link, of a kind or the strongest there is."""
    return why_links(asked, [(a, b, kind)])[0]


def why_links(asked: Asked[Blocks], wanted: Sequence[Wanted]) -> list[Why | None]:
    """Explain the strengths of structural links: the blocks are folded again once for all of them."""
    blocks = asked.fold
    marks = [_marked(blocks, *each) for each in wanted]
    keys = [None if mark else _strongest(blocks, *each) for mark, each in zip(marks, wanted, strict=True)]
    told = _told(asked, {key for key in keys if key is not None}) if any(keys) else {}
    summed = [None if key is None else _summed(blocks, key, told[key]) for key in keys]
    return [why if mark is None else why_conflict(asked, mark) for mark, why in zip(marks, summed, strict=True)]


def _marked(blocks: Blocks, a: str, b: str, kind: str) -> Marked | None:
    """Give the conflict of two blocks, if that is asked for, or nothing else that is as strong."""
    mark = blocks.marked.get(a, {}).get(b)
    if mark is None or kind not in ("", CONFLICT) or not is_open(blocks, mark, blocks.seen):
        return None
    key = None if kind else _strongest(blocks, a, b, "")
    return mark if key is None or blocks.strength(key, blocks.hours_now) < mark.confidence else None


def why_conflict(asked: Asked[Blocks], mark: Marked) -> Why:
    """Explain a conflict: which claims of the two exclude each other, which was told later, and what settles it."""
    blocks = asked.fold
    (view,) = [each for each in conflict_views(blocks, blocks.seen, of=mark.a) if {*mark[:2]} == each.ends]
    notes = [f"told {side.at:%Y-%m-%d %H:%M}: {side.text}" for side in (view.earlier, view.later)]
    found = [item for item in asked.items(["dreamed"]) if mark in said_of(item.payload).conflicts]
    notes += [f"found by the dream of {_when(item)}" for item in found[:1]]
    notes.append("nothing was settled: either may be right; it ends when one of them is replaced, edited or forgotten")
    lines = (Line(f"they cannot both hold: {REASONS.get(mark.reason, mark.reason)}", mark.confidence),)
    return Why(view.id, "confidence", lines, mark.confidence, tuple(notes))


def _strongest(blocks: Blocks, a: str, b: str, kind: str) -> Key | None:
    held = [key for each in ([kind] if kind else KINDS) if (key := key_of(each, a, b)) in blocks.links.links]
    return max(held, key=lambda each: (blocks.strength(each, blocks.hours_now), each), default=None)


def _summed(blocks: Blocks, key: Key, told: Story) -> Why:
    link, now, (kind, a, b) = blocks.links.links[key], blocks.hours_now, key
    lines, notes = list(told[0]), list(told[1])
    strength = blocks.strength(key, now)
    rest = link.anchor - sum(line.value for line in lines)
    if abs(rest) > ROUNDING:  # more than the ledger at hand explains
        lines.append(Line("as it stood before", rest))
    lines.append(Line(f"faded over {max(0.0, now - link.hours):.2f} active hours", strength - link.anchor))
    if link.reinforced:
        notes.append(f"reinforced {link.reinforced} times: never pruned by age alone")
    return Why(link_id(a, b, kind), "strength", tuple(lines), strength, tuple(notes))


def _told(asked: Asked[Blocks], keys: Collection[Key]) -> dict[Key, Story]:
    """Fold the blocks again, and tell each item that changed a link: what it added, what had faded before it."""
    blocks = Blocks(asked.fold.parameters)
    told: dict[Key, Story] = {key: ([], []) for key in keys}
    for item in asked.items():
        before = {key: blocks.links.links.get(key) for key in keys}
        created = _created(item, keys)
        made = {key: _composite(asked, item, blocks, key) for key in created}
        blocks.apply(item)
        for key, was in before.items():
            if blocks.links.links.get(key) != was:
                told[key] = _changed(blocks, key, item, was, made.get(key, []), told[key])
    return told


def _changed(blocks: Blocks, key: Key, item: Item, before: Link | None, made: list[Line], told: Story) -> Story:
    """Go on with a link's story by an item that changed it."""
    lines, notes = told
    after = blocks.links.links.get(key)
    if after is None:  # it was dropped: what comes later begins anew
        return [], []
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


def _created(item: Item, keys: Collection[Key]) -> list[Key]:
    """Give those of some links that a dream made."""
    if item.what != "dreamed":
        return []
    created: Sequence[str] = item.payload["created"]  # type: ignore[assignment]  # a list of texts
    made = {tuple(each.split(" ", 2)[:2]) for each in created}
    return [key for key in keys if key[0] == SIMILAR and key[1:] in made]


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


EXPLAINS: Explains[Blocks] = Explains(node=why_block, link=why_link, links=why_links, item=added)
