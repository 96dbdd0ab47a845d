"""The kernel against the plain walk, the seed's five invariants, and every option."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.dialogue.intents import TABLETOP, detect_intent
from asterism.core.dialogue.kernel import Reading, causal_links
from asterism.core.dialogue.lines import Actor, Line, Mask, clean_lines
from asterism.core.dialogue.links import Chunk
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.scoring import Pairs, Scene
from asterism.errors import InputError
from asterism.weights import reply_table
from tests.support.dialogue import MASTER, PLAYERS, masks, plain_causal_links, transcripts
from tests.support.work import cpu_seconds, lines_run

ACTORS = [Actor(name.lower(), name) for name in PLAYERS]


@st.composite
def sessions(draw: st.DrawFn) -> tuple[list[Line], list[Mask], dict[str, object]]:
    lines = draw(transcripts())
    options = {
        "k_local": draw(st.integers(1, 10)),
        "distance": draw(st.sampled_from(("gap", "dm_turn"))),
        "bridge": draw(st.booleans()),
    }
    return lines, draw(masks(len(lines))), options


def read(lines: list[Line], spans: list[Mask] = [], **options: object) -> Reading:  # noqa: B006 - never written to
    present = {line.author_name for line in lines}
    actors = ACTORS if present & set(PLAYERS) else None
    return causal_links(lines, session="s", responders=[MASTER], actors=actors, masks=spans, **options)  # type: ignore[arg-type]


@given(sessions())
def test_the_plain_walk_gives_the_same_links(session: tuple[list[Line], list[Mask], dict[str, object]]) -> None:
    lines, spans, options = session
    players = PLAYERS if {line.author_name for line in lines} & set(PLAYERS) else ("Zed",)
    expected = plain_causal_links(
        clean_lines(tuple(lines))[0],
        session="s",
        players=players,
        masters=[MASTER],
        masks=spans,
        **options,  # type: ignore[arg-type]
    )
    assert list(read(lines, spans, **options).links) == expected


@given(sessions(), st.sampled_from(("ordered", "greedy")))
def test_the_five_invariants(session: tuple[list[Line], list[Mask], dict[str, object]], allocation: str) -> None:
    lines, spans, options = session
    k_local = options["k_local"]
    assert isinstance(k_local, int)
    first, again = (read(lines, spans, allocation=allocation, created_at_ms=at, **options) for at in (1, 2))
    assert [link.id for link in first.links] == [link.id for link in again.links]  # 1: the same ids, whatever the time
    strong = [
        link.consequence_anchor_index for link in first.links if link.claimed and link.intent_strength == "strong"
    ]
    assert len(strong) == len(set(strong))  # 2: strong intents never share
    out = {place for mask in spans for place in range(mask.start, mask.end + 1)}
    for link in first.links:
        start, end = link.intent_anchor_index, link.consequence_anchor_index
        assert start not in out
        if end is None:
            assert (link.distance, link.score, link.consequence_text, link.claimed) == (None, None, None, False)
            continue
        between = set(range(start, end + 1)) if not options["bridge"] else {end}
        assert not between & out  # 3: no link spans an excluded line
        assert link.distance is not None
        assert link.distance <= k_local  # 4: never farther than k_local
        if options["distance"] == "gap":
            assert link.distance == end - start
        assert start < end  # 5: never backward


@given(sessions())
def test_traces_tell_the_links(session: tuple[list[Line], list[Mask], dict[str, object]]) -> None:
    lines, spans, options = session
    reading = read(lines, spans, traces=True, **options)
    assert len(reading.traces) == len(reading.links)
    for trace, link in zip(reading.traces, reading.links, strict=True):
        assert (trace.intent_anchor_index, trace.winner) == (link.intent_anchor_index, link.consequence_anchor_index)
        assert trace.why
        for candidate in trace.candidates:
            near, shared, boost = (candidate.parts[name] for name in ("nearness", "lexical", "answer"))
            assert candidate.score == pytest.approx(near * (1 + 0.5 * shared) + boost, abs=1e-8)
        if trace.winner is not None and trace.winner != trace.wanted:
            assert trace.intent_strength == "strong"


def test_the_reasons_of_a_trace() -> None:
    lines = [
        Line(0, "Ann", "I open the door."),
        Line(1, "Bo", "I open the door too."),
        Line(2, "DM", "The door opens."),
        Line(3, "Cy", "I'll wait by the well."),
        Line(4, "Ann", "Is it open?"),
        Line(5, "Ann", "I'll rest."),
        Line(6, "Zed", "hm"),
        Line(7, "Zed", "hm"),
        Line(8, "DM", "Night falls."),
        Line(9, "Bo", "I sleep."),
    ]
    reading = causal_links(lines, session="s", traces=True, strong_min_score=0.45)
    told = {trace.intent_anchor_index: trace.why for trace in reading.traces}
    assert told[0] == "the best of its candidates"
    assert told[1] == "line 2 went to the intent of line 0, and no other scores 0.45"
    assert told[5] == "its best, line 8, scores 0.291, below 0.45"
    assert told[9].startswith("no response within 8 lines")
    assert reading.metrics.contested[0].bidders == (0, 1)
    assert (reading.metrics.contested[0].line_index, reading.metrics.contested[0].owner) == (2, 0)
    assert 9 in reading.metrics.unclaimed_strong


def test_a_strong_intent_takes_the_best_one_left_and_a_weak_one_shares() -> None:
    lines = [
        Line(0, "Ann", "I open the door."),
        Line(1, "Bo", "I open the door."),
        Line(2, "Cy", "Is it open?"),
        Line(3, "DM", "The door opens."),
        Line(4, "DM", "It is open."),
    ]
    reading = causal_links(lines, session="s", traces=True, strong_min_score=0.1)
    assert [link.consequence_anchor_index for link in reading.links] == [3, 4, 3]
    assert reading.traces[1].why == "the best one left: line 3 went to the intent of line 0"
    assert reading.traces[2].why == "the best of its candidates, shared with the intent of line 0"
    assert reading.metrics.fanout == {1: 1, 2: 1}
    greedy = causal_links(lines, session="s", allocation="greedy", strong_min_score=0.1)
    assert [link.consequence_anchor_index for link in greedy.links] == [4, 3, 3]


def test_a_greedy_intent_without_enough_gets_nothing() -> None:
    lines = [
        Line(0, "Ann", "I wait."),
        Line(1, "Bo", "hm"),
        Line(2, "Bo", "hm"),
        Line(3, "DM", "Hm."),
        Line(4, "Bo", "I go."),
    ]
    reading = causal_links(lines, session="s", allocation="greedy", traces=True)
    assert [link.claimed for link in reading.links] == [False, False]


def test_a_far_response_needs_responder_turns_to_be_near() -> None:
    lines = [
        Line(0, "Ann", "I climb."),
        *[Line(place, "Bo", "hm") for place in range(1, 20)],
        Line(20, "DM", "Up you go."),
    ]
    assert not causal_links(lines, session="s").links[0].claimed
    (link,) = causal_links(lines, session="s", distance="dm_turn").links
    assert (link.claimed, link.distance, link.score) == (True, 1, 0.821262391)


def test_masks_stop_the_search_and_bridge_goes_on() -> None:
    lines = [Line(0, "Ann", "I climb."), Line(1, "Bo", "pizza!"), Line(2, "DM", "Up you go.")]
    noise = [Mask(1, 1, "noise")]
    assert not causal_links(lines, session="s", masks=noise).links[0].claimed
    (link,) = causal_links(lines, session="s", masks=noise, bridge=True).links
    assert (link.claimed, link.distance) == (True, 2)
    hidden = causal_links(lines, session="s", masks=[Mask(0, 0, "ooc_hard")])
    assert (hidden.links, hidden.skipped["excluded"]) == ((), 1)


def test_unknown_speakers_are_counted() -> None:
    lines = [Line(0, "Ann", "I climb."), Line(1, "Zed", "I climb too."), Line(2, "", "I?"), Line(3, "DM", "Up.")]
    reading = causal_links(lines, session="s", actors=[Actor("ann", "Ann")])
    assert [link.actor for link in reading.links] == ["ann"]
    assert reading.skipped == {"excluded": 0, "unknown_speaker": 2, "system": 0}
    assert [link.actor for link in causal_links(lines, session="s").links] == ["ann", "zed"]


def test_kinds_of_lines_count() -> None:
    lines = [
        Line(0, "Ann", "chops the tree", None, "action"),
        Line(1, "DM", "17", None, "roll"),
        Line(2, "Bo", "I joined?", None, "system"),
    ]
    reading = causal_links(lines, session="s")
    assert [(link.rule, link.consequence_type) for link in reading.links] == [("action_line", "roll")]
    assert reading.skipped["system"] == 1
    found = [
        detect_intent("chops", "action"),
        detect_intent("I go", "system"),
        detect_intent("I go"),
        detect_intent("hm"),
    ]
    assert [rule and rule.name for rule in found] == ["action_line", None, "i_do", None]


def test_the_rows_of_the_seed_leave_unclaimed_weak_intents_out() -> None:
    lines = [Line(0, "DM", "Hm."), Line(1, "Ann", "Where?"), Line(2, "Ann", "I climb.")]
    assert len(causal_links(lines, session="s").links) == 2
    assert [link.intent_type for link in causal_links(lines, session="s", include_unclaimed_weak=False).links] == [
        "declare"
    ]


def test_chunks_make_events_of_links() -> None:
    lines = [Line(0, "Ann", "I climb."), Line(1, "DM", "Up."), Line(2, "Bo", "I fall."), Line(3, "Ann", "I wait.")]
    reading = causal_links(lines, session="s", chunks=[Chunk("tower", 1, 2)])
    assert {name: [link.intent_anchor_index for link in links] for name, links in reading.events.items()} == {
        "tower": [0],
        "": [3],
    }


def test_a_reading_can_be_told_as_json() -> None:
    lines = [Line(0, "Ann", "I climb."), Line(1, "DM", "Up."), Line(2, "Bo", "Hm")]
    options = {"masks": [Mask(2, 2, "noise")], "chunks": [Chunk("tower", 0, 1)], "traces": True}
    told = json.loads(json.dumps(causal_links(lines, session="s", **options).to_dict()))  # type: ignore[arg-type]
    assert told["links"][0]["consequence_anchor_index"] == 1
    assert told["events"] == {"tower": [told["links"][0]["id"]]}
    assert told["excluded"] == [{"start": 2, "end": 2, "reasons": ["noise"]}]
    assert told["metrics"]["by_strength"]["strong"] == {"claimed": 1, "intents": 1}
    assert told["traces"][0]["candidates"][0]["parts"]["nearness"] == 0.821262391
    assert told["parameters"]["k_local"] == 8


def test_a_link_can_be_told_as_json() -> None:
    (link,) = causal_links([Line(0, "Ann", "I climb."), Line(1, "DM", "Up.")], session="s").links
    told = json.loads(json.dumps(link.to_dict()))
    assert tuple(told) == link._fields
    assert tuple(told.values()) == tuple(link)


def test_another_book_of_rules_and_another_scorer_can_be_given() -> None:
    class Farthest:
        name = "farthest"

        def scores(self, _: Scene, pairs: Pairs) -> list[float]:
            return [float(distance) for distance in pairs.distances]

        def parts(self, _: Scene, pairs: Pairs) -> list[dict[str, float]]:
            return [{"distance": float(distance)} for distance in pairs.distances]

    lines = [
        Line(0, "Ann", "That's a 19."),
        Line(1, "DM", "Hits."),
        Line(2, "DM", "Roll damage."),
        Line(3, "Ann", "Really?"),
    ]
    assert [link.intent_type for link in causal_links(lines, session="s").links] == ["question"]
    reading = causal_links(lines, session="s", intent_rules=TABLETOP, scorer=Farthest(), traces=True)
    (link,) = reading.links
    assert (link.rule, link.consequence_anchor_index, link.score) == ("roll_report", 2, 2.0)
    assert reading.scorer == "farthest"
    assert reading.traces[0].candidates[1].parts == {"distance": 2.0}


def test_presets_and_single_values_combine() -> None:
    lines = [Line(0, "Ann", "I climb."), Line(1, "DM", "Up.")]
    reading = causal_links(lines, session="s", preset=("seed", "tabletop"), weak_min_score=0.2, tables=reply_table)
    assert (reading.parameters.distance, reading.parameters.weak_min_score) == ("dm_turn", 0.2)
    assert causal_links(lines, session="s").parameters == DialogueParameters()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"k_local": 0}, "bad_parameters"),
        ({"distance": "miles"}, "bad_parameters"),
        ({"allocation": "fair"}, "bad_parameters"),
        ({"strong_min_score": float("nan")}, "bad_parameters"),
        ({"session": ""}, "bad_text"),
        ({"session": "a\nb"}, "bad_text"),
        ({"preset": "loud"}, "unknown_preset"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], code: str) -> None:
    lines = [Line(0, "Ann", "I climb."), Line(1, "DM", "Up.")]
    with pytest.raises(InputError) as caught:
        causal_links(lines, **{"session": "s", **options})  # type: ignore[arg-type]
    assert caught.value.code == code


def test_a_session_twice_as_long_is_twice_the_work() -> None:
    said = (
        "I open the door and look for the key.",
        "Okay, nice.",
        "You see a long hall with a door.",
        "Where is the key?",
    )
    lines = [Line(n, ("Ann", "Bo", "DM", "Cy")[n % 4], f"{said[n % 4]} {n}") for n in range(1_000)]
    half = lines_run(lambda: causal_links(lines[:500], session="s"))
    assert lines_run(lambda: causal_links(lines, session="s")) < 2.5 * half


def seconds_of(text: str) -> float:
    lines = [Line(0, "Ann", text), Line(1, "DM", text)]
    return cpu_seconds(lambda: causal_links(lines, session="s", intent_rules=TABLETOP))


def test_a_line_made_to_be_slow_is_not() -> None:
    plain = seconds_of("The river bends to the north. " * 500)
    for piece in ("make ", "we ", "A-", "the a", "i just ", "oh ", "19 plus ", "you are ", "I'm going to ", "can "):
        assert seconds_of(piece * 3_000) < 200 * plain, piece  # one that looks back at each word takes thousands
