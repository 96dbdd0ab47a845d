"""A name or an id becomes one node, or the question which of these is meant."""

from __future__ import annotations

from typing import NoReturn, TypeVar

import pytest

from asterism.core.blocks.scoring import block_id
from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Actor, Line
from asterism.core.dialogue.payloads import payload_of
from asterism.core.dialogue.shown import Index
from asterism.core.ledger.graph import Stale
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import Resolver, candidates, find, known, link_ends, may_mean, node_id
from asterism.errors import InputError, UnknownError
from tests.support.readings import read_item

Found = TypeVar("Found")
FERRY, PIER = block_id("The ferry leaves at noon"), block_id("The pier is closed")


def star(name: str, at: int) -> Item:
    payload: Payload = {"star": name.casefold(), "name": name, "domain": "health"}
    return make_item(space="s", what="star_added", at=at, payload=payload, known_at=0)


def learned(content: str, at: int, name: str = "") -> Item:
    payload: Payload = {
        "content": content,
        "tags": [],
        "category": "",
        "name": name,
        "conversation": "",
        "speaker": "",
    }
    return make_item(space="s", what="learned", at=at, payload=payload, known_at=0)


def told(what: str, at: int, payload: Payload) -> Item:
    return make_item(space="s", what=what, at=at, payload=payload, known_at=0)


def evidence_of(a: str, b: str, at: int) -> Item:
    first, second = sorted((a, b))
    return told("evidence", at, {"a": first, "b": second, "kind": "user_creates"})


def graph_of(*items: Item) -> SpaceGraph:
    projection = Projection(SpaceParameters())
    projection.apply_all(items)
    return SpaceGraph(projection)


def named(graph: SpaceGraph, name: str, *, gone: bool = False) -> list[str]:
    return [entry.id for entry in candidates(graph, name, gone=gone)]


def test_an_id_is_its_node_and_a_name_is_all_that_go_by_it() -> None:
    graph = graph_of(star("Ferry", 1), learned("The ferry leaves at noon", 2, "Ferry"))
    assert named(graph, "ferry") == ["ferry"]
    assert named(graph, FERRY) == [FERRY]
    assert named(graph, "Ferry") == named(graph, "  FERRY ") == [FERRY, "ferry"]


def test_a_call_for_one_kind_of_node_takes_no_other_and_asks_back_all_the_same() -> None:
    graph = graph_of(star("Ferry", 1), learned("The ferry leaves at noon", 2, "Ferry"), star("Pier", 3))
    assert known(graph, "ferry", ("star",)).id == "ferry"
    assert known(graph, FERRY, ("block",)).id == FERRY
    assert find(graph, "ferry", ("block",)) is None
    assert find(graph, "Pier", ("block",)) is None
    for kind in ("star", "block", "actor"):
        with pytest.raises(InputError, match="2 nodes are called 'Ferry'"):
            find(graph, "Ferry", (kind,))


def test_what_was_forgotten_is_said_with_how_it_comes_back() -> None:
    graph = graph_of(learned("The pier is closed", 1, "Pier"), told("forgotten", 2, {"block": PIER}))
    for name in ("Pier", PIER):
        with pytest.raises(UnknownError) as refused:
            known(graph, name)
        assert f"restore('{PIER}')" in str(refused.value.hint)


def test_what_is_cut_short_or_misspelt_is_said_with_what_may_be_meant() -> None:
    ferries = [learned(f"Ferry number {number}", 3 + number, f"Boat {number}") for number in range(9)]
    graph = graph_of(star("Harbour", 1), learned("The pier is closed", 2, "Pier"), *ferries)
    assert may_mean(graph, PIER[:5].upper()) == f"did you mean {PIER}? An id is given whole"
    assert may_mean(graph, "harb") == "did you mean harbour? An id is given whole"
    assert may_mean(graph, "Peir") == "did you mean Pier?"
    assert may_mean(graph, "Harbor") == "did you mean harbour?"
    assert may_mean(graph, "harb", ("block",)) == may_mean(graph, "") == may_mean(graph, "zzz") == ""
    stars = graph_of(*(star(f"Sun{number}", number) for number in range(5)))
    assert may_mean(stars, "sun") == "did you mean sun0 or sun1 or sun2 (or 2 others)? An id is given whole"


