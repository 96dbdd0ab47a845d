"""What transcripts say when they are asked why."""

from __future__ import annotations

from asterism.core.dialogue.capability import TRANSCRIPTS
from asterism.core.dialogue.explain import why_other
from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.payloads import payload_of
from asterism.core.dialogue.traces import Candidate, Trace
from asterism.core.ledger.items import make_item
from asterism.weights import reply_table
from tests.support.asking import Asking
from tests.support.readings import read_item, time_of

ASKED = Asking(TRANSCRIPTS, [read_item("One", "door", time_of(5))])


def test_what_names_no_line_is_no_causal_link() -> None:
    found = why_other(ASKED, "One:0")
    assert found is not None
    assert why_other(ASKED, found.subject) == found
    assert [why_other(ASKED, name) for name in ("One:zero", "Two:0", "One:99", "One", 5)] == [None] * 5


def test_a_share_that_was_closed_to_an_answer_is_told() -> None:
    won = Candidate(1, 1, 0.5, {"p": 0.75}, None)
    told = why_other(ASKED, Trace(0, "Ann", "action", "strong", "rule", (won,), 1, 1, "claimed"))
    assert told is not None
    assert [(line.text, line.value) for line in told.lines] == [
        ("how likely it answers the line itself", 0.75),
        ("rounding, or a share that was closed to it", -0.25),
    ]


def test_an_intent_that_nobody_answered_has_no_score() -> None:
    told = why_other(ASKED, "One:2")
    assert told is not None
    assert (told.lines, told.total) == ((), 0.0)
    assert told.notes[0].endswith("that nobody answered")
    nothing = why_other(ASKED, Trace(2, "Ann", "question", "strong", "rule", (), None, None, "no answer"))
    assert nothing is not None
    assert (nothing.total, nothing.notes) == (0.0, ("no answer",))


def test_a_link_of_a_table_says_how_to_see_what_made_it() -> None:
    lines = [Line(0, "Ann", "I open the door."), Line(1, "DM", "The door opens.")]
    reading = causal_links(lines, session="One", responders=["DM"], scorer="dialogue", tables=reply_table)
    payload = payload_of(reading, started_at_ms=0)
    item = make_item(space="me", what="transcript", at=time_of(5), payload=payload, known_at=0)
    told = why_other(Asking(TRANSCRIPTS, [item]), "One:0")
    assert told is not None
    assert [line.text for line in told.lines] == ["how likely it is, by the scorer dialogue"]
    assert told.notes[-1].startswith("what made it")


def test_a_trace_of_the_seed_tells_nearness_and_words() -> None:
    won = Candidate(1, 1, 1.0, {"nearness": 0.5, "lexical": 1.0, "answer": 0.25}, None)
    told = why_other(ASKED, Trace(0, "Ann", "action", "strong", "rule", (won,), 1, 1, "claimed"))
    assert told is not None
    assert [line.value for line in told.lines] == [0.5, 0.25, 0.25]
