"""What can be told of stars and the links between nodes, and of time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from asterism.engine.space.face import Held

if TYPE_CHECKING:  # a call loads what does its work
    from asterism.core.connections.model import Changes, Receipt, Star
    from asterism.core.ledger.calendar import When
    from asterism.core.ledger.model import Link
    from asterism.core.space.discovered import Discovered
    from asterism.engine.connections.observe import EvidenceRow
    from asterism.engine.connections.tell import Saying


class ConnectionCalls(Held):
    """What can be told of stars and links."""

    # Stars

    async def add_star(
        self, name: str, *, domain: str | None = None, at: When | None = None, source: str | None = None
    ) -> Star:
        """Add a star; its id is its name in small letters. Adding it again changes nothing; its domain stays.

        A domain decides how fast it fades; without one it has a half-life of 21 days.
        """
        from asterism.engine.connections.tell import star_added

        return await self._star(
            "star_added", lambda live, folded: star_added(live, folded, name, domain, at), at, source
        )

    async def acknowledge(self, id: str, *, at: When | None = None, source: str | None = None) -> Star:
        """Say that a star is real: NASCENT becomes FLICKERING at .3."""
        return await self._act(id, "acknowledged", at, source)

    async def engage(
        self, id: str, *, impact: float | None = None, at: When | None = None, source: str | None = None
    ) -> Star:
        """Engage with a star: it brightens by `impact` (.03), more with a bright enabler, at most .06 a day."""
        from asterism.engine.connections.tell import engaged

        return await self._star("engaged", lambda _, folded: engaged(folded, id, impact), at, source)

    async def set_brightness(self, id: str, value: float, *, at: When | None = None, source: str | None = None) -> Star:
        """Observe how bright a star is: sets the day's value."""
        from asterism.engine.connections.tell import brightness_observed

        return await self._star(
            "brightness_observed", lambda _, folded: brightness_observed(folded, id, value), at, source
        )

    async def contradict(self, id: str, *, at: When | None = None, source: str | None = None) -> Star:
        """Note that what was done contradicts what was said; three make a star DARK."""
        return await self._act(id, "contradicted", at, source)

    async def mark_dark(self, id: str, *, at: When | None = None, source: str | None = None) -> Star:
        """Mark a star as DARK."""
        return await self._act(id, "dark_marked", at, source)

    async def dispute_dark(self, id: str, *, at: When | None = None, source: str | None = None) -> Star:
        """Dispute that a star is DARK: it is DIM, and contradictions are forgotten."""
        return await self._act(id, "dark_disputed", at, source)

    # Connections

    async def observe(
        self,
        a: str,
        b: str,
        kind: str,
        *,
        at: When | None = None,
        source: str | None = None,
        note: str | None = None,
    ) -> Receipt:
        """Add evidence for a link; the receipt says what it really added, and what capped it."""
        from asterism.engine.connections.observe import Evidence, observe

        (receipt,) = await self._runner.run(lambda: observe(self._open(), [Evidence(a, b, kind, at, source, note)]))
        return receipt

    async def observe_many(self, rows: Iterable[EvidenceRow], *, skip_erased: bool = False) -> list[Receipt]:
        """Add much evidence at once: one transaction, all of it or none, in any order of time.

        A row that was erased is an error that names it; with `skip_erased`, its receipt says so, and the others count.
        """
        from asterism.engine.connections.observe import evidence_rows, observe

        wanted = evidence_rows(rows)
        return await self._runner.run(lambda: observe(self._open(), wanted, skip_erased=skip_erased))

    async def deny(self, a: str, b: str, *, at: When | None = None, source: str | None = None) -> Link | None:
        """Deny a link that is there: .15 from WEAK and above, dissolution below."""
        from asterism.engine.connections.tell import denied

        return await self._link(a, b, "denied", lambda live, folded: denied(live, folded, a, b, at), at, source)

    async def assign_type(
        self,
        a: str,
        b: str,
        kind: str,
        *,
        direction: str | None = None,
        at: When | None = None,
        source: str | None = None,
    ) -> Link | None:
        """Say what kind a link that is there is; detection leaves it alone from then on."""
        from asterism.engine.connections.tell import type_assigned

        return await self._link(
            a,
            b,
            "type_assigned",
            lambda live, folded: type_assigned(live, folded, a, b, kind, direction, at),
            at,
            source,
        )

    # Time

    async def advance(
        self,
        *,
        days: float | None = None,
        hours: float | None = None,
        to: When | None = None,
        discover: bool = False,
    ) -> Changes:
        """Let time pass: decay, states, types, influence; `discover` also looks for links nobody named.

        A date as `to` means its noon UTC, as with everything that is told.
        """
        from asterism.core.ledger.calendar import to_micros
        from asterism.engine.connections.advance import advance, span_ahead

        return await self._runner.run(
            lambda: advance(
                self._open(),
                by=span_ahead(days, hours),
                to=None if to is None else to_micros(to),
                discover=discover,
            )
        )

    async def discover(self, *, detector: str = "best") -> Discovered:
        """Look through all told values for who goes with whom and who drives whom, at once; no clock moves.

        Missing days are missing, weekdays and trend are taken out, and all pairs are paid for. What is found is
        written as evidence with its figures, once a pair in 7 days and after new values of both; the answer says of
        every other pair why nothing came of it. `detector="seed"` lets the seed's own detection look instead.
        """
        from asterism.engine.connections.discover import discover

        return await self._runner.run(lambda: discover(self._open(), detector=detector))

    # What the methods above share

    async def _act(self, star: str, what: str, at: When | None, source: str | None) -> Star:
        from asterism.engine.connections.tell import known_star

        return await self._star(what, lambda _, folded: {"star": known_star(folded, star)}, at, source)

    async def _star(self, what: str, say: Saying, at: When | None, source: str | None) -> Star:
        def work() -> Star:
            from asterism.core.connections.read import star
            from asterism.engine.connections.tell import told

            live = self._open()
            payload = told(live, what, say, at, source)
            found = star(live.refresh().connections, str(payload["star"]))
            assert found is not None
            return found

        return await self._runner.run(work)

    async def _link(self, a: str, b: str, what: str, say: Saying, at: When | None, source: str | None) -> Link | None:
        def work() -> Link | None:
            from asterism.core.space.graph import SpaceGraph
            from asterism.core.space.resolve import node_id
            from asterism.engine.connections.tell import told

            live = self._open()
            told(live, what, say, at, source)
            folded = live.refresh()
            return SpaceGraph(folded).link(node_id(folded, a), node_id(folded, b))

        return await self._runner.run(work)
