"""`asterism transcript`: a session read, annotated, counted and traced; what cannot be read says what to type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from asterism.core.dialogue.beats import beats
from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Line as Said
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.entry.cli.transcripts import FORMATS, PRESETS, actors_of
from asterism.entry.text.layout import plain
from asterism.entry.text.transcripts import links_lines, metrics_lines, trace_lines
from asterism.transcripts import FORMATS as READ
from tests.support.command_line import Line

TEXT = """\
Ann: I pick up the lantern near the bell.
DM: The bell rings, and the boat moves.
Bo: Is there anything in the boat?
DM: There is a lantern.
Ann: Nice hat.
Bo: I look for the ferryman.
"""
STARTED = ("--started", "2026-09-05T18:00Z")


@pytest.fixture
def session(tmp_path: Path) -> str:
    path = tmp_path / "Low water.txt"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_read_tells_what_was_tried_and_what_came_of_it(line: Line, session: str) -> None:
    line.run("star", "add", "Bell", "--domain", "soul", "--at", "2026-09-01")
    line.run("star", "add", "Boat", "--domain", "soul", "--at", "2026-09-01")
    shown = line.run("transcript", "read", session, *STARTED).output
    assert "Low water: 6 lines, 3 intents, 67% with a consequence. All can be recalled. It is new here." in " ".join(
        shown.split()
    )
    assert "2 new items of evidence" in shown
    rows = shown.splitlines()
    first = next(place for place, row in enumerate(rows) if "I pick up the lantern" in row)
    assert rows[first].split()[:3] == ["0", "Ann", "declares"]
    assert rows[first + 1].split()[:3] == ["1", "→", "The"]
    assert "left hanging" in rows[-1]
    assert all(len(row) <= 80 for row in rows)
    before = line.items()
    again = line.run("transcript", "read", session, *STARTED).output
    assert "It was read before, and says the same." in " ".join(again.split())
    assert "It gives no new evidence: 2 items were known." in again
    assert line.items() == before
    told = line.json("transcript", "read", session, *STARTED, "--preset", "tuned")
    assert (told["new"], told["lines"], len(told["links"]), told["session"]) == (True, 6, 3, "Low water")
    assert line.json("verify")["ok"]


def test_links_are_listed_and_filtered(line: Line, session: str) -> None:
    line.run("transcript", "read", session, *STARTED)
    line.run(
        "transcript", "read", session, *STARTED, "--session", "Other", "--actor", "Bo=Robert", "--mask", "0-1:ooc_hard"
    )
    listed = line.json("transcript", "links")
    assert [(each["session_id"], each["intent_anchor_index"]) for each in listed] == [
        ("Low water", 0), ("Low water", 2), ("Low water", 5), ("Other", 2), ("Other", 5),
    ]  # fmt: skip
    assert [each["actor"] for each in line.json("transcript", "links", "--actor", "Bo", "--limit", "1")] == ["bo"]
    assert {each["intent_type"] for each in line.json("transcript", "links", "--type", "question")} == {"question"}
    assert line.json("transcript", "links", "--at", "2026-09-01") == []
    shown = line.run("transcript", "links", "--limit", "4").output
    assert "and 1 more; asterism transcript links --limit 5 shows all" in shown
    assert shown.index("Low water") < shown.index("Other")
    nothing = line.run("transcript", "links", "--session", "Other", "--type", "propose").output
    assert "There are no such links. The sessions are Low water, Other." in nothing


def test_links_of_an_event(line: Line, tmp_path: Path) -> None:
    rows = [{"author_name": row.split(": ")[0], "content": row.split(": ")[1]} for row in TEXT.strip().split("\n")]
    path = tmp_path / "Night 1.json"
    path.write_text(json.dumps({"lines": rows, "chunks": [{"id": "the boat", "start": 2, "end": 3}]}), encoding="utf-8")
    told = line.json("transcript", "read", str(path), *STARTED)
    assert [len(links) for links in told["events"].values()] == [1, 2]
    found = line.json("transcript", "links", "--session", "Night 1", "--event", "the boat")
    assert [each["id"] for each in found] == told["events"]["the boat"]
    assert "say which: --session" in line.run("transcript", "links", "--event", "the boat", code=2).output
    wrong = line.run("transcript", "links", "--session", "Night 1", "--event", "the bout", code=3).output
    assert "did you mean the boat" in wrong
    other = line.run("transcript", "read", str(path), *STARTED, "--session", "night-1", code=2).output
    assert "name it otherwise, or 'Night 1' to read" in " ".join(other.split())


def test_odd_signs_are_told(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_text("DM: Hm\x07.\nAnn: I climb.\n", encoding="utf-8")
    shown = line.run("transcript", "read", str(path), *STARTED).output
    assert "1 line had control characters, which became spaces." in " ".join(shown.split())


def test_annotate_writes_markdown_or_a_page(line: Line, session: str, tmp_path: Path) -> None:
    shown = line.run("transcript", "annotate", session).output
    assert shown.startswith("# Low water")
    assert "declares (strong, i_do) → line 1" in shown
    assert "- `5` **Bo** I look for the ferryman." in shown[shown.index("## Left hanging") :]
    assert "distance 1" in line.run("transcript", "annotate", session, "--dense").output
    assert line.json("transcript", "annotate", session)["markdown"].startswith("# Low water")
    page = tmp_path / "page.html"
    told = line.json("transcript", "annotate", session, "--html", str(page))
    assert told == {"file": str(page), "lines": 6, "links": 3}
    assert "I look for the ferryman." in page.read_text(encoding="utf-8")
    assert "Open it in a browser" in " ".join(
        line.run("transcript", "annotate", session, "--html", str(page)).output.split()
    )
    wrong = line.run("transcript", "annotate", session, "--html", str(tmp_path / "no" / "page.html"), code=2)
    assert "cannot be written" in wrong.output
    assert not line.db.exists()  # no memory is needed


def test_metrics_and_trace(line: Line, session: str) -> None:
    told = line.json("transcript", "metrics", session)
    assert (told["intents"], told["unclaimed_strong"]) == (3, [5])
    shown = line.run("transcript", "metrics", session).output
    assert "1 strong intent left hanging: lines 5." in shown
    assert "strong      2        1    50%  █████░░░░░" in shown
    assert sorted(line for beat in told["beats"] for line in beat["anchors"]) == [0, 1, 2, 3]
    traces = line.json("transcript", "trace", session)
    assert [each["winner"] for each in traces] == [1, 3, None]
    one = line.run("transcript", "trace", session, "--line", "0").output
    assert one.startswith("0 Ann: I pick up the lantern near the bell.\n  declares (strong, rule i_do):")
    assert "→ 0.958  line 1: The bell rings" in one
    wrong = line.run("transcript", "trace", session, "--line", "4", code=2)
    assert "line 4 holds no intent" in wrong.output


def test_every_table_fits_the_width() -> None:
    lines = [
        Said(0, "Ann", "I open the " + "very " * 60 + "old door."),
        Said(1, "DM", "It " + "slowly " * 60 + "opens the old door."),
        Said(2, "A" * 50, "Do I see 睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠睡眠?"),
    ]
    found = causal_links(lines, session="One", traces=True)
    for width in (60, 80, 120):
        for shown in (links_lines(found.links, {}, width=width), trace_lines(found, found.traces, width=width)):
            assert all(len(row) <= width for row in plain(shown).splitlines())
        assert metrics_lines(found, width=width)
    said = [Said(n, ("Ann", "DM")[n % 2], ("I open the door.", "The door opens.")[n % 2]) for n in range(400)]
    long = causal_links(said, session="One")
    joined = [beat for beat in beats(long) if beat.level]
    told = plain(metrics_lines(long, beats(long))).splitlines()
    assert f"and {len(joined) - 20} more; --json shows all" in told
    first = told[told.index("Beats: links that belong together") + 2].split()
    assert first[0] == f"{joined[0].anchors[0]}-{joined[0].anchors[-1]}"
    assert first[1:4] == [str(len(joined[0].links)), str(len(joined[0].context)), str(joined[0].level)]
    quiet = causal_links([Said(0, "DM", "Hm.")], session="One", traces=True)
    assert plain(trace_lines(quiet, quiet.traces)) == "Nobody intends anything in it."
    assert "0 responses contested" in plain(metrics_lines(quiet))


def test_a_session_in_which_nobody_intends_anything(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "quiet.txt"
    path.write_text("DM: Hm.\nAnn: Nice hat.\n", encoding="utf-8")
    assert "Nobody intends anything in it." in line.run("transcript", "read", str(path), *STARTED).output
    assert line.run("transcript", "links").output.startswith("There are no such links. The sessions are quiet.")


@pytest.mark.parametrize(
    ("text", "words", "code", "said"),
    [
        (TEXT, (), 2, "say when the session started (--started 2026-09-05T18:00Z)"),
        (TEXT, ("--started", "2999-01-01T00:00Z"), 2, "say when it began (--started)"),
        (TEXT, (*STARTED, "--mask", "4-2:noise"), 2, "starts at line 4 and ends at line 2"),
        (TEXT, (*STARTED, "--mask", "two"), 2, "write it like 10-20:combat"),
        (TEXT.replace("DM", "Mara"), (*STARTED, "--as", "responders"), 2, "name some of Ann, Mara, Bo"),
        (TEXT, (*STARTED, "--encoding", "klingon"), 2, "--encoding utf-8"),
        (TEXT, (*STARTED, "--preset", "best"), 2, "seed"),
        (TEXT, (*STARTED, "--at", "2026-09-05"), 2, "--started TIME"),
        ('[{"line_index": 3, "author_name": "DM", "content": "Hi"}]', (*STARTED, "--format", "json"), 2, "--renumber"),
        ("[{", (*STARTED, "--format", "json"), 2, "line 1, column"),
    ],
)
def test_what_cannot_be_read_says_what_to_type_and_stores_nothing(
    line: Line, tmp_path: Path, text: str, words: tuple[str, ...], code: int, said: str
) -> None:
    path = tmp_path / "session.txt"
    path.write_text(text, encoding="utf-8")
    result = line.run("transcript", "read", str(path), *words, code=code)
    assert said in " ".join(result.output.split())
    assert not line.db.exists() or line.items() == 0
    told = json.loads(line.run("transcript", "read", str(path), *words, "--json", code=code).stderr)
    assert {"error", "message", "hint"} <= told.keys()


def test_what_is_not_there(line: Line, tmp_path: Path, session: str) -> None:
    assert "is not there" in line.run("transcript", "metrics", str(tmp_path / "no.txt"), code=2).output
    assert "there is no memory" in line.run("transcript", "links", code=3).output
    line.run("transcript", "read", session, *STARTED)
    assert "there is Low water" in line.run("transcript", "links", "--session", "Xyz", code=3).output
    assert "did you mean Low water" in line.run("transcript", "links", "--session", "Low watre", code=3).output
    assert "there is ann, bo" in line.run("transcript", "links", "--actor", "Zed", code=3).output
    assert "did you mean question" in line.run("transcript", "links", "--type", "questoin", code=3).output


def test_the_words_are_those_of_the_engine() -> None:
    assert tuple(DialogueParameters.presets) == PRESETS
    assert FORMATS == READ
    assert actors_of(("Tom=Brindle, Sir B",)) == (("tom", "Tom", ("Brindle", "Sir B")),)
    assert actors_of(()) is None


def test_a_chat_room_is_read_without_a_responder_and_says_by_what(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "room.txt"
    path.write_text("<ann> how do I mount it?\n<bob> where?\n<cy> ann: under /media\n<bob> ann: see the wiki\n")
    shown = " ".join(line.run("transcript", "read", str(path), *STARTED).output.split())
    assert "Who answers whom is said by the reply model channel (taken for 3 people, of whose lines 50 % begin" in shown
    assert "--as channel, instruction, reply or responders says otherwise" in shown
    words = ("--as", "reply", "--actor", "Zed", "--json")
    told = json.loads(line.run("transcript", "read", str(path), *STARTED, *words).output)
    assert (told["answering"], told["silent"]) == ({"by": "reply", "because": ""}, ["Zed"])
    path.write_text("")
    assert "it has no lines, and nothing was written" in line.run("transcript", "read", str(path), *STARTED).output
