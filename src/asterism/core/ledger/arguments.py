"""Checks of what a caller hands in: a value comes out as it is meant, or the error says what was expected."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from numbers import Real

from asterism.core.ledger.items import cut
from asterism.core.ledger.model import NODE_KINDS
from asterism.errors import InputError

LINE_END = re.compile("\r\n?")


def number(value: float, *, name: str, low: float, high: float) -> float:
    """Let a number in its bounds through."""
    if not is_number(value):
        raise InputError(
            f"{name} is not a finite number",
            code=f"bad_{name}",
            item=name,
            hint="give a number",
        )
    value = float(value)
    if not low <= value <= high:
        raise InputError(
            f"{name} {value:g} is not between {low:g} and {high:g}",
            code=f"bad_{name}",
            item=str(value),
            hint=f"{name} runs from {low:g} to {high:g}: map your scale onto it",
        )
    return value


def is_number(value: object) -> bool:
    """Say whether a value is a finite number."""
    try:
        return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)
    except OverflowError:  # a whole number beyond every float
        return False


def whole(value: object, *, name: str, least: int) -> int:
    """Let a whole number through that is large enough."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError(
            f"{name} {cut(str(value))} is not a whole number from {least} on",
            code=f"bad_{name}",
            item=cut(str(value)),
            hint=f"give {least} or more",
        )
    return value


def check_kinds(kinds: Iterable[str], there: Sequence[str] = NODE_KINDS) -> tuple[str, ...]:
    """Let kinds of nodes through that there are; a word alone is one kind."""
    named = (kinds,) if isinstance(kinds, str) or not isinstance(kinds, Iterable) else tuple(kinds)
    for kind in named:
        if kind not in there:
            raise InputError(
                f"there is no kind of node {cut(repr(kind))}",
                code="unknown_kind",
                item=cut(str(kind)),
                hint=f"kinds are {', '.join(there)}",
            )
    return named


def lines(content: object) -> object:
    """End lines as they end here, whatever machine a text comes from."""
    return LINE_END.sub("\n", content) if isinstance(content, str) else content
