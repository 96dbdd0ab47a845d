"""Questions that were left open, folded and packed."""

from __future__ import annotations

from asterism.core.recall.unanswered import Questions, Times, dump, load


def test_questions_are_loaded_as_they_were_dumped() -> None:
    for questions in (Questions(), {"Who?": Times(1, 2, 3), "When?": Times(-5, 2, 1)}):
        assert load(dump(questions)) == questions
    assert dump({}) == {}
