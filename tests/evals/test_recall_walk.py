"""Walkers in the retrieval evaluations: a pool as a graph, the signal, a weight chosen without its fold, the option."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from asterism.core.ledger.graph import Entry
from asterism.core.walkers.graph import WalkGraph
from asterism.core.walkers.places import KINDS, MOMENT, THING
from asterism.engine.explore.run import Asking, explore_now
from asterism.entry.cli.app import app
from asterism.evals import multihop, recall_walk
from asterism.evals.recall_sets import Asked, Pool, Prepared, prepare, shipped
from asterism.evals.recall_walk import FOUND, PATHS, WEIGHTS, Walks, graph_of, two_hops, walk_systems

FILMS = ("Lone Wolf", "Red Harbour", "Cold Spring", "Iron Lake")
PEOPLE = ("Steve Carver", "Anna Holm", "Li Wei", "Omar Said")
ADDED = ["two hops", "walk 1", "walk 4", "no graph+walk", "walk", "paths", "branching"]
TOWNS = ("Brooklyn", "Bergen", "Xian", "Tripoli")


SEEN = {
    "the director": [1.0, 1.0, 1.0, 1.0],
    "film": [1.0, 0.1, 0.0, 0.0],
    "grew": [0.1, 1.0, 0.2, 0.0],
    "harbour": [0.0, 0.2, 1.0, 0.0],
}


class ByHand:
    """An embedder that knows four words: the question is near to every passage, and no passage to another."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [next((row for word, row in SEEN.items() if word in text), [0.0] * 4) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(-1, 4)


def passages() -> Pool:
    entries, questions = [], []
    for number, (film, person, town) in enumerate(zip(FILMS, PEOPLE, TOWNS, strict=True)):
        entries += [
            Entry(f"p{number}a", f"{film} is a film directed by {person}.", name=film, kind="passage"),
            Entry(f"p{number}b", f"They grew up in {town}.", name=person, kind="passage"),
            Entry(f"p{number}c", "A place with a harbour.", name=town, kind="passage"),
        ]
        gold = (f"p{number}a", f"p{number}c")
        fold = "odd" if number % 2 else "even"
        questions.append(Asked(f"Where did the director of {film} grow up?", gold, "3hop", fold))
    return Pool("films", tuple(entries), tuple(questions), conversation=False)


def talk() -> Pool:
    said = ["Hello Bob.", "I was in Oslo.", "Did it rain?"]
    entries = [
        Entry(f"D{group}:{place}", text, group=f"session_{group}", position=place, speaker="Ann", kind="turn")
        for group in (1, 2)
        for place, text in enumerate(said)
    ]
    return Pool("talk", tuple(entries), (Asked("Where was Ann?", ("D1:1",), "4", "talk"),), conversation=True)


@pytest.fixture
def films() -> Prepared:
    return prepare([passages()], ByHand(), None)[0]


def links(pool: Prepared) -> set[str]:
    return set(list_of(graph_of(pool)))


def list_of(graph: WalkGraph) -> list[str]:
    assert isinstance(graph.link_ids, tuple)
    return list(graph.link_ids)


def test_passages_are_things_linked_by_names(films: Prepared) -> None:
    graph = graph_of(films)
    assert {KINDS[kind] for kind in graph.kinds} == {THING}
    assert {f"p{number}a~p{number}b#mention" for number in range(4)} <= links(films)
    assert {f"p{number}b~p{number}c#mention" for number in range(4)} <= links(films)
    assert not any(link.endswith("#order") for link in links(films))
    assert list_of(graph) == sorted(list_of(graph))
    assert {KINDS[kind] for kind in graph_of(films, kind=MOMENT).kinds} == {MOMENT}


def test_turns_are_moments_linked_by_names_and_in_their_order() -> None:
    (pool,) = prepare([talk()], ByHand(), None)
    assert {KINDS[kind] for kind in graph_of(pool).kinds} == {MOMENT}
    assert {link for link in links(pool) if link.endswith("#order")} == {
        f"D{group}:{place}~D{group}:{place + 1}#order" for group in (1, 2) for place in (0, 1)
    }  # never from one session to the next
    assert "D1:1~D2:1#shared_term" in links(pool)


