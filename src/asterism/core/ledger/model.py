"""What every capability's values can do: say themselves as plain parts, and explain a number or a gate."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from typing import ClassVar

LINK_KIND = re.compile(r"#[a-z_]+$")  # at the end of the id of a structural link
NODE_KINDS = ("star", "block", "level", "actor", "moment", "narrative", "thing", "place")
Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


def plain(value: object) -> Plain:
    """Turn a value into what JSON can say: times as ISO text, values as objects.

    >>> plain(Line("decay", -0.01))
    {'text': 'decay', 'value': -0.01}
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    assert isinstance(value, Sequence), value
    return [plain(entry) for entry in value]


class Model:
    """Base of the values a reader gets."""

    def to_dict(self) -> dict[str, Plain]:
        """Give the value as plain JSON-able parts."""
        told = plain(self)
        assert isinstance(told, dict)
        return told


class Noded(Model):
    """Base of the values that are nodes of a kind; each also has the names that all nodes share (see `Node`)."""

    kind: ClassVar[str]

    def node(self) -> Node:
        """Give only what every node has."""
        return Node(*(getattr(self, field.name) for field in fields(Node)))

    def to_dict(self) -> dict[str, Plain]:
        """Give the value as plain JSON-able parts, its kind among them."""
        told = plain(self)
        assert isinstance(told, dict)
        return {"kind": self.kind} | told


@dataclass(frozen=True, slots=True)
class Node(Model):
    """A node of any kind, in the words that all kinds share."""

    id: str
    kind: str  # one of NODE_KINDS, or of a further capability
    name: str  # "" if it has none
    text: str  # what it says
    state: str  # "" if its kind has none
    strength: float | None  # its own number in [0, 1]: brightness, confidence, strength
    at: datetime | None  # when it came, if its kind says

    def node(self) -> Node:
        """Give only what every node has: this."""
        return self


@dataclass(frozen=True, slots=True)
class Line(Model):
    """One line of an explanation: what it was, and what it added."""

    text: str
    value: float


@dataclass(frozen=True, slots=True)
class Why(Model):
    """An explanation whose lines add up to the number it explains."""

    subject: str
    number: str
    lines: tuple[Line, ...]
    total: float
    notes: tuple[str, ...] = ()
    found: Model | None = None  # of a link that was found in told values: the finding, and the days it saw

    def __str__(self) -> str:
        width = max([len(line.text) for line in self.lines] + [len(self.number) + 2, 24])
        rows = [f"{self.subject}: {self.number} {self.total:.6f}"]
        rows += [f"  {line.text:<{width}}  {line.value:+.6f}" for line in self.lines]
        rows += [f"  {'= ' + self.number:<{width}}  {self.total: .6f}"]
        rows += [f"  {note}" for note in self.notes]
        return "\n".join(rows)


@dataclass(frozen=True, slots=True)
class NeededChange(Model):
    """A signal that alone would bring it in: what it brings, what it would have to bring, whether any reaches that."""

    signal: str
    value: float
    needed: float
    possible: bool


@dataclass(frozen=True, slots=True)
class WhyNotAnswer(Model):
    """Which gate keeps something out, where it stands, what it would need, and the smallest change that helps."""

    id: str
    gate: str  # in, filter, rank, dormant, budget, gone, unnamed, crowded; of two blocks or a connection: docs/why.md
    value: float
    needed: float
    change: str
    rank: int | None = None
    signals: dict[str, float] | None = None
    changes: tuple[NeededChange, ...] = ()
    ask: dict[str, object] | None = None  # what to ask otherwise, by the names of recall's arguments
    tell: tuple[str, ...] = ()  # a call to make instead, and its arguments; behind a confirmation how many, one a day

    def __str__(self) -> str:
        return f"{self.id}: {self.gate} ({self.value:.4f}, needed {self.needed:.4f}). {self.change}"


def link_id(a: str, b: str, kind: str = "") -> str:
    """Name a connection by its ends, in either order; a structural link by its kind too.

    >>> link_id("sleep", "mood"), link_id("sleep", "mood", "similar")
    ('mood~sleep', 'mood~sleep#similar')
    """
    ends = f"{a}~{b}" if a < b else f"{b}~{a}"
    return f"{ends}#{kind}" if kind else ends


def link_ids(links: Iterable[tuple[str, str, str]]) -> list[str]:
    """Name many links, each by its kind and its ends.

    >>> link_ids([("", "sleep", "mood"), ("similar", "sleep", "mood")])
    ['mood~sleep', 'mood~sleep#similar']
    """
    return [link_id(a, b, kind) for kind, a, b in links]


def possible_ends(link: str) -> list[tuple[str, str]]:
    """Give the pairs of nodes that a link may join: more than one if an id has the sign in it that joins two.

    >>> possible_ends("mood~sleep#similar"), possible_ends("bo~a~sleep")
    ([('mood', 'sleep')], [('bo', 'a~sleep'), ('bo~a', 'sleep')])
    """
    ends = LINK_KIND.sub("", link)
    return [(ends[:place], ends[place + 1 :]) for place, sign in enumerate(ends) if sign == "~"]


def kind_in(link: str) -> str:
    """Give the kind that the id of a structural link names; none for a connection.

    >>> kind_in("mood~sleep#similar"), kind_in("di#1~sleep")
    ('similar', '')
    """
    found = LINK_KIND.search(link)
    return "" if found is None else found[0][1:]


@dataclass(frozen=True, slots=True)
class EvidenceCount(Model):
    """How much evidence a link has: every item, and what of it still counts."""

    raw: int
    effective: float


UNTOLD = EvidenceCount(0, 0.0)  # of a structural link


@dataclass(frozen=True, slots=True)
class Link(Model):
    """A link as it stands, seen from `a`: a connection, or a structural link, which has no state and no evidence."""

    id: str
    a: str
    b: str
    kind: str
    family: str
    direction: str | None
    strength: float
    confidence: float
    state: str  # "" if structural
    evidence: EvidenceCount
    last_engaged: datetime | None
    origin: str
    assigned: bool
    holds: bool | None = None  # of one found in told values: whether they still support it


def structural(
    kind: str,
    a: str,
    b: str,
    strength: float,
    *,
    origin: str,
    directed: bool = False,
    seen_from: str | None = None,
) -> Link:
    """Give a structural link from its first end, or from where it is seen; a directed one leads to the second.

    >>> link = structural("caused", "rain", "flood", 0.5, origin="transcript", directed=True, seen_from="flood")
    >>> link.id, link.a, link.b, link.direction
    ('flood~rain#caused', 'flood', 'rain', 'b_to_a')
    """
    turned = seen_from == b
    if turned:
        a, b = b, a
    return Link(
        id=link_id(a, b, kind),
        a=a,
        b=b,
        kind=kind,
        family="structural",
        direction=None if not directed else "b_to_a" if turned else "a_to_b",
        strength=strength,
        confidence=1.0,
        state="",
        evidence=UNTOLD,
        last_engaged=None,
        origin=origin,
        assigned=False,
    )


@dataclass(frozen=True, slots=True)
class ConflictWith(Model):
    """What something is in conflict with: the other's id, text and last time, and whether it is the later one."""

    id: str
    text: str
    at: datetime
    later: bool
    reason: str
    confidence: float
