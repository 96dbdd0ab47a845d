"""Whatever value of a slot answers a question, the value that holds at the time asked about comes first."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.memories import NOON, remembering
from tests.support.stores import STORES, place_of

HOMES = ("Ada lives in Graz.", "Ada moved to Oslo.", "Ada is in Bergen for good.")


@pytest.mark.parametrize("store", STORES)
def test_the_value_that_holds_comes_before_one_that_answers_in_better_words(store: str, tmp_path: Path) -> None:
    with remembering(place_of(store, tmp_path)) as memory:
        for days, text in zip((90, 50, 10), HOMES, strict=True):
            memory.learn(text, slot="ada/home", at=NOON - timedelta(days=days))
        memory.learn("Ada lives on tea and toast.", slot="ada/food", at=NOON - timedelta(days=20))
        for question, day, first in (
            ("Where does Ada live?", NOON, HOMES[2]),
            ("Where does Ada live now?", NOON, HOMES[2]),
            (f"Where did Ada live on {NOON - timedelta(days=40):%Y-%m-%d}?", NOON, HOMES[1]),
            ("Where does Ada live?", NOON - timedelta(days=60), HOMES[0]),
        ):
            answer = memory.recall(question) if day == NOON else memory.as_of(day).recall(question)
            assert answer.hits[0].text == first, question
        memory.learn("Ada moved to Oslo.", slot="ada/home", at=NOON)
        assert memory.recall("Where does Ada live?").hits[0].text == HOMES[1]
