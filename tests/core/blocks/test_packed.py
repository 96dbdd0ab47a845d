"""Blocks of a checkpoint: unpacked one by one, as they are asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.records import Block
from asterism.core.blocks.snapshot import dump, load
from tests.support.block_items import IDS, RULES, TEXTS, blocks_of, dreamed, item, learned
from tests.support.work import lines_run


def loaded(count: int) -> Blocks:
    texts = [f"Fact {number} of many" for number in range(count)]
    return load(dump(blocks_of(*(learned(text, 1.0 + place / 1000) for place, text in enumerate(texts)))), RULES)


def test_loading_takes_a_line_or_two_a_block() -> None:
    few, many = (dump(loaded(count)) for count in (10, 400))
    assert lines_run(lambda: load(many, RULES)) - lines_run(lambda: load(few, RULES)) < 2 * 390


def test_a_shelf_is_a_mapping() -> None:
    shelf = loaded(3).blocks
    first, second, third = shelf
    assert first in shelf
    assert "nobody" not in shelf
    assert shelf.get("nobody") is None
    assert len(shelf) == 3
    assert shelf.keys() == {first, second, third}
    del shelf[second]
    shelf["nobody"] = Block("", "", (), 0, 0)
    assert list(shelf) == [first, third, "nobody"]
    assert [name for name, _ in shelf.items()] == [first, third, "nobody"]
    assert shelf.copy()["nobody"] is not shelf["nobody"]
    with pytest.raises(KeyError):
        shelf[second]


def test_a_packed_block_fades_as_it_does_unpacked() -> None:
    told = blocks_of(
        *(learned(text, place) for place, text in enumerate(TEXTS[:3])),
        item("outcome", 5, {"blocks": IDS[:1], "signal": 0.0}),
    )
    packed = load(dump(told), RULES)
    assert [packed.rate(name) for name in IDS[:3]] == [told.rate(name) for name in IDS[:3]]
    assert packed.rate(IDS[0]) > packed.rate(IDS[1])


def test_links_are_unpacked_by_whoever_looks_one_up() -> None:
    told = blocks_of(
        *(learned(text, place) for place, text in enumerate(TEXTS[:3])),
        dreamed(5, promoted=sorted(IDS[:3]), created=[" ".join([*sorted(IDS[:2]), "0.5"])]),
    )
    packed = load(dump(told), RULES).links
    for name in (*IDS[:3], "nobody"):
        assert dict(packed.around(name)) == {key: told.links.links[key] for key in told.links.of(name)}
    assert packed.packed is not None
    assert dict(packed.around(IDS[0]))
    looks: list[Callable[[Blocks], object]] = [
        lambda blocks: blocks.links.of(IDS[0]),
        lambda blocks: blocks.links.links,
        lambda blocks: blocks.copy(),
    ]
    for look in looks:
        again = load(dump(told), RULES)
        look(again)
        assert again.links.links == told.links.links
        assert again.links.ends == told.links.ends
