"""What is kept of a block, and how blocks and links are packed into columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from asterism.core.blocks.links import Link, Links
from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import decay_tier
from asterism.core.blocks.words import INBOX, STATUSES
from asterism.core.ledger.columns import Bytes, Column, Columns, text_column, texts_of

EXEMPT = ("permanent", "durable")  # tiers that a bad outcome does not touch


@dataclass(slots=True)
class Block:
    """One block; what is no longer there keeps its text: `forget` can be undone, `erase` cannot."""

    content: str
    category: str
    tags: tuple[str, ...]
    at: int  # when it was first learned
    facts: int
    status: str = INBOX
    heir: str = ""  # the block it repeats, or that took its place
    hours: float = 0.0  # active hour of the last reinforcement
    failures: int = 0  # bad outcomes
    outcomes: int = 0
    signals: float = 0.0  # their sum
    name: str = ""  # what it is called, if it was given a name
    sources: tuple[str, ...] = ()  # who said it
    conversation: str = ""  # in which it was said, in the order of time
    speaker: str = ""

    def decay_rate(self, parameters: BlockParameters) -> float:
        """Give the decay rate: that of the tier, raised by bad outcomes up to a limit.

        >>> Block("", "fact", (), 0, 0, failures=1).decay_rate(BlockParameters())
        0.02
        """
        tier = decay_tier(self.tags, self.category)
        rate = parameters.decay_rate(tier)
        if tier in EXEMPT or rate >= parameters.outcome_decay_max:
            return rate
        for _ in range(self.failures):  # few: the limit is soon reached
            rate = min(rate * parameters.outcome_decay_factor, parameters.outcome_decay_max)
            if rate == parameters.outcome_decay_max:
                break
        return rate

    def text(self) -> str:
        """Give what is embedded: the content, under its name if it has one.

        >>> Block("Four o'clock.", "", (), 0, 0, name="Tea").text()
        "Tea. Four o'clock."
        """
        return f"{self.name}. {self.content}" if self.name else self.content

    def confidence(self, parameters: BlockParameters) -> float:
        """Give the mean of the outcomes, and of a first opinion of one half.

        >>> Block("", "", (), 0, 0, outcomes=2, signals=1.8).confidence(BlockParameters())
        0.7
        """
        weight = parameters.confidence_weight
        return (0.5 * weight + self.signals) / (weight + self.outcomes)


def dump_blocks(blocks: dict[str, Block]) -> Columns:
    """Pack blocks, in the order of their ids."""
    ids = sorted(blocks)
    each = [blocks[name] for name in ids]
    columns = _packed("content", [block.content for block in each])
    return columns | {
        "ids": text_column(ids),
        "category": text_column([block.category for block in each]),
        "tags": text_column(["\t".join(block.tags) for block in each]),
        "name": text_column([block.name for block in each]),
        "sources": text_column(["\t".join(block.sources) for block in each]),
        "conversation": text_column([block.conversation for block in each]),
        "speaker": text_column([block.speaker for block in each]),
        "heir": text_column([block.heir for block in each]),
        "status": np.array([STATUSES.index(block.status) for block in each], dtype=np.uint8),
        "at": np.array([block.at for block in each], dtype=np.int64),
        "facts": np.array([block.facts for block in each], dtype=np.int64),
        "hours": np.array([block.hours for block in each], dtype=np.float64),
        "failures": np.array([block.failures for block in each], dtype=np.int64),
        "outcomes": np.array([block.outcomes for block in each], dtype=np.int64),
        "signals": np.array([block.signals for block in each], dtype=np.float64),
    }


def load_blocks(columns: Columns) -> dict[str, Block]:
    """Unpack what `dump_blocks` packed."""
    rows = zip(
        _unpacked("content", columns),
        texts_of(columns["category"]),
        _lists(columns["tags"]),
        columns["at"].tolist(),
        columns["facts"].tolist(),
        [STATUSES[code] for code in columns["status"].tolist()],
        texts_of(columns["heir"]),
        columns["hours"].tolist(),
        columns["failures"].tolist(),
        columns["outcomes"].tolist(),
        columns["signals"].tolist(),
        texts_of(columns["name"]),
        _lists(columns["sources"]),
        texts_of(columns["conversation"]),
        texts_of(columns["speaker"]),
        strict=True,
    )
    return {name: Block(*row) for name, row in zip(texts_of(columns["ids"]), rows, strict=True)}


def _lists(column: Column) -> list[tuple[str, ...]]:
    return [tuple(text.split("\t")) if text else () for text in texts_of(column)]


def dump_links(links: Links) -> Columns:
    """Pack links, in the order of their keys."""
    keys = sorted(links.links)
    each = [links.links[key] for key in keys]
    return {
        "keys": text_column([" ".join(key) for key in keys]),
        "anchor": np.array([link.anchor for link in each], dtype=np.float64),
        "hours": np.array([link.hours for link in each], dtype=np.float64),
        "reinforced": np.array([link.reinforced for link in each], dtype=np.int64),
    }


def load_links(columns: Columns) -> Links:
    """Unpack what `dump_links` packed."""
    links = Links()
    values = zip(columns["anchor"].tolist(), columns["hours"].tolist(), columns["reinforced"].tolist(), strict=True)
    for text, value in zip(texts_of(columns["keys"]), values, strict=True):
        kind, a, b = text.split(" ")
        links.put((kind, a, b), Link(*value))
    return links


def _packed(name: str, texts: Iterable[str]) -> Columns:
    """Pack texts that may have many lines."""
    each = [text.encode() for text in texts]
    ends = np.cumsum([len(text) for text in each], dtype=np.int64)
    return {name: _bytes(b"".join(each)), f"{name}_ends": np.asarray(ends, dtype=np.int64)}


def _unpacked(name: str, columns: Columns) -> list[str]:
    whole, ends = _raw(columns[name]), columns[f"{name}_ends"].tolist()
    return [whole[start:end].decode() for start, end in zip([0, *ends], ends, strict=False)]


def _bytes(raw: bytes) -> Bytes:
    return np.frombuffer(raw, dtype=np.uint8)


def _raw(column: Column) -> bytes:
    return column.tobytes()
