"""What a reader gets: nodes of every kind share their words, and say what kind they are."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from asterism.core.blocks.model import BlockView, DreamResult
from asterism.core.connections.model import Prediction, Star
from asterism.core.ledger.graph import Entry
from asterism.core.ledger.model import Line, Node, Noded, Why
from asterism.core.levels.model import Level

AT = datetime(2026, 3, 1, tzinfo=UTC)
STAR = Star("sleep", "Sleep", "health", "BRIGHT", 0.7, 0.0, date(2026, 3, 1), 0, 0, False, 0.0, 1.0, 1)
BLOCK = BlockView("b", "Bees", "Hive", "", (), (), "", "", "active", None, AT, "working", 1.0, 0.5, 0, AT)
LEVEL = Level(
    "X@100.0", "X", "support", 100.0, 0.5, 0.6, 0.5, 0.5, "fills", 3, 1e6, 2, 1, 0, AT, AT, active=True
)  # fmt: skip


@pytest.mark.parametrize(
    ("told", "node"),
    [
        (STAR, Node("sleep", "star", "Sleep", "Sleep", "BRIGHT", 0.7, AT)),
        (BLOCK, Node("b", "block", "Hive", "Bees", "active", 0.5, AT)),
        (LEVEL, Node("X@100.0", "level", "X@100.0", "X at 100, support: fills", "active", 0.6, AT)),
    ],
    ids=["star", "block", "level"],
)
def test_a_value_is_a_node_by_the_words_that_all_share(told: Noded, node: Node) -> None:
    assert told.node() == node
    assert node.node() == node
    assert told.to_dict()["kind"] == node.kind


def test_an_entry_that_has_no_time_is_a_node_without_one() -> None:
    assert Entry(id="sleep", text="Sleep", kind="star").node().at is None
    assert Entry(id="b", text="Bees", at=0).node().at == datetime(1970, 1, 1, tzinfo=UTC)


def test_a_prediction_is_named_by_its_link_and_when_it_was_made() -> None:
    made = Prediction("mood~sleep", "mood", AT, AT, 1, 0.5, 0.4, 0.3, False, "open", None)
    assert made.id == "mood~sleep!2026-03-01T00:00:00+00:00"


def test_a_dream_counts_what_it_did_and_leaves_out_what_it_did_not() -> None:
    whole = DreamResult(3, 1, 0, 2, 0, True, 1.0, 0, 1, 3, 0.0)
    assert str(whole) == "Dreamed: 3 promoted, 1 duplicate, 2 links found."
    part = DreamResult(3, 0, 0, 0, 0, False, 0.98, 7, 1, 3, 0.0)
    assert str(part) == "Dreamed: 3 promoted, approximate, recall 0.980 on a sample, 7 still in the inbox."


def test_the_total_of_a_sum_has_a_sign_only_below_zero() -> None:
    rows = [str(Why("it", "score", (Line("a part", value),), value)).splitlines()[-1] for value in (0.5, -0.5)]
    assert [row[-9:] for row in rows] == [" 0.500000", "-0.500000"]
