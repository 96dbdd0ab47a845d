"""Recall: one ranking, in which every score is the sum of its signals and says where it came from.

    first(e) = sum of weight x signal, `match` among them for the 100 best by the others
    score(e) = first(e) + sum over kinds of links of weight x strongest link from the 8 best by first(e)

Asked twice over (`hops=2`), the links of the best by score are followed too. What walkers found, if any were sent out,
is the signal `walk`; what of it is not among the hits comes behind them. Scores are compared rounded to 1e-9, ties
go to the smaller id: the answer is a function of the set of entries, whatever order they came in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.core.recall.chance import PLACES as PROBABLE
from asterism.core.recall.chance import Raw, probability
from asterism.core.recall.index import Index
from asterism.core.recall.links import LINK_SIGNALS, Given, Links, Reached, Rest, merged
from asterism.core.recall.looks import LOOKED_AT, Looks, TextOf
from asterism.core.recall.match import MATCH_SIGNALS, Match, PiecesOf, standard, weights_of
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.scored import WALK, Scored
from asterism.core.recall.signals import FIRST_SIGNALS, Query, Signals
from asterism.core.recall.times import TIME_SIGNALS
from asterism.core.recall.vectors import Meaning
from asterism.core.text.rarity import idf
from asterism.errors import InputError

LACKS = "lacks"  # the signal of what has nothing of the kind of answer that is wanted
WEIGHED = (*FIRST_SIGNALS, *TIME_SIGNALS, *MATCH_SIGNALS, LACKS, *LINK_SIGNALS)
PLACES = 9  # digits at which two scores differ
CHARACTERS_PER_TOKEN = 4
BLOCK = 64  # rows
MATCHED = 100  # best rows that are matched piece by piece
WORTH_A_LOOK = 512  # rows whose rough score is high: where there are very many, these are looked at exactly


@dataclass(frozen=True, slots=True)
class Via:
    """A link that led to a hit: its kind, the entry it came from, the name it runs over, what it brought."""

    kind: str
    source: str
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was recalled: its score is the sum of its signals."""

    id: str
    kind: str
    score: float
    signals: Mapping[str, float]
    via: tuple[Via, ...]
    tokens: int
    probability: float  # that it answers


