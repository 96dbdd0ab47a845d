"""A memory at a time, as capabilities look at it to explain something."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from asterism.core.ledger.capability import Capability
from asterism.core.ledger.explain import Asked, Explains, Gates, Step
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Link
from asterism.core.ledger.parameters import Parameters
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.engine.space.live import Live

Fold = TypeVar("Fold")
Rules = TypeVar("Rules", bound=Parameters)
Watcher = TypeVar("Watcher")


class Look:
    """A space now, or as it was; what is folded is asked for when it is first needed."""

    def __init__(
        self, live: Live, *, at: int | None = None, known_at: int | None = None, folded: Projection | None = None
    ) -> None:
        self.live, self.at, self.known_at, self._folded = live, at, known_at, folded

    @cached_property
    def folded(self) -> Projection:
        """The space then."""
        return self._folded or self.live.view(self.at, known_at=self.known_at)

    @cached_property
    def moment(self) -> int:
        """The time that is looked at."""
        self.live.refresh()
        return self.live.moment(self.at)

    @cached_property
    def graph(self) -> SpaceGraph:
        """Its nodes and links."""
        return SpaceGraph(self.folded)

    def of(self, capability: Capability[Fold, Rules]) -> Asked[Fold]:
        """Give what a capability may look at."""
        return OwnLook(self, capability)

    def explaining(self) -> Iterator[tuple[Explains[object], Asked[object]]]:
        """Give the capabilities that can say why, each with what it may look at."""
        return ((row.explain, self.of(row)) for row in self.live.capabilities if row.explain is not None)

    def gated(self) -> Iterator[tuple[Gates[object], Asked[object]]]:
        """Give the capabilities that can say why not, each with what it may look at."""
        return ((row.gates, self.of(row)) for row in self.live.capabilities if row.gates is not None)


class OwnLook(Asked[Fold], Generic[Fold]):
    """What one capability may look at."""

    def __init__(self, look: Look, row: Capability[Fold, Rules]) -> None:
        self.look, self.at, self._kinds, self._replayed = look, look.at, row.kinds, row.replayed
        self._part: Callable[[Projection], Fold] = lambda folded: folded.of(row)

    @property
    def fold(self) -> Fold:
        """What it has folded then; what it has folded now, if a look into the past leaves it to itself."""
        return self._part(self.look.folded if self._replayed else self.look.live.refresh())

    @property
    def moment(self) -> int:
        """The time that is looked at."""
        return self.look.moment

    def items(self, kinds: Collection[str] = ()) -> Sequence[Item]:
        """Give the items it has folded, in order."""
        live, until = self.look.live, self.look.moment if self._replayed else None
        stored = live.store.items(live.space, until_at=until, known_until=self.look.known_at, only=kinds or self._kinds)
        return [each.item for each in stored if each.seq <= live.seq]

    def naming(self, nodes: Collection[str], kinds: Collection[str]) -> Sequence[Item]:
        """Give the items of some kinds that count and name one of these nodes, in order."""
        live, folded = self.look.live, self.look.folded
        stored = live.store.items(
            live.space, until_at=self.look.moment, known_until=self.look.known_at, only=kinds, naming=nodes
        )
        return [each.item for each in stored if each.seq <= live.seq and folded.counts(each.item)]

    def watched(self, watch: Callable[[Fold], Watcher]) -> Watcher:
        """Fold the ledger again up to then, with somebody watching, and give who watched."""
        made: list[Watcher] = []

        def begin(projection: Projection) -> Watcher:
            made.append(watch(self._part(projection)))
            return made[0]

        self.look.live.replay(self.look.moment, known_at=self.look.known_at, watch=begin)
        return made[0]

    def before(self, item: Item) -> Step[Fold]:
        """Fold the ledger up to an item."""
        projection = self.look.live.replay(item.at, known_at=self.look.known_at, before=item)
        return Step(self._part(projection), lambda: projection.apply(item))

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Give the vectors of texts."""
        vectors: list[list[float]] = self.look.live.texts().of(texts).astype(float).tolist()
        return vectors

    def standing(self, node: str) -> str:
        """Give the id of what stands for a node."""
        return self.look.graph.standing(node)

    def family(self, node: str) -> Sequence[str]:
        """Give a node with all whose place it took."""
        return self.look.graph.family(node)

    def links(self, node: str) -> Iterable[Link]:
        """Give the links of any capability that were made with a node under this very id."""
        return self.look.graph.told_links(node)
