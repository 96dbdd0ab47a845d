"""How a capability explains itself: why a number is what it is, and which gate keeps something from being otherwise.

There is one shape. Somebody asks about a thing; every row of the table is handed what it may look at (`Asked`); the one
whose thing it is answers, with lines that add up (`Why`) or with a gate and the smallest change that passes it
(`WhyNotAnswer`), and the others say None.

    node     a node's own number, by its id           why("sleep")
    link     the strength of a link of two nodes      why("sleep", "mood")
    item     what one item of the ledger added        why("d2c4…")
    other    what is none of these                    a prediction, a causal link, a hit: by itself or by its id
    adds     what it added to a number that another capability explains
    missing  what to say of a name that only one of its own could have, if there is none
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Line, Link, Why, WhyNotAnswer
from asterism.errors import UnknownError

Fold = TypeVar("Fold")
Watcher = TypeVar("Watcher")
Wanted = tuple[str, str, str]  # a link: its ends and its kind; "": the strongest there is
SHOWN = 20  # links that an item changed; the others are one line


class Step(NamedTuple, Generic[Fold]):
    """A fold as it stood before an item, and the call that folds the item into it and gives what it did."""

    fold: Fold
    take: Callable[[], object | None]


class Asked(ABC, Generic[Fold]):
    """What a capability may look at to explain something: its fold, and what a fold alone does not tell."""

    at: int | None  # the time that is asked for; None: now

    @property
    @abstractmethod
    def fold(self) -> Fold:
        """What it has folded then; what it has folded now, if a look into the past leaves it to itself."""

    @property
    @abstractmethod
    def moment(self) -> int:
        """The time that is looked at, in microseconds."""

    @abstractmethod
    def items(self, kinds: Collection[str] = ()) -> Sequence[Item]:
        """Give the items it has folded, in order: all of its own, or those of some kinds."""

    @abstractmethod
    def naming(self, nodes: Collection[str], kinds: Collection[str]) -> Sequence[Item]:
        """Give the items of some kinds that count and name one of these nodes, in order; others may be among them."""

    @abstractmethod
    def watched(self, watch: Callable[[Fold], Watcher]) -> Watcher:
        """Fold the ledger again up to then, with somebody watching, and give who watched."""

    @abstractmethod
    def before(self, item: Item) -> Step[Fold]:
        """Fold the ledger up to an item."""

    @abstractmethod
    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Give the vectors of texts; an embedder that did not make those there are is an InputError."""

    @abstractmethod
    def standing(self, node: str) -> str:
        """Give the id of what stands for a node."""

    @abstractmethod
    def family(self, node: str) -> Sequence[str]:
        """Give a node with all whose place it took."""

    @abstractmethod
    def links(self, node: str) -> Iterable[Link]:
        """Give the links of any capability that were made with a node under this very id."""


class Sum(NamedTuple):
    """Lines, and what they add up to."""

    lines: Sequence[Line]
    total: float


class Added(NamedTuple):
    """What an item added: to which number, line by line, and what else there is to say."""

    number: str
    lines: Sequence[Line]
    notes: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Explains(Generic[Fold]):
    """What a capability can say why of; each answers None for what is not its own."""

    node: Callable[[Asked[Fold], str], Why | None] | None = None
    link: Callable[[Asked[Fold], str, str, str], Why | None] | None = None  # of a kind; "": the strongest there is
    links: Callable[[Asked[Fold], Sequence[Wanted]], list[Why | None]] | None = None  # at once, if that is less work
    item: Callable[[Asked[Fold], Item], Added] | None = None
    other: Callable[[Asked[Fold], object], Why | None] | None = None
    adds: Callable[[Asked[Fold], Why], Sum | None] | None = None
    missing: Callable[[Asked[Fold], str], UnknownError | None] | None = None


@dataclass(frozen=True, kw_only=True)
class Gates(Generic[Fold]):
    """What keeps its nodes from being there, and its links from being something."""

    node: Callable[[Asked[Fold], str], WhyNotAnswer | None] | None = None
    link: Callable[[Asked[Fold], str, str, str], WhyNotAnswer] | None = None  # of two nodes, and what it should be
    words: tuple[str, ...] = ()  # what a link of it can be asked to be
    kinds: tuple[str, ...] = ()  # of nodes that it links by itself; none: any


def changed(old: Mapping[str, float], new: Mapping[str, float]) -> list[Line]:
    """Tell the links that changed, the largest change first; the smallest are one line.

    >>> changed({"a~b": 0.5, "a~c": 0.1}, {"a~b": 0.25, "a~c": 0.1, "b~c": 1.0})
    [Line(text='b~c', value=1.0), Line(text='a~b', value=-0.25)]
    """
    changes = {name: new.get(name, 0.0) - old.get(name, 0.0) for name in {*old, *new}}
    moved = sorted((name for name, change in changes.items() if change), key=lambda name: (-abs(changes[name]), name))
    lines = [Line(name, changes[name]) for name in moved[:SHOWN]]
    if len(moved) > SHOWN:
        lines.append(Line(f"and {len(moved) - SHOWN} more links", sum(changes[name] for name in moved[SHOWN:])))
    return lines
