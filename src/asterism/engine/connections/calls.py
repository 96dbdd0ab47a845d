"""What can be told of stars and the links between nodes, and of time."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from typing import TypeVar

from asterism.core.connections import read
from asterism.core.connections.fold import KINDS as CONNECTION_KINDS
from asterism.core.connections.fold import Gain
from asterism.core.connections.model import Changes, Receipt, Star
from asterism.core.ledger.calendar import When, to_datetime, to_micros
from asterism.core.ledger.items import Payload
from asterism.core.ledger.model import Link
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import node_id
from asterism.engine.connections import advance, tell
from asterism.engine.connections.tell import Evidence, EvidenceRow
from asterism.engine.space.face import Held
from asterism.engine.space.live import Live, Written
from asterism.engine.space.said import Said, item_of

Result = TypeVar("Result")
LARGE_BATCH = 1_000


class ConnectionCalls(Held):
    """What can be told of stars and links."""

    # Stars

    async def add_star(self, name: str, *, domain: str, at: When | None = None, source: str | None = None) -> Star:
        """Add a star; its id is its name in small letters. Adding it again changes nothing; its domain stays."""
        return await self._star(
            lambda live, folded: Said("star_added", tell.star_added(live, folded, name, domain, at), at, source)
        )

    async def acknowledge(self, id: str, *, at: When | None = None, source: str | None = None) -> Star:
        """Say that a star is real: NASCENT becomes FLICKERING at .3."""
        return await self._act(id, "acknowledged", at, source)

    async def engage(
        self, id: str, *, impact: float | None = None, at: When | None = None, source: str | None = None
    ) -> Star:
        """Engage with a star: it brightens by `impact` (.03), more with a bright enabler, at most .06 a day."""
        return await self._star(
            lambda _, folded: Said(
                "engaged",
                tell.engaged(folded, id, folded.parameters.connections.engage_impact if impact is None else impact),
                at,
                source,
            ),
        )

    async def set_brightness(self, id: str, value: float, *, at: When | None = None, source: str | None = None) -> Star:
        """Observe how bright a star is: sets the day's value."""
        return await self._star(
            lambda _, folded: Said(
                "brightness_observed",
                tell.brightness_observed(folded, id, value, folded.parameters.connections),
                at,
                source,
            ),
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
        return (await self.observe_many([Evidence(a, b, kind, at, source, note)]))[0]

    async def observe_many(self, rows: Iterable[EvidenceRow], *, skip_erased: bool = False) -> list[Receipt]:
        """Add much evidence at once: one transaction, all of it or none, in any order of time.

        A row that was erased is an error that names it; with `skip_erased`, its receipt says so, and the others count.
        """
        wanted = tell.evidence_rows(rows)

        def work() -> list[Receipt]:
            live = self._open()
            told = () if skip_erased else CONNECTION_KINDS
            written = live.write(lambda folded: tell.evidence_items(live, folded, wanted), told=told)
            return [_receipt(live, each) for each in written]

        if len(wanted) < LARGE_BATCH:
            return await self._runner.run(work)
        return await self._runner.run(_without_collection, work)

    async def deny(self, a: str, b: str, *, at: When | None = None, source: str | None = None) -> Link | None:
        """Deny a link that is there: .15 from WEAK and above, dissolution below."""
        return await self._link(
            a, b, lambda live, folded: Said("denied", tell.denied(live, folded, a, b, at), at, source)
        )

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
        return await self._link(
            a,
            b,
            lambda live, folded: Said(
                "type_assigned", tell.type_assigned(live, folded, a, b, kind, direction, at), at, source
            ),
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
        return await self._runner.run(
            lambda: advance.advance(
                self._open(),
                by=advance.span_ahead(days, hours),
                to=None if to is None else to_micros(to),
                discover=discover,
            )
        )

    # What the methods above share

    async def _act(self, star: str, what: str, at: When | None, source: str | None) -> Star:
        return await self._star(lambda _, folded: Said(what, {"star": tell.known_star(folded, star)}, at, source))

    async def _star(self, say: Callable[[Live, Projection], Said]) -> Star:
        def work() -> Star:
            live = self._open()
            (written,) = live.write(lambda folded: [item_of(live, say(live, folded))], told=CONNECTION_KINDS)
            found = read.star(live.refresh().connections, str(written.item.payload["star"]))
            assert found is not None
            return found

        return await self._runner.run(work)

    async def _link(self, a: str, b: str, say: Callable[[Live, Projection], Said]) -> Link | None:
        def work() -> Link | None:
            live = self._open()
            live.write(lambda folded: [item_of(live, say(live, folded))], told=CONNECTION_KINDS)
            folded = live.refresh()
            return SpaceGraph(folded).link(node_id(folded, a), node_id(folded, b))

        return await self._runner.run(work)


def _receipt(live: Live, written: Written) -> Receipt:
    gain, item = written.done, written.item
    at = to_datetime(item.at)
    if not isinstance(gain, Gain):
        payload: Payload = item.payload
        folded = live.refresh().connections
        seen = read.link(folded, str(payload["a"]), str(payload["b"]))
        strength = seen.strength if seen else 0.0
        erased = written.outcome.buried
        return Receipt(item.id.hex(), at, not erased, 0.0, 0.0, 0.0, 0.0, None, strength, strength, erased)
    return Receipt(
        item.id.hex(),
        at,
        False,
        gain.gain,
        gain.raw_gain,
        gain.freshness,
        gain.day_total,
        gain.capped_by,
        gain.before,
        gain.after,
    )


def _without_collection(work: Callable[[], Result]) -> Result:
    """Pause the cyclic collector for a large batch: none of its items is garbage, and all would be searched."""
    if not gc.isenabled():
        return work()
    gc.disable()
    try:
        return work()
    finally:
        gc.enable()
