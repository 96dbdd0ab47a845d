"""The story of the demo, told to one memory: a month of diary, a market day, notes, a game night; then it is asked.

Mara sleeps badly. She keeps a diary of what matters to her, writes notes, runs a game for friends, and holds shares.
The diary comes first and is looked at before the rest is told, so that its numbers are those of the month alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from asterism.entry.sample import session
from asterism.entry.sample.market_day import SYMBOL, market_day
from asterism.entry.sample.notes import AFTER, BEFORE, LATE_NOTE, rows
from asterism.entry.sample.play import Played, StoryClock, play

if TYPE_CHECKING:
    from asterism.core.blocks.model import DreamResult, LearnReceipt
    from asterism.core.connections.model import Outlook, Predictions, Star
    from asterism.core.ledger.model import Link, Why
    from asterism.core.levels.model import FeedReport, Level
    from asterism.core.recall.model import Answer
    from asterism.core.walkers.result import Exploration
    from asterism.engine.transcripts.read import TranscriptReport
    from asterism.sync import Memory

WHY = ("late-screen", "sleep")
AHEAD_DAYS = 60
NOTES_AT = datetime(2026, 10, 2, 7, tzinfo=UTC)
MORNING_AFTER = datetime(2026, 10, 3, 8, tzinfo=UTC)
QUESTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (  # with the kinds of nodes they ask for
    ("how could I get a better night's rest?", ("block",)),
    ("who tied up the ferryman?", ()),
    ("what do I do about HARBOR at 98.50?", ()),
)
GROWN = ("Ferryman", "Lantern")  # a link that the game and a note grew
WALK = "how do we sleep after a late screen?"


@dataclass(frozen=True)
class Diary:
    """What the month alone came to, on the morning after it."""

    played: Played
    stars: list[Star]
    links: list[Link]
    curves: dict[str, tuple[float, ...]]
    predictions: Predictions
    why: Why
    outlook: Outlook


@dataclass(frozen=True)
class Story:
    """What came of everything."""

    diary: Diary
    fed: FeedReport
    levels: list[Level]
    learned: list[LearnReceipt]
    read: TranscriptReport
    dreamed: DreamResult
    answers: tuple[Answer, ...]
    grown: Why
    walk: Exploration
    start: str  # the note that the walkers start at


def tell(memory: Memory, clock: StoryClock, *, progress: Callable[[str], None] = lambda _: None) -> Story:
    """Tell a new memory the whole story, and ask it."""
    diary = _diary(memory, clock, progress)
    progress("A market day")
    fed = memory.feed(SYMBOL, market_day(), lateness=0)
    progress("Notes")
    clock.now = NOTES_AT
    learned = memory.learn_many(rows(BEFORE))
    progress("A game night")
    clock.now = MORNING_AFTER
    read = read_session(memory)
    learned += memory.learn_many(rows(AFTER))
    progress("A dream, questions, a walk")
    dreamed = memory.dream()
    answers = tuple(memory.recall(question, k=2, kinds=kinds) for question, kinds in QUESTIONS)
    grown = memory.why(*GROWN)
    start = next(block.id for block in memory.blocks() if block.content == LATE_NOTE)
    walk = memory.explore(WALK, start=start)
    return Story(diary, fed, memory.levels(SYMBOL), learned, read, dreamed, answers, grown, walk, start)


def _diary(memory: Memory, clock: StoryClock, progress: Callable[[str], None]) -> Diary:
    played = play(memory, clock, progress=progress)
    links = [link for link in memory.links() if link.family == "connection"]
    outlook = memory.project(days=AHEAD_DAYS)
    stars, why = memory.stars(), memory.why(*WHY)
    return Diary(played, stars, links, memory.curves(), memory.predictions(), why, outlook)


def read_session(memory: Memory) -> TranscriptReport:
    """Read the game night that comes with the package."""
    told = session.transcript()
    return memory.read_transcript(
        told.lines,
        session=session.SESSION,
        responders=told.responders,
        actors=told.actors,
        masks=told.masks,
        preset="tabletop",
        started_at=datetime.fromtimestamp(session.STARTED_AT_MS / 1000, UTC),
    )
