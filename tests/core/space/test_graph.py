"""One graph over all capabilities: its nodes, what they are called, what stands for them, and their links."""

from __future__ import annotations

from dataclasses import replace

import pytest

from asterism.core.blocks.capability import BLOCKS
from asterism.core.ledger.graph import GONE, Edge, Entry, Shown, Stale
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import NODE_KINDS, Node
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import Resolver, find
from asterism.errors import InputError
from tests.support.errands import SET, WITH_ERRANDS
from tests.support.items import BEES, GOAT, TEA, batch, dreamed, evidence, item, learned, star, walk
from tests.support.readings import read_item

DAY = 86_400_000_000
NARRATIVE, LEVEL = "narrative-1", "X@100.0"
LEDGER = [
    star("Sleep"),
    star("Mood"),
    star("Ann"),  # who also speaks in a session
    evidence("mood", "sleep", 1),
    learned("Bees", 2, name="Hive"),
    learned("Goat", 2),
    dreamed(3, promoted=sorted([BEES, GOAT]), created=[f"{min(BEES, GOAT)} {max(BEES, GOAT)} 0.5"]),
    evidence(BEES, "sleep", 4),
    read_item("Ferry", "door", 5),
    batch(100.0, 10, source="tape"),
    evidence(LEVEL, "sleep", 12_500_000),
    walk(13_000_000, narrative=NARRATIVE),
]


def projection_of(*items: Item) -> Projection:
    projection = Projection(SpaceParameters())
    projection.apply_all(sorted(items, key=lambda each: each.position))
    return projection


def graph_of(*items: Item) -> SpaceGraph:
    return SpaceGraph(projection_of(*LEDGER, *items))


def pairs(edges: list[Edge]) -> set[tuple[str, str, str]]:
    return {(edge.kind, *sorted((edge.a, edge.b))) for edge in edges}  # type: ignore[misc]  # two ends


EDITED = item("edited", 14_000_000, block=BEES, content="Tea")


def test_the_nodes_of_every_capability_are_there_once_in_the_order_of_their_kinds() -> None:
    found = graph_of().entries()
    assert [(each.kind, each.id) for each in found] == [
        ("star", "ann"),
        ("star", "mood"),
        ("star", "sleep"),
        ("actor", "dm"),
        ("moment", "ferry/0"),
        ("moment", "ferry/1"),
        ("moment", "ferry/2"),
        ("narrative", NARRATIVE),
        ("level", LEVEL),
        ("block", BEES),
        ("block", GOAT),
    ]
    assert {each.kind for each in graph_of().entries(without="blocks")} == {each.kind for each in found} - {"block"}


def test_a_node_is_known_by_its_id_alone() -> None:
    graph = graph_of()
    for each in graph.entries():
        assert graph.entry(each.id) == each
    assert graph.entry("X@100.5") is None
    assert graph.entry("nobody") is None
    assert graph_of(evidence("sleep", "nobody", 15_000_000)).entry("nobody") is None
    assert SpaceGraph(projection_of(batch(100.0, 10, source="tape"))).entry(LEVEL) == graph.entry(LEVEL)
    assert SpaceGraph(projection_of(star("Sleep"))).entry("ferry/0") is None


def test_who_is_a_star_too_is_the_actor_where_actors_are_meant() -> None:
    graph = graph_of()
    found = {kind: graph.entry("ann", (kind,)) for kind in ("star", "actor", "block")}
    assert {kind: entry and entry.kind for kind, entry in found.items()} == {
        "star": "star",
        "actor": "actor",
        "block": None,
    }


def test_blocks_that_came_out_of_order_are_folded_anew_before_they_are_read() -> None:
    projection = projection_of(*LEDGER)
    projection.apply(learned("Bees", 0, tags=["garden"]))
    with pytest.raises(Stale):
        SpaceGraph(projection).entry(BEES)


def test_an_entry_is_a_node_by_the_words_that_all_share() -> None:
    graph = graph_of()
    shown = graph.entry(NARRATIVE)
    assert shown is not None
    assert (shown.node().name, shown.node().kind) == ("why", "narrative")
    sleep = graph.entry("sleep")
    assert sleep is not None
    assert sleep.node() == Node("sleep", "star", "Sleep", "Sleep", "", None, None)
    assert sleep.node().node() == sleep.node()


