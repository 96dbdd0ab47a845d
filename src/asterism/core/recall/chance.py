"""How probable it is that a hit answers: a score says who comes first, not whether anybody knows.

    P(hit) = P(something here answers) x P(it is this hit, if something does)

The first is the product of logistic curves over raw values, which do not grow or shrink with the memory: is there
anything like what is asked (the best share of the question's words that an entry holds, the best cosine, the best match
of each word in an entry or beside it, a title that the question names); was it said by the one who is asked about,
not by somebody else (the gap between the best entries of both, with the cue `speaker` left out); and, of a note, does
it match more than one word of the question: who is asked about may be known, and what is asked not ("How tall is
Henrik?" where "My manager is Henrik." was told). A turn of a conversation may answer what another one asks, so this
curve is for notes alone. P(this hit) falls with the score below the best hit's. Every coefficient is a parameter,
fitted with questions that nothing answers (docs/recall.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of
from asterism.core.ledger.columns import Bools, Floats
from asterism.core.recall.entries import UNDATED
from asterism.core.recall.match import BESIDE, Match, weights_of
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.scored import Scored
from asterism.core.recall.signals import Query, Signals
from asterism.core.recall.times import Moment
from asterism.core.recall.vectors import Vector, products
from asterism.core.text.rarity import idf
from asterism.core.text.terms import TOLD_FOR, term_of

LOOKED_AT = 10  # best entries that say whether anything answers
VALUES_OF_A_SLOT = 8  # the latest, whose words say what it is about
WIDEST_GAP = 3.0  # of scores: beyond it, more says no more
SHORT = 2 * MICROS_PER_DAY  # a time asked about for which something has to be told of it
LEAST_REST = 0.2  # what a note keeps that matches one word: it is unsure, and still told
NO_NAMES = frozenset[str]()
PLACES = 6  # digits of a probability


@dataclass(frozen=True, slots=True)
class Raw:
    """What the best entries are like, in values that do not depend on how many entries there are."""

    held: float = 0.0  # the best share of the question's words, by rarity
    near: float = 0.0  # the best cosine
    match: float = 0.0  # the best mean of how well each word is matched, here or beside
    titled: float = 0.0  # the question holds the title of one
    gap: float | None = None  # of scores, between who is asked about and anybody else; None where nobody is told apart
    rest: float | None = None  # match without the word that tells most; None for one word, none held, or no note first


def answerable(p: RecallParameters, raw: Raw) -> float:
    """Give the probability that anything here answers.

    >>> p = RecallParameters()
    >>> answerable(p, Raw(held=1.0, near=0.7, match=1.0)) > 0.8 > 0.1 > answerable(p, Raw(near=0.1, match=0.1))
    True
    """
    alike = (
        p.chance_base
        + p.chance_held * raw.held
        + p.chance_near * raw.near
        + p.chance_match * raw.match
        + p.chance_titled * raw.titled
    )
    chance = _logistic(alike)
    if raw.gap is not None:
        ahead, behind = min(max(raw.gap, 0.0), WIDEST_GAP), min(raw.gap, 0.0)
        chance *= _logistic(p.chance_gap_base + p.chance_gap_ahead * ahead + p.chance_gap_behind * behind)
    if raw.rest is not None:
        chance *= max(LEAST_REST, _logistic(p.chance_rest_base + p.chance_rest * raw.rest))
    return chance


def probability(p: RecallParameters, raw: Raw, below: float, *, first: bool) -> float:
    """Give the probability that a hit answers whose score is so far below the best.

    >>> p, raw = RecallParameters(), Raw(held=1.0, near=0.7, match=1.0)
    >>> probability(p, raw, 0.0, first=True) > p.chance_floor > probability(p, raw, 3.0, first=False)
    True
    """
    this = p.chance_hit + p.chance_first * first - p.chance_below * below
    return round(answerable(p, raw) * _logistic(this), PLACES)


def is_unsure(p: RecallParameters, probabilities: Sequence[float]) -> bool:
    """Say whether no hit is probable enough.

    >>> is_unsure(RecallParameters(chance_floor=0.2), [0.1, 0.3]), is_unsure(RecallParameters(), [])
    (False, True)
    """
    return max(probabilities, default=0.0) < p.chance_floor


def faint(p: RecallParameters, floor: float | None = None) -> float:
    """Give the probability with which even the best hit is not told; beside better ones such a hit is noise.

    Where a floor was asked for, that is what counts.

    >>> faint(RecallParameters(chance_floor=0.2, floor_nothing=0.25)), faint(RecallParameters(), floor=0.0)
    (0.05, 0.0)
    """
    return p.floor_nothing * p.chance_floor if floor is None else floor


def worth_telling(p: RecallParameters, probabilities: Sequence[float], floor: float | None = None) -> list[bool]:
    """Say which hits to tell: those that reach a floor that was asked for; else all that are not far below the default.

    Where even the best is far below it, nothing is told.

    >>> p = RecallParameters(chance_floor=0.2, floor_nothing=0.25, floor_far=0.02)
    >>> worth_telling(p, [0.3, 0.01, 0.001]), worth_telling(p, [0.04, 0.03]), worth_telling(p, [0.3, 0.2], floor=0.25)
    ([True, True, False], [False, False], [True, False])
    """
    if floor is None:
        nothing = max(probabilities, default=0.0) < faint(p)
        floor = math.inf if nothing else p.floor_far * p.chance_floor
    return [each >= floor for each in probabilities]


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))


def rest_of(worth: Floats, matched: Floats) -> float | None:
    """Give the best match of a question without the word that tells most for an entry (words x entries); of one, None.

    >>> round(rest_of(np.array([0.5, 0.25, 0.25]), np.array([[1.0, 0.0], [0.2, 0.4], [0.4, 0.4]])), PLACES)
    0.3
    """
    if len(worth) < 2:
        return None
    gained = worth[:, None] * matched
    most = gained.argmax(axis=0)
    left = (gained.sum(axis=0) - gained.max(axis=0)) / (worth.sum() - worth[most])
    return float(left.max())


def of_one_slot(moment: Moment, rows: Iterable[int]) -> dict[int, list[int]]:
    """Give the values of the same slot, latest last, for each row that is one: any of them says what the slot is about.

    >>> moment = Moment(0, slots=np.array([0, 1, 0]), slot_rows=np.array([3, 4, 7]))
    >>> of_one_slot(moment, [7, 5])
    {7: [3, 7]}
    """
    found = {}
    for row in rows:
        at = np.flatnonzero(moment.slot_rows == row)
        if len(at):
            others = moment.slot_rows[moment.slots == moment.slots[at[0]]][-VALUES_OF_A_SLOT:].tolist()
            found[row] = others if row in others else [*others, row]
    return found


class Chances:
    """Looks at the best entries of one index."""

    def __init__(self, signals: Signals, parameters: RecallParameters, match: Match | None = None) -> None:
        self.index = signals.index
        self.match = match
        self.signals = signals
        self.p = parameters

    def look(self, query: Query, scored: Scored, best: Sequence[int], may: Bools) -> Raw:
        """Give the raw values of a question; `best` are the best rows, `may` those that could be hits."""
        rows = list(best[:LOOKED_AT])
        named = self.signals.speakers.named(query.text)
        if not rows:
            return Raw()
        name = scored.first.get("name")
        terms, near = self._terms(query, NO_NAMES), self._near(query.vector, rows)
        held, match, rest = self._matches(query, rows, terms, NO_NAMES) if terms else self._in_time(scored, rows)
        rest = rest if held and self._is_note(rows[0]) else None  # a word of it is known
        naming, called = self._naming(query, rows) if rest is None else (rows, NO_NAMES)
        if called:  # that somebody is known says nothing of what is asked about them
            alone = self._matches(query, naming, self._terms(query, called), called)
            held, match = min(held, alone[0]), min(match, alone[1])
            near = min(near, self._near(query.plain, naming))
        return Raw(
            held=held,
            near=near,
            match=match,
            titled=0.0 if name is None else float(name[rows].max()),
            gap=self._gap(scored, named, may),
            rest=rest,
        )

    def elsewhen(self, query: Query, scored: Scored, best: Sequence[int]) -> set[int]:
        """Give those of the best that are of another time than the one asked about; of now, what is yet to come.

        Of a past time it is notes that were told after it, or before, if it is so short that this says nothing of it;
        and that neither hold in it nor speak of a time themselves.
        """
        then, moment = scored.first.get("then"), query.moment
        if moment is None or any(begin > moment.now for begin, _ in moment.asked.spans):
            return set()
        if not moment.asked.spans:
            return set() if moment.asked.ahead else {*best} & {*moment.coming.tolist()}
        assert then is not None
        facts, spans = self.index.facts.trim(), moment.asked.spans
        last = max(day_of(end - 1) for _, end in spans)
        short = all(end - begin <= SHORT for begin, end in spans)
        return {
            row
            for row in best
            if not then[row]
            and not facts.tells_time[row]
            and facts.day[row] != UNDATED
            and (short or facts.day[row] > last)
            and self._is_note(row)
        }

    def _is_note(self, row: int) -> bool:
        """Say whether an entry stands by itself: nobody speaks, and nothing is beside it."""
        facts = self.index.facts.trim()
        return not facts.speaker[row] and all(getattr(facts, side)[row] < 0 for side, _ in BESIDE)

    def _naming(self, query: Query, rows: list[int]) -> tuple[list[int], frozenset[str]]:
        """Give the rows that hold a name of the question, and its names; no name, if nothing else is asked."""
        called = query.question().called - self._left_out(query)
        terms = {term_of(word) for word in called}
        found = [row for row in rows if not terms.isdisjoint(map(term_of, self.index.words.keys_of(row)))]
        rest = terms.isdisjoint(self._terms(query, called))
        return (found, called) if found and rest else (rows, NO_NAMES)

    def _near(self, vector: Vector | None, rows: list[int]) -> float:
        meaning = self.signals.meaning
        if meaning is None or vector is None:
            return 0.0
        return float(products(meaning.entries[rows], vector).max(initial=0.0))

    def _left_out(self, query: Query) -> set[str]:
        """Give the words that an answer need not hold: who says it, of when, and how often is told otherwise."""
        said = frozenset[str]() if query.moment is None else query.moment.asked.words
        return {*self.signals.speakers.words_in(query.text), *query.question().form, *said}

    def _terms(self, query: Query, called: frozenset[str]) -> list[str]:
        """Give the words that an answer should hold; where only somebody is named, the name is what is asked for."""
        said = frozenset[str]() if query.moment is None else query.moment.asked.words
        left_out, times = ({term_of(word) for word in words} for words in (self._left_out(query) | called, said))
        asked = [term for term in query.question().terms if term not in times]
        return [term for term in asked if term not in left_out] or asked

    @staticmethod
    def _in_time(scored: Scored, rows: list[int]) -> tuple[float, float, None]:
        """Where only a time is asked for, or nothing at all: what was told then is all of an answer."""
        then = scored.first.get("then")
        share = 0.0 if then is None else float(then[rows].max())
        return share, share, None

    def _matches(
        self, query: Query, rows: list[int], terms: list[str], called: frozenset[str]
    ) -> tuple[float, float, float | None]:
        """Give the best share of the question that an entry holds, the best match by words, and that of the rest."""
        worth = np.array([idf(len(self.index), len(self.signals.lexical.holding(term))) for term in terms])
        worth /= float(worth.sum())
        if self.match is not None and query.pieces is not None:
            return self._held(terms, worth, rows), *self._matched(query, self.match, rows, called)
        facts = self.index.facts.trim()
        slots = {} if query.moment is None else of_one_slot(query.moment, rows)
        looked = dict.fromkeys([*rows, *self._beside(rows), *chain.from_iterable(slots.values())])
        places = {row: at for at, row in enumerate(looked)}
        held, told = np.zeros((2, len(terms), len(places)))
        for row, at in places.items():
            own = {term_of(word) for word in self.index.words.keys_of(row)}
            held[:, at] = [term in own for term in terms]
            told[:, at] = [self.p.kin_told * (not own.isdisjoint(TOLD_FOR.get(term, ()))) for term in terms]
        soft = np.maximum(np.maximum(held, told), self._soft(query, terms, list(places)))
        for row, others in slots.items():
            for found in (held, soft):
                found[:, places[row]] = found[:, [places[other] for other in others]].max(axis=1)
        around = soft[:, [places[row] for row in rows]]
        for side, share in BESIDE:
            near = [places.get(int(row), -1) for row in getattr(facts, side)[rows]]
            around = np.maximum(around, np.where(np.array(near) >= 0, share * soft[:, near], 0.0))
        return float((worth @ held[:, : len(rows)]).max()), float((worth @ around).max()), rest_of(worth, around)

    def _held(self, terms: list[str], worth: Floats, rows: list[int]) -> float:
        """Give the best share of the question that an entry holds."""
        own = [{term_of(word) for word in self.index.words.keys_of(row)} for row in rows]
        return float(np.max([worth @ [term in each for term in terms] for each in own]))

    def _matched(
        self, query: Query, match: Match, rows: list[int], called: frozenset[str]
    ) -> tuple[float, float | None]:
        """Give the best match piece by piece, neighbours included, and that of the rest."""
        assert query.pieces is not None
        worth = weights_of(self.index, self.signals.lexical, query.piece_words, self._left_out(query) | called)
        counted = np.flatnonzero(worth)
        words = [query.piece_words[piece] for piece in counted.tolist()]
        gained = worth[counted, None] * match.around(query.pieces[counted], rows)[1]
        each = list(dict.fromkeys(words))
        of_word = np.array([[word == one for one in words] for word in each], float).reshape(len(each), len(words))
        worths = of_word @ worth[counted]
        return float(gained.sum(axis=0).max()), rest_of(worths, (of_word @ gained) / worths[:, None])

    def _beside(self, rows: list[int]) -> list[int]:
        facts = self.index.facts.trim()
        found = [int(row) for side, _ in BESIDE for row in getattr(facts, side)[rows]]
        return [row for row in found if row >= 0]

    def _soft(self, query: Query, terms: list[str], rows: list[int]) -> Floats:
        """Give the best cosine of each term with a word of each row."""
        best = np.zeros((len(terms), len(rows)))
        known = None if self.signals.meaning is None else self.signals.meaning.words
        if known is None or not query.words:
            return best
        keys = [numbers[numbers < len(known)] for numbers in map(self.index.words.numbers_of, rows)]
        starts = np.cumsum([0, *(len(each) for each in keys)])
        vectors = known[np.concatenate(keys)]
        filled = np.flatnonzero(np.diff(starts))
        for word, vector in sorted(query.words.items()):
            term = term_of(word)
            if term in terms and len(filled):
                near = np.maximum.reduceat(products(vectors, vector), starts[filled])
                at = terms.index(term)
                best[at, filled] = np.maximum(best[at, filled], near)
        return best

    def _gap(self, scored: Scored, named: list[int], may: Bools) -> float | None:
        """Give how far the best entry of those who are asked about is ahead of the best of anybody else."""
        if not named:
            return None
        speaker = self.index.facts.trim().speaker
        if scored.exact is not None:
            may = may & scored.exact
        theirs = np.isin(speaker, named)
        others = may & ~theirs & (speaker > 0)
        theirs &= may
        if not (theirs.any() and others.any()):
            return None
        scores = scored.scores - scored.weights["speaker"] * scored.first["speaker"]
        return float(scores[theirs].max() - scores[others].max())