def test_several_of_one_name_are_an_error_that_says_which() -> None:
    graph = graph_of(
        star("Ferry", 1),
        learned("The ferry leaves at noon", 2, "Ferry"),
        *(learned(f"Ferry number {number}", 3 + number, "ferry") for number in range(5)),
    )
    with pytest.raises(InputError, match="7 nodes are called 'Ferry'") as refused:
        find(graph, "Ferry")
    assert refused.value.code == "ambiguous_node"
    assert "(block)" in str(refused.value.hint)
    assert "one of 2 more" in str(refused.value.hint)


def test_what_is_edited_is_what_stands_for_it_now() -> None:
    old, new = learned("The ferry leaves at noon", 1, "Ferry"), block_id("The ferry leaves at one")
    graph = graph_of(old, told("edited", 2, {"block": FERRY, "content": "The ferry leaves at one"}))
    assert named(graph, FERRY) == named(graph, "ferry") == [new]
    assert named(graph, "ferry", gone=True) == [new]  # what is there goes before what is not
    assert graph.family(new) == sorted([FERRY, new])


def test_what_is_forgotten_is_found_only_by_whoever_looks_for_it() -> None:
    graph = graph_of(learned("The pier is closed", 1, "Pier"), told("forgotten", 2, {"block": PIER}))
    assert named(graph, "Pier") == []
    assert named(graph, "Pier", gone=True) == named(graph, PIER, gone=True) == [PIER]
    with pytest.raises(UnknownError, match="no node 'Pier'"):
        known(graph, "Pier")
    assert known(graph, "Pier", ("block",), gone=True).id == PIER


def test_who_asks_for_a_kind_of_node_is_told_that_there_is_none_of_that_kind() -> None:
    graph = graph_of(star("Sleep", 1))
    for kinds, code in (("block",), "unknown_block"), (("block", "actor"), "unknown_node"):
        with pytest.raises(UnknownError) as refused:
            known(graph, "sleep", kinds)
        assert refused.value.code == code
        assert "did you mean" not in str(refused.value.hint)


def test_wordings_of_one_thing_are_one_though_none_of_them_is_there() -> None:
    new = block_id("The ferry leaves at one")
    graph = graph_of(
        learned("The ferry leaves at noon", 1, "Ferry"),
        told("edited", 2, {"block": FERRY, "content": "The ferry leaves at one"}),
        told("forgotten", 3, {"block": new}),
    )
    assert named(graph, "ferry", gone=True) == [new]


def test_a_link_is_read_as_its_ends_whatever_signs_are_in_their_ids() -> None:
    graph = graph_of(*(star(name, at) for at, name in enumerate(["a", "b~c", "a~b", "c", "d#e"])))
    assert link_ends(graph, "a~c") == ("a", "c", "")
    assert link_ends(graph, "a~c#similar") == ("a", "c", "similar")
    assert link_ends(graph, "c~b~c") == ("c", "b~c", "")
    assert link_ends(graph, "a~b~c#similar") == ("a", "b~c", "similar")
    assert link_ends(graph, "a~d#e") == ("a", "d#e", "")
    assert link_ends(graph, "a~d#e#similar") == ("a", "d#e", "similar")
    assert link_ends(graph, "A~nobody#similar") == ("A", "nobody", "similar")  # names, or nobody: who asks will say
    assert link_ends(graph, "a") is link_ends(graph, "a#b") is None


def test_what_looks_like_a_level_is_one_only_if_it_is_nothing_else() -> None:
    level, other = "BTC@5.0", star("c@5", 1)
    graph = graph_of(other, star("Sleep", 1), *(evidence_of(node, "sleep", 2) for node in (level, "c@5")))
    kinds = {entry.id: entry.kind for entry in graph.entries()}
    assert kinds == {"c@5": "star", "sleep": "star", level: "level"}
    assert {node: known(graph, node).kind for node in kinds} == kinds


