"""What levels say when they are asked why of one that is not there."""

from __future__ import annotations

import pytest

from asterism.core.levels.capability import LEVELS
from asterism.core.levels.explain import missing, why_node
from tests.support.asking import Asking
from tests.support.batches import Sent, items_of, trade

ASKED = Asking(LEVELS, items_of([Sent([trade(second, usd=900_000.0) for second in range(3)])]))


def test_a_level_is_found_by_its_price_with_or_without_commas() -> None:
    told = why_node(ASKED, "X@100.0")
    assert told is not None
    assert why_node(ASKED, "X@1,00.0") == told


@pytest.mark.parametrize(
    ("node", "code", "hint"),
    [
        ("X@7.0", "unknown_level", "did you mean X@100.0?"),
        ("X@high", "unknown_level", "levels('X') lists those there are"),
        ("zebra@7.0", "unknown_symbol", "feed it first: feed(symbol, events)"),
    ],
)
def test_what_is_missing_is_named(node: str, code: str, hint: str) -> None:
    assert why_node(ASKED, node) is None
    error = missing(ASKED, node)
    assert error is not None
    assert (error.code, str(error.hint)) == (code, hint)


def test_what_is_no_level_is_not_missed() -> None:
    assert missing(ASKED, "sleep") is None
