"""What is said of a telling that ends something: which words it takes the place of, when, and of which slot."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Mapping
from typing import NamedTuple

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.validity import history
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.items import Item, cut
from asterism.core.text.near import same_letters


class Value(NamedTuple):
    """A value of a slot: since when, where it stands among the rows of the call, until when, and the block."""

    begin: int
    row: int
    until: int | None
    block: str


class Endings:
    """Says of each row of a call what it ends; `said` are the words of the rows by the blocks they tell."""

    def __init__(self, blocks: Blocks, said: Mapping[str, str]) -> None:
        self._blocks, self._said = blocks, dict(said)
        self._values: dict[str, list[Value]] = {}  # of the slots that a row of the call told of
        self._alike: dict[str, str] | None = None

    def note(self, item: Item, name: str) -> str:
        """Say what a telling ends, and whether its slot is a new one that is called almost like another."""
        told = [str(item.payload.get("replaces", ""))]
        slot, begin = str(item.payload.get("slot", "")), int(str(item.payload.get("valid_from", item.at)))
        alike = ""
        if slot:
            alike = "" if slot in self._values else self._called_alike(slot)
            told.append(self._held(slot, begin))
            until = item.payload.get("valid_until")
            value = Value(begin, len(self._values[slot]), None if until is None else int(str(until)), name)
            insort(self._values[slot], value, key=lambda each: each[:2])
            self._said[name] = str(item.payload["content"])
        ended = [self._words(each) for each in dict.fromkeys(told) if each and each != name]
        when = f" on {to_datetime(begin):%Y-%m-%d}" if begin > item.at else ""
        return "; ".join(filter(None, [f"ends {' and '.join(ended)}{when}" if ended else "", alike]))

    def _held(self, slot: str, at: int) -> str:
        """Name what a slot holds at a time, by what is known and the rows before; "" if nothing."""
        if slot not in self._values:
            known = history(self._blocks, slot)
            self._values[slot] = [Value(each.stay.begin, -1, each.stay.end, each.block) for each in known]
        values = self._values[slot]
        place = bisect_right(values, at, key=lambda each: each.begin)
        last = values[place - 1] if place else None
        return "" if last is None or (last.until is not None and last.until <= at) else last.block

    def _words(self, name: str) -> str:
        known = self._blocks.blocks.get(name)
        text = self._said.get(name, "") if known is None else known.content
        return f"“{cut(' '.join(text.split()), most=40)}” [{name}]"

    def _called_alike(self, slot: str) -> str:
        """Name the slot that a new one differs from by case or signs alone: they are two."""
        known = self._blocks.terms.slots
        if slot in known:
            return ""
        if self._alike is None:
            self._alike = {same_letters(each): each for each in sorted(known, reverse=True)}
        other = self._alike.setdefault(same_letters(slot), slot)
        return "" if other == slot else f"{slot} is a new slot beside {other}: tell it with that name if it is the same"
