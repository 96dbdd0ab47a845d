"""Memories of blocks for tests: opened for `with`, on both stores, with vectors that a test can foresee."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from asterism.core.ledger.parameters import Setting
from asterism.embed import CallableEmbedder
from asterism.engine.memory import Memory
from asterism.engine.space.vectors import EmbedderSpec
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from tests.support.memories import NOON

AnyMemory = Any  # a memory for `with`, or a snapshot of it: tests hand it what its types forbid
Place = Path | Store
PLACES = ["in_memory", "sqlite"]

FACTS = [
    "Ada plays the piano every Tuesday evening.",
    "The garden needs water in the morning.",
    "Water the garden before the sun is high.",
    "Bob keeps the train tickets to Lisbon in the blue drawer.",
    "The museum in Lisbon is closed on Mondays.",
    "Grandmother's bread has walnuts and honey in it.",
    "The doctor said to walk for an hour each day.",
    "Winter tyres are stored at the garage on Mill Street.",
]


def place_of(kind: str, folder: Path, name: str = "memory.db") -> Place:
    """Give a new place for a memory."""
    return InMemoryStore() if kind == "in_memory" else folder / name


def remembering(
    place: Place,
    *,
    space: str = "me",
    clock: Callable[[], datetime] | datetime = NOON,
    embedder: EmbedderSpec = "hashed",
    parameters: Mapping[str, Setting] | None = None,
    read_only: bool = False,
) -> AnyMemory:
    """Open a memory for `with`, by hashed words unless said otherwise: they are quick, and the same everywhere."""
    return Memory.open_sync(
        place, space=space, clock=clock, embedder=embedder, parameters=parameters, read_only=read_only
    )


def by_hand(vectors: Mapping[str, Sequence[float]], name: str = "by-hand") -> CallableEmbedder:
    """Give an embedder that looks vectors up by a word of the text; what has none of the words is zero."""
    size = len(next(iter(vectors.values())))

    def look_up(texts: list[str]) -> list[list[float]]:
        found = [next((list(row) for word, row in vectors.items() if word in text), [0.0] * size) for text in texts]
        return [[float(value) for value in row] for row in found]

    return CallableEmbedder(look_up, name=name, dimension=size)


def at_cosine(cosine: float) -> list[float]:
    """Give a unit vector of two numbers with this cosine to (1, 0).

    >>> at_cosine(0.6)
    [0.6, 0.8]
    """
    return [cosine, round(float(np.sqrt(1 - cosine * cosine)), 12)]
