"""Calendar, items, nodes, columns, parameters, projections: the small things everything stands on."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.connections.decay import days_to_half
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.tables import LinkRow, Links, PairIndex
from asterism.core.connections.words import LinkKind
from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of, to_datetime, to_micros
from asterism.core.ledger.columns import Table
from asterism.core.ledger.items import check_text, identity, join, make_item
from asterism.core.ledger.model import WhyNotAnswer
from asterism.core.ledger.nodes import Nodes, slug
from asterism.core.ledger.parameters import Parameters
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection, differences, digest
from asterism.errors import AsterismError, CorruptError, InputError
from tests.support.story import Story


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=st.just(UTC)))  # noqa: DTZ001
def test_times_survive_the_way_to_microseconds_and_back(moment: datetime) -> None:
    assert to_datetime(to_micros(moment)) == moment
    assert day_of(to_micros(moment)) == (moment.date() - date(1970, 1, 1)).days


def test_other_time_zones_are_the_same_moment() -> None:
    east = datetime(2026, 3, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert to_micros(east) == to_micros("2026-02-28T23:00:00Z")
    assert to_micros("2026-02-28") == to_micros(date(2026, 2, 28)) == to_micros("2026-02-28T12:00:00+00:00")


@pytest.mark.parametrize(
    ("moment", "code"),
    [(datetime(2026, 1, 1, tzinfo=UTC).replace(tzinfo=None), "naive_time"), ("yesterday", "bad_time")],
)
def test_naive_and_unreadable_times_are_refused(moment: datetime | str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        to_micros(moment)
    assert caught.value.code == code
    assert caught.value.hint


def test_an_items_id_is_its_content_without_when_it_was_learnt() -> None:
    first = make_item(space="s", what="engaged", at=5, payload={"star": "a"}, known_at=9, note="x")
    second = make_item(space="s", what="engaged", at=5, payload={"star": "a"}, known_at=3, note="y")
    assert first.id == second.id
    assert join(first, second) == join(second, first) == second
    assert first.id != identity(space="t", what="engaged", at=5, source="", payload={"star": "a"})
    assert first.id != identity(space="s", what="engaged", at=5, source="me", payload={"star": "a"})


@pytest.mark.parametrize("text", ["a\nb", "\x7f", "x" * 10_001, "   ", "\ud800"])
def test_text_that_cannot_be_kept_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        make_item(space="s", what="engaged", at=0, payload={}, known_at=0, source=text)
    assert caught.value.code == "bad_text"


def test_a_note_may_have_lines() -> None:
    assert make_item(space="s", what="engaged", at=0, payload={}, known_at=0, note="a\nb").note == "a\nb"


@given(st.text(min_size=1))
def test_a_slug_is_the_same_however_it_is_spaced_and_never_holds_a_tilde(name: str) -> None:
    assert "~" not in slug(name)
    assert "\n" not in slug(name)
    assert slug(f" {name}\t") == slug(name)


def test_names_that_differ_in_lost_characters_get_different_ids() -> None:
    assert len({slug(name) for name in ("C", "C++", "C#", "c ")}) == 3
    assert slug("睡眠") == "睡眠"


def test_nodes_keep_their_first_kind() -> None:
    nodes = Nodes()
    assert nodes.kind("x") is None
    nodes.intern("x")
    assert nodes.kind("x") is None
    nodes.declare("x", "star")
    nodes.declare("x", "thing")
    assert nodes.kind("x") == "star"
    assert len(nodes) == 1


def test_a_table_grows_and_keeps_its_rows() -> None:
    links = Links()
    for number in range(100):
        row = links.add()
        links.strength[row] = number / 100
    assert links.trim().strength.tolist() == [number / 100 for number in range(100)]
    assert LinkRow._fields == tuple(Links.schema)
    assert Table.load.__doc__
    links.reserve(10)
    assert links.size == 100


def test_the_pair_index_finds_old_and_new_pairs_in_either_order() -> None:
    index = PairIndex(np.array([0, 2], dtype=np.int32), np.array([1, 5], dtype=np.int32))
    index.put(7, 3, 9)
    assert [index.get(*pair) for pair in ((1, 0), (5, 2), (3, 7), (0, 5), (9, 9))] == [0, 1, 9, None, None]
    assert PairIndex().get(0, 1) is None


def test_every_violation_is_reported_at_once() -> None:
    with pytest.raises(InputError) as caught:
        ConnectionParameters.build(
            overrides={"floor": float("nan"), "soft_cap": 2.5, "causality": "guess", "nonsense": 1, "max_strength": 7}
        )
    message = str(caught.value)
    for word in ("floor", "soft_cap", "causality", "nonsense", "max_strength"):
        assert word in message


def test_parameters_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        ConnectionParameters.build(overrides={"strength_forming_max": 0.1})
    assert "strength_nascent_max" in str(caught.value)


def test_an_unknown_preset_names_the_known_ones() -> None:
    with pytest.raises(InputError) as caught:
        ConnectionParameters.build("fancy")
    assert "tuned" in (caught.value.hint or "")


def test_a_whole_number_is_taken_for_a_real_parameter() -> None:
    built = ConnectionParameters.build(overrides={"max_causation_lag": 48})
    assert isinstance(built.max_causation_lag, float)
    assert built.digest() != ConnectionParameters().digest()
    assert Parameters.contradictions(built) == []


def test_every_parameter_has_a_default_in_bounds_a_source_and_a_meaning() -> None:
    for name, bounds in ConnectionParameters.table():
        assert bounds.problem(bounds.default) is None, name
        assert bounds.source
        assert bounds.meaning
    for preset in ConnectionParameters.presets:
        ConnectionParameters.build(preset)


def test_a_projection_refuses_items_of_ended_days_and_of_unknown_kinds() -> None:
    from asterism.core.space.projection import LateItem

    story = Story("a")
    story.end(5)
    with pytest.raises(LateItem):
        story.say("clock", 2)
    with pytest.raises(CorruptError) as caught:
        story.say("prophecy", 6)
    assert caught.value.code == "unknown_item"
    story.say("erased", 6)


def test_projections_are_named_by_their_bytes() -> None:
    empty = Projection(SpaceParameters(ConnectionParameters()))
    story = Story("a", "b")
    story.evidence("user_creates", 0)
    columns = story.projection.dump()
    assert digest(columns) == digest(story.projection.copy().dump())
    assert differences(columns, Projection.load(columns, story.projection.parameters).dump()) == []
    assert digest(columns) != digest(empty.dump())
    assert differences(columns, {**columns, "extra": columns["clock"]}) == ["extra"]
    changed = columns["clock"] + 1
    assert differences(columns, {**columns, "clock": changed}) == ["clock"]
    assert Projection.load(empty.dump(), SpaceParameters(ConnectionParameters())).day is None


def test_errors_carry_code_item_and_hint() -> None:
    error = AsterismError("no", code="x", item="y", hint="do z")
    assert error.to_dict() == {"error": "x", "message": "no", "item": "y", "hint": "do z"}
    assert str(error) == "no (do z)"
    assert str(AsterismError("no", code="x")) == "no"


def test_long_histories_forget_what_no_longer_counts() -> None:
    story = Story("a", "b")
    for day in range(0, 200, 5):
        story.evidence("user_confirms", day)
        story.observe("a", 0.2 + 0.6 * (day % 2), day, 3)
    story.end(199)
    graph = story.projection.connections.graph
    assert graph.window.size <= 40
    assert graph.events.size <= 12
    story.end(400)
    assert story.projection.connections.graph.window.size == 0
    assert MICROS_PER_DAY


def test_what_is_no_time_and_no_text_is_refused() -> None:
    for wrong in (5, None):
        with pytest.raises(InputError) as caught:
            to_micros(wrong)  # type: ignore[arg-type]  # the point
        assert caught.value.code == "bad_time"
        with pytest.raises(InputError) as caught:
            check_text(wrong, field="name")
        assert caught.value.code == "bad_text"


def test_a_strength_that_takes_longer_than_the_limit_to_halve_is_not_waited_for() -> None:
    assert days_to_half(0.8, kind=LinkKind.RESONANCE, parameters=ConnectionParameters(), limit=3) is None


def test_damaged_evidence_is_named_alone_and_in_a_run() -> None:
    damaged = make_item(space="s", what="evidence", at=0, payload={"a": "a", "b": "b", "kind": "guess"}, known_at=0)
    for run in (False, True):
        projection = Projection(SpaceParameters(SEED))
        with pytest.raises(CorruptError) as caught:
            projection.apply_all([damaged]) if run else projection.apply(damaged)
        assert (caught.value.code, caught.value.item) == ("damaged_item", damaged.id.hex())


SEED = ConnectionParameters()


def test_why_not_is_told_in_a_line() -> None:
    assert str(WhyNotAnswer("a", "rank", 0.5, 1.25, "Ask for k=3.")) == "a: rank (0.5000, needed 1.2500). Ask for k=3."
