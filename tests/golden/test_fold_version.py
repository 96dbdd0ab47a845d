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
        ("everything", "seed"): "6139babb9a419fc77c0d062cd0b70e4cd8eb7596c180169be3c367221038f91c",
        ("everything", "tuned"): "90ca94e7529563914db7d94157a297439fd94ecd27c84581f50c41f32868029a",
        ("links", "seed"): "d77f8546a2bc6b1fb04a0fc995471e328aceec1ca9623f11a0f962395dcbe6dd",
        ("links", "tuned"): "85f3327aba75ecf04d5218289007f2cf90c2728f8fef9238b848f0ae830a4bb7",
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
