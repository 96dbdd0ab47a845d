"""The constellation as one page of HTML that needs nothing else: nodes and links, drawn, searched, through time.

The page holds its data as JSON that no parser can take for markup, shows every text as text, and forbids itself every
request. The same sky gives the same page, to the byte.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from html import escape
from importlib import resources

from asterism.core.connections.in_words import in_words
from asterism.core.ledger.calendar import EPOCH
from asterism.core.ledger.model import Model, Plain, Why
from asterism.formats.layout import layout

WHY_LINES = 40  # of one sum that are written out; the smaller ones are added up
PER_UNIT = 1000  # strengths through time are written in thousandths
MARK = re.compile(r"(\{(?:policy|title|style|script|data)\})")
SCRIPTS = ("sky", "draw", "groups", "webgl", "canvas", "names", "tell", "lists", "use", "time")


@dataclass(frozen=True, slots=True)
class SkyNode(Model):
    """A node of the drawing: what it is, since when, and how it stood at each time (nothing where that is not kept)."""

    id: str
    kind: str
    name: str
    text: str = ""
    state: str = ""
    strength: float | None = None
    at: datetime | None = None
    strengths: tuple[float, ...] = ()
    states: tuple[str, ...] = ()
    group: str = ""  # what it folds into: its conversation, symbol, tag or domain


@dataclass(frozen=True, slots=True)
class SkyLink(Model):
    """A link of the drawing; strengths and states are those at each time, empty where only the present is known."""

    id: str
    a: str
    b: str
    kind: str
    family: str
    direction: str | None
    strength: float
    confidence: float
    state: str = ""
    at: datetime | None = None
    strengths: tuple[float, ...] = ()
    states: tuple[str, ...] = ()
    evidence: int = 0
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class SaidAndCame(Model):
    """How often predictions came true that were said to be about so probable."""

    said: float
    came: float
    count: int


@dataclass(frozen=True, slots=True)
class Sky(Model):
    """Everything a drawing shows: nodes and links, the times of its slider, and what was left out."""

    title: str
    space: str
    made_at: str
    nodes: tuple[SkyNode, ...]
    links: tuple[SkyLink, ...]
    times: tuple[datetime, ...] = ()
    now: int = 0  # which of the times is the present; what comes after it is what would be if nothing happened
    left_out: dict[str, int] = field(default_factory=dict)  # nodes and links that are not drawn
    shortened: dict[str, int] = field(default_factory=dict)  # what is drawn, with less than is known of it
    record: tuple[SaidAndCame, ...] = ()  # of settled predictions, from the least probable on

    @property
    def dissolved(self) -> int:
        """How many of the links are of the past alone: the page counts the others, and draws these where they were."""
        return sum(link.state == "DISSOLVED" for link in self.links)


def page(sky: Sky) -> str:
    """Draw the constellation as a page that needs nothing else."""
    style, script = _asset("constellation.css"), "".join(_asset(f"constellation_{name}.js") for name in SCRIPTS)
    told = json.dumps(_data(sky), separators=(",", ":"), allow_nan=False)
    parts = {
        "{policy}": "; ".join(
            (
                "default-src 'none'",
                "img-src data:",
                f"style-src 'sha256-{_hash(style)}'",
                f"script-src 'sha256-{_hash(script)}'",
                "base-uri 'none'",
                "form-action 'none'",
            )
        ),
        "{title}": escape(sky.title.encode(errors="replace").decode()),
        "{style}": style,
        "{script}": script,
        "{data}": told.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"),
    }
    pieces = MARK.split(_asset("constellation.html"))  # what is put in is not looked at again
    return "".join(parts.get(piece, piece) for piece in pieces)


def _asset(name: str) -> str:
    return resources.files("asterism.formats").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _data(sky: Sky) -> Plain:
    """Give what the page is told: columns, places, and kinds and states by number."""
    nodes = sorted(sky.nodes, key=lambda node: node.id)
    row = {node.id: place for place, node in enumerate(nodes)}
    links = [
        link for link in sorted(sky.links, key=lambda link: (-link.strength, link.id)) if {link.a, link.b} <= row.keys()
    ]
    missing = len(sky.links) - len(links)
    left = dict(sky.left_out) | ({"links to nodes that are not shown": missing} if missing else {})
    kinds = _words(node.kind for node in nodes)
    states = _words(state for node in nodes for state in (node.state, *node.states))
    states = _words((*states, *(state for link in links for state in (link.state, *link.states))))
    groups = {kind: place for place, kind in enumerate(kinds)}
    pulls = [(0.3 + 0.7 * link.strength) * (0.5 if link.family == "structural" else 1.0) for link in links]
    first = sorted(range(len(nodes)), key=lambda place: (_ms(nodes[place].at) or 0, place))
    came = {place: rank for rank, place in enumerate(first)}
    places = layout(
        len(nodes),
        [(row[link.a], row[link.b]) for link in links],
        pulls,
        [groups[node.kind] for node in nodes],
        [came[place] for place in range(len(nodes))],
    )
    members = Counter(node.group for node in nodes if node.group)
    named = _words(name for name, many in members.items() if many > 1)  # one node is no group
    group = {name: place for place, name in enumerate(named)}
    number = {state: place for place, state in enumerate(states)}
    return {
        "title": sky.title,
        "space": sky.space,
        "made": sky.made_at,
        "times": [_ms(time) for time in sky.times],
        "now": sky.now,
        "left": [[text, count] for text, count in sorted(left.items()) if count],
        "less": [[text, count] for text, count in sorted(sky.shortened.items()) if count],
        "record": [[each.said, each.came, each.count] for each in sky.record],
        "states": list(states),
        "groups": list(named),
        "state_words": [in_words(state) for state in states],
        "nodes": {
            "id": [node.id for node in nodes],
            "kind": [node.kind for node in nodes],
            "name": [node.name for node in nodes],
            "text": ["" if node.text == node.name else node.text for node in nodes],
            "state": [number[node.state] for node in nodes],
            "strength": [node.strength for node in nodes],
            "at": [_ms(node.at) for node in nodes],
            "x": places[:, 0].tolist(),
            "y": places[:, 1].tolist(),
            "group": [group.get(node.group, -1) for node in nodes],
            "strengths": [_thousandths(node.strengths) for node in nodes],
            "states": [[number[state] for state in node.states] for node in nodes],
        },
        "links": {
            "a": [row[link.a] for link in links],
            "b": [row[link.b] for link in links],
            "id": [link.id for link in links],
            "kind": [link.kind for link in links],
            "family": [link.family for link in links],
            "direction": [{"a_to_b": 1, "b_to_a": -1}.get(link.direction or "", 0) for link in links],
            "strength": [link.strength for link in links],
            "confidence": [round(link.confidence, 6) for link in links],
            "state": [number[link.state] for link in links],
            "evidence": [link.evidence for link in links],
            "at": [_ms(link.at) for link in links],
            "strengths": [_thousandths(link.strengths) for link in links],
            "states": [[number[state] for state in link.states] for link in links],
            "why": [None if link.why is None else _sum(link.why) for link in links],
        },
    }


def _words(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(found)))


def _ms(time: datetime | None) -> int | None:
    return None if time is None else (time - EPOCH) // timedelta(milliseconds=1)


def _thousandths(strengths: tuple[float, ...]) -> list[Plain]:
    return [round(value * PER_UNIT) for value in strengths]


def _sum(why: Why) -> Plain:
    """Give the lines of a sum, in their order; of many, the largest, and one line for the rest."""
    by_size = sorted(range(len(why.lines)), key=lambda place: (-abs(why.lines[place].value), place))
    kept = set(by_size[:WHY_LINES])
    lines: list[Plain] = [[in_words(line.text), line.value] for place, line in enumerate(why.lines) if place in kept]
    if rest := by_size[WHY_LINES:]:
        told = f"and {len(rest)} smaller lines"
        lines.append([told, sum(why.lines[place].value for place in sorted(rest))])
    return {"number": why.number, "lines": lines, "total": why.total, "notes": list(map(in_words, why.notes))}
