"""Evidence that a reading of a transcript gave counts while that reading is the current one of its session."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.connections import read
from asterism.core.connections.payloads import check_payload
from asterism.core.dialogue.fold import Transcripts
from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.columns import Columns
from asterism.core.ledger.items import Item
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import LateItem, Projection, differences
from asterism.errors import CorruptError
from tests.support.plain import PlainFold
from tests.support.readings import ledgers, of_reading, read_item, time_of
from tests.support.strategies import evidence, ledger_of, star_added

FIRST, SECOND = read_item("One", "door", time_of(5)), read_item("ONE", "vault", time_of(5) + 1)
OF_FIRST = [
    of_reading(FIRST, "a", "b", kind, time_of(day)) for day, kind in ((3, "user_creates"), (5, "user_confirms"))
]
OF_SECOND = [of_reading(SECOND, "a", "b", "user_creates", time_of(4))]
OTHER = ledger_of([star_added("a"), star_added("b"), evidence("a", "b", "user_creates", 6)])


def projection_of(items: list[Item]) -> Projection:
    projection = Projection(SpaceParameters())
    projection.apply_all(sorted(items, key=lambda item: item.position))
    return projection


def raw(projection: Projection) -> int:
    link = next(iter(read.links(projection.connections)), None)
    return 0 if link is None else link.evidence.raw


@pytest.mark.parametrize(
    ("readings", "counts", "set_aside"), [([], 1, 3), ([FIRST], 3, 1), ([SECOND], 2, 2), ([FIRST, SECOND], 2, 2)]
)
def test_evidence_counts_while_its_reading_is_current(readings: list[Item], counts: int, set_aside: int) -> None:
    projection = projection_of([*readings, *OF_FIRST, *OF_SECOND, *OTHER])
    assert (raw(projection), projection.transcripts.set_aside) == (counts, set_aside)


def test_what_does_not_count_leaves_nothing_but_its_day() -> None:
    one = projection_of([FIRST, SECOND, *OF_FIRST, *OF_SECOND, *OTHER])
    other = projection_of([SECOND, *OF_SECOND, *OTHER])
    assert differences(one.dump(), other.dump()) == ["transcripts.given", "transcripts.given_by"]


def test_a_reading_of_which_evidence_is_here_already_is_late() -> None:
    projection = projection_of([FIRST, *OF_FIRST])
    assert projection.late_day([SECOND]) == day_of(time_of(3)) - 1  # the reading it replaces
    with pytest.raises(LateItem):
        projection.apply(SECOND)
    assert projection.late_day([FIRST]) is None
    assert projection.apply(FIRST) is False
    without = projection_of([*OF_SECOND, *OTHER])
    assert without.late_day([SECOND]) == day_of(time_of(4)) - 1  # its own
    assert without.late_day([FIRST]) is None
    assert without.apply(FIRST) is True
    newer = projection_of([SECOND, *OF_FIRST, *OTHER])
    assert newer.late_day([FIRST]) == day_of(time_of(3)) - 1  # of a time before SECOND it would be current
    assert newer.late_day(OF_SECOND) == day_of(time_of(4))


def test_a_damaged_reading_is_named() -> None:
    damaged = FIRST._replace(payload={})
    for meet in (lambda: projection_of([]).late_day([damaged]), lambda: projection_of([damaged])):
        with pytest.raises(CorruptError) as caught:
            meet()
        assert (caught.value.code, caught.value.item) == ("damaged_item", FIRST.id.hex())


def test_names_that_share_an_id_are_sessions_of_their_own() -> None:
    one, other = read_item("Night 1", "door", 5), read_item("night-1", "vault", 6)
    for order in ([one, other], [other, one]):
        kept = Transcripts()
        assert [kept.apply(item) for item in order] == [True, True]
        assert kept.sessions == ["Night 1", "night-1"]
        assert [moment.id for moment in kept.moments("NIGHT  1")] == [f"night-1/{n}" for n in range(3)]
        ids = [moment.id for moment in kept.moments()]
        assert len(set(ids)) == 6
        assert ids[:3] == ["night-1/0", "night-1/1", "night-1/2"]
        assert ids[3] == f"{kept.prefixes()['night-1']}/0" != "night-1/0"
        assert {end for link in kept.structural("night-1") for end in link[1:3]} == set(ids[3:])
        said = kept.said("night-1")
        assert said is not None
        assert said.session == "night-1"
    alone = Transcripts()
    alone.apply(one)
    assert alone.said("night-1") == alone.said("Night 1") != None  # noqa: E711  # an id finds the name it stands for
    assert alone.said("night 2") is None


def test_payloads_with_and_without_a_reading() -> None:
    for item in (*OF_FIRST, *OTHER):
        CAPABILITIES.check(item)
    good = dict(OF_FIRST[0].payload)
    for wrong in ("", "no hex", "ab", FIRST.id.hex().upper(), 5):
        with pytest.raises(ValueError, match=r"reading|hex"):
            check_payload("evidence", good | {"reading": wrong})
    with pytest.raises(ValueError, match="should say"):
        check_payload("denied", {"a": "a", "b": "b", "reading": FIRST.id.hex()})


@settings(max_examples=25)
@given(ledgers(), st.data())
def test_any_batches_that_are_not_late_give_the_same_columns(items: list[Item], data: st.DataObject) -> None:
    """Whoever folds batch by batch and begins again when something is late, gets what one fold of all gives."""
    order = data.draw(st.permutations(items))
    projection, here = Projection(SpaceParameters()), list[Item]()
    while order:
        size = data.draw(st.integers(1, len(order)))
        batch, order = sorted(order[:size], key=lambda item: item.position), order[size:]
        here += batch
        if projection.late_day(batch) is None:
            projection.apply_all(batch)
        else:
            projection = projection_of(here)
        if data.draw(st.booleans()):
            dumped = projection.dump()
            projection = Projection.load(dumped, SpaceParameters())
            assert differences(projection.dump(), dumped) == []
    assert differences(projection.dump(), projection_of(items).dump()) == []


@settings(max_examples=20)
@given(ledgers())
def test_it_is_a_fold_of_the_evidence_that_counts(items: list[Item]) -> None:
    """Evidence of readings that are not current might as well be marks of the clock."""
    current: dict[str, Item] = {}
    for item in sorted(items, key=lambda item: item.position):
        if item.what == "transcript":
            current[str(item.payload["session"]).casefold()] = item
    ids = {item.id.hex() for item in current.values()}
    plain = [
        item._replace(what="clock", payload={}) if item.payload.get("reading", None) not in (*ids, None) else item
        for item in items
        if item.what != "transcript"
    ]
    plain = [item._replace(payload={k: v for k, v in item.payload.items() if k != "reading"}) for item in plain]
    assert connections(projection_of(plain)) == connections(projection_of(items))


def connections(projection: Projection) -> dict[str, bytes]:
    columns: Columns = projection.dump()
    return {name: columns[name].tobytes() for name in columns if not name.startswith(("transcripts", "clock"))}


@settings(max_examples=12)
@given(ledgers())
def test_the_plain_fold_agrees(items: list[Item]) -> None:
    items = sorted(items, key=lambda item: item.position)
    projection, plain = projection_of(items), PlainFold(SpaceParameters().connections)
    for item in items:
        if item.what == "transcript":
            plain.read(item)
    for item in items:
        if item.what != "transcript":
            plain.apply(item)
    now = plain.now()
    for link in read.links(projection.connections):
        other = now.links[link.a, link.b]
        assert (link.evidence.raw, link.state) == (other.raw, other.state.name)
        assert link.strength == pytest.approx(other.strength, abs=1e-9)
