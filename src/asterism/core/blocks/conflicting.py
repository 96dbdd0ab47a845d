"""Conflicts of the blocks of a space: which pairs a dream should mark, and which marked ones are open.

A mark stays for good; it is open while both sides are there and hold. Nothing is settled here: that is for whoever
knows which of the two is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from asterism.core.blocks.claims import claims_of
from asterism.core.blocks.conflicts import Text, conflicts_among
from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import CONFLICT, Marked
from asterism.core.blocks.model import ConflictSide, ConflictView
from asterism.core.blocks.validity import expired, is_current, stays
from asterism.core.blocks.words import ACTIVE, THERE
from asterism.core.ledger.calendar import to_datetime
from asterism.core.ledger.model import ConflictWith, link_id
from asterism.core.text.words import fold

ONESELF = frozenset(("i", "my", "me", "user"))
WORD = re.compile(r"[^\W_]+")


def conflicts_to_mark(blocks: Blocks, new: Iterable[str], at: int) -> list[Marked]:
    """Give the conflicts of new blocks with each other and with the active ones, of what has not ended by a time."""
    fresh = [_text(blocks, name) for name in _in_order(blocks, new)]
    words = words_of_subjects(fresh)
    found = conflicts_among(fresh, _about(blocks, words)) if words else []
    return [mark for mark in found if all(_goes_on(blocks, end, at) for end in mark[:2])]


def _in_order(blocks: Blocks, names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (blocks.blocks[name].at, name))


def _text(blocks: Blocks, name: str) -> Text:
    block = blocks.blocks[name]
    return Text(name, block.content, block.speaker)


def _about(blocks: Blocks, words: set[str]) -> Iterator[Text]:
    """Give the active blocks that may say something of some subjects: those that have a word of one."""
    named = [
        name
        for name, block in blocks.blocks.items()
        if block.status == ACTIVE and may_speak_of(words, block.content, block.speaker)
    ]
    return (_text(blocks, name) for name in _in_order(blocks, named))


def words_of_subjects(texts: Iterable[Text]) -> set[str]:
    """Give the first words of all that some texts claim something of."""
    subjects = {claim.subject for text in texts for claim in claims_of(text.content, text.speaker)}
    words = {found[0] for subject in subjects if (found := WORD.search(subject)) is not None}
    return words | ONESELF if words & ONESELF else words


def may_speak_of(words: set[str], content: str, speaker: str) -> bool:
    """Say whether a text may claim something of a subject that begins with one of these words: quick, and not sure.

    >>> may_speak_of({"anna"}, "I live in Rome", "Anna"), may_speak_of({"anna"}, "Ben lives in Rome", "")
    (True, False)
    """
    said = WORD.findall(fold(content[:200]))
    return not words.isdisjoint(said) or (bool(speaker) and not words.isdisjoint(WORD.findall(fold(speaker))))


def _goes_on(blocks: Blocks, name: str, at: int) -> bool:
    return any(stay.end is None or stay.end > at for stay in stays(blocks, name))


def is_open(blocks: Blocks, mark: Marked, at: int) -> bool:
    """Say whether both sides of a conflict are there and hold at a time."""
    return all(
        end in blocks.blocks
        and blocks.blocks[end].status in THERE
        and is_current(blocks, end, at)
        and not expired(blocks, end, at)
        for end in mark[:2]
    )


def open_conflicts(blocks: Blocks, at: int, *, of: str | None = None) -> list[Marked]:
    """Give the conflicts that are open at a time, of one block or all, the surest first."""
    ends = blocks.marked.values() if of is None else [blocks.marked.get(of, {})]
    marks = {mark for others in ends for mark in others.values()}
    return sorted((mark for mark in marks if is_open(blocks, mark, at)), key=lambda mark: (-mark.confidence, mark))


def earlier_and_later(blocks: Blocks) -> Iterator[tuple[str, str]]:
    """Give the conflicts between blocks that are there, the side told earlier first; whether they hold is not asked."""
    for end, others in blocks.marked.items():
        for other, mark in others.items():
            there = all(each in blocks.blocks and blocks.blocks[each].status in THERE for each in mark[:2])
            if end == mark.a and there:
                last = _later(blocks, mark, blocks.seen)
                yield (end, other) if last == other else (other, end)


def conflicts_of(blocks: Blocks, name: str, at: int) -> tuple[ConflictWith, ...]:
    """Give what a block is in conflict with at a time, the latest first."""
    found = []
    for other, mark in blocks.marked.get(name, {}).items():
        if is_open(blocks, mark, at):
            later = _later(blocks, mark, at) == other
            side = _side(blocks, other, at)
            found.append(ConflictWith(other, side.text, side.at, later, mark.reason, mark.confidence))
    return tuple(sorted(found, key=lambda each: (each.at, each.id), reverse=True))


def conflict_views(blocks: Blocks, at: int, *, of: str | None = None) -> list[ConflictView]:
    """Read the conflicts that are open at a time, of one block or all, the surest first."""
    views = []
    for mark in open_conflicts(blocks, at, of=of):
        later = _later(blocks, mark, at)
        earlier = mark.a if later == mark.b else mark.b
        views.append(
            ConflictView(
                id=link_id(mark.a, mark.b, CONFLICT),
                reason=mark.reason,
                confidence=mark.confidence,
                earlier=_side(blocks, earlier, at),
                later=_side(blocks, later, at),
            )
        )
    return views


def _told(blocks: Blocks, name: str, at: int) -> int:
    """Give when a block was last told by a time, or the first time it was."""
    told = blocks.occurrences(name)
    return max((each.begin for each in told if each.begin <= at), default=told[0].begin)


def _later(blocks: Blocks, mark: Marked, at: int) -> str:
    return max(mark[:2], key=lambda end: (_told(blocks, end, at), end))


def _side(blocks: Blocks, name: str, at: int) -> ConflictSide:
    return ConflictSide(name, blocks.blocks[name].content, to_datetime(_told(blocks, name, at)))
