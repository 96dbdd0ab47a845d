"""Transcripts as a row of the table: the current reading of each session, and which evidence counts by it."""

from __future__ import annotations

from asterism.core.dialogue.fold import Transcripts
from asterism.core.dialogue.inputs import DECLARED
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.payloads import KINDS, check_payload
from asterism.core.ledger.capability import Capability
from asterism.core.ledger.columns import prefixed, under
from asterism.core.ledger.items import Item


def _admits(transcripts: Transcripts, evidence: Item) -> bool:
    """Say whether evidence counts: what a reading gave counts while that reading is the current one."""
    return "reading" not in evidence.payload or transcripts.take(evidence)


TRANSCRIPTS: Capability[Transcripts, DialogueParameters] = Capability(
    name="dialogue",
    parameters=DialogueParameters,
    parameters_fold=False,  # an item says what its transcript was read with
    kinds=KINDS,
    check=lambda item: check_payload(item.what, item.payload),
    begin=lambda _: Transcripts(),
    apply=lambda transcripts, item: transcripts.apply(item),
    copy=lambda transcripts: transcripts.copy(),
    dump=lambda transcripts: prefixed("transcripts", transcripts.dump()),
    load=lambda columns, _: Transcripts.load(under("transcripts", columns)),
    judges=frozenset({"evidence"}),
    admits=_admits,
    reopens=lambda transcripts, item: transcripts.opens(item),
    about=DECLARED,
)