def test_the_signal_is_the_cosine_of_what_walkers_reached(films: Prepared) -> None:
    walks, example = Walks([films]), films.examples[0]
    start = films.index.rows["p0a"]
    signals = walks.of(films, example, start)
    assert walks.of(films, example, start) is signals  # walked once
    graph, vector = walks.graphs["films"], example.query.vector
    assert vector is not None
    told = explore_now(graph, Asking(query=example.asked.text, query_vector=vector, start=start))
    new = {each.id for each in told.narratives}
    assert {films.index.ids[row] for row in np.flatnonzero(signals[FOUND])} == {each.id for each in told.found} - new
    for finding in told.found:
        if finding.id not in new:
            assert signals[FOUND][films.index.rows[finding.id]] == pytest.approx(finding.alignment, abs=1e-5)
    assert set(np.flatnonzero(signals[FOUND])) <= set(np.flatnonzero(signals[PATHS]))
    assert signals[PATHS][start] > 0.0
    assert {"p0b", "p0c"} <= {films.index.ids[row] for row in np.flatnonzero(signals[FOUND])}


def test_two_hops_are_those_of_recall(films: Prepared) -> None:
    for example in films.examples:
        expected = films.recall.score(example.query, hops=2).scores
        assert two_hops(films, example, shipped(films.recall.p)) == pytest.approx(expected, abs=1e-5)
        once = films.scores(example, shipped(films.recall.p))
        assert (two_hops(films, example, shipped(films.recall.p)) >= once - 1e-9).all()


def test_a_weight_is_chosen_without_the_fold_it_is_used_on(films: Prepared) -> None:
    """The gold passage two links away is found by walking alone: without other links a weight is worth it."""
    weights = {name: 0.0 if name not in ("keyword", "name") else 1.0 for name in shipped(films.recall.p)}
    fitted = dict.fromkeys(("even", "odd"), (weights, weights))
    heard: list[str] = []
    systems = walk_systems([films], fitted, heard.append)
    assert list(systems) == ADDED
    chosen = [line.removeprefix("walk: weights ") for line in heard if line.startswith("walk: ")]
    even, odd = (float(each) for each in chosen[0].split(", "))
    assert {even, odd} <= set(WEIGHTS)
    assert max(even, odd) > 0.0
    for number, example in enumerate(films.examples):  # other gold in a fold changes the other fold's weight alone
        if example.asked.fold == "even":
            films.examples[number] = replace(example, gold=~example.gold)
    again: list[str] = []
    walk_systems([films], fitted, again.append)
    spoilt = next(line.removeprefix("walk: weights ").split(", ") for line in again if line.startswith("walk: "))
    assert float(spoilt[0]) == even
    assert float(spoilt[1]) != odd
    assert walk_systems([films], fitted, None).keys() == systems.keys()


def test_scores_without_walkers_are_those_plus_the_weighted_signal(films: Prepared) -> None:
    weights = shipped(films.recall.p)
    systems = walk_systems([films], dict.fromkeys(("even", "odd"), (weights, weights)), None)
    for example in films.examples:
        before = films.scores(example, weights)
        signal = Walks([films]).of(films, example, int(np.argmax(np.round(before, 9))))[FOUND]
        assert systems["walk 4"](films, example) == pytest.approx(before + 4.0 * signal)
        assert signal.any()


def test_the_option_adds_systems_when_there_are_vectors(tmp_path: Path) -> None:
    pool = passages()
    corpus = [{"pid": entry.id, "title": entry.name, "text": entry.text} for entry in pool.entries]
    asked = [{"question": one.text, "supporting": one.gold, "kind": one.kind} for one in pool.questions]
    for name, records in (("corpus", corpus), ("questions", asked)):
        (tmp_path / f"musique_{name}.json.gz").write_bytes(gzip.compress(json.dumps(records).encode()))
    plain = [one.system for one in multihop.run(tmp_path, embedder=ByHand())]
    added = multihop.run(tmp_path, embedder=ByHand(), walk=True)
    assert [one.system for one in added] == [*plain, *ADDED]
    assert {one.preset for one in added[len(plain) :]} == {"cross-validated"}
    assert "walk" not in {one.system for one in multihop.run(tmp_path, walk=True)}  # there is nothing to walk by
    words = ["eval", "multihop", "--data", str(tmp_path), "--walk", "--embedder", "hashed"]
    told = CliRunner().invoke(app, [*words, "--json"])
    assert told.exit_code == 0
    assert '"no graph+walk"' in told.stdout
    shown = CliRunner().invoke(app, words).stdout.splitlines()
    heads = [line.split() for line in shown if line.startswith("name")]
    assert [line[3] for line in heads] == ["as", "BM25", "two"]  # three tables
    refused = CliRunner().invoke(app, ["eval", "causal", "--data", str(tmp_path), "--walk"])
    assert refused.exit_code == 2
    assert "--walk is for locomo, multihop" in refused.stderr
    assert recall_walk.WEIGHTS[0] == 0.0  # not to walk is always among the choices
