"""Blocks as a row of the table: what was learned, dreamed, used and told of outcomes, by active hours."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from asterism.core.blocks import snapshot
from asterism.core.blocks.explain import EXPLAINS
from asterism.core.blocks.fold import KINDS, Blocks
from asterism.core.blocks.gates import GATES
from asterism.core.blocks.inputs import DECLARED
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.payloads import check_payload
from asterism.core.blocks.shown import SHOWN
from asterism.core.ledger.capability import Capability, Unordered
from asterism.core.ledger.columns import prefixed, under
from asterism.core.ledger.items import Item


def _refold(blocks: Blocks, items: Sequence[Item]) -> int:
    blocks.refold(items)
    return len(items)


def _look(blocks: Blocks, moment: int) -> None:
    blocks.seen = moment


BLOCKS: Capability[Blocks, BlockParameters] = Capability(
    name="blocks",
    parameters=BlockParameters,
    kinds=KINDS,
    check=lambda item: check_payload(item.what, item.payload),
    begin=Blocks,
    apply=Blocks.apply,
    copy=Blocks.copy,
    dump=lambda blocks: prefixed("blocks", snapshot.dump(blocks)),
    load=lambda columns, parameters: snapshot.load(under("blocks", columns), parameters),
    unordered=Unordered(stale=attrgetter("stale"), refold=_refold),
    look=_look,
    graph=SHOWN,
    about=DECLARED,
    explain=EXPLAINS,
    gates=GATES,
)
