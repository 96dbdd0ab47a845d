"""How each kind of words of time is written: a table of patterns, each with what reads it.

A group of them is looked for only where the word is that all of its patterns have. What stands earlier in the table has
its words first: "the Monday before last" is no "Monday".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from asterism.core.recall import dates, relative_times
from asterism.core.recall.dates import HOLIDAYS, NTH, SEASONS, TENS
from asterism.core.recall.month_names import MONTHS
from asterism.core.recall.relative_times import COUNTS, DAYS_IN, WEEKDAYS
from asterism.core.recall.time_spans import TimeMeaning

Reader = Callable[["re.Match[str]", int], TimeMeaning | None]

_NAMED = "|".join([*MONTHS, *(month[:3] for month in MONTHS if month != "may"), "sept"])
_SURE = "|".join(name for name in _NAMED.split("|") if name not in ("may", "march", "mar", "jan", "sep", "dec"))
_YEAR = r"(?:19|20)\d\d"
_ANY_YEAR = rf"{_YEAR}|'\d\d"
_COUNT = r"\d{1,4}|" + "|".join(sorted(COUNTS, key=len, reverse=True))
_CUES = "in|of|during|since|until|till|by|before|after|from|between|early|mid|late"  # "may" alone is no month
_DATED = "on|since|until|till|by|before|after|from"  # 3/4 alone may be a share
_ORDINAL = r"(?:st|nd|rd|th)?"
_WITH_YEAR = rf"(?:\.?,?\s+(?:of\s+)?(?P<year>{_ANY_YEAR}))"
_TO = r"\s*(?:-|–|and|to|until|till|through)\s*"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH, _FIRST, _LAST = rf"(?P<month>{_NAMED})", rf"(?P<day>{_DAY}){_ORDINAL}", rf"(?P<last>{_DAY}){_ORDINAL}"
_SEASON = rf"(?P<season>{'|'.join(SEASONS)})"
_HOLIDAY = rf"(?P<holiday>{'|'.join((*HOLIDAYS, dates.EASTER))})"
_WEEKDAY = rf"(?P<weekday>{'|'.join(WEEKDAYS)})"
_WHICH = r"(?:(?P<which>last|past|this|next|coming)\s+)"
_UNITS = rf"(?P<unit>{'|'.join(sorted(DAYS_IN, key=len, reverse=True))}|hour|minute)s?"
_PART = r"(?P<part>morning|afternoon|evening|night)"
_TENS = rf"'?[1-9]0s|{'|'.join(TENS)}"
_HALF = r"(?P<and_half>and\s+a\s+half)"
_TABLE: Sequence[tuple[str, Sequence[tuple[str, Reader]]]] = (
    (r"\d", (
        (r"(\d{4})-(0[1-9]|1[0-2])(?:-(\d\d))?", dates.iso),
        (rf"(?P<first>\d\d?)(?P<point>\.)\s?(?P<second>\d\d?)\.\s?(?P<year>{_YEAR}|\d\d(?!\d))", dates.figures),
        (rf"(?P<first>\d\d?)(?P<point>/)(?P<second>\d\d?)/(?P<year>{_YEAR}|\d\d(?!\d))", dates.figures),
        (rf"(?:{_DATED})\s+(?P<here>(?P<first>\d\d?)(?P<point>/)(?P<second>\d\d?)(?P<year>(?!/\d)))", dates.figures),
        (rf"(?:{_DATED})\s+(?P<here>the\s+(?P<day>{_DAY})(?:st|nd|rd|th)(?=\s*(?:[?.!,;]|$)))", dates.day_alone),
    )),
    (rf"\b(?:{_NAMED})", (
        (rf"(?P<nth>{'|'.join(NTH)}|last)\s+(?P<unit>week|day)\s+(?:of|in)\s+{_MONTH}{_WITH_YEAR}?",
         dates.week_of_month),
        (rf"{_FIRST}{_TO}{_LAST}\s+(?:of\s+)?{_MONTH}{_WITH_YEAR}?", dates.day_of_month),
        (rf"{_MONTH}\s+{_FIRST}{_TO}{_LAST}(?!\s*(?:{_NAMED}))\b{_WITH_YEAR}?", dates.day_of_month),
        (rf"{_FIRST}\s+(?:of\s+)?{_MONTH}{_WITH_YEAR}?", dates.day_of_month),
        (rf"{_MONTH}\.?\s+(?:the\s+)?{_FIRST}\b{_WITH_YEAR}?", dates.day_of_month),
        (rf"{_MONTH}{_WITH_YEAR}", dates.month),
        (rf"{_WHICH}{_MONTH}", dates.month),
        (rf"(?:{_CUES})[\s-]+(?P<here>{_MONTH})", dates.month),
        (rf"(?:{_CUES})\s+(?:{_NAMED})\s+(?:and|or)\s+(?P<here>{_MONTH})", dates.month),
        (rf"(?:between|from)\s+(?:\w+\s+){{1,4}}(?:and|to|until|till)\s+(?P<here>{_MONTH})", dates.month),
        (rf"(?P<month>{_SURE})", dates.month),
    )),
    ('|'.join(SEASONS), (
        (rf"(?P<count>one|two|three|four)\s+{_SEASON}s\s+ago", dates.ago_by_year),
        (rf"{_SEASON}{_WITH_YEAR}", dates.season),
        (rf"{_WHICH}{_SEASON}", dates.season),
        (rf"(?:{_CUES})[\s-]+(?:the\s+)?(?P<here>{_SEASON})", dates.season),
    )),
    ('|'.join((*HOLIDAYS, dates.EASTER)), (
        (rf"{_HOLIDAY}{_WITH_YEAR}", dates.holiday),
        (rf"{_WHICH}{_HOLIDAY}", dates.holiday),
        (rf"(?:{_CUES}|at|on|over|around)\s+(?P<here>{_HOLIDAY})", dates.holiday),
    )),
    (rf"0s|{'|'.join(TENS)}", (
        (rf"the\s+(?P<tens>{_TENS})", dates.tens),
    )),
    (r"\d\d", (
        (rf"(?:{_CUES})\s+(?P<here>(?P<year>'\d\d)(?P<tens>))", dates.year),
        (rf"(?P<year>{_YEAR})(?P<tens>s)?", dates.year),
    )),
    (r"day|tonight|tomorrow", (
        (rf"(?P<word>(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|today|tonight|tomorrow)"
         rf"(?:\s+{_PART})?", relative_times.relative_day),
    )),
    (r"day", (
        (rf"(?:the\s+)?{_WEEKDAY}\s+before\s+last", relative_times.weekday_before_last),
        (rf"a\s+week\s+ago\s+(?:(?:on|last)\s+)?{_WEEKDAY}", relative_times.weekdays_ago),
        (rf"{_WEEKDAY}\s+a\s+week\s+ago", relative_times.weekdays_ago),
        (rf"(?P<count>{_COUNT})\s+{_WEEKDAY}s\s+ago", relative_times.weekdays_ago),
        (rf"(?:a\s+week\s+(?:on|from)\s+{_WEEKDAY}|{_WEEKDAY.replace('weekday', 'day')}\s+week)",
         relative_times.weekday_after_next),
    )),
    (r"last|past|this|next|coming|following|previous|other", (
        (r"this\s+time\s+(?P<which>last|next)\s+(?P<unit>week|month|year)", relative_times.about_then),
        (r"the\s+other\s+(?P<unit>day|night|evening|week)", relative_times.the_other),
        (r"(?:the\s+)?(?P<unit>weekend|week|month|year)\s+before\s+last", relative_times.unit_before_last),
        (r"(?:the\s+)?night\s+before\s+last", relative_times.night_before_last),
        (rf"(?P<word>last|this)\s+{_PART}", relative_times.relative_day),
        (r"(?P<which>(?:in|within|over|during) the last)\s+(?P<unit>week|month|year)", relative_times.unit),
        (r"(?P<which>last|previous|past|this|next|coming|following)\s+(?P<unit>weekend|week|month|year)",
         relative_times.unit),
        (r"(?P<which>last|past)\s+(?P<unit>fortnight)", relative_times.unit),
        (rf"(?:last|past)\s+(?P<count>{_COUNT})\s+(?:of\s+)?{_UNITS}", relative_times.lately),
    )),
    (r"\b(?:ago|now|time)\b", (
        (rf"(?P<half>half\s+)?(?P<count>{_COUNT})\s+(?:of\s+)?{_UNITS}\s+ago", relative_times.ago),
        (rf"(?P<count>{_COUNT})\s+(?:{_HALF}\s+)?{_UNITS}\s+ago", relative_times.ago),
        (rf"(?P<count>{_COUNT})\s+{_UNITS}\s+{_HALF}\s+ago", relative_times.ago),
        (rf"(?:in\s+)?(?P<count>{_COUNT})\s+(?:of\s+)?{_UNITS}'?\s+(?:from\s+now|time)", relative_times.ahead),
    )),
    (r"day", (
        (rf"{_WHICH}?{_WEEKDAY}(?:\s+{_PART})?", relative_times.weekday),
    )),
)  # fmt: skip
_GROUPS = [
    (re.compile(needs), [(re.compile(rf"\b{pattern}\b"), reader) for pattern, reader in rows]) for needs, rows in _TABLE
]
IN_A_WHILE: tuple[re.Pattern[str], Reader] = (  # is a time only where what is to come is asked for
    re.compile(rf"\bin\s+(?P<count>{_COUNT})\s+(?:of\s+)?{_UNITS}\b"),
    relative_times.ahead,
)


def readers_for(folded: str) -> Iterator[tuple[re.Pattern[str], Reader]]:
    """Give the patterns that a folded text may hold, with what reads them.

    >>> sum(1 for _ in readers_for("who came to tea?"))
    0
    """
    for needs, rows in _GROUPS:
        if needs.search(folded) is not None:
            yield from rows