def test_what_changes_a_node_changes_the_revision() -> None:
    projection = projection_of(*LEDGER)
    graph = SpaceGraph(projection)
    before = graph.revision()
    assert all(one is other for one, other in zip(before, graph.revision(), strict=True))
    projection.apply(star("Work", 20_000_000))
    assert [one is other for one, other in zip(before, graph.revision(), strict=True)].count(False) == 1
    assert len(graph.revision(without="blocks")) == len(before) - 1


def test_the_kinds_of_nodes_are_those_of_every_memory_and_then_those_that_further_rows_show() -> None:
    assert CAPABILITIES.node_kinds == NODE_KINDS
    errands = replace(BLOCKS, name="sixth", kinds=frozenset(), graph=Shown(kinds=("errand", "star")))
    assert CAPABILITIES.and_also(errands).node_kinds == (*NODE_KINDS, "errand")


def test_a_capability_with_links_alone_needs_no_revision_and_one_that_lists_nodes_is_refused_without() -> None:
    assert BLOCKS.graph is not None
    nameless = replace(BLOCKS, name="sixth", kinds=frozenset(), graph=replace(BLOCKS.graph, revision=None))
    with pytest.raises(InputError, match="'sixth' lists nodes") as refused:
        CAPABILITIES.and_also(nameless)
    assert (refused.value.code, refused.value.item) == ("no_revision", "sixth")
    linking = CAPABILITIES.and_also(replace(nameless, graph=Shown(links=BLOCKS.graph.links)))
    with_links = SpaceGraph(Projection(SpaceParameters.build(capabilities=linking)))
    assert len(with_links.revision()) == len(graph_of().revision())


def test_what_took_the_place_of_a_block_stands_for_it() -> None:
    graph = graph_of(EDITED)
    bees = graph.entry(BEES)
    assert bees is not None
    stands = graph.now(bees)
    assert stands is not None
    assert (stands.id, graph.standing(BEES), graph.standing(TEA), graph.standing("sleep")) == (TEA, TEA, TEA, "sleep")
    assert [graph.is_there(node) for node in (BEES, TEA, "sleep")] == [False, True, True]
    assert graph.family(TEA) == sorted([BEES, TEA])
    assert graph.family("sleep") == ["sleep"]


def test_what_was_forgotten_is_gone_and_nothing_stands_for_it() -> None:
    graph = graph_of(
        item("forgotten", 14_000_000, block=BEES), item("narrative_forgotten", 15_000_000, narrative=NARRATIVE)
    )
    for node in (BEES, NARRATIVE):
        entry = graph.entry(node)
        assert entry is not None
        assert graph.now(entry) is None
        assert graph.is_gone(node)
        assert graph.link(node, "sleep") is graph.link("sleep", node) is None
    sleep = graph.entry("sleep")
    assert sleep is not None
    assert graph.now(sleep) == sleep
    unknown = Entry(id="0" * 16, text="told elsewhere")
    assert graph.now(unknown) == unknown
    assert not graph.is_gone("sleep")
    assert graph.standing(BEES) in (BEES, GONE)


def test_names_lead_to_every_node_that_was_given_them() -> None:
    graph = graph_of()
    assert graph.called("hive") == {BEES}
    assert graph.called("dm") == {"dm"}
    assert graph.called("why") == {NARRATIVE}
    assert graph.called("nobody") == set()
    assert SpaceGraph(projection_of(star("Sleep"))).called("dm") == set()