@dataclass(frozen=True, slots=True)
class Change:
    """A signal that would bring an entry in: what it brings, what it would have to, the most it brings to any."""

    signal: str
    value: float
    needed: float
    highest: float

    @property
    def possible(self) -> bool:
        """Say whether some entry reaches what is needed."""
        return self.needed <= self.highest


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Where an entry stands for a query: its place from 1, its score, the score of the last hit, what would help."""

    id: str
    rank: int
    score: float
    needed: float
    allowed: bool
    signals: Mapping[str, float]
    changes: tuple[Change, ...]


class Recall:
    """Answers queries over one index; vectors and given links are optional."""

    def __init__(
        self,
        index: Index,
        parameters: RecallParameters,
        *,
        meaning: Meaning | None = None,
        given: Mapping[str, Given] | None = None,
        pieces: PiecesOf | None = None,
        texts: TextOf | None = None,
    ) -> None:
        self.index = index
        self.match = None if pieces is None else Match(index, pieces)
        self.p = parameters
        self.first = Signals(index, parameters, meaning)
        self.links = Links(index, parameters, given)
        self.looks = Looks(self.first, self.match, texts)

    def ask(
        self,
        query: Query,
        *,
        k: int = 10,
        allowed: Bools | None = None,
        hops: int = 1,
        budget_tokens: int | None = None,
        walked: Reached | None = None,
    ) -> list[Hit]:
        """Give the k best entries; with a budget, those that fit into it, in the order of rank.

        Behind them come up to k of the entries that walkers found and that are not among them.
        """
        rows = () if walked is None else walked.rows.tolist()
        scored = self.score(query, hops=hops, k=max(k, LOOKED_AT), rows=rows, allowed=allowed)
        if walked is not None:
            scored = scored.walked(walked, self.p.weight_walk_found)
        best = self._best(scored.scores, max(k, LOOKED_AT), allowed)
        chance = self._chance(query, scored, best, allowed)
        ranked = [self._hit(row, scored, chance) for row in best[:k]]
        if walked is not None:
            ranked += self._behind(ranked, scored, walked, k, allowed, chance)
        if budget_tokens is None:
            return ranked
        hits: list[Hit] = []
        left = budget_tokens
        for hit in ranked:
            if hit.tokens <= left:
                left -= hit.tokens
                hits.append(hit)
        return hits

    def telling(self, query: Query, *, allowed: Bools | None = None) -> list[str]:
        """Name what tells of what is asked about, best first."""
        best = self._best(self.score(query, k=MATCHED, allowed=allowed).scores, MATCHED, allowed)
        return [self.index.ids[row] for row in self.looks.telling(query, best)]

    def _chance(
        self, query: Query, scored: Scored, best: Sequence[int], allowed: Bools | None
    ) -> Callable[[int], float]:
        """Give what says how probable it is that a row answers.

        Notes of another time than the one asked about answer a share as probably, and say nothing of the others.
        """
        may = self._allowed(allowed)
        elsewhen = self.looks.elsewhen(query, scored, best)
        every, timely = self._odds(query, scored, best, may), None
        if elsewhen:
            timely = self._odds(query, scored, [row for row in best if row not in elsewhen], may)
        share = self.p.chance_elsewhen

        def chance(row: int) -> float:
            if timely is None:
                return every(row)
            return round(share * every(row), PROBABLE) if row in elsewhen else timely(row)

        return chance

    def _odds(self, query: Query, scored: Scored, best: Sequence[int], may: Bools) -> Callable[[int], float]:
        raw = self.looks.look(query, scored, best, may)
        top = best[0] if best else -1
        then = scored.first.get("then")
        if query.moment is not None and query.moment.asked.alone and then is not None:  # all of it answers
            return lambda row: self._of_time(raw, float(then[top] - then[row]))
        return lambda row: probability(self.p, raw, float(scored.scores[top] - scored.scores[row]), first=row == top)

    def _of_time(self, raw: Raw, below: float) -> float:
        """Give the probability of what answers a question for nothing but a time."""
        return probability(self.p, raw, self.p.weight_then * below, first=below <= 0.0)

    def _behind(
        self,
        ranked: list[Hit],
        scored: Scored,
        walked: Reached,
        k: int,
        allowed: Bools | None,
        chance: Callable[[int], float],
    ) -> list[Hit]:
        """Give the best of what walkers found and no place was left for; each says that they led to it."""
        may = np.zeros(len(scored.scores), dtype=bool)
        may[walked.rows] = True
        may[[self.index.rows[hit.id] for hit in ranked]] = False
        hits = []
        for row in self._best(scored.scores, k, may if allowed is None else may & allowed):
            hit, origin = self._hit(row, scored, chance), walked.to(row)[1]
            assert origin is not None
            if WALK not in hit.signals:  # it weighs nothing, but is why the hit is here
                via = Via(WALK, self.index.ids[origin.source], "", 0.0)
                hit = replace(hit, signals={**hit.signals, WALK: 0.0}, via=(via, *hit.via))
            hits.append(hit)
        return hits

    def why_not(
        self,
        id: str,  # noqa: A002
        query: Query,
        *,
        k: int = 10,
        allowed: Bools | None = None,
        hops: int = 1,
    ) -> WhyNot:
        """Say where an entry stands, and how much each signal would have to bring to make it the last hit."""
        if id not in self.index:
            raise InputError(f"there is no entry {id!r}", code="unknown_entry", item=id, hint="give the id of an entry")
        row = self.index.rows[id]
        scored = self.score(query, hops=hops, k=k + 1, rows=[row], allowed=allowed)
        scores, may = np.round(scored.scores, PLACES), self._allowed(allowed)
        others = self._best(scores, k, may & (np.arange(len(scores)) != row))
        needed = float(scores[others[-1]]) if len(others) == k else float(scores[row])
        ahead = may & (scores > scores[row])
        level = np.flatnonzero(may & (scores == scores[row]))
        rank = 1 + int(ahead.sum()) + sum(self.index.ids[other] < id for other in level)
        gap = max(0.0, needed - float(scores[row]))
        signals = scored.of(row)
        changes = [
            Change(name, signals.get(name, 0.0), signals.get(name, 0.0) + gap, scored.highest(name, may))
            for name in (*scored.first, *scored.reached)
            if gap > 0.0
        ]
        changes.sort(key=lambda change: (not change.possible, change.needed, change.signal))
        return WhyNot(id, rank, float(scores[row]), needed, bool(may[row]), signals, tuple(changes))

    def score(
        self,
        query: Query,
        *,
        hops: int = 1,
        k: int = 10,
        rows: Sequence[int] = (),
        allowed: Bools | None = None,
    ) -> Scored:
        """Score every row; where there are very many, the k best of those allowed, and some rows, exactly."""
        first = self.first.first(query)
        weights = {name: self.p.weight(name) for name in WEIGHED}
        base, part = np.zeros(self.index.facts.size), np.empty(self.index.facts.size)
        for name, values in first.items():
            base += np.multiply(values, weights[name], out=part)
        if query.moment is not None:
            base[query.moment.gone] = -np.inf
        exactly = self.first.sharpener(query)
        sharp = _Sharp(self, exactly, first["meaning"], base) if exactly else None
        if sharp:
            sharp.look(np.flatnonzero(base >= _edge(base, WORTH_A_LOOK, block=BLOCK // 2)), base)
            sharp.look(np.asarray(rows, dtype=np.int64), base)
            if allowed is not None:
                may = np.flatnonzero(self._allowed(allowed))
                sharp.look(may[np.argsort(-base[may], kind="stable")[:WORTH_A_LOOK]], base)
            sharp.settle(base, max(k, self.p.hop_from, MATCHED if query.pieces is not None else 0), None)
        for name, values in (self.matched(query, base, allowed) | self.lacking(query, base, allowed)).items():
            first[name] = values
            base += np.multiply(values, weights[name], out=part)
        scores, reached = base, dict[str, Reached]()
        for _ in range(hops if self.p.hop_from and len(self.index) else 0):
            found = self.hop(query, scores)
            reached = {
                kind: merged(reached[kind], found[kind])
                if kind in reached and kind in found
                else (found | reached)[kind]
                for kind in LINK_SIGNALS
                if kind in reached or kind in found
            }
            scores = base.copy()
            for kind, links in reached.items():
                scores[links.rows] += weights[kind] * links.values
            if sharp:
                sharp.settle(scores, k, allowed)
        return Scored(weights, first, reached, scores, sharp.done if sharp else None)

    def matched(self, query: Query, scores: Floats, allowed: Bools | None = None) -> dict[str, Floats]:
        """Give the signals of how well the best by these scores match piece by piece; none without such pieces."""
        if self.match is None or query.pieces is None or not len(self.index):
            return {}
        rows = self._best(scores, MATCHED, None)
        if allowed is not None:
            rows = sorted({*rows, *self._best(scores, MATCHED, allowed)})
        worth = weights_of(self.index, self.first.lexical, query.piece_words, self.first.speakers.words_in(query.text))
        *found, known = self.match.best(query.pieces, worth, rows)
        signals = {}
        for name, values in zip(MATCH_SIGNALS, found, strict=True):
            signals[name] = np.zeros(self.index.facts.size)
            signals[name][rows] = standard(values, known)
        return signals

    def lacking(self, query: Query, scores: Floats, allowed: Bools | None = None) -> dict[str, Floats]:
        """Mark the notes among the best by these scores that have nothing of the kind of answer that is wanted."""
        rows = self.looks.lacking(query, self._best(scores, LOOKED_AT, allowed)) if len(self.index) else []
        if not rows:
            return {}
        found = np.zeros(self.index.facts.size)
        found[rows] = 1.0
        return {LACKS: found}

    def hop(self, query: Query, scores: Floats) -> dict[str, Reached]:
        """Follow the links of the best by these scores."""
        question = query.question()
        best = self._best(scores, self.p.hop_from, None)
        sources = [(row, float(np.exp((scores[row] - scores[best[0]]) / self.p.hop_scale))) for row in best]
        held = np.zeros((len(question.terms), len(scores)), dtype=bool)
        worth = np.zeros(len(question.terms))
        for number, term in enumerate(question.terms):
            rows = self.first.lexical.holding(term)
            held[number, rows] = True
            worth[number] = idf(len(self.index), len(rows))
        worth /= max(float(worth.sum()), 1.0)
        return self.links.hop(sources, asked=question.names, rest=Rest(worth, held))

    def _hit(self, row: int, scored: Scored, chance: Callable[[int], float]) -> Hit:
        signals = scored.of(row)
        facts = self.index.facts
        return Hit(
            id=self.index.ids[row],
            kind=self.index.labels["kind"].texts[facts.kind[row]],
            score=sum(signals.values()),
            signals=signals,
            via=tuple(self._via(row, scored)),
            tokens=-(-int(facts.characters[row]) // CHARACTERS_PER_TOKEN),
            probability=chance(row),
        )

    def _via(self, row: int, scored: Scored) -> list[Via]:
        found = []
        for kind, links in scored.reached.items():
            value, origin = links.to(row)
            brought = scored.weights[kind] * value
            if origin is not None and brought != 0.0:
                found.append(Via(kind, self.index.ids[origin.source], origin.name, brought))
        return found

    def _allowed(self, allowed: Bools | None) -> Bools:
        alive = self.index.facts.trim().alive
        return alive if allowed is None else alive & allowed

    def _best(self, scores: Floats, k: int, allowed: Bools | None) -> list[int]:
        """Name the k best rows; of equal scores the smaller ids."""
        if allowed is not None or len(self.index) < len(self.index.ids):
            scores = np.where(self._allowed(allowed), scores, -np.inf)
        rows = np.flatnonzero(scores >= _edge(scores, k) - 2 * 10**-PLACES)
        rows = rows[scores[rows] > -np.inf]
        ranked = dict(zip(rows.tolist(), np.round(scores[rows], PLACES).tolist(), strict=True))
        return nsmallest(k, ranked, key=lambda row: (-ranked[row], self.index.ids[row]))


class _Sharp:
    """Makes the rough `meaning` of rows exact, and their scores with it."""

    def __init__(self, recall: Recall, exactly: Callable[[Longs], Floats], values: Floats, base: Floats) -> None:
        self.recall, self.exactly, self.values, self.base = recall, exactly, values, base
        self.done = np.zeros(len(base), dtype=bool)

    def look(self, rows: Longs, scores: Floats) -> bool:
        """Make some rows exact, in the first scores and in these; say whether one of them was not."""
        rows = rows[~self.done[rows]]
        if not len(rows):
            return False
        exact = self.exactly(rows)
        for each in {id(self.base): self.base, id(scores): scores}.values():
            each[rows] += self.recall.p.weight_meaning * (exact - self.values[rows])
        self.values[rows] = exact
        self.done[rows] = True
        return True

    def settle(self, scores: Floats, k: int, allowed: Bools | None) -> None:
        """Make rows exact until the k best by these scores are, of those allowed."""
        while self.look(np.array(self.recall._best(scores, k, allowed), dtype=np.int64), scores):
            pass


def _edge(scores: Floats, k: int, *, block: int = BLOCK) -> float:
    """Give a score that at least k rows reach, near the k-th best: the k-th best of the blocks' best ones."""
    whole = len(scores) // block * block
    if whole < k * block or k < 1:
        return -np.inf
    best = scores[:whole].reshape(-1, block).max(axis=1)
    return float(np.partition(best, -k)[-k])
