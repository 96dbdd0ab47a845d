"""Where resting orders stay, and where they come back: the strength of a level against what the order book did next.

A price *rests* while its resting size is at or above the floor that makes persistence (`book_floor_usd`). Every ten
seconds of a recording two questions are asked. *stays*: a price that has rested for ten seconds or more, does it rest
the next ten without a break? *returns*: a price that rested so long once and does not now, does it rest again within
the next ten? Each is scored by the strength of the level that covers it, and by four baselines: the time it rested,
its distance from the middle of best bid and ask, its size, and how lately it changed. All are fed the recording up to
the question; only then it is read on, and the answer seen. Reported are the AUC, with an interval that resamples half
minutes (there is one day only), and the AUC among prices of one recording that are about as far away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.core.levels.events import BOOK, PRICE, Events
from asterism.evals.market_levels import Variant
from asterism.evals.market_scores import Ranking, auc_within, interval, strata_of
from asterism.evals.report import Report, Row
from asterism.feeds import open_feed

LOOK = 10_000_000  # microseconds that a price must have rested, and that are looked ahead
BLOCK = 30_000_000
DISTANCES = 5  # classes of distance
EVAL = "market, resting orders"
KINDS = ("stays", "returns")
AGAINST = "distance"

Key = tuple[int, float]  # side and price


@dataclass(slots=True)
class Rest:
    """A price that rests, or rested: since when, how long before, how much, and when that last changed."""

    start: int = 0
    before: int = 0  # microseconds of ended rests
    usd: float = 0.0
    changed: int = 0
    resting: bool = False
    long: bool = False  # one of its ended rests lasted


@dataclass
class Orders:
    """An order book, read forward only: which prices rest now, which rested, and what changed since it was asked."""

    floor: float
    middle: float = 0.0
    rests: dict[Key, Rest] = field(default_factory=dict)
    began: set[Key] = field(default_factory=set)
    ended: set[Key] = field(default_factory=set)
    _snapshot: tuple[int, int] = (0, 0)  # time and number of the one that is being told
    _told: set[Key] = field(default_factory=set)

    def take(self, events: Events) -> None:
        """Read on."""
        columns = (events.kind, events.at, events.price, events.usd, events.side, events.episode)
        for kind, at, price, usd, side, episode in zip(*(column.tolist() for column in columns), strict=True):
            if kind == PRICE:
                self.middle = price
            if kind == BOOK:
                self._change((side, price), at, usd, (at, episode) if episode else (0, 0))
        self._finish()

    def _change(self, key: Key, at: int, usd: float, snapshot: tuple[int, int]) -> None:
        if snapshot != self._snapshot:
            self._finish()
            self._snapshot = snapshot
        self._told.add(key)
        rest = self.rests.get(key)
        if usd >= self.floor:
            rest = self.rests.setdefault(key, Rest())
            if not rest.resting:
                rest.resting, rest.start = True, at
                self.began.add(key)
            if usd != rest.usd:
                rest.usd, rest.changed = usd, at
        elif rest is not None and rest.resting:
            self._end(key, at)

    def _end(self, key: Key, at: int) -> None:
        rest = self.rests[key]
        lasted = at - rest.start
        rest.resting, rest.changed, rest.before = False, at, rest.before + lasted
        rest.long |= lasted >= LOOK
        self.ended.add(key)

    def _finish(self) -> None:
        """A snapshot is the whole book: what it did not tell of is gone."""
        at, number = self._snapshot
        if number:
            for key in [key for key, rest in self.rests.items() if rest.resting and key not in self._told]:
                self._end(key, at)
        self._snapshot, self._told = (0, 0), set()

    def asked(self, at: int) -> Iterator[tuple[str, Key, Rest]]:
        """Give the prices to ask about at a time; from now on, changes are noted anew."""
        self.began, self.ended = set(), set()
        for key, rest in self.rests.items():
            if rest.resting and at - rest.start >= LOOK:
                yield "stays", key, rest
            elif rest.long and not rest.resting:
                yield "returns", key, rest


class Asked(NamedTuple):
    """Questions of one kind: the scores by system, in which block and recording, how far away; and what came true."""

    scores: Mapping[str, Floats]
    block: Longs
    recording: Longs
    distance: Floats
    came: Bools


Question = tuple[str, Key, dict[str, float]]  # its kind, the price, what the baselines say


def questions(orders: Orders, at: int) -> list[Question]:
    """Ask about all prices at a time, with what the baselines say of each: more is more likely."""
    return [(kind, key, _simple(kind, key, rest, orders.middle, at)) for kind, key, rest in orders.asked(at)]


def _simple(kind: str, key: Key, rest: Rest, middle: float, at: int) -> dict[str, float]:
    far = abs(key[1] / middle - 1.0) if middle else 0.0
    rested = rest.before + (at - rest.start if rest.resting else 0)
    return {
        "time": rested / 1e6,
        "distance": far if kind == "stays" else -far,  # what is far from the market stays, what is near returns
        "volume": rest.usd,
        "recency": (rest.changed - at) / 1e6,
    }


def walk(events: Events, variant: Variant, symbol: str) -> Iterator[tuple[int, Question, float, bool]]:
    """Read a recording on, ten seconds at a time: give the time, each question, the strength there, and what came."""
    orders = Orders(variant.parameters.book_floor_usd)
    with variant.opened(symbol) as memory:
        waiting: list[tuple[Question, float]] = []
        start, known = int(events.at[0]), 0
        for at in range(start + LOOK, int(events.at[-1]) + 1, LOOK):
            until = int(np.searchsorted(events.at, at))
            part = events.take(slice(known, until))
            known = until
            orders.take(part)
            memory.take(part)
            for question, strength in waiting:
                kind, key, _ = question
                yield (
                    at - LOOK - start,
                    question,
                    strength,
                    key in orders.began if kind == "returns" else (key not in orders.ended),
                )
            asked = questions(orders, at)
            prices = np.array([key[1] for _, key, _ in asked])
            strengths = memory.strength(prices, at_ms=at // 1_000) if asked else prices
            waiting = list(zip(asked, strengths.tolist(), strict=True))


def run(
    data: Path, variant: Variant, *, seed: int, say: Callable[[str], None], clock: Callable[[], float]
) -> list[Report]:
    """Test the baselines and a memory on the recordings `l2/*.jsonl.gz` of the folder; none: no report."""
    begun = clock()
    rows: dict[str, list[tuple[int, int, dict[str, float], bool]]] = {kind: [] for kind in KINDS}
    for number, path in enumerate(sorted((data / "l2").glob("*.jsonl*"))):
        say(f"{path.name.split('.')[0]}: resting orders")
        events = Events.join([batch.events for batch in open_feed(path).batches()])
        for at, (kind, _, simple), strength, came in walk(events, variant, path.name.split(".")[0]):
            rows[kind].append((at // BLOCK, number, {**simple, variant.name: strength}, came))
    asked = {kind: _asked(told) for kind, told in rows.items() if told}
    names = list(dict.fromkeys(name for each in asked.values() for name in each.scores))
    seconds = round(clock() - begun, 3)
    reports = []
    for name in names:
        own = name == variant.name
        how = "as used: feed of the order book, levels(at=) every ten seconds" if own else "none"
        found = [row for kind, each in asked.items() for row in asked_rows(kind, each, name, own=own, seed=seed)]
        reports.append(Report(EVAL, name, how, tuple(found), seconds if own else 0.0))
    return reports


def _asked(told: Sequence[tuple[int, int, dict[str, float], bool]]) -> Asked:
    block, recording, scores, came = zip(*told, strict=True)
    columns = {name: np.array([each[name] for each in scores]) for name in scores[0]}
    number = np.array(recording, dtype=np.int64)
    return Asked(
        columns,
        np.array(block, dtype=np.int64) + number * 1_000_000,
        number,
        np.abs(columns["distance"]),
        np.array(came, dtype=np.bool_),
    )


def asked_rows(kind: str, asked: Asked, name: str, *, own: bool, seed: int) -> list[Row]:
    """Give the figures of one system for one kind of question."""
    score, size, blocks = asked.scores[name], len(asked.came), len(np.unique(asked.block))
    ranking, other = Ranking(score, asked.came), Ranking(asked.scores[AGAINST], asked.came)
    alike = asked.recording * DISTANCES + strata_of(asked.distance, parts=DISTANCES)
    span = interval(ranking, asked.block, rng=np.random.default_rng(seed))
    rows = [
        Row(kind, "rate", float(asked.came.mean()), size),
        Row(kind, "AUC", ranking(np.ones(size)), size),
        Row(kind, "AUC low", span.low, blocks),
        Row(kind, "AUC high", span.high, blocks),
        Row(kind, "AUC as far", auc_within(score, asked.came, alike), size),
    ]
    if not own:
        return rows

    def gain(weights: Floats) -> float:
        return ranking(weights) - other(weights)

    span = interval(gain, asked.block, rng=np.random.default_rng(seed))
    return [
        *rows,
        Row(kind, f"above {AGAINST}", gain(np.ones(size)), size),
        Row(kind, f"above {AGAINST} low", span.low, blocks),
        Row(kind, f"above {AGAINST} high", span.high, blocks),
    ]
