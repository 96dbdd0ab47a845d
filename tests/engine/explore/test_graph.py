"""The memory as a graph: what links it holds, each with its polarity, whatever the order in which things came."""

from __future__ import annotations

from itertools import pairwise

import pytest

from asterism.core.dialogue.lines import Actor, Line
from asterism.core.ledger.model import link_id
from asterism.core.recall.links import NAMED_MOST
from asterism.core.walkers.effects import colour_rows
from asterism.core.walkers.formulas import attenuated, boosted
from asterism.core.walkers.graph import WalkGraph
from asterism.engine.explore.graph import graph_of
from asterism.engine.recall import answer as answering
from asterism.engine.recall.recaller import Recaller
from asterism.store.in_memory import InMemoryStore
from asterism.sync import Memory
from tests.support.exploring import fill
from tests.support.five import tell_five
from tests.support.memories import DAY, FACTS, NOON, erase_items, remembering


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
        memory.forget(memory.recall("well", k=1, floor=0).hits[0].id)
        assert len(graph(memory)) == 2


# What explorations left

QUERY, AIM, OTHER = "why do deploys fail?", "prevent the next outage", "warm the cache of the pipeline at night"


def deploys(memory: Memory) -> list[str]:
    """Learn three linked blocks, where every exploration leaves a narrative; give their ids."""
    memory.configure(parameters={"nearest_narrative": 1.0})
    texts = [
        "Deploys fail when the cache is cold",
        "Warm the cache before each deploy",
        "The pipeline deploys at night",
    ]
    ids = [memory.learn(text, at=NOON - DAY).id for text in texts]
    for a, b in pairwise(ids):
        memory.observe(a, b, "user_confirms", at=NOON - DAY)
    return ids


def permanence(found: WalkGraph) -> dict[str, float]:
    """Give each link's permanence."""
    told = {}
    for node in range(len(found)):
        place = found.look(node)
        for at in range(len(place.links.numbers)):
            told[place.links.ids[at]] = round(float(place.links.permanence[at]), 6)
    return told


def node(found: WalkGraph, name: str) -> tuple[float, float, float]:
    number = found.number(name)
    assert number is not None
    return float(found.weight[number]), float(found.energy[number]), float(found.permanence[number])


def test_a_narrative_begins_with_the_weight_it_was_made_with() -> None:
    with remembering(InMemoryStore()) as memory:
        start, *_ = deploys(memory)
        memory.configure(parameters={"nearest_narrative": 1.0, "max_depth": 1})
        made = memory.explore(QUERY, intention=AIM, start=start).narratives[0]
        assert made.weight == pytest.approx(0.75)
        weight, energy, stays = node(graph(memory), made.id)
        assert (weight, energy) == pytest.approx((made.weight, made.energy))
        assert stays == pytest.approx(made.weight / (made.weight + 1))


def test_what_is_edited_keeps_what_explorations_left() -> None:
    with remembering(InMemoryStore()) as memory:
        start, middle, last = deploys(memory)
        found = memory.explore(QUERY, intention=AIM, start=start)
        made = found.narratives[0]
        assert start in {end for tie in made.ties for end in (tie.a, tie.b)}
        before = graph(memory)
        old = link_id(start, middle)
        assert permanence(before)[old] > 0.5
        heir = memory.edit(middle, "Warm the cache before each and every deploy", at=NOON).id
        second = memory.edit(start, "Deploys fail while the cache is cold", at=NOON).id
        after = graph(memory)
        assert node(after, second) == pytest.approx(node(before, start))
        assert node(after, heir) == pytest.approx(node(before, middle))
        now, tie = link_id(heir, second), link_id(second, made.id, "walk")
        assert permanence(after)[now] == permanence(before)[old]
        assert links(after)[tie] == links(before)[link_id(start, made.id, "walk")]
        assert after.own is not None
        number = next(at for at in after.links.tolist() if after.link_ids[at] == now)
        assert after.own.rows[after.links.tolist().index(number)] >= 0  # coloured still
        assert [each.id for each in memory.links(second) if each.kind == "walk"] == [tie]
        assert [each.id for each in memory.links(start) if each.kind == "walk"] == [tie]  # by the id it had
        again = memory.explore(QUERY, intention=OTHER, start=last)
        gains = [
            boosted(0.0, each.boost, attenuated(each.hop)) for each in colour_rows(again.effects) if each.link == now
        ]
        assert gains
        assert permanence(graph(memory))[now] == pytest.approx(permanence(after)[now] + gains[0], abs=1e-6)


