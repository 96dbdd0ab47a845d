"""The pure kernel with the shipped tables at hand: `asterism.causal_links`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from asterism.core.dialogue import kernel
from asterism.weights import reply_table

P = ParamSpec("P")
R = TypeVar("R")


def _with_shipped_tables(read: Callable[P, R]) -> Callable[P, R]:
    """Give the same call, for which `tables` are the shipped ones unless it is handed others."""

    @wraps(read)
    def reading(*args: P.args, **kwargs: P.kwargs) -> R:
        kwargs.setdefault("tables", reply_table)
        return read(*args, **kwargs)

    return reading


causal_links = _with_shipped_tables(kernel.causal_links)
