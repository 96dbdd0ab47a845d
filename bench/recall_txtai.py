"""txtai's embeddings database with its graph: index the texts, then search. Run by `bench/recall.py`.

Vectors are given from outside (`external`); exact text search is added by `hybrid`, as ours has it.
"""

from __future__ import annotations

import sys

from recall_given import HITS, given, report  # type: ignore[import-not-found]
from txtai import Embeddings  # type: ignore[import-not-found]

told = given(sys.argv[1])
embeddings = Embeddings(
    {
        "method": "external",
        "transform": lambda texts: told.embed(texts),
        "content": True,
        "hybrid": True,
        "graph": {"approximate": False},
    }
)


def build() -> None:
    embeddings.index([(number, text, None) for number, text in enumerate(told.texts)])


report(build, lambda question: embeddings.search(told.questions[question], HITS), 64)
