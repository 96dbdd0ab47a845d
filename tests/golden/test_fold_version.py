"""What ledgers that never change fold into, to the bit: whoever changes that raises the version.

A checkpoint is kept for as long as its fingerprint is that of the code, and the fingerprint knows the parameters and
`FOLD_VERSION`, not the formulas. Without another version, memories would go on from sums of the old formula.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from asterism.core.ledger.items import Item
from asterism.core.ledger.marks import MARKS
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import FOLD_VERSION, Projection, digest
from asterism.formats.ledger import entry_of, object_of

LEDGERS = ("everything", "links")  # weeks of items of every capability; months of evidence by chance
DIGESTS = {
    6: {
        ("everything", "seed"): "20a7748d823e5c0c45c983e2989f4912e3a686bc2e4083057d0d33deabedea2e",
        ("everything", "tuned"): "a649a08205ba36677380b9a666948d6cb29d2ef2a330940fd52fabebcdd09d31",
        ("links", "seed"): "d70f3036cbe1a7880580463381eaf80a1801e258b3207f9baefe2589bbd06f45",
        ("links", "tuned"): "e00a1346bb877b68ae6e96f982117971734fc55250aa946b958e6b7890602798",
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
    assert [row.name for row in rows if row.kinds and not row.kinds & kinds] == [MARKS.name]  # they fold into nothing


@pytest.mark.parametrize("preset", ["seed", "tuned"])
@pytest.mark.parametrize("name", LEDGERS)
def test_what_items_fold_into_changes_only_with_the_version(name: str, preset: str) -> None:
    found = digest(folded(name, preset).dump())
    assert DIGESTS.get(FOLD_VERSION, {}).get((name, preset)) == found, (
        "items fold into something else: if that is meant, raise FOLD_VERSION in core/space/projection.py (unless it "
        "was raised since the last release), and put the new digest beside the version here"
    )
