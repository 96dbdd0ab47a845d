"""A conversation is learned as it is written down: "Name: text", or a chat's role and content (08 E12)."""

from __future__ import annotations

from pathlib import Path

import pytest

from asterism.engine.blocks.learn import Fact
from tests.support.memories import remembering
from tests.support.stores import STORES, Place, place_of


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def test_names_and_roles_are_speakers_and_texts_are_neighbours(place: Place) -> None:
    said = [
        "Ann: I moved to Oslo.",
        "bo: how is the weather?",
        {"role": "user", "content": "It snows."},
        "and it is dark",
        Fact("Take a lamp.", speaker="Cy", conversation="other"),
    ]
    with remembering(place) as memory:
        learned = [found for each in memory.learn_many(said, conversation="chat") if (found := memory.block(each.id))]
        assert [(block.speaker, block.content) for block in learned] == [
            ("Ann", "I moved to Oslo."),
            ("bo", "how is the weather?"),
            ("user", "It snows."),
            ("", "and it is dark"),
            ("Cy", "Take a lamp."),
        ]
        assert [block.conversation for block in learned] == ["chat"] * 4 + ["other"]
        memory.learn_many(["Ann: I moved to Oslo."])
        assert "Ann: I moved to Oslo." in {block.content for block in memory.blocks()}
