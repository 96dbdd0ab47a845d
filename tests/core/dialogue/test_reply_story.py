"""Story order: parts of a summary place each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.dialogue.story import StoryParameters, in_story_order, word_scores

ALONE = StoryParameters(warmth=1.0, reach=0)


def test_a_part_that_could_be_early_or_late_goes_between_its_neighbours() -> None:
    scores = np.zeros((3, 9))
    scores[0, 3], scores[2, 6] = 9.0, 9.0
    scores[1, [0, 5, 8]] = 6.0
    assert in_story_order(scores, ALONE).argmax(axis=1).tolist() == [3, 5, 6]


def test_neighbours_lend_their_place() -> None:
    scores = np.zeros((2, 5))
    scores[0, 2] = 9.0
    scores[1, 4] = 9.0
    lent = in_story_order(scores, StoryParameters(warmth=1.0, reach=1, drop=1.0))
    assert lent[1].argsort()[::-1][:2].tolist() == [4, 2]
    assert in_story_order(scores, ALONE)[1, 2] < lent[1, 2]


def test_one_part_is_ranked_by_its_words() -> None:
    scores = np.array([[1.0, 3.0, 2.0]])
    assert in_story_order(scores).argsort(axis=1)[:, ::-1].tolist() == [[1, 2, 0]]


def test_word_scores_are_bm25_over_words_as_they_are() -> None:
    turns = ["the dragon wakes", "the dragon, the dragon!", "a quiet inn"]
    scores = word_scores(turns, ["The dragon and the dragon", "nothing here"])
    rules = StoryParameters()
    lengths = np.array([3.0, 4.0, 3.0])
    pull = rules.k1 * (1 - rules.b + rules.b * lengths / lengths.mean())
    idf = np.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    assert scores[0, 0] == pytest.approx(2 * idf * (rules.k1 + 1) / (1 + pull[0]))
    assert scores[0, 1] == pytest.approx(2 * idf * 2 * (rules.k1 + 1) / (2 + pull[1]))
    assert scores[0, 2] == 0
    assert not scores[1].any()


def test_turns_without_words_score_nothing() -> None:
    assert word_scores(["...", "!"], ["a part"]).tolist() == [[0.0, 0.0]]


@settings(max_examples=25)
@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_a_path_is_the_sum_over_all_orders(parts: int, turns: int, seed: int) -> None:
    scores = np.random.default_rng(seed).uniform(0, 3, (parts, turns))
    total = np.zeros((parts, turns))

    def walk(part: int, first: int, weight: float, placed: list[int]) -> None:
        if part == parts:
            for at, turn in enumerate(placed):
                total[at, turn] += np.exp(weight)
            return
        for turn in range(first, turns):
            walk(part + 1, turn, weight + scores[part, turn], [*placed, turn])

    walk(0, 0, 0.0, [])
    assert np.exp(in_story_order(scores, ALONE)) == pytest.approx(total / total.sum(axis=1, keepdims=True), abs=1e-9)
