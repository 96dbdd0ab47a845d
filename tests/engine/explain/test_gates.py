"""Why not: on prepared cases each gate is named, and the change that it names lets the thing in."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.connections.words import LinkState
from asterism.core.ledger.model import WhyNotAnswer
from asterism.errors import InputError, UnknownError
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import DAY, FACTS, NOON, AnyMemory, HandClock, at_cosine, by_hand, remembering

QUIET = {"excavation_days": 0}


def hit(memory: AnyMemory, node: str, query: str, **how: Any) -> bool:
    return node in {each.id for each in memory.recall(query, **how).hits}


def tell(memory: AnyMemory, why_not: WhyNotAnswer) -> None:
    """Make the call that the answer names."""
    call, *words = why_not.tell
    getattr(memory, call)(*words)


def lets_in(memory: AnyMemory, node: str, query: str, **how: Any) -> WhyNotAnswer:
    """Ask why something is not there, do what is said, and see it come in."""
    why_not: WhyNotAnswer = memory.why_not(node, query, **how)
    assert hit(memory, node, query, **how) == (why_not.gate == "in"), why_not
    if why_not.gate != "in":
        if why_not.tell:
            tell(memory, why_not)
            assert hit(memory, node, query, **how), why_not
        else:
            assert why_not.ask
            assert hit(memory, node, query, **{**how, **why_not.ask}), why_not
    return why_not


def diary(**how: Any) -> AnyMemory:
    memory = remembering(InMemoryStore(), **how)
    memory.__enter__()
    return memory


# In an answer


ALL = [(0, "tags"), (1, "category"), (2, "kinds"), (3, "since"), (4, "until"), (5, "source")]


@settings(max_examples=20)
@given(
    st.integers(0, len(FACTS) - 1),
    st.sampled_from(["garden water", "Lisbon", "what does Ada play?", "honey"]),
    st.integers(1, 4),
    st.sampled_from([None, 1, 10, 25]),
    st.sets(st.sampled_from(ALL), max_size=3),
)
def test_whatever_is_asked_the_change_is_true(
    place: int, query: str, k: int, budget: int | None, filters: set[tuple[int, str]]
) -> None:
    with diary() as memory:
        ids = [memory.learn(fact, tags=["a"], category="fact", source="ada").id for fact in FACTS]
        memory.dream()
        wrong = {
            "tags": ["b"],
            "category": "other",
            "kinds": ["star"],
            "since": NOON + DAY,
            "until": NOON - DAY,
            "source": "bob",
        }
        how = {"k": k, "budget_tokens": budget, **{name: wrong[name] for _, name in filters}}
        told = lets_in(memory, ids[place], query, **how)
        assert (told.gate == "filter") == bool(filters)
        if filters:
            assert all(name in told.change for _, name in filters)
        elif told.gate == "rank":
            rank = int(told.rank or 0)
            assert (told.ask or {})["k"] == rank > k
            assert not hit(memory, ids[place], query, **{**how, "k": rank - 1, "budget_tokens": None})
        elif told.gate == "budget":
            less = {**how, "budget_tokens": int(told.needed) - 1}
            assert int(told.needed) - 1 < 1 or not hit(memory, ids[place], query, **less)


def test_a_link_that_fell_asleep_no_longer_carries_and_one_item_wakes_it() -> None:
    clock = HandClock()
    with diary(clock=clock, parameters=QUIET, embedder=by_hand({"piano": [1.0, 0.0]})) as memory:
        piano = memory.learn("Ada plays the piano every Tuesday evening.").id
        bread = memory.learn("Grandmother's bread has walnuts in it.").id
        for number in range(12):
            memory.learn(f"Grandfather has {number} jars on it too.")
        for _ in range(3):
            memory.observe(piano, bread, "user_confirms")
            clock.now += DAY
        how = {"k": 2, "hops": 1}
        query = "Ada plays the piano every Tuesday evening"
        assert hit(memory, bread, query, **how)
        clock.now += 40 * DAY
        assert memory.link(piano, bread).state == "DORMANT"
        told = memory.why_not(bread, query, **how)
        assert told.gate == "dormant"
        assert f"{piano}" in told.change
        assert told.tell[0] == "observe"
        since = told.change.split("since ")[1][:10]
        asleep = {day: memory.link(piano, bread, at=NOON + day * DAY).state == "DORMANT" for day in range(3, 43)}
        first = min(day for day, is_asleep in asleep.items() if is_asleep)
        # asleep at the end of that day, so that a look on the day after sees it
        assert since == f"{NOON + (first - 1) * DAY:%Y-%m-%d}"
        assert memory.why_not(bread, query, **how) == told  # to look changes nothing
        lets_in(memory, bread, query, **how)
        assert memory.link(piano, bread).state != "DORMANT"


def test_a_link_that_dissolved_is_told_of_too() -> None:
    clock = HandClock()
    with diary(clock=clock, parameters=QUIET, embedder=by_hand({"piano": [1.0, 0.0]})) as memory:
        piano = memory.learn("Ada plays the piano every Tuesday evening.").id
        bread = memory.learn("Grandmother's bread has walnuts in it.").id
        for number in range(12):
            memory.learn(f"Grandfather has {number} jars on it too.")
        memory.observe(piano, bread, "user_creates")
        clock.now += 20 * DAY
        assert memory.link(piano, bread).state == "DISSOLVED"
        told = lets_in(memory, bread, "Ada plays the piano every Tuesday evening", k=2)
        assert told.gate == "dormant"
        assert "DISSOLVED" in told.change


def test_what_waking_does_not_help_is_told_of_its_rank() -> None:
    clock = HandClock()
    with diary(clock=clock, parameters=QUIET) as memory:
        ids = [memory.learn(fact).id for fact in FACTS]
        memory.observe(ids[0], ids[5], "user_creates")
        clock.now += 30 * DAY
        told = lets_in(memory, ids[0], "garden water", k=1)
        assert (told.gate, told.tell) == ("rank", ())


def test_what_is_gone_comes_back() -> None:
    with diary() as memory:
        ids = [memory.learn(fact).id for fact in FACTS]
        memory.forget(ids[0])
        assert lets_in(memory, ids[0], "piano").gate == "gone"
        edited = memory.edit(ids[1], "The garden needs much water.").id
        told = memory.why_not(ids[1], "garden")
        assert (told.gate, told.tell) == ("gone", ())
        assert edited in told.change


# Between two blocks


def linked(memory: AnyMemory, a: str, b: str) -> bool:
    return bool(memory.links(a, b))


@pytest.mark.parametrize(
    ("words", "gate", "rules"),
    [
        ({"one": at_cosine(1), "two": at_cosine(0.1)}, "guard", {}),
        ({"one": at_cosine(1), "two": at_cosine(0.4)}, "threshold", {"edge_score_threshold": 0.9}),
        ({"one": at_cosine(1), "two": at_cosine(0.8)}, "cap", {"edge_degree_cap": 0}),
        ({"one": at_cosine(1), "two": at_cosine(0.8)}, "inbox", {}),
    ],
)
def test_each_gate_of_a_dream_says_what_links_the_two(words: Any, gate: str, rules: Any) -> None:
    with diary(embedder=by_hand(words), parameters=rules) as memory:
        one, two = (memory.learn(f"{word}.").id for word in words)
        if gate != "inbox":
            memory.dream()
        told = memory.why_not(one, two)
        assert (told.gate, linked(memory, one, two)) == (gate, False)
        assert told.value < told.needed or gate == "cap"
        tell(memory, told)
        assert linked(memory, one, two)
        if gate == "inbox":
            assert memory.why_not(one, two).gate == "linked"


def test_the_missing_tags_link_two_blocks() -> None:
    words = {"one": at_cosine(1), "two": at_cosine(0.45)}
    with diary(embedder=by_hand(words), parameters={"edge_score_threshold": 0.6}) as memory:
        one, two = (memory.learn(f"{word}.").id for word in words)
        memory.dream()
        told = memory.why_not(one, two)
        assert told.gate == "threshold"
        assert "Share tags" in told.change
        for word in words:
            memory.learn(f"{word}.", tags=["same"])
        memory.forget(two)
        memory.restore(two)
        memory.dream()
        assert memory.why_not(one, two).gate == "linked"


def test_nothing_keeps_two_apart_that_no_dream_looked_at_again() -> None:
    words = {"one": at_cosine(1), "two": at_cosine(0.45)}
    store = InMemoryStore()
    with remembering(store, embedder=by_hand(words), parameters={"edge_score_threshold": 0.9}) as memory:
        one, two = (memory.learn(f"{word}.").id for word in words)
        memory.dream()
        memory.configure(parameters={"edge_score_threshold": 0.3})
    with remembering(store, embedder=by_hand(words)) as memory:
        told = memory.why_not(one, two)
        assert told.gate == "none"
        memory.forget(two)
        memory.restore(two)
        memory.dream()
        assert memory.why_not(one, two).gate == "linked"
        assert memory.why_not(f"{one}~{two}", "similar").gate == "linked"


# Of a connection


def stars(clock: HandClock, **rules: Any) -> AnyMemory:
    memory = diary(clock=clock, parameters={**QUIET, **rules})
    for name in ("Sleep", "Mood"):
        memory.add_star(name, domain="health")
    return memory


@pytest.mark.parametrize("wanted", ["NASCENT", "FORMING", "WEAK", "MODERATE", "STRONG"])
@pytest.mark.parametrize("before", [0, 1, 3, 8])
def test_as_much_evidence_as_is_named_makes_the_state(wanted: str, before: int) -> None:
    clock = HandClock()
    with stars(clock) as memory:
        for _ in range(before):
            memory.observe("sleep", "mood", "user_confirms")
            clock.now += DAY
        told = memory.why_not("sleep~mood", wanted)
        if told.gate == "in":
            assert LinkState[memory.link("sleep", "mood").state] >= LinkState[wanted]
            return
        assert told.gate in ("evidence", "threshold")
        _, a, b, kind, times = told.tell
        states = []
        for _ in range(int(times)):
            memory.observe(a, b, kind)
            states.append(memory.link("sleep", "mood").state)
            clock.now += DAY
        assert states[-1] == wanted or wanted == "NASCENT"
        assert wanted not in states[:-1]


def test_a_sleeping_connection_says_since_when_and_what_wakes_it() -> None:
    clock = HandClock()
    with stars(clock) as memory:
        for _ in range(3):
            memory.observe("sleep", "mood", "user_confirms")
            clock.now += DAY
        clock.now += 60 * DAY
        told = memory.why_not("mood~sleep", "FORMING")
        assert told.gate == "dormant"
        assert "DORMANT since 2026-03" in told.change
        _, a, b, kind, times = told.tell
        for _ in range(int(times)):
            memory.observe(a, b, kind)
            clock.now += DAY
        assert memory.link("sleep", "mood", at=clock.now - DAY).state in ("FORMING", "WEAK")


def test_a_kind_that_was_not_detected_says_which_condition_fails() -> None:
    clock = HandClock()
    with stars(clock) as memory:
        assert memory.why_not("sleep~mood", "tension").gate == "evidence"
        for day in range(12):
            memory.observe("sleep", "mood", "user_confirms")
            memory.set_brightness("sleep", 0.3 + 0.05 * (day % 5))
            memory.set_brightness("mood", 0.3 + 0.05 * (day % 5))
            clock.now += DAY
        assert memory.why_not("sleep~mood", "resonance").gate == "in"
        for kind, gate in (
            ("tension", "correlation"),
            ("causation", "causation"),
            ("growth_edge", "causation"),
            ("blocks", "condition"),
            ("shadow_mirror", "condition"),
        ):
            told = memory.why_not("sleep~mood", kind)
            assert told.gate == gate
            if gate == "correlation":
                assert told.value > 0.9
        tell(memory, memory.why_not("sleep~mood", "tension"))
        assert memory.link("sleep", "mood").kind == "tension"
        assert memory.why_not("sleep~mood", "resonance").gate == "assigned"
        with pytest.raises(InputError) as odd:
            memory.why_not("sleep~mood", "sideways")
        assert odd.value.code == "bad_state"
        with pytest.raises(UnknownError):
            memory.why_not("sleep~nobody", "STRONG")


def test_the_past_is_asked_too() -> None:
    clock = HandClock()
    with stars(clock) as memory:
        memory.observe("sleep", "mood", "user_confirms")
        clock.now += timedelta(days=3)
        for _ in range(9):
            memory.observe("sleep", "mood", "user_confirms")
            clock.now += DAY
        then = memory.as_of(NOON + DAY)
        assert then.why_not("mood~sleep", "FORMING").gate == "evidence"
        assert memory.why_not("mood~sleep", "FORMING").gate == "in"
