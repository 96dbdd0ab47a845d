"""How functions over columns are compiled, where the extra `fast` is installed; whoever imports this needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function")


def compiler(**options: object) -> Callable[[Function], Function]:
    """Give what compiles a function; a compiled one is called as before, and divides like numpy."""
    make = cast(Callable[..., Callable[[Function], Function]], numba.njit)
    return make(error_model="numpy", **options)


def kept(function: Function) -> Function:
    """Compile a function that Python calls, and keep what was compiled for the next process."""
    try:
        return compiler(cache=True)(function)
    except RuntimeError:  # nowhere to keep it: neither our folder nor the user's can be written
        return compiler()(function)
