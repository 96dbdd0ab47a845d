"""Every format read, written and read again; and what is said about files that cannot be."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Actor, Line, LineKind, Mask
from asterism.core.dialogue.links import Chunk
from asterism.errors import InputError
from asterism.transcripts import FORMATS, Transcript, mask_of, read_transcript, transcript_of, write_transcript

PLAIN = """Ann: I open the door.
  It is heavy.
and cold

DM: It creaks.
[12:30:05] Bo: *waits*
<Cy> 1d20+5 = 17
* Cy hums a song
12:31 DM:
"""


def test_plain_text() -> None:
    found = transcript_of(PLAIN, name="night 1.txt")
    assert (found.format, found.session) == ("plain", "night 1")
    assert found.lines == (
        Line(0, "Ann", "I open the door.\nIt is heavy.\nand cold"),
        Line(1, "DM", "It creaks."),
        Line(2, "Bo", "*waits*", None, "action"),
        Line(3, "Cy", "1d20+5 = 17", None, "roll"),
        Line(4, "Cy", "hums a song", None, "action"),
        Line(5, "DM", ""),
    )
    timed = transcript_of(PLAIN, started_at_ms=1_000).lines
    assert [line.timestamp_ms for line in timed] == [None, None, 1_000, None, None, 56_000]


def test_a_word_that_begins_two_lines_is_a_name_without_a_capital() -> None:
    found = transcript_of("DM: Who comes?\nbob: me\n12:30 ann: and me\nDM: Fine.\n[12:31] bob: good\n  ann: no name\n")
    assert [line[1:3] for line in found.lines] == [
        ("DM", "Who comes?"),
        ("bob", "me"),
        ("ann", "and me"),
        ("DM", "Fine."),
        ("bob", "good\nann: no name"),
    ]
    once = transcript_of("Bob: Look:\nsee: this\nhttp://a.b\nhttp://a.b\nDM: Hm.\nbob: yes")
    assert [line[1:3] for line in once.lines] == [
        ("Bob", "Look:\nsee: this\nhttp://a.b\nhttp://a.b"),
        ("DM", "Hm."),
        ("bob", "yes"),
    ]


def test_json_says_everything() -> None:
    text = json.dumps(
        {
            "session": "Night 1",
            "responders": ["MATT"],
            "actors": [{"id": "vex", "name": "Laura", "aliases": ["Vex"]}],
            "masks": [{"start": 0, "end": 1, "reason": "noise"}],
            "chunks": [{"id": "door", "start": 0, "end": 1}],
            "lines": [
                {"line_index": 0, "author_name": "Laura", "content": "Hi.", "timestamp_ms": 5},
                {"speaker": "MATT", "text": "1d20", "time": "1970-01-01T00:00:01+00:00", "kind": "speech"},
            ],
        }
    )
    found = transcript_of(text)
    assert found == Transcript(
        (Line(0, "Laura", "Hi.", 5), Line(1, "MATT", "1d20", 1_000)),
        "json",
        "Night 1",
        responders=("MATT",),
        actors=(Actor("vex", "Laura", ("Vex",)),),
        masks=(Mask(0, 1, "noise"),),
        chunks=(Chunk("door", 0, 1),),
    )
    assert transcript_of(write_transcript(found)) == found


def test_csv_with_another_delimiter_and_empty_rows() -> None:
    found = transcript_of('speaker;text;kind\r\nAnn;"I go;\r\nfar";\r\n;;\r\nDM;Okay;roll\r\n', name="x.csv")
    assert found.lines == (Line(0, "Ann", "I go;\r\nfar"), Line(1, "DM", "Okay", None, "roll"))


VTT = """WEBVTT - a title

NOTE nothing
of this counts

intro
00:01.000 --> 00:02.500 align:start
<v Ann>I <i>open</i> the door &amp; look.</v>
<v.loud DM>It creaks.

00:00:03.000 --> 00:00:04.000
And more.

