"""What holds for the arguments of every call, whatever it does with them: flags, functions to be told, and arrays.

What an argument means is checked by whoever uses it. But a flag is used by asking whether it is true, and a function by
calling it, perhaps long after something was begun: so both are looked at first, here, by the signature of the call.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from asterism.errors import InputError

Given = ParamSpec("Given")
Result = TypeVar("Result")
CALLED = ("progress",)  # arguments that are functions, or None


def checked(call: Callable[Given, Awaitable[Result]]) -> Callable[Given, Awaitable[Result]]:
    """Look at the arguments of a call before it begins."""

    @functools.cache
    def flags() -> frozenset[str]:
        parameters = inspect.signature(call).parameters.values()
        return frozenset(each.name for each in parameters if isinstance(each.default, bool))

    @functools.wraps(call)
    async def begin(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        if any(map(_is_array, args)):
            args = tuple(map(_listed, args))  # type: ignore[assignment]  # as it was given, but for arrays
        for name, value in kwargs.items():
            if _is_array(value):
                kwargs[name] = value = _listed(value)
            if name in CALLED and value is not None and not callable(value):
                raise InputError(f"{name} cannot be called", code="bad_argument", item=name, hint="give a function")
            if name in flags() and value not in (True, False):
                raise InputError(
                    f"{name} is neither true nor false", code="bad_argument", item=name, hint="give True or False"
                )
        return await call(*args, **kwargs)

    return begin


def _is_array(value: object) -> bool:
    return hasattr(value, "__array__") and hasattr(value, "__setitem__")  # the second: no single number


def _listed(value: object) -> object:
    """Take an array for what it holds: a list can be asked whether it is empty."""
    return value.tolist() if _is_array(value) and hasattr(value, "tolist") else value
