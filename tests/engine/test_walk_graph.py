"""The memory as a graph: what links it holds, each with its polarity, whatever the order in which things came."""

from __future__ import annotations

from itertools import pairwise

from asterism.core.dialogue.lines import Line
from asterism.core.walkers.graph import WalkGraph
from asterism.engine import answering
from asterism.engine.walk_graph import NAMED_MOST, graph_of
from asterism.store.in_memory import InMemoryStore
from asterism.sync import Memory
from tests.memories import DAY, NOON
from tests.remembering import remembering


def graph(memory: Memory) -> WalkGraph:
    live = memory._async._open()  # type: ignore[attr-defined]  # what is behind the face
    return graph_of(live, answering.sight(live))


def links(found: WalkGraph) -> dict[str, tuple[float, float]]:
    """Give each link's polarity from its smaller end and from its larger."""
    told: dict[str, list[float]] = {}
    for node in range(len(found)):
        place = found.look(node)
        for at in range(len(place.links.numbers)):
            told.setdefault(place.links.ids[at], []).append(round(float(place.links.polarity[at]), 6))
    return {name: (values[0], values[-1]) for name, values in told.items()}


def test_every_family_of_links_is_walkable() -> None:
    with remembering(InMemoryStore()) as memory:
        for name in ("Bell", "Cave", "Dawn", "Echo"):
            memory.add_star(name, domain="soul", at=NOON - DAY)
        for a, b in pairwise(("bell", "cave", "dawn", "echo")):
            memory.observe(a, b, "user_creates", at=NOON - DAY)
        memory.assign_type("bell", "cave", "causation", direction="b_to_a", at=NOON - DAY)
        memory.deny("dawn", "echo", at=NOON)
        lines = [Line(0, "Ann", "I wait."), Line(1, "DM", "It rains.")]
        memory.read_transcript(lines, session="One", started_at=NOON - DAY)
        found = links(graph(memory))
        strength = {link.id: round(link.strength, 6) for link in memory.links()}
        assert found["bell~cave"] == (round(strength["bell~cave"] / 2, 6), strength["bell~cave"])
        assert found["cave~dawn"] == (strength["cave~dawn"], strength["cave~dawn"])
        assert "dawn~echo" not in found  # it sleeps, or is gone
        assert found["one/0~one/1#caused"] == (
            strength["one/0~one/1#caused"],
            round(strength["one/0~one/1#caused"] / 2, 6),
        )
        assert found["one/0~one/1#order"] == (1.0, 1.0)
        assert found["ann~one/0#said"] == (0.5, 0.0)  # from an actor to the moment, not back


def test_names_make_the_same_links_in_any_order_and_not_too_many() -> None:
    texts = [{"content": f"Note {number} of Lisbon", "name": "Lisbon", "at": NOON - DAY} for number in range(40)]
    graphs = []
    for rows in (texts, texts[::-1]):
        with remembering(InMemoryStore()) as memory:
            for row in rows:
                memory.learn_many([row])
                memory.recall("Lisbon")
            graphs.append(links(graph(memory)))
    assert graphs[0] == graphs[1]
    assert 500 < len(graphs[0]) <= NAMED_MOST


def test_the_graph_is_kept_until_something_changes() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn("The garden needs water")
        memory.learn("Water the garden before noon")
        first = graph(memory)
        assert graph(memory) is first
        memory.explore("garden", learn=False)
        assert graph(memory) is first
        memory.learn("The well is dry")
        assert len(graph(memory)) == 3
        memory.forget(memory.recall("well", k=1).hits[0].id)
        assert len(graph(memory)) == 2
