"""Evaluations as used, on conversations and passages that the tests write themselves, in the public formats."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from click.testing import CliRunner, Result

from asterism.embed import open_embedder
from asterism.entry.cli.app import app
from asterism.evals import used
from asterism.evals.as_used import Used, read_once, sampled, times_of
from asterism.evals.locomo import load
from asterism.evals.report import Report
from asterism.evals.used_mcp import mcp_reports
from tests.engine.recall.test_pieces import Pieces

SAID = (
    ("Ann", "Hi Bo! I moved to Oslo for a new job at the harbour."),
    ("Bo", "How was the move?"),
    ("Ann", "Hard. My piano is still on a ship."),
    ("Bo", "I bought a kayak yesterday and paddled to the lighthouse."),
)
OTHERS = (
    ("Cy", "My sister Vera paints birds."),
    ("Di", "I baked bread with rye and honey."),
    ("Cy", "Rye is my favourite."),
    ("Di", "My dog ate half of it."),
)


def conversation(name: str, said: tuple[tuple[str, str], ...], asked: list[dict[str, object]]) -> dict[str, object]:
    turns = [
        {"speaker": speaker, "dia_id": f"D1:{place}", "text": text} for place, (speaker, text) in enumerate(said, 1)
    ]
    talk = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    return {"sample_id": name, "conversation": talk, "qa": asked}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "locomo").mkdir()
    first = [
        {"question": "Where did Ann move?", "evidence": ["D1:1"], "category": 4},
        {"question": "What did Bo buy?", "evidence": ["D1:4"], "category": 2},
        {"question": "What did Bo sell?", "evidence": ["D1:4"], "category": 5},
    ]
    second = [{"question": "What did Di bake with honey?", "evidence": ["D1:2"], "category": 1}]
    talks = [conversation("conv-0", SAID, first), conversation("conv-1", OTHERS, second)]
    (tmp_path / "locomo/talks.json").write_text(json.dumps(talks))
    (tmp_path / "multihop").mkdir()
    corpus = [
        {"pid": "p0", "title": "Oslo", "text": "Oslo lies at the end of a long fjord."},
        {"pid": "p1", "title": "Harbour Bridge", "text": "The bridge of the harbour was built in Oslo."},
        {"pid": "p2", "title": "Rye", "text": "A grain that grows in cold places."},
    ]
    asked = [{"question": "At what end does the city of the Harbour Bridge lie?", "supporting": ["p0", "p1"]}]
    (tmp_path / "multihop/musique_corpus.json").write_text(json.dumps(corpus))
    (tmp_path / "multihop/musique_questions.json").write_text(json.dumps([{**each, "kind": "2hop"} for each in asked]))
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words)


def by_system(reports: list[Report]) -> dict[str, Report]:
    return {report.system: report for report in reports}


def test_a_conversation_is_told_in_every_way_and_found_in_each(folder: Path) -> None:
    heard: list[str] = []
    reports = by_system(used.run_locomo(folder, progress=heard.append, embedder="hashed"))
    assert list(reports) == ["as used", "dreamt", "read", "alone", "at once", "BM25", "mcp", "mcp read"]
    assert "as used: conv-0" in heard
    assert all(reports[name].preset.startswith("as used: ") for name in ("as used", "dreamt", "read", "alone"))
    assert reports["mcp"].value("1-4", "recall@25") is None  # an agent asks for ten
    for name in ("as used", "alone", "at once", "mcp"):
        assert (reports[name].value("1-4", "recall@5") or 0.0) > 0.5  # what is improbable is left out of an answer
        assert reports[name].value("1-4", "recall@5") == reports[name].value("1-4", "recall@10")


def test_questions_of_another_conversation_are_asked_with_the_names_of_this_one(folder: Path) -> None:
    first, second = used.with_strangers(load(folder), 50)
    assert [asked.text for asked in first.questions if asked.kind == used.OTHERS] == ["What did Bo bake with honey?"]
    assert [asked.text for asked in second.questions if asked.kind == used.OTHERS] == [
        "Where did Cy move?",
        "What did Di buy?",
    ]


def test_what_is_refused_is_counted_where_five_in_a_hundred_answerable_questions_are(folder: Path) -> None:
    pool = load(folder)[0]
    answerable, adversarial = pool.questions[0], pool.questions[2]
    answered = [("x", answerable, Used((), 0.5 + place / 1000, unsure=False)) for place in range(100)]
    answered += [("x", adversarial, Used((), value, unsure=value < 0.2)) for value in (0.1, 0.3, 0.6, 0.7)]
    rows = {(row.name, row.metric): row.value for row in used.refusals(answered)}
    assert rows == {
        ("1-4", "refused@5%"): 0.05,
        ("1-4", "unsure"): 0.0,
        ("5 adversarial", "refused@5%"): 0.5,
        ("5 adversarial", "unsure"): 0.25,
    }
    assert list(used.refusals(answered[100:])) == []


def test_without_the_sdk_there_is_no_row_of_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asterism.evals.used_mcp.find_spec", lambda _: None)
    assert "mcp" not in by_system(used.run_locomo(folder, embedder="hashed"))


def test_a_tool_that_fails_ends_the_evaluation(folder: Path) -> None:
    (first, *_) = load(folder)
    asked = replace(first, questions=(replace(first.questions[0], text=" "),))
    with pytest.raises(ExceptionGroup) as failed:
        mcp_reports("locomo", [asked], rows=used.mcp_rows, embedder="hashed")
    assert failed.group_contains(RuntimeError, match="recall failed: the query is empty")


def test_passages_are_learned_under_their_titles(folder: Path) -> None:
    reports = by_system(used.run_multihop(folder, embedder="hashed"))
    assert list(reports) == ["as used", "dreamt", "BM25"]
    assert reports["as used"].value("musique", "all@5") == 1.0


def test_a_text_is_read_once_with_its_pieces() -> None:
    pieces = Pieces()
    once = open_embedder(read_once(pieces))
    texts = ["martial lake", "soup"]
    vectors, codes = once.embed_pieces(texts)
    again, codes_again = once.embed_pieces(["soup", "martial lake", "soup"])
    assert pieces.read == len(texts)
    assert again.tolist() == vectors[[1, 0, 1]].tolist()
    assert [each.tolist() for each in codes_again] == [codes[place].tolist() for place in (1, 0, 1)]
    assert once.embed(texts).tolist() == vectors.tolist()
    assert once.words_of_pieces("martial soup") == ("martial", "soup")


def test_a_sample_is_taken_from_all_over_a_set(folder: Path) -> None:
    pool = load(folder)[0]
    (some,) = sampled([pool], 2)
    assert some.questions == (pool.questions[0], pool.questions[2])
    assert sampled([pool], None) == [pool]


def test_turns_of_a_session_follow_each_other_and_passages_have_no_time(folder: Path) -> None:
    first, second, *_ = times_of(load(folder)[0].entries)
    assert first is not None
    assert second is not None
    assert (second - first).total_seconds() == 1.0


def test_the_command_prints_what_a_user_gets_beside_what_is_inside(folder: Path) -> None:
    both = run("eval", "locomo", "--data", str(folder), "--embedder", "hashed")
    assert both.exit_code == 0, both.output
    assert "learn_many with conversation, speaker and at" in both.output
    alone = json.loads(
        run("eval", "multihop", "--data", str(folder), "--as-used", "--json", "--embedder", "hashed").output
    )
    assert [report["system"] for report in alone] == ["as used", "dreamt", "BM25"]
    systems = json.loads(run("eval", "multihop", "--data", str(folder), "--json", "--embedder", "hashed").output)
    assert [report["system"] for report in systems][:4] == ["as used", "dreamt", "BM25", "inside"]
    refused = run("eval", "causal", "--data", str(folder), "--as-used")
    assert "--as-used" in refused.output
    assert refused.exit_code == 2
