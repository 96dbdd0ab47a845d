"""First signals: how well each entry answers a query by itself, one array for each signal.

Every signal is a plain number an entry has (a share, a standard score, yes or no); its weight is a parameter. All are
arrays over the index's rows; rows of removed entries hold whatever they hold and are left out by the ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.core.recall.cues import Question, question_of
from asterism.core.recall.entries import NEVER, UNDATED
from asterism.core.recall.index import Index
from asterism.core.recall.lexical import Lexical
from asterism.core.recall.parameters import RecallParameters
from asterism.core.recall.speakers import Speakers
from asterism.core.recall.times import TIME_SIGNALS, Moment, heirs, in_order, time_signals
from asterism.core.recall.turns import as_meant
from asterism.core.recall.vectors import Codes, Meaning, Vector
from asterism.core.text.terms import TOLD_FOR, term_of

FIRST_SIGNALS = (
    "keyword",  # windowed BM25, divided by the best entry's
    "covered",  # share of the question's weight that the entry's own words hold
    "kin",  # as keyword, for words near in meaning to the question's
    "meaning",  # standard score of the cosine between question and window
    "speaker",  # the question names who speaks
    "name",  # the question holds the entry's title
    "date",  # month (1), day (1) and year (.3) that the question names
    "group",  # the best keyword score in the entry's group
    "asks",  # the entry ends with a question
    "answers",  # the entry before it does
    "when",  # the question asks for a time and the entry tells one
    "length",  # log of the number of words, up to 12: a greeting says little
)
ASKED = ("keyword", "covered", "kin", "meaning", "speaker", "name", "date")  # what the question has to do with an entry
SAME_THING = 0.75  # share of the best entry's: what has as much to do with the question tells of the same
KEPT = 0.2  # weight of a phrase's own words beside the one that means the same: "for a living", of a job
SLIGHT = 1e-9
TURNS = frozenset(("first", "last"))
LEAST_ASKED = 1.0  # below this no entry has anything to do with the question
YEAR_SHARE = 0.3  # a year is shared by so many entries that it says less than a month
LONG_ENOUGH = 12  # words


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked: a text, and what an embedder made of it, if there is one.

    `vector` is of the text without the names of speakers; `words` has a vector for each word of the text that is no
    stop word; the intention counts a quarter (spec 03).
    """

    text: str
    vector: Vector | None = None
    words: Mapping[str, Vector] = field(default_factory=dict)
    plain: Vector | None = None  # as vector, of the text without any names
    pieces: Codes | None = None  # a vector for each piece, where texts have such
    piece_words: tuple[str, ...] = ()  # the word that each piece is of
    intention: str = ""
    intention_vector: Vector | None = None
    moment: Moment | None = None  # when it is asked; None: time says nothing

    def question(self) -> Question:
        """Take the text apart."""
        return question_of(self.text)


