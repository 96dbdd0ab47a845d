"""Diaries with known links: what is found, which way round, how much of what is told is chance?

    asterism eval diary [--diaries N] [--data FOLDER]

N random diaries with planted links, N without any, N without any in which everything drifts, and N each of rare
events, level changes and odd spells that have nothing to do with each other (`random_diaries`). With a folder of mood
diaries (as for `asterism eval esm`), pieces of real ones too: 5 to 20 items over 40 to 120 days, one value a day, in
which nothing can be linked any more, because the days of each item are shuffled apart, or its whole course is moved by
another number of days (which keeps its own rhythm and memory). What is told of those is false.

`as used` writes each diary as a CSV, lets a memory read it and dream, and counts its links (`used_diary`); the others
are asked by the matrix (`diary_systems`), `inside` being the detector that the memory looks with.

The two ends of a chain and the two effects of a common cause are related, and neither right nor wrong as a
link: they are counted by themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from asterism.core.ledger.columns import Floats
from asterism.errors import InputError
from asterism.evals.diaries import daily, load_diaries
from asterism.evals.diary_systems import SYSTEMS, Told
from asterism.evals.random_diaries import DAYS, LONG_MEMORY, ODD_KINDS, STARS, RandomDiary, odd_diary, random_diary
from asterism.evals.report import Report, Row
from asterism.evals.used_diary import CALLS, as_used

Progress = Callable[[str], None]

DEFAULT_DIARIES = 200
FIRST = 40_000  # diaries below this number were seen while the detector was made
STRONG, LONG = 0.6, 60
APART = 6  # days between the courses of two items that were moved
ANY, CLEAR = "all diaries", "r >= .6, 60 days"
AS_USED = "as used"
PRESETS = {AS_USED: CALLS, "seed": "seed"}
CHAIN, COMMON = "ends of a chain", "effects of one cause"


@dataclass(slots=True)
class _Links:
    """Planted links of one group: how many, how many told, and of the delayed ones the direction."""

    true: int = 0
    found: int = 0
    delayed: int = 0
    right_way: int = 0
    wrong_way: int = 0
    intervals: int = 0
    holding: int = 0

    def rows(self, name: str) -> list[Row]:
        rows = [Row(name, "found", self.found / max(self.true, 1), self.true)]
        if self.delayed:
            rows.append(Row(name, "direction", self.right_way / self.delayed, self.delayed))
            rows.append(Row(name, "wrong direction", self.wrong_way / self.delayed, self.delayed))
        if self.intervals:
            rows.append(Row(name, "r within interval", self.holding / self.intervals, self.intervals))
        return rows


@dataclass(slots=True)
class _Tally:
    """All counts of one system."""

    links: dict[str, _Links] = field(default_factory=lambda: {CLEAR: _Links(), ANY: _Links()})
    told: int = 0
    hits: int = 0
    false: int = 0
    indirect: dict[str, list[int]] = field(default_factory=lambda: {CHAIN: [0, 0, 0], COMMON: [0, 0, 0]})
    empty: dict[str, list[int]] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, diary: RandomDiary, told: Sequence[Told]) -> None:
        """Count one diary with planted links."""
        by_pair = {each.pair: each for each in told}
        true_pairs = set()
        for link in diary.links:
            answer = by_pair.get((min(link.cause, link.effect), max(link.cause, link.effect)))
            true_pairs.add((min(link.cause, link.effect), max(link.cause, link.effect)))
            groups = [ANY, CLEAR] if abs(link.r) >= STRONG and diary.days >= LONG else [ANY]
            for group in (self.links[name] for name in groups):
                group.true += 1
                group.found += answer is not None
                if answer is not None and link.lag:
                    group.delayed += 1
                    group.right_way += answer.directed and answer.first == link.cause
                    group.wrong_way += answer.directed and answer.first != link.cause
                if answer is not None and answer.low is not None and answer.high is not None:
                    group.intervals += 1
                    group.holding += answer.low <= link.r <= answer.high
        for name, pairs in ((CHAIN, diary.chained), (COMMON, diary.shared)):
            answers = [by_pair.get(pair) for pair in pairs]
            counts = len(pairs), sum(map(bool, answers)), sum(each is not None and each.directed for each in answers)
            self.indirect[name] = [old + new for old, new in zip(self.indirect[name], counts, strict=True)]
        self.told += len(by_pair)
        self.hits += len(true_pairs & by_pair.keys())
        self.false += len(by_pair.keys() - true_pairs - diary.chained - diary.shared)

    def add_empty(self, kind: str, told: Sequence[Told]) -> None:
        """Count one diary in which nothing is linked."""
        count = self.empty.setdefault(kind, [0, 0])
        count[0] += 1
        count[1] += bool(told)

    def rows(self) -> list[Row]:
        """Give the figures; shares of nothing are 0."""
        rows = [row for name, group in self.links.items() for row in group.rows(name)]
        rows.append(Row(ANY, "false of told", self.false / max(self.told, 1), self.told))
        true = self.links[ANY].true
        rows.append(Row(ANY, "f1", 2 * self.hits / max(self.hits + self.false + true, 1), true))
        rows.append(Row(ANY, "f1, indirect false", 2 * self.hits / max(self.told + true, 1), true))
        for name, (pairs, linked, caused) in self.indirect.items():
            rows.append(Row(name, "told as linked", linked / max(pairs, 1), pairs))
            rows.append(Row(name, "told as cause", caused / max(pairs, 1), pairs))
        rows += [Row(kind, "tell anything", tell / diaries, diaries) for kind, (diaries, tell) in self.empty.items()]
        return rows


def broken_up(real: Sequence[Floats], *, number: int) -> Iterator[tuple[str, Floats]]:
    """Cut a piece out of a real diary and break its links, in two ways: days shuffled apart, courses moved."""
    rng = np.random.default_rng([number, 2])
    whole = real[number % len(real)]
    items, days = whole.shape
    chosen = rng.permutation(items)[: int(rng.integers(*STARS, endpoint=True))]
    length = min(int(rng.integers(*DAYS, endpoint=True)), days)
    begin = int(rng.integers(days - length, endpoint=True))
    piece = slice(begin, begin + length)
    shuffled = [whole[item, piece][rng.permutation(length)] for item in chosen]
    yield "real, days shuffled", np.array(shuffled)
    apart = chosen[: days // APART]
    yield "real, courses moved", np.array([np.roll(whole[item], APART * k)[piece] for k, item in enumerate(apart)])


def _long_enough(data: Path) -> list[Floats]:
    """Read the diaries of the folder that are as long as the shortest random one."""
    real = [daily(diary) for diary in load_diaries(data)]
    long = [each for each in real if each.shape[1] >= DAYS[0] and len(each) >= STARS[0]]
    if not long:
        raise InputError(
            f"{data} cannot be evaluated: no diary in it has {DAYS[0]} days and {STARS[0]} items",
            code="bad_data",
            item=str(data),
            hint="give a folder with a longer one, or leave --data out",
        )
    return long


def run(
    data: Path | None = None,
    *,
    diaries: int = DEFAULT_DIARIES,
    first: int = FIRST,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Score every system on the random diaries from number `first` on, and on real ones broken up."""
    real = _long_enough(data) if data is not None else []
    systems = {AS_USED: as_used, **SYSTEMS}
    tallies = {name: _Tally() for name in systems}

    def ask(values: Floats, count: Callable[[_Tally, list[Told]], None]) -> None:
        for name, system in systems.items():
            begun = clock()
            told = system(values)
            tallies[name].seconds += clock() - begun
            count(tallies[name], told)

    for number in range(first, first + diaries):
        if progress is not None:
            progress(f"diary {number - first + 1} of {diaries}")
        planted = random_diary(number)
        ask(planted.values, lambda tally, told, planted=planted: tally.add(planted, told))  # type: ignore[misc]
        empties = [
            ("noise", random_diary(number, linked=False).values),
            ("noise that drifts", random_diary(number, linked=False, memory=LONG_MEMORY).values),
            *((kind, odd_diary(number, kind)) for kind in ODD_KINDS),
            *(broken_up(real, number=number) if real else ()),
        ]
        for kind, values in empties:
            ask(values, lambda tally, told, kind=kind: tally.add_empty(kind, told))  # type: ignore[misc]
    return [
        Report("diary", name, PRESETS.get(name, "none"), tuple(tally.rows()), round(tally.seconds, 3))
        for name, tally in tallies.items()
    ]
