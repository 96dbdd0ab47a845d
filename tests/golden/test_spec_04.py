"""Every right row of spec 04, and the examples of seed 003 that its formula gives."""

from __future__ import annotations

import math

import pytest

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import key_of
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import (
    block_id,
    category_match,
    composite,
    decay_tier,
    jaccard,
    recency,
    structural_strength,
    temporal_proximity,
)
from asterism.core.ledger.calendar import MICROS_PER_HOUR
from asterism.core.ledger.items import Payload, make_item
from tests.support.blocks import Block, World, after, dream, step

B2 = BlockParameters()


def score(cosine: float, *, tags: float = 0.0, same_category: bool = False, time: float = 0.0) -> float:
    category = category_match("a", "a" if same_category else "b", cross_category_score=B2.cross_category_score)
    return composite(cosine=cosine, tags=tags, category=category, time=time, parameters=B2)


@pytest.mark.parametrize(
    ("cosine", "signals", "expected", "edge"),
    [
        (0.60, {}, 0.375, False),
        (0.70, {}, 0.43, True),
        (0.30, {"same_category": True, "time": 1.0}, 0.415, True),
        (0.28, {"same_category": True, "time": 1.0}, 0.0, False),
        (0.28, {"tags": 1.0, "same_category": True, "time": 1.0}, 0.0, False),
        (0.62, {}, 0.386, False),
        (0.62, {"time": 1.0}, 0.486, True),
        (0.78, {"tags": 1.0, "same_category": True, "time": 1.0}, 0.879, True),
        (0.45, {"tags": 1 / 3, "same_category": True, "time": 1.0}, 0.5642, True),
        (0.50, {"tags": 1.0, "same_category": True, "time": 1.0}, 0.725, True),  # printed as .62
        (0.45, {"tags": 1.0, "same_category": True, "time": 1.0}, 0.6975, True),  # printed as .55
        (0.60, {"same_category": True}, 0.48, True),  # printed as .53
        (0.60, {"same_category": True, "time": 1.0}, 0.58, True),
        (0.78, {}, 0.474, True),
        (0.60, {"time": 1.0}, 0.475, True),
        (1.0, {"tags": 1.0, "same_category": True, "time": 1.0}, 1.0, True),
        (0.0, {"time": 1.0}, 0.0, False),  # D1: the guard wins over the seed's .145
        (-0.5, {"tags": 1.0, "same_category": True, "time": 1.0}, 0.0, False),
    ],
)
def test_the_composite(cosine: float, signals: dict[str, float], expected: float, *, edge: bool) -> None:
    found = score(cosine, **signals)  # type: ignore[arg-type]
    assert found == pytest.approx(expected, abs=5e-5)
    assert (found >= B2.edge_score_threshold) == edge


def test_the_least_pure_cosine_is_645() -> None:
    least = (B2.edge_score_threshold - B2.weight_category * B2.cross_category_score) / B2.weight_cosine
    assert least == pytest.approx(0.645, abs=5e-4)
    assert score(least + 1e-9) >= B2.edge_score_threshold > score(least - 1e-6)


def test_the_threshold_is_inclusive() -> None:
    assert score(0.25 / 0.55, same_category=True) == B2.edge_score_threshold


def test_nearness_in_time() -> None:
    assert temporal_proximity(0, 8, sigma=8) == pytest.approx(math.exp(-0.5))
    assert temporal_proximity(24, 0, sigma=8) == pytest.approx(0.0111, abs=5e-5)


def test_empty_tags_have_nothing_in_common_and_empty_categories_are_one() -> None:
    assert jaccard([], []) == jaccard([], ["a"]) == 0.0
    assert category_match("", "", cross_category_score=0.3) == 1.0


def test_tight() -> None:
    tight = BlockParameters.build("tight")
    assert (tight.minimum_cosine_for_edge, tight.edge_score_threshold, tight.edge_degree_cap) == (0.5, 0.45, 5)
    assert BlockParameters.build("b2") == BlockParameters.build("seed") == B2


def test_the_id_of_a_block() -> None:
    assert block_id(" Tea at Four\n") == block_id("tea at four") == "7eb39c9b70ec4909"


def test_fading() -> None:
    rates = {tier: B2.decay_rate(tier) for tier in ("permanent", "durable", "standard", "ephemeral")}
    assert rates == {"permanent": 1e-5, "durable": 1e-3, "standard": 0.01, "ephemeral": 0.05}
    assert recency(100, decay_rate=0.01) == pytest.approx(math.exp(-1))
    assert structural_strength(0.8, 100, decay_rate_a=0.05, decay_rate_b=0.001) == pytest.approx(0.8 * math.exp(-0.1))
    assert decay_tier(["self/constitutional", "ephemeral"], "fact") == "permanent"


# --- a dream ------------------------------------------------------------------------------------------------------


