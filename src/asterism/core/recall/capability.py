"""Recall as a row of the table: it reads what the others fold; its own are the questions that were left open."""

from __future__ import annotations

from asterism.core.ledger.about import NOTHING, Declared
from asterism.core.ledger.capability import Capability
from asterism.core.ledger.payloads import check_fields, text
from asterism.core.recall.explain import EXPLAINS
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.unanswered import QUERY, UNANSWERED, Questions, dump, load, note

RECALL: Capability[Questions, RecallParameters] = Capability(
    name="recall",
    parameters=RecallParameters,
    parameters_fold=False,
    kinds=frozenset({UNANSWERED}),
    check=lambda item: check_fields(item.payload, {QUERY: text}),
    begin=lambda _: {},
    apply=note,
    copy=dict,
    dump=dump,
    load=lambda columns, _: load(columns),
    about=Declared(frozenset({UNANSWERED}), lambda _: NOTHING),
    explain=EXPLAINS,
)
