"""Weight tables: which features count how much, by name; and the port by which the core gets one.

A table has two looks. The first scores every candidate by what is on the page; the second also knows what the first
believes of the lines around (`features_history`). `channel` has a small hidden layer beside its second look.

The weights are data: the core holds none and opens no file, it asks whoever has them (`Tables`) when it needs one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from asterism.errors import InputError

if TYPE_CHECKING:
    from asterism.core.dialogue.features_lines import Singles

TABLES = ("reply", "instruction", "channel", "group")  # those that ship


@dataclass(frozen=True, slots=True)
class Hidden:
    """A layer of units beside the weights: output . max(0, values @ inwards + bias)."""

    inwards: Singles  # features x units
    bias: Singles
    outwards: Singles

    def logits(self, columns: Singles) -> Singles:
        """Give what the units add to each candidate's logit; `columns` are features x lines x candidates."""
        sums = self.inwards.T @ columns.reshape(len(columns), -1)
        added: Singles = self.outwards @ np.maximum(sums + self.bias[:, None], 0.0)
        return added.reshape(columns.shape[1:])


@dataclass(frozen=True, slots=True)
class Table:
    """A fitted model: its weights by name for the first and the second look, and on what it was fitted."""

    name: str
    fitted_on: str
    window: int  # candidates: lines of speech before the one that responds
    first: Mapping[str, float]
    second: Mapping[str, float] = field(default_factory=dict)  # empty: the first look decides
    hidden: Hidden | None = None
    hidden_names: tuple[str, ...] = ()  # the features that the hidden layer sees, in its order


Tables = Callable[[str], Table]  # gives a table by its name, when it is asked for


def no_tables(name: str) -> NoReturn:
    """Say that nobody handed tables over.

    >>> no_tables("reply")
    Traceback (most recent call last):
    asterism.errors.InputError: the weights of the table 'reply' are not at hand (...)
    """
    raise InputError(
        f"the weights of the table {name!r} are not at hand",
        code="no_tables",
        item=name,
        hint="call asterism.causal_links, which has the shipped ones, or hand over tables=asterism.weights.reply_table",
    )
