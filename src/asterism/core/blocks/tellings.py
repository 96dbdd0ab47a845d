"""Tellings of blocks as columns: those that say more than their block does, which are few."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from asterism.core.blocks.payloads import TIMES
from asterism.core.blocks.records import Occurrence
from asterism.core.ledger.columns import Columns, text_column, texts_of

ITEM = 16  # bytes of an item's id
NEVER = np.iinfo(np.int64).min  # stands for a time that was not told
TEXTS = ("sources", "conversation", "speaker", "slot", "replaces")


def dump_tellings(told: list[tuple[int, Occurrence]]) -> Columns:
    """Pack tellings, each with the row of its block."""
    each = [occurrence for _, occurrence in told]
    items = bytes.fromhex("".join([occurrence.item for occurrence in each]))
    columns: Columns = {
        "told_row": np.array([row for row, _ in told], dtype=np.int32),
        "told_at": np.array([occurrence.at for occurrence in each], dtype=np.int64),
        "told_item": np.frombuffer(items, dtype=np.uint8),
        "told_sources": text_column(["\t".join(occurrence.sources) for occurrence in each]),
    }
    for name in TEXTS[1:]:
        columns[f"told_{name}"] = text_column([getattr(occurrence, name) for occurrence in each])
    for name in TIMES:
        times = [getattr(occurrence, name) for occurrence in each]
        columns[f"told_{name}"] = np.array([NEVER if time is None else time for time in times], dtype=np.int64)
    return columns


class PackedTellings:
    """The columns of tellings, in the order of their blocks; unpacked when one is asked for."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    @cached_property
    def rows(self) -> dict[int, range]:
        """By the row of a block: the places of its tellings."""
        rows, starts = np.unique(self.columns["told_row"], return_index=True)
        bounds = [*starts.tolist(), len(self.columns["told_row"])]
        return dict(zip(rows.tolist(), map(range, bounds, bounds[1:]), strict=True))

    def of(self, row: int) -> tuple[Occurrence, ...]:
        """Unpack the tellings of a block; nothing if it says all of its only one."""
        return tuple(map(self._unpacked, self.rows.get(row, ())))

    def with_terms(self) -> Iterator[tuple[int, Occurrence]]:
        """Unpack the tellings that say how long they hold, or of what, each with the row of its block."""
        count = len(self.columns["told_at"])
        some = np.zeros(count, dtype=np.bool_)
        for name in TIMES:
            some |= self.columns[f"told_{name}"] != NEVER
        for name in ("slot", "replaces"):
            if len(self.columns[f"told_{name}"]) > count:  # more than the ends of lines
                some |= np.array([bool(text) for text in self._texts[name]], dtype=np.bool_)
        for place in np.flatnonzero(some).tolist():
            yield self.columns["told_row"].item(place), self._unpacked(place)

    def _unpacked(self, place: int) -> Occurrence:
        sources, conversation, speaker, slot, replaces = (self._texts[name][place] for name in TEXTS)
        times = (self.columns[f"told_{name}"].item(place) for name in TIMES)
        valid_from, valid_until, expires = (None if time == NEVER else time for time in times)
        return Occurrence(
            at=self.columns["told_at"].item(place),
            item=self._items[ITEM * place : ITEM * (place + 1)].hex(),
            sources=tuple(sources.split("\t")) if sources else (),
            conversation=conversation,
            speaker=speaker,
            slot=slot,
            valid_from=valid_from,
            valid_until=valid_until,
            expires=expires,
            replaces=replaces,
        )

    @cached_property
    def _items(self) -> bytes:
        return self.columns["told_item"].tobytes()

    @cached_property
    def _texts(self) -> dict[str, list[str]]:
        return {name: texts_of(self.columns[f"told_{name}"]) for name in TEXTS}
