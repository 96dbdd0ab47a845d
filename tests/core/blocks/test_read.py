"""What the fold of blocks shows: blocks by id and by name, at the moment they are looked at."""

from __future__ import annotations

import math

import pytest

from asterism.core.blocks import read
from asterism.core.blocks.fold import Blocks, folded
from asterism.core.blocks.model import DreamResult
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import block_id
from asterism.core.ledger.calendar import MICROS_PER_HOUR
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.errors import InputError

TEA, MILK = block_id("tea"), block_id("milk")


def item(what: str, hour: float, payload: Payload) -> Item:
    return make_item(space="me", what=what, at=round(hour * MICROS_PER_HOUR), payload=payload, known_at=0)


def learned(content: str, hour: float, name: str = "") -> Item:
    said: Payload = {"content": content, "tags": [], "category": "", "name": name, "conversation": "", "speaker": ""}
    return item("learned", hour, said)


def blocks(*items: Item) -> Blocks:
    return folded(items, BlockParameters())


def test_blocks_are_listed_by_status_in_the_order_they_were_learned() -> None:
    told = blocks(learned("tea", 1), learned("milk", 2), item("forgotten", 3, {"block": TEA}))
    assert [each.id for each in read.blocks_of(told)] == [MILK]
    assert [each.id for each in read.blocks_of(told, "forgotten")] == [TEA]
    with pytest.raises(InputError) as refused:
        read.blocks_of(told, ["lost"])
    assert refused.value.code == "bad_status"


def test_an_open_session_ages_blocks_between_items() -> None:
    told = blocks(item("session", 0, {"name": "s", "act": "start"}), learned("tea", 0))
    told.seen = 10 * MICROS_PER_HOUR
    seen = read.block(told, TEA)
    assert seen is not None
    assert seen.recency == pytest.approx(math.exp(-0.1))


def test_what_stands_for_a_block_is_followed() -> None:
    told = blocks(learned("tea", 1), item("edited", 2, {"block": TEA, "content": "green tea"}))
    green = block_id("green tea")
    assert (read.standing(told, TEA), read.standing(told, "sleep")) == (green, "sleep")
    assert told.family(green) == sorted([TEA, green])
    seen = read.block(told, TEA)
    assert seen is not None
    assert (seen.status, seen.superseded_by) == ("edited", green)
    assert read.block(told, "0" * 16) is None


def test_a_dream_says_what_it_did() -> None:
    done = DreamResult(3, 1, 0, 2, 0, False, 0.991, 7, 1, 3, 0.0)
    assert str(done) == (
        "Dreamed: 3 promoted, 1 duplicate, 2 links found, approximate, recall 0.991 on a sample, 7 still in the inbox."
    )
