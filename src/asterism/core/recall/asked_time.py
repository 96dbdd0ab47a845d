"""When a question asks about: now, lately, formerly, or some stretches of time, relative to when it is asked."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

from asterism.core.ledger.calendar import FIRST_TIME, MICROS_PER_DAY
from asterism.core.recall.relative_times import WEEKDAYS
from asterism.core.recall.tense import AHEAD, tense_of
from asterism.core.recall.time_phrases import BEHIND, Phrase, phrases
from asterism.core.recall.time_spans import Span, latest, within
from asterism.core.text.stems import NOT_SEARCHED
from asterism.core.text.words import content, fold, words

HAPPENED = ("happen", "happened")  # ask for whatever was then
OF_A_DAY = frozenset((*HAPPENED, "event", "events", "day"))  # so do these, where nothing else is asked
READ_WITHIN = 500  # characters of a question: what comes behind them is no longer read for times
_NOW = re.compile(
    r"\b(?:now(?!\s+and\s+then)|nowadays|current|currently|still|these days|at (?:the moment|present)|presently"
    r"|any ?more|as of today|to date|right now)\b"
)
_LATEST = re.compile(r"\b(?:latest|newest|most recent|most recently|recently|lately|last time|up[ -]to[ -]date)\b")
_LAST = re.compile(r"\blast\b(?!\s+(?:names?|but|season|term|semester)\b)")
_HOW_LONG = re.compile(r"\bhow long\b(?!\s+ago)")  # it may last
_FORMER = re.compile(
    r"\b(?:used? to|formerly|former|previous|previously|in the past|back then|once upon|earlier)\b|\bbefore[\s?.!]*$"
)
_BEFORE = re.compile(r"\b(?:before|prior to)\s+(?=[a-z])")  # something that is no time: what held until then
_AFTER = re.compile(r"\bafter\s+(?=[a-z])")
_CLAUSE = re.compile(r"[^,;:.!?]*")
_FIRST = re.compile(  # "my first day" is a day and no first time
    r"\bfirst time\b|(?<!my )(?<!your )(?<!his )(?<!her )(?<!our )(?<!their )(?<!the )(?<!'s )(?<!a )"
    r"\bfirst\b(?!\s+(?:names?|prize|place|class|aid|floor)\b)"
)
_WHEN = re.compile(r"\bwhen\b|\b(?:what|which) (?:day|date|month|year)\b")
_OFTEN = re.compile(r"\bhow (?:often|frequently|many times)\b")
_SINCE = re.compile(
    r"\b(since|after|before|prior to|until|till|by|up to|earlier|later)\s+"
    r"(?:on\s+|in\s+|the\s+|early\s+|mid\s+|late\s+)*$"
)
_FROM = re.compile(r"\b(?:from|between)\s+(?:the\s+|early\s+|mid\s+|late\s+)*$")
_TO = re.compile(r"\s*(?:,\s*)?(?:(?:and|to|until|till|through)\s+|[-–]\s*)(?:the\s+|early\s+|mid\s+|late\s+)*")
_THROUGH = re.compile(r"\s*(?:to\s+|through\s+|[-–]\s*)")  # joins without a word before
_PART = re.compile(
    r"\b(?:(early|mid|late)(?:\s+in)?|(beginning|start|middle|end|first half|second half)\s+of)(?:\s+the)?[\s-]+$"
)
_PARTS = {  # of a stretch, in sixths
    "early": (0, 2), "beginning": (0, 2), "start": (0, 2), "first half": (0, 3),
    "mid": (2, 4), "middle": (2, 4),
    "late": (4, 6), "end": (4, 6), "second half": (3, 6),
}  # fmt: skip
SHORTEST_WITH_PARTS = 20 * MICROS_PER_DAY


@dataclass(frozen=True, slots=True)
class AskedTime:
    """What a question says of time; `spans` are stretches in microseconds, the end not within."""

    now: bool = False  # what holds now: currently, still, these days
    latest: bool = False  # what came last: latest, lately, most recent
    former: bool = False  # what held once: used to, formerly, before the change
    often: bool = False  # how often something was: how many times
    ahead: bool = False  # what is to come: will, soon
    last: bool = False  # of all times of something the last
    first: bool = False  # the first
    before: frozenset[str] = frozenset()  # words of what something was before, if that is no time: before York
    after: frozenset[str] = frozenset()  # the same, after it
    spans: tuple[Span, ...] = ()
    either: tuple[str, ...] = ()  # dates in figures that may be two days, of which both are in `spans`
    words: frozenset[str] = frozenset()  # that say so, and nothing else
    alone: bool = False  # nothing but a time is asked for: what was then?

    def __bool__(self) -> bool:
        cues = self.now, self.latest, self.former, self.often, self.ahead, self.last, self.first
        return any(cues) or bool(self.spans or self.after)


def asked_time(question: str, now: int) -> AskedTime:
    """Read what a question says of time, asked at a time in microseconds.

    >>> from asterism.core.ledger.calendar import to_datetime, to_micros
    >>> def told(question):
    ...     asked = asked_time(question, to_micros("2026-11-18"))
    ...     return [" to ".join(to_datetime(at).strftime("%Y-%m-%d") for at in span) for span in asked.spans]
    >>> told("What did I do yesterday?"), told("Who came in March?")
    (['2026-11-17 to 2026-11-18'], ['2026-03-01 to 2026-04-01'])
    >>> told("Where was I from May to July 2025?"), told("May I march on?")
    (['2025-05-01 to 2025-08-01'], [])
    >>> told("Who came in early March?"), told("Who came at the end of June?"), told("Who came mid 2025?")
    (['2026-03-01 to 2026-03-11'], ['2026-06-21 to 2026-07-01'], ['2025-05-02 to 2025-09-01'])
    >>> told("What have I learned since summer?"), told("What do I have on Friday?"), told("What was on Friday?")
    (['2026-06-01 to 2026-11-18'], ['2026-11-20 to 2026-11-21'], ['2026-11-13 to 2026-11-14'])
    >>> told("What did I do on 3/11/2026?")
    ['2026-03-11 to 2026-03-12', '2026-11-03 to 2026-11-04']
    >>> asked_time("Where did I live before I married?", 0).former, asked_time("How often did it rain?", 0).often
    (True, True)
    >>> asked_time("Where will I live?", 0).ahead, asked_time("When did I first run?", 0).first
    (True, True)
    >>> sorted(asked_time("Where did I live before York?", 0).before), asked_time("Who came after May?", 0).after
    (['york'], frozenset())
    >>> [asked_time(text, 0).latest for text in ("When did I last see Anna?", "What is her last name?")]
    [True, False]
    >>> asked_time("Where does Anna live now?", 0).now, sorted(asked_time("What did I eat last week?", 0).words)
    (True, ['happen', 'happened', 'last', 'week'])
    >>> sorted(asked_time("Where did I live at the end of May?", 0).words.difference(HAPPENED))
    ['end', 'may', 'of']
    """
    folded = fold(question[:READ_WITHIN])
    found = list(phrases(folded, now, tense=tense_of(folded)))
    taken = _taken(folded, found)
    cues = [_outside(cue, folded, taken) for cue in (_NOW, _LATEST, _FORMER, _OFTEN, AHEAD)]
    spans, (of_now, of_latest, of_former, often, ahead) = (
        spans_of(folded, found, now),
        [cue is not None for cue in cues],
    )
    cues += [_PART.search(folded, *_behind(each)) for each in found]
    said = [folded[each.start : each.end] for each in found] + [cue[0] for cue in cues if cue is not None]
    said += HAPPENED if spans else ()
    of_last = _HOW_LONG.search(folded) is None and _outside(_LAST, folded, taken) is not None
    of_latest, said = of_latest or of_last, [*said, *(["last"] if of_last else [])]
    of_first = _WHEN.search(folded) is not None and (first := _outside(_FIRST, folded, taken)) is not None
    said += [first[0]] if of_first and first is not None else []
    of_time = frozenset(words(" ".join(said)))
    return AskedTime(
        now=of_now,
        latest=of_latest,
        former=of_former or _outside(_BEFORE, folded, taken) is not None,
        often=often,
        ahead=ahead,
        last=of_last,
        first=of_first,
        before=_beside(_BEFORE, folded, taken),
        after=_beside(_AFTER, folded, taken),
        spans=spans,
        either=tuple(folded[each.start : each.end] for each in found if each.other is not None),
        words=of_time,
        alone=bool(spans) and (of_time | OF_A_DAY).issuperset(content(question[:READ_WITHIN])),
    )


def _beside(cue: re.Pattern[str], folded: str, taken: set[int]) -> frozenset[str]:
    """Give the words behind a cue, up to the end of its clause, that are no stop words."""
    found = _outside(cue, folded, taken)
    clause = None if found is None else _CLAUSE.match(folded, found.end())
    return frozenset() if clause is None else frozenset(words(clause[0])) - NOT_SEARCHED


def _taken(folded: str, found: list[Phrase]) -> set[int]:
    """Give the places that phrases take, and where words that belong to one begin: since, earlier.

    What stands there says nothing else: "last week" asks for no last time, "before March" for nothing that was before.
    """
    inside = {place for each in found for place in range(each.start, each.end)}
    return inside | {cue.start() for each in found if (cue := _SINCE.search(folded, *_behind(each))) is not None}


def _outside(cue: re.Pattern[str], folded: str, taken: set[int]) -> re.Match[str] | None:
    return next((each for each in cue.finditer(folded) if each.start() not in taken), None)


def _behind(phrase: Phrase) -> Span:
    """Give where to look for words that belong to a phrase and stand before it."""
    return max(0, phrase.start - BEHIND), phrase.start


def spans_of(folded: str, found: list[Phrase], now: int) -> tuple[Span, ...]:
    """Put phrases together with the words before and between them: since X, from X to Y."""
    spans: list[Span | None] = []
    left = deque(found)
    while left:
        first = left.popleft()
        if left and _joined(folded, first, left[0]):
            spans.append(_from_to(folded, first, left.popleft()))
            continue
        cue = _SINCE.search(folded, *_behind(first))
        spans.append(_bounded(cue[1] if cue else "", _part(folded, first), now))
        if first.other is not None:
            spans.append(_bounded(cue[1] if cue else "", first.other, now))
    return tuple(sorted({span for span in spans if span is not None}))


def _part(folded: str, phrase: Phrase) -> Span:
    """Give the part of a month, season or year that the words before it name: early, the end of, the first half of."""
    begin, end = phrase.span
    part = _PART.search(folded, *_behind(phrase))
    if part is None or end - begin < SHORTEST_WITH_PARTS:
        return phrase.span
    first, last = _PARTS[part[1] or part[2]]
    return begin + (end - begin) * first // 6, begin + (end - begin) * last // 6


def _joined(folded: str, first: Phrase, second: Phrase) -> bool:
    if _THROUGH.fullmatch(folded, first.end, second.start) is not None:
        return True
    between = _TO.fullmatch(folded, first.end, second.start)
    return between is not None and _FROM.search(folded, *_behind(first)) is not None


def _from_to(folded: str, first: Phrase, second: Phrase) -> Span | None:
    """Give the stretch from one to the other; where one of them leaves the year or week out, it is the other's."""
    begin, end = first.span, second.span
    if begin[0] > end[0] and folded[first.start : first.end] in WEEKDAYS:
        begin = begin[0] - 7 * MICROS_PER_DAY, begin[1] - 7 * MICROS_PER_DAY
    elif first.in_year is not None and (second.in_year is None or begin[0] > end[0]):
        begin = latest(first.in_year, end[0]) or begin
    elif second.in_year is not None and (first.in_year is None or begin[0] > end[0]):
        end = latest(second.in_year, begin[0] + 366 * MICROS_PER_DAY) or end
    return within((min(begin[0], end[0]), max(begin[1], end[1])))


def _bounded(cue: str, span: Span, now: int) -> Span | None:
    begin, end = span
    if cue == "since":
        return within((begin, max(now + 1, end)))
    if cue == "after":
        return within((end, max(now + 1, end + 1)))
    if cue == "earlier":
        return within((begin, min(now + 1, end)))
    if cue == "later":
        return within((max(now, begin), end))
    if cue in ("before", "prior to"):
        return within((FIRST_TIME, begin))
    return within((FIRST_TIME, end)) if cue else within(span)
