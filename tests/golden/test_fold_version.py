"""What ledgers that never change fold into, to the bit: whoever changes that raises the version.

A checkpoint is kept for as long as its fingerprint is that of the code, and the fingerprint knows the parameters and
`FOLD_VERSION`, not the formulas. Without another version, memories would go on from sums of the old formula.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from asterism.core.ledger.items import Item
from asterism.core.ledger.marks import MARKS
from asterism.core.recall.capability import RECALL
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import FOLD_VERSION, Projection, digest
from asterism.formats.ledger import entry_of, object_of

LEDGERS = ("everything", "links")  # weeks of items of every capability; months of evidence by chance
DIGESTS = {
    8: {
        ("everything", "seed"): "96520a138bcf90646d4d8906db25f36c76691f770a4b8209ae25fc79bf02d1c3",
        ("everything", "tuned"): "409bb71eed26f07fde457564ca39711be51cda8db2cde88c03a6baf432a96029",
        ("links", "seed"): "7f5971b33873700a93cf69fdacde10aa07e6ee44408f90b6609c625324dd60df",
        ("links", "tuned"): "7d6c4a507a2e00caae677f4d75a9f197cff8291febf411a489685f5002ce53dd",
    },
}


def ledger(name: str) -> list[Item]:
    lines = Path(__file__).with_name(f"{name}.jsonl").read_bytes().splitlines()
    return [each for each in (entry_of(object_of(line), "me") for line in lines) if isinstance(each, Item)]


def folded(name: str, preset: str) -> Projection:
    projection = Projection(SpaceParameters.build(preset))
    projection.apply_all(ledger(name))
    return projection


def test_the_ledgers_have_items_of_every_capability() -> None:
    kinds = {item.what for name in LEDGERS for item in ledger(name)}
    rows = Projection(SpaceParameters.build()).capabilities
    assert [row.name for row in rows if row.kinds and not row.kinds & kinds] == [
        MARKS.name,
        RECALL.name,
    ]  # both came later, the second to be written down only on request


@pytest.mark.parametrize("preset", ["seed", "tuned"])
@pytest.mark.parametrize("name", LEDGERS)
def test_what_items_fold_into_changes_only_with_the_version(name: str, preset: str) -> None:
    found = digest(folded(name, preset).dump())
    assert DIGESTS.get(FOLD_VERSION, {}).get((name, preset)) == found, (
        "items fold into something else: if that is meant, raise FOLD_VERSION in core/space/projection.py (unless it "
        "was raised since the last release), and put the new digest beside the version here"
    )
