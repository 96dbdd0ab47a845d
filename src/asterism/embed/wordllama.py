"""The offline default: WordLlama's table of 32,000 pieces x 256 numbers, read from its package without importing it.

A text is the mean of its pieces' vectors, scaled to length 1. The table holds 16-bit numbers, whose float64 sums are
exact: the vectors are the same to the bit on every machine, in every batch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from asterism.embed.packaged import damaged, is_installed, mapped_tensors, package_file
from asterism.embed.pieces import Pieces
from asterism.embed.port import Vectors, unit

PACKAGE = "wordllama"
INSTALL = 'pip install --no-deps "wordllama>=0.4,<0.5"'
TABLE = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
DIMENSION = 256
PRINTED_ROWS = 61  # every 61st row is part of the fingerprint: 525 rows, spread over the table
SUMMED_PIECES = 8_192  # at once, which bounds the memory of a long text


class WordLlamaEmbedder:
    """Mean of token vectors, from the files inside the installed package `wordllama`; read at first use."""

    dimension = DIMENSION
    knows_words = True  # a word is a look-up in the table

    def __init__(self) -> None:
        self._table_file = package_file(PACKAGE, TABLE, install=INSTALL)
        self._tokenizer_file = package_file(PACKAGE, TOKENIZER, install=INSTALL)

    @staticmethod
    def is_installed() -> bool:
        """Say whether the package is there."""
        return is_installed(PACKAGE)

    @cached_property
    def identity(self) -> str:
        """Name, dimension and a fingerprint of table and pieces: other contents are another embedder."""
        digest = hashlib.blake2b(self._tokenizer_file.read_bytes(), digest_size=6)
        digest.update(self._table[::PRINTED_ROWS].tobytes())
        return f"wordllama-l2-supercat-{DIMENSION}-{digest.hexdigest()}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give the mean of each text's pieces, of length 1."""
        sums = np.zeros((len(texts), DIMENSION))
        for row, text in enumerate(texts):
            numbers = self._pieces.numbers(text)
            for start in range(0, len(numbers), SUMMED_PIECES):
                sums[row] += self._table[numbers[start : start + SUMMED_PIECES]].sum(axis=0, dtype=np.float64)
        return unit(sums)

    @cached_property
    def _table(self) -> NDArray[np.float16]:
        table = mapped_tensors(self._table_file, install=INSTALL).get("embedding.weight")
        if table is None or table.dtype != np.float16 or table.ndim != 2 or table.shape[1] != DIMENSION:
            raise damaged(self._table_file, f"it has no 16-bit table of {DIMENSION} columns", install=INSTALL)
        return table.view(np.float16)

    @cached_property
    def _pieces(self) -> Pieces:
        return Pieces.read(self._tokenizer_file, install=INSTALL)
