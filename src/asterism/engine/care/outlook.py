"""Looking ahead: what will fade, and when, if nothing happens."""

from __future__ import annotations

from collections.abc import Sequence

from asterism.core.connections import read
from asterism.core.connections.day import Graph
from asterism.core.connections.model import Fading, Outlook, StarOutlook
from asterism.core.connections.rises import RiseWatch
from asterism.core.connections.words import LinkState
from asterism.core.ledger.arguments import whole
from asterism.core.ledger.calendar import day_of, to_date, to_datetime
from asterism.core.ledger.model import Link
from asterism.engine.care.ageing import aged
from asterism.engine.connections.advance import refuse_far_future
from asterism.engine.connections.curves import sampled
from asterism.engine.space.live import Live
from asterism.errors import InputError
from asterism.hints import Hint, mention

CURVE_POINTS = 30
STATES = [state.name for state in LinkState]


class LinksAhead(RiseWatch):
    """Notes how some links fare: their strength at every day's end, when each state comes, when half is left."""

    def __init__(self, links: Sequence[Link], rows: Sequence[int], *, causation_threshold: float) -> None:
        super().__init__(rows, causation_threshold=causation_threshold)
        self._links, self.rows = links, rows
        self.strengths = [[each.strength] for each in links]
        self._firsts: dict[tuple[int, str], int] = {}

    def after(self, stage: str, day: int, graph: Graph) -> None:
        """Note what a day leaves."""
        super().after(stage, day, graph)
        if stage == "state":
            self._note(day, day + 1, graph)

    def slept(self, day: int, until: int, graph: Graph) -> None:
        """Note what many days leave, which are all alike."""
        self._note(day, until, graph)

    def _note(self, day: int, until: int, graph: Graph) -> None:
        for place, row in enumerate(self.rows):
            strength = graph.links.strength.item(row)
            self.strengths[place].extend([strength] * (until - day))
            self._firsts.setdefault((place, STATES[graph.links.state.item(row)]), day)
            if strength <= self._links[place].strength / 2:
                self._firsts.setdefault((place, "half"), day)

    def fading(self, place: int, graph: Graph) -> Fading:
        """Tell how one of them fared."""
        link, row = self._links[place], self.rows[place]
        dates = [self._firsts.get((place, key)) for key in ("DORMANT", "DISSOLVED", "half")]
        dormant, dissolved, half = (None if day is None else to_date(day) for day in dates)
        return Fading(
            link,
            graph.links.strength.item(row),
            STATES[graph.links.state.item(row)],
            None if link.state == "DORMANT" else dormant,
            dissolved,
            half,
            sampled(self.strengths[place], CURVE_POINTS),
            tuple(self.rises[place]),
        )


def project(live: Live, to: int, *, limit: int) -> Outlook:
    """Say what will fade, and when, if nothing happens."""
    whole(limit, name="limit", least=1)
    now = live.now()
    refuse_far_future(to, now)
    if to <= now:
        raise InputError(
            f"{to_datetime(to).isoformat()} is not in the future",
            code="not_the_future",
            item=to_datetime(to).isoformat(),
            hint=Hint(mention("as_of"), " shows the past"),
        )
    start = live.view()
    ahead = start.ahead()
    folded = ahead.connections
    links = read.links(start.connections)[:limit]
    rows = [read.row_of(folded, each.a, each.b) for each in links]
    watch = LinksAhead(links, rows, causation_threshold=live.parameters.connections.causation_threshold)
    ahead.close_days(day_of(to), watch=watch)
    stars = []
    for before in read.stars(start.connections)[:limit]:
        after = read.star(folded, before.id)
        assert after is not None
        stars.append(StarOutlook(before, after.brightness, after.state))
    fading = tuple(watch.fading(place, folded.graph) for place in range(len(links)))
    return Outlook(
        to_datetime(now), to_datetime(to), fading, tuple(stars), *aged(live, start, now=now, to=to, limit=limit)
    )