def test_every_name_is_given_with_its_node_and_what_stands_for_that_now() -> None:
    kinds = ("star", "actor", "block", "narrative")
    assert sorted(graph_of().names(kinds)) == [
        ("Ann", "ann", "ann"),  # the star
        ("Ann", "ann", "ann"),  # who speaks
        ("DM", "dm", "dm"),
        ("Hive", BEES, BEES),
        ("Mood", "mood", "mood"),
        ("Sleep", "sleep", "sleep"),
        ("why", NARRATIVE, NARRATIVE),
    ]
    assert sorted(graph_of(EDITED).names(["block"])) == sorted([("Hive", BEES, TEA), ("Hive", TEA, TEA)])
    forgotten = (
        item("forgotten", 14_000_000, block=BEES),
        item("narrative_forgotten", 15_000_000, narrative=NARRATIVE),
    )
    assert list(graph_of(*forgotten).names(["block", "narrative"])) == [("Hive", BEES, GONE), ("why", NARRATIVE, GONE)]
    assert list(graph_of().names(["level", "moment", "nothing"])) == []


def test_the_names_of_a_further_capability_are_given_too() -> None:
    projection = Projection(SpaceParameters.build(capabilities=WITH_ERRANDS))
    projection.apply(item(SET, 1, errand="Oil the gate", text="the hinges", star="garden"))
    assert list(SpaceGraph(projection).names(["errand"])) == [("Oil the gate", "Oil the gate", "Oil the gate")]


def test_a_link_is_found_under_the_ids_of_what_stands_for_its_ends() -> None:
    graph = graph_of(EDITED)
    assert graph.pair(TEA, "sleep") == (BEES, "sleep")
    assert graph.pair(TEA, "mood") == (TEA, "mood")
    assert graph.pair(TEA, "nobody") == (TEA, "nobody")
    assert graph.pair("mood", "sleep") == ("mood", "sleep")
    told = graph.link(BEES, "sleep")
    assert told is not None
    assert (told.a, told.b, told.id) == (TEA, "sleep", "~".join(sorted([TEA, "sleep"])))
    assert graph.link("sleep", "nobody") is None
    plain = graph.link("sleep", "mood")
    assert plain is not None
    assert (plain.a, plain.b) == ("sleep", "mood")


def test_links_of_all_capabilities_come_strongest_first_and_what_merely_followed_last() -> None:
    graph = graph_of()
    found = graph.links()
    kinds = [link.kind for link in found]
    assert set(kinds) >= {"similar", "caused", "order", "walk"}
    assert kinds.index("order") == len(kinds) - kinds.count("order")
    strengths = [link.strength for link in found if link.kind != "order"]
    assert strengths == sorted(strengths, reverse=True)
    assert graph.links(without="connections") == [link for link in found if link.family == "structural"]
    assert {link.a for link in graph.links("sleep")} == {"sleep"}
    assert {link.b for link in graph.links(b="sleep")} == {link.b for link in graph.links("sleep")}
    assert [(link.a, link.b) for link in graph.links("sleep", "mood")] == [("sleep", "mood")]
    for end in (BEES, GOAT):
        assert [link.a for link in graph.links(end) if link.kind == "similar"] == [end]
    assert {(link.a, link.direction) for link in graph.links("ferry/1") if link.kind == "caused"} == {
        ("ferry/1", "b_to_a")
    }
    assert {link.b for link in graph.links(NARRATIVE)} == {"sleep"}


def test_links_follow_what_took_the_place_of_their_ends_and_end_with_what_is_gone() -> None:
    edited = graph_of(EDITED)
    assert {link.b for link in edited.links(BEES)} == {link.b for link in edited.links(TEA)} == {"sleep"}
    forgotten = graph_of(item("forgotten", 14_000_000, block=GOAT))
    assert GOAT not in {end for link in forgotten.links() for end in (link.a, link.b)}


def test_edges_join_the_nodes_that_were_asked_for_and_no_node_to_itself() -> None:
    graph = graph_of(EDITED)
    among = {entry.id for entry in graph.entries()}
    found = list(graph.edges(among))
    assert pairs(found) >= {
        ("", "mood", "sleep"),
        ("", *sorted(["sleep", TEA])),
        ("caused", "ferry/0", "ferry/1"),
        ("walk", NARRATIVE, "sleep"),
    }
    assert {edge.way for edge in found if edge.kind == "caused"} == {1}
    assert list(graph.edges({"sleep"})) == []
    assert ("similar", *sorted([BEES, GOAT])) in pairs(list(graph_of().edges({BEES, GOAT})))
    merged = graph_of(dreamed(14_000_000, duplicates=[f"{BEES} {GOAT}"]))
    assert all(edge.a != edge.b for edge in merged.edges({entry.id for entry in merged.entries()}))


