"""A graph for drawings and files: of some kinds, strong links only, the most linked nodes only."""

from __future__ import annotations

from datetime import UTC, datetime

from asterism.core.ledger.model import UNTOLD, Link, Node
from asterism.core.space.view import GraphView, is_directed, label, view_of

AT = datetime(2026, 3, 1, tzinfo=UTC)


def node(name: str, kind: str = "star", strength: float | None = 0.5) -> Node:
    return Node(name, kind, name.upper(), name, "", strength, None)


def link(
    a: str, b: str, strength: float = 0.5, *, direction: str | None = None, family: str = "connection", kind: str = ""
) -> Link:
    return Link("~".join(sorted([a, b])), a, b, kind, family, direction, strength, 1.0, "", UNTOLD, None, "told", False)


def view(nodes: list[Node], links: list[Link], *, kinds: tuple[str, ...] = (), limit: int | None = None) -> GraphView:
    return view_of(nodes, links, space="me", at=AT, kinds=kinds, min_strength=0.2, limit=limit)


def test_a_link_is_turned_from_cause_to_effect_else_by_its_ends() -> None:
    turned = view(
        [node("a"), node("b"), node("c")],
        [
            link("b", "a"),
            link("c", "a", direction="b_to_a"),
            link("c", "b", direction="a_to_b"),
        ],
    )
    assert [(each.a, each.b, each.direction) for each in turned.links] == [
        ("a", "b", None),
        ("a", "c", "a_to_b"),
        ("c", "b", "a_to_b"),
    ]
    assert [is_directed(each) for each in turned.links] == [False, True, True]


def test_a_structural_link_without_a_direction_stays_as_it_was_made() -> None:
    kept = view([node("a"), node("b")], [link("b", "a", family="structural", kind="order")])
    assert [(each.a, each.b) for each in kept.links] == [("b", "a")]


def test_weak_links_are_left_out_and_counted() -> None:
    thinned = view([node("a"), node("b")], [link("a", "b", 0.1)])
    assert (thinned.links, thinned.left_out.links, thinned.left_out.nodes) == ((), 1, 0)


def test_a_node_that_only_links_name_is_there_unless_kinds_were_asked_for() -> None:
    links = [link("a", "z")]
    assert [(each.id, each.kind) for each in view([node("a")], links).nodes] == [("a", "star"), ("z", "unknown")]
    stars = view([node("a"), node("m", "block")], links, kinds=("star",))
    assert [each.id for each in stars.nodes] == ["a"]
    assert (stars.links, stars.left_out.nodes) == ((), 1)


def test_of_too_many_nodes_the_most_linked_stay_then_the_stronger_in_their_order() -> None:
    nodes = [node("d", strength=None), node("c", strength=0.9), node("b"), node("a")]
    links = [link("a", "b"), link("a", "c"), link("a", "gone")]
    assert [each.id for each in view(nodes, links, limit=3).nodes] == ["c", "b", "a"]
    assert [each.id for each in view(nodes, [], limit=1).nodes] == ["c"]
    assert len(view(nodes, [], limit=4).nodes) == 4


def test_a_label_is_the_name_else_the_text_else_the_id() -> None:
    named = node("a")
    assert [label(each) for each in (named, Node("b", "block", "", "What it\nsays", "", None, None))] == [
        "A",
        "What it says",
    ]
    assert label(Node("b", "block", "", "", "", None, None)) == "b"
