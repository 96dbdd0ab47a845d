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


@pytest.mark.parametrize("store", STORES)
def test_a_value_that_is_yet_to_come_answers_what_will_be_and_not_what_is(store: str, tmp_path: Path) -> None:
    with remembering(place_of(store, tmp_path)) as memory:
        memory.learn("Ada lives in Graz.", slot="ada/home", valid_from=NOON + timedelta(days=60))
        memory.learn("Ada had a headache.", at=NOON - timedelta(days=9))
        memory.learn("The dentist appointment is at nine.", valid_from=NOON + timedelta(days=15))
        for question, unsure in (
            ("Where does Ada live?", True),
            ("Where does Ada live now?", True),
            ("Where will Ada live?", False),
            ("When is the dentist appointment?", False),
            ("Did Ada have a headache yesterday?", True),
            ("Did Ada have a headache nine days ago?", False),
        ):
            answer = memory.recall(question)
            assert (answer.unsure, len(answer.hits) > 0) == (unsure, True), question


@pytest.mark.parametrize("store", STORES)
def test_of_a_time_ahead_the_value_that_begins_then_comes_first(store: str, tmp_path: Path) -> None:
    texts = ("Ada lives in Graz.", "Ada lives in Oslo.", "Ada lives in Bergen.")
    with remembering(place_of(store, tmp_path)) as memory:
        for days, text in zip((-90, -50, 45), texts, strict=True):
            memory.learn(text, slot="ada/home", valid_from=NOON + timedelta(days=days))
        for question, first in (
            ("Where will Ada live in April?", texts[2]),
            ("Where does Ada live next April?", texts[2]),
            ("Where will Ada live tomorrow?", texts[1]),
            ("Where did Ada live in January?", texts[1]),
        ):
            assert memory.recall(question).hits[0].text == first, question
