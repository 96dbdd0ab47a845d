"""A dream: the same as every pair looked at plainly, whatever the order of the inbox and the size of its steps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.blocks.parameters import BlockParameters
from tests.support.blocks import World, after, dream, parameters, plain_dream, step, worlds


def links(world: World) -> list[tuple[str, str, float]]:
    return sorted((edge.a, edge.b, edge.score) for edge in world.edges)


@settings(max_examples=100)
@given(worlds(), parameters())
def test_a_dream_is_what_looking_at_every_pair_gives(world: World, rules: BlockParameters) -> None:
    dreamed, plain = dream(world, rules), plain_dream(world, rules)
    assert sorted(block.id for block in dreamed.active) == sorted(block.id for block in plain.active)
    assert links(dreamed) == links(plain)


@settings(max_examples=50)
@given(worlds(), parameters(), st.randoms(use_true_random=False))
def test_the_order_of_the_inbox_does_not_matter(world: World, rules: BlockParameters, chance: object) -> None:
    shuffled = list(world.inbox)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert step(replace(world, inbox=tuple(shuffled)), rules) == step(world, rules)


@settings(max_examples=100)
@given(worlds(), parameters(), st.integers(1, 6))
def test_many_steps_give_the_edges_of_one(world: World, rules: BlockParameters, most: int) -> None:
    small = replace(rules, dream_batch_blocks=most)
    assert links(dream(world, small)) == links(dream(world, rules))


@settings(max_examples=50)
@given(worlds(), parameters())
def test_no_block_has_more_links_than_the_cap(world: World, rules: BlockParameters) -> None:
    dreamed = after(world, step(world, rules))
    degree = Counter(end for edge in dreamed.edges for end in edge[:2])
    held = Counter(end for link in dreamed.protected for end in link[:2])
    for block, edges in degree.items():
        assert edges + held[block] <= rules.edge_degree_cap
