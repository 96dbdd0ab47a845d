"""Knobs: what a caller may bar or push when a table chooses heads."""

from __future__ import annotations

from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.reply import NONE, Knobs, ReplyModel
from asterism.core.dialogue.tables import Table

SAID = [("ann", "where is the key?"), ("bob", "what a day"), ("ann", "found it"), ("cy", "good morning")]
LINES = [Line(at, who, text) for at, (who, text) in enumerate(SAID)]
NEAREST = Table("nearest", "by hand", 3, {"distance.1": 2.0, "distance.2": 1.0})
SILENT = Table("silent", "by hand", 3, {"none.bias": 3.0})


def test_without_none_every_line_with_one_before_it_has_a_head() -> None:
    assert set(ReplyModel(SILENT).choose(LINES).heads().values()) == {NONE}
    heads = ReplyModel(SILENT, Knobs(allow_none=False)).choose(LINES).heads()
    assert heads[0] == NONE  # there is nothing before it
    assert NONE not in (heads[1], heads[2], heads[3])


def test_a_barred_speaker_never_answers_themself() -> None:
    assert ReplyModel(NEAREST).choose(LINES).p[2, 1] > 0
    barred = ReplyModel(NEAREST, Knobs(same_speaker="barred")).choose(LINES)
    assert barred.p[2, 1] == 0  # ann's own question, two lines before
    assert barred.heads()[2] == 1


def test_a_bias_pushes_towards_none_or_the_own_line() -> None:
    assert ReplyModel(NEAREST).choose(LINES).heads() == {0: NONE, 1: 0, 2: 1, 3: 2}
    assert set(ReplyModel(NEAREST, Knobs(none_bias=50.0)).choose(LINES).heads().values()) == {NONE}
    assert ReplyModel(NEAREST, Knobs(own_bias=50.0)).choose(LINES).heads()[2] == 0
