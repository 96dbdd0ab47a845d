"""The LoCoMo evaluation on conversations that the test writes itself, in the public format."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from asterism.errors import InputError
from asterism.evals import locomo, recall_fit
from asterism.evals.recall_fit import Case, fit
from asterism.evals.recall_sets import FIRST, prepare, shipped
from asterism.evals.report import render

PLACES = ("Rome", "Oslo", "Kyoto", "Lima")
THINGS = ("violin", "kayak", "bicycle", "telescope")


class Letters:
    """An embedder that counts letters: alike words are near, and that is all it knows."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), 26), dtype=np.float32)
        for row, text in enumerate(texts):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    rows[row, ord(letter) - ord("a")] += 1.0
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return rows


def conversation(name: str, shift: int) -> dict[str, object]:
    talk: dict[str, object] = {"speaker_a": "Ann", "speaker_b": "Bob"}
    asked = []
    for number in range(1, 4):
        place, thing = PLACES[(number + shift) % 4], THINGS[(number + shift) % 4]
        lines = [
            ("Ann", f"Hi Bob! What did you do in {place}?"),
            ("Bob", f"I bought a {thing} yesterday."),
            ("Ann", "Great."),
            ("Bob", "How are you?"),
            ("Ann", "I am well, it rained all week."),
        ]
        talk[f"session_{number}_date_time"] = f"1:56 pm on {number} May, 2023"
        talk[f"session_{number}"] = [
            {"speaker": speaker, "dia_id": f"D{number}:{turn}", "text": text}
            | ({"blip_caption": "a photo of a shop"} if turn == 2 else {})
            for turn, (speaker, text) in enumerate(lines, start=1)
        ]
        asked += [
            {"question": f"What did Bob do in {place}?", "evidence": [f"D{number}:2"], "category": 4},
            {"question": f"When did Bob buy a {thing}?", "evidence": [f"D{number}:2", "D"], "category": 2},
            {"question": f"What is in {place}?", "evidence": [f"D{number}:1", f"D{number}:2"], "category": 1},
        ]
    asked.append({"question": "What did nobody say?", "evidence": ["D30:05"], "category": 3})
    return {"sample_id": name, "conversation": talk, "qa": asked, "observation": {"never": "read"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "locomo"
    data.mkdir()
    first = [conversation(f"conv-{number}", number) for number in range(2)]
    (data / "a.json.gz").write_bytes(gzip.compress(json.dumps(first).encode()))
    (data / "b.json").write_text(json.dumps([conversation("conv-2", 2)]))
    return data


def test_turns_are_read_with_their_place_and_time(folder: Path) -> None:
    pools = locomo.load(folder.parent)
    assert [pool.name for pool in pools] == ["conv-0", "conv-1", "conv-2"]
    entry = pools[0].entries[1]
    assert (entry.id, entry.group, entry.position, entry.speaker) == ("D1:2", "session_1", 1, "Bob")
    assert entry.text == "I bought a kayak yesterday. [a photo of a shop]"
    assert len(pools[0].questions) == 9  # the one without a turn as evidence is left out
    assert {asked.fold for asked in pools[0].questions} == {"conv-0"}


def test_every_system_is_scored_by_category(folder: Path) -> None:
    heard: list[str] = []
    reports = {one.system: one for one in locomo.run(folder, progress=heard.append, embedder=Letters())}
    assert list(reports) == ["BM25", "BM25 ours", "vectors", "no order", "no graph", "ours", "inside"]
    assert [reports[name].preset for name in ("BM25", "ours", "inside")] == ["none", "cross-validated", "seed"]
    assert heard[0] == "conv-0: 15 entries, 9 questions"
    assert "fitting without conv-2" in heard
    ours = reports["ours"]
    assert ours.value("1-4", "recall@10") is not None
    assert ours.value("5 adversarial", "recall@10") is None
    assert ours.value("2 temporal", "recall@5") == 1.0
    assert ours.value("1 multi-hop", "all@10") == 1.0
    assert "recall@25" in render(list(reports.values()))


def test_without_an_embedder_there_are_no_vectors(folder: Path) -> None:
    assert "vectors" not in [report.system for report in locomo.run(folder)]


def test_weights_given_from_outside_score_as_recall_does(folder: Path) -> None:
    (prepared, *_) = prepare(locomo.load(folder), Letters(), None)
    for example in prepared.examples:
        scores = prepared.recall.score(example.query).scores
        assert prepared.scores(example, shipped(prepared.recall.p)) == pytest.approx(scores, abs=1e-5)


def test_a_fold_is_not_learnt_from(folder: Path) -> None:
    pools = prepare(locomo.load(folder), None, None)
    without = recall_fit.fit_weights(pools, leave_out="conv-1")
    assert without == recall_fit.fit_weights([pools[0], pools[2]], leave_out=None)
    assert set(without[0]) == set(FIRST)


def test_the_fit_finds_the_lowest_loss() -> None:
    signals = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 1.0]])
    cases = [Case(signals, np.array([True, False, False, False]), 1.0)] * 3
    cases += [Case(signals, np.array([False, False, False, True]), 2.0)] * 2
    penalty = np.full(2, 0.5)
    weights = fit(cases, penalty=penalty, start=np.array([30.0, -30.0]))  # so far off that steps must be halved
    value = recall_fit._loss(cases, weights, penalty)[0]
    for move in ([0.01, 0], [-0.01, 0], [0, 0.01], [0, -0.01]):
        assert recall_fit._loss(cases, weights + np.array(move), penalty)[0] > value


def test_the_fit_prints_a_table_to_paste(folder: Path, tmp_path: Path) -> None:
    corpus = [{"pid": "p0", "title": "Rome", "text": "A city."}, {"pid": "p1", "title": "Oslo", "text": "Near Rome."}]
    asked = [{"question": "What is near Rome?", "supporting": ["p0", "p1"], "kind": "2hop"}] * 2
    (tmp_path / "multihop").mkdir()
    (tmp_path / "multihop/musique_corpus.json").write_text(json.dumps([*corpus, dict(corpus[0], pid="p2", text="x")]))
    (tmp_path / "multihop/musique_questions.json").write_text(json.dumps(asked))
    written: list[str] = []
    recall_fit.main(["--data", str(tmp_path), "--without-vectors"], write=written.append)
    assert written[0].startswith("weight_keyword = ")
    assert len(written) == 20
    written.clear()
    recall_fit.main(["--data", str(tmp_path), "--without-vectors", "--across-sets"], write=written.append)
    assert [line.split(":")[0] for line in written] == ["locomo", "musique"]
    assert "all@5" in written[1]
    systems = [report.system for report in locomo.run(folder)]  # now with the questions beside
    assert systems[-2:] == ["ours", "inside"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"not gzip", "it is damaged"),
        (gzip.compress(b"{", mtime=0), "it is damaged"),
        (gzip.compress(b'{"a": 1}', mtime=0), "it is no JSON list of objects"),
        (gzip.compress(b"[1]", mtime=0), "it is no JSON list of objects"),
        (gzip.compress(b'[{"sample_id": "x", "conversation": [], "qa": []}]', mtime=0), "does not read as LoCoMo's"),
        (gzip.compress(b"[]", mtime=0), "it holds no conversations"),
    ],
    ids=[
        "no gzip",
        "no JSON",
        "an object",
        "a list of numbers",
        "no turns",
        "an empty list",
    ],  # the same in every process
)
def test_damaged_data_is_refused_by_name(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "x.json.gz").write_bytes(content)
    with pytest.raises(InputError, match=problem):
        locomo.load(tmp_path)
