"""Short stories of facts that change: what is told when, which pairs cannot both hold, and what is asked afterwards.

The set of our own is in `data/changes.jsonl`: a story a line. Its frames are split in two halves; what reads claims was
written with `dev` alone, and `held` is kept back. The story
`around` is told to every memory beside the one asked about.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from asterism.errors import InputError

SET = Path(__file__).parent / "data" / "changes.jsonl"
AROUND = "around"
SPLITS = ("dev", "held")
TERMS = ("slot", "speaker", "conversation")


@dataclass(frozen=True)
class Telling:
    """One thing told on a day: a text, an edit of an earlier one, or that an earlier one is to be forgotten."""

    at: str
    text: str
    terms: dict[str, str]
    replaces: int | None = None
    edits: int | None = None
    forgets: int | None = None


@dataclass(frozen=True)
class Ask:
    """A question, the telling that should come first, and perhaps how often and when last it happened."""

    question: str
    first: int
    times: int | None = None
    last: str | None = None


@dataclass(frozen=True)
class Story:
    """What is told, which pairs of it conflict, and what is asked."""

    name: str
    frame: str
    split: str
    kind: str
    told: tuple[Telling, ...]
    conflicts: frozenset[tuple[int, int]]
    asks: tuple[Ask, ...]


def read_stories(path: Path | None = None, *, splits: Iterable[str] = SPLITS) -> list[Story]:
    """Read the stories of some splits, in their order.

    >>> len(read_stories(splits=["held"])) > 150
    True
    """
    wanted = {*splits}
    with (path or SET).open(encoding="utf-8") as lines:
        stories = [_story(line, number) for number, line in enumerate(lines, 1) if line.strip()]
    return [story for story in stories if story.split in wanted]


def _story(line: str, number: int) -> Story:
    try:
        row = json.loads(line)
        return Story(
            name=row["story"],
            frame=row["frame"],
            split=row["split"],
            kind=row["kind"],
            told=tuple(map(_telling, row["told"])),
            conflicts=frozenset((a, b) for a, b in row.get("conflicts", ())),
            asks=tuple(Ask(**ask) for ask in row.get("ask", ())),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"line {number} is no story: {error}",
            code="bad_data",
            item=str(number),
            hint="a story has story, frame, split, kind and told; docs/changes.md shows one",
        ) from None


def _telling(row: dict[str, object]) -> Telling:
    places = {name: int(str(row[name])) for name in ("replaces", "edits", "forgets") if name in row}
    terms = {name: str(row[name]) for name in TERMS if name in row}
    return Telling(at=str(row["at"]), text=str(row.get("text", "")), terms=terms, **places)
