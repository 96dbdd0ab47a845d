"""Connections as a row of the table: stars, evidence and the links between nodes, by calendar days."""

from __future__ import annotations

from collections.abc import Sequence

from asterism.core.connections import snapshot
from asterism.core.connections.day import Watch
from asterism.core.connections.fold import KINDS, Connections, Gain
from asterism.core.connections.gates import GATES
from asterism.core.connections.inputs import DECLARED, lost
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.payloads import check_payload
from asterism.core.connections.shown import SHOWN
from asterism.core.connections.why import EXPLAINS
from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.capability import Capability, Days, open_day
from asterism.core.ledger.columns import Columns, prefixed, under
from asterism.core.ledger.items import Item
from asterism.core.ledger.nodes import Nodes


def _begin(parameters: ConnectionParameters) -> Connections:
    return Connections(Nodes(), parameters)


def _begin_day(folded: Connections, day: int) -> None:
    folded.day = day


def _run(folded: Connections, items: Sequence[Item]) -> Sequence[Gain | None]:
    day = day_of(items[0].at)
    if items[0].what == "evidence":
        return folded.apply_evidence(items, day)
    return [folded.apply(item, day) for item in items]


def _end_days(folded: Connections, until: int, watch: object | None) -> int:
    return folded.close_days(until, watch if watch is not None and isinstance(watch, Watch) else None)


def _dump(folded: Connections) -> Columns:
    order = folded.nodes.order()
    return prefixed("nodes", folded.nodes.dump(order)) | prefixed("connections", snapshot.dump(folded, order))


def _load(columns: Columns, parameters: ConnectionParameters) -> Connections:
    nodes = Nodes.load(under("nodes", columns))
    return snapshot.load(under("connections", columns), nodes, parameters, open_day(columns))


CONNECTIONS: Capability[Connections, ConnectionParameters] = Capability(
    name="connections",
    parameters=ConnectionParameters,
    kinds=KINDS,
    check=lambda item: check_payload(item.what, item.payload),
    begin=_begin,
    apply=lambda folded, item: folded.apply(item, day_of(item.at)),
    copy=lambda folded: folded.copy(folded.nodes.copy()),
    dump=_dump,
    load=_load,
    days=Days(begin=_begin_day, run=_run, end=_end_days),
    graph=SHOWN,
    about=DECLARED,
    lost=lost,
    explain=EXPLAINS,
    gates=GATES,
)
