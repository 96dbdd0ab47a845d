"""LangGraph's InMemoryStore: put the texts, search by meaning. Run by `bench/recall.py`."""

from __future__ import annotations

import sys

from langgraph.store.memory import InMemoryStore  # type: ignore[import-not-found]
from recall_given import HITS, given, report  # type: ignore[import-not-found]

told = given(sys.argv[1])
store = InMemoryStore(
    index={"dims": told.vectors.shape[1], "embed": lambda texts: told.embed(texts).tolist(), "fields": ["text"]}
)


def build() -> None:
    for number, text in enumerate(told.texts):
        store.put(("memories",), str(number), {"text": text})


report(build, lambda question: store.search(("memories",), query=told.questions[question], limit=HITS), 64)
