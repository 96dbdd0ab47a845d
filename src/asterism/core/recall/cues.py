"""Cues: what an entry says beside its words (a time, a question, names), and what shape a question has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from asterism.core.recall.month_names import MONTHS, is_person, people_in
from asterism.core.recall.tense import Tense, tense_of
from asterism.core.text.paraphrases import joined
from asterism.core.text.stems import NOT_SEARCHED, STOP_WORDS
from asterism.core.text.terms import term_of
from asterism.core.text.words import LONGEST_NAME, fold, words

_WRITTEN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_MONTH = "|".join(MONTHS)
_NUMBER = r"\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|couple"
_SPAN = "(?:minute|hour|day|night|week|weekend|month|year|decade|summer|winter|spring|fall|autumn)s?"
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|recently|since"
    rf"|(?:last|next|this|past|{_NUMBER})\s+(?:{_SPAN}|{_WEEKDAY}|{_MONTH})"
    rf"|{_WEEKDAY}|(?:19|20)\d\d|(?:{_MONTH})\s+\d+|\d+(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})|in\s+(?:{_MONTH}))\b"
)
_WHEN = re.compile(r"\b(?:when|how (?:long|often|old|recently)|(?:what|which) (?:year|month|day|date|time))\b")
_FORM = re.compile(
    r"\b(?:how (often|many times)|(?:what|which) (times?|kinds?|sorts?|types?|days?|weekdays?|dates?|hours?)"
    r"|the (names?) of|(last)"
    r"|should i (know|remember|consider|keep in mind|bear in mind)|(?:do|can) you (know|remember|tell me|remind me)"
    r"|(tell me|remind me|let me know))\b"
)
_YOU = re.compile(r"\byou(?:rs?)?\b")
# The next sentence begins after a stop; that of a title or an initial ("Dr. Ames", "E. B. White") is none.
_NEXT_SENTENCE = re.compile(r"(?<!\w)(?![A-Z][a-z]{0,2}\.)\w+[.!?][\"')\]\u201d\u2019]*\s+[\"'(\[\u201c\u2018]*[A-Z]")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DAY = re.compile(rf"\b(\d\d?)(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b|\b(?:{_MONTH})\s+(\d\d?)(?:st|nd|rd|th)?\b")
# "may" and "march" are months only beside a day or a year, or after a word like "in".
_NAMED_MONTH = re.compile(
    rf"\b({'|'.join(month for month in MONTHS if month not in ('may', 'march'))})\b"
    r"|\b(?:in|of|during|since|until|early|late|\d+(?:st|nd|rd|th)?,?)\s+(may|march)\b|\b(may|march),?\s+\d"
)


def tells_time(text: str) -> bool:
    """Say whether a text speaks of a time: yesterday, last week, in May, 2019.

    >>> tells_time("I went there last weekend"), tells_time("I may go there")
    (True, False)
    """
    return _TIME.search(fold(text)) is not None


def asks(text: str) -> bool:
    """Say whether a text ends by asking.

    >>> asks("How was it?  "), asks("How? I know.")
    (True, False)
    """
    return text.rstrip(" \t\n\"')").endswith("?")


def is_passage(text: str) -> bool:
    """Say whether a text tells instead of asking: it has several sentences, the last of which is no question.

    >>> [is_passage(text) for text in ("They met. He paid.", "They met. Who paid?", "Dr. Ames of St. Ives", "He paid.")]
    [True, False, False, False]
    """
    return _NEXT_SENTENCE.search(text) is not None and not asks(text)


def speaks_to(text: str) -> bool:
    """Say whether a text speaks to somebody, of whom it may tell: it says "you" or "your".

    >>> speaks_to("You're late"), speaks_to("I was late")
    (True, False)
    """
    return _YOU.search(fold(text)) is not None


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart: its terms (each once, sorted), the names it may hold, and what it asks for."""

    terms: tuple[str, ...]
    kept: tuple[str, ...]  # terms of phrases in whose place another stands: a text may have the phrase's own words
    names: frozenset[str]
    called: frozenset[str]  # words that are written like names: with a capital, and not at the beginning
    form: frozenset[str]  # words that say what kind of answer is wanted: how often, what kind
    asks_when: bool
    past: bool  # it asks of what was
    months: frozenset[int]
    years: frozenset[int]
    days: frozenset[int]


def _called(text: str, people: frozenset[str]) -> Iterator[str]:
    for written in _WRITTEN.findall(text)[1:]:
        for word in words(written) if written[0].isupper() else ():
            if word in people or (word not in STOP_WORDS and word not in MONTHS):
                yield word


def _months(folded: str) -> Iterator[int]:
    for found in _NAMED_MONTH.finditer(folded):
        assert found.lastindex is not None
        if not is_person(folded, *found.span(found.lastindex)):
            yield MONTHS.index(found[found.lastindex]) + 1


@lru_cache(maxsize=256)
def question_of(text: str) -> Question:
    """Take a question apart.

    Its names are all its runs of up to six words: a question is short, and often carelessly capitalised.

    >>> question = question_of("When did Caroline paint in May 2023?")
    >>> question.terms, question.asks_when, sorted(question.months), sorted(question.years)
    (('2023', 'carolin', 'may', 'paint'), True, [5], [2023])
    >>> sorted(question.called)
    ['caroline']
    >>> question_of("Is the lift out of order?").terms, question_of("Is the lift out of order?").kept
    (('break', 'lift'), ('order',))
    >>> sorted(question_of("How many times did I last ask what kind of bread it is?").form)
    ['kind', 'last', 'many', 'times']
    """
    found, folded = words(text), fold(text)
    runs = {
        " ".join(found[start:end])
        for start in range(len(found))
        for end in range(start + 1, min(start + LONGEST_NAME, len(found)) + 1)
    }
    terms = {term_of(word) for word in joined(found) if word not in NOT_SEARCHED or word in MONTHS}
    return Question(
        terms=tuple(sorted(terms)),
        kept=tuple(sorted({term_of(word) for word in found if word not in NOT_SEARCHED} - terms)),
        names=frozenset(runs - STOP_WORDS),
        called=frozenset(_called(text, frozenset(people_in(folded)))),
        form=frozenset(word for asked in _FORM.findall(folded) for part in asked for word in part.split()),
        asks_when=_WHEN.search(folded) is not None,
        past=tense_of(folded) is Tense.PAST,
        months=frozenset(_months(folded)),
        years=frozenset(int(year) for year in _YEAR.findall(folded)),
        days=frozenset(int(first or second) for first, second in _DAY.findall(folded)),
    )
