"""Which items stand on which: what goes with a node, a reading, a text or a feed; and that nothing else does."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from asterism.core.blocks.fold import KINDS as BLOCK_KINDS
from asterism.core.connections.fold import KINDS as CONNECTION_KINDS
from asterism.core.dialogue.payloads import KINDS as TRANSCRIPT_KINDS
from asterism.core.ledger.about import Declared, Says
from asterism.core.ledger.capability import Capability
from asterism.core.ledger.items import Item
from asterism.core.ledger.marks import MARKS, NoParameters
from asterism.core.levels.fold import KINDS as LEVEL_KINDS
from asterism.core.levels.inputs import lost
from asterism.core.recall.unanswered import UNANSWERED
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.space.depends import Depends, Left
from asterism.core.space.parameters import SpaceParameters
from asterism.core.walkers.effects import KINDS as WALK_KINDS
from tests.support.items import BEES, GOAT, TEA, batch, dreamed, evidence, item, learned, reading, star, walk

RULES = SpaceParameters()


def without(items: list[Item], *chosen: Item, gone: Collection[str] = ()) -> Left:
    ordered = sorted(items, key=lambda each: each.position)
    return Depends(ordered).without([each.id for each in chosen], RULES, gone=gone)


def names(items: Collection[Item]) -> list[str]:
    return sorted(each.what for each in items)


def test_every_kind_of_item_is_declared_by_its_capability() -> None:
    declared = frozenset(kind for each in CAPABILITIES for kind in each.about.kinds)
    assert declared == CONNECTION_KINDS | BLOCK_KINDS | LEVEL_KINDS | TRANSCRIPT_KINDS | WALK_KINDS | {UNANSWERED}


def test_what_is_said_of_a_star_goes_with_the_last_that_added_it() -> None:
    first, again = star("Sleep", 0, "a"), star("Sleep", 1, "b")
    mood, link = star("Mood"), evidence("mood", "sleep", 2)
    denied = item("denied", 3, a="mood", b="sleep")
    engaged = item("engaged", 4, star="sleep", impact=0.1)
    mark = item("clock", 5)
    ledger = [first, again, mood, link, denied, engaged, mark]
    assert without(ledger, first).lost == []
    left = without(ledger, first, again)
    assert names(left.items) == ["clock", "star_added"]
    assert {each.item.what: each.missing for each in left.lost} == {
        "evidence": ("sleep",),
        "denied": ("sleep",),
        "engaged": ("sleep",),
    }
    assert left.gone == {"sleep", "mood~sleep"}


def test_a_denial_goes_with_the_evidence_of_its_link() -> None:
    ledger = [star("Sleep"), star("Mood"), evidence("mood", "sleep", 1), item("denied", 2, a="mood", b="sleep")]
    left = without(ledger, ledger[2])
    assert [(each.item.what, each.missing) for each in left.lost] == [("denied", ("mood~sleep",))]


def test_what_nobody_ever_added_has_not_gone() -> None:
    ledger = [evidence("mood", "sleep", 1), star("Work")]
    left = without(ledger, ledger[1])
    assert names(left.items) == ["evidence"]


def test_a_discovery_is_about_no_node() -> None:
    assert without([item("discovery"), star("Sleep")], star("Sleep")).lost == []


def test_what_a_text_gave_goes_with_it() -> None:
    ledger = [star("Sleep"), star("Mood"), learned("Bees"), evidence("mood", "sleep", 1, note=f"named in block {BEES}")]
    left = without(ledger, ledger[2])
    assert [each.missing for each in left.lost] == [(BEES,)]


def test_a_dream_a_use_and_an_outcome_lose_a_part() -> None:
    dream = dreamed(
        5,
        promoted=sorted([BEES, TEA, GOAT]),
        duplicates=[f"{BEES} {TEA}", f"{GOAT} {TEA}"],
        created=[f"{BEES} {TEA} 0.5"],
    )
    used = item("used", 6, blocks=sorted([BEES, TEA]), session="s")
    outcome = item("outcome", 7, blocks=[BEES], signal=1.0)
    ledger = [learned("Bees"), learned("Tea"), learned("Goat"), dream, used, outcome]
    left = without(ledger, ledger[0])
    now = {each.item.what: each.now for each in left.trimmed}
    assert now["dreamed"].payload == dict(dream.payload) | {
        "promoted": sorted([TEA, GOAT]),
        "duplicates": [f"{GOAT} {TEA}"],
        "created": [],
    }
    assert now["used"].payload == {"blocks": [TEA], "session": "s"}
    assert (now["used"].at, now["used"].source) == (6, "")
    assert [(each.item.what, each.missing) for each in left.lost] == [("outcome", (BEES,))]
    assert names(left.removed) == ["dreamed", "learned", "outcome", "used"]
    assert left.items == sorted(left.items, key=lambda each: each.position)


def test_wordings_of_a_block_are_one_thing() -> None:
    edited = item("edited", 1, block=BEES, content="Tea")
    further = item("edited", 2, block=TEA, content="Goat")
    depends = Depends([learned("Bees"), edited, further, item("forgotten", 3, block=GOAT), learned("Cats")])
    for node in (BEES, TEA, GOAT):
        assert depends.one_thing(node) == {BEES, TEA, GOAT}
    found = depends.about(depends.one_thing(GOAT))
    assert names([each for each in depends.items if each.id in found]) == ["edited", "edited", "forgotten", "learned"]
    left = without(list(depends.items), depends.items[0])
    assert names(left.items) == ["learned"]


def test_sessions_are_named_by_what_belongs_to_them() -> None:
    session = item("session", 1, name="morning", act="start")
    used = item("used", 2, blocks=[BEES], session="morning")
    told = learned("Bees", conversation="breakfast")
    says = Depends([session, used, told]).says
    assert [says[each.id].sessions for each in (session, used, told)] == [{"morning"}, {"morning"}, {"breakfast"}]


def test_every_node_that_an_item_speaks_of_is_known() -> None:
    ledger = [star("Sleep"), evidence("mood", "sleep"), item("used", 2, blocks=[BEES], session="s")]
    assert Depends(ledger).nodes == {"sleep", "mood", "mood~sleep", BEES}


def test_names_lead_to_nodes_in_any_case() -> None:
    depends = Depends([learned("Bees", name="Tea Time"), star("Sleep"), reading("Ferry", 1, "Ann")])
    assert depends.called == {"tea time": {BEES}, "sleep": {"sleep"}, "ann": {"ann"}}
    assert depends.names_of({BEES, "ann"}) == {"Tea Time", "Ann"}


def test_readings_of_a_session_go_together_with_who_speaks_in_one() -> None:
    one, two, other = reading("Ferry", 1, "Bo"), reading("FERRY", 2, "Bo", "Ann"), reading("Inn", 3, "Bo")
    given_by = evidence("bell", "lantern", 1, reading=two.id.hex(), source="Ferry")
    older = evidence("bell", "lantern", 2, source="ferry", note="line 3: bell to lantern #0123456789ab")
    by_hand = evidence("bell", "lantern", 3, source="Ferry", note="line 3")
    depends = Depends([one, two, other, given_by, older, by_hand])
    assert depends.about({"ann"}) == {one.id, two.id}
    left = depends.without(depends.about({"ann"}), RULES, gone={"ann"})
    assert {each.id for each in left.items} == {other.id, by_hand.id}
    assert {each.item.id for each in left.lost} == {given_by.id, older.id}
    assert "bo" not in left.gone
    assert depends.says[given_by.id].sessions == {"Ferry"}
    alone = depends.without({two.id}, RULES)
    assert [each.item.id for each in alone.lost] == [given_by.id]  # another reading of the session is left


def test_a_level_goes_with_the_feed_that_made_it() -> None:
    tape, wire = batch(100.0, 10, source="tape"), batch(110.0, 20, source="wire")
    ledger = [star("Gold"), tape, wire, evidence("X@100.0", "gold", 10**8), evidence("X@110.0", "gold", 10**8)]
    left = without(ledger, wire)
    assert [each.missing for each in left.lost] == [("X@110.0",)]
    both = without(ledger, tape, wire)
    assert sorted(each.missing for each in both.lost) == [("X@100.0",), ("X@110.0",)]
    assert both.gone >= {"X"}
    assert without(ledger, ledger[0]).gone >= {"gold"}
    assert lost({"X@100.0"}, [tape, wire], [tape, wire], RULES.levels) == set()
    assert Depends(ledger).part_of("X@100.0") == "X"


def test_an_exploration_needs_all_it_walked_over() -> None:
    first, second = walk(5, narrative="narrative-1"), walk(6, narrative="narrative-2")
    depends = Depends([first])
    assert depends.says[first.id].needs == {"sleep", "mood", "work", "run", "mood~sleep"}
    assert depends.says[first.id].makes == {"narrative-1"}
    on_it, put_away = evidence("narrative-1", "work", 7), item("narrative_forgotten", 8, narrative="narrative-2")
    ledger = [
        *(star(name) for name in ("Sleep", "Mood", "Work", "Run")),
        evidence("mood", "sleep"),
        first,
        second,
        on_it,
        put_away,
    ]
    left = without(ledger, ledger[4])
    assert names([each.item for each in left.lost]) == ["evidence", "explored", "explored", "narrative_forgotten"]
    assert [each.missing for each in left.lost][:2] == [("mood~sleep",)] * 2


def test_a_node_goes_even_if_something_else_makes_it() -> None:
    ledger = [
        learned("Bees", 0, source="a"),
        learned("Bees", 1, source="b"),
        item("outcome", 2, blocks=[BEES], signal=1.0),
    ]
    depends = Depends(ledger)
    left = depends.without(depends.about({BEES}), RULES, gone={BEES})
    assert (left.items, names([each.item for each in left.lost])) == ([], ["outcome"])


def a_row(about: Declared) -> Capability[None, NoParameters]:
    return replace(MARKS, name="sixth", kinds=about.kinds, about=about)


def test_a_sixth_capability_needs_no_other() -> None:
    sixth = Declared(frozenset({"dreamt_of"}), lambda told: Says(needs=frozenset({str(told.payload["star"])})))
    ledger = [star("Sleep"), item("dreamt_of", 1, star="sleep")]
    left = Depends(ledger, CAPABILITIES.and_also(a_row(sixth))).without([ledger[0].id], RULES)
    assert names([each.item for each in left.lost]) == ["dreamt_of"]
    told_of = Declared(frozenset({"dreamt_of"}), lambda told: Says(parts=frozenset({str(told.payload["star"])})))
    left = Depends(ledger, CAPABILITIES.and_also(a_row(told_of))).without([ledger[0].id], RULES)
    assert names([each.item for each in left.lost]) == ["dreamt_of"]  # of its parts none is left


stars = st.sampled_from(["Sleep", "Mood", "Work"])
ledgers = st.lists(
    st.one_of(
        st.builds(star, stars, st.integers(0, 9), st.sampled_from("ab")),
        st.builds(
            lambda pair, at, source: evidence(min(pair).lower(), max(pair).lower(), at, source=source),
            st.lists(stars, min_size=2, max_size=2, unique=True),
            st.integers(0, 9),
            st.sampled_from("ab"),
        ),
        st.builds(learned, st.sampled_from(["Bees", "Tea"]), st.integers(0, 9), source=st.sampled_from("ab")),
        st.builds(lambda at: item("used", at, blocks=sorted([BEES, TEA]), session="s"), st.integers(0, 9)),
        st.builds(lambda at: item("edited", at, block=BEES, content="Goat"), st.integers(0, 9)),
    ),
    max_size=14,
    unique_by=lambda each: each.id,
)


@given(ledgers, st.sampled_from("ab"))
def test_what_is_left_stands_on_what_is_left(items: list[Item], source: str) -> None:
    chosen = [each for each in items if each.source == source]
    left = without(items, *chosen)
    again = Depends(left.items)
    there = {node for said in again.says.values() for node in said.makes}
    made = {node for said in Depends(items).says.values() for node in said.makes}
    for said in again.says.values():
        assert (said.needs | said.parts) & made <= there
    kept = {each.id for each in left.items} - {each.now.id for each in left.trimmed}
    assert kept <= {each.id for each in items} - {each.id for each in chosen}
    assert len(left.removed) == len({each.id for each in left.removed})
    assert {each.id for each in items} == kept | {each.id for each in left.removed} or left.trimmed
    assert again.without([], RULES).items == left.items
