"""Facts that change, as used: each story is told to a memory by `learn`, `edit` and `forget`, dreamed, and asked.

Every memory also holds the same thirty everyday facts. Rows of each half of the set: of the pairs marked as conflicts
how many are right (any other pair of the memory counts against it), of those that are in conflict how many are marked;
for how many questions what holds now comes first; of what happens again, whether it comes first with how often and when
last. A third part are the facts of an agent's day, by another hand: those told as values of one slot are in conflict
when they are told without it. Beside it what the reading of claims gives for the pairs alone, and what one would do
without: BM25, the latest of its three best, and a threshold on the cosine that is best on the half not kept back.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

import numpy as np

from asterism.core.blocks.conflicts import Text, conflict, conflicts_among
from asterism.core.ledger.graph import Entry
from asterism.embed import Embedder, open_embedder
from asterism.engine.memory import Memory
from asterism.evals.as_used import Once
from asterism.evals.recall_sets import Pool, plain_bm25
from asterism.evals.report import Report, Row
from asterism.evals.stories import AROUND, SET, SPLITS, Ask, Story, Telling, read_stories
from asterism.sync import Memory as OpenMemory

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)  # when everything is asked
OTHER_HAND = "another hand"
DAY = SET.with_name("agent_day_translator.jsonl")
NEAREST = 3  # hits of BM25 of which the latest is taken
DEPTH = 5
USED = "as used: learn with at, slot, replaces; edit; forget; dream; conflicts; recall"
Pair = tuple[int, int]
Progress = Callable[[str], None]


@dataclass
class Tally:
    """What a system got right in one half of the set."""

    marked: int = 0
    right: int = 0
    wanted: int = 0
    current: list[bool] = field(default_factory=list)
    again: list[bool] = field(default_factory=list)
    answered: list[bool] = field(default_factory=list)

    def pairs(self, found: set[Pair], story: Story, *, others: int = 0) -> None:
        """Count the pairs that were marked in a story, and others that nothing is wrong with."""
        self.marked += len(found) + others
        self.right += len(found & story.conflicts)
        self.wanted += len(story.conflicts)

    def ask(self, story: Story, ask: Ask, *, first: bool, counted: bool = True) -> None:
        """Count an answer."""
        if ask.times is not None or ask.last is not None:
            self.again.append(first and counted)
        else:
            (self.answered if story.kind == "negatives" else self.current).append(first)

    def rows(self, name: str) -> list[Row]:
        """Give the figures there are."""
        found = []
        if self.wanted and self.marked:
            found.append(Row(name, "precision of conflicts", self.right / self.marked, self.marked))
            found.append(Row(name, "recall of conflicts", self.right / self.wanted, self.wanted))
        for metric, answers in (
            ("the current fact first", self.current),
            ("how often, when last", self.again),
            ("of look-alikes the right one first", self.answered),
        ):
            if answers:
                found.append(Row(name, metric, sum(answers) / len(answers), len(answers)))
        return found


def run(
    data: Path | None = None,
    *,
    splits: Sequence[str] = SPLITS,
    embedder: str | None = None,
    progress: Progress | None = None,
) -> list[Report]:
    """Tell, dream and ask every story of some halves of the set."""
    stories = read_stories(data)
    around = [telling for story in read_stories(data, splits=[AROUND]) for telling in story.told]
    reader = Once(open_embedder(embedder))
    systems: dict[str, Callable[[], dict[str, Tally]]] = {
        USED: lambda: _used(_of(stories, splits), around, reader, progress or (lambda _: None)),
        "inside: claims of each pair": lambda: _inside(_of(stories, splits)) | ({} if data else _other_hand()),
        "BM25": lambda: _bm25(_of(stories, splits), around, most=1),
        f"latest of {NEAREST}": lambda: _bm25(_of(stories, splits), around, most=NEAREST),
        "cosine": lambda: _cosine(stories, splits, reader),
    }
    reports = []
    for system, count in systems.items():
        begun = time.perf_counter()
        tallies = count()
        rows = [row for split in (*splits, OTHER_HAND) for row in tallies[split].rows(split)]
        name, _, told = system.partition(": ")
        reports.append(Report("changes", name, told or name, tuple(rows), time.perf_counter() - begun))
    return reports


def _of(stories: Sequence[Story], splits: Sequence[str]) -> list[Story]:
    return [story for story in stories if story.split in splits]


def _tallies() -> dict[str, Tally]:
    return {split: Tally() for split in (*SPLITS, OTHER_HAND)}


# As used


def _used(stories: Sequence[Story], around: Sequence[Telling], reader: Embedder, say: Progress) -> dict[str, Tally]:
    tallies = _tallies()
    for number, story in enumerate(stories):
        say(f"{number} of {len(stories)} stories")
        with Memory.open_sync(":memory:", space="story", clock=lambda: NOW, embedder=reader) as memory:
            memory.learn_many([{"content": each.text, "at": each.at} for each in around])
            ids = tell(memory, story.told)
            memory.dream()
            _count(tallies[story.split], memory, story, ids)
    return tallies


def tell(memory: OpenMemory, told: Sequence[Telling]) -> list[str]:
    """Tell a story as a user would; give the block of each telling."""
    ids: list[str] = []
    for each in told:
        if each.forgets is not None:
            memory.forget(ids[each.forgets], at=each.at)
            ids.append(ids[each.forgets])
        elif each.edits is not None:
            ids.append(memory.edit(ids[each.edits], each.text, at=each.at).id)
        else:
            row: dict[str, object] = {"content": each.text, "at": each.at, **each.terms}
            row |= {} if each.replaces is None else {"replaces": ids[each.replaces]}
            ids.append(memory.learn_many([row])[0].id)
    return ids


def _count(tally: Tally, memory: OpenMemory, story: Story, ids: list[str]) -> None:
    place = {block: number for number, block in enumerate(ids)}
    found, others = set[Pair](), 0
    for view in memory.conflicts():
        ends = [place[end] for end in view.ends if end in place]
        if len(ends) == 2:
            found.add((min(ends), max(ends)))
        else:
            others += 1
    tally.pairs(found, story, others=others)
    for ask in story.asks:
        hits = memory.recall(ask.question, k=DEPTH).hits
        first = hits[0] if hits and hits[0].id == ids[ask.first] else None
        counted = first is not None and ask.times in (None, first.times)
        counted &= first is not None and (ask.last is None or f"{first.at:%Y-%m-%d}" == ask.last)
        tally.ask(story, ask, first=first is not None, counted=counted)


# Inside, and what one would do without


def there(story: Story) -> list[int]:
    """Give the tellings of a story that hold in the end, each text once."""
    gone = {place for each in story.told for place in (each.edits, each.forgets, each.replaces)}
    last = {each.text: place for place, each in enumerate(story.told) if each.text}
    slots = {each.terms["slot"]: place for place, each in enumerate(story.told) if "slot" in each.terms}
    kept = [place for place in last.values() if place not in gone]
    return [place for place in kept if slots.get(story.told[place].terms.get("slot", ""), place) == place]


def _inside(stories: Sequence[Story]) -> dict[str, Tally]:
    tallies = _tallies()
    for story in stories:
        found = set()
        for a, b in combinations(there(story), 2):
            one, other = story.told[a], story.told[b]
            who = {"speaker_a": one.terms.get("speaker", ""), "speaker_b": other.terms.get("speaker", "")}
            if conflict(one.text, other.text, **who) is not None:
                found.add((a, b))
        tallies[story.split].pairs(found, story)
    return tallies


def _other_hand() -> dict[str, Tally]:
    """Compare every two facts of the agent's day as if nobody had told what they are the values of."""
    lines = DAY.read_text(encoding="utf-8").splitlines()
    slots = {row["tell"]: row.get("slot", "") for row in map(json.loads, lines) if "tell" in row}
    marks = conflicts_among([Text(told, told, "") for told in slots], ())
    wanted = sum(slots[a] == slots[b] != "" for a, b in combinations(slots, 2))
    right = sum(slots[mark.a] == slots[mark.b] != "" for mark in marks)
    return {OTHER_HAND: Tally(marked=len(marks), right=right, wanted=wanted)}


