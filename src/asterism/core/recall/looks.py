"""What the best entries are like, for the curves of `chance.py`: how much of a question they hold and match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import numpy as np

from asterism.core.ledger.calendar import MICROS_PER_DAY, day_of
from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.core.recall.chance import Raw
from asterism.core.recall.dates import SEASONS
from asterism.core.recall.entries import UNDATED
from asterism.core.recall.match import BESIDE, Match, weights_of
from asterism.core.recall.month_names import MONTHS
from asterism.core.recall.relative_times import WEEKDAYS
from asterism.core.recall.said import gaps_of
from asterism.core.recall.scored import Scored
from asterism.core.recall.signals import Query, Signals
from asterism.core.recall.times import Moment
from asterism.core.recall.vectors import Codes, Vector, products
from asterism.core.recall.wanted import Kind, has_kind, kind_wanted, telling
from asterism.core.text.rarity import idf
from asterism.core.text.terms import TOLD_FOR, own_term, term_of
from asterism.core.text.words import INDEXED_WITHIN, content, fold

LOOKED_AT = 30  # best entries that say whether anything answers, where somebody who speaks is named ..
LOOKED_AT_ELSE = 10  # .. and where nobody is
VALUES_OF_A_SLOT = 8  # the latest, whose words say what it is about
TextOf = Callable[[str], str]  # of an id
SHORT = 2 * MICROS_PER_DAY  # a time asked about for which something has to be told of it
NAMED_TIMES = frozenset(map(term_of, (*MONTHS, *SEASONS, *WEEKDAYS)))  # in a note, they say when it holds
NO_NAMES = frozenset[str]()
LEAST_TOPIC = 0.05  # what a word counts that has nothing to do with the question as a whole
OTHER_WORDS = 0.5  # cosine from which a word tells of what another asks for: jogged, of running
SLIGHT = 1e-9


def rest_of(worth: Floats, matched: Floats, shift: Floats) -> float | None:
    """Give the best match of a question without the word that tells most for an entry (words x entries); of one, None.

    What an entry lacks of the kind that is asked for counts as less of a match, and what the best has as more.

    >>> matched, none = np.array([[1.0, 0.0], [0.2, 0.4], [0.4, 0.4]]), np.zeros(2)
    >>> round(rest_of(np.array([0.5, 0.25, 0.25]), matched, none), 6)
    0.3
    >>> round(rest_of(np.array([0.5, 0.25, 0.25]), matched, np.array([-0.2, 0.0])), 6)
    0.133333
    """
    if len(worth) < 2:
        return None
    gained = worth[:, None] * matched
    most = gained.argmax(axis=0)
    total = gained.sum(axis=0)
    left = (total - gained.max(axis=0)) / (worth.sum() - worth[most])
    return float((left + np.where(total >= total.max() - SLIGHT, shift, np.minimum(shift, 0.0))).max())


def toward_all(pieces: Codes) -> Floats:
    """Say how near each piece is to all of them together.

    >>> toward_all(np.array([[3, 0], [4, 0], [0, 1]], dtype=np.int8)).round(2).tolist()
    [0.89, 0.89, 0.45]
    """
    said = pieces.astype(np.float64)
    said /= np.sqrt((said**2).sum(axis=1, keepdims=True)).clip(min=1.0)
    whole = said.sum(axis=0)
    near: Floats = np.maximum(said @ whole / max(float(np.sqrt(whole @ whole)), SLIGHT), LEAST_TOPIC)
    return near


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


class Looks:
    """Looks at the best entries of one index."""

    def __init__(self, signals: Signals, match: Match | None = None, texts: TextOf | None = None) -> None:
        self.index = signals.index
        self.match = match
        self.texts = texts
        self.signals = signals
        self.p = signals.p

    def look(self, query: Query, scored: Scored, best: Sequence[int], may: Bools) -> Raw:
        """Give the raw values of a question; `best` are the best rows, `may` those that could be hits."""
        gaps = gaps_of(self.index, scored, self.signals.speakers.named(query.text), may)
        rows = list(best[: LOOKED_AT_ELSE if gaps is None else LOOKED_AT])
        if not rows:
            return Raw()
        name = scored.first.get("name")
        terms, near = self._terms(query, NO_NAMES), self._near(query.vector, rows)
        held, match, topic, rest = self._matches(query, rows, terms, NO_NAMES) if terms else self._in_time(scored, rows)
        rest = rest if self._is_note(rows[0]) and self._in_its_words(query, rows, terms) else None
        naming, called = self._naming(query, rows) if rest is None and self._is_alone(rows[0]) else (rows, NO_NAMES)
        if called:  # that somebody is known says nothing of what is asked about them
            unnamed = self._matches(query, naming, self._terms(query, called), called)
            held, match, topic = (min(pair) for pair in zip((held, match, topic), unnamed[:3], strict=True))
            near = min(near, self._near(query.plain, naming))
        return Raw(
            held=held,
            near=near,
            match=match,
            titled=0.0 if name is None else float(name[rows].max()),
            topic=topic,
            gaps=gaps,
            rest=rest,
        )

    def elsewhen(self, query: Query, scored: Scored, best: Sequence[int]) -> set[int]:
        """Give those of the best that are of another time than the one asked about.

        Of now it is what is yet to come: all of it where a question says now, else the values of slots. Of what was
        it is notes that were told after the time, or before, if it is so short that this says nothing of it; and that
        neither hold in it nor speak of a time themselves. Whatever is asked, it is notes that speak of other times.
        """
        then, moment = scored.first.get("then"), query.moment
        if moment is None:
            return set()
        if not moment.asked.spans:
            return {*best} & {*self._to_come(query, moment).tolist()}
        assert then is not None
        of_others = {row for row in {*best} & {*moment.named_else.tolist()} if not then[row]}
        if any(begin > moment.now for begin, _ in moment.asked.spans) or not query.question().past:
            return of_others
        facts, spans = self.index.facts.trim(), moment.asked.spans
        last = max(day_of(end - 1) for _, end in spans)
        short = all(end - begin <= SHORT for begin, end in spans)
        return of_others | {
            row
            for row in best
            if not then[row]
            and not facts.tells_time[row]
            and facts.day[row] != UNDATED
            and (short or facts.day[row] > last)
            and self._is_note(row)
            and NAMED_TIMES.isdisjoint(map(term_of, self.index.words.keys_of(row)))
        }

    @staticmethod
    def _to_come(query: Query, moment: Moment) -> Longs:
        """Give what is yet to come and does not answer a question that names no time."""
        if moment.asked.now:
            return moment.coming
        return moment.awaited[:0] if moment.asked.ahead or query.question().asks_when else moment.awaited

    def telling(self, query: Query, best: Sequence[int]) -> list[int]:
        """Give those of the best that tell of what is asked about, in its words or in words near in meaning."""
        terms, speakers = self._terms(query, NO_NAMES), self.signals.speakers
        rows = [row for row in best if not self.index.facts.asks[row]]
        if not terms or not rows:
            return []
        named, names = set(speakers.named(query.text)), {term_of(word) for word in speakers.words_in(query.text)}
        soft = self._soft(query, terms, rows) >= OTHER_WORDS
        found = []
        for place, row in enumerate(rows):
            own = {term_of(word) for word in self.index.words.keys_of(row)}
            told = all(
                soft[at, place] or term in own or not own.isdisjoint(TOLD_FOR.get(term, ()))
                for at, term in enumerate(terms)
            )
            theirs = not named or int(self.index.facts.speaker[row]) in named or not names.isdisjoint(own)
            found += [row] if told and theirs else []
        return found

    def _in_its_words(self, query: Query, rows: list[int], terms: list[str]) -> bool:
        """Say whether a row holds one of the terms in the question's own word: another for it is worth no less."""
        asked = {own_term(word) for word in content(query.text) if term_of(word) in terms}
        return any(not asked.isdisjoint(map(own_term, self.index.words.keys_of(row))) for row in rows)

    def _is_note(self, row: int) -> bool:
        """Say whether an entry stands by itself: nobody speaks, and nothing is beside it."""
        return not self.index.facts.speaker[row] and self._is_alone(row)

    def _is_alone(self, row: int) -> bool:
        """Say whether nothing is beside an entry: it is no part of a conversation."""
        facts = self.index.facts.trim()
        return all(getattr(facts, side)[row] < 0 for side, _ in BESIDE)

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
    def _in_time(scored: Scored, rows: list[int]) -> tuple[float, float, float, None]:
        """Where only a time is asked for, or nothing at all: what was told then is all of an answer."""
        then = scored.first.get("then")
        share = 0.0 if then is None else min(1.0, float(then[rows].max()))
        return share, share, share, None

    def _matches(
        self, query: Query, rows: list[int], terms: list[str], called: frozenset[str]
    ) -> tuple[float, float, float, float | None]:
        """Give the best share of the question that an entry holds, the best matches by words, and that of the rest."""
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
        topic = self._toward(query, terms) * worth
        share, match, about = (
            float((each @ found).max())
            for each, found in ((worth, held[:, : len(rows)]), (worth, around), (topic / float(topic.sum()), around))
        )
        return share, match, about, rest_of(worth, around, self._fits(query, rows))

    @staticmethod
    def _toward(query: Query, terms: list[str]) -> Floats:
        """Say how near each term is to the whole question: what it is about more than how it is put."""
        near = dict.fromkeys(terms, LEAST_TOPIC)
        if query.vector is not None:
            for word, vector in query.words.items():
                cosine = float(products(vector[None], query.vector)[0])
                near |= {term: max(near[term], cosine) for term in {term_of(word)} & near.keys()}
        return np.array(list(near.values()))

    def _held(self, terms: list[str], worth: Floats, rows: list[int]) -> float:
        """Give the best share of the question that an entry holds."""
        own = [{term_of(word) for word in self.index.words.keys_of(row)} for row in rows]
        return float(np.max([worth @ [term in each for term in terms] for each in own]))

    def _matched(
        self, query: Query, match: Match, rows: list[int], called: frozenset[str]
    ) -> tuple[float, float, float | None]:
        """Give the best matches piece by piece, neighbours included, and that of the rest."""
        assert query.pieces is not None
        worth = weights_of(self.index, self.signals.lexical, query.piece_words, self._left_out(query) | called)
        counted = np.flatnonzero(worth)
        words = [query.piece_words[piece] for piece in counted.tolist()]
        around = match.around(query.pieces[counted], rows)[1]
        gained = worth[counted, None] * around
        topic = worth[counted] * toward_all(query.pieces[counted])
        about = float((topic @ around / max(float(topic.sum()), LEAST_TOPIC)).max())
        each = list(dict.fromkeys(words))
        of_word = np.array([[word == one for one in words] for word in each], float).reshape(len(each), len(words))
        worths = of_word @ worth[counted]
        matched = (of_word @ gained) / worths[:, None]
        return float(gained.sum(axis=0).max()), about, rest_of(worths, matched, self._fits(query, rows))

    def lacking(self, query: Query, best: Sequence[int]) -> list[int]:
        """Give the notes of the best that have nothing of the kind of answer that is wanted."""
        kind = kind_wanted(fold(query.text))
        if kind is None or self.texts is None:
            return []
        return [row for row in best if self._is_note(row) and not self._has(kind, row)]

    def _has(self, kind: Kind, row: int) -> bool:
        assert self.texts is not None
        return has_kind(kind, fold(self.texts(self.index.ids[row])[:INDEXED_WITHIN]))

    def _fits(self, query: Query, rows: list[int]) -> Floats:
        """Say of rows how far they have, or lack, the kind of answer that is wanted.

        To have a place or a number says something only of what is asked about: a row that holds a word of the
        question that is no name.
        """
        found, kind = np.zeros(len(rows)), kind_wanted(fold(query.text))
        if kind is None or self.texts is None:
            return found
        called = {term_of(word) for word in query.question().called}
        asked = {term for term in self._terms(query, NO_NAMES) if term not in called}
        for place, row in enumerate(rows):
            if not self._has(kind, row):
                found[place] = -self.p.chance_wanted_lacks
            elif not asked.isdisjoint(map(term_of, self.index.words.keys_of(row))):
                found[place] = telling(kind) * self.p.chance_wanted_has
        return found

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
