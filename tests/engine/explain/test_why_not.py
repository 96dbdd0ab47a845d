"""Why not: what is asked about, what is gone, and answers that hold levels."""

from __future__ import annotations

import pytest

from asterism.errors import InputError
from asterism.store.in_memory import InMemoryStore
from tests.support.five import tell_five
from tests.support.memories import at_cosine, by_hand, remembering


def test_nothing_is_linked_to_itself() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.add_star("Sleep", domain="soul")
        for wanted in ("STRONG", "tension"):
            with pytest.raises(InputError) as raised:
                memory.why_not("sleep~sleep", wanted)
            assert raised.value.code == "self_link"


def test_a_hit_can_be_asked_about_and_a_number_cannot() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn("tea in the morning")
        assert memory.why_not(memory.recall("tea").hits[0], "tea").gate == "in"
        with pytest.raises(InputError) as raised:
            memory.why_not(5, "tea")
        assert raised.value.code == "bad_text"


def test_two_blocks_of_which_one_is_gone() -> None:
    with remembering(InMemoryStore(), embedder=by_hand({"a": at_cosine(1.0), "b": at_cosine(0.8)})) as memory:
        a, b = (memory.learn(text).id for text in ("a", "b"))
        memory.dream()
        c = memory.edit(b, "b again").id
        assert memory.why_not(f"{a}~{b}", "similar").tell == ()
        assert c in memory.why_not(b, a).change
        memory.forget(c)
        for told in (
            memory.why_not(f"{a}~{b}", "similar"),
            memory.why_not(f"{b}~{a}", "similar"),
            memory.why_not(b, a),
        ):
            assert (told.gate, told.tell) == ("gone", ("restore", c))
        memory.restore(*told.tell[1:])
        assert memory.why_not(a, c).gate == "inbox"


def test_no_more_is_asked_for_than_can_be() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn_many([f"garden and water {place}" for place in range(1_005)])
        last = memory.learn("tyres").id
        told = memory.why_not(last, "garden water", tags=["x"])
        assert (told.gate, told.ask) == ("filter", {"tags": ()})
        assert told.rank == 1_006
        assert "beyond k=1000" in told.change


@pytest.mark.parametrize("budget", [None, 1, 5, 20, 40, 60, 100])
@pytest.mark.parametrize("query", ["what do I do about X at 100?", "does the bell ring?", "x 110"])
def test_with_levels_in_the_answer_what_is_said_of_it_is_true(query: str, budget: int | None) -> None:
    with remembering(InMemoryStore()) as memory:
        tell_five(memory)
        memory.learn("Sell X when it is back at 100")
        memory.learn("What X does at 100 nobody knows, says Ann, who has seen it often enough to know")
        memory.observe("X@110.0", "bell", "user_confirms")
        nodes = {hit.id for hit in memory.recall(query, k=5).hits} | {"X@100.0", "X@110.0"}
        for only in ({}, {"kinds": ("block",)}, {"kinds": ("level",)}):
            asked = {"query": query, "k": 5, "budget_tokens": budget, **only}
            found = {hit.id for hit in memory.recall(**asked).hits}
            for node in sorted(nodes):
                told = memory.why_not(node, **asked)
                assert (told.gate == "in") == (node in found), told
                otherwise = asked | (told.ask or {})
                assert node in {hit.id for hit in memory.recall(**otherwise).hits} or told.tell, told


def test_a_level_that_no_answer_may_hold() -> None:
    with remembering(InMemoryStore(), parameters={"recall_levels_max": 0}) as memory:
        tell_five(memory)
        assert memory.why_not("X@100.0", "X 100").gate == "crowded"
