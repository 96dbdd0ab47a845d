"""Notes from which the answer was left out: questions whose subject is known, and what is asked of it is not.

Every question of the half `dev` of the stories (`stories.py`) is asked twice: of a memory with its story, and of one
without it. Both also hold the story `around`, some tellings of other stories, and, where the question names somebody,
what is told of others in other stories, told of them. What contradicts the answer is told of the same thing, and left
out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from asterism.core.blocks.conflicts import conflict
from asterism.core.ledger.graph import Entry
from asterism.core.recall.asked_time import asked_time
from asterism.core.recall.signals import Query
from asterism.core.recall.times import Moment
from asterism.core.text.words import names
from asterism.evals.changes import there
from asterism.evals.recall_sets import Asked, Pool
from asterism.evals.stories import AROUND, Ask, Story, read_stories

DRAWS = 3  # times that each question is asked, beside others
OTHERS = 25  # tellings of other stories
OF_THE_SAME = 4  # of them told of who is named
_SUBJECT = re.compile(r"^[A-Z]\w+(?='s | \w+s )")


def notes() -> Iterator[tuple[Pool, bool]]:
    """Give pools with one question each, and whether anything in them answers it."""
    chosen = random.Random(1)  # noqa: S311 - nothing is kept secret by it
    stories = read_stories(splits=["dev"])
    around = [telling.text for story in read_stories(splits=[AROUND]) for telling in story.told]
    for story in stories:
        for ask in story.asks * DRAWS:
            own = [story.told[place].text for place in there(story)]
            beside = [*around, *_others(story, ask, stories, chosen)]
            if story.told[ask.first].text in own:
                yield _pool(story, ask, [*own, *beside]), True
                yield _pool(story, ask, [text for text in beside if text not in own]), False


def asked_at(query: Query, now: int) -> Query:
    """Read what a question says of time, as recall does."""
    return replace(query, moment=Moment(now, asked_time(query.text, now)))


def _others(story: Story, ask: Ask, stories: Sequence[Story], chosen: random.Random) -> list[str]:
    """Choose what is told in other stories, some of it of whoever the question names."""
    answer = story.told[ask.first].text
    told = [other.told[place].text for other in stories if other.frame != story.frame for place in there(other)]
    told = [text for text in told if conflict(answer, text) is None]
    found = chosen.sample(told, min(OTHERS, len(told)))
    for name in [each for each in names(ask.question) if f" {each.capitalize()}" in ask.question][:1]:
        same = [_SUBJECT.sub(name.capitalize(), text) for text in told if _SUBJECT.match(text)]
        same = [text for text in same if conflict(answer, text) is None]
        found += chosen.sample(same, min(OF_THE_SAME, len(same)))
    return found


def _pool(story: Story, ask: Ask, texts: Sequence[str]) -> Pool:
    entries = tuple(Entry(f"{place:03d}", text) for place, text in enumerate(dict.fromkeys(texts)))
    gold = tuple(entry.id for entry in entries if entry.text == story.told[ask.first].text)
    fold = ("even frames", "odd frames")[sum(map(ord, story.frame)) % 2]
    return Pool(story.name, entries, (Asked(ask.question, gold, story.kind, fold),), conversation=False)
