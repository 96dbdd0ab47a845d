"""The columns in which the index keeps what it knows of each entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from asterism.core.ledger.columns import Bools, Column, Ints, Longs, Table

UNDATED = np.iinfo(np.int32).min
NEVER = np.iinfo(np.int64).min


class Facts(Table):
    """One row an entry: its cues, its place, its neighbours."""

    schema: ClassVar[Mapping[str, tuple[str, float]]] = {
        "alive": ("?", 0),
        "characters": ("i4", 0),
        "length": ("i4", 0),
        "asks": ("?", 0),
        "tells_time": ("?", 0),
        "speaks_to": ("?", 0),
        "day": ("i4", UNDATED),
        "last": ("i8", NEVER),
        "position": ("i8", 0),
        "group": ("i4", 0),
        "speaker": ("i4", 0),
        "kind": ("i4", 0),
        "previous": ("i4", -1),
        "following": ("i4", -1),
        "second_previous": ("i4", -1),
        "second_following": ("i4", -1),
    }
    alive: Bools
    characters: Ints  # of the text
    length: Ints  # words that are no stop words
    asks: Bools
    tells_time: Bools
    speaks_to: Bools  # somebody: it says "you"
    day: Ints  # on which it was first told
    last: Longs  # the latest time at which it was
    position: Column
    group: Ints
    speaker: Ints
    kind: Ints
    previous: Ints
    following: Ints
    second_previous: Ints
    second_following: Ints


class Labels:
    """Words that many rows share (groups, speakers, kinds), numbered; 0 is the empty one."""

    def __init__(self, texts: list[str] | None = None) -> None:
        self.texts = texts or [""]
        self.numbers = {text: number for number, text in enumerate(self.texts)}

    def number(self, text: str) -> int:
        """Give a label's number, a new one if need be."""
        number = self.numbers.setdefault(text, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
        return number
