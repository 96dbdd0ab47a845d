"""elfmem's recall after its dream, without a model. Run by `bench/recall.py` in an environment of its own."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

import numpy as np
from elfmem.api import MemorySystem  # type: ignore[import-not-found]
from numpy.typing import NDArray
from recall_given import HITS, Given, given, report  # type: ignore[import-not-found]


class Told:
    """An embedder that was told everything before."""

    model_name = "told"

    def __init__(self, told: Given) -> None:
        self.told = told

    async def embed(self, text: str) -> NDArray[np.float32]:
        return np.asarray(self.told.embed([text])[0])

    async def embed_batch(self, texts: list[str]) -> list[NDArray[np.float32]]:
        return list(self.told.embed(texts))


def main(path: str) -> None:
    told = given(path)
    loop = asyncio.new_event_loop()
    with tempfile.TemporaryDirectory() as folder:
        system = loop.run_until_complete(MemorySystem.from_config(str(Path(folder) / "peer.db")))
        system._embedding = Told(told)  # its own would ask a model over the network

        async def build() -> None:
            await system.begin_session()
            for text in told.texts:
                await system.learn(text)
            await system.dream(skip_llm=True, inbox_max=10**6)

        def ask(question: int) -> list[object]:
            found: list[object] = loop.run_until_complete(system.recall(told.questions[question], top_k=HITS))
            return found

        report(lambda: loop.run_until_complete(build()), ask, 64)
        loop.run_until_complete(system.close())


if __name__ == "__main__":
    main(sys.argv[1])
