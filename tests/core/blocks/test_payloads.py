"""Payloads of items about blocks: what none of them says, and a step of a dream as one."""

from __future__ import annotations

import numpy as np
import pytest

from asterism.core.blocks.dreaming import Dreamed
from asterism.core.blocks.links import Edge
from asterism.core.blocks.payloads import check_payload, payload_of
from asterism.core.ledger.items import Payload
from tests.support.block_items import IDS, dreamed


@pytest.mark.parametrize(
    ("what", "change", "message"),
    [
        ("learned", {"tags": ["b", "a"]}, "tags are not in their order"),
        ("learned", {"tags": "a"}, "tags are not in their order"),
        ("learned", {"content": " "}, "content is empty"),
        ("forgotten", {"block": "sleep"}, "block is no id"),
        ("used", {"blocks": ["7eb39c9b70ec4909"] * 2}, "blocks are no ids"),
        ("outcome", {"signal": 2}, "signal is no number"),
        ("session", {"act": "pause"}, "neither start nor end"),
        ("dreamed", {"hours": True}, "hours is no number"),
        ("dreamed", {"hours": float("nan")}, "hours is no number"),
        ("dreamed", {"exact": 1}, "exact is neither"),
        ("dreamed", {"superseded": ["a b"]}, "superseded are no pairs"),
        ("dreamed", {"superseded": 1}, "superseded are no pairs"),
        ("dreamed", {"created": [f"{max(IDS)} {min(IDS)} 0.5"]}, "created are no edges"),
        ("dreamed", {"created": None}, "created are no edges"),
        ("dreamed", {"dream": ""}, "dream is empty"),
        ("dreamed", {"conflicts": []}, "conflicts are no conflicts"),
        ("dreamed", {"conflicts": "home"}, "conflicts are no conflicts"),
        ("dreamed", {"conflicts": [f"{min(IDS)} {max(IDS)} 0.9"]}, "conflicts are no conflicts"),
        ("dreamed", {"conflicts": [f"{min(IDS)} {max(IDS)} 0.9 <b>"]}, "conflicts are no conflicts"),
        ("dreamed", {"remaining": -1}, "remaining is no count"),
    ],
)
def test_what_no_item_says_is_refused(what: str, change: Payload, message: str) -> None:
    right: dict[str, Payload] = {
        "learned": {"content": "tea", "tags": [], "category": "", "name": "", "conversation": "", "speaker": ""},
        "forgotten": {"block": IDS[0]},
        "used": {"blocks": sorted(IDS), "session": "s"},
        "outcome": {"blocks": sorted(IDS), "signal": 1},
        "session": {"name": "s", "act": "end"},
        "dreamed": dreamed(1).payload,
    }
    check_payload(what, right[what])
    with pytest.raises(Exception, match=message):
        check_payload(what, {**right[what], **change})


def test_a_step_may_say_what_cannot_both_hold() -> None:
    a, b = sorted(IDS[:2])
    check_payload("dreamed", {**dreamed(1).payload, "conflicts": [f"{a} {b} 0.9 home"]})


def test_a_step_says_itself_as_a_payload_and_back() -> None:
    a, b = sorted(IDS[:2])
    edge = Edge(a, b, 0.123456789)
    one = Dreamed(1.5, (b, a), ((a, b),), ((b, a),), (edge,), (), exact=False, recall=0.99, remaining=3)
    said = payload_of(one, dream="d")
    check_payload("dreamed", said)
    assert said["created"] == [f"{a} {b} 0.123456789"]
    assert np.isclose(float(str(said["recall"])), 0.99)
