"""Pairs that are related only through others: the ends of a chain, the effects of a common cause.

In a chain or under a common cause the pair in question is always related less than either is to the star
between them. So of three stars that are all related, only the weakest pair is doubted, and only given stars to
which both of its ends are related more. Each such star is given at the delays at which it was found to stand to
either end. If the pair's correlation is then within chance, the stars explain it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asterism.core.discovery.aligned import chance_of, partial, shifted
from asterism.core.ledger.columns import Floats

LEVEL = 0.01  # what is still this unlikely, given the thirds, is a link of its own


@dataclass(frozen=True, slots=True)
class Tie:
    """A related pair: `first` leads `second` by `lag` days, with correlation `r`."""

    first: int
    second: int
    lag: int
    r: float

    def lead_to(self, star: int) -> int:
        """Tell by how many days the other star comes before this one; negative when it comes after.

        >>> Tie(0, 1, 2, 0.7).lead_to(1), Tie(0, 1, 2, 0.7).lead_to(0)
        (2, -2)
        """
        return self.lag if star == self.second else -self.lag


def explaining(tie: Tie, ties: Sequence[Tie], fresh: Floats, *, share: float) -> tuple[int, ...]:
    """Name the stars that explain a pair, none when it stands by itself.

    p of the partial correlation given a third (then given all thirds at once) > .01; `share` is the part of the
    days that cleaning left free.

    >>> import numpy as np
    >>> rng = np.random.default_rng(4)
    >>> cause = rng.normal(size=90)
    >>> series = np.array([cause, cause + rng.normal(size=90), np.roll(cause, 1) + rng.normal(size=90)])
    >>> ties = [Tie(0, 1, 0, 0.7), Tie(0, 2, 1, 0.7), Tie(1, 2, 1, 0.5)]
    >>> [explaining(tie, ties, series, share=1.0) for tie in ties]
    [(), (), (0,)]
    """
    stronger = {(each.first, each.second): each for each in ties if abs(each.r) > abs(tie.r)}
    thirds = []
    for star in range(len(fresh)):
        to_first, to_second = (_between(stronger, star, end) for end in (tie.first, tie.second))
        if to_first is None or to_second is None:
            continue
        # Days are counted at the follower: the leader's own are `lag` earlier.
        moves = {tie.lag + to_first.lead_to(tie.first), to_second.lead_to(tie.second)}
        thirds.append((star, [shifted(fresh[star], move) for move in sorted(moves)]))
    leader, follower = shifted(fresh[tie.first], tie.lag), fresh[tie.second]

    def explained(given: list[Floats]) -> bool:
        r, days = partial(leader, follower, given=given)
        return chance_of(r, freedom=days * share - 1.0 - len(given)) > LEVEL

    for star, columns in thirds:
        if explained(columns):
            return (star,)
    together = [column for _, columns in thirds for column in columns]
    return tuple(star for star, _ in thirds) if len(thirds) > 1 and explained(together) else ()


def _between(ties: dict[tuple[int, int], Tie], one: int, other: int) -> Tie | None:
    return ties.get((one, other)) or ties.get((other, one))
