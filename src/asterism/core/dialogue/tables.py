"""Weight tables: which features count how much, by name, and how to read and write them as text.

A table has two looks. The first scores every candidate by what is on the page; the second also knows what the first
believes of the lines around (`features_history`). `channel` has a small hidden layer beside its second look.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

import numpy as np

from asterism.core.dialogue.features_lines import Singles
from asterism.errors import InputError

TABLES = ("reply", "instruction", "channel")
DIGITS = 127.0  # a hidden weight is kept as a whole number of 127ths of its unit's largest


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


def weights_from(text: str) -> dict[str, float]:
    """Read weights as they are written in the table modules: a family with a colon, then `name value` pairs.

    >>> weights_from("distance: 1 0.7 2 0.2  none: bias -1.2")
    {'distance.1': 0.7, 'distance.2': 0.2, 'none.bias': -1.2}
    """
    weights: dict[str, float] = {}
    family, name = "", ""
    for part in text.split():
        if part.endswith(":"):
            family = part[:-1]
        elif name:
            weights[f"{family}.{name}"] = float(part)
            name = ""
        else:
            name = part
    return weights


def weights_to(weights: Mapping[str, float], *, decimals: int = 1) -> str:
    """Write weights as text, rounded, without those that round to nothing, family by family.

    >>> weights_to({"distance.1": 0.71, "none.bias": -1.2, "distance.2": 0.01, "distance.3": 0.5})
    'distance: 1 0.7 3 0.5 none: bias -1.2'
    """
    families: dict[str, list[str]] = {}
    for name, value in weights.items():
        if round(value, decimals):
            family, _, rest = name.partition(".")
            families.setdefault(family, []).append(f"{rest} {round(value, decimals):g}")
    text = " ".join(f"{family}: {' '.join(told)}" for family, told in families.items())
    return "\n".join(wrap(text, 118, break_on_hyphens=False, break_long_words=False))


def hidden_to(hidden: Hidden) -> tuple[str, str]:
    """Write a hidden layer: its weights as bytes in base 85, and scale, bias and output of every unit."""
    scale = np.maximum(np.abs(hidden.inwards).max(axis=0), 1e-6)
    whole = np.round(hidden.inwards / scale * DIGITS).astype(np.int8)
    text = base64.b85encode(whole.tobytes()).decode()
    units = " ".join(f"{value:.4g}" for part in (scale, hidden.bias, hidden.outwards) for value in part)
    return "\n".join(text[at : at + 118] for at in range(0, len(text), 118)), "\n".join(wrap(units, 118))


def hidden_from(weights: str, units: str) -> Hidden:
    """Read what `hidden_to` wrote."""
    scale, bias, outwards = np.array(units.split(), dtype=np.float32).reshape(3, -1)
    whole = np.frombuffer(base64.b85decode("".join(weights.split())), dtype=np.int8).reshape(-1, len(scale))
    return Hidden(whole.astype(np.float32) * (scale / np.float32(DIGITS)), bias, outwards)


def names_from(text: str) -> tuple[str, ...]:
    """Read names as they are written in the table modules: a family with a colon, then its features.

    >>> names_from("distance: 1 2 none: bias")
    ('distance.1', 'distance.2', 'none.bias')
    """
    names, family = [], ""
    for part in text.split():
        if part.endswith(":"):
            family = part[:-1]
        else:
            names.append(f"{family}.{part}")
    return tuple(names)


def names_to(names: Sequence[str]) -> str:
    """Write names as text, in their order."""
    parts, last = [], ""
    for name in names:
        family, _, rest = name.partition(".")
        parts += [rest] if family == last else [f"{family}:", rest]
        last = family
    return "\n".join(wrap(" ".join(parts), 118, break_on_hyphens=False, break_long_words=False))


def table_named(name: str) -> Table:
    """Give a shipped table by its name."""
    if name == "reply":
        from asterism.core.dialogue.tables_reply import REPLY

        return REPLY
    if name == "instruction":
        from asterism.core.dialogue.tables_instruction import INSTRUCTION

        return INSTRUCTION
    if name == "channel":
        from asterism.core.dialogue.tables_channel import CHANNEL

        return CHANNEL
    raise InputError(
        f"there is no table {name!r}", code="unknown_table", item=name, hint=f"use one of {', '.join(TABLES)}"
    )
