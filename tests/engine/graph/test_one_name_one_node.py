"""A name or an id means the same node in every call, or every call asks which of these."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from asterism.core.dialogue.lines import Actor
from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from tests.support.five import tell_five
from tests.support.memories import DAY, NOON, AnyMemory, is_told_well, remembering

Call = Callable[[AnyMemory, str], object]
SIGNS = {"ann@home": "Ann", "bo~x": "Bo", "cy@5": "Cy", "di#1": "Di"}  # what joins ids, in ids of actors


def observed(memory: AnyMemory, name: str) -> str:
    """Tell evidence, and give the node whose link to sleep has more of it."""
    before = {link.b: link.evidence.raw for link in memory.links("sleep")}
    memory.observe(name, "sleep", "user_confirms")
    (node,) = (link.b for link in memory.links("sleep") if link.evidence.raw > before[link.b])
    return str(node)


def explained(memory: AnyMemory, name: str) -> str:
    """Explain a link to sleep, and give its other end."""
    subject: str = memory.why(name, "sleep").subject
    return subject.removesuffix("~sleep").removeprefix("sleep~")


# Every call that takes a node of any kind, each giving the id of the node it took.
ANY: dict[str, Call] = {
    "observe": observed,
    "link": lambda m, name: m.link(name, "sleep").a,
    "link, seen from the other end": lambda m, name: m.link("sleep", name).b,
    "links": lambda m, name: m.links(name)[0].a,
    "links of a pair": lambda m, name: m.links("sleep", name)[0].b,
    "assign_type": lambda m, name: m.assign_type(name, "sleep", "causation").a,
    "why": lambda m, name: m.why(name).subject,
    "why of a pair": explained,
    "why_not": lambda m, name: m.why_not(name, "sleep").id,
    "entries": lambda m, name: m.entries(name)[name].id,
    "explore": lambda m, name: m.explore("sleep", start=name, learn=False).trace[0].node,
    "what_if": lambda m, name: m.what_if(without=name).without.removeprefix("node:").split(" (")[0],
    "erase": lambda m, name: m.erase(name, dry_run=True).subject.removeprefix("node:").split(" (")[0],
    "deny": lambda m, name: m.deny(name, "sleep").a,
}
STARS: dict[str, Call] = {
    "star": lambda m, name: m.star(name).id,
    "acknowledge": lambda m, name: m.acknowledge(name).id,
    "engage": lambda m, name: m.engage(name).id,
    "set_brightness": lambda m, name: m.set_brightness(name, 0.5).id,
    "contradict": lambda m, name: m.contradict(name).id,
    "mark_dark": lambda m, name: m.mark_dark(name).id,
    "dispute_dark": lambda m, name: m.dispute_dark(name).id,
}
BLOCKS: dict[str, Call] = {
    "block": lambda m, name: m.block(name).id,
    "used": lambda m, name: m.used([name], session="s")[0],
    "outcome": lambda m, name: m.outcome([name], 0.9)[0].id,
    "forget": lambda m, name: m.forget(name).id,
    "restore": lambda m, name: m.restore(name).id,
}


def told() -> AnyMemory:
    """Open a memory with a star that the others are linked to."""
    memory = remembering(InMemoryStore())
    memory.__enter__()
    memory.add_star("Sleep", domain="health", at=NOON - 5 * DAY)
    return memory


def code_of(call: Call, memory: AnyMemory, name: str) -> str:
    with pytest.raises(AsterismError) as refused:
        call(memory, name)
    assert is_told_well(refused.value)
    return refused.value.code


@pytest.mark.parametrize("call", ANY)
@pytest.mark.parametrize("name", ["kettle", "KETTLE", "Kettle"])
def test_a_name_of_one_node_is_that_node_in_every_call(call: str, name: str) -> None:
    with told() as memory:
        block = memory.learn("The water boils at four", name="Kettle", at=NOON - 4 * DAY).id
        for _ in range(2):
            memory.observe(block, "sleep", "user_confirms")
        assert ANY[call](memory, name) == block


@pytest.mark.parametrize("call", ANY)
def test_a_name_of_two_nodes_is_asked_back_in_every_call_and_their_ids_are_not(call: str) -> None:
    with told() as memory:
        memory.add_star("Ferry", domain="soul", at=NOON - 5 * DAY)
        block = memory.learn("The boat leaves at noon", name="Ferry", at=NOON - 4 * DAY).id
        for node in ("ferry", block):
            for _ in range(2):
                memory.observe(node, "sleep", "user_confirms")
        before = memory.stats().items
        assert code_of(ANY[call], memory, "Ferry") == "ambiguous_node"
        assert memory.stats().items == before
        assert ANY[call](memory, "ferry") == "ferry"


def test_a_call_that_takes_nodes_of_one_kind_asks_back_too_and_takes_no_other() -> None:
    with told() as memory:
        memory.add_star("Ferry", domain="soul", at=NOON - 5 * DAY)
        block = memory.learn("The boat leaves at noon", name="Ferry", at=NOON - 4 * DAY).id
        assert {code_of(call, memory, "Ferry") for call in (STARS | BLOCKS).values()} == {"ambiguous_node"}
        assert {call(memory, "ferry") for call in STARS.values()} == {"ferry"}
        assert {call(memory, block) for call in BLOCKS.values()} == {block}
        assert {code_of(call, memory, "ferry") for name, call in BLOCKS.items() if name != "block"} == {"unknown_block"}
        assert memory.block("ferry") is None
        assert memory.star(block) is None


def test_what_was_edited_and_forgotten_comes_back_by_its_name() -> None:
    with told() as memory:
        block = memory.learn("The boat leaves at noon", name="Ferry", at=NOON - 4 * DAY).id
        edited = memory.edit("Ferry", "The boat leaves at one").id
        assert memory.forget("ferry").id == edited != block
        assert memory.restore("ferry").id == edited


@pytest.mark.parametrize("call", ANY)
@pytest.mark.parametrize("actor", SIGNS)
def test_an_actor_is_known_by_its_id_and_name_whatever_signs_are_in_it(call: str, actor: str) -> None:
    with told() as memory:
        lines = [(who, text) for who in SIGNS.values() for text in ("I open the door.", "It opens.")]
        memory.read_transcript(
            [(place, who if place % 2 == 0 else "DM", text) for place, (who, text) in enumerate(lines)],
            session="one",
            actors=[Actor(name, who) for name, who in SIGNS.items()],
            responders=["DM"],
            started_at=NOON - 3 * DAY,
        )
        assert {node.id for node in memory.nodes(kinds=["actor"])} >= SIGNS.keys()
        for _ in range(2):
            memory.observe(actor, "sleep", "user_confirms")
        assert ANY[call](memory, actor) == actor
        if call != "deny":  # after which there is no link to deny
            assert ANY[call](memory, SIGNS[actor]) == actor


@pytest.mark.parametrize("actor", SIGNS)
def test_a_link_of_such_an_actor_is_known_by_its_id(actor: str) -> None:
    with told() as memory:
        lines = [(0, SIGNS[actor], "I open the door."), (1, "DM", "It opens.")]
        actors = [Actor(actor, SIGNS[actor])]
        memory.read_transcript(lines, session="one", actors=actors, responders=["DM"], started_at=NOON - 3 * DAY)
        for _ in range(2):
            memory.observe(actor, "sleep", "user_confirms")
        (link,) = memory.links("sleep")
        assert memory.why(link.id).subject == link.id
        assert memory.why_not(link.id, "STRONG").id == link.id
        assert [each.id for each in memory.recall(SIGNS[actor], k=1, kinds=["actor"]).hits] == [actor]
        assert len(memory.causal_links(actor=actor)) == len(memory.causal_links(actor=SIGNS[actor].upper())) == 1


@pytest.mark.parametrize("actor", SIGNS)
def test_what_walkers_learn_on_the_way_by_such_an_actor_is_kept_and_erased_with_it(actor: str) -> None:
    with told() as memory:
        said = [(SIGNS[actor], "I open the door with a key."), ("DM", "The door opens.")]
        lines = [(place, *said[place % 2]) for place in range(6)]
        actors = [Actor(actor, SIGNS[actor])]
        memory.read_transcript(lines, session="one", actors=actors, responders=["DM"], started_at=NOON - 3 * DAY)
        for _ in range(2):
            memory.observe(actor, "sleep", "user_confirms")
        found = memory.explore("who opens the door?", intention="sleep well", start="sleep")
        assert memory.stats().items["explored"] == 1
        assert {each.id for each in found.narratives} == {each.id for each in memory.nodes(kinds=["narrative"])}
        assert memory.erase(actor, dry_run=True).items["explored"] == 1


def test_two_actors_of_one_name_are_asked_back() -> None:
    with told() as memory:
        for session, actor in (("one", "ann-1"), ("two", "ann-2")):
            lines = [(0, "Ann", "I open the door."), (1, "DM", "It opens.")]
            actors = [Actor(actor, "Ann")]
            memory.read_transcript(lines, session=session, actors=actors, responders=["DM"], started_at=NOON - 3 * DAY)
        assert code_of(lambda m, name: m.causal_links(actor=name), memory, "Ann") == "ambiguous_node"
        assert code_of(ANY["observe"], memory, "ann") == "ambiguous_node"
        assert len(memory.causal_links(actor="ann-2")) == 1


@pytest.mark.parametrize("star", ["Ann", "Bo"])
@pytest.mark.parametrize("name", ["ann", "ANN", "Annabel", "annabel"])
def test_the_links_of_an_actor_are_found_by_what_every_call_knows_it_by_be_it_a_star_too(name: str, star: str) -> None:
    with told() as memory:
        memory.add_star(star, domain="soul", at=NOON - 5 * DAY)
        lines = [(0, "Annabel", "I open the door."), (1, "DM", "It opens.")]
        actors = [Actor("ann", "Annabel")]
        memory.read_transcript(lines, session="one", actors=actors, responders=["DM"], started_at=NOON - 3 * DAY)
        assert [link.actor for link in memory.causal_links(actor=name)] == ["ann"]


def test_a_name_of_an_actor_and_of_a_star_is_asked_back_where_only_actors_can_be_meant() -> None:
    with told() as memory:
        memory.add_star("Ann", domain="soul", at=NOON - 5 * DAY)
        lines = [(0, "Ann", "I open the door."), (1, "DM", "It opens.")]
        actors = [Actor("ann-1", "Ann")]
        memory.read_transcript(lines, session="one", actors=actors, responders=["DM"], started_at=NOON - 3 * DAY)
        assert code_of(lambda m, name: m.causal_links(actor=name), memory, "Ann") == "ambiguous_node"
        assert code_of(lambda m, name: m.causal_links(actor=name), memory, "ann") == "unknown_actor"
        assert len(memory.causal_links(actor="ann-1")) == 1


@pytest.mark.parametrize("call", [*ANY, "forget", "restore"])
def test_a_narrative_is_known_by_its_name(call: str) -> None:
    with told() as memory:
        tell_five(memory)
        narrative = memory.nodes(kinds=["narrative"])[0]
        for _ in range(2):
            memory.observe(narrative.id, "sleep", "user_confirms")
        calls = ANY | BLOCKS
        assert calls[call](memory, narrative.name) == narrative.id
