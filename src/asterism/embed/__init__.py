"""Embedders: texts to vectors. One port, an offline default, and adapters for whatever else makes vectors.

`open_embedder` gives one by name, or checks the one it is given. Nothing outside the standard library and numpy is
imported, and no network is used unless a remote embedder is asked for.
"""

from asterism.embed.callable import CallableEmbedder, GivenVectors
from asterism.embed.checked import CheckedEmbedder
from asterism.embed.port import Embedder, Vectors
from asterism.embed.reading import has_word_vectors, open_embedder

__all__ = [
    "CallableEmbedder",
    "CheckedEmbedder",
    "Embedder",
    "GivenVectors",
    "Vectors",
    "has_word_vectors",
    "open_embedder",
]
