"""Laying what explorations left behind over the columns that a graph is built from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from asterism.core.ledger.columns import Rows
from asterism.core.walkers.fold import Walks
from asterism.core.walkers.places import Shares
from asterism.core.walkers.vectors import Matrix, Vector, unit
from asterism.core.walkers.walker import mean_of_ends


class LinkColumns(NamedTuple):
    """Three arguments of `WalkGraph.build`."""

    permanence: Shares
    link_vectors: dict[int, Vector]
    colours: dict[int, Vector]


def laid(
    walks: Walks,
    *,
    links: Mapping[str, int],
    a: Rows,
    b: Rows,
    vectors: Matrix,
    permanence: Shares,
    embedder: str,
    own: Mapping[int, Vector] | None = None,
    stands: Callable[[str], str] = str,
) -> LinkColumns:
    """Give the permanence of all links, the vectors that links have of their own, and the coloured means of ends.

    `links` numbers the links by id; `vectors` are unit vectors of nodes, `own` vectors that links have by themselves.
    `stands` gives the id that a link has now, for one whose end was replaced.
    """
    stays = permanence.copy()
    given = {number: unit(vector) for number, vector in (own or {}).items()}
    colours: dict[int, Vector] = {}
    names: dict[str, list[str]] = {}  # by the id of now: ids before it
    for name in sorted(walks.permanence):
        link = stands(name)
        names.setdefault(link, []).extend([name] if link != name else [])
    for link, before in names.items():
        number = links.get(link)
        if number is None:  # gone since, or asleep
            continue
        stays[number] = walks.link_permanence(link, permanence[number].item(), before=before)
        base = given.get(number)
        if base is None:
            base = mean_of_ends(vectors[a[number]].astype(np.float64), vectors[b[number]].astype(np.float64))
        coloured = walks.link_vector(link, base, embedder=embedder, before=before) if base.any() else None
        if coloured is not None:
            (given if number in given else colours)[number] = coloured
    return LinkColumns(stays, given, colours)
