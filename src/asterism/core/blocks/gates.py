"""Why a dream did not link two blocks, and why a block is not there: the gate, and the smallest change."""

from __future__ import annotations

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import PROTECTED, SIMILAR, key_of
from asterism.core.blocks.read import forgotten_heir
from asterism.core.blocks.scoring import category_match, composite, cosine, jaccard, temporal_proximity
from asterism.core.blocks.words import ACTIVE, FORGOTTEN, THERE
from asterism.core.ledger.explain import Asked, Gates
from asterism.core.ledger.model import WhyNotAnswer, link_id
from asterism.errors import InputError
from asterism.hints import Hint, step

CREATED = "user_creates"  # evidence that passes every gate of a dream


def why_no_link(asked: Asked[Blocks], a: str, b: str, _: str) -> WhyNotAnswer:
    """Say which gate two blocks do not pass: the guard, the threshold, the cap."""
    blocks, rules = asked.fold, asked.fold.parameters
    name = link_id(a, b, SIMILAR)
    key = key_of(SIMILAR, a, b)
    if a == b:
        raise InputError(f"{a} cannot be linked to itself", code="self_link", item=a, hint="name two different blocks")
    if key in blocks.links.links:
        strength = blocks.strength(key, blocks.hours_now)
        return WhyNotAnswer(name, "linked", strength, strength, "They are linked.")
    for end in (a, b):
        status = blocks.blocks[end].status
        if status in THERE and status != ACTIVE:
            change = Hint(f"{end} is not active: ", step("dream"), " consolidates the inbox.")
            return WhyNotAnswer(name, "inbox", 0.0, 1.0, change, tell=("dream",))
        if status not in THERE:
            return _gone(blocks, end, name)
    one, other = blocks.blocks[a], blocks.blocks[b]
    parts = {
        "cosine": cosine(*asked.vectors([one.text(), other.text()])),
        "tags": jaccard(one.tags, other.tags),
        "category": category_match(one.category, other.category, cross_category_score=rules.cross_category_score),
        "time": temporal_proximity(one.hours, other.hours, sigma=rules.temporal_sigma_hours),
    }
    tell = ("observe", a, b, CREATED)
    if parts["cosine"] < rules.minimum_cosine_for_edge:
        near = "edit one in nearer words and dream"
        change = Hint(f"Below the guard nothing else counts: {near}, or evidence links them: ", step(*tell), ".")
        least = rules.minimum_cosine_for_edge
        return WhyNotAnswer(name, "guard", parts["cosine"], least, change, signals=parts, tell=tell)
    score = composite(
        cosine=parts["cosine"], tags=parts["tags"], category=parts["category"], time=parts["time"], parameters=rules
    )
    threshold = rules.edge_score_threshold
    if score < threshold:
        gap = (threshold - score) / rules.weight_tags
        change = Hint("Evidence links them: ", step(*tell), ".")
        if parts["tags"] + gap <= 1:
            change = Hint(f"Share tags: {gap:+.2f} of overlap is missing (then forget, restore and dream). ", change)
        return WhyNotAnswer(name, "threshold", score, threshold, change, signals=parts, tell=tell)
    cap = rules.edge_degree_cap
    needed = max(_weakest(asked, end, cap) for end in (a, b))
    if needed > score or cap == 0:
        change = Hint(f"An end has {cap} better links: evidence links them without that cap: ", step(*tell), ".")
        return WhyNotAnswer(name, "cap", score, needed, change, signals=parts, tell=tell)
    change = Hint(
        "Nothing keeps them apart now; a dream looks at a pair when one of the two is new: forget and restore one, and "
        "dream. Evidence links them at once: ",
        step(*tell),
        ".",
    )
    return WhyNotAnswer(name, "none", score, threshold, change, signals=parts, tell=tell)


def _weakest(asked: Asked[Blocks], end: str, cap: int) -> float:
    """Give the score that an edge must beat at a block whose room is full; 0 if there is room."""
    blocks = asked.fold
    there = [key for key in blocks.links.of(end) if all(blocks.blocks[each].status in THERE for each in key[1:])]
    similar = [blocks.links.links[key].anchor for key in there if key[0] == SIMILAR]
    taken = sum(key[0] in PROTECTED for key in there) + _connections(asked, end)
    return 0.0 if taken + len(similar) < cap else min(similar, default=1.0)


def _connections(asked: Asked[Blocks], end: str) -> int:
    """Count the connections of a block with others: they fill its room before similarity does."""
    blocks, family = asked.fold.blocks, set(asked.family(end))
    linked = [link for name in family for link in asked.links(name) if link.family != "structural"]
    return sum(link.b in blocks and link.b not in family for link in linked)


def why_gone(asked: Asked[Blocks], node: str) -> WhyNotAnswer | None:
    """Say that a block is not there."""
    block = asked.fold.blocks.get(node)
    return None if block is None or block.status in THERE else _gone(asked.fold, node, node)


def _gone(blocks: Blocks, block: str, subject: str) -> WhyNotAnswer:
    """Say how a block that is not there comes back, or what stands for it."""
    stands, status, tell = blocks.there(block), blocks.blocks[block].status, tuple[str, ...]()
    if stands is not None:
        change = f"ask for {stands}, which stands for it"
    elif blocks.blocks[heir := forgotten_heir(blocks, block)].status == FORGOTTEN:
        tell = ("restore", heir)
        change = Hint(step(*tell), " brings it back")
    else:
        change = "what took its place was erased"
    return WhyNotAnswer(subject, "gone", 0.0, 1.0, Hint(f"{block} was {status}: ", change, "."), tell=tell)


GATES: Gates[Blocks] = Gates(node=why_gone, link=why_no_link, words=(SIMILAR,), kinds=("block",))
