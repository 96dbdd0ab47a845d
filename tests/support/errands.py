"""A sixth capability, written in the tests alone: errands, each a text that is to be done for a star.

`errand_set` says so; said again of one errand, the later word counts, whatever the order in which they came.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.about import Called, Declared, Says
from asterism.core.ledger.capability import Capability
from asterism.core.ledger.columns import Columns, prefixed, text_column, texts_of, under
from asterism.core.ledger.graph import Edge, Entry, Shown
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Link, structural
from asterism.core.ledger.parameters import Parameters, number
from asterism.core.ledger.payloads import check_fields, text
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.text.names import flattened

SET = "errand_set"
FOR = "for"


@dataclass(frozen=True)
class ErrandParameters(Parameters):
    """What can be set of errands."""

    errand_weight: float = number(0.5, 0, 1, "strength", "tests", "how strongly an errand is linked to its star")


class Errand(NamedTuple):
    at: int
    id: bytes  # of the item: of two at one time, the larger counts
    text: str
    star: str


@dataclass
class Errands:
    parameters: ErrandParameters
    errands: dict[str, Errand] = field(default_factory=dict)
    revision: object = field(default_factory=object)

    def apply(self, item: Item) -> Errand:
        name = str(item.payload["errand"])
        told = Errand(item.at, item.id, str(item.payload["text"]), str(item.payload["star"]))
        self.errands[name] = max(told, self.errands.get(name, told))
        self.revision = object()
        return told

    def copy(self) -> Errands:
        return Errands(self.parameters, dict(self.errands), self.revision)

    def entry(self, node: str) -> Entry | None:
        errand = self.errands.get(node)
        return None if errand is None else Entry(node, errand.text, name=node, at=errand.at, kind="errand")

    def entries(self) -> Iterator[Entry]:
        return (entry for node in sorted(self.errands) if (entry := self.entry(node)))

    def links(self, node: str | None) -> Iterator[Link]:
        for name, errand in self.errands.items():
            if node in (None, name, errand.star):
                yield structural(
                    FOR, name, errand.star, self.parameters.errand_weight, origin="errands", seen_from=node
                )

    def edges(self) -> Iterator[Edge]:
        return (Edge(FOR, each.a, each.b, each.strength) for each in self.links(None))


def dump(folded: Errands) -> Columns:
    names = sorted(folded.errands)
    told = [folded.errands[name] for name in names]
    columns: Columns = {
        "at": np.array([each.at for each in told], dtype=np.int64),
        "item": np.frombuffer(b"".join(each.id for each in told), dtype=np.uint8),
    }
    texts = {"name": names, "text": [each.text for each in told], "star": [each.star for each in told]}
    return prefixed("errands", columns | {name: text_column(column) for name, column in texts.items()})


def load(columns: Columns, parameters: ErrandParameters) -> Errands:
    mine = under("errands", columns)
    ids = mine["item"].tobytes()
    rows = zip(texts_of(mine["name"]), mine["at"].tolist(), texts_of(mine["text"]), texts_of(mine["star"]), strict=True)
    told = {
        name: Errand(at, ids[16 * place : 16 * place + 16], said, star)
        for place, (name, at, said, star) in enumerate(rows)
    }
    return Errands(parameters, told)


def says(item: Item) -> Says:
    errand, star = str(item.payload["errand"]), str(item.payload["star"])
    return Says(makes=frozenset({errand}), needs=frozenset({star}), called=(Called(errand, errand),))


ERRANDS: Capability[Errands, ErrandParameters] = Capability(
    name="errands",
    parameters=ErrandParameters,
    kinds=frozenset({SET}),
    check=lambda item: check_fields(item.payload, {"errand": text, "text": text, "star": text}),
    begin=Errands,
    apply=Errands.apply,
    copy=Errands.copy,
    dump=dump,
    load=load,
    graph=Shown(
        kinds=("errand",),
        revision=lambda folded: folded.revision,
        entries=Errands.entries,
        entry=Errands.entry,
        names={"errand": lambda folded: [Called(node, node) for node in folded.errands]},
        called=lambda folded, name: [node for node in folded.errands if flattened(node) == name],
        links=Errands.links,
        edges=Errands.edges,
    ),
    about=Declared(frozenset({SET}), says),
)
WITH_ERRANDS = CAPABILITIES.and_also(ERRANDS)
