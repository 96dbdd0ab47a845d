"""Blocks on the command line: learn, dream, link, correct, reward; as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism.core.blocks.model import DreamResult
from asterism.entry.cli.app import app
from asterism.entry.text.blocks import dream_lines
from asterism.entry.text.layout import plain
from tests.support.command_line import COLD, COLD_ID, FACTS, TEA, TEA_ID, WARM, WARM_ID, Line


def test_learn_says_new_once_and_duplicate_then(line: Line) -> None:
    first = line.run("learn", COLD, "--tag", "ops", "--tag", "cache").output
    assert f"new        {COLD_ID}  {COLD}" in first
    assert "asterism dream" in first
    assert line.json("learn", COLD.upper(), "--tag", "deploy")["status"] == "duplicate"
    assert line.json("show", COLD_ID)["node"]["tags"] == ["cache", "deploy", "ops"]


def test_words_without_quotes_are_one_text_and_quoted_texts_are_several(line: Line) -> None:
    assert line.json("learn", *COLD.split())["id"] == COLD_ID
    assert [each["id"] for each in line.json("learn", WARM, TEA)] == [WARM_ID, TEA_ID]
    assert "2 known already" in line.run("learn", WARM, TEA).output


def test_every_field_of_a_block_can_be_told_and_is_shown(line: Line) -> None:
    fields = ("--category", "fact", "--name", "Morning", "--source", "bo", "--conversation", "c1", "--speaker", "Bo")
    line.run("learn", TEA, "--tag", "people", *fields, "--at", "2026-09-03T08:00Z")
    node = line.json("show", "morning")["node"]
    assert node | {"recency": 0, "confidence": 0} == {
        "id": TEA_ID,
        "content": TEA,
        "name": "Morning",
        "category": "fact",
        "tags": ["people"],
        "sources": ["bo"],
        "conversation": "c1",
        "speaker": "Bo",
        "status": "inbox",
        "superseded_by": None,
        "at": "2026-09-03T08:00:00+00:00",
        "tier": node["tier"],
        "recency": 0,
        "confidence": 0,
        "outcomes": 0,
        "first_at": "2026-09-03T08:00:00+00:00",
        "times": 1,
        "occurrences": node["occurrences"],
        "away": [],
        "conflicts": [],
        "slot": "",
        "valid_from": "2026-09-03T08:00:00+00:00",
        "valid_until": None,
        "current": True,
        "expires": None,
        "pinned": False,
    }
    assert [each["speaker"] for each in node["occurrences"]] == ["Bo"]
    shown = line.run("show", TEA_ID).output
    for word in ("Morning", TEA, "inbox", "2026-09-03 08:00 UTC", "fact", "people", "bo", "c1, said by Bo"):
        assert word in shown


def test_lines_of_a_file_are_blocks_with_the_options_for_all(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(f"{COLD}\n\n{WARM}\n{{not json}}\n", encoding="utf-8")
    told = line.json("learn", "--file", str(path), "--tag", "ops", "--category", "note")
    assert [each["status"] for each in told] == ["new"] * 3
    found = line.json("blocks", "--tag", "ops", "--category", "note")
    assert {each["content"] for each in found} == {COLD, WARM, "{not json}"}


def test_rows_of_json_keep_their_own_fields(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text("".join(json.dumps(fact) + "\n" for fact in FACTS), encoding="utf-8")
    line.run("learn", "--file", str(path), "--tag", "all", "--category", "note", "--source", "me")
    last, _, first = line.json("blocks")  # the latest first
    assert (last["tags"], last["category"], last["sources"]) == (["all", "people"], "note", ["ada"])
    assert (first["tags"], first["category"], first["sources"]) == (["all", "ops/cache"], "observation", ["me"])


def test_standard_input_is_read_by_line_or_whole(line: Line) -> None:
    def piped(text: str | bytes, *more: str) -> object:
        result = CliRunner().invoke(app, ["learn", "-", *more, "--json", "--db", str(line.db)], input=text)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    assert [each["id"] for each in piped(f"{COLD}\n{WARM}\n")] == [COLD_ID, WARM_ID]  # type: ignore[attr-defined]
    assert piped(json.dumps(FACTS[2]))[0]["id"] == TEA_ID  # type: ignore[index]
    whole = piped("one\ntwo\n", "--whole", "--name", "Both")
    assert isinstance(whole, dict)
    assert line.json("show", "both")["node"]["content"] == "one\ntwo"
    assert piped("\n\n") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"content": "a b"}\n{"content": "a"', "line 2 is not JSON"),
        ('{"content": "a b"}\n\n[1]\n', "line 3 is not an object"),
        ('{"content": "a b", "weight": 2}\n', "line 1 has weight"),
        ('{"content": ""}\n', "line 1 has no content"),
        ('{"content": 3}\n', "the content is not text"),
        ('{"content": "a b", "tags": "ops"}\n', "tags that are no list"),
        ('{"content": "a b", "tags": [3]}\n', "the tag is not text"),
        ('{"content": "a b", "at": "soon"}\n', "line 1"),
        ('{"content": "a b", "name": "x\\ny"}\n', "the name has a control character"),
        ("\xff", "not UTF-8"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_learned(line: Line, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(text, encoding="latin-1")
    failed = line.run("learn", "--file", str(path), code=2)
    assert said in failed.stderr
    assert "nothing was written" in failed.stderr
    assert not line.db.exists()


def test_a_dream_shows_the_links_it_found(line: Line) -> None:
    line.run("learn", COLD, WARM, "--tag", "ops/cache", "--category", "note")
    told = line.run("dream", "--embedder", "hashed").output
    assert "Dreamed: 2 blocks taken in, 1 link found." in told
    assert WARM in told
    assert "inbox is empty" in line.run("dream").output
    assert line.json("dream")["promoted"] == 0


def test_a_dream_without_links_tells_how_to_get_them(line: Line) -> None:
    line.run("learn", COLD, TEA)
    told = line.run("dream", "--embedder", "hashed").output
    assert "no new links" in told
    assert "Shared tags connect blocks at lower similarity" in told
    assert "Shared tags connect" in " ".join(line.run("dream", "--help").output.split())


def test_a_dream_can_go_on_later(line: Line) -> None:
    line.run("config", "--set", "dream_batch_blocks=1")
    line.run("learn", COLD, TEA)
    assert "1 block still in the inbox" in line.run("dream", "--steps", "1", "--embedder", "hashed").output
    assert line.json("dream")["remaining"] == 0


def test_an_interrupted_dream_says_that_it_goes_on(dreamt: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("asterism.sync.Memory.dream", interrupted)
    failed = dreamt.run("dream", code=130)
    assert "the same command goes on from there" in failed.stderr


def test_a_large_dream_says_how_exact_it_was() -> None:
    result = DreamResult(
        9_000, 2, 1, 40_000, 7, exact=False, recall=0.993, remaining=0, steps=3, embedded=9, active_hours=1
    )
    shown = " ".join(plain(dream_lines(result, [], {})).split())
    assert "9,000 blocks taken in, 2 near-duplicates left out, 1 block superseded, 40,000 links found" in shown
    assert "7 weaker links displaced" in shown
    assert "99.3% of the exact links" in shown


def test_links_of_blocks_are_shown_by_what_they_say(dreamt: Line) -> None:
    shown = dreamt.run("links").output
    assert "similar" in shown
    assert COLD in shown
    assert WARM in shown
    assert "evid." not in shown  # there is no connection to head
    of_one = dreamt.run("links", COLD_ID).output
    assert WARM in of_one
    assert COLD not in of_one
    (link,) = dreamt.json("links", WARM_ID, COLD_ID)
    assert (link["family"], link["kind"], link["state"]) == ("structural", "similar", "")
    assert "No evidence links them" in dreamt.run("link", COLD_ID, WARM_ID).output
    assert dreamt.json("link", COLD_ID, WARM_ID) is None
    assert "Links" in dreamt.run("show", COLD_ID).output


def test_evidence_links_blocks_by_name_beside_the_dream(dreamt: Line) -> None:
    assert dreamt.json("observe", "tea", COLD_ID, "user_confirms")["after"] == pytest.approx(0.15)
    shown = dreamt.run("links").output
    assert f"{COLD_ID} ↔ {TEA_ID}" in shown
    assert shown.index(" new ") < shown.index("similar")
    assert TEA in shown
    assert all(len(row) <= 80 for row in shown.splitlines())
    assert dreamt.json("link", "Tea", COLD_ID)["evidence"]["raw"] == 1


def test_the_third_session_of_use_links(dreamt: Line) -> None:
    for session in ("mon", "tue", "wed"):
        told = dreamt.run("used", COLD_ID, "Tea", "--session", session).output
        assert f"2 blocks were used together in session '{session}'" in told
    (link,) = dreamt.json("links", "tea")
    assert (link["kind"], link["strength"]) == ("co_occurs", pytest.approx(0.55))
    assert dreamt.json("used", "tea", "--session", "thu") == [TEA_ID]
    assert "one block alone" in dreamt.run("used", "tea", "--session", "fri").output


@pytest.mark.parametrize(
    ("signal", "said", "links"), [("0.9", "went well", 1), ("0.1", "went badly", 0), ("0.3", "Neither", 0)]
)
def test_an_outcome_says_what_it_did(dreamt: Line, signal: str, said: str, links: int) -> None:
    assert said in dreamt.run("outcome", COLD_ID, "tea", "--signal", signal).output
    assert len(dreamt.json("links", "tea")) == links
    assert [each["outcomes"] for each in dreamt.json("outcome", "tea", "--signal", signal)] == [2]


def test_what_was_edited_away_comes_back_by_a_later_telling(dreamt: Line) -> None:
    said = "Ada prefers coffee in the morning"
    new = dreamt.json("edit", "tea", *said.split())
    assert new["content"] == said
    assert f"{new['id']} stands for it now" in dreamt.run("show", TEA_ID).output
    assert "and is back" in dreamt.run("learn", TEA).output
    assert "put away" in dreamt.run("show", TEA_ID).output
    assert "new id" in dreamt.run("edit", new["id"], "Ada prefers cocoa").output


def test_forget_is_undone_by_restore(dreamt: Line) -> None:
    assert f"asterism restore {TEA_ID}" in dreamt.run("forget", "tea").output
    assert [each["id"] for each in dreamt.json("blocks", "--status", "forgotten")] == [TEA_ID]
    late = dreamt.run("learn", TEA, "--at", "2026-08-01").output
    assert f"asterism restore {TEA_ID} brings it" in late
    assert f"asterism restore {TEA_ID}" in dreamt.run("forget", TEA_ID, code=3).stderr
    assert dreamt.json("restore", TEA_ID)["status"] == "inbox"
    assert "is back" in dreamt.run("forget", "tea").output + dreamt.run("restore", "tea").output


def test_sessions_count_active_hours(line: Line) -> None:
    assert line.json("session", "start", "mon", "--at", "2026-09-01T08:00Z")["open"] is True
    told = line.json("session", "end", "mon", "--at", "2026-09-01T10:00Z")
    assert told == {"session": "mon", "open": False, "active_hours": pytest.approx(2.0)}
    assert "is open; 2.00 active hours so far" in line.run("session", "start", "tue", "--at", "2026-09-02").output


def test_blocks_are_listed_the_latest_first(dreamt: Line) -> None:
    assert [each["id"] for each in dreamt.json("blocks")] == [TEA_ID, WARM_ID, COLD_ID]
    shown = dreamt.run("blocks", "--limit", "2").output
    assert "and 1 more; --limit 3 shows all" in shown
    assert "all: status active" in shown
    assert [each["id"] for each in dreamt.json("blocks", "--at", "2026-09-01")] == [COLD_ID]
    assert "No block is like that" in dreamt.run("blocks", "--tag", "nowhere").output
    assert "asterism learn" in dreamt.run("blocks", "--space", "other").output


def test_nodes_and_stats_mention_blocks(dreamt: Line) -> None:
    assert "3 blocks" in dreamt.run("nodes").output
    assert "1 block\n" in dreamt.run("nodes", "--at", "2026-09-01").output
    dreamt.run("star", "add", "Sleep", "--domain", "health")
    shown = dreamt.run("nodes").output
    assert shown.index("1 star") < shown.index("3 blocks")
    assert "and 2 more: asterism nodes --kind block --limit 3" in dreamt.run("nodes", "--limit", "1").output
    assert [each["kind"] for each in dreamt.json("nodes", "--kind", "star")] == ["star"]
    assert "No moment in space" in dreamt.run("nodes", "--kind", "moment").output
    shown = dreamt.run("stats").output
    for said in ("3 active", "1 similar", "by hashed-words"):
        assert said in shown


@pytest.mark.parametrize("words", ["observe ferry sleep user_creates", "deny ferry sleep", "forget ferry"])
def test_what_was_forgotten_is_said_by_the_name_that_was_typed(line: Line, words: str) -> None:
    line.run("star", "add", "Sleep", "--domain", "health")
    block = line.json("learn", "The boat leaves at noon", "--name", "Ferry")["id"]
    line.run("observe", "ferry", "sleep", "user_creates")
    line.run("forget", "ferry")
    told = line.run(*words.split(), code=3).stderr
    assert "'ferry' in this space" in told
    assert f"asterism restore {block} brings it back" in told
    assert "did you mean" not in told


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("forget", "e313"), 3, f"did you mean {TEA_ID}? An id is given whole"),
        (("show", "E313"), 3, f"did you mean {TEA_ID}?"),
        (("why", "c5c8236"), 3, f"did you mean {COLD_ID}?"),
        (("observe", "c5c8", TEA_ID, "user_confirms"), 3, f"did you mean {COLD_ID}?"),
        (("edit", "Teaa", "no"), 3, "did you mean Tea?"),
        (("used", "zzz", "--session", "s"), 3, "asterism blocks lists them"),
        (("why-not", "zzz", "tea"), 3, "asterism learn"),
        (("restore", TEA_ID), 2, "edit it back"),
        (("outcome", TEA_ID, "--signal", "2"), 2, "0<=x<=1"),
        (("outcome", TEA_ID), 2, "--signal 0.9"),
        (("used", TEA_ID), 2, "--session"),
        (("learn",), 2, "--file FILE"),
        (("learn", "a b", "--whole"), 2, "--whole is for --file and -"),
        (("learn", "a b", "c d", "--name", "x"), 2, "--name is for one text"),
        (("learn", " "), 2, "is empty"),
        (("recall",), 2, "asterism recall"),
        (("recall", " "), 2, "is empty"),
        (("recall", "tea", "--hops", "3"), 2, "0<=x<=2"),
        (("recall", "tea", "--since", "soon"), 2, "2026-01-31"),
        (("recall", "tea", "--kind", "stone"), 2, "block"),
        (("recall", "tea", "--embedder", "best"), 2, "use --embedder default"),
        (("dream", "--at", "2026-09-05"), 2, "--at means nothing here"),
        (("learn", "a b", "--at", "2999-01-01"), 2, "asterism advance --to"),
    ],
)
def test_wrong_use_says_what_to_type_instead(dreamt: Line, words: tuple[str, ...], code: int, said: str) -> None:
    before = dreamt.items()
    result = dreamt.run(*words, code=code)
    assert said in result.stderr, result.stderr
    assert result.stdout == ""
    assert dreamt.items() == before


def test_a_file_beside_a_text_is_refused(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a b")
    assert "either TEXT or --file" in line.run("learn", "a b", "--file", str(path), code=2).stderr


def test_a_telling_says_what_it_ends_and_which_slot_is_called_alike(line: Line) -> None:
    berlin = line.json("learn", "I live in Berlin", "--slot", "user/home")["id"]
    shown = line.run("learn", "I live in Paris", "--slot", "user/home").output
    assert f"ends “I live in Berlin” [{berlin}]" in shown
    shown = line.run("learn", "I live in Rome", "--replaces", berlin).output
    assert f"ends “I live in Berlin” [{berlin}]" in shown
    shown = " ".join(line.run("learn", "I live in Oslo", "--slot", "User/Home").output.split())
    assert "User/Home is a new slot beside user/home" in shown
    assert "new slot" not in line.run("learn", "I live in Bonn", "--slot", "User/Home").output


def test_an_edit_says_from_when_on_it_counts_and_how_it_counts_from_the_first(line: Line) -> None:
    old = line.json("learn", "Nora has two cats", "--at", "2026-01-01T10:00:30Z")["id"]
    shown = " ".join(line.run("edit", old, "Nora has three cats").output.split())
    assert "Corrected from " in shown
    command = f"asterism edit {old} TEXT --at 2026-01-01T10:00:30Z"
    assert f"{command} as if it had always read so" in shown
    assert [each["content"] for each in line.json("blocks", "--at", "2026-02-01")] == ["Nora has two cats"]
    shown = line.run("edit", old, "Nora has three cats", "--at", "2026-01-01T10:00:30Z").output
    assert "as of 2026-01-01" in shown
    assert [each["content"] for each in line.json("blocks", "--at", "2026-02-01")] == ["Nora has three cats"]


def test_what_holds_is_told_and_shown(line: Line) -> None:
    berlin = line.json("learn", "I live in Berlin", "--slot", "user/home", "--at", "2026-01-01")["id"]
    line.run("learn", "I live in Paris", "--slot", "user/home", "--at", "2026-02-01", "--valid-until", "2026-03-01")
    line.run("learn", "I live in Berlin", "--at", "2026-01-05")
    held = line.json("history", "user/home")
    assert [(each["text"], each["begin"][:10], each["end"][:10]) for each in held] == [
        ("I live in Berlin", "2026-01-01", "2026-02-01"),
        ("I live in Paris", "2026-02-01", "2026-03-01"),
    ]
    assert [each["current"] for each in line.json("history", "--at", "2026-02-10")] == [False, True]
    shown = line.run("show", berlin).output
    for words in ("2 times, last 2026-01-05", "user/home from 2026-01-01", "until 2026-02-01", "UTC, not"):
        assert words in shown
    assert "I live in Paris" in line.run("history").output
    assert "Nothing was told of the slot work." in line.run("history", "work").output
    assert "did you mean user/home?" in line.run("history", "User/home").output
    assert [each["text"] for each in line.json("slots")] == ["I live in Paris"], "the last it held"
    assert "user/home" in line.run("slots").output
    assert "now" in line.run("history", "--at", "2026-01-20").output
    assert "2 times" in line.run("blocks").output


def test_what_has_no_slot_says_how_to_fill_one(line: Line) -> None:
    line.run("learn", TEA)
    assert "asterism learn TEXT --slot user/home" in line.run("history").output


def test_a_block_is_pinned_and_let_go(line: Line) -> None:
    line.run("learn", TEA, "--expires", "2126-01-01")
    assert line.json("pin", TEA_ID)["pinned"] is True
    shown = line.run("show", TEA_ID).output
    assert "does not fade" in shown
    assert "2126-01-01" in shown
    assert "fades again" in line.run("pin", TEA_ID, "--off").output
    assert line.json("show", TEA_ID)["node"]["pinned"] is False


def test_a_file_read_again_changes_nothing(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text('{"content": "tea at four", "slot": "tea"}\n{"content": "rain"}\n', encoding="utf-8")
    line.run("learn", "--file", str(path), "--source", "notes")
    items = line.json("verify")["items"]
    line.run("forget", line.json("learn", "rain", "--source", "else")["id"])
    told = line.json("learn", "--file", str(path), "--source", "notes")
    assert [each["status"] for each in told] == ["duplicate", "duplicate"]
    assert line.json("verify")["items"] == items + 2  # that it was told by another, and forgotten
    assert [each["content"] for each in line.json("blocks")] == ["tea at four"]
