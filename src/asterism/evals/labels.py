"""Do the listed arrows of instantly linked series agree with the series themselves?

Two looks that use no detector. For series tied within a step, cause c and effect e listed as c -> e:

* A common effect makes its causes dependent once it is given; a common cause makes its effects independent.
So for
  a - k - b with a and b unlinked, |r(a, b | k)| > |r(a, b)| marks k as a collider. If arrows are listed the
  right way round, that happens at listed colliders (a -> k <- b) and not at listed forks (a <- k -> b).
* With skewed drives E[c^2 e] - E[c e^2] is positive along c -> e when both are taken with positive skew
  (Hyvarinen and Smith 2013, Journal of Machine Learning Research 14).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from asterism.core.ledger.columns import Floats
from asterism.core.statistics.series import standardise
from asterism.evals.report import Row

Pair = tuple[int, int]


def open_triples(links: Collection[Pair], *, size: int) -> Iterator[tuple[int, int, int, str]]:
    """Give (a, k, b, shape) for a - k - b with a and b unlinked; shape is "collider", "fork" or "chain".

    >>> list(open_triples({(0, 1), (2, 1), (1, 3)}, size=4))
    [(0, 1, 2, 'collider'), (0, 1, 3, 'chain'), (2, 1, 3, 'chain')]
    """
    known = set(links)
    for middle in range(size):
        ends = [end for end in range(size) if ((end, middle) in known) != ((middle, end) in known)]
        for position, first in enumerate(ends):
            for second in ends[position + 1 :]:
                if (first, second) in known or (second, first) in known:
                    continue
                inward = ((first, middle) in known) + ((second, middle) in known)
                yield first, middle, second, ("fork", "chain", "collider")[inward]


def acts_as_collider(series: Floats, *, ends: Pair, middle: int) -> bool:
    """Tell whether two series grow more dependent once the one between them is given."""
    z = standardise(series[[ends[0], ends[1], middle]])
    r = z @ z.T / z.shape[1]
    given = (r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))
    return bool(abs(given) > abs(r[0, 1]))


def leads_by_skewness(series: Floats, *, cause: int, effect: int) -> bool:
    """Tell whether the skewness of two tied series points from the first to the second."""
    first, second = standardise(series[[cause, effect]])
    first, second = (one * (1.0 if (one**3).mean() >= 0.0 else -1.0) for one in (first, second))
    slope = float((first * second).mean())
    return bool(slope * float((first**2 * second - first * second**2).mean()) > 0.0)


def label_rows(kind: str, sets: Collection[tuple[Floats, Collection[Pair]]]) -> list[Row]:
    """Give the share of listed shapes that act as colliders, and of arrows that skewness shares."""
    seen: dict[str, list[bool]] = {"collider": [], "fork": [], "chain": []}
    led: list[bool] = []
    for series, links in sets:
        for first, middle, second, shape in open_triples(links, size=len(series)):
            seen[shape].append(acts_as_collider(series, ends=(first, second), middle=middle))
        one_way = [(cause, effect) for cause, effect in sorted(links) if (effect, cause) not in links]
        led += [leads_by_skewness(series, cause=cause, effect=effect) for cause, effect in one_way]
    rows = [
        Row(kind, f"listed {shape}s act as colliders", float(np.mean(found)), len(found))
        for shape, found in seen.items()
        if found
    ]
    if led:
        rows.append(Row(kind, "skewness agrees with listing", float(np.mean(led)), len(led)))
    return rows
