"""mem0's vector store path: its Qdrant store, local, in memory; no model is asked. Run by `bench/recall.py`."""

from __future__ import annotations

import sys
import uuid

from mem0.vector_stores.qdrant import Qdrant  # type: ignore[import-not-found]
from qdrant_client import QdrantClient  # type: ignore[import-not-found]
from recall_given import HITS, given, report  # type: ignore[import-not-found]

PORTION = 500

told = given(sys.argv[1])
store = Qdrant("memories", told.vectors.shape[1], client=QdrantClient(":memory:"))


def build() -> None:
    for start in range(0, len(told.texts), PORTION):
        texts = told.texts[start : start + PORTION]
        store.insert(
            vectors=told.vectors[start : start + PORTION].tolist(),
            payloads=[{"data": text} for text in texts],
            ids=[str(uuid.UUID(int=start + place)) for place in range(len(texts))],
        )


def ask(question: int) -> list[object]:
    found: list[object] = store.search(
        query=told.questions[question], vectors=told.question_vectors[question].tolist(), top_k=HITS
    )
    return found


report(build, ask, 64)