class Signals:
    """Computes the first signals over one index."""

    def __init__(self, index: Index, parameters: RecallParameters, meaning: Meaning | None = None) -> None:
        self.index = index
        self.p = parameters
        self.meaning = meaning
        self.lexical = Lexical(index, parameters)
        self.speakers = Speakers(index)
        self._version = -1
        self._still: dict[str, Floats] = {}

    def first(self, query: Query) -> dict[str, Floats]:
        """Give the first signals over all rows; one that is 0 everywhere is left out."""
        self._refresh()
        question = query.question()
        keyword, covered = self.lexical.scores(self._term_weights(query, question))
        kin = self._kin(query, question)
        best = float(keyword.max(initial=0.0)) or (0.0 if kin is None else float(kin.max(initial=0.0))) or 1.0
        keyword, kin = keyword / best, None if kin is None else kin / best
        found: dict[str, Floats | None] = {
            "keyword": keyword,
            "covered": covered,
            "kin": kin,
            "meaning": self._meaning(query),
            "speaker": self._speaker(query),
            "name": self._name(question),
            "date": self._date(question),
            "group": self._group(keyword),
            "when": self._still["when"] if question.asks_when else None,
            **{name: self._still[name] for name in ("asks", "answers", "length")},
        }
        if query.moment is not None:
            moment = as_meant(query.moment, question, self.lexical.holding)
            found |= time_signals(moment, self.index.facts.trim().last, self.index.times)
            found["date"] = _or_held(found["date"], found["then"])
            found["heir"] = heirs(moment, self._relevance(found, moment.slot_rows), len(keyword))
            self._weigh(moment, found, question)
        named = (*FIRST_SIGNALS, *TIME_SIGNALS)
        return {name: values for name in named if (values := found.get(name)) is not None}

    def _weigh(self, moment: Moment, found: dict[str, Floats | None], question: Question) -> None:
        """Let time count for what the question has to do with an entry.

        What was told lately counts as far as it has to do with the question: else any remark of today would answer it.
        What contradicts something has to do with the question as much as that has.
        """
        recent, outdated = found["recent"], found["outdated"]
        of_turn = (moment.asked.last or moment.asked.first) and not self._in_a_title(question)
        if recent is None and outdated is None and not of_turn:
            return
        asked = np.zeros(self.index.facts.size)
        for name in ASKED:
            if (values := found[name]) is not None:
                asked += self.p.weight(name) * values
        if outdated is not None:
            most = np.zeros(len(asked))
            np.maximum.at(most, moment.later, asked[moment.outdated] - asked[moment.later])
            found["instead"] = most
            asked += self.p.weight_instead * most
        if (heir := found["heir"]) is not None:
            asked += self.p.weight_heir * heir
        best = float(asked[self.index.facts.trim().alive].max(initial=0.0))
        if best < LEAST_ASKED:
            return
        if recent is not None:
            found["recent"] = recent * np.sqrt(np.clip(asked / best, 0.0, 1.0))
        if of_turn and not moment.asked.now:
            covered = found["covered"]
            assert covered is not None
            same = (asked >= SAME_THING * best) | ((covered > 0.0) & (covered >= float(covered.max()) - SLIGHT))
            found["recent"] = self._in_turn(moment, same, found["recent"])

    def _in_a_title(self, question: Question) -> bool:
        """Say whether the question names a title that holds the word: "His Last Haul" asks for no last time."""
        titles = (name for name in question.names if not TURNS.isdisjoint(name.split()))
        return any(len(self.index.titled(name)) for name in titles)

    def _in_turn(self, moment: Moment, matching: Bools, recent: Floats | None) -> Floats:
        """Put what matches the question in the order of time, where the last or the first time is asked for."""
        facts = self.index.facts.trim()
        matching &= facts.alive & (facts.last != NEVER)
        if moment.asked.first:  # in talk the first that was said of something is seldom that it was
            return in_order(-facts.day.astype(np.int64), matching & (facts.group == 0))
        matching[moment.not_valid] = False
        return np.maximum(in_order(facts.last, matching), 0.0 if recent is None else 0.5 * recent)

    def _relevance(self, found: Mapping[str, Floats | None], rows: Longs) -> Floats:
        """Give what rows have of all signals but those of time, weighed."""
        relevance = np.zeros(len(rows))
        for name in FIRST_SIGNALS:
            values = found.get(name)
            if values is not None:
                relevance += self.p.weight(name) * values[rows]
        return relevance

    def _refresh(self) -> None:
        """Keep what no question changes until the index does."""
        if self._version == self.index.version:
            return
        facts = self.index.facts.trim()
        before = facts.previous
        self._still = {
            "asks": facts.asks.astype(np.float64),
            "answers": np.where(before >= 0, facts.asks[before], 0.0),
            "when": facts.tells_time.astype(np.float64),
            "length": np.log1p(np.minimum(facts.length, LONG_ENOUGH)),
        }
        self._version = self.index.version

    def _term_weights(self, query: Query, question: Question) -> dict[str, float]:
        share = self.p.intention if query.intention else 0.0
        weights = dict.fromkeys(question.kept, KEPT * (1.0 - share)) | dict.fromkeys(question.terms, 1.0 - share)
        for term in question_of(query.intention).terms:
            weights[term] = weights.get(term, 0.0) + share
        return weights

    def _kin(self, query: Query, question: Question) -> Floats | None:
        told = {other for term in question.terms for other in TOLD_FOR.get(term, ())}
        near = dict.fromkeys(sorted(told - {*question.terms}), self.p.kin_told)
        if self.meaning is not None:
            for kin in self.meaning.kin_of(query.words).values():
                for other, likeness in kin:
                    term = term_of(other)
                    if term not in question.terms:
                        near[term] = max(near.get(term, 0.0), likeness)
        return self.lexical.scores(near, share=False)[0] if near else None

    def _meaning(self, query: Query) -> Floats | None:
        vector = self._vector(query)
        if self.meaning is None or vector is None:
            return None
        return self.meaning.rough(vector) if self.meaning.many else self.meaning.standard(vector)

    def _vector(self, query: Query) -> Vector | None:
        if query.vector is None or query.intention_vector is None:
            return query.vector
        return (1.0 - self.p.intention) * query.vector + self.p.intention * query.intention_vector

    def sharpener(self, query: Query) -> Callable[[Longs], Floats] | None:
        """Give what makes `meaning` exact for some rows, if it is only roughly known: where there are many entries."""
        vector = self._vector(query)
        if self.meaning is None or vector is None or not self.meaning.many:
            return None
        return partial(self.meaning.exactly, vector)

    def _speaker(self, query: Query) -> Floats | None:
        spoken_of = self.speakers.named(query.text)
        if not spoken_of:
            return None
        named = np.zeros(len(self.index.labels["speaker"].texts))
        named[spoken_of] = 1.0
        return named[self.index.facts.trim().speaker]

    def _name(self, question: Question) -> Floats | None:
        found = None
        for name in question.names & self.index.titles.numbers.keys():
            rows = self.index.titled(name)
            if len(rows):
                found = np.zeros(self.index.facts.size) if found is None else found
                found[rows] = np.maximum(found[rows], len(rows) ** -0.5)
        return found

    def _date(self, question: Question) -> Floats | None:
        if not (question.months or question.years):
            return None
        facts = self.index.facts.trim()
        date = facts.day.astype("datetime64[D]")
        month = date.astype("datetime64[M]")
        in_month = np.isin(month.astype(np.int64) % 12 + 1, list(question.months))
        on_day = in_month & np.isin((date - month).astype(np.int64) + 1, list(question.days))
        in_year = np.isin(date.astype("datetime64[Y]").astype(np.int64) + 1970, list(question.years))
        return np.where(facts.day != UNDATED, 1.0 * in_month + 1.0 * on_day + YEAR_SHARE * in_year, 0.0)

    def _group(self, keyword: Floats) -> Floats | None:
        facts = self.index.facts.trim()
        if len(self.index.labels["group"].texts) == 1:
            return None
        best = np.zeros(len(self.index.labels["group"].texts))
        np.maximum.at(best, facts.group, keyword)
        best[0] = 0.0  # the number of "no group"
        return best[facts.group]


def _or_held(date: Floats | None, then: Floats | None) -> Floats | None:
    """Let a date that is asked for match what was told again, or held, on it, as what was told first."""
    return date if date is None or then is None else np.maximum(date, then)
