"""How long something holds and of what, as a caller tells it: slot, replaces, valid_from, valid_until, expires."""

from __future__ import annotations

from asterism.core.blocks.validity import value
from asterism.core.ledger.calendar import DAY_END, EARLIEST, NOON, When, to_micros, written
from asterism.core.ledger.items import Item, Payload, Value, check_text
from asterism.core.space.projection import Projection
from asterism.engine.space.live import Live
from asterism.errors import InputError


def terms_of(
    live: Live, slot: object, *, valid_from: When | None, valid_until: When | None, expires: When | None
) -> Payload:
    """Read what was told of how long a fact holds; what was not told is not in it.

    A date means noon, or now if that is earlier, where something begins, and the end of that day where it ends.
    """
    told: dict[str, Value] = {}
    if slot is not None:
        told["slot"] = slot_of(slot)
    if valid_from is not None:
        told["valid_from"] = _time(valid_from, of_date=NOON, now=live.now())
    for name, when in (("valid_until", valid_until), ("expires", expires)):
        if when is not None:
            told[name] = _time(when, of_date=DAY_END)
    return told


def slot_of(slot: object) -> str:
    """Read the name of a slot."""
    return " ".join(check_text(slot, field="slot").split())


def _time(when: When, *, of_date: int, now: int | None = None) -> int:
    told = to_micros(when, of_date=of_date, now=now)
    if told < EARLIEST:
        raise InputError(
            f"{written(told)} is before 1900", code="bad_time", item=written(told), hint="times begin at 1900-01-01"
        )
    return told


def check_span(item: Item) -> None:
    """Refuse an end that is not after its beginning."""
    begin = item.payload.get("valid_from", item.at)
    for field, first in (("valid_until", begin), ("expires", item.at)):
        end = item.payload.get(field)
        if isinstance(end, int) and isinstance(first, int) and end <= first:
            raise InputError(
                f"its {field}, {written(end)}, is not after {written(first)}, when it begins",
                code="bad_span",
                item=written(end),
                hint=f"give a later {field}, or an earlier time at which it was told",
            )


def goes_on(folded: Projection, name: str, at: int) -> Payload:
    """Say of which slot an edit's new words are the value, and until when: what the old words are the value of."""
    blocks = folded.blocks
    held = {each.slot for each in blocks.occurrences(name) if each.slot}
    slots = sorted(slot for slot in held if value(blocks, slot, at) == blocks.standing(name))
    told: dict[str, Value] = {"slot": slots[0]} if slots else {}
    last = blocks.occurrences(name)[-1]
    ends = (("valid_until", last.valid_until), ("expires", last.expires))
    return told | {field: end for field, end in ends if end is not None and end > at}
