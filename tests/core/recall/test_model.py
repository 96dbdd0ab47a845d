"""What an answer looks like as text."""

from __future__ import annotations

from asterism.core.recall.model import Answer, AnswerHit, HitVia


def test_an_answer_lists_its_hits_with_their_reasons() -> None:
    via = HitVia("a~b#similar", "similar", "b", "", 0.6)
    named = HitVia("a~c#mention", "mention", "c", "lena", 0.1)
    signals = {"length": 1.4, "keyword": 1.6}
    hit = AnswerHit("a", "block", "x" * 120, "", 3.0, signals, ("a~b#similar",), (via, named), 30)
    told = str(Answer("why?", (hit,), 1.0, 5, ("2 blocks have no vector yet",)))
    assert told == (
        f"1. {'x' * 100}…\n   3.00  keyword +1.60, length +1.40; similar from b  [a]\n(2 blocks have no vector yet)"
    )
    other = AnswerHit("a", "block", "tea", "", 3.0, {"mention": 3.0}, ("a~c#mention",), (named,), 1)
    assert other.reason == "mention +3.00; mention from c (lena)"


def test_an_empty_answer_says_so() -> None:
    assert str(Answer("why?", (), 1.0, 0)) == "Nothing was recalled."
