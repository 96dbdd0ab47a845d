"""A ledger in a list, for a capability that is asked to explain itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from asterism.core.ledger.capability import Capability
from asterism.core.ledger.explain import Asked, Step
from asterism.core.ledger.items import Item, quoted
from asterism.core.ledger.model import Link
from asterism.core.ledger.parameters import Parameters
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from asterism.errors import InputError

Fold = TypeVar("Fold")
Rules = TypeVar("Rules", bound=Parameters)
Watcher = TypeVar("Watcher")


class Asking(Asked[Fold]):
    """What a capability may look at: items, folded; `kept` are those that the ledger still has when it is asked."""

    def __init__(
        self,
        row: Capability[Fold, Rules],
        items: Sequence[Item],
        *,
        kept: Sequence[Item] | None = None,
        rules: SpaceParameters | None = None,
        vectors: Callable[[str], list[float]] | None = None,
    ) -> None:
        self.at, self._vectors, self._kinds = None, vectors, row.kinds
        self.rules = rules or SpaceParameters()
        self._part: Callable[[Projection], Fold] = lambda projection: projection.of(row)
        self.projection = self._folded(items)
        self.kept = sorted(items if kept is None else kept, key=lambda item: item.position)

    def _folded(self, items: Sequence[Item], watch: Callable[[Projection], object] = lambda _: None) -> Projection:
        projection = Projection(self.rules)
        projection.apply_all(sorted(items, key=lambda item: item.position), watch=watch(projection))
        projection.look(max((item.at for item in items), default=0))
        return projection

    @property
    def fold(self) -> Fold:
        return self._part(self.projection)

    @property
    def moment(self) -> int:
        return self.projection.latest_at or 0

    def items(self, kinds: Collection[str] = ()) -> Sequence[Item]:
        return [item for item in self.kept if item.what in (kinds or self._kinds)]

    def naming(self, nodes: Collection[str], kinds: Collection[str]) -> Sequence[Item]:
        found = [item for item in self.items(kinds) if any(quoted(node) in item.text for node in nodes)]
        return [item for item in found if self.projection.counts(item)]

    def watched(self, watch: Callable[[Fold], Watcher]) -> Watcher:
        made: list[Watcher] = []

        def begin(projection: Projection) -> Watcher:
            made.append(watch(self._part(projection)))
            return made[0]

        self._folded(self.kept, begin)
        return made[0]

    def before(self, item: Item) -> Step[Fold]:
        projection = self._folded([each for each in self.kept if each.position < item.position])
        return Step(self._part(projection), lambda: projection.apply(item))

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        if self._vectors is None:
            raise InputError("another embedder made the vectors", code="another_embedder", hint="reembed")
        return [self._vectors(text) for text in texts]

    def standing(self, node: str) -> str:
        return SpaceGraph(self.projection).standing(node)

    def family(self, node: str) -> Sequence[str]:
        return SpaceGraph(self.projection).family(node)

    def links(self, node: str) -> Sequence[Link]:
        return SpaceGraph(self.projection).told_links(node)
