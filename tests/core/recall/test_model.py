"""What an answer looks like as text."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from asterism.core.ledger.model import ConflictWith
from asterism.core.recall.model import Answer, AnswerHit, HitVia, Often, WayTold


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


def test_an_unsure_answer_and_what_does_not_hold_say_so() -> None:
    hit = AnswerHit("a", "block", "tea", "", 3.0, {"keyword": 3.0}, (), (), 1, current=False)
    assert hit.context == "does not hold yet"
    assert replace(hit, times=3, current=True).context == ""
    assert str(Answer("why?", (hit,), 1.0, 5, unsure=True)).endswith("[a]\n(unsure: none of this is probable enough)")


def test_what_is_clear_leaves_out_what_is_only_told_for_completeness() -> None:
    now = datetime(2026, 1, 3, tzinfo=UTC)
    other = ConflictWith("b", "no tea", now, later=True, reason="negation", confidence=0.9)
    best = AnswerHit("a", "block", "tea", "", 3.0, {}, (), (), 1, probability=0.7, at=now, conflicts=(other,))
    faint = replace(best, probability=0.01, at=None, conflicts=())
    former = replace(faint, id="c", current=False, valid_until=now, ended_by="a")
    hits = (best, replace(faint, id="b"), former, replace(faint, id="d"), replace(faint, id="e", signals={"walk": 0.0}))
    answer = Answer("tea?", hits, 1.0, 5, faint=0.05)
    assert [hit.id for hit in answer.clear_hits] == ["a", "b", "c", "e"]
    assert replace(answer, faint=0.0).clear_hits == hits
    other_slot = replace(former, ended_by="d")  # it ended when the best began, by something else
    assert replace(answer, hits=(best, other_slot)).clear_hits == (best,)
    elsewhere = replace(faint, space="work")  # the same words in another space
    assert replace(answer, hits=(best, elsewhere)).clear_hits == (best,)
    assert replace(answer, hits=(best, replace(former, space="work"))).clear_hits == (best,)


def test_a_hit_names_what_it_conflicts_with_and_the_year_of_another_year() -> None:
    last, first = datetime(2026, 1, 3, tzinfo=UTC), datetime(2025, 12, 31, tzinfo=UTC)
    other = ConflictWith("b", "no tea", last, later=True, reason="negation", confidence=0.9)
    hit = AnswerHit("a", "block", "tea", "", 3.0, {}, (), (), 1, at=last, first_at=first, times=2, conflicts=(other,))
    assert hit.context == "3 Jan 2026; 2 times since 31 Dec 2025; against b"


def test_an_answer_says_how_often_where_several_tell_of_it() -> None:
    often = Often(11, tuple(WayTold(f"b{place}", 1) for place in range(11)))
    answer = Answer("how often?", (), 1.0, 1, often=often)
    assert (
        str(answer)
        .splitlines()[-1]
        .endswith(
            "11 times in all, told in 11 ways: " + ", ".join([*(f"1x [b{place}]" for place in range(10)), "...)"])
        )
    )
    assert answer.as_prompt() == "11 times in all, told in 11 ways:"
    assert "in all" not in str(replace(answer, often=Often(2, often.tellings[:1])))
