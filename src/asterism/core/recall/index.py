"""The index: every entry's words, names, neighbours and cues, kept as entries come and go.

An entry has a row. What the index answers is a function of the set of its entries; the row numbers are not, and
`dump` writes them in the order of ids. A row that was removed stays empty until the next `dump` and `load`.

`order` links are the four columns previous, following, second_previous and second_following: the entries beside
this one in its group (a session, a conversation), by (position, id); -1 where there is none.
"""

from __future__ import annotations

import json
from bisect import bisect_left, insort
from collections import Counter, deque
from itertools import islice

import numpy as np

from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.columns import Bytes, Column, Columns, Ints, Longs, prefixed, text_column, texts_of, under
from asterism.core.ledger.graph import Entry
from asterism.core.recall.cues import asks, speaks_to, tells_time
from asterism.core.recall.entries import NEVER, UNDATED, Facts, Labels
from asterism.core.recall.postings import Postings, RowCounts, living
from asterism.core.recall.times import Times
from asterism.core.text.terms import term_of
from asterism.core.text.words import INDEXED_WITHIN, content, names, title_names

NARRATIVE = "narrative"
_NO_ROWS: Ints = np.empty(0, dtype=np.int32)
CHANGES_KEPT = 256  # the latest, of which it is known which rows they touched
SIDES = (("previous", -1), ("following", 1), ("second_previous", -2), ("second_following", 2))


