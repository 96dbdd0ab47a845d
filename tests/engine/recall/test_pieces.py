"""Vectors of pieces: kept beside those of texts, found again, erased with their text, and read by recall."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from asterism.embed.port import Codes, Vectors
from asterism.engine.space.vectors import text_key
from asterism.store.port import pieces_of
from tests.support.memories import remembering
from tests.support.stores import STORES, Place, place_of, store_of

WORDS = ("kickboxing", "martial", "soup", "lake")
NEAR = {"martial": "kickboxing"}


class Pieces:
    """Knows four words, two of which are alike."""

    identity = "four-words-1"
    dimension = 4
    piece_size = 4

    def __init__(self) -> None:
        self.read = 0  # texts

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self.embed_pieces(texts)[0]

    def embed_pieces(self, texts: Sequence[str]) -> tuple[Vectors, list[Codes]]:
        self.read += len(texts)
        pieces = [np.array([self._code(word) for word in self.words_of_pieces(text)]).reshape(-1, 4) for text in texts]
        vectors = np.array([each.sum(axis=0) if len(each) else np.zeros(4) for each in pieces], dtype=np.float32)
        return vectors, [each.astype(np.int8) for each in pieces]

    def words_of_pieces(self, text: str) -> list[str]:
        return [word for word in text.lower().strip("?.").split() if word in WORDS]

    def _code(self, word: str) -> list[int]:
        return [100 if each == NEAR.get(word, word) else 0 for each in WORDS]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of(request.param, tmp_path)


def kept(place: Place, *texts: str) -> int:
    with closing(store_of(place)) as store:
        return len(store.vectors("me", pieces_of("four-words-1"), {text_key(text) for text in texts}))


def test_pieces_are_matched_and_kept_by_a_dream(place: Place) -> None:
    facts = ["I do kickboxing", "We ate soup", "The lake was cold"]
    with remembering(place, embedder=Pieces()) as memory:
        for fact in facts:
            memory.learn(fact)
        assert "match" in memory.recall("martial?", k=3).hits[0].signals
        memory.dream()
    assert kept(place, *facts) == 3
    again = Pieces()
    with remembering(place, embedder=again) as memory:
        (hit, *_) = memory.recall("martial?", k=3).hits
        assert hit.text == "I do kickboxing"
        assert hit.signals["match"] > 0
        assert again.read == 1  # the question


def test_the_pieces_of_what_is_erased_go_with_it(place: Place) -> None:
    with remembering(place, embedder=Pieces()) as memory:
        learned = memory.learn("I do kickboxing")
        memory.learn("We ate soup")
        memory.dream()
        memory.erase(learned.id)
    assert kept(place, "I do kickboxing", "We ate soup") == 1


def test_other_embedders_pieces_go_when_all_is_embedded_anew(place: Place) -> None:
    with remembering(place, embedder=Pieces()) as memory:
        memory.learn("I do kickboxing")
        memory.dream()
    with remembering(place, embedder="hashed") as memory:
        memory.reembed()
    assert kept(place, "I do kickboxing") == 0
