"""elfmem's dream of so many blocks, its own way: run by `bench/dream.py` with a Python that has elfmem 0.20.

No model: `skip_llm`, and an embedder that looks up the vectors of a file. Prints the time of one `dream` that takes the
whole inbox.
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


class Vectors:
    """An embedder that was told everything before."""

    model_name = "told"

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self.vectors = vectors

    async def embed(self, text: str) -> NDArray[np.float32]:
        return np.asarray(self.vectors[int(text.split()[1])])

    async def embed_batch(self, texts: list[str]) -> list[NDArray[np.float32]]:
        return [await self.embed(text) for text in texts]


async def measure(blocks: str) -> dict[str, float]:
    with np.load(blocks) as given:
        vectors, starts, tags, category = (given[name] for name in ("vectors", "starts", "tags", "category"))
    with tempfile.TemporaryDirectory() as folder:
        system = await MemorySystem.from_config(str(Path(folder) / "peer.db"))
        system._embedding = Vectors(vectors)  # its own would ask a model over the network
        await system.begin_session()
        for number in range(len(vectors)):
            own = [f"t{tag}" for tag in tags[starts[number] : starts[number + 1]].tolist()]
            await system.learn(f"block {number}", tags=own, category=f"c{category[number]}")
        cpu, wall = time.process_time(), time.perf_counter()
        result = await system.dream(skip_llm=True, inbox_max=10**6)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {"cpu": cpu, "wall": wall, "edges": result.edges_created, "promoted": result.promoted}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(sys.argv[1]))))
