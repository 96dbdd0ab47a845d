"""Who answers whom where nobody is a responder: the model that fits, its replies, and the links they make (08 E12)."""

from __future__ import annotations

import numpy as np
import pytest

from asterism.core.dialogue.answering import Answering, Reply
from asterism.core.dialogue.capability import TRANSCRIPTS
from asterism.core.dialogue.explain import why_link, why_node
from asterism.core.dialogue.fold import Transcripts
from asterism.core.dialogue.intents import Intent
from asterism.core.dialogue.lines import Line, Mask
from asterism.core.dialogue.payloads import check_payload, payload_of, said_of
from asterism.core.dialogue.replies import chosen_for, pairs_of, renames
from asterism.core.dialogue.scoring import Scene
from asterism.core.dialogue.tables import Table
from asterism.core.ledger.items import make_item
from asterism.weights import reply_table
from asterism.weights.links import causal_links
from tests.support.asking import Asking

ROOM = [
    ("ann", "how do I mount a usb disk?"),
    ("bob", "is there a way to play flac files?"),
    ("cy", "ann: it should be under /media"),
    ("dee", "bob: install vlc"),
    ("ann", "cy: thanks, found it"),
]


def lines(*said: tuple[str, str]) -> list[Line]:
    return [Line(place, *each) for place, each in enumerate(said)]


def tables(name: str) -> Table:
    return reply_table(name)


def test_what_the_lines_look_like_chooses_the_model() -> None:
    crowd = lines(*[(f"p{number}", "hello all") for number in range(30)])
    assert chosen_for(crowd) == Answering("channel", "30 people")
    assert chosen_for(lines(*ROOM)) == Answering("channel", "4 people, of whose lines 60 % begin with a name")
    two = lines(("Ann", "How was it?"), ("Bo", "Fine."), ("Ann", "Good to hear."))
    assert chosen_for(two) == Answering("reply", "2 people, of whose lines 0 % begin with a name")
    chat = lines(("user", "How was it?"), ("assistant", "Fine."))
    assert chosen_for(chat) == Answering("instruction", "2 people, called user and assistant")
    orders = lines(*[("Ann", "put a block there"), ("Bo", "done")] * 4)
    assert chosen_for(orders).because == "2 people, one of whom tells the other what to do (4 of 4 lines)"
    does = [Line(0, "Ann", "a red one"), Line(1, "Bo", "puts it down", None, "action")]
    assert chosen_for(does) == Answering("instruction", "2 people, who say and do things")
    alone = lines(("Ann", "Dear diary."))
    assert chosen_for(alone) == Answering("reply", "1 person, of whose lines 0 % begin with a name")
    nobody = [Line(0, "", "joined", None, "system")]
    assert chosen_for(nobody).by == "reply"


def test_every_line_chooses_what_it_answers_and_intents_get_their_likeliest_reply() -> None:
    reading = causal_links(lines(*ROOM), session="room", traces=True)
    assert [(reply.line, reply.head) for reply in reading.replies] == [(2, 0), (3, 1), (4, 2)]
    assert [(link.intent_anchor_index, link.consequence_anchor_index) for link in reading.links] == [(0, 2), (1, 3)]
    assert [link.score for link in reading.links] == [reading.replies[0].p, reading.replies[1].p]
    assert reading.scorer == "channel"
    first = reading.traces[0].candidates[0].parts
    assert first["p"] == reading.replies[0].p
    assert first["logit.address"] > 0
    told = reading.to_dict()
    assert told["answering"] == {"by": "channel", "because": "4 people, of whose lines 60 % begin with a name"}
    assert told["replies"][0] == {"line": 2, "head": 0, "p": reading.replies[0].p}  # type: ignore[index]


def test_own_lines_and_lines_left_out_answer_no_intent() -> None:
    said = lines(("Ann", "Where is the key?"), ("Ann", "Where is it?"), ("Bo", "It is on the table."))
    reading = causal_links(said, session="x", answering="reply")
    assert all(link.consequence_anchor_index != 1 for link in reading.links)
    masked = causal_links(said, session="x", answering="reply", masks=[Mask(1, 1, "noise")])
    assert masked.replies == ()
    bridged = causal_links(said, session="x", answering="reply", masks=[Mask(1, 1, "noise")], bridge=True)
    assert [(reply.line, reply.head) for reply in bridged.replies] == [(2, 0)]
    nothing = causal_links([Line(0, "", "joined", None, "system")], session="x", traces=True)
    assert (nothing.replies, nothing.links, nothing.traces) == ((), (), ())
    statement = causal_links(lines(("Ann", "Nice."), ("Bo", "Very.")), session="x", traces=True)
    assert (len(statement.replies), statement.links) == (1, ())


def test_who_is_renamed_goes_by_both_names() -> None:
    told = [
        Line(0, "", "=== ann is now known as ann_away", None, "system"),
        Line(1, "", "-!- ann_away is now known as annie.", None, "system"),
        Line(2, "bo", "cy is now known as dee"),
        Line(3, "", "annie is now known as ann", None, "system"),
    ]
    assert renames(told) == {"ann_away": "ann", "annie": "ann"}


