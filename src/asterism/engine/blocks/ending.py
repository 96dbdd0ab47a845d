"""What is said of a telling that ends something: which words it takes the place of, and of which slot."""

from __future__ import annotations

from collections.abc import Mapping

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.validity import value
from asterism.core.ledger.items import Item, cut
from asterism.core.text.near import same_letters


class Endings:
    """Says of each row of a call what it ends; `said` are the words of the rows by the blocks they tell."""

    def __init__(self, blocks: Blocks, said: Mapping[str, str]) -> None:
        self._blocks, self._said = blocks, said
        self._met: set[str] = set()  # slots that a row of the call told of
        self._alike: dict[str, str] | None = None

    def note(self, item: Item, name: str) -> str:
        """Say what a telling ends, and whether its slot is a new one that is called almost like another."""
        told = [str(item.payload.get("replaces", ""))]
        slot, begin = str(item.payload.get("slot", "")), item.payload.get("valid_from", item.at)
        alike = ""
        if slot and slot not in self._met:
            self._met.add(slot)
            alike = self._called_alike(slot)
            told.append(value(self._blocks, slot, int(str(begin))) or "")
        ended = [self._words(each) for each in dict.fromkeys(told) if each and each != name]
        return "; ".join(filter(None, [f"ends {' and '.join(ended)}" if ended else "", alike]))

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
