"""Evidence from a session: known nodes that are named in its lines (05, Into the graph).

A node named in an intent and another in its consequence is evidence that the one causes the other. Two nodes named in
one line are mentioned together; two that are named in the session, but never in one line, are mentioned in one session.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.payloads import line_times
from asterism.core.text.names import Names as Names

CAUSATION, TOGETHER, SESSION = "causation_detected", "co_mention_response", "co_mention_session"
NODES_MAX = 200  # of one session; those named later are left out and counted


class EvidenceRow(NamedTuple):
    """One observation about two nodes: of a causation `a` is the cause, else a < b."""

    kind: str
    a: str
    b: str
    direction: str  # a_to_b or none
    at_ms: int
    line: int  # of the consequence, of the mention, or the line in which the pair was first complete


class Gathered(NamedTuple):
    """The evidence of a session, and how many nodes were named beyond the limit."""

    rows: tuple[EvidenceRow, ...]
    dropped: int


def evidence_of(
    reading: Reading, names: Iterable[tuple[str, str]] | Mapping[str, str], *, started_at_ms: int | None = None
) -> Gathered:
    """Gather the evidence of a session for known nodes, given as (name, node id); aliases are further names.

    Excluded lines are left out. The rows are a function of the lines and the links: read twice, they are the same.
    """
    known = Names(names.items() if isinstance(names, Mapping) else names)
    times = line_times(reading.lines, started_at_ms)
    counts = reading.eligibility.eligible.tolist()
    named: dict[int, list[str]] = {}
    first: dict[str, int] = {}
    beyond: set[str] = set()
    for line in reading.lines:
        if not counts[line.line_index]:
            continue
        kept = []
        for node in known.find(line.content):
            if node in first or len(first) < NODES_MAX:
                first.setdefault(node, line.line_index)
                kept.append(node)
            else:
                beyond.add(node)
        if kept:
            named[line.line_index] = kept
    rows = [*_caused(reading, named, times), *_together(named, first, times)]
    return Gathered(tuple(sorted(rows, key=lambda row: (row.at_ms, row.line, row))), len(beyond))


def _caused(reading: Reading, named: dict[int, list[str]], times: Sequence[int]) -> Iterable[EvidenceRow]:
    found: dict[EvidenceRow, None] = {}
    for link in reading.links:
        line = link.consequence_anchor_index
        if line is None:
            continue
        for a in named.get(link.intent_anchor_index, ()):
            for b in named.get(line, ()):
                if a != b:
                    found[EvidenceRow(CAUSATION, a, b, "a_to_b", times[line], line)] = None
    return found


def _together(named: dict[int, list[str]], first: dict[str, int], times: Sequence[int]) -> Iterable[EvidenceRow]:
    met: set[tuple[str, str]] = set()
    for line, nodes in named.items():
        for a, b in combinations(sorted(nodes), 2):
            met.add((a, b))
            yield EvidenceRow(TOGETHER, a, b, "none", times[line], line)
    for a, b in combinations(sorted(first), 2):
        if (a, b) not in met:
            line = max(first[a], first[b])
            yield EvidenceRow(SESSION, a, b, "none", times[line], line)
