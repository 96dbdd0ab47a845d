"""What a look through all told values says: of every star, of every pair, and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from asterism.core.connections.found_why import Figures, many, sentence
from asterism.core.ledger.model import Model, link_id

TELLING = ("drives", "together")


@dataclass(frozen=True, slots=True)
class Observed(Model):
    """A star with the days on which a value was told, and why it was left out, if it was."""

    id: str
    name: str
    days: int
    first: date
    last: date
    left_out: str | None = None


@dataclass(frozen=True, slots=True)
class Tested(Model):
    """What was tested of a pair and what came of it; figures that a detector does not have are None.

    `leads` is the star whose days come first, by `lag_days`. `written` says that a finding was, `note` why not.
    """

    a: str
    b: str
    verdict: str  # drives, together, through, nothing
    reason: str
    direction: str = "none"
    lag_days: int = 0
    leads: str | None = None
    days: int = 0
    r: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    limit: float | None = None
    skill: float | None = None
    backward: float | None = None
    through: tuple[str, ...] = ()
    written: bool = False
    gone: bool = False  # it was found before, and no longer holds
    note: str = ""

    @property
    def link(self) -> str:
        """The id of the link of this pair."""
        return link_id(self.a, self.b)

    def sentence(self, names: Mapping[str, str]) -> str:
        """Say in words what goes with what, or that nothing does.

        >>> Tested("mood", "sleep", "together", "same day", r=0.88, low=0.81, high=0.93, days=60).sentence({})
        'mood goes with sleep on the same day: r .88 (.81 to .93), 60 days'
        """
        first = self.a if self.leads is None else self.leads
        second = self.b if first == self.a else self.a
        one, other = names.get(first, first), names.get(second, second)
        figures = Figures(self.r, self.low, self.high, self.days)
        if self.verdict in TELLING:
            drives = self.verdict == "drives"
            return sentence(one, other, drives=drives, lag_days=self.lag_days, figures=figures, skill=self.skill)
        through = " and ".join(names.get(each, each) for each in self.through)
        told = f"; {figures}" if self.r is not None else ""
        return f"{one} and {other}: {self.reason}{f' ({through})' if through else ''}{told}"


@dataclass(frozen=True, slots=True)
class Discovered(Model):
    """Every star with values and every pair tested, the strongest first; tests paid for; findings written."""

    detector: str
    stars: tuple[Observed, ...]
    pairs: tuple[Tested, ...]
    tests: int
    written: int

    def told(self) -> tuple[Tested, ...]:
        """Give what is worth telling as a link: pairs that drive or go together by themselves."""
        return tuple(pair for pair in self.pairs if pair.verdict in TELLING)

    def news(self) -> list[str]:
        """Say what was written: what goes with what, and what no longer does."""
        names = self.names()
        new = [pair.sentence(names) for pair in self.told() if pair.written]
        gone = [f"{pair.sentence(names)}, no longer holds" for pair in self.pairs if pair.gone]
        return [*new, *gone][: self.written]

    def nothing(self) -> dict[str, int]:
        """Count the pairs of which nothing came by why, the most frequent reason first."""
        return dict(Counter(pair.reason for pair in self.pairs if pair.verdict not in TELLING).most_common())

    def names(self) -> dict[str, str]:
        """Give the names of stars, by id."""
        return {star.id: star.name for star in self.stars}

    def __str__(self) -> str:
        names = self.names()
        lines = [f"  {pair.sentence(names)}" for pair in self.told()]
        lines += [f"  {pair.sentence(names)}, no longer holds" for pair in self.pairs if pair.gone]
        told = "\n".join(lines) or "  nothing goes with anything, as far as the values tell"
        pairs, stars = many(len(self.pairs), "pair"), many(len(self.stars), "star")
        return f"{pairs} of {stars} looked at:\n{told}"
