"""The fold of explorations: energy and weight of nodes, colours and permanence of links, narratives and their links.

A narrative has one vector and one set of links: of several explorations that made it the first counts, in the order of
the ledger. One that was forgotten is put away with its links until it is restored; what its walk left on other nodes
and links stays.

Vectors of nodes are not here. A colour is kept as its share and its vector, and laid over a link's own vector, or the
mean of its ends, by whoever has those. An item that comes after a later one makes the walks *stale*: they are folded
anew, in order. So they are a function of the set of items.

The first colour of a link starts from the permanence that the link was given, not from what the walker saw: that holds
the explorations before it, which may be gone since. Of a link of another graph nothing else is known.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple

from asterism.core.ledger.items import Item, Payload, Position
from asterism.core.ledger.model import kind_in, possible_ends
from asterism.core.ledger.payloads import texts
from asterism.core.walkers.effects import FORGOTTEN, WHAT, colour_rows, injections, narrative_rows, tie_rows
from asterism.core.walkers.formulas import attenuated, blended, boosted
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.ties import TIES, WALK, Tie
from asterism.core.walkers.vectors import Vector, read, unit

DIGITS = 12
RECENT = 64  # explorations of which it is known what each changed
JOINED = "~"  # in the id of a link of the memory; other graphs name their links as they like


class Laid(NamedTuple):
    """A colour laid over a link: its share, its vector as text, and whose vectors these are."""

    share: float
    vector: str
    embedder: str


class Crystal(NamedTuple):
    """A narrative that stands in the memory."""

    name: str
    content: str
    weight: float
    energy: float
    vector: str
    embedder: str
    sources: tuple[str, ...]
    at: int

    def unit_vector(self, embedder: str) -> Vector | None:
        """Give its vector, if this embedder made it; if not, its content has to be embedded."""
        return read(self.vector) if self.embedder == embedder else None


class Touched(NamedTuple):
    """What explorations changed: the nodes that gained something, the links coloured, the narratives and links made."""

    nodes: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    narratives: tuple[str, ...] = ()
    ties: tuple[tuple[str, str], ...] = ()

    def and_then(self, other: Touched) -> Touched:
        """Put together what two explorations changed, one after the other."""
        return Touched(
            self.nodes | other.nodes,
            self.links | other.links,
            (*self.narratives, *other.narratives),
            (*self.ties, *other.ties),
        )


class Mark(NamedTuple):
    """How far walks had come, for whoever made something of them; walks that were folded anew are others."""

    walks: object
    applied: int


class Walks:
    """What the explorations of a space left behind."""

    name = "walks"

    def __init__(self, parameters: ExplorationParameters) -> None:
        self.parameters = parameters
        self.energy: dict[str, float] = {}  # given to nodes, on top of what they have
        self.weight: dict[str, float] = {}
        self.permanence: dict[str, float] = {}  # of coloured links
        self.colours: dict[str, tuple[Laid, ...]] = {}
        self.narratives: dict[str, Crystal] = {}
        self.ties: dict[tuple[str, str], Tie] = {}
        self.forgotten: set[str] = set()  # ids of narratives, also of some that are not there yet
        self.away: dict[str, Crystal] = {}  # narratives and links that are put away
        self.away_ties: dict[tuple[str, str], Tie] = {}
        self.explorations = 0
        self.dropped = 0  # colours beyond what a link keeps
        self.capped = 0  # injections beyond what a node gathers
        self.position: Position | None = None
        self.stale = False
        self.revision = object()  # another one whenever a narrative or one of its links comes, goes or comes back
        self.mark = Mark(object(), 0)
        self.recent: deque[Touched] = deque(maxlen=RECENT)  # what the last explorations changed

    def apply(self, payload: Payload, at: int, item_id: bytes, what: str = WHAT) -> None:
        """Fold one item; if it is not the next in order, the walks are stale from then on."""
        position = Position(at, item_id)
        if self.position is not None and position <= self.position:
            self.stale = True
        if self.stale:
            return
        self.position = position
        if what != WHAT:
            self._put(str(payload["narrative"]), away=what == FORGOTTEN)
            self.mark = Mark(object(), 0)
            return
        self.explorations += 1
        self.recent.append(Touched(self._inject(payload), self._colour(payload), *self._crystallise(payload, at)))
        self.mark = self.mark._replace(applied=self.mark.applied + 1)

    def touched_since(self, mark: Mark) -> Touched | None:
        """Give what explorations changed since a mark; None if that is not known any more."""
        count = self.mark.applied - mark.applied
        if mark.walks is not self.mark.walks or count > len(self.recent):
            return None
        return reduce(Touched.and_then, list(self.recent)[len(self.recent) - count :], Touched())

    def _inject(self, payload: Payload) -> frozenset[str]:
        p, told = self.parameters, injections(payload)
        for node, energy, weight in told:
            for gathered, gain, most in (
                (self.energy, energy, p.node_energy_max),
                (self.weight, weight, p.node_weight_max),
            ):
                after = round(gathered.get(node, 0.0) + gain, DIGITS)
                self.capped += after > most
                gathered[node] = min(after, most)
        return frozenset(node for node, _, _ in told)

    def _colour(self, payload: Payload) -> frozenset[str]:
        p, vectors, embedder, told = (
            self.parameters,
            texts(payload, "vectors"),
            str(payload["embedder"]),
            colour_rows(payload),
        )
        for row in told:
            factor = attenuated(row.hop, attenuation_rate=p.attenuation_rate)
            permanence = self.permanence.get(row.link)
            if permanence is None:
                permanence = self.given(row.link) if JOINED in row.link else row.permanence
            laid = Laid(
                round(blended(permanence, factor, colour_blend=p.colour_blend), DIGITS), vectors[row.vector], embedder
            )
            all_laid = (*self.colours.get(row.link, ()), laid)
            self.dropped += max(0, len(all_laid) - p.colours_kept)
            self.colours[row.link] = all_laid[-p.colours_kept :]
            self.permanence[row.link] = round(boosted(permanence, row.boost, factor), DIGITS)
        return frozenset(row.link for row in told)

    def _crystallise(self, payload: Payload, at: int) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Take in narratives, each with its links; one that is there stays as it was first made."""
        vectors, embedder, ties = texts(payload, "vectors"), str(payload["embedder"]), tie_rows(payload)
        fresh, tied = list[str](), list[tuple[str, str]]()
        for place, row in enumerate(narrative_rows(payload)):
            if row.id in self.narratives or row.id in self.away:
                continue
            self.revision = object()
            _, name, content, weight, energy, number, sources = row
            made = Crystal(name, content, weight, energy, vectors[number], embedder, tuple(sources), at)
            (self.away if row.id in self.forgotten else self.narratives)[row.id] = made
            fresh.append(row.id)
            for tie in ties[TIES * place : TIES * (place + 1)]:
                hidden = not self.forgotten.isdisjoint((tie.a, tie.b))
                (self.away_ties if hidden else self.ties).setdefault((tie.a, tie.b), tie)
                tied.append((tie.a, tie.b))
        return tuple(fresh), tuple(tied)

    def _put(self, narrative: str, *, away: bool) -> None:
        """Put a narrative away with its links, or bring it back with those whose other end is there."""
        self.revision = object()
        (self.forgotten.add if away else self.forgotten.discard)(narrative)
        every, ties = self.narratives | self.away, self.ties | self.away_ties
        self.narratives = {name: made for name, made in every.items() if name not in self.forgotten}
        self.away = {name: made for name, made in every.items() if name in self.forgotten}
        self.ties = {ends: tie for ends, tie in ties.items() if self.forgotten.isdisjoint(ends)}
        self.away_ties = {ends: tie for ends, tie in ties.items() if not self.forgotten.isdisjoint(ends)}

    # Reading

    def given(self, link: str) -> float:
        """Give the permanence that a link of the memory has before it is coloured: a narrative's link has its own."""
        pairs = [ends for a, b in possible_ends(link) for ends in ((a, b), (b, a))] if kind_in(link) == WALK else []
        ties = (each.get(ends) for each in (self.ties, self.away_ties) for ends in pairs)
        tie = next((each for each in ties if each is not None), None)
        return self.parameters.link_permanence if tie is None else tie.permanence

    def link_permanence(self, link: str, given: float, *, before: Iterable[str] = ()) -> float:
        """Give a link's permanence: what it was given, and what colouring added, under this id and those before it."""
        if JOINED not in link:
            return self.permanence.get(link, given)
        names = [name for name in (*before, link) if name in self.permanence]
        gained = math.fsum(self.permanence[name] - self.given(name) for name in names)
        return min(1.0, round(given + gained, DIGITS))

    def link_vector(self, link: str, given: Vector, *, embedder: str, before: Iterable[str] = ()) -> Vector | None:
        """Lay a link's colours over the vector it had; None if it was never coloured by this embedder."""
        known = (each for name in (*before, link) for each in self.colours.get(name, ()))
        laid = [each for each in known if each.embedder == embedder]
        return coloured(given, laid) if laid else None

    # Whole

    def copy(self) -> Walks:
        """Copy the walks."""
        copied = Walks(self.parameters)
        copied.__dict__ |= self.__dict__
        for name in ("energy", "weight", "permanence", "colours", "narratives", "ties", "away", "away_ties"):
            setattr(copied, name, dict(getattr(self, name)))
        copied.forgotten = set(self.forgotten)
        copied.mark, copied.recent = Mark(object(), 0), deque(maxlen=RECENT)
        return copied


def coloured(vector: Vector, laid: Iterable[Laid]) -> Vector:
    """Lay colours over a link's vector, one after the other: unit((1 - b) link + b colour).

    >>> from asterism.core.walkers.vectors import written
    >>> red = Laid(0.15, written(unit([0.0, 1.0])), "")
    >>> coloured(unit([1.0, 0.0]), [red]).round(4).tolist()
    [0.9848, 0.1738]
    """
    for each in laid:
        vector = unit((1.0 - each.share) * vector + each.share * read(each.vector))
    return vector


def folded(items: Iterable[Item], parameters: ExplorationParameters) -> Walks:
    """Fold the explorations of a space, given in the order (at, id)."""
    walks = Walks(parameters)
    for item in items:
        walks.apply(item.payload, item.at, item.id, item.what)
    return walks
