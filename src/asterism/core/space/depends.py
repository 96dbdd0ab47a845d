"""Which items stand on which: a ledger without some of it, and without what said something of what is gone then.

A node is *gone* when items made it and none of those is left. An item that needs a node which is gone goes too; an item
that speaks of many loses what it said of that one, and becomes another item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import NamedTuple

from asterism.core.ledger.about import NOTHING, Declared, Says
from asterism.core.ledger.items import Item, make_item
from asterism.core.space.capabilities import CAPABILITIES, Capabilities
from asterism.core.space.damage import SIGNS
from asterism.core.space.parameters import SpaceParameters
from asterism.core.text.names import flattened


class Lost(NamedTuple):
    """An item that went because something it stood on did."""

    item: Item
    missing: tuple[str, ...]


class Trimmed(NamedTuple):
    """An item that lost what it said of nodes that are gone, and what it says now."""

    item: Item
    now: Item
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Left:
    """A ledger without some of it."""

    items: list[Item]  # in the order (at, id)
    chosen: list[Item]  # what it is without
    lost: list[Lost]
    trimmed: list[Trimmed]
    gone: frozenset[str]

    @property
    def removed(self) -> list[Item]:
        """Every item that is not there any more, in the order (at, id)."""
        away = [*self.chosen, *(each.item for each in self.lost), *(each.item for each in self.trimmed)]
        return sorted(away, key=lambda item: item.position)


class Depends:
    """What the items of a ledger have to do with nodes and with each other."""

    def __init__(self, items: Sequence[Item], capabilities: Capabilities = CAPABILITIES) -> None:
        self.items = items
        self.capabilities = capabilities
        self._by_kind: dict[str, list[Declared]] = {}
        for row in capabilities:
            for kind in row.about.kinds:
                self._by_kind.setdefault(kind, []).append(row.about)
        self._wholes: dict[str, str | None] = {}
        self.says = {item.id: self._says(item) for item in items}
        self._what = {item.id: item.what for item in items}

    def _says(self, item: Item) -> Says:
        try:
            told = [said for each in self._by_kind.get(item.what, ()) if (said := each.says(item)) is not NOTHING]
        except SIGNS:
            self.capabilities.check(item)  # damaged since it was folded into a checkpoint; else the error is ours
            raise
        return reduce(Says.joined, told) if told else NOTHING

    @cached_property
    def nodes(self) -> frozenset[str]:
        """Every node that an item makes, needs or says something of."""
        return frozenset(
            node for said in self.says.values() for nodes in (said.makes, said.needs, said.parts) for node in nodes
        )

    @cached_property
    def called(self) -> dict[str, set[str]]:
        """The nodes that go by a name, as `flattened` writes it."""
        found: dict[str, set[str]] = {}
        for said in self.says.values():
            for name, node in said.called:
                found.setdefault(flattened(name), set()).add(node)
        return found

    def names_of(self, nodes: Collection[str]) -> set[str]:
        """Give the names by which people call some nodes."""
        return {each.name for said in self.says.values() for each in said.called if each.node in nodes}

    def one_thing(self, node: str) -> frozenset[str]:
        """Give a node with every other wording of it, earlier and later."""
        found: set[str] = set()
        fresh = {node}
        while fresh:
            found |= fresh
            fresh = {other for each in fresh for other in self._wordings.get(each, ())} - found
        return frozenset(found)

    @cached_property
    def _wordings(self) -> dict[str, set[str]]:
        """The wordings that are one thing with each, by an item that says so."""
        found: dict[str, set[str]] = {}
        for said in self.says.values():
            for node in said.same:
                found.setdefault(node, set()).update(said.same)
        return found

    @cached_property
    def _needing(self) -> dict[str, list[bytes]]:
        """The items that need each node, or a part of it."""
        found: dict[str, list[bytes]] = {}
        for name, said in self.says.items():
            wholes = {whole for node in said.needs if (whole := self.part_of(node)) is not None}
            for node in said.needs | wholes:
                found.setdefault(node, []).append(name)
        return found

    def about(self, nodes: Collection[str]) -> set[bytes]:
        """Give the items that make or need one of some nodes, with all that goes together with them."""
        wanted = set(nodes)
        apart = wanted.isdisjoint
        found = {name for name, said in self.says.items() if not (apart(said.makes) and apart(said.needs))}
        wholes = {self.says[name].whole for name in found} - {""}
        return found | {name for name, said in self.says.items() if said.whole in wholes}

    def part_of(self, node: str) -> str | None:
        """Give the node that another is a part of, where its id tells."""
        if node not in self._wholes:
            wholes = (row.about.part_of(node) for row in self.capabilities)
            self._wholes[node] = next((whole for whole in wholes if whole is not None), None)
        return self._wholes[node]

    def without(self, chosen: Collection[bytes], rules: SpaceParameters, *, gone: Iterable[str] = ()) -> Left:
        """Give the ledger without some items, and without what stood on them.

        `gone` are nodes that are to go even if something else made them.
        """
        away: dict[bytes, tuple[str, ...]] = {name: () for name in chosen if name in self.says}
        makers = Counter(node for said in self.says.values() for node in said.makes)
        always = frozenset(gone)
        missing, fresh, going = set(always), set(always), set(away)
        while going or fresh:  # each round looks only at what the round before took away
            made = [node for name in going for node in self.says[name].makes]
            makers.subtract(made)
            fresh |= {node for node in made if not makers[node]}
            fresh |= self._lost(going, away, missing | fresh, rules)
            missing |= fresh
            going = {name for node in fresh for name in self._needing.get(node, ())} - away.keys()
            away |= {name: self._missing(name, missing) for name in going}
            fresh = set()
        left = [item for item in self.items if item.id not in away]
        return self._left(left, away, always | {node for node, count in makers.items() if not count})

    def _missing(self, name: bytes, gone: Collection[str]) -> tuple[str, ...]:
        """Name the nodes that an item needs and that are gone, or are part of one that is."""
        needs = self.says[name].needs
        return tuple(sorted(node for node in needs if node in gone or self.part_of(node) in gone))

    def _lost(
        self, going: Collection[bytes], away: Collection[bytes], gone: Collection[str], rules: SpaceParameters
    ) -> set[str]:
        """Name what items that are left need and only a fold can miss, now that some items go."""
        kinds = {self._what[name] for name in going}
        folding = [row for row in self.capabilities if row.lost is not None and kinds & row.kinds]
        if not folding:
            return set()
        left = [item for item in self.items if item.id not in away]
        needed = {node for item in left for node in self.says[item.id].needs} - set(gone)
        return {
            node
            for row in folding
            if row.lost is not None
            for node in row.lost(needed, self.items, left, rules.of(row))
        }

    def _left(self, left: list[Item], away: dict[bytes, tuple[str, ...]], gone: frozenset[str]) -> Left:
        """Give what is left: whole, without a part, or, if it only spoke of what is gone, not at all."""
        kept: dict[bytes, Item] = {}
        trimmed: list[Trimmed] = []
        for item in left:
            said = self.says[item.id].parts
            parts = tuple(sorted(said & gone)) if said else ()
            now = self._trimmed(item, parts) if parts else item
            if now is None:
                away[item.id] = parts
                continue
            kept[now.id] = now
            if parts:
                trimmed.append(Trimmed(item, now, parts))
        lost = [Lost(item, away[item.id]) for item in self.items if away.get(item.id)]
        return Left(
            items=sorted(kept.values(), key=lambda item: (item.at, item.id)) if trimmed else list(kept.values()),
            chosen=[item for item in self.items if away.get(item.id) == ()],
            lost=lost,
            trimmed=trimmed,
            gone=gone,
        )

    def _trimmed(self, item: Item, gone: Collection[str]) -> Item | None:
        """Give an item without what it says of some nodes, or None if nothing is left of it."""
        payload = next(
            (said for each in self._by_kind[item.what] if (said := each.without(item.payload, gone)) is not None), None
        )
        if payload is None:
            return None
        return make_item(
            space=item.space,
            what=item.what,
            at=item.at,
            payload=payload,
            known_at=item.known_at,
            source=item.source,
            note=item.note,
        )
