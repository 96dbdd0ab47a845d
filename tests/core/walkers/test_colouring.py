"""Colours on a prepared graph: a question asked again takes a shorter way, others are as they were."""

from __future__ import annotations

import pytest

from asterism.core.walkers.parameters import ExplorationParameters

bench = pytest.importorskip("bench.explore", reason="the prepared graph belongs to the benchmarks")


def test_a_question_asked_again_is_shorter_and_others_are_as_they_were() -> None:
    figures = bench.colouring_figures(20)
    before, after = figures["asked before"]
    assert after.hops <= 0.9 * before.hops
    assert after.steps < before.steps
    assert after.satisfaction == pytest.approx(before.satisfaction, abs=0.01)
    before, after = figures["never asked"]
    assert after == before


def test_by_the_letter_a_coloured_path_looks_like_a_repetition_and_is_lost() -> None:
    figures = bench.colouring_figures(20, times=8, rules=ExplorationParameters(coloured_novelty="literal"))
    before, after = figures["asked before"]
    assert after.satisfaction < before.satisfaction - 0.1
