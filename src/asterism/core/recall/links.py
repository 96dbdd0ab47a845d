"""Links found without a model: from the best entries to those they name, that name them, or that share a rare name.

    mention        the text of the one holds the title of the other
    mentioned_by   the other way round
    shared_term    both texts hold a name that 2 to 60 entries hold
    similar ...    given from outside, as pairs with strengths

A link brings `source weight x link weight`: the source's weight is exp((its score - the best score) / 2), the link's
1 / sqrt(n) for a name with n other ends. A name that is in the question leads nowhere new and is left out. Of
several links to an entry the strongest counts. The `.._rest` signals are the same times the share of the question that
the source lacks and the target holds. `order` links work earlier: they are the windows of `lexical` and `vectors`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, product
from typing import Protocol

import numpy as np

from asterism.core.ledger.columns import Bools, Floats, Ints, Rows
from asterism.core.ledger.graph import Edge
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters

NAME_LINKS = ("mention", "mentioned_by", "shared_term")
GIVEN_LINKS = ("similar", "co_occurs", "outcome", "evidence", "caused")
SHARED_BY = 6  # texts that hold a name, up to which it links them all for walkers
NAMED_MOST = 1_000  # links of one name, for walkers
LINK_SIGNALS = (*NAME_LINKS, *(f"{kind}_rest" for kind in NAME_LINKS), *GIVEN_LINKS)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a link comes from: its kind, the row it leads out of, and the name they share, if it is one."""

    kind: str
    source: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    """What one kind of link brings: for each row reached, the strongest value and where it came from."""

    rows: Rows  # ascending
    values: Floats
    origins: tuple[Origin, ...]

    def to(self, row: int) -> tuple[float, Origin | None]:
        """Give what was brought to a row, and from where."""
        place = int(np.searchsorted(self.rows, row))
        if place == len(self.rows) or self.rows[place] != row:
            return 0.0, None
        return float(self.values[place]), self.origins[place]


def named(index: Index, names: Iterable[str]) -> list[Edge]:
    """Give the links that names make: a text holds the other's title, or both hold a name that few hold."""
    found = []
    for name in names:
        holding = sorted(index.ids[row] for row in index.naming(name).tolist())
        titled = sorted(index.ids[row] for row in index.titled(name).tolist())
        mentions = (("mention", a, b) for a, b in product(holding, titled))
        shared = (("shared_term", a, b) for a, b in combinations(holding if len(holding) <= SHARED_BY else (), 2))
        for kind, a, b in islice(chain(mentions, shared), NAMED_MOST):
            if a != b:
                found.append(Edge(kind, a, b, max(1, len(titled if kind == "mention" else holding) - 1) ** -0.5))
    return found


class Given(Protocol):
    """Links of one kind that are given from outside."""

    def of(self, row: int) -> tuple[Rows, Floats]:
        """Give the rows linked to one, and how strongly."""
        ...


@dataclass(frozen=True, slots=True)
class Rest:
    """Which of the question's terms each row holds, and what each term is worth."""

    worth: Floats
    held: Bools  # terms x rows

    def of(self, source: int, targets: Rows) -> Floats:
        """Give the share of the question that the source lacks and each target holds."""
        missing = np.where(self.held[:, source], 0.0, self.worth)
        return missing @ self.held[:, targets]


class Links:
    """Follows links out of the best entries of one index."""

    def __init__(self, index: Index, parameters: RecallParameters, given: Mapping[str, Given] | None = None) -> None:
        self.index = index
        self.p = parameters
        self.given = dict(given or {})

    def hop(self, sources: Sequence[tuple[int, float]], *, asked: frozenset[str], rest: Rest) -> dict[str, Reached]:
        """Follow every link out of weighted sources; names that are asked for lead nowhere."""
        found: dict[str, list[tuple[Rows, Floats, Origin]]] = {}
        for source, weight in sources:
            for origin, targets, strengths in self._out_of(source, asked):
                away = targets != source
                rows, values = targets[away], weight * strengths[away]
                found.setdefault(origin.kind, []).append((rows, values, origin))
                if origin.kind in NAME_LINKS:
                    more = values * rest.of(source, rows)
                    found.setdefault(f"{origin.kind}_rest", []).append((rows, more, origin))
        return {kind: strongest(links) for kind, links in found.items()}

    def _out_of(self, source: int, asked: frozenset[str]) -> Iterator[tuple[Origin, Rows, Floats]]:
        index, p = self.index, self.p
        own = index.titles.keys_of(source)
        for name in index.names.keys_of(source):
            if name in asked:
                continue
            titled = index.titled(name)
            if len(titled):
                yield Origin("mention", source, name), titled, _shared(titled, source)
            if name not in own and p.rare_at_least <= index.names.spread(name) <= p.rare_at_most:
                naming = index.naming(name)
                yield Origin("shared_term", source, name), naming, _shared(naming, source)
        for name in own:
            if name not in asked and 0 < index.names.spread(name) <= p.rare_at_most:
                naming = index.naming(name)
                yield Origin("mentioned_by", source, name), naming, _shared(naming, source)
        for kind, ties in self.given.items():
            rows, strengths = ties.of(source)
            if len(rows):
                yield Origin(kind, source), rows, strengths


def _shared(rows: Ints, source: int) -> Floats:
    """Spread a name's weight over the entries it leads to: 1 / sqrt(n) each."""
    others = len(rows) - int((rows == source).any())
    return np.full(len(rows), max(others, 1) ** -0.5)


def strongest(links: list[tuple[Rows, Floats, Origin]]) -> Reached:
    """Keep the strongest link to each row; of equal ones the first that was followed."""
    origins = [origin for rows, _, origin in links for _ in range(len(rows))]
    return _first_best(
        np.concatenate([rows for rows, _, _ in links]), np.concatenate([values for _, values, _ in links]), origins
    )


def merged(first: Reached, second: Reached) -> Reached:
    """Keep the stronger of what two hops brought to each row."""
    rows = np.concatenate([first.rows, second.rows])
    return _first_best(rows, np.concatenate([first.values, second.values]), [*first.origins, *second.origins])


def _first_best(rows: Rows, values: Floats, origins: Sequence[Origin]) -> Reached:
    order = np.lexsort((np.arange(len(rows)), -values, rows))
    first = np.ones(len(order), dtype=bool)
    first[1:] = rows[order][1:] != rows[order][:-1]
    kept = order[first]
    return Reached(rows[kept], values[kept], tuple(origins[place] for place in kept))
