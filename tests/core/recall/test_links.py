"""Links that names make, as walkers see them."""

from __future__ import annotations

from asterism.core.ledger.graph import Edge, Entry
from asterism.core.recall.index import Index
from asterism.core.recall.links import NAMED_MOST, SHARED_BY, named


def index_of(*entries: Entry) -> Index:
    index = Index()
    for entry in entries:
        index.add(entry)
    return index


def links(index: Index, *names: str) -> list[Edge]:
    return named(index, names or index.names.names)


def test_a_text_is_linked_to_what_it_names_and_to_what_names_the_same() -> None:
    index = index_of(
        Entry("a", "We met in Lisbon."), Entry("b", "From Lisbon to the sea."), Entry("c", "A town.", name="Lisbon")
    )
    assert links(index) == [
        Edge("mention", "a", "c", 1.0),
        Edge("mention", "b", "c", 1.0),
        Edge("shared_term", "a", "b", 1.0),
    ]
    index.remove("b")
    assert links(index) == [Edge("mention", "a", "c", 1.0)]


def test_nothing_is_linked_to_itself() -> None:
    assert links(index_of(Entry("c", "We met in Lisbon.", name="Lisbon"))) == []


def test_a_name_that_many_hold_says_less_and_links_only_titles() -> None:
    few = index_of(*(Entry(f"e{place}", "We met in Lisbon.") for place in range(SHARED_BY)))
    assert {edge.strength for edge in links(few)} == {(SHARED_BY - 1) ** -0.5}
    many = index_of(*(Entry(f"e{place}", "We met in Lisbon.") for place in range(SHARED_BY + 1)))
    assert links(many) == []
    titled = index_of(*(Entry(f"e{place:02}", "We met in Lisbon.", name="Lisbon") for place in range(40)))
    assert 900 < len(links(titled)) <= NAMED_MOST
