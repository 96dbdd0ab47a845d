"""A summary and the lines it tells of."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from asterism import Memory
from asterism.errors import InputError, UnknownError
from asterism.sync import Memory as OpenMemory

LINES = [
    (0, "Ann", "We sleep at the inn of the red fox."),
    (1, "Bo", "I pay the ferryman with a silver coin."),
    (2, "Ann", "The bell of the tower rings."),
    (3, "Bo", "I climb the tower and cut the rope."),
    (4, "Ann", "We sleep at the inn once more."),
]
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
STARTED = "2026-01-05T18:00Z"


@pytest.fixture
def memory() -> Iterator[OpenMemory]:
    with Memory.open_sync(":memory:", space="me", clock=NOW, embedder="hashed") as opened:
        opened.read_transcript(LINES, session="Low Water", responders=["Bo"], started_at=STARTED)
        yield opened


def test_each_part_of_a_summary_is_placed_among_the_lines_in_order(memory: OpenMemory) -> None:
    parts = ["They sleep at an inn.", "The ferryman is paid.", "Bo cuts a rope.", "They sleep at an inn."]
    answers = memory.recall_story(parts, session="low water", k=2)
    assert [answer.query for answer in answers] == parts
    assert [answer.hits[0].text for answer in answers] == [LINES[at][2] for at in (0, 1, 3, 4)]
    best = answers[1].hits[0]
    assert (best.speaker, best.session, best.kind) == ("Bo", "Low Water", "moment")
    assert best.score == pytest.approx(sum(best.signals.values()))
    assert 0.0 < best.probability <= 1.0
    assert [len(answer.hits) for answer in answers] == [2, 2, 2, 2]
    assert memory.recall_story([], session="Low Water") == []


def test_a_session_that_was_not_read_is_named_in_the_error(memory: OpenMemory) -> None:
    with pytest.raises(UnknownError, match="there is no session 'High Water'"):
        memory.recall_story(["They sleep."], session="High Water")


@pytest.mark.parametrize("parts", ["They sleep.", 7, [" "]])
def test_parts_are_a_list_of_texts(memory: OpenMemory, parts: object) -> None:
    with pytest.raises(InputError):
        memory.recall_story(parts, session="Low Water")  # type: ignore[arg-type]
