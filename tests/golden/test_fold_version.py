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
    5: {
        ("everything", "seed"): "060fce3ba5055f40ac00245c3f823f8ada6a3f7297fa9a1fd4ca6c504393c6da",
        ("everything", "tuned"): "a649a08205ba36677380b9a666948d6cb29d2ef2a330940fd52fabebcdd09d31",
        ("links", "seed"): "829d8292030ca16c2950f6d94e92836e53b472b0536ffac4a905b591b98ab566",
        ("links", "tuned"): "a10b779817541baa14d5ebd287f102343f87dd2be59e5b21dc137aef6005a4de",
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
