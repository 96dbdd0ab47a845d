"""Questions to which there was no sure answer: written down on request, so that somebody can tell what is missing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Columns, text_column, texts_of
from asterism.core.ledger.items import Item

UNANSWERED = "unanswered"  # the kind of item
QUERY = "query"  # its field: the question, in one line


class Times(NamedTuple):
    """When a question was left open, first and last, and how often."""

    first: int
    last: int
    times: int


Questions = dict[str, Times]  # by question


def note(questions: Questions, item: Item) -> None:
    """Fold a question in; the order does not count.

    >>> from asterism.core.ledger.items import make_item
    >>> open_questions = Questions()
    >>> for at in (5, 3):
    ...     note(open_questions, make_item(space="me", what=UNANSWERED, at=at, known_at=at, payload={"query": "Who?"}))
    >>> open_questions
    {'Who?': Times(first=3, last=5, times=2)}
    """
    query = str(item.payload[QUERY])
    known = questions.get(query, Times(item.at, item.at, 0))
    questions[query] = Times(min(known.first, item.at), max(known.last, item.at), known.times + 1)


def dump(questions: Questions) -> Columns:
    """Pack the questions; nothing if there are none."""
    if not questions:
        return {}
    names = sorted(questions)
    return {"questions": text_column(names), "times": np.array([questions[name] for name in names], dtype=np.int64)}


def load(columns: Columns) -> Questions:
    """Take what `dump` gave."""
    if "questions" not in columns:
        return {}
    times = columns["times"].reshape(-1, len(Times._fields)).tolist()
    return {name: Times(*each) for name, each in zip(texts_of(columns["questions"]), times, strict=True)}
