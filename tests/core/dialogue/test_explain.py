"""What transcripts say when they are asked why."""

from __future__ import annotations

from asterism.core.dialogue.capability import TRANSCRIPTS
from asterism.core.dialogue.explain import why_other
from asterism.core.dialogue.traces import Candidate, Trace
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