def _bm25(stories: Sequence[Story], around: Sequence[Telling], *, most: int) -> dict[str, Tally]:
    tallies = _tallies()
    for story in stories:
        told = [*story.told, *around]
        entries = [Entry(f"{place:03d}", each.text) for place, each in enumerate(told)]
        scores = plain_bm25(Pool("story", tuple(entries), (), conversation=False))
        for ask in story.asks:
            best = np.argsort(-scores(ask.question), kind="stable")[:most].tolist()
            first = max(best, key=lambda place: (told[place].at, place))
            tallies[story.split].ask(story, ask, first=told[first].text == told[ask.first].text, counted=False)
    return tallies


def _cosine(stories: Sequence[Story], splits: Sequence[str], reader: Embedder) -> dict[str, Tally]:
    near: dict[str, dict[Pair, float]] = {}
    for story in stories:
        places = there(story)
        rows = reader.embed([story.told[place].text for place in places]).astype(np.float64)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        near[story.name] = {
            (places[a], places[b]): float(rows[a] @ rows[b]) for a, b in combinations(range(len(places)), 2)
        }

    def marked(least: float, wanted: Sequence[str]) -> dict[str, Tally]:
        tallies = _tallies()
        for story in _of(stories, wanted):
            found = {pair for pair, cosine in near[story.name].items() if cosine >= least}
            tallies[story.split].pairs(found, story)
        return tallies

    def f1(least: float) -> float:
        tally = marked(least, SPLITS[:1])[SPLITS[0]]
        return 2 * tally.right / max(tally.marked + tally.wanted, 1)

    return marked(max((step / 100 for step in range(100)), key=f1), splits)
