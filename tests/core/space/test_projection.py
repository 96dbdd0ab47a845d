"""A projection as a whole: what came out of order, looks ahead, and what its capabilities share."""

from __future__ import annotations

import pytest

from asterism.core.blocks.capability import BLOCKS
from asterism.core.connections.capability import CONNECTIONS
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.ledger.capability import Capability
from asterism.core.ledger.items import Item
from asterism.core.ledger.marks import NoParameters
from asterism.core.levels.capability import LEVELS
from asterism.core.recall.parameters import RecallParameters
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences
from asterism.core.walkers.parameters import ExplorationParameters
from tests.support.items import batch, evidence, item, learned, star, walk

DAY = 86_400_000_000
LATER = 10 * DAY


def projection_of(*items: Item) -> Projection:
    projection = Projection(SpaceParameters())
    projection.apply_all(sorted(items, key=lambda each: each.position))
    return projection


@pytest.mark.parametrize(
    ("late", "others"),
    [
        (learned("Tea", 1, tags=["drink"]), [learned("Tea", 2), learned("Goat", 3)]),
        (batch(100.0, 10, source="tape"), [batch(110.0, 40, source="tape"), star("Sleep")]),
        (walk(1, narrative="narrative-1"), [walk(2, narrative="narrative-2", content="d")]),
    ],
    ids=["blocks", "levels", "walks"],
)
def test_what_came_out_of_order_is_folded_anew_to_the_same(late: Item, others: list[Item]) -> None:
    projection = projection_of(*others)
    assert not projection.stale
    projection.apply(late)
    (row,) = projection.stale_rows()
    items = sorted([late, *others], key=lambda each: each.position)
    assert projection.refold(row, [each for each in items if each.what in row.kinds]) >= 0
    assert not projection.stale
    assert differences(projection.dump(), projection_of(late, *others).dump()) == []


def test_a_look_ahead_leaves_what_is_there_as_it_was() -> None:
    projection = projection_of(star("Sleep"), star("Mood"), evidence("mood", "sleep", 1), learned("Bees", 2))
    before = projection.dump()
    ahead = projection.ahead()
    ahead.close_days(20)
    assert differences(projection.dump(), before) == []
    assert ahead.of(BLOCKS) is projection.of(BLOCKS)
    assert ahead.of(CONNECTIONS) is not projection.of(CONNECTIONS)


def test_what_no_day_changes_is_taken_from_another_as_it_is() -> None:
    ahead = projection_of(star("Sleep"), learned("Bees", 2))
    newer = projection_of(star("Sleep"), learned("Bees", 2), learned("Tea", LATER))
    ahead.share(newer)
    assert ahead.blocks is newer.blocks
    assert ahead.latest_at == LATER
    assert ahead.connections is not newer.connections


def test_a_look_tells_the_moment_to_those_that_count_by_it() -> None:
    projection = projection_of(learned("Bees", 1))
    projection.look(LATER)
    assert projection.blocks.seen == LATER


def test_market_events_are_work_beyond_one_item() -> None:
    projection, fed = Projection(SpaceParameters()), batch(100.0, 10, source="tape")
    done = projection.apply(fed)
    assert LEVELS.work(done) == 0  # three events are less than one item
    assert LEVELS.work(None) == 0


def test_each_part_is_at_hand_by_its_name() -> None:
    projection = projection_of(
        star("Sleep"), learned("Bees", 1), batch(100.0, 10, source="tape"), walk(20_000_000, narrative="narrative-1")
    )
    assert projection.nodes.ids == ["sleep"]
    assert list(projection.levels.symbols) == ["X"]
    assert list(projection.walks.narratives) == ["narrative-1"]
    assert projection.transcripts.sessions == []


def test_each_capability_has_its_parameters_by_name_and_equal_ones_are_one() -> None:
    space = SpaceParameters()
    assert space.recall == RecallParameters()
    assert space.dialogue == DialogueParameters()
    assert space.exploration == ExplorationParameters()
    assert space.blocks == BLOCKS.parameters()
    assert {space, SpaceParameters()} == {space}
    assert space != SpaceParameters.build("tuned")
    assert space != "seed"


def test_a_look_into_the_past_leaves_markets_to_themselves() -> None:
    assert CAPABILITIES.not_replayed == LEVELS.kinds


def test_a_capability_that_says_nothing_more_packs_nothing_checks_nothing_and_is_no_work() -> None:
    plain: Capability[None, NoParameters] = Capability(
        name="plain",
        parameters=NoParameters,
        kinds=frozenset({"sang"}),
        begin=lambda _: None,
        apply=lambda _, __: None,
        copy=lambda _: None,
        load=lambda _, __: None,
    )
    assert (plain.dump(None), plain.work("sung")) == ({}, 0)
    plain.check(item("sang"))
    assert CAPABILITIES.and_also(plain).of_kind["sang"].name == "plain"


def test_evidence_of_a_reading_has_a_judge_and_any_other_has_none() -> None:
    assert not CAPABILITIES.has_judges(evidence("sleep", "mood"))
    assert CAPABILITIES.has_judges(evidence("sleep", "mood", reading="00" * 16))


def test_what_a_late_item_turns_back_is_as_it_was_and_the_rest_as_it_is() -> None:
    first, later = [star("Sleep"), star("Mood"), evidence("mood", "sleep", 1)], evidence("mood", "sleep", 5 * DAY)
    projection = projection_of(*first)
    projection.close_days(3)
    mark = projection.mark()
    projection.apply_all([later, learned("Bees", LATER)])
    for _ in range(2):  # a mark can be gone back to again
        back = projection.turned_back(mark)
        assert (back.day, back.dated, back.latest_at) == (mark.day, mark.dated, projection.latest_at)
        assert back.of(BLOCKS) is projection.of(BLOCKS)
        late = evidence("mood", "sleep", 4 * DAY)
        back.apply_all([late, later])
        assert differences(back.dump(), projection_of(*first, late, later, learned("Bees", LATER)).dump()) == []


def test_to_ask_whether_an_item_counts_changes_nothing() -> None:
    told = evidence("sleep", "mood", 3, reading="00" * 16)  # a reading that is not here
    projection = projection_of(star("Sleep"), star("Mood"), told)
    before = projection.dump()
    assert not projection.counts(told)
    assert projection.counts(evidence("sleep", "mood", 3))
    assert differences(projection.dump(), before) == []