1:00:00.000 --> 1:00:01.000
Bo: *waits*
"""


def test_web_captions() -> None:
    found = transcript_of(VTT, name="a.vtt", started_at_ms=10_000)
    assert found.format == "vtt"
    assert found.lines == (
        Line(0, "Ann", "I open the door & look.", 11_000),
        Line(1, "DM", "It creaks.", 11_000),
        Line(2, "DM", "And more.", 13_000),
        Line(3, "Bo", "*waits*", 3_610_000, "action"),
    )
    assert transcript_of(VTT).lines[0].timestamp_ms is None
    assert transcript_of("WEBVTT\n\n00:01.000 --> 00:02.000\nhm <v Ann>I go.\n").lines == (
        Line(0, "", "hm"),
        Line(1, "Ann", "I go."),
    )


def test_a_caption_of_nothing_but_tags_is_no_line() -> None:
    cue = "00:01.000 --> 00:02.000\n"
    assert transcript_of(f"WEBVTT\n\n{cue}<i></i>\n\n{cue}<v Ann>I go.\n").lines == (Line(0, "Ann", "I go."),)


SRT = """1
00:00:01,000 --> 00:00:02,000
ANN: I open the door.

2
00:00:03,000 --> 00:00:04,000
[DM]: It creaks.
"""


def test_captions() -> None:
    found = transcript_of(SRT)
    assert found.format == "srt"
    assert found.lines == (Line(0, "ANN", "I open the door."), Line(1, "DM", "It creaks."))


def test_a_discord_export() -> None:
    messages = [
        {
            "type": "Default",
            "timestamp": "2026-01-31T18:30:00.5+00:00",
            "content": "I go",
            "author": {"name": "a", "nickname": "Ann"},
        },
        {"type": "GuildMemberJoin", "timestamp": "2026-01-31T18:30:01Z", "content": "joined", "author": {"name": "Bo"}},
        {"type": "Default", "timestamp": None, "content": "1d20 = 7", "author": {"name": "Dice", "isBot": True}},
        {"type": "Reply", "content": "beep", "author": {"name": "Bot", "isBot": True}},
        {
            "content": "",
            "author": {"name": "Ann"},
            "attachments": [{"fileName": "map.png"}],
            "embeds": [{"title": "Map"}],
        },
    ]
    found = transcript_of(json.dumps({"channel": {"name": "table"}, "messages": messages}), name="x.json")
    assert (found.format, found.session) == ("discord", "table")
    assert [line[1:] for line in found.lines] == [
        ("Ann", "I go", 1_769_884_200_500, None),
        ("Bo", "joined", 1_769_884_201_000, "system"),
        ("Dice", "1d20 = 7", None, "roll"),
        ("Bot", "beep", None, "system"),
        ("Ann", "Map [map.png]", None, None),
    ]


def test_an_episode_of_crd3(tmp_path: Path) -> None:
    turns = [
        {"NAMES": ["LAURA", "SAM"], "UTTERANCES": ["I go", "far."], "NUMBER": 0},
        {"NAMES": ["MATT"], "UTTERANCES": ["Okay."]},
    ]
    path = tmp_path / "C2E001.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"METADATA": {}, "TURNS": turns}).encode()))
    found = read_transcript(path)
    assert (found.format, found.session) == ("crd3", "C2E001")
    assert found.lines == (Line(0, "LAURA and SAM", "I go far."), Line(1, "MATT", "Okay."))


def test_the_format_is_told_by_the_first_signs() -> None:
    told = {
        '{"author": "Ann", "text": "Hi."}\n{"author": "DM", "text": "Hello."}': "jsonl",
        '[{"author": "Ann", "text": "Hi."}]': "json",
        '{\n "lines": [{"author": "Ann", "text": "Hi."}]}': "json",
        "author,text\nAnn,Hi.": "csv",
        SRT: "srt",
        VTT: "vtt",
        "[12:30] Ann: Hi.": "plain",
        "Ann: Hi.": "plain",
    }
    assert [transcript_of(text).format for text in told] == list(told.values())


names = st.sampled_from(("Ann", "Bo Lee", "DM", "C"))
SIGNS = "Aaz09.,!?<>&'\"{}[]*()é東-:;|"
starts = st.sampled_from(("I", "é", "<b>", '"', "{1}", "[2]", "(hm)", "&amp;", "!"))  # no form's own sign of a turn
contents = st.tuples(starts, st.text(SIGNS, min_size=1, max_size=6), st.text(SIGNS, min_size=1, max_size=6)).map(
    " ".join
)
kinds: st.SearchStrategy[LineKind | None] = st.sampled_from((None, "action", "roll", "system"))


@st.composite
def any_lines(draw: st.DrawFn) -> tuple[Line, ...]:
    rows = draw(st.lists(st.tuples(names, contents, st.none() | st.integers(0, 2**41), kinds), min_size=1, max_size=4))
    return tuple(Line(place, name, text, ms, kind) for place, (name, text, ms, kind) in enumerate(rows))


@given(any_lines(), st.sampled_from(("json", "jsonl", "csv")))
def test_records_come_back_as_they_were(lines: tuple[Line, ...], form: str) -> None:
    whole = Transcript(lines, form, "one")
    assert transcript_of(write_transcript(whole), file_format=form).lines == lines


@given(any_lines(), st.sampled_from(("plain", "vtt", "srt", "discord", "crd3")))
def test_other_formats_keep_speakers_and_texts(lines: tuple[Line, ...], form: str) -> None:
    back = transcript_of(write_transcript(Transcript(lines, form, "one"), form), file_format=form).lines
    assert [(line.author_name, line.content) for line in back] == [(line.author_name, line.content) for line in lines]


@given(st.sampled_from(FORMATS), st.text(max_size=80))
def test_any_text_is_read_or_refused_with_a_reason(form: str, text: str) -> None:
    with suppress(InputError):
        found = transcript_of(text, file_format=form)
        assert transcript_of(write_transcript(found, "json")).lines == found.lines


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"lines": [{"author": "Ann",\n "text": }]}', "a.json, line 2, column 10: this is no JSON"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.json", '{"rows": []}', "there is no list of lines; expected a list of records"),
        ("a.json", "[3]", "entry 0: this is no record"),
        ("a.json", '[{"author": "Ann"}]', "entry 0: there is no content; expected content as text"),
        ("a.json", '[{"author": "Ann", "text": 3}]', "entry 0: its content is not text"),
        ("a.json", '[{"author": "Ann", "text": "x", "time": "noon"}]', "'noon' is no time"),
        ("a.json", '[{"author": "Ann", "text": "x", "time": "2026-01-31T18:30:00"}]', "is no time"),
        ("a.json", '[{"author": "Ann", "text": "x", "time": true}]', "True is no time"),
        ("a.json", '[{"author": "Ann", "text": "x", "line": "two"}]', "'two' is no number of a line"),
        ("a.json", '[{"author": "Ann", "text": "x", "kind": "song"}]', "'song' is no kind"),
        ("a.json", '{"lines": [], "responders": "DM"}', "responders: these are no names"),
        ("a.json", '{"lines": [], "actors": {}}', "actors: this is no list"),
        ("a.json", '{"lines": [], "actors": [3]}', "actors entry 0: this is no record"),
        ("a.json", '{"lines": [], "actors": [{"id": 1, "name": "Ann"}]}', "actors entry 0: this is no actor"),
        ("a.json", '{"lines": [], "masks": [{"start": 1}]}', "masks entry 0: it has no start and end"),
        ("a.json", '{"messages": [{"content": "x"}]}', "messages entry 0: it has no author"),
        ("a.json", '{"messages": [{"content": "x", "author": {}}]}', "its author has no name"),
        ("a.json", '{"messages": [{"content": "x", "author": {"name": "A"}, "timestamp": "x"}]}', "'x' is no time"),
        ("a.json", '{"TURNS": [{"NAMES": ["A"]}]}', "TURNS entry 0: it has no NAMES and UTTERANCES"),
        ("a.jsonl", '{"author": "Ann", "text": "x"}\n\n{"author": ', "line 3, column 12: this is no JSON"),
        ("a.jsonl", '{"author": "Ann", "text": "x"}\n3', "line 2, column 1: this is no record"),
        ("a.jsonl", '{"author": "Ann", "text": "x"}\n{"author": "Ann"}', "line 2, column 1: there is no content"),
        ("a.json", '[{"role": "user"}]', "entry 0: there is no content; expected content as text"),
        ("a.jsonl", '{"messages": []}\n{"messages": []}', "line 1, column 1: this row is a whole conversation"),
        ("a.txt", "13/10/26, 18:03 - A: x\n10/13/26, 18:03 - A: x", "line 2, column 1: 10/13/26 is no date"),
        ("a.txt", "12/10/26, 13:03 PM - A: x", "line 1, column 1: 13:03 PM is no time of day"),
        ("a.csv", "name,words\nAnn,Hi", "no column is called content; expected a header"),
        ("a.csv", "name,text\nAnn,Hi\nBo", "line 3, column 2: the row has 1 cells; expected 2"),
        ("a.csv", "name,time,text\nAnn,noon,Hi", "line 2, column 2: 'noon' is no time"),
        ("a.csv", 'name,text\nAnn,"Hi', "this is no CSV"),
        ("a.txt", "\n   so it begins\n", 'line 2, column 4: nobody says this; expected "Name: text"'),
        ("a.srt", "1\nAnn: Hi.\n", "line 2, column 1: this belongs to no caption"),
        ("a.srt", "1\n00:01 --> soon\nAnn: Hi.\n", "line 2, column 1: this is no time of a caption"),
        ("a.srt", "1\n99:99:99,000 --> 99:99:99,500\nAnn: Hi.\n", "line 2, column 1: this is no time of a caption"),
        ("a.vtt", "WEBVTT\n\n00:61.000 --> 00:62.000\nHi.", "line 3, column 1: this is no time of a caption"),
    ],
)
def test_faults_are_named_with_their_place(name: str, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        transcript_of(text, name=name)
    assert said in str(caught.value)
    assert caught.value.code == "bad_transcript"


def test_lines_out_of_order_are_refused_unless_renumbering_is_asked_for() -> None:
    text = '{"index": 1, "author": "Ann", "text": "Hi."}\n{"index": 0, "author": "DM", "text": "Hello."}'
    with pytest.raises(InputError, match="renumbered") as caught:
        transcript_of(text)
    assert caught.value.code == "unordered_lines"
    assert [line.author_name for line in transcript_of(text, renumber=True).lines] == ["Ann", "DM"]


def test_encodings(tmp_path: Path) -> None:
    path = tmp_path / "night.txt"
    path.write_bytes("Ann: Hi.\nJosé: Olé.".encode("cp1252"))
    with pytest.raises(InputError, match="line 2, column 4: the byte 0xe9 is not utf-8"):
        read_transcript(path)
    assert read_transcript(path, encoding="cp1252").lines[1].author_name == "José"
    with pytest.raises(InputError, match="there is no encoding 'latin9000'"):
        read_transcript(path, encoding="latin9000")
    for mark in ("utf-8-sig", "utf-16"):
        path.write_bytes("José: Olé.".encode(mark))
        assert read_transcript(path).lines[0].author_name == "José"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path, "is a folder"),
        (tmp_path / "no.txt", "is not there"),
        (tmp_path / "a\0b", "cannot be read"),
    ):
        with pytest.raises(InputError, match=said):
            read_transcript(path)
    cut = tmp_path / "cut.json.gz"
    cut.write_bytes(gzip.compress(b"[]" * 100)[:20])
    with pytest.raises(InputError, match="cut short or damaged"):
        read_transcript(cut)


@pytest.mark.parametrize("text", ["", "10-20", "10-20:boredom", "a-b:noise", "-3-5:noise"])
def test_a_mask_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(InputError, match="is no mask"):
        mask_of(text)


def test_unknown_formats_are_named() -> None:
    with pytest.raises(InputError, match="no format 'doc'"):
        transcript_of("Ann: Hi.", file_format="doc")
    with pytest.raises(InputError, match="no format 'doc'"):
        write_transcript(transcript_of("Ann: Hi."), "doc")


def test_what_a_file_says_goes_into_the_kernel() -> None:
    found = transcript_of("Ann: I open the door.\nDM: It opens.", name="one.txt")
    reading = causal_links(
        found.lines, session=found.session, responders=found.responders, actors=found.actors, masks=found.masks
    )
    assert reading.links[0].claimed


CHAT = """[10:01] <ann> how do I redirect stderr?
[10:02] <bob> 2>&1
[10:03] <ann> and --> what does that do?
[10:04] <bob> 00:00:01,000 --> 00:00:02,000 is how subtitles say it
"""


def test_a_chat_with_arrows_is_no_subtitle_file() -> None:
    assert transcript_of(CHAT).format == "plain"
    assert len(transcript_of(CHAT, name="log.srt").lines) == 4
    pasted = CHAT + "00:00:01,000 --> 00:00:02,000\n"
    assert transcript_of(pasted).format == "plain"
    assert transcript_of(f"\n{SRT}", name="night.txt").format == "srt"


def test_where_two_formats_fit_the_error_names_them_and_how_to_choose() -> None:
    mixed = f"Ann: what follows is a subtitle file\nBo: yes\n{SRT}"
    with pytest.raises(InputError) as caught:
        transcript_of(mixed, name="mixed")
    assert caught.value.code == "unsure_format"
    assert "mixed may be plain or srt" in str(caught.value)
    assert "file_format" in str(caught.value.hint)
    assert transcript_of(mixed, name="mixed", file_format="plain").format == "plain"
    assert transcript_of(mixed, name="mixed.txt").format == "plain"


def test_a_name_that_does_not_fit_gives_way_to_what_the_text_is() -> None:
    assert transcript_of("Ann: Hi.\nBo: Ho.", name="talk.csv").format == "plain"
    assert transcript_of('[{"author": "Ann", "text": "Hi."}]', name="talk.csv").lines == (Line(0, "Ann", "Hi."),)
    assert transcript_of("name,text\nAnn,Hi", name="talk.json").format == "csv"
    assert transcript_of('{"author": "Ann", "text": "Hi."}\n' * 2, name="talk.txt").format == "jsonl"


def test_notices_of_a_channel_are_lines_of_the_system() -> None:
    log = """=== ann [n=ann@host] has joined #room
[10:01] <ann> hello
=== ann is now known as ann_away
=== bob waves
-!- cy [cy@host] has quit
[10:02] -- Topic: rules
* bob sits down
[10:03]  * bob
"""
    assert transcript_of(log).lines == (
        Line(0, "", "=== ann [n=ann@host] has joined #room", None, "system"),
        Line(1, "ann", "hello"),
        Line(2, "", "=== ann is now known as ann_away", None, "system"),
        Line(3, "bob", "waves", None, "action"),
        Line(4, "", "-!- cy [cy@host] has quit", None, "system"),
        Line(5, "", "-- Topic: rules", None, "system"),
        Line(6, "bob", "sits down", None, "action"),
        Line(7, "bob", "", None, "action"),
    )


@pytest.mark.parametrize(
    ("name", "text"), [("a.txt", ""), ("a.csv", "\n"), ("a.json", "[]"), ("a.vtt", "WEBVTT\n\nNOTE x")]
)
def test_an_empty_file_is_an_empty_session(name: str, text: str) -> None:
    found = transcript_of(text, name=name)
    assert (found.lines, found.session) == ((), "a")
