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
        ("everything", "seed"): "04f3ca5b3f1fa9d24a63203ad0772f019de3f01a91c26d910ea1205254075dc1",
        ("everything", "tuned"): "992821b64d1871ae056675fa454aba062ea425e82b68c37396d5bcc1e04bc62c",
        ("links", "seed"): "c5c78eece9583ed52c44ecacfb836017fe350dd484adc59efd32fad9af102924",
        ("links", "tuned"): "4acf74af71dfc6e4b526cb3153bd69114217420645baf91368c6b0bfbb89f1b6",
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
