"""elfmem's dream of so many blocks, its own way: run by `bench/dream.py` with a Python that has elfmem 0.20.

No model: `skip_llm`, and an embedder that looks vectors up. Prints the time of one `dream` that takes the whole inbox.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from elfmem.api import MemorySystem  # type: ignore[import-not-found]
from numpy.typing import NDArray

DIMENSION = 256


class Vectors:
    """An embedder that was told everything before."""

    model_name = "told"

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self.vectors = vectors

    async def embed(self, text: str) -> NDArray[np.float32]:
        return np.asarray(self.vectors[int(text.split()[1])])

    async def embed_batch(self, texts: list[str]) -> list[NDArray[np.float32]]:
        return [await self.embed(text) for text in texts]


async def measure(size: int) -> dict[str, float]:
    chance = np.random.default_rng(size)
    topics = max(size // 50, 1)
    centre = chance.normal(size=(topics, DIMENSION)) * 1.17
    topic = chance.integers(0, topics, size)
    vectors = centre[topic] + chance.normal(size=(size, DIMENSION)) * 0.8
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        system = await MemorySystem.from_config(str(Path(folder) / "peer.db"))
        system._embedding = Vectors(vectors)  # its own would ask a model over the network
        await system.begin_session()
        for number in range(size):
            await system.learn(f"block {number} about {topic[number]}", tags=[f"t{topic[number] % 20}"])
        cpu, wall = time.process_time(), time.perf_counter()
        result = await system.dream(skip_llm=True, inbox_max=10**6)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {"cpu": cpu, "wall": wall, "edges": result.edges_created, "promoted": result.promoted}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(int(sys.argv[1])))))
