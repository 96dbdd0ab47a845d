"""Evidence from a session: known nodes that are named in its lines (05, Into the graph).

A node named in an intent and another in its consequence is evidence that the one causes the other. Two nodes named in
one line are mentioned together; two that are named in the session, but never in one line, are mentioned in one session.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from asterism.core.dialogue.kernel import Reading
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.payloads import line_times

CAUSATION, TOGETHER, SESSION = "causation_detected", "co_mention_response", "co_mention_session"
NODES_MAX = 200  # of one session; those named later are left out and counted
MARK = 12  # hex digits that tell the lines of a session apart
_WORD = re.compile(r"\w+")


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


class Names:
    """Finds known names in a text: as whole words, in either case, the longest first, none inside another."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._by_word: dict[str, list[tuple[str, int, str]]] = {}  # first word -> (name, where that word begins, node)
        for name, node in names:
            flat = _flat(name)
            word = _WORD.search(flat)
            if word is not None:
                self._by_word.setdefault(word[0], []).append((flat, word.start(), node))
        for found in self._by_word.values():
            found.sort(key=lambda each: (-len(each[0]), each[0], each[2]))

    def find(self, text: str) -> list[str]:
        """Give the nodes that a text names, each once, in the order of the text.

        >>> Names([("Nott", "nott"), ("Nott the Brave", "nott"), ("inn", "the-inn")]).find(
        ...     "nott the Brave left the INN"
        ... )
        ['nott', 'the-inn']
        """
        flat = _flat(text)
        found: dict[str, None] = {}
        behind = 0
        for word in _WORD.finditer(flat):
            for name, offset, node in self._by_word.get(word[0], ()):
                start = word.start() - offset
                if start >= behind and flat.startswith(name, start) and _ends(flat, start, start + len(name)):
                    found[node] = None
                    behind = start + len(name)
                    break
        return list(found)


def _flat(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").lower().split())


def _ends(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return not _word_sign(before) and not _word_sign(after)


def _word_sign(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def line_marks(lines: Iterable[Line]) -> list[str]:
    """Name each line by who says what, and for the how manieth time: lines that come in before it change nothing.

    >>> one, two, three = line_marks([Line(0, "Ann", "Go!"), Line(1, "Ann", "Go!"), Line(2, "Ann", "Stop!")])
    >>> line_marks([Line(0, "DM", "Welcome."), Line(1, "Ann", "Go!"), Line(2, "Ann", "Go!")])[1:] == [one, two]
    True
    """
    seen: Counter[str] = Counter()
    marks = []
    for line in lines:
        said = f"{' '.join(line.author_name.split())}\x1f{' '.join(line.content.split())}"
        seen[said] += 1
        marks.append(hashlib.sha256(f"{said}\x1f{seen[said]}".encode()).hexdigest()[:MARK])
    return marks


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
