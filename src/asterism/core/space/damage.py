"""Items that cannot be folded: which errors may mean that one is damaged, and how that is said."""

from __future__ import annotations

from asterism.core.ledger.calendar import EARLIEST, LATEST, day_of, to_date
from asterism.core.ledger.items import Item, cut
from asterism.errors import CorruptError, InputError

# What folding an item may raise that says what none can say; but so may a fault of ours. Only a test of the item tells.
SIGNS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, InputError)
REFUSED = (ValueError, InputError)  # what such a test raises


def of_unknown_kind(item: Item) -> CorruptError:
    """Say that no capability knows items of this kind."""
    return CorruptError(
        f"the ledger holds an item of unknown kind {item.what!r}",
        code="unknown_item",
        item=item.id.hex(),
        hint="a newer Asterism wrote it: upgrade to read this memory",
    )


def damaged(item: Item, error: Exception) -> CorruptError:
    """Say which item cannot be folded (of a run of them: the first)."""
    told = f"of {to_date(day_of(item.at))}" if EARLIEST <= item.at <= LATEST else f"at microsecond {item.at}"
    return CorruptError(
        f"an item {told} cannot be folded: {cut(str(error), most=200)}",
        code="damaged_item",
        item=item.id.hex(),
        hint="restore the memory that holds it from a copy, or merge another copy of it into a new memory",
    )
