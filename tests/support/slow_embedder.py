"""An embedder that is in the midst of its work until it is let go on."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from asterism.embed import CallableEmbedder


class Held:
    """Says when it is asked, and answers once it may."""

    def __init__(self) -> None:
        self.inside, self.go_on = threading.Event(), threading.Event()
        self.embedder = CallableEmbedder(self._slowly, name="slow", dimension=2)

    def _slowly(self, texts: Sequence[str]) -> list[list[float]]:
        self.inside.set()
        self.go_on.wait()
        return [[1.0, 0.0] for _ in texts]
