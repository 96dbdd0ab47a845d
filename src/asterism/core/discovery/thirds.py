"""Pairs that are related only through others: the ends of a chain, the effects of a common cause.

In a chain or under a common cause the pair in question is always related less than either is to the star
between them. So of three stars that are all related, only the weakest pair is doubted, and only given stars to
which both of its ends are related more. Each such star is given at the delays at which it was found to stand to
either end. If the pair's correlation is then within chance, the stars explain it. Of many such stars the `MOST` that
are related to both ends the most are asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asterism.core.discovery.aligned import chance_of, partial, shifted
from asterism.core.ledger.columns import Floats

LEVEL = 0.01  # what is still this unlikely, given the thirds, is a link of its own
MOST = 8  # stars that are given for a pair


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


class Ties:
    """The related pairs of a diary, by either star."""

    def __init__(self, ties: Sequence[Tie]) -> None:
        self._of: dict[int, dict[int, Tie]] = {}
        for tie in ties:
            self._of.setdefault(tie.first, {})[tie.second] = tie
            self._of.setdefault(tie.second, {})[tie.first] = tie

    def beyond(self, tie: Tie) -> list[tuple[int, Tie, Tie]]:
        """Give the stars to which both ends of a pair are related more than to each other, with how, `MOST` of them.

        >>> Ties([Tie(0, 1, 0, 0.7), Tie(0, 2, 1, 0.6), Tie(1, 2, 1, 0.5)]).beyond(Tie(1, 2, 1, 0.5))[0][0]
        0
        """
        least, of_second = abs(tie.r), self._of.get(tie.second, {})
        both = [
            (star, one, of_second[star])
            for star, one in self._of.get(tie.first, {}).items()
            if abs(one.r) > least and star in of_second and abs(of_second[star].r) > least
        ]
        both.sort(key=lambda third: (-min(abs(third[1].r), abs(third[2].r)), third[0]))
        return sorted(both[:MOST], key=lambda third: third[0])


def explaining(tie: Tie, ties: Ties, fresh: Floats, *, share: float) -> tuple[int, ...]:
    """Name the stars that explain a pair, none when it stands by itself.

    p of the partial correlation given a third (then given all thirds at once) > .01; `share` is the part of the
    days that cleaning left free.

    >>> import numpy as np
    >>> rng = np.random.default_rng(4)
    >>> cause = rng.normal(size=90)
    >>> series = np.array([cause, cause + rng.normal(size=90), np.roll(cause, 1) + rng.normal(size=90)])
    >>> ties = [Tie(0, 1, 0, 0.7), Tie(0, 2, 1, 0.7), Tie(1, 2, 1, 0.5)]
    >>> [explaining(tie, Ties(ties), series, share=1.0) for tie in ties]
    [(), (), (0,)]
    """
    thirds = []
    for star, to_first, to_second in ties.beyond(tie):
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
