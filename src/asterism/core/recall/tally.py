"""How often something was: the occurrences of all that tells of it, in the same words and in others.

What is asked, denied, wished or yet to come tells of no time at which it was. Told of one day in several ways, it was
once that day; told several times in the same words, as often as it was told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from asterism.core.ledger.calendar import day_of
from asterism.core.recall.hits import Often, WayTold
from asterism.core.recall.time_spans import Span
from asterism.core.text.words import fold

_NOT_SO = re.compile(
    r"\b(?:not|never|nor|without|cannot|\w+n't|will|\w+'ll|shall|going to|gonna|tomorrow|would|should|could|might|if"
    r"|wants?(?:ed)? to|plan(?:s|ned)? to|hopes?(?:d)? to|hardly|almost|next (?:week|month|year|time))\b|\?\s*$"
)


def happened(text: str) -> bool:
    """Say whether a text tells of what was, as far as its words show.

    >>> [happened(text) for text in ("I went for a swim.", "I didn't swim.", "I will swim.", "Did you swim?")]
    [True, False, False, False]
    """
    return _NOT_SO.search(fold(text)) is None


def tally(told: Iterable[tuple[str, Sequence[int]]], spans: Sequence[Span] = ()) -> Often | None:
    """Count what was told, best first, each with its id and all its times; within some stretches, if there are any.

    >>> day = 86_400_000_000
    >>> found = tally([("ran", [day, 2 * day]), ("jogged", [2 * day, 3 * day]), ("raced", [9 * day])], [(0, 5 * day)])
    >>> found.times, [(each.id, each.times) for each in found.tellings]
    (3, [('ran', 2), ('jogged', 1)])
    >>> tally([]) is None
    True
    """
    tellings, days = list[WayTold](), set[int]()
    for name, times in told:
        within = [at for at in times if not spans or any(begin <= at < end for begin, end in spans)]
        others = [at for at in within if day_of(at) not in days]
        days.update(map(day_of, others))
        if others:
            tellings.append(WayTold(name, len(others)))
    return Often(sum(each.times for each in tellings), tuple(tellings)) if tellings else None
