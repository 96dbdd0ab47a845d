"""The checks around an embedder, the caller's own vectors, and which embedder a word means."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from asterism.embed import CallableEmbedder, CheckedEmbedder, GivenVectors, Vectors, open_embedder
from asterism.embed.hashed import HashedEmbedder
from asterism.embed.port import squares, unit
from asterism.embed.wordllama import WordLlamaEmbedder
from asterism.errors import AsterismError, InputError


class Fixed:
    """Says whatever it was given."""

    identity = "fixed-2"
    dimension = 2

    def __init__(self, said: object) -> None:
        self.said = said
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return self.said  # type: ignore[return-value] # that it may be anything is the point


def two(texts: list[str]) -> list[list[float]]:
    return [[float(len(text)), 1.0] for text in texts]


def nothing(_: list[str]) -> None:
    return None


@pytest.mark.parametrize(
    ("said", "message", "item"),
    [
        ([[1, 0], [np.nan, 0]], "NaN or infinity for text 2 \\('second'\\)", "text 2 ('second')"),
        ([[np.inf, 0], [1, 0]], "NaN or infinity for text 0 \\('first'\\)", "text 0 ('first')"),
        ([[1e39, 0], [1, 0]], "NaN or infinity for text 0", "text 0 ('first')"),
        ([[1, 0, 0], [1, 0, 0]], "gave 3 numbers, not 2, for text 0 \\('first'\\)", "text 0 ('first')"),
        ([[1, 0]], "gave 1 vectors for 2 texts", "text 0 ('first')"),
        ([], "no table of numbers", "fixed-2"),
        ([1, 0], "no table of numbers", "fixed-2"),
        ([[1, 0], [1]], "no table of numbers", "fixed-2"),
        ([["a", "b"], ["c", "d"]], "no table of numbers", "fixed-2"),
        ([["1", "2"], ["3", "4"]], "no table of numbers", "fixed-2"),
        (None, "no table of numbers", "fixed-2"),
        (1j * np.ones((2, 2)), "no table of numbers", "fixed-2"),
    ],
)
def test_bad_vectors_are_named(said: object, message: str, item: str) -> None:
    with pytest.raises(AsterismError, match=message) as caught:
        CheckedEmbedder(Fixed(said)).embed(["first", " ", "second"])
    assert (caught.value.code, caught.value.item) == ("bad_vector", item)
    assert caught.value.hint


def test_rows_are_scaled_unless_they_have_length_1() -> None:
    ready = np.array([[0.6, 0.8], [0.6000001, 0.8]], dtype=np.float32)
    assert CheckedEmbedder(Fixed(ready)).embed(["a", "b"]).tobytes() == ready.tobytes()
    odd = CheckedEmbedder(Fixed([[3e30, 4e30], [3e-40, 4e-40]])).embed(["a", "b"])
    assert odd == pytest.approx(np.array([[0.6, 0.8], [0.6, 0.8]]), abs=1e-4)
    assert CheckedEmbedder(Fixed([[0, 0], [-0.0, 0]])).embed(["a", "b"]).any() == np.False_


def test_what_the_embedder_keeps_is_not_changed() -> None:
    kept = np.array([[3.0, 4.0]], dtype=np.float32)
    assert CheckedEmbedder(Fixed(kept)).embed(["a"]) == pytest.approx(np.array([[0.6, 0.8]]))
    assert kept.tolist() == [[3, 4]]


def test_batches_are_bounded_in_texts_and_characters() -> None:
    sizes: list[int] = []

    def noting(texts: list[str]) -> list[list[float]]:
        sizes.append(len(texts))
        return two(texts)

    embedder = CheckedEmbedder(CallableEmbedder(noting, name="noting", dimension=2), batch=4, longest=600_000)
    embedder.embed(["abc"] * 10)
    assert sizes == [4, 4, 2]
    sizes.clear()
    embedder.embed(["x" * 600_000, "y" * 300_000, "z" * 300_000, "w"])
    assert sizes == [2, 2]
    assert embedder.cut == 0
    with pytest.raises(InputError, match="room for at least one text"):
        CheckedEmbedder(Fixed([]), batch=0)


def test_a_cut_text_is_read_to_the_bound_and_counted() -> None:
    embedder = CheckedEmbedder(HashedEmbedder(), longest=11)
    long, short = embedder.embed(["hello world and more", "hello world"])
    assert long.tobytes() == short.tobytes()
    assert embedder.cut == 1


@given(arrays.arrays(np.float64, (3, 7), elements=st.floats(-1e100, 1e100)))
def test_unit_rows_have_length_1_or_are_zero(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    lengths = np.sqrt(squares(unit(rows).astype(np.float64)))
    assert np.array_equal(lengths == 0, ~rows.any(axis=1))
    assert np.all((lengths == 0) | (np.abs(lengths - 1) < 1e-6))


@pytest.mark.parametrize("width", [1, 2, 3, 5, 256, 383])
def test_squares_sum_every_column(width: int) -> None:
    rows = np.random.default_rng(width).normal(size=(4, width))
    assert squares(rows) == pytest.approx((rows**2).sum(axis=1))


def test_a_function_is_named_by_its_module_and_its_dimension_asked_once() -> None:
    embedder = open_embedder(two)
    assert embedder.identity == f"{__name__}.two-2"
    assert embedder.embed(["abc"]) == pytest.approx(np.array([[3, 1]]) / np.sqrt(10))


@pytest.mark.parametrize("function", [lambda texts: two(texts), functools.partial(two)])
def test_a_function_without_a_lasting_name_must_be_given_one(function: functools.partial[list[list[float]]]) -> None:
    with pytest.raises(InputError, match="needs a name that lasts") as caught:
        open_embedder(function)
    assert caught.value.code == "unnamed_embedder"
    assert open_embedder(CallableEmbedder(function, name="mine")).identity == "mine-2"
    with pytest.raises(InputError, match="needs a name that lasts"):
        CallableEmbedder(function, name=" ")


def test_a_function_with_another_dimension_than_said_is_refused() -> None:
    with pytest.raises(AsterismError, match="gave 2 numbers, not 3"):
        open_embedder(CallableEmbedder(two, dimension=3)).embed(["abc"])
    with pytest.raises(InputError, match="cannot have True numbers"):
        CallableEmbedder(two, dimension=True)
    with pytest.raises(AsterismError, match="no table of numbers"):
        open_embedder(CallableEmbedder(nothing, name="none")).embed(["abc"])
    with pytest.raises(InputError, match="cannot have 0 numbers"):
        open_embedder(CallableEmbedder(lambda texts: [[] for _ in texts], name="empty")).embed(["abc"])


def test_given_vectors_are_looked_up_by_text() -> None:
    embedder = open_embedder(GivenVectors({"tea": [3.0, 4.0], "coffee": [1.0, 0.0]}, name="by-hand"))
    assert embedder.identity == "by-hand-2"
    assert embedder.embed(["coffee", "tea", "coffee"]) == pytest.approx(np.array([[1, 0], [0.6, 0.8], [1, 0]]))
    assert GivenVectors({"tea": [1.0]}, name="x").embed([]).shape == (0, 1)
    with pytest.raises(InputError, match="no vector was given for 'milk'"):
        embedder.embed(["tea", "milk"])
    with pytest.raises(InputError, match="no vectors were given"):
        GivenVectors({}, name="none")
    with pytest.raises(AsterismError, match="no table of numbers"):
        GivenVectors({"a": [1.0], "b": [1.0, 2.0]}, name="ragged")


def test_an_embedder_of_the_callers_is_checked_and_a_checked_one_kept() -> None:
    checked = open_embedder(Fixed([[1, 0]]))
    assert checked.identity == "fixed-2"
    assert open_embedder(checked) is checked

    class Nameless(Fixed):
        identity = ""

    with pytest.raises(InputError, match="needs a name that lasts"):
        _ = open_embedder(Nameless([])).identity


@pytest.mark.parametrize("spec", ["", "Default", "openai", "remote", 7, HashedEmbedder, [1.0]])
def test_what_is_no_embedder_is_refused_with_the_list(spec: str) -> None:
    with pytest.raises(InputError, match="is no embedder") as caught:
        open_embedder(spec)
    assert caught.value.code == "unknown_embedder"
    assert caught.value.hint is not None
    assert "default, hashed, minilm, remote:URL#MODEL" in caught.value.hint


def run(code: str) -> str:
    line = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(line, capture_output=True, text=True, check=True, encoding="utf-8").stdout.strip()


def test_none_is_the_default_where_it_is_installed_and_hashed_where_it_is_not() -> None:
    expected = WordLlamaEmbedder() if WordLlamaEmbedder.is_installed() else HashedEmbedder()
    assert open_embedder(None).identity == open_embedder().identity == expected.identity
    without = "import sys; sys.modules['wordllama'] = None\nfrom asterism.embed import open_embedder\n"
    assert run(without + "print(open_embedder().identity)") == HashedEmbedder.identity
    told = run(without + "try: open_embedder('default')\nexcept Exception as error: print(error.code, error)")
    assert told.startswith("missing_package the package wordllama")
    assert "pip install" in told


def test_nothing_is_imported_and_no_connection_made_that_was_not_asked_for() -> None:
    code = """
import sys
def watch(event, arguments):
    if event.startswith("socket."):
        raise SystemExit(event)
sys.addaudithook(watch)
from asterism.embed import open_embedder
open_embedder().embed(["a text"]); open_embedder("hashed").embed(["a text"])
unwanted = "wordllama tokenizers safetensors pydantic requests torch onnxruntime ssl socket http urllib.request".split()
print([name for name in unwanted if name in sys.modules])
"""
    assert run(code) == "[]"