@pytest.mark.parametrize(
    "more",
    [
        [],
        [EDITED],
        [item("session", 13_000_001, name="s", act="start"), item("session", 13_000_001 + DAY, name="s", act="end")],
    ],
)
def test_what_recall_follows_from_a_node_are_its_edges(more: list[Item]) -> None:
    graph = graph_of(*more)
    graph.folded.look(13_000_001 + DAY)
    among = {entry.id for entry in graph.entries()}
    found = {
        (kind, *sorted([node, other]), strength)
        for node in among
        for kind, others, strengths in graph.followed(node, among)
        for other, strength in zip(others, strengths, strict=True)
        if other in among and other != node
    }
    edges = {(edge.kind, *sorted([edge.a, edge.b]), edge.strength) for edge in graph.edges(among)}
    assert found == {each for each in edges if each[0] not in ("walk", "said", "order")}
    assert {"", "caused"} <= {each[0] for each in found}
    assert list(graph_of().followed("nobody", among)) == []
    assert list(SpaceGraph(projection_of(star("Sleep"))).followed("nobody", {"nobody"})) == []


def test_each_capability_lists_its_nodes_under_a_revision_of_its_own() -> None:
    projection = projection_of(*LEDGER)
    before = {name: revision for name, revision, _ in SpaceGraph(projection).listing(without=BLOCKS.name)}
    projection.apply(walk(14_000_000, narrative="narrative-2"))
    after = {name: (revision, entries) for name, revision, entries in SpaceGraph(projection).listing(without="blocks")}
    changed = [name for name, (revision, _) in after.items() if revision is not before[name]]
    assert changed == ["exploration"]
    assert {entry.id for entry in after["exploration"][1]()} == {NARRATIVE, "narrative-2"}


def test_a_look_at_a_later_hour_shows_weaker_links_of_blocks() -> None:
    graph = graph_of(
        item("session", 13_000_001, name="s", act="start"), item("session", 13_000_001 + DAY, name="s", act="end")
    )
    blocks = graph.folded.blocks
    before = [edge.strength for edge in graph.edges({BEES, GOAT})]
    graph.folded.look(13_000_001 + DAY)
    assert blocks.seen == 13_000_001 + DAY
    assert [edge.strength for edge in graph.edges({BEES, GOAT})] <= before


def test_a_pair_is_found_by_names_however_often_it_is_asked_for() -> None:
    resolver = Resolver(graph_of().folded)
    assert resolver.pair("Hive", "sleep") == resolver.pair("Hive", "sleep") == (BEES, "sleep")
    assert resolver.pair("sleep", "mood") == resolver.pair("sleep", "mood") == ("sleep", "mood")
    assert find(resolver.graph, "nobody") is None
    assert find(resolver.graph, BEES) == resolver.graph.entry(BEES)
    with pytest.raises(InputError, match="named by text"):
        resolver.pair(7, "sleep")
    with pytest.raises(InputError, match="named by text"):
        resolver.pair(["sleep"], "mood")


def test_all_that_was_told_can_be_erased_whatever_became_of_it() -> None:
    assert SpaceGraph(projection_of()).ids() == set()
    assert SpaceGraph(projection_of(evidence("sleep", "mood"))).ids() == {"sleep", "mood"}
    forgotten = (
        item("forgotten", 14_000_000, block=GOAT),
        item("narrative_forgotten", 15_000_000, narrative=NARRATIVE),
    )
    graph = graph_of(EDITED, *forgotten)
    assert graph.ids() == {entry.id for entry in graph.entries()} | {BEES, GOAT, NARRATIVE, "X"}


def test_a_projection_that_was_packed_shows_the_same_graph() -> None:
    graph = graph_of(EDITED)
    loaded = SpaceGraph(Projection.load(graph.folded.dump(), SpaceParameters()))
    assert loaded.entries() == graph.entries()
    assert loaded.links() == graph.links()
    assert loaded.family(TEA) == graph.family(TEA)
    assert loaded.called("hive") == graph.called("hive") == {BEES, TEA}