class Index:
    """Entries, searchable by word, name and neighbour."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.rows: dict[str, int] = {}
        self.facts = Facts()
        self.words = Postings()  # of the text and the title, without stop words
        self.forms: dict[str, list[int]] = {}  # by term: numbers of the words that are forms of it
        self.names = Postings()  # names that the text holds
        self.titles = Postings()  # the name of the entry itself
        self.labels = {"group": Labels(), "speaker": Labels(), "kind": Labels()}
        self.times = Times()  # of what was told more than once
        self.version = 0  # rises with every change
        self._groups: dict[int, list[tuple[int, str, int]]] = {}
        self._formed = 0  # words whose term is known
        self._touched: deque[tuple[int, ...]] = deque(maxlen=CHANGES_KEPT)  # rows, change by change

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, id: str) -> bool:  # noqa: A002 - what the contract calls it
        return id in self.rows

    def add(self, entry: Entry) -> int:
        """Add an entry, in place of the one with the same id if there is one, and give its row."""
        if entry.id in self.rows:
            self.remove(entry.id)
        text = entry.text[:INDEXED_WITHIN]
        counts = Counter(content(f"{entry.name} {entry.about} {text}"))
        row = self.facts.add()
        self.words.add(counts)
        self._take_forms()
        told = () if entry.kind == NARRATIVE else names(text)  # that a synthesis names its sources says nothing
        self.names.add(dict.fromkeys(told, 1))
        self.titles.add({name: 1 for name in title_names(entry.name) if name})
        self.ids.append(entry.id)
        self.rows[entry.id] = row
        facts = self.facts
        facts.alive[row] = True
        facts.characters[row] = len(entry.text)
        facts.length[row] = counts.total()
        facts.asks[row] = asks(entry.text)
        facts.tells_time[row] = tells_time(text)
        facts.speaks_to[row] = speaks_to(text)
        facts.day[row] = UNDATED if entry.at is None else day_of(entry.at)
        facts.last[row] = NEVER if entry.at is None else max((entry.at, *entry.times))
        self.times.put(row, entry.times)
        facts.position[row] = entry.position
        for label, text in (("group", entry.group), ("speaker", entry.speaker), ("kind", entry.kind)):
            getattr(facts, label)[row] = self.labels[label].number(text)
        self._changed(row, *(self._join(row) if entry.group else ()))
        return row

    def remove(self, id: str) -> None:  # noqa: A002
        """Take an entry out; its neighbours become neighbours of each other."""
        row = self.rows.pop(id)
        for postings in (self.words, self.names, self.titles):
            postings.remove(row)
        self.times.put(row, ())
        self.facts.alive[row] = False
        self.facts.last[row] = NEVER  # else what is gone would be the oldest there is
        members = self._groups.get(int(self.facts.group[row]))
        beside: list[int] = []
        if members is not None:
            place = bisect_left(members, self._place(row))
            del members[place]
            beside = self._settle(members, place - 2, place + 2)
        self._changed(row, *beside)

    def _changed(self, *rows: int) -> None:
        self._touched.append(rows)
        self.version += 1

    def touched_since(self, version: int) -> Longs | None:
        """Give the rows that came, went or got other neighbours since a version, ascending; None if it is long ago.

        Whoever keeps something for each row need only look at these.
        """
        count = self.version - version
        if count > len(self._touched):
            return None
        return np.unique([row for rows in islice(reversed(self._touched), count) for row in rows]).astype(np.int64)

    @property
    def cut(self) -> int:
        """Count the entries whose texts were read in part only, because they are so long."""
        facts = self.facts.trim()
        return int(np.count_nonzero(facts.alive & (facts.characters > INDEXED_WITHIN)))

    def holding(self, term: str) -> RowCounts:
        """Give the rows that hold a form of this term, in no order, and how often each does."""
        found = [self._living(self.words.of_number(number)) for number in self.forms.get(term, ())]
        if len(found) == 1:
            return found[0]
        rows = np.concatenate([_NO_ROWS, *(rows for rows, _ in found)])
        counts = np.concatenate([_NO_ROWS, *(counts for _, counts in found)])
        unique, places = np.unique(rows, return_inverse=True)
        return unique, np.bincount(places, weights=counts).astype(np.int32)

    def titled(self, name: str) -> Ints:
        """Give the rows whose title goes by this name."""
        return self._living(self.titles.of(name))[0]

    def naming(self, name: str) -> Ints:
        """Give the rows whose text holds this name."""
        return self._living(self.names.of(name))[0]

    def neighbours(self) -> dict[str, Ints]:
        """Give the four columns of `order` links, cut to the rows in use."""
        facts = self.facts.trim()
        return {side: getattr(facts, side) for side, _ in SIDES}

    def _living(self, found: RowCounts) -> RowCounts:
        return found if len(self.rows) == len(self.ids) else living(found, self.facts.alive)

    def _take_forms(self) -> None:
        for number in range(self._formed, len(self.words.names)):
            self.forms.setdefault(term_of(self.words.names[number]), []).append(number)
        self._formed = len(self.words.names)

    def _place(self, row: int) -> tuple[int, str, int]:
        return int(self.facts.position[row]), self.ids[row], row

    def _join(self, row: int) -> list[int]:
        members = self._groups.setdefault(int(self.facts.group[row]), [])
        insort(members, self._place(row))
        place = bisect_left(members, self._place(row))
        return self._settle(members, place - 2, place + 3)

    def _settle(self, members: list[tuple[int, str, int]], start: int, end: int) -> list[int]:
        """Write the neighbours of the members from one place to another, and give their rows."""
        places = range(max(start, 0), min(end, len(members)))
        for place in places:
            row = members[place][2]
            for side, step in SIDES:
                beside = place + step
                getattr(self.facts, side)[row] = members[beside][2] if 0 <= beside < len(members) else -1
        return [members[place][2] for place in places]

    def dump(self) -> Columns:
        """Copy the index out; equal sets of entries give equal bytes."""
        order = np.array([row for _, row in sorted(self.rows.items())], dtype=np.int64)
        renumbered = np.full(len(self.ids) + 1, -1, dtype=np.int32)  # the last one stands for -1: no neighbour
        renumbered[order] = np.arange(len(order), dtype=np.int32)
        facts = self.facts.dump(order)
        for side, _ in SIDES:
            facts[side] = renumbered[facts[side].astype(np.intp)]
        columns: Columns = {"ids": _packed([self.ids[row] for row in order])}
        for label, held in self.labels.items():
            used = sorted({int(number) for number in facts[label]} | {0}, key=held.texts.__getitem__)
            numbers = np.zeros(len(held.texts), dtype=np.int32)
            numbers[used] = np.arange(len(used))
            facts[label] = numbers[facts[label].astype(np.intp)]
            columns[f"labels.{label}"] = _packed([held.texts[number] for number in used])
        columns |= prefixed("facts", facts)
        for part in ("words", "names", "titles"):
            postings: Postings = getattr(self, part)
            columns |= prefixed(part, postings.dump(order))
        columns |= prefixed("times", self.times.dump(renumbered))
        words = texts_of(columns["words.names"])
        return columns | {"terms": text_column(list(map(term_of, words)))}

    @classmethod
    def load(cls, columns: Columns) -> Index:
        """Take what `dump` gave."""
        index = cls()
        index.ids = _unpacked(columns["ids"])
        index.rows = dict(zip(index.ids, range(len(index.ids)), strict=True))
        index.facts = Facts.load({name: column.copy() for name, column in under("facts", columns).items()})
        index.labels = {label: Labels(_unpacked(columns[f"labels.{label}"])) for label in index.labels}
        index.words, index.names, index.titles = (
            Postings.load(under(part, columns)) for part in ("words", "names", "titles")
        )
        index.times = Times.load(under("times", columns))
        for number, term in enumerate(texts_of(columns["terms"])):
            index.forms.setdefault(term, []).append(number)
        index._formed = len(index.words.names)
        places = zip(index.facts.group.tolist(), index.facts.position.tolist(), index.ids, strict=True)
        for row, (group, position, entry) in enumerate(places) if index.facts.group.any() else ():
            if group:
                index._groups.setdefault(group, []).append((position, entry, row))
        for members in index._groups.values():
            members.sort()
        return index


def _packed(texts: list[str]) -> Bytes:
    return np.frombuffer(json.dumps(texts).encode(), dtype=np.uint8)


def _unpacked(column: Column) -> list[str]:
    texts: list[str] = json.loads(column.tobytes())
    return texts
