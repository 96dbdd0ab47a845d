"""Vectors from the caller: a function that makes them, or the vectors themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

from asterism.embed.checked import as_rows, lasting_name, shown, whole_dimension
from asterism.embed.port import Vectors
from asterism.errors import InputError

PROBE = "dimension"  # the text that a function is asked for, to count what comes back


class CallableEmbedder:
    """Any function from a list of texts to rows of numbers.

    `name` is what a memory remembers: change it when the function's vectors change.

    >>> lengths = CallableEmbedder(lambda texts: [[len(text), 1.0] for text in texts], name="lengths-1", dimension=2)
    >>> lengths.identity
    'lengths-1-2'
    """

    def __init__(
        self, function: Callable[[list[str]], object], *, name: str | None = None, dimension: int | None = None
    ) -> None:
        self._function = function
        self._name = lasting_name(_name(function) if name is None else name)
        if dimension is not None:
            self.dimension = whole_dimension(dimension)

    @cached_property
    def dimension(self) -> int:
        """How many numbers the function gives for a text: said at the start, or asked once."""
        return whole_dimension(as_rows(self._function([PROBE]), self._name).shape[1])

    @property
    def identity(self) -> str:
        """The given name, or the function's module and name, with the dimension."""
        return f"{self._name}-{self.dimension}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Ask the function."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return as_rows(self._function(list(texts)), self._name)


class GivenVectors:
    """Vectors that the caller has: each text's own, and an error for a text that has none.

    >>> given = GivenVectors({"tea": [1.0, 0.0], "coffee": [0.8, 0.6]}, name="by-hand")
    >>> given.identity, given.embed(["coffee"]).round(2).tolist()
    ('by-hand-2', [[0.8, 0.6]])
    """

    def __init__(self, vectors: Mapping[str, Sequence[float]], *, name: str) -> None:
        if not vectors:
            raise InputError(
                "no vectors were given", code="no_vectors", item=name, hint="give a vector for each text, by its text"
            )
        self._rows = {text: row for row, text in enumerate(vectors)}
        self._vectors = as_rows(list(vectors.values()), name)
        self.dimension = whole_dimension(self._vectors.shape[1])
        self.identity = f"{lasting_name(name)}-{self.dimension}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Look each text up."""
        missing = next((text for text in texts if text not in self._rows), None)
        if missing is not None:
            raise InputError(
                f"no vector was given for {shown(missing)!r}",
                code="no_vectors",
                item=shown(missing),
                hint="give a vector for each text, by its text",
            )
        return self._vectors[[self._rows[text] for text in texts]].reshape(len(texts), self.dimension)


def _name(function: Callable[[list[str]], object]) -> str | None:
    """Give a function's module and name; a lambda, a local function or a partial has no name that lasts."""
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    return f"{module}.{name}" if module and name and "<" not in name else None
