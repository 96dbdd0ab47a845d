"""Recall on the command line: answers with reasons, why not, filters, embedders."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from asterism import config
from asterism.core.blocks.words import STATUSES as ALL_STATUSES
from asterism.core.recall.links import LINK_SIGNALS
from asterism.core.recall.model import Answer, AnswerHit
from asterism.core.recall.rank import LACKS
from asterism.core.recall.signals import FIRST_SIGNALS
from asterism.core.recall.times import TIME_SIGNALS
from asterism.entry.cli.app import app
from asterism.entry.cli.opening import STATUSES
from asterism.entry.text.layout import plain
from asterism.entry.text.recalled import LINKS, SIGNALS, answer_lines
from tests.support.command_line import COLD, COLD_ID, TEA, TEA_ID, WARM, WARM_ID, Line
from tests.support.embedding_server import serving
from tests.support.memories import remembering


def test_a_first_session_finds_by_meaning_offline(line: Line) -> None:
    """With the embedder that a new user has."""
    pytest.importorskip("wordllama")
    for text in (COLD, WARM, TEA):
        line.run("learn", text)
    assert line.json("recall", "why do releases break?")["hits"][-1]["id"] == TEA_ID
    assert line.json("recall", "a hot drink at breakfast")["hits"][0]["id"] == TEA_ID
    assert "nearer in meaning" in line.run("recall", "a hot drink at breakfast").output


def test_recall_gives_text_probability_reason_and_id(dreamt: Line) -> None:
    shown = " ".join(dreamt.run("recall", "why", "do", "deploys", "fail?", "--all").output.split())
    assert re.search(rf"1\. {COLD} \d\d % words asked for", shown)
    assert f"1. {COLD}" in shown
    assert "words asked for, here or nearby +" in shown
    assert f"{TEA_ID} 3 Sep 2026, ada people" in shown
    assert "left out" not in shown
    assert "3 of 3 things" in shown
    told = dreamt.json("recall", "why do deploys fail?")
    assert [hit["id"] for hit in told["hits"]][:2] == [COLD_ID, WARM_ID]
    for hit in told["hits"]:
        assert sum(hit["signals"].values()) == pytest.approx(hit["score"], abs=1e-9)


def test_what_is_far_from_probable_is_counted_and_shown_on_request(dreamt: Line) -> None:
    question = ("recall", "why", "do", "deploys", "fail?")
    shown = dreamt.run(*question).output
    assert TEA_ID not in shown
    assert "1 less probable one left out: --all shows it" in " ".join(shown.split())
    assert TEA_ID in dreamt.run(*question, "--floor", "0").output, "who asks for a floor gets what reaches it"
    assert len(dreamt.json(*question)["hits"]) == 3


def test_an_unsure_answer_says_so_before_what_comes_nearest(dreamt: Line) -> None:
    shown = dreamt.run("recall", "does the cold cache of Mongolia like ships?").output
    assert shown.startswith("Unsure: nothing here probably answers this. Nearest:")


def test_recall_shows_its_sums_on_request(dreamt: Line) -> None:
    shown = dreamt.run("recall", "deploy", "--why", "-k", "2").output
    assert shown.count("= score") == 2


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (("--tag", "people"), {TEA_ID}),
        (("--category", "heuristic"), {WARM_ID}),
        (("--source", "ada"), {TEA_ID}),
        (("--since", "2026-09-02"), {WARM_ID, TEA_ID}),
        (("--until", "2026-09-01"), {COLD_ID}),
        (("--kind", "star"), set()),
        (("--budget", "9", "-k", "2"), {COLD_ID}),
        (("-k", "1", "--hops", "0", "--intention", "sleep well"), {COLD_ID}),
        (("--at", "2026-09-01"), {COLD_ID}),
    ],
)
def test_recall_is_narrowed(dreamt: Line, options: tuple[str, ...], ids: set[str]) -> None:
    hits = dreamt.json("recall", "deploys that fail", "--floor", "0", *options)["hits"]
    assert {hit["id"] for hit in hits} == ids
    dreamt.run("recall", "deploys that fail", *options)


def test_a_filter_that_leaves_nothing_says_so(dreamt: Line) -> None:
    assert "Leave a filter out" in dreamt.run("recall", "tea", "--tag", "nowhere").output


def test_recall_on_an_empty_memory_says_what_to_do(line: Line) -> None:
    assert "asterism learn" in line.run("recall", "tea", code=3).stderr
    line.run("config", "--preset", "seed")
    shown = line.run("recall", "tea").output
    assert "nothing to recall in space 'default' yet" in shown
    assert "asterism learn" in shown
    assert line.json("recall", "tea")["hits"] == []


def test_recall_of_a_time_before_everything(dreamt: Line) -> None:
    assert "nothing to recall in space 'default' then" in dreamt.run("recall", "tea", "--at", "2026-08-01").output


def test_recall_writes_nothing(dreamt: Line) -> None:
    before = dreamt.db.read_bytes()
    for words in (("recall", "tea"), ("why-not", TEA_ID, "deploy"), ("blocks",), ("show", TEA_ID), ("links",)):
        dreamt.run(*words)
    assert dreamt.db.read_bytes() == before


def test_stars_are_recalled_too(told: Line) -> None:
    told.run("learn", "Bad sleep makes a bad mood")
    shown = told.run("recall", "sleep", "--kind", "star", "--embedder", "hashed").output
    assert "sleep  star" in shown


def test_a_long_text_is_cut_and_a_named_one_leads_with_its_name() -> None:
    hit = AnswerHit("a" * 16, "block", "word " * 500, "Title", 1.0, {"keyword": 1.0}, (), (), 600)
    shown = plain(answer_lines(Answer("q", (hit,), 1.0, 1), width=80)).splitlines()
    assert shown[0].startswith(" 1. Title: word")
    assert len(shown) < 12
    assert all(len(row) <= 80 for row in shown)


def test_hits_are_numbered_as_they_are_shown() -> None:
    best = AnswerHit("a", "block", "tea", "", 3.0, {}, (), (), 1, probability=0.7)
    faint = replace(best, id="b", text="rain", probability=0.01)
    former = replace(faint, id="c", text="coffee", ended_by="a")
    answer = Answer("q", (best, faint, former), 1.0, 3, faint=0.05)
    numbered = [row for row in plain(answer_lines(answer)).splitlines() if "." in row[:4]]
    assert numbered == [" 1. tea", " 2. coffee"]


def test_every_signal_and_link_has_words() -> None:
    assert set(SIGNALS) == {*FIRST_SIGNALS, *TIME_SIGNALS, LACKS, "story"}
    assert set(LINKS) == {*LINK_SIGNALS, "walk"}
    assert STATUSES == ALL_STATUSES


@pytest.mark.parametrize(
    ("words", "gate", "said"),
    [
        ((TEA_ID, "why do deploys fail", "-k", "1"), "rank", "Ask for -k 3"),
        ((COLD_ID, "why do deploys fail"), "in", "It is among the answers"),
        ((TEA_ID, "deploy", "--tag", "ops/cache"), "filter", "A filter keeps it out"),
        ((WARM_ID, "why do deploys fail", "--budget", "9"), "budget", "raise the budget"),
        (("Tea", "deploy", "-k", "1"), "rank", TEA_ID),
        ((COLD_ID, TEA_ID), "guard", "Too far apart in meaning"),
        ((COLD_ID, WARM_ID), "linked", "They are linked"),
    ],
)
def test_why_not_names_the_gate_and_the_change(dreamt: Line, words: tuple[str, ...], gate: str, said: str) -> None:
    assert dreamt.json("why-not", *words)["gate"] == gate
    assert said in dreamt.run("why-not", *words).output


def test_why_not_of_what_is_forgotten_tells_how_to_bring_it_back(dreamt: Line) -> None:
    dreamt.run("forget", "Tea")
    assert f"asterism restore {TEA_ID}" in dreamt.run("why-not", TEA_ID, "tea").output


def test_why_explains_blocks_and_their_links(dreamt: Line) -> None:
    why = dreamt.json("why", COLD_ID, WARM_ID)
    (link,) = dreamt.json("links")
    assert why["total"] == pytest.approx(link["strength"], abs=1e-9)
    assert dreamt.json("why", link["id"]) == why
    assert dreamt.json("why", "Tea")["number"] == "confidence"


def test_another_embedder_is_refused_until_all_is_embedded_anew(dreamt: Line) -> None:
    pytest.importorskip("wordllama")
    assert "asterism reembed" in dreamt.run("recall", "tea", "--embedder", "default", code=2).stderr
    told = dreamt.json("reembed", "--embedder", "default")
    assert told["blocks"] == 3
    assert dreamt.json("stats")["embedder"] == told["embedder"]
    assert "3 blocks embedded anew by hashed" in dreamt.run("reembed", "--embedder", "hashed").output


def test_the_environment_names_the_embedder(dreamt: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTERISM_EMBEDDER", "nothing")
    assert "use --embedder default, hashed" in dreamt.run("recall", "tea", code=2).stderr
    dreamt.run("recall", "tea", "--embedder", "hashed")


def test_a_remote_embedder_is_asked_with_its_key(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTERISM_EMBEDDER_KEY", "secret")
    line.run("learn", TEA)
    with serving(lambda texts: [[float(len(text)), 1.0] for text in texts]) as server:
        line.run("dream", "--embedder", f"remote:{server.url}#m")
    assert {request.headers["Authorization"] for request in server.seen} == {"Bearer secret"}


def test_the_key_of_a_remote_embedder_is_not_shown() -> None:
    read = config.load({"ASTERISM_EMBEDDER": "remote:http://x#m", "ASTERISM_EMBEDDER_KEY": "secret", "HOME": "/h"})
    assert (read.embedder, read.embedder_key) == ("remote:http://x#m", "secret")
    assert "secret" not in repr(read)


def test_walkers_can_be_sent_from_the_best_hit(dreamt: Line) -> None:
    told = dreamt.json("recall", "why do deploys fail?", "-k", "1", "--walk")
    behind = [hit for hit in told["hits"][1:] if "walk" in hit["signals"]]
    assert behind
    assert "found by walkers from" in " ".join(
        dreamt.run("recall", "why do deploys fail?", "-k", "1", "--walk").output.split()
    )


def test_at_a_prompt_the_changes_are_those_of_commands(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        memory.learn_many([f"garden and water {place}" for place in range(1_005)])
        last = memory.learn("tyres and a long word more than fits").id

    def asked(*words: str) -> str:
        shown = CliRunner().invoke(app, ["why-not", last, *words, "--db", str(path), "--space", "me"]).output
        return " ".join(shown.split())

    assert "ask more narrowly" in asked("garden water", "--embedder", "hashed")
    assert "-k 1006" not in asked("garden water", "--embedder", "hashed")
    assert "and ask for --budget " in asked("tyres", "--tag", "x", "--budget", "1", "--embedder", "hashed")


def test_several_spaces_are_listed_and_asked(dreamt: Line) -> None:
    dreamt.run("learn", "The oven failed on Sunday.", "--space", "home")
    listed = dreamt.json("spaces")["spaces"]
    assert [each["name"] for each in listed] == sorted(each["name"] for each in listed)
    assert "home" in [each["name"] for each in listed]
    assert "home" in dreamt.run("spaces").output
    hits = dreamt.json("recall", "what failed on Sunday?", "--also", "home")["hits"]
    assert hits[0]["space"] == "home"
    assert "there are" in dreamt.run("recall", "anything", "--space", "nowhere").output


def test_an_answer_is_printed_for_a_prompt(dreamt: Line) -> None:
    shown = dreamt.run("recall", "why do deploys fail?", "--prompt", "--budget", "30").output
    assert shown.startswith("- 2026-09-01")
    assert len(shown.strip()) <= 120
    assert dreamt.json("recall", "why do deploys fail?", "--prompt")["prompt"].startswith("- 2026")


def test_unsure_questions_are_kept_on_request_and_listed(dreamt: Line) -> None:
    assert "No question" in dreamt.run("unanswered").output
    items = dreamt.items()
    dreamt.run("recall", "capital of Mongolia?")
    assert dreamt.items() == items
    dreamt.run("recall", "capital of Mongolia?", "--keep-unanswered")
    dreamt.run("recall", "why do deploys fail?", "--keep-unanswered")
    assert [each["query"] for each in dreamt.json("unanswered")["unanswered"]] == ["capital of Mongolia?"]
    assert "mongolia" in dreamt.run("unanswered").output
