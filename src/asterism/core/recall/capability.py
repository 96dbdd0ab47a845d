"""Recall as a row of the table: it has parameters and reads what the others fold; no item is its own."""

from __future__ import annotations

from asterism.core.ledger.capability import Capability
from asterism.core.recall.explain import EXPLAINS
from asterism.core.recall.parameters import RecallParameters

RECALL: Capability[None, RecallParameters] = Capability(
    name="recall",
    parameters=RecallParameters,
    parameters_fold=False,
    begin=lambda _: None,
    apply=lambda _, __: None,
    copy=lambda _: None,
    load=lambda _, __: None,
    explain=EXPLAINS,
)
