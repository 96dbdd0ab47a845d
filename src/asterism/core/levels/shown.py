"""What level books show of the graph: a level by its id; of their names and links evidence tells."""

from __future__ import annotations

from operator import attrgetter

from asterism.core.ledger.graph import Entry, Shown
from asterism.core.levels.fold import Levels


def entry(levels: Levels, node: str) -> Entry | None:
    """Give a level that a book has, active or archived."""
    if not levels.has(node):
        return None
    title = node.replace("@", " ")
    return Entry(id=node, text=title, name=title, kind="level")


SHOWN: Shown[Levels] = Shown(
    kinds=("level",),
    revision=attrgetter("revision"),
    ids=lambda levels: levels.symbols,  # a book goes as a whole
    entry=entry,
)
