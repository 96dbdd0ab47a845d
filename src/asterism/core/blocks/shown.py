"""What blocks show of the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import attrgetter

from asterism.core.blocks.fold import Blocks
from asterism.core.blocks.links import strength_of
from asterism.core.blocks.read import links
from asterism.core.blocks.words import THERE
from asterism.core.ledger.about import Called
from asterism.core.ledger.calendar import day_of
from asterism.core.ledger.graph import GONE, Edge, Entry, Followed, Shown, Stale
from asterism.core.text.spoken import said_by

TALK = "\x1f"  # begins the group of talk that no conversation was named for: no name can hold it


def entries(blocks: Blocks) -> Iterator[Entry]:
    """Give the blocks that are there."""
    for name, block in blocks.blocks.items():
        if block.status in THERE:
            yield entry_of(blocks, name)


def entry(blocks: Blocks, node: str) -> Entry | None:
    """Give a block, whatever became of it."""
    if blocks.stale:
        raise Stale
    return entry_of(blocks, node) if node in blocks.blocks else None


def entry_of(blocks: Blocks, name: str) -> Entry:
    """Give a block that is known.

    A text without a title that begins with a name is said by it, and what somebody said is talk of its day, unless its
    conversation was told.
    """
    block = blocks.blocks[name]
    speaker = block.speaker or ("" if block.name else said_by(block.content))
    talk = f"{TALK}{day_of(block.at)}" if speaker and not block.name else ""
    return Entry(
        id=name,
        text=block.content,
        name=block.name,
        group=block.conversation or talk,
        position=block.at,
        speaker=speaker,
        at=block.at,
        times=_times(blocks, name) if block.told or name in blocks.forebears else (),
        about=_about(blocks, name) if block.told else "",
    )


def _about(blocks: Blocks, name: str) -> str:
    """Give the words of the slots that a block is or was the value of: "ada/home" says that it is about a home."""
    slots = dict.fromkeys(each.slot for each in blocks.occurrences(name) if each.slot)
    return " ".join(slots).replace("/", " ")


def _times(blocks: Blocks, name: str) -> tuple[int, ...]:
    """Give the times at which a block was told, if there are several."""
    times = tuple(sorted({each.at for each in blocks.occurrences(name)}))
    return times if len(times) > 1 else ()


def names(blocks: Blocks) -> Iterator[Called]:
    """Give the names of blocks, whatever became of them."""
    return (Called(block.name, name) for name, block in blocks.blocks.items() if block.name)


def called(blocks: Blocks, name: str) -> Iterable[str]:
    """Give the blocks that were given a name, whatever became of them."""
    return blocks.named.get(name, ())


def stands(blocks: Blocks, node: str) -> str | None:
    """Give what stands for a block now."""
    return (blocks.there(node) or GONE) if node in blocks.blocks else None


def edges(blocks: Blocks) -> Iterator[Edge]:
    """Give the structural links of blocks at the active hour at which they are looked at, to a tenth."""
    hours, rate = round(blocks.hours_now, 1), lru_cache(maxsize=None)(blocks.rate)
    for key, made in blocks.links.links.items():
        yield Edge(*key, blocks.links.strength(key, hours, rate) if hours > made.hours else made.anchor)


def followed(blocks: Blocks, node: str) -> Iterator[Followed]:
    """Give the structural links of a block, as strong as `edges` says."""
    hours, found = round(blocks.hours_now, 1), dict[str, tuple[list[str], list[float]]]()
    for key, made in blocks.links.around(node):
        others, strengths = found.setdefault(key[0], ([], []))
        others.append(key[2] if key[1] == node else key[1])
        strengths.append(strength_of(key, made, hours, blocks.rate) if hours > made.hours else made.anchor)
    return (Followed(kind, *columns) for kind, columns in found.items())


SHOWN: Shown[Blocks] = Shown(
    kinds=("block",),
    revision=attrgetter("revision"),
    entries=entries,
    ids=lambda blocks: blocks.blocks,
    entry=entry,
    names={"block": names},
    called=called,
    stands=stands,
    family=lambda blocks, node: blocks.family(node) if node in blocks.blocks else (),
    links=lambda blocks, node: links(blocks, node),
    edges=edges,
    followed=followed,
)