@pytest.mark.parametrize("actor", ["bo~a", "di#1", "zo#1"])
def test_what_is_edited_keeps_its_links_to_an_actor_whatever_signs_are_in_its_id(actor: str) -> None:
    with remembering(InMemoryStore()) as memory:
        start, _, _ = deploys(memory)
        lines = [(0, "Bo", "I wait."), (1, "DM", "It rains.")]
        memory.read_transcript(lines, session="one", actors=[Actor(actor, "Bo")], started_at=NOON - DAY)
        for _ in range(2):
            memory.observe(actor, start, "user_confirms", at=NOON - DAY)
        memory.explore(QUERY, intention=AIM, start=actor)
        before = permanence(graph(memory))[link_id(actor, start)]
        assert before > 0.5
        heir = memory.edit(start, "Deploys fail while the cache is cold", at=NOON).id
        assert permanence(graph(memory))[link_id(actor, heir)] == before


def test_an_exploration_leaves_the_same_without_the_one_before_it() -> None:
    store = InMemoryStore()
    with remembering(store) as memory:
        start, *_, last = deploys(memory)
        memory.explore(QUERY, intention=AIM, start=start)
        memory.explore(QUERY, intention=OTHER, start=last)
        first, second = (each.item for each in store.items("me") if each.item.what == "explored")
        rows = [each for each in colour_rows(second.payload) if not each.link.endswith("#walk")]
        assert any(each.permanence > 0.5 for each in rows)  # the walker saw what the first had left
        erase_items(store, [first.id], at=second.at + 1)
        left = permanence(graph(memory))
        for each in rows:
            assert left[each.link] == pytest.approx(boosted(0.5, each.boost, attenuated(each.hop)), abs=1e-6)


def test_the_vectors_are_part_of_what_a_graph_is_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Recaller.embed, "__defaults__", (1,))  # of an inbox, one block
    told = []
    for looks in (0, 4):
        with remembering(InMemoryStore()) as memory:
            start, *_ = deploys(memory)
            for _ in range(looks):
                memory.recall(QUERY)
                assert not graph(memory).vectors.any(axis=1).all()
            found = memory.explore(QUERY, intention=AIM, start=start, learn=False)
            assert graph(memory).vectors.any(axis=1).all()
            told.append({name: value for name, value in found.to_dict().items() if name != "took_ms"})
    assert told[0] == told[1]


def test_every_node_that_can_be_recalled_is_walked_over_as_what_it_is() -> None:
    with remembering(InMemoryStore()) as memory:
        tell_five(memory)
        level = memory.nodes(kinds=["level"])[0].id
        memory.observe("bell", level, "user_confirms", at=NOON)
        found, kinds = graph(memory), {node.id: node.kind for node in memory.nodes()}
        walked = {name: found.look(number).kind for number, name in enumerate(found.ids)}
        assert walked.keys() == {name for name, kind in kinds.items() if kind != "level"} | {level}  # the one told of
        same = {"actor", "moment", "narrative"}
        assert walked == {name: kinds[name] if kinds[name] in same else "thing" for name in walked}
        assert link_id("bell", level) in links(found)
        ends = {end for name in links(found) for end in name.partition("#")[0].split("~")}
        assert ends <= walked.keys()
        narrative = next(name for name, kind in kinds.items() if kind == "narrative")
        memory.forget(narrative)
        after = graph(memory)
        assert narrative not in after.ids
        assert not any(narrative in name for name in links(after))
        memory.restore(narrative)
        assert links(graph(memory)).keys() == links(found).keys()


def test_what_explorations_changed_is_what_building_all_of_it_anew_gives() -> None:
    with remembering(InMemoryStore()) as memory:
        fill(memory)
        memory.configure(parameters={"nearest_narrative": 1.0})
        live = memory._async._open()  # what is behind the face
        made = 0
        for turn, query in enumerate([QUERY, OTHER, *FACTS[:4], QUERY, *FACTS[2:5]]):
            if turn == 4:
                memory.edit(memory.blocks()[0].id, "It should read otherwise, says the garden.")
            known = answering.sight(live).recaller.kept
            made += len(memory.explore(query, intention=AIM if turn % 2 else FACTS[turn % 3]).narratives)
            seen = answering.sight(live)
            grown = graph_of(live, seen)
            if turn not in (0, 4):
                assert seen.recaller.kept is known  # it was not built again
            seen.recaller.kept = None
            assert told_of(grown) == told_of(graph_of(live, seen))
            seen.recaller.kept = known if turn == 1 else seen.recaller.kept
        assert made > 3


def told_of(found: WalkGraph) -> dict[str, object]:
    """Say what a walker sees at each node, by ids."""
    told: dict[str, object] = {}
    for number in range(len(found)):
        here = found.look(number)
        columns = (here.links.polarity, here.links.hierarchy, here.links.permanence)
        names = [(here.links.ids[at], here.links.end_ids[at]) for at in range(len(here.links))]
        own = here.links.own
        rows = [] if own is None else own.rows.tolist()
        colours = {names[at]: own.vectors[row].tolist() for at, row in enumerate(rows) if own is not None and row >= 0}
        told[here.id] = (
            [here.kind, here.name, here.content, here.permanence, here.vector.tolist()],
            [found.weight.item(number), found.energy.item(number)],
            [names, *(column.tolist() for column in columns)],
            colours,
        )
    return told