def test_silent_ones_are_told_and_an_empty_session_has_nothing() -> None:
    reading = causal_links(lines(*ROOM), session="x", responders=["Zed"], actors=["ann", "Kim"])
    assert (reading.silent, reading.metrics.coverage) == (("Zed", "Kim"), 0.0)
    empty = causal_links([], session="x")
    assert (empty.lines, empty.links, empty.silent, empty.answering.by) == ((), (), (), "responders")


def payload(**changed: object) -> dict[str, object]:
    return payload_of(causal_links(lines(*ROOM), session="room"), started_at_ms=0) | changed


def test_the_item_tells_the_replies_and_only_where_a_model_read() -> None:
    told = payload()
    check_payload("transcript", told)  # type: ignore[arg-type]
    said = said_of(told)  # type: ignore[arg-type]
    assert (said.answering.by, said.replies[2]) == ("channel", Reply(4, 2, 0.999))
    chosen = payload_of(causal_links(lines(*ROOM), session="room", answering="channel"), started_at_ms=0)
    assert "because" not in chosen
    check_payload("transcript", chosen)
    by_hand = payload_of(causal_links(lines(*ROOM), session="room", responders=["cy"]), started_at_ms=0)
    assert not {"answering", "because", "replies"} & by_hand.keys()


@pytest.mark.parametrize(
    "wrong",
    [
        {"replies": ["[9,0,0.5]"]},
        {"replies": ["[2,0]"]},
        {"replies": ["[0,2,0.5]"]},
        {"replies": ["[2,0,1.5]"]},
        {"replies": ["[3,1,0.5]", "[2,0,0.5]"]},
        {"replies": 7},
        {"answering": "guess"},
    ],
)
def test_replies_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"its |no record"):
        check_payload("transcript", payload(**wrong))  # type: ignore[arg-type]


def test_a_reason_without_a_model_is_refused() -> None:
    told = payload()
    del told["replies"]
    with pytest.raises(ValueError, match="replies"):
        check_payload("transcript", told)  # type: ignore[arg-type]


def test_what_a_speaker_adds_to_the_own_line_is_no_answer_to_it() -> None:
    said = lines(("ann", "where is the key?"), ("ann", "the red one?"))
    intents = [Intent(0, "ann", "question", "weak", "rule"), Intent(1, "ann", "question", "weak", "rule")]
    scene = Scene(said, [1, 1], np.ones(2, dtype=np.bool_), intents)
    assert pairs_of(scene, [Reply(1, 0, 0.9)]) == ([0, 0, 0], [], [])


def asking(**more: object) -> Asking[Transcripts]:
    told = payload_of(causal_links(lines(*ROOM), session="Room", **more), started_at_ms=0)  # type: ignore[arg-type]
    return Asking(TRANSCRIPTS, [make_item(space="me", what="transcript", at=9, payload=told, known_at=9)])


def test_why_tells_the_reply_and_the_model() -> None:
    asked = asking()
    model = "who answers whom is said by the reply model channel, taken because of what the lines look like: 4 people"
    answered = why_link(asked, "room/2", "room/4", "")
    assert answered is not None
    assert (answered.subject, answered.total) == ("room/2~room/4#answered", 0.999)
    assert answered.notes[0].startswith(model)
    caused = why_link(asked, "room/0", "room/2", "answered")  # what caused it was answered by it
    assert caused is not None
    assert why_link(asked, "room/0", "room/4", "answered") is None
    moment = why_node(asked, "room/2")
    assert moment is not None
    assert [note[:21] for note in moment.notes[1:3]] == ["it answers line 0 (p ", "it is answered by lin"]
    alone = why_node(asking(answering="instruction"), "room/1")
    assert alone is not None
    assert not any("answers line" in note for note in alone.notes)
    said = why_node(asking(responders=["cy"]), "room/1")
    assert said is not None
    assert not any("reply model" in note for note in said.notes)
    kinds = [(each.kind, each.a, each.b) for each in asked.fold.structural() if each.kind != "order"]
    assert kinds == [
        ("caused", "room/0", "room/2"),
        ("caused", "room/1", "room/3"),
        ("answered", "room/2", "room/4"),
    ]


def test_many_replies_are_told_with_how_many_more() -> None:
    told = payload()
    told["replies"] = [f"[{line},0,0.5]" for line in range(1, 5)]
    crowd = [*told["moments"], *(f'[{line},{line}000,"ann","hm"]' for line in range(5, 9))]  # type: ignore[misc]
    more = {"moments": crowd, "lines": 9, "replies": [f"[{line},0,0.5]" for line in range(1, 9)]}
    item = make_item(space="me", what="transcript", at=9, payload=told | more, known_at=9)  # type: ignore[arg-type]
    why = why_node(Asking(TRANSCRIPTS, [item]), "room/0")
    assert why is not None
    assert why.notes[1].endswith("line 5 (p 0.50) and 3 more")
