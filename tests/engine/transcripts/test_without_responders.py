"""Talk in which nobody is named as a responder: who answers whom is read off the lines, kept, explained (08 E12)."""

from __future__ import annotations

from pathlib import Path

import pytest

from asterism.core.dialogue.lines import Line
from asterism.engine.transcripts.read import TranscriptReport
from asterism.entry.pages.transcript_page import page
from asterism.entry.pages.transcript_text import markdown
from asterism.sync import Memory
from tests.support.memories import DAY, NOON, remembering
from tests.support.stores import STORES, Place, place_of

STARTED = NOON - DAY
ROOM = [
    "ann: how do I mount a usb disk?",
    "bob: is there a way to play flac files?",
    "cy: ann: it should be under /media",
    "dee: bob: install vlc",
    "ann: cy: thanks, found it",
]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def read(memory: Memory, said: list[str] = ROOM, **more: object) -> TranscriptReport:
    options = {"session": "Room", "started_at": STARTED} | more
    return memory.read_transcript(said, **options)  # type: ignore[arg-type]  # as told


def test_a_list_of_texts_is_a_conversation_and_needs_no_responder(place: Place) -> None:
    with remembering(place) as memory:
        report = read(memory)
        assert report.answering.by == "channel"
        assert (report.lines, report.remembered, report.silent) == (5, 5, ())
        assert [(reply.line, reply.head) for reply in memory.replies("room")] == [(2, 0), (3, 1), (4, 2)]
        assert [link.consequence_anchor_index for link in memory.causal_links("Room")] == [2, 3]
        assert [(link.kind, link.b) for link in memory.links("room/2")] == [
            ("answered", "room/4"),
            ("caused", "room/0"),
            ("order", "room/1"),
            ("order", "room/3"),
        ]
        assert not read(memory).new
        assert memory.as_of(STARTED - DAY).sessions() == []
        told = report.to_dict()
        assert (told["answering"]["by"], len(told["replies"])) == ("channel", 3)  # type: ignore[index, call-overload, arg-type]
        assert memory.verify().ok


def test_why_says_which_model_said_so_and_why_it_was_taken(place: Place) -> None:
    with remembering(place) as memory:
        read(memory)
        model = "who answers whom is said by the reply model channel, taken because of what the lines look like"
        answered = memory.why("room/2", "room/4")
        assert answered.total == memory.replies("room")[2].p
        assert answered.notes[0].startswith(model)
        caused = memory.why("room/0", "room/2")
        assert any(note.startswith(model) for note in caused.notes)
        moment = memory.why("room/2")
        assert any("it answers line 0 (p " in note for note in moment.notes)
        assert any("it is answered by line 4 (p " in note for note in moment.notes)


def test_the_page_shows_every_reply() -> None:
    with remembering(":memory:") as memory:
        reading = read(memory).reading
    text, html = markdown(reading), page(reading)
    assert "answers line 2 (p 1.00)" in text
    assert "Nobody is named as a responder. Who answers whom is said by the reply model channel" in text
    assert 'answers <a class=chip href="#l2">2 cy</a> <small>p 1.00</small>' in html
    assert "reply model channel" in html


def test_copies_that_read_otherwise_merge_in_either_order(tmp_path: Path) -> None:
    paths = [tmp_path / "a.db", tmp_path / "b.db"]
    for path, ways in zip(paths, ({}, {"answering": "reply"}), strict=True):
        with remembering(path) as memory:
            read(memory, ROOM, **ways)
    digests = []
    for name, order in (("ab.db", paths), ("ba.db", paths[::-1])):
        with remembering(tmp_path / name) as memory:
            for path in order:
                memory.merge(path)
            digests.append((memory.verify().digest, memory.replies("room")))
            memory.erase("session:Room")
            assert (memory.sessions(), memory.recall("usb disk").hits, memory.verify().ok) == ([], (), True)
    assert digests[0] == digests[1]


def test_roles_of_a_chat_are_speakers(place: Place) -> None:
    chat = [{"role": "user", "content": "Rename the file, please."}, {"role": "assistant", "content": "Done."}]
    with remembering(place) as memory:
        report = memory.read_transcript(chat, session="Chat", started_at=STARTED)
        assert report.answering == ("instruction", "2 people, called user and assistant")
        assert memory.entries("chat/0")["chat/0"].speaker == "user"


def test_silent_ones_and_an_empty_session_are_counted(place: Place) -> None:
    with remembering(place) as memory:
        assert read(memory, responders=["Zed"], actors=["Kim"]).silent == ("Zed", "Kim")
        empty = memory.read_transcript([], session="Nothing")
        assert (empty.lines, empty.remembered, empty.new, empty.links) == (0, 0, False, ())
        assert memory.sessions() == ["Room"]
        assert memory.recall("flac").hits[0].id == "room/1"


def test_what_a_file_says_of_responders_gives_way_to_the_asked_model(tmp_path: Path) -> None:
    path = tmp_path / "room.json"
    said = '[{"author": "ann", "text": "Where is it?"}, {"author": "bob", "text": "Here."}]'
    path.write_text(f'{{"responders": ["bob"], "lines": {said}}}')
    with remembering(":memory:") as memory:
        assert memory.read_transcript(path, started_at=STARTED).answering.by == "responders"
        assert memory.read_transcript(path, started_at=STARTED, answering="reply").answering == ("reply", "")


def test_a_text_without_a_name_goes_on_with_the_line_before(place: Place) -> None:
    with remembering(place) as memory:
        read(memory, ["Ann: I saw a fox.", "It was red.", "Bo: Where?"])
        assert memory.entries("room/0")["room/0"].text == "I saw a fox.\nIt was red."
        mixed = read(memory, ["by nobody", Line(1, "Bo", "Where?")], session="Mixed")  # type: ignore[list-item]
        assert mixed.lines == 2
