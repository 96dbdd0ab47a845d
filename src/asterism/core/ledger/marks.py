"""Marks: items that say something to the ledger, and nothing to the graph: how far time has come, what was erased."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from asterism.core.ledger.capability import Capability, Days
from asterism.core.ledger.items import Item
from asterism.core.ledger.parameters import Parameters
from asterism.core.ledger.payloads import Fields, check_fields, item_ids

CLOCK, ERASED = "clock", "erased"
FIELDS: Mapping[str, Fields] = {CLOCK: {}, ERASED: {"ids": item_ids}}


@dataclass(frozen=True)
class NoParameters(Parameters):
    """Nothing can be set."""


def _check(item: Item) -> None:
    check_fields(item.payload, FIELDS[item.what])


MARKS: Capability[None, NoParameters] = Capability(
    name="marks",
    parameters=NoParameters,
    kinds=frozenset(FIELDS),
    check=_check,
    begin=lambda _: None,
    apply=lambda _, __: None,
    copy=lambda _: None,
    load=lambda _, __: None,
    days=Days(begin=lambda _, __: None, run=lambda _, items: [None] * len(items), end=lambda _, __, ___: 0),
)
