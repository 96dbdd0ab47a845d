"""A whole exploration: it always ends within its bounds, replays exactly, and does not care who answers first."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.ledger.parameters import Parameters, Setting
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.walkers.effects import effects_of
from asterism.core.walkers.expedition import Expedition, run
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.payloads import check_payload
from asterism.core.walkers.places import Answer, Look, Request
from asterism.core.walkers.result import result_of
from asterism.core.walkers.states import MOVES, REASONS, State, mermaid, move
from asterism.core.walkers.trace import as_data, as_text, as_tree, from_data
from asterism.core.walkers.walker import Walker
from asterism.errors import AsterismError, InputError
from tests.support.walkers import (
    Link,
    Node,
    branch,
    directions,
    explored,
    graph,
    graphs,
    sent,
    settings_drawn,
    states,
    step,
    toward,
)

QUESTION = directions(perhaps_none=False)


# --- the table ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", State)
@pytest.mark.parametrize("after", State)
@pytest.mark.parametrize("stop", [None, "max_steps", "deadline", "cancelled", "boredom"])
def test_a_move_that_is_not_in_the_table_raises_and_changes_nothing(
    before: State, after: State, stop: str | None
) -> None:
    named = stop in ("max_steps", "deadline", "cancelled")
    legal = after in MOVES[before] if stop is None else named and after is State.MERGING and before is not State.MERGING
    walker: Walker = sent(graph([Node("a", "place", toward(0))], []), "a", toward(0)).root
    walker.state, walker.stop = before, "as it was"
    if legal:
        walker.to(after, stop=stop)
        assert walker.state is after
        return
    with pytest.raises(AsterismError) as refused:
        walker.to(after, stop=stop, because="other")
    assert refused.value.code == "illegal_move"
    assert (walker.state, walker.stop) == (before, "as it was")


def test_the_diagram_shows_every_move() -> None:
    drawn = mermaid()
    assert all(f"{before.name} --> {after.name}: {REASONS[before, after]}" in drawn for before, after in REASONS)
    assert {(before, after) for before in MOVES for after in MOVES[before]} == set(REASONS)
    assert drawn.count("deadline") == len(State) - 1
    with pytest.raises(AsterismError, match="nothing more"):
        move(State.MERGING, State.SEEKING)


# --- any graph, any order -----------------------------------------------------------------------------------------


def moved(done: Expedition, walker: str) -> State:
    """Make the moves that a trace tells of a walker, one after the other."""
    state = State.SEEKING
    for told in done.trace:
        if told.walker == walker:
            assert told.state == state.name
            stays = told.after == told.state and told.state in ("BRANCHING", "MERGING")  # it waits, or is at the end
            stop = "max_steps" if told.did == "stopped: max_steps" else None
            state = state if stays else move(state, State[told.after], stop=stop)
    return state


@settings(max_examples=120, deadline=None)
@given(graphs(), QUESTION, st.none() | QUESTION, settings_drawn())
def test_it_always_ends_within_its_bounds(
    place: WalkGraph, query: list[float], intention: list[float] | None, chosen: Mapping[str, Setting]
) -> None:
    done = explored(place, "n0", query, intention, **chosen)
    p = done.tour.p
    assert len(done.tour.walkers) <= p.max_walkers
    assert done.steps == sum(walker.steps for walker in done.tour.walkers) <= len(done.trace)
    for walker in done.tour.walkers:
        assert walker.done
        assert walker.state is State.MERGING
        assert walker.steps <= p.max_steps + 1  # the merging step comes after the loop
        assert walker.depth <= p.max_depth
        assert 0.0 <= walker.satisfaction <= 1.0
        assert len({hop.link for hop in walker.walked}) == walker.depth
        assert states(done, walker.name).count("MERGING") == 1
        assert moved(done, walker.name) is State.MERGING
    effects = effects_of(done, embedder="e")
    check_payload(effects)
    assert effects == effects_of(explored(place, "n0", query, intention, **chosen), embedder="e")


@settings(max_examples=60, deadline=None)
@given(
    graphs(kinds=["moment", "narrative", "thing"]),
    QUESTION,
    QUESTION,
    settings_drawn(),
    st.randoms(use_true_random=False),
)
def test_the_order_of_answers_changes_nothing(
    place: WalkGraph, query: list[float], intention: list[float], chosen: Mapping[str, Setting], chance: random.Random
) -> None:
    plain = explored(place, "n0", query, intention, **chosen)
    shuffled = sent(place, "n0", query, intention, **chosen)
    while not shuffled.done:
        asked = list(shuffled.ask())
        chance.shuffle(asked)
        for each in asked:
            each.answer = place.answer(each.request)
        shuffled.settle()
    assert shuffled.trace == plain.trace
    assert effects_of(shuffled) == effects_of(plain)


def test_in_a_round_effects_count_in_the_order_of_the_trace() -> None:
    place = graph(*branch())
    expedition = sent(place, "m", toward(0))
    while not expedition.root.children or expedition.root.children[1].here is None:
        step(expedition, place)
    first, second = expedition.root.children
    second.walked, second.satisfaction = list(first.walked), 0.9  # one link, of which both have something to say
    first.state, second.state = State.CRYSTALLIZING, State.REFLECTING  # the first has to ask, the second has not
    step(expedition, place)
    assert [each.walker for each in expedition.trace[-2:]] == [first.name, second.name]
    assert first.crystal is not None
    assert {each.boost for each in expedition.tour.coloured.values()} == {expedition.tour.p.boost_crystallized}


@settings(max_examples=40, deadline=None)
@given(graphs(), QUESTION, settings_drawn())
def test_a_recorded_run_replays_exactly(place: WalkGraph, query: list[float], chosen: Mapping[str, Setting]) -> None:
    recorded: list[tuple[int, Answer]] = []

    def recording(request: Request) -> Answer:
        answer = place.answer(request)
        recorded.append((request.node if isinstance(request, Look) else -1, answer))
        return answer

    first = run(sent(place, "n0", query, None, **chosen), recording)
    answers = iter(recorded)

    def replaying(request: Request) -> Answer:
        node, answer = next(answers)
        assert node == (request.node if isinstance(request, Look) else -1)
        return answer

    second = run(sent(place, "n0", query, None, **chosen), replaying)
    assert second.trace == first.trace
    assert effects_of(second) == effects_of(first)


# --- stops and failures -------------------------------------------------------------------------------------------

FORK = (
    [Node("m", "moment", toward(0)), Node("n", "narrative", toward(30)), Node("c", "place", toward(-30), "text")],
    [Link("m", "n"), Link("m", "c")],
)


def test_a_walker_that_makes_too_many_steps_is_stopped_by_name() -> None:
    done = explored(graph(*FORK), "m", toward(0), max_steps=2)
    assert {walker.stop for walker in done.root.children} == {"max_steps"}
    assert done.root.stop == "max_steps"
    told = [(each.state, each.did, each.after) for each in done.trace if each.walker == "0"]
    assert told[-2:] == [("BRANCHING", "stopped: max_steps", "MERGING"), ("MERGING", "done: max_steps", "MERGING")]


@pytest.mark.parametrize("reason", ["deadline", "cancelled"])
@pytest.mark.parametrize("rounds", range(1, 9))
def test_a_stop_ends_every_walker_and_keeps_what_was_found(reason: str, rounds: int) -> None:
    place = graph(*FORK)
    expedition = sent(place, "m", toward(0))
    for _ in range(rounds):
        for asked in expedition.ask():
            asked.answer = place.answer(asked.request)
        expedition.settle()
    next(expedition.begin())  # in the middle of a round
    expedition.stop(reason)
    assert expedition.root.stop == reason
    assert all(walker.done for walker in expedition.tour.walkers)
    assert result_of(expedition).effects == {}
    assert ("n" in expedition.root.found) == (rounds >= 4)  # a step that only looked has found nothing


def test_a_stop_that_is_no_stop_is_refused() -> None:
    with pytest.raises(AsterismError):
        sent(graph(*FORK), "m", toward(0)).stop("boredom")


def test_a_lost_child_is_told_and_the_others_go_on() -> None:
    place = graph(*FORK)
    expedition = sent(place, "m", toward(0))
    errors: list[BaseException] = []
    while not expedition.done:
        for asked in expedition.ask():
            if asked.walker.name == "0.1" and isinstance(asked.request, Look):
                asked.error = OSError("gone")
            else:
                asked.answer = place.answer(asked.request)
        errors += expedition.settle()
    assert [str(error) for error in errors] == ["gone"]
    told = result_of(expedition)
    assert [(each.walker, each.node, each.error) for each in told.failed] == [("0.1", "c", "gone")]
    assert any(each.id == "n" for each in told.found)
    assert [each.did for each in told.trace if each.walker == "0.1"] == ["failed: gone"]


def test_a_walk_in_portions_pauses_after_so_many_steps_and_where_a_walker_is_lost() -> None:
    place = graph(*FORK)
    whole = explored(place, "m", toward(0))
    expedition = sent(place, "m", toward(0))
    assert list(expedition.portions(place.answer, steps=4)) == [[]] * (whole.steps // 4)
    assert expedition.trace == whole.trace

    def breaking(request: Request) -> Answer:
        if isinstance(request, Look) and place.ids[request.node] == "c":
            raise OSError("gone")
        return place.answer(request)

    expedition = sent(place, "m", toward(0))
    told = [str(error) for errors in expedition.portions(breaking, steps=100) for error in errors]
    assert told == ["gone"]
    assert expedition.done


# --- what is told -------------------------------------------------------------------------------------------------


def test_the_result_tells_everything() -> None:
    nodes = [Node("a", "actor", toward(10), "text"), *FORK[0]]
    place = graph(nodes, [Link("a", "m", hierarchy=0.5), *FORK[1]])
    done = explored(place, "a", toward(0), toward(20))
    told = result_of(done, took_ms=1.5, embedder="e")
    assert told.crystallized in {each.id for each in told.found}
    assert str(told).splitlines()[-1] == f"crystallised {told.crystallized}, why: M"
    assert next(each for each in told.found if each.id == "n").path == ("l00", "l01")
    assert list(told.awareness) == pytest.approx([0.5, 0.0])
    assert told.health.hops == 2.0
    assert told.health.backtracks == 0
    assert told.health.mean_alignment > 0.8
    assert told.effects["embedder"] == "e"
    plain = told.to_dict()
    assert plain["trace"] == as_data(told.trace)
    assert from_data(as_data(told.trace)) == list(told.trace)
    narratives = plain["narratives"]
    assert isinstance(narratives, list)
    assert narratives[0]["links"] == [[tie.a, tie.b] for tie in told.narratives[0].ties]
    assert told.text() == as_text(told.trace)
    assert told.tree() == as_tree(told.trace)
    assert told.tree().splitlines()[1].startswith("├─ 0.0  n")
    assert str(told).splitlines()[0] == f"branched after {told.steps} steps of 3 walkers, satisfaction 0.50"


def test_a_result_of_nothing_says_so() -> None:
    told = result_of(explored(graph([Node("a", "actor", toward(0))], []), "a", toward(0)))
    assert told.declined_because == "the path is empty"
    assert str(told).splitlines()[-1] == "nothing crystallised: the path is empty"
    assert (told.stop, told.found, told.crystallized) == ("dead_end", (), None)
    assert told.health.mean_alignment == 0.0


def test_a_long_result_shows_the_best_ten() -> None:
    nodes = [Node(f"n{n:02}", "thing", [float(n == axis) for axis in range(13)] + [1.0], "text") for n in range(12)]
    links = [Link(f"n{n:02}", f"n{n + 1:02}") for n in range(11)]
    told = result_of(
        explored(graph(nodes, links), "n00", [0.0] * 13 + [1.0], max_depth=20, fatigue_window=50, absorb_novelty=1.0)
    )
    assert len(told.found) == 12
    assert "  and 2 more" in str(told)


def test_plateaus_and_deep_walks_without_findings_are_anomalies() -> None:
    size = 12
    axes = [[float(n == axis) for axis in range(size)] + [1.0] for n in range(size)]
    row = graph(
        [Node(f"n{n:02}", "place", axes[n]) for n in range(size)],
        [Link(f"n{n:02}", f"n{n + 1:02}") for n in range(size - 1)],
    )
    goal = [0.0] * size + [1.0]
    assert result_of(explored(row, "n00", goal, max_walkers=1)).health.anomalies == ("plateau: 1 walkers tired",)
    deep = explored(row, "n00", goal, fatigue_window=50, max_depth=4, nearest_narrative=0.0)
    assert result_of(deep).health.anomalies == ()  # what it crystallised is a finding
    deep.root.crystal = None
    assert result_of(deep).health.anomalies == ("deep without findings: 1 walkers",)


def test_the_trace_keeps_its_first_steps_and_counts_the_rest() -> None:
    done = explored(graph(*FORK), "m", toward(0), trace_steps=3)
    assert len(done.trace) == 3
    assert result_of(done).health.untold_steps == done.steps - 3


def test_a_trace_says_why_a_link_was_not_taken() -> None:
    nodes = [Node("a", "place", toward(0)), Node("b", "place", toward(30)), Node("c", "place", toward(60))]
    nodes += [Node("d", "place", toward(170))]
    links = [Link("a", "b"), Link("a", "c"), Link("a", "d")]
    first = explored(graph(nodes, links), "a", toward(0)).trace[0]
    assert [each.verdict for each in first.seen] == ["chosen", "lower score", "lower score"]
    weak = explored(graph(nodes, links), "a", toward(0), min_link_score=0.99).trace[0]
    assert {each.verdict for each in weak.seen} == {"below min_link_score"}
    assert weak.did == f"best link only {weak.seen[0].score:.4f}"


def test_walking_back_to_a_node_is_a_backtrack() -> None:
    nodes = [Node(name, "place", toward(angle)) for name, angle in (("a", 0), ("b", 30), ("c", 60))]
    links = [Link("a", "b"), Link("b", "c"), Link("c", "a"), Link("a", "a")]
    done = explored(graph(nodes, links), "a", toward(20), min_link_score=0.0)
    assert done.tour.backtracks == 2  # the ring closes, and the link of a to itself


def test_parameters_without_a_vector_are_refused() -> None:
    with pytest.raises(InputError, match="no vector"):
        ExplorationParameters.build("seed", {"crystal_query": 0.0, "crystal_position": 0.0})


def test_the_names_of_parameters_are_exploration_s_own() -> None:
    kinds: list[type[Parameters]] = [row.parameters for row in CAPABILITIES]
    others = {name for kind in kinds if kind is not ExplorationParameters for name, _ in kind.table()}
    assert others.isdisjoint(name for name, _ in ExplorationParameters.table())


def test_a_round_is_settled_before_the_next() -> None:
    expedition: Expedition = sent(
        graph([Node("a", "place", toward(0)), Node("b", "place", toward(0))], [Link("a", "b")]), "a", toward(0)
    )
    expedition.ask()
    with pytest.raises(AssertionError):
        expedition.ask()


def test_links_need_no_emotions() -> None:
    place = WalkGraph.build(ids=["a", "b"], kinds=["place", "place"], vectors=[toward(0), toward(9)], a=[0], b=[1])
    made = explored(place, "a", toward(0)).tour.narratives[0]
    assert made.ties[0].emotions == (0.0, 0.0, 0.0, 0.0)