def at_cosine(cosine: float) -> tuple[float, float, float]:
    return (cosine, math.sqrt(1 - cosine * cosine), 0.0)


def pair(cosine: float, **shared: object) -> World:
    one = Block("00", 0, (1.0, 0.0, 0.0), **shared)  # type: ignore[arg-type]
    return World(inbox=(one, Block("01", 1, at_cosine(cosine), **shared)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cosine", "facts", "promoted", "duplicates", "superseded"),
    [
        (0.96, 0, ("00",), (("01", "00"),), ()),
        (0.92, 0, ("01",), (), (("00", "01"),)),
        (0.88, 0, ("00", "01"), (), ()),
        (0.96, 1, ("00", "01"), (), ()),
    ],
)
def test_near_duplicates(
    cosine: float,
    facts: int,
    promoted: tuple[str, ...],
    duplicates: tuple[tuple[str, str], ...],
    superseded: tuple[tuple[str, str], ...],
) -> None:
    one, other = pair(cosine).inbox
    different = Block(other.id, other.at, other.vector, facts=facts)
    dreamed = step(World(inbox=(one, different)), B2)
    assert (dreamed.promoted, dreamed.duplicates, dreamed.superseded) == (promoted, duplicates, superseded)
    assert len(dreamed.edges_created) == len(promoted) - 1  # both stay, linked


def test_blocks_of_one_dream_are_near_in_time_whatever_hour_they_had() -> None:
    one, other = pair(0.78, tags=frozenset({1, 2})).inbox
    stale = Block(other.id, other.at, other.vector, tags=other.tags, hours=0.0)
    (edge,) = step(World(inbox=(one, stale)), B2).edges_created
    assert edge.score == pytest.approx(0.879, abs=1e-6)
    (later,) = dream(World(active=(stale,), inbox=(one,)), B2).edges  # 40 hours apart
    assert later.score == pytest.approx(0.779, abs=1e-5)


def test_a_better_edge_displaces_the_weakest() -> None:
    world = pair(0.5)
    rules = BlockParameters.build("seed", {"edge_degree_cap": 1})
    world = dream(world, rules)
    nearer = World(active=world.active, inbox=(Block("02", 2, at_cosine(0.8), facts=1),), edges=world.edges)
    dreamed = step(nearer, rules)
    assert [edge[:2] for edge in dreamed.edges_displaced] == [("00", "01")]
    assert len(dreamed.edges_created) == 1
    assert len(after(nearer, dreamed).edges) == 1


# --- what was used together, and outcomes -------------------------------------------------------------------------


def told(blocks: Blocks, what: str, hour: float, payload: Payload) -> None:
    blocks.apply(make_item(space="me", what=what, at=round(hour * MICROS_PER_HOUR), payload=payload, known_at=0))


def three() -> tuple[Blocks, list[str]]:
    blocks = Blocks(B2)
    told(blocks, "session", 0.0, {"name": "day", "act": "start"})
    for hour, content in enumerate(("tea", "milk", "bread"), start=1):
        told(
            blocks,
            "learned",
            hour / 1000,
            {"content": content, "tags": [], "category": "", "name": "", "conversation": "", "speaker": ""},
        )
    return blocks, sorted(blocks.blocks)


def test_the_third_session_of_joint_use_makes_a_link() -> None:
    blocks, names = three()
    for number, session in enumerate(("a", "b", "b", "c"), start=1):
        assert not blocks.links.links
        told(blocks, "used", number, {"blocks": names[:2], "session": session})
    assert [link.anchor for link in blocks.links.links.values()] == [0.55]


def test_outcomes() -> None:
    blocks, names = three()
    told(blocks, "outcome", 1, {"blocks": names[:2], "signal": 0.9})
    key = key_of("outcome", *names[:2])
    assert blocks.links.links[key].anchor == pytest.approx(0.72)
    assert blocks.blocks[names[0]].hours == 1.0
    told(blocks, "outcome", 2, {"blocks": names[:2], "signal": 1.0})
    assert blocks.links.links[key].anchor == pytest.approx(0.72 * math.exp(-0.01) + 0.1)
    for hour, rate in ((3, 0.02), (4, 0.04), (5, 0.05), (6, 0.05)):
        told(blocks, "outcome", hour, {"blocks": names[2:], "signal": 0.1})
        assert blocks.rate(names[2]) == rate
    before = blocks.rate(names[0]), len(blocks.links.links), blocks.blocks[names[0]].hours
    told(blocks, "outcome", 7, {"blocks": names[:2], "signal": 0.4})
    assert (blocks.rate(names[0]), len(blocks.links.links), blocks.blocks[names[0]].hours) == before
    assert blocks.blocks[names[0]].confidence(B2) == pytest.approx((1 + 0.9 + 1.0 + 0.4) / 5)
