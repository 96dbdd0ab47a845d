"""Every capability explains its own: of a memory that was told of everything, each number and each gate."""

from __future__ import annotations

from functools import cache

import pytest

from asterism.core.blocks.capability import BLOCKS
from asterism.core.blocks.gates import why_gone, why_no_link
from asterism.core.connections.capability import CONNECTIONS
from asterism.core.connections.gates import GATES, why_not_so
from asterism.core.ledger.explain import Asked, Explains
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Why
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.space.graph import SpaceGraph
from asterism.store.in_memory import InMemoryStore
from tests.support.asking import Asking
from tests.support.memories import DAY, HandClock, contents, remembering
from tests.support.whole import tell_everything

ENERGIES = ("energy", "events", "gain", "active hours")  # what items add to numbers that nodes and links do not have


@cache
def told() -> tuple[Item, ...]:
    """Give the ledger of a memory that was told of everything."""
    store, clock = InMemoryStore(), HandClock()
    with remembering(store, clock=clock) as memory:
        blocks = list(tell_everything(memory, clock).values())
        memory.edit(blocks[3], "Soup needs onions, salt and time.")
        memory.forget(blocks[4])
        for note in range(7):
            clock.now += DAY / 24
            memory.observe("sleep", blocks[0], "user_confirms", note=f"said {note} times", source="diary")
        clock.now += 30 * DAY
        memory.observe("sleep", "running", "co_mention_session")
    return tuple(stored.item for stored in contents(store))


def near(text: str) -> list[float]:
    return [1.0, len(text) % 7 / 7]


@cache
def asking(name: str) -> Asking[object]:
    (row,) = (row for row in CAPABILITIES if row.name == name)
    return Asking(row, told(), vectors=near)


def explaining() -> list[tuple[Explains[object], Asked[object]]]:
    return [(row.explain, asking(row.name)) for row in CAPABILITIES if row.explain is not None]


def why_node(node: str) -> Why:
    found = [row.node(asked, node) for row, asked in explaining() if row.node is not None]
    (why,) = (each for each in found if each is not None)
    return why


def why_link(a: str, b: str, kind: str) -> Why:
    found = [row.link(asked, a, b, kind) for row, asked in explaining() if row.link is not None]
    (why,) = (each for each in found if each is not None)
    return why


def adds_up(why: Why) -> bool:
    return sum(line.value for line in why.lines) == pytest.approx(why.total, abs=1e-9)


def test_every_node_is_explained_by_one_capability_and_the_lines_add_up() -> None:
    graph = SpaceGraph(asking("blocks").projection)
    explained = [why_node(entry.id) for entry in graph.entries()]
    assert {why.number for why in explained} == {"brightness", "confidence", "weight"}
    assert all(map(adds_up, explained))
    level = next(iter(asking("levels").projection.levels.symbols["BTCUSDT"].book.settled()["centre"].tolist()))
    assert adds_up(why_node(f"BTCUSDT@{level!r}"))


def test_every_link_is_explained_by_one_capability_and_the_lines_add_up() -> None:
    links = SpaceGraph(asking("blocks").projection).links()
    assert {"similar", "caused", "order", "walk", "co_occurs", "outcome"} <= {link.kind for link in links}
    for link in links:
        why = why_link(link.a, link.b, link.kind if link.family == "structural" else "")
        assert adds_up(why)
        assert why.total == pytest.approx(link.strength, abs=1e-9)
        assert why.subject == link.id


def test_the_notes_of_a_link_are_told_the_latest_first() -> None:
    noted = next(item for item in reversed(told()) if item.note)
    notes = why_link(str(noted.payload["a"]), str(noted.payload["b"]), "").notes
    assert [note.partition("said ")[2] for note in notes if "said" in note] == [
        f"{number} times (diary)" for number in (6, 5, 4, 3, 2)
    ]
    assert notes[-1] == "and 2 earlier notes"


def test_every_item_is_explained_by_its_capability() -> None:
    numbers = set()
    for item in told():
        row = CAPABILITIES.of_kind[item.what]
        if row.explain is not None and row.explain.item is not None:
            numbers.add(row.explain.item(asking(row.name), item).number)
    assert numbers == {"brightness", "strength", *ENERGIES}


def test_what_is_nobodys_is_explained_by_nobody() -> None:
    for row, asked in explaining():
        assert row.node is None or row.node(asked, "nobody") is None
        assert row.link is None or row.link(asked, "nobody", "nothing", "") is None
        assert row.other is None or row.other(asked, object()) is None


def test_every_gate_of_blocks_names_itself() -> None:
    asked = Asking(BLOCKS, told(), vectors=near)
    blocks = asked.fold.blocks
    named = {why_no_link(asked, a, b, "similar").gate for a in blocks for b in blocks if a != b}
    assert {"linked", "gone", "inbox"} <= named
    assert {gate.gate for name in blocks if (gate := why_gone(asked, name)) is not None} == {"gone"}


def test_every_gate_of_connections_names_itself() -> None:
    asked = Asking(CONNECTIONS, told())
    links = SpaceGraph(asked.projection).links()
    pairs = {(link.a, link.b) for link in links if link.family != "structural"} | {("sleep", "coffee")}
    named = {why_not_so(asked, a, b, word).gate for a, b in pairs for word in GATES.words}
    assert {"in", "evidence", "dormant", "assigned", "causation", "condition"} <= named