def test_an_actor_whose_id_looks_like_a_level_is_an_actor() -> None:
    lines = [Line(0, "Ann", "I open the door."), Line(1, "DM", "It opens.")]
    reading = causal_links(lines, session="s", actors=[Actor("ann@5", "Ann")], responders=["DM"])
    read = told("transcript", 3, payload_of(reading, started_at_ms=0))
    graph = graph_of(star("Sleep", 1), evidence_of("ann@5", "sleep", 2), read)
    assert known(graph, "ann@5").kind == known(graph, "Ann").kind == "actor"
    assert [entry.kind for entry in graph.entries() if entry.id == "ann@5"] == ["actor"]


def test_who_is_a_star_too_is_whichever_of_both_a_call_can_mean() -> None:
    graph = graph_of(star("Ann", 1), read_item("one", "door", 3))
    for name in ("ann", "Ann"):
        found = {kind: find(graph, name, (kind,)) for kind in ("star", "actor", "block")}
        assert {kind: entry and (entry.id, entry.kind) for kind, entry in found.items()} == {
            "star": ("ann", "star"),
            "actor": ("ann", "actor"),
            "block": None,
        }


def test_a_name_is_text() -> None:
    with pytest.raises(InputError, match="named by text"):
        find(graph_of(), 7)


def test_blocks_that_came_out_of_order_are_folded_anew_before_they_are_asked() -> None:
    graph = graph_of()
    graph.folded.apply(learned("The pier is closed", 5))
    graph.folded.apply(learned("The pier is closed", 1, "harbour"))
    with pytest.raises(Stale):
        find(graph, PIER)


class OnlyByKey(dict[str, Found]):
    """A table that may be asked for one thing, and not looked through."""

    def looked_through(self) -> NoReturn:
        raise AssertionError("it was looked through")

    __iter__ = keys = values = items = looked_through


def test_a_node_is_found_without_looking_through_blocks_or_lines() -> None:
    graph = graph_of(star("Sleep", 1), learned("The pier is closed", 2, "Pier"), read_item("one", "door", 3))
    assert known(graph, "Ann").kind == "actor"  # the readings are looked through once
    folded = graph.folded
    folded.blocks.blocks = OnlyByKey(folded.blocks.blocks)  # type: ignore[assignment]  # as far as it is asked
    folded.transcripts.readings = OnlyByKey(folded.transcripts.readings)
    index = folded.transcripts.index
    assert isinstance(index, Index)
    folded.transcripts.index = Index(OnlyByKey(index.actors), OnlyByKey(index.moments), OnlyByKey(index.called))
    for name in ("ann", "Ann", "sleep", "Sleep", PIER, "pier"):
        assert known(graph, name).id in ("ann", "sleep", PIER)
        assert graph.pair(known(graph, name).id, "sleep")
    assert find(graph, "nobody") is None


def test_a_name_is_read_as_the_id_of_what_it_names_or_of_what_it_would_be() -> None:
    folded = graph_of(star("Sleep", 1), learned("The pier is closed", 2, "Pier")).folded
    assert [node_id(folded, name) for name in ("sleep", "Pier", "Old Mill")] == ["sleep", PIER, "old-mill"]


def test_a_pair_is_named_by_the_ids_under_which_it_is_linked() -> None:
    folded = graph_of(star("Sleep", 1), learned("The pier is closed", 2, "Pier")).folded
    assert Resolver(folded).pair("Pier", "Sleep") == (PIER, "sleep")


def test_what_was_looked_up_holds_until_a_node_or_a_name_is_another() -> None:
    folded = graph_of(star("Sleep", 1), star("Mood", 2)).folded
    resolver = Resolver(folded)
    assert resolver.pair("Sleep", "mood") == resolver.pair("Sleep", "mood") == ("sleep", "mood")
    folded.apply(evidence_of("sleep", "mood", 3))
    assert resolver.holds(folded)
    assert not resolver.holds(folded.copy())
    folded.apply(learned("The pier is closed", 4, "Sleep"))
    assert not resolver.holds(folded)


def test_of_names_that_were_looked_up_so_many_are_kept() -> None:
    resolver = Resolver(graph_of(star("Sleep", 1), star("Mood", 2)).folded, most=1)
    for name in ("Sleep", "sleep", "SLEEP"):
        assert resolver.pair(name, "mood") == ("sleep", "mood")
