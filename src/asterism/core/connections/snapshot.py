"""Connections as plain columns, in one canonical order: what a checkpoint stores and `verify` compares.

Rows are sorted by node id and by pair, so equal ledgers give equal bytes whatever order their items arrived in. The
open day travels along, so a checkpoint can be taken at any moment.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from asterism.core.connections.findings import Finding
from asterism.core.connections.first_items import Waiting
from asterism.core.connections.fold import Connections
from asterism.core.connections.link_type import Ring
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.predictions import canonical_order
from asterism.core.connections.tables import (
    Events,
    LinkRow,
    Links,
    PairIndex,
    Predictions,
    Records,
    Stars,
    Window,
)
from asterism.core.connections.today import LinkDay, StarDay, StarStart
from asterism.core.connections.turns import MOST, Turns, let_go
from asterism.core.connections.words import EvidenceKind
from asterism.core.ledger.columns import (
    Bytes,
    Column,
    Columns,
    Rows,
    order_by,
    prefixed,
    ranks,
    text_column,
    texts_of,
    under,
)
from asterism.core.ledger.nodes import Nodes

NO_ID = b"\0" * 16
NOT_ASSIGNED = (0, NO_ID, -1, -1)


def dump(folded: Connections, node_order: Rows) -> Columns:
    """Pack everything, nodes in the order given and links by their pair."""
    g = folded.graph
    g.stars.extend_to(len(folded.nodes))
    names = folded.names + [""] * (len(folded.nodes) - len(folded.names))
    node_rank = ranks(node_order)
    links = g.links.trim()
    a, b = node_rank[links.a], node_rank[links.b]
    link_order = order_by(a, b)
    link_rank = ranks(link_order)

    columns = prefixed("links", g.links.dump(link_order))
    columns["links.a"], columns["links.b"] = a[link_order].astype(np.int32), b[link_order].astype(np.int32)
    columns |= prefixed("stars", g.stars.dump(node_order))
    ring_rows = g.stars.ring_row[node_order]
    with_ring = np.flatnonzero(ring_rows >= 0)
    columns["ring"] = g.ring.values[:, ring_rows[with_ring]]
    ring_rows[with_ring] = np.arange(len(with_ring), dtype=np.int32)
    columns["stars.ring_row"] = ring_rows
    columns["names"] = text_column([names[row] for row in node_order.tolist()])

    events = g.events.dump()
    events["star"] = node_rank[events["star"]].astype(np.int32)
    order = np.lexsort((events["star"], events["at"]))
    columns |= prefixed("events", {name: column[order] for name, column in events.items()})
    lasting = g.window.first_of((folded.day or 0) - 2 * folded.parameters.evidence_half_life)
    window = g.window.dump(np.arange(lasting, g.window.size))  # expired entries are let go of at no fixed time
    window["link"] = link_rank[window["link"]].astype(np.int32)
    by_day = order_by(window["day"], window["link"])
    columns |= prefixed("window", {name: column[by_day] for name, column in window.items()})
    made = g.predictions.dump(canonical_order(g.predictions, link_rank))
    made["link"], made["star"] = (
        link_rank[made["link"]].astype(np.int32),
        node_rank[made["star"]].astype(np.int32),
    )
    columns |= prefixed("predictions", made)
    records = g.records.dump()
    records["link"] = link_rank[records["link"]].astype(np.int32)
    order = np.lexsort((records["told"], records["sign"], records["link"]))
    columns |= prefixed("records", {name: column[order] for name, column in records.items()})
    kept, turns_from = let_go(g.turns, since=g.turns_from, most=MOST)
    turns = kept.dump()
    turns["link"] = link_rank[turns["link"]].astype(np.int32)
    order = np.lexsort((turns["value"], turns["turn"], turns["link"], turns["day"]))
    columns |= prefixed("turns", {name: column[order] for name, column in turns.items()})
    columns["counters"] = np.array(
        [g.first_star_day, g.predictions_dropped, g.pairs_not_tested, turns_from, *g.sign_odds], dtype=np.int64
    )
    columns |= _dump_link_days(folded, link_rank, node_rank)
    columns |= _dump_star_days(folded, node_rank)
    columns["discovered"] = np.sort(link_rank[np.array(sorted(folded.discovered), dtype=np.intp)])
    return columns


def load(columns: Columns, nodes: Nodes, parameters: ConnectionParameters, day: int | None) -> Connections:
    """Unpack what `dump` packed, with the open day where it was."""
    folded = Connections(nodes, parameters)
    g = folded.graph
    g.links = Links.load(under("links", columns))
    g.stars = Stars.load(under("stars", columns))
    ring = columns["ring"].astype(np.float64, copy=False)
    g.ring = Ring(ring, ring.shape[1])
    g.events = Events.load(under("events", columns))
    g.window = Window.load(under("window", columns))
    g.predictions = Predictions.load(under("predictions", columns))
    g.records = Records.load(under("records", columns))
    g.turns = Turns.load(under("turns", columns))
    g.first_star_day, g.predictions_dropped, g.pairs_not_tested, g.turns_from, *odds = columns["counters"].tolist()
    g.sign_odds = (odds[0], odds[1])
    folded.names = texts_of(columns["names"])
    folded.pairs = PairIndex(g.links.a, g.links.b)
    folded.day = day
    _load_star_days(folded, columns)
    _load_link_days(folded, columns)
    folded.discovered = set(columns["discovered"].tolist())
    return folded


def _dump_link_days(folded: Connections, link_rank: Rows, node_rank: Rows) -> Columns:
    made, waiting = folded.link_days.split()
    parts = [_dump_made(made), *(_dump_waiting(each) for each in waiting)]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    links = {name: column for name, column in columns.items() if name.startswith("day_links.")}
    for end in ("day_links.a", "day_links.b"):
        links[end] = node_rank[links[end]].astype(np.int32)
    links["day_links.row"] = link_rank[links["day_links.row"]]
    evidence = {name: column for name, column in columns.items() if name.startswith("day_evidence.")}
    evidence["day_evidence.link"] = link_rank[evidence["day_evidence.link"]]
    order = np.argsort(links["day_links.row"])
    by_link = np.argsort(evidence["day_evidence.link"], kind="stable")  # of one link, in the order of time
    packed = {name: column[order] for name, column in links.items()}
    packed["day_links.assigned_id"] = packed["day_links.assigned_id"].ravel()
    return packed | {name: column[by_link] for name, column in evidence.items()} | _dump_findings(made, link_rank)


def _dump_findings(made: Mapping[int, LinkDay], link_rank: Rows) -> Columns:
    """Pack the findings of the open day, by link and in their order."""
    of_links = sorted((int(link_rank[row]), today.findings) for row, today in made.items() if today.findings)
    found = [(row, *finding) for row, findings in of_links for finding in findings]
    links, until, at, ids, holds, kind, direction, lag_days, r = zip(*found, strict=True) if found else ([],) * 9
    return {
        "day_findings.link": np.array(links, dtype=np.int64),
        "day_findings.until": np.array(until, dtype=np.int64),
        "day_findings.at": np.array(at, dtype=np.int64),
        "day_findings.id": _ids(list(ids)),
        "day_findings.holds": np.array(holds, dtype=np.bool_),
        "day_findings.kind": np.array(kind, dtype=np.uint8),
        "day_findings.direction": np.array(direction, dtype=np.uint8),
        "day_findings.lag_days": np.array(lag_days, dtype=np.int64),
        "day_findings.r": np.array(r, dtype=np.float64),
    }


def _dump_made(made: Mapping[int, LinkDay]) -> Columns:
    """Pack the open days of links, one by one; rows and ends as they are numbered here."""
    days = made.values()
    starts = Links()
    for place, today in enumerate(days):
        starts.add()
        starts.put_row(place, today.start)
    assigned = [today.assigned or NOT_ASSIGNED for today in days]
    told = {row: today.told() for row, today in made.items()}
    return prefixed("day_links", starts.dump()) | {
        "day_links.row": np.array(list(made), dtype=np.int64),
        "day_links.denials": np.array([today.denials for today in days], dtype=np.int64),
        "day_links.assigned_at": np.array([at for at, *_ in assigned], dtype=np.int64),
        "day_links.assigned_id": _ids([item_id for _, item_id, *_ in assigned]).reshape(-1, len(NO_ID)),
        "day_links.assigned_kind": np.array([kind for *_, kind, _ in assigned], dtype=np.int8),
        "day_links.assigned_direction": np.array([direction for *_, direction in assigned], dtype=np.int8),
        "day_evidence.link": np.array([row for row, (times, _) in told.items() for _ in times], dtype=np.int64),
        "day_evidence.at": np.array([at for times, _ in told.values() for at in times], dtype=np.int64),
        "day_evidence.kind": np.array([kind for _, kinds in told.values() for kind in kinds], dtype=np.uint8),
    }


def _dump_waiting(waiting: Waiting) -> Columns:
    """Pack open days that lie as columns: one item of evidence each, no denial, nothing assigned."""
    first, rows = waiting.first, np.array(waiting.rows, dtype=np.int64)
    at, item_id, kind, direction = NOT_ASSIGNED
    return prefixed("day_links", first.start.dump(np.array(waiting.places))) | {
        "day_links.row": rows,
        "day_links.denials": np.zeros(len(rows), dtype=np.int64),
        "day_links.assigned_at": np.full(len(rows), at, dtype=np.int64),
        "day_links.assigned_id": _ids([item_id] * len(rows)).reshape(-1, len(NO_ID)),
        "day_links.assigned_kind": np.full(len(rows), kind, dtype=np.int8),
        "day_links.assigned_direction": np.full(len(rows), direction, dtype=np.int8),
        "day_evidence.link": rows,
        "day_evidence.at": first.at[waiting.places],
        "day_evidence.kind": first.kind[waiting.places],
    }


def _load_link_days(folded: Connections, columns: Columns) -> None:
    starts = Links.load(under("day_links", columns))
    extra = {name: columns[f"day_links.{name}"].tolist() for name in ("row", "denials", "assigned_at")}
    extra |= {name: columns[f"day_links.{name}"].tolist() for name in ("assigned_kind", "assigned_direction")}
    ids = _texts(columns["day_links.assigned_id"])
    for place, row in enumerate(extra["row"]):
        start = LinkRow(*starts.row(place))  # type: ignore[arg-type]  # the columns' own types
        today = folded.link_days[row] = LinkDay(start, denials=extra["denials"][place])
        kind, direction = extra["assigned_kind"][place], extra["assigned_direction"][place]
        if kind >= 0:
            today.assigned = (extra["assigned_at"][place], ids[place], kind, direction)
    evidence = under("day_evidence", columns)
    for row, at, kind in zip(*(evidence[name].tolist() for name in ("link", "at", "kind")), strict=True):
        folded.link_days[row].add_evidence(at, EvidenceKind(kind), folded.rules.gains[kind])
    _load_findings(folded, under("day_findings", columns))
    for row in folded.link_days:
        assert folded.day is not None
        folded.resettle_link(row, folded.day)


def _load_findings(folded: Connections, columns: Columns) -> None:
    ids = _texts(columns["id"])
    fields = [column.tolist() if name != "id" else ids for name, column in columns.items()]
    for link, *finding in zip(*fields, strict=True):
        assert folded.day is not None
        folded.link_days[link].add_finding(
            Finding._make(finding),
            day=folded.day,
            gains=folded.rules.gains,
            interval=folded.parameters.finding_interval,
        )


def _dump_star_days(folded: Connections, node_rank: Rows) -> Columns:
    days = sorted((int(node_rank[row]), today) for row, today in folded.star_days.items()) if folded.star_days else []
    added = [today.added or (0, NO_ID, -1) for _, today in days]
    starts = [today.start for _, today in days]
    acts = [(row, *act) for row, today in days for act in today.acts]
    return {
        "day_stars.row": np.array([row for row, _ in days], dtype=np.int64),
        "day_stars.is_star": np.array([start.is_star for start in starts], dtype=np.bool_),
        "day_stars.state": np.array([start.state for start in starts], dtype=np.uint8),
        "day_stars.brightness": np.array([start.brightness for start in starts], dtype=np.float64),
        "day_stars.last_observed": np.array([start.last_observed for start in starts], dtype=np.float64),
        "day_stars.contradictions": np.array([start.contradictions for start in starts], dtype=np.int64),
        "day_stars.dark_marked": np.array([start.dark_marked for start in starts], dtype=np.bool_),
        "day_stars.boost": np.array([start.boost for start in starts], dtype=np.float64),
        "day_stars.added_at": np.array([at for at, *_ in added], dtype=np.int64),
        "day_stars.added_id": _ids([item_id for _, item_id, _ in added]),
        "day_stars.added_domain": np.array([domain for *_, domain in added], dtype=np.int8),
        "day_acts.star": np.array([row for row, *_ in acts], dtype=np.int64),
        "day_acts.at": np.array([at for _, at, *_ in acts], dtype=np.int64),
        "day_acts.id": _ids([item_id for _, _, item_id, *_ in acts]),
        "day_acts.act": np.array([act for *_, act, _ in acts], dtype=np.uint8),
        "day_acts.value": np.array([value for *_, value in acts], dtype=np.float64),
    }


def _load_star_days(folded: Connections, columns: Columns) -> None:
    fields = ("is_star", "state", "brightness", "last_observed", "contradictions", "dark_marked", "boost")
    starts = zip(*(columns[f"day_stars.{name}"].tolist() for name in fields), strict=True)
    ids = _texts(columns["day_stars.added_id"])
    rows, ats = columns["day_stars.row"].tolist(), columns["day_stars.added_at"].tolist()
    domains = columns["day_stars.added_domain"].tolist()
    for row, start, at, item_id, domain in zip(rows, starts, ats, ids, domains, strict=True):
        today = folded.star_days[row] = StarDay(StarStart(*start))
        today.added = (at, item_id, domain) if domain >= 0 else None
    acts = under("day_acts", columns)
    listed = (
        acts["star"].tolist(),
        acts["at"].tolist(),
        _texts(acts["id"]),
        acts["act"].tolist(),
        acts["value"].tolist(),
    )
    for row, at, item_id, act, value in zip(*listed, strict=True):
        folded.star_days[row].acts.append((at, item_id, act, value))


def _ids(ids: list[bytes]) -> Bytes:
    return np.frombuffer(b"".join(ids), dtype=np.uint8)


def _texts(column: Column) -> list[bytes]:
    raw = column.tobytes()
    return [raw[start : start + 16] for start in range(0, len(raw), 16)]
