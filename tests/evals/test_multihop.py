"""The multi-hop evaluation on passages that the test writes itself, in the public format."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from asterism.errors import InputError
from asterism.evals import multihop

FILMS = ("Lone Wolf", "Red Harbour", "Cold Spring", "Iron Lake", "Far Shore", "Glass Hill")
PEOPLE = ("Steve Carver", "Anna Holm", "Li Wei", "Omar Said", "Eva Lind", "Tom Brook")
TOWNS = ("Brooklyn", "Bergen", "Xian", "Tripoli", "Lund", "Leeds")


def write(path: Path, records: object) -> None:
    path.write_bytes(gzip.compress(json.dumps(records).encode()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    corpus, asked = [], []
    for number, (film, person, town) in enumerate(zip(FILMS, PEOPLE, TOWNS, strict=True)):
        corpus += [
            {"pid": f"p{number}a", "title": film, "text": f"{film} is a film directed by {person}."},
            {"pid": f"p{number}b", "title": person, "text": f"{person} was born in {town} and is a director."},
            {"pid": f"p{number}c", "title": f"{town} (town)", "text": "A place with a harbour."},
        ]
        asked.append(
            {
                "question": f"In which town was the director of {film} born?",
                "supporting": [f"p{number}a", f"p{number}b"],
                "kind": "2hop",
            }
        )
    for name in ("musique", "2wiki"):
        write(tmp_path / f"{name}_corpus.json.gz", corpus)
        write(tmp_path / f"{name}_questions.json.gz", asked)
    extra = [{"title": "Other", "text": f"Passage {number}."} for number in range(3)]
    write(
        tmp_path / "2wiki_extra_distractors.json.gz", [*extra, extra[0], {k: corpus[0][k] for k in ("title", "text")}]
    )
    return tmp_path


def test_links_find_the_second_passage(folder: Path) -> None:
    reports = {one.system: one for one in multihop.run(folder)}
    assert list(reports) == ["BM25", "BM25 ours", "no graph", "ours", "inside"]
    assert reports["inside"].preset == "lexical"
    for name in ("musique", "2wiki", "2wiki+extra"):
        assert reports["ours"].value(name, "recall@2") == 1.0
        assert reports["ours"].value(name, "all@5") == 1.0
    assert reports["BM25 ours"].value("musique", "recall@2") < 1.0  # type: ignore[operator]  # it is no None
    assert reports["ours"].value("hotpotqa", "recall@5") is None


def test_extra_passages_are_added_once_each(folder: Path) -> None:
    (pool,) = multihop.load_extra(folder)
    assert (pool.name, len(pool.entries)) == ("2wiki+extra", 18 + 3)
    (folder / "2wiki_extra_distractors.json.gz").unlink()
    assert multihop.load_extra(folder) == []


def test_halves_of_the_questions_are_folds(folder: Path) -> None:
    pool = multihop.load(folder)[0]
    assert [asked.fold for asked in pool.questions[:3]] == ["even questions", "odd questions", "even questions"]


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ([{"question": "x", "supporting": ["p9"], "kind": "2hop"}], "without its supporting passages"),
        ([{"question": "x", "supporting": [], "kind": "2hop"}], "without its supporting passages"),
        ([{"question": "x", "supporting": "p0a", "kind": "2hop"}], "lacks a field"),
        ([{"question": "x"}], "lacks a field"),
    ],
)
def test_questions_that_cannot_be_scored_are_refused(folder: Path, asked: object, problem: str) -> None:
    write(folder / "musique_questions.json.gz", asked)
    with pytest.raises(InputError, match=problem):
        multihop.load(folder)


def test_a_missing_file_is_named(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (folder / "musique_questions.json.gz").unlink()
    with pytest.raises(InputError, match=r"there is no musique_questions\.json\.gz"):
        multihop.load(folder)
    with pytest.raises(InputError, match="it holds no <set>_corpus"):
        multihop.load(tmp_path_factory.mktemp("empty"))


def test_conversations_beside_are_learnt_from(folder: Path) -> None:
    beside = folder / "locomo"
    beside.mkdir()
    turns = [{"speaker": "Ann", "dia_id": f"D1:{number}", "text": town} for number, town in enumerate(TOWNS)]
    record = {
        "sample_id": "conv-1",
        "conversation": {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"},
        "qa": [{"question": "Who said Leeds?", "evidence": ["D1:5"], "category": 4}],
    }
    write(beside / "x.json.gz", [record])
    heard: list[str] = []
    multihop.run(folder, progress=heard.append)
    assert "conv-1: 6 entries, 1 questions" in heard
