"""The model that reads with a table, by the shipped ones and by ones written by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.dialogue.features_lines import talk_of
from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.reply import BLOCK, NONE, Knobs, ReplyModel
from asterism.core.dialogue.tables import TABLES, Table
from asterism.errors import InputError
from asterism.weights import reply_table

BUILDING = [
    Line(0, "Architect", "place a red block in the middle"),
    Line(1, "Builder", "place red 0 1 0", None, "action"),
    Line(2, "Architect", "great"),
    Line(3, "Architect", "now put a blue block on top of it"),
    Line(4, "Builder", "place blue 0 2 0", None, "action"),
]
CHANNEL = [
    Line(0, "ann", "how do I mount a usb disk?"),
    Line(1, "bob", "is there a way to play flac files?"),
    Line(2, "", "cy has joined", None, "system"),
    Line(3, "cy", "ann: it should be under /media"),
    Line(4, "dee", "bob: install vlc"),
    Line(5, "ann", "cy: thanks, found it"),
]


def test_an_action_is_the_result_of_the_instruction_before_it() -> None:
    heads = ReplyModel(reply_table("instruction")).choose(BUILDING).heads()
    assert (heads[1], heads[4]) == (0, 3)


@pytest.mark.parametrize("table", ["reply", "channel"])
def test_names_tell_interleaved_conversations_apart(table: str) -> None:
    heads = ReplyModel(reply_table(table)).choose(CHANNEL).heads()
    assert (heads[3], heads[4], heads[5]) == (0, 1, 3)
    assert 2 not in heads


@pytest.mark.parametrize("name", TABLES)
def test_reasons_sum_to_the_logit_and_name_the_chosen_head(name: str) -> None:
    model = ReplyModel(reply_table(name))
    heads = model.choose(CHANNEL).heads()
    reasons = model.explain(CHANNEL, 3)
    assert reasons[0].head == heads[3]
    for why in reasons:
        assert sum(why.parts.values()) == pytest.approx(why.logit, abs=1e-3)
    assert model.explain(CHANNEL, 2) == []  # a system line chooses nothing
    assert model.explain(CHANNEL, 99) == []


@pytest.mark.parametrize("name", TABLES)
def test_families_sum_to_what_gives_p(name: str) -> None:
    model = ReplyModel(reply_table(name), Knobs(none_bias=0.3))
    talk = talk_of(CHANNEL)
    p, families = model.families(talk)
    assert p == pytest.approx(model.probabilities(talk), abs=1e-5)
    logits = np.sum(list(families.values()), axis=0)
    assert logits[3, 2] - logits[3, 0] == pytest.approx(np.log(p[3, 2] / p[3, 0]), abs=1e-3)


def test_a_knob_is_a_named_reason() -> None:
    table = Table("one", "by hand", 2, {"distance.1": 1.0})
    why = ReplyModel(table, Knobs(none_bias=2.0)).explain(CHANNEL, 1)
    assert [(each.head, each.parts) for each in why] == [(NONE, {"knobs": 2.0}), (0, {"distance.1": 1.0})]


def test_links_are_those_that_are_likely_enough() -> None:
    table = Table("one", "by hand", 2, {"distance.1": 3.0})
    choices = ReplyModel(table).choose(CHANNEL)
    assert [(head, line) for head, line, _ in choices.links(0.5)] == [(0, 1), (1, 3), (3, 4), (4, 5)]


@settings(max_examples=12)
@given(
    said=st.lists(st.tuples(st.sampled_from(["ann", "bob", "cy"]), st.text(max_size=30)), min_size=1, max_size=15),
    name=st.sampled_from(TABLES),
)
def test_probabilities_sum_to_one_and_only_earlier_lines_are_heads(said: list[tuple[str, str]], name: str) -> None:
    lines = [Line(at, who, text) for at, (who, text) in enumerate(said)]
    choices = ReplyModel(reply_table(name)).choose(lines)
    assert choices.p.sum(axis=1) == pytest.approx(np.ones(len(lines)), abs=1e-4)
    assert all(head < line for line, head in choices.heads().items())


def test_a_long_transcript_is_read_in_blocks_with_the_same_result() -> None:
    lines = [
        Line(at, ("ann", "bob", "cy")[at * 7 % 3], f"word{at % 11} is it {'?' if at % 5 == 0 else ''}")
        for at in range(BLOCK + 40)
    ]
    table = Table("one", "by hand", 6, {"distance.log": -1.0, "form.x_question": 0.5, "speaker.same": -0.5})
    whole = ReplyModel(table).choose(lines)
    short = ReplyModel(table).choose([line._replace(line_index=at) for at, line in enumerate(lines[BLOCK - 20 :])])
    assert whole.p[BLOCK : BLOCK + 20] == pytest.approx(short.p[20:40], abs=1e-6)


def test_lines_before_since_are_context_that_chooses_nothing() -> None:
    table = Table("one", "by hand", 3, {"distance.1": 3.0}, {"distance.1": 3.0})
    whole, later = ReplyModel(table).choose(CHANNEL), ReplyModel(table).choose(CHANNEL, since=4)
    assert later.p[:3, -1].tolist() == [1.0, 1.0, 1.0]
    assert later.p[3:].tolist() == whole.p[3:].tolist()


def test_the_kernel_without_tables_says_where_they_are() -> None:
    with pytest.raises(InputError, match=r"asterism\.causal_links") as refused:
        causal_links(CHANNEL, session="one", responders=["cy"], scorer="dialogue")
    assert refused.value.code == "no_tables"


def test_the_kernel_reads_with_the_tables_it_is_handed() -> None:
    asked = []

    def tables(name: str) -> Table:
        asked.append(name)
        return Table(name, "by hand", 2, {"distance.1": 1.0})

    assert causal_links(CHANNEL, session="one", responders=["cy"], tables=tables).scorer == "seed"
    assert asked == []  # the seed's scorer needs none
    assert causal_links(CHANNEL, session="one", responders=["cy"], tables=tables, preset="tuned").scorer == "dialogue"
    assert asked == ["reply"]
