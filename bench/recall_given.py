"""What every system of the recall benchmark is given, and how it is measured: run in the peers' own environments.

Needs nothing but numpy. Texts, vectors and questions are those of `recall_corpus`; vectors are looked up, not made.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

HITS = 10


@dataclass(frozen=True)
class Given:
    """Texts and questions with their vectors."""

    texts: list[str]
    questions: list[str]
    vectors: NDArray[np.float32]
    question_vectors: NDArray[np.float32]

    @cached_property
    def known(self) -> dict[str, NDArray[np.float32]]:
        """The vector of each text and question."""
        every = [*self.texts, *self.questions], [*self.vectors, *self.question_vectors]
        return {text.strip().lower(): vector for text, vector in zip(*every, strict=True)}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Look the vectors of texts and questions up."""
        return np.array([self.known[text.strip().lower()] for text in texts], dtype=np.float32)


def given(path: str) -> Given:
    """Read what `bench/recall.py` wrote."""
    with np.load(path) as columns:
        texts, questions = (json.loads(columns[name].tobytes()) for name in ("texts", "questions"))
        return Given(texts, questions, columns["vectors"], columns["question_vectors"])


def report(build: Callable[[], object], ask: Callable[[int], Sequence[object]], questions: int) -> None:
    """Measure building and asking, and print a line of JSON; times in seconds, memory in MB."""
    before = held()
    cpu = time.process_time()
    build()
    building = time.process_time() - cpu
    told = measured(ask, questions)
    print(json.dumps({**told, "build": building, "memory": held() - before}))


def measured(ask: Callable[[int], Sequence[object]], questions: int) -> dict[str, float]:
    """Ask every question once to warm up and once to measure; give medians."""
    cpu, wall = [], []
    for turn in range(2):
        for question in range(questions):
            began, clock = time.process_time(), time.perf_counter()
            found = ask(question)
            if turn:
                cpu.append(time.process_time() - began)
                wall.append(time.perf_counter() - clock)
            if not len(found):
                raise SystemExit("nothing was found")
    return {"cpu": statistics.median(cpu), "wall": statistics.median(wall)}


def held() -> float:
    """Give the memory this process holds, in MB; where that is not told, the most it has held.

    The most it has held would be wrong on Linux: a child begins with what its parent held.
    """
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
