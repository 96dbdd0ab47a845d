"""Transcripts as a row of the table: the current reading of each session, and which evidence counts by it."""

from __future__ import annotations

from asterism.core.dialogue.explain import EXPLAINS
from asterism.core.dialogue.fold import Transcripts
from asterism.core.dialogue.inputs import DECLARED
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.payloads import KINDS, check_payload
from asterism.core.dialogue.shown import SHOWN
from asterism.core.ledger.capability import Capability, Judges, Table
from asterism.core.ledger.columns import prefixed, under

TRANSCRIPTS: Capability[Transcripts, DialogueParameters] = Capability(
    name="dialogue",
    parameters=DialogueParameters,
    parameters_fold=False,  # an item says what its transcript was read with
    kinds=KINDS,
    check=lambda item: check_payload(item.what, item.payload),
    begin=lambda _: Transcripts(),
    apply=Transcripts.apply,
    copy=Transcripts.copy,
    dump=lambda transcripts: prefixed("transcripts", transcripts.dump()),
    load=lambda columns, _: Transcripts.load(under("transcripts", columns)),
    judges=Judges(
        kinds=frozenset({"evidence"}),
        field="reading",
        admits=lambda transcripts, evidence: transcripts.admits(evidence),  # while its reading is the current one
        notes=lambda transcripts, evidence: transcripts.note(evidence),
        reopens=lambda transcripts, reading: transcripts.opens(reading),
    ),
    graph=SHOWN,
    table=Table(
        name="causal_links",
        parts=lambda transcripts: {kept.said.session: kept.position.id for kept in transcripts.readings.values()},
        rows=lambda transcripts, session: transcripts.causal_links(session),
        part="session",
        item="reading",
        what="links",
    ),
    about=DECLARED,
    explain=EXPLAINS,
)
