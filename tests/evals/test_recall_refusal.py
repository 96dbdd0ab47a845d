"""Refusing: the coefficients that are fitted, and the questions that would be refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from asterism.evals.recall_refusal import cases, fit, floor_of, left_out, main
from asterism.evals.recall_sets import prepare
from tests.evals.test_locomo import folder as folder

FEW_LINES = 14  # coefficients, a floor, and a line for each kind


def test_questions_of_others_and_small_memories_are_asked_too(folder: Path) -> None:
    from asterism.evals import locomo

    asked = [*cases(prepare(locomo.load(folder), None, None), None), *left_out(None)]
    kinds = {case.kind for case in asked}
    assert {"locomo 1-4", "other conversations", "locomo 1-4, 2 entries", "notes"} <= kinds
    assert all(not any(case.gold) for case in asked if not case.answerable)
    fitted = fit(asked)
    chances = fitted.chances(asked)
    assert ((chances > 0) & (chances < 1)).all()
    assert 0 < floor_of(fitted, asked) < 1
    assert np.isfinite(fitted.hit).all()


def test_the_command_prints_coefficients_and_what_is_refused(folder: Path, tmp_path: Path) -> None:
    corpus = [{"pid": f"p{n}", "title": name, "text": "A city."} for n, name in enumerate(("Rome", "Oslo", "Paris"))]
    asked = [{"question": "What is near Rome?", "supporting": ["p0", "p1"], "kind": "2hop"}] * 2
    (tmp_path / "multihop").mkdir()
    (tmp_path / "multihop/musique_corpus.json").write_text(json.dumps(corpus))
    (tmp_path / "multihop/musique_questions.json").write_text(json.dumps(asked))
    written: list[str] = []
    main(["--data", str(tmp_path), "--without-vectors"], write=written.append)
    assert written[0].startswith("chance_base = ")
    assert len(written) > FEW_LINES
    assert written[-1].startswith("refused of locomo 5, by locomo 5 alone: ")
