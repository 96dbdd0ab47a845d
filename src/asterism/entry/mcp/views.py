"""How nodes, links and hits are told to a model: few fields, plain values, one line of text each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asterism.core.connections.in_words import in_words
from asterism.core.ledger.model import plain
from asterism.entry.mcp.schema import given, many, maybe, number, numbers, text, truth, whole

if TYPE_CHECKING:
    from asterism.core.blocks.model import BlockView
    from asterism.core.ledger.model import Link
    from asterism.core.recall.model import AnswerHit
    from asterism.engine.graph.nodes import AnyNode
    from asterism.engine.memory import Memory

VIA = 3  # links named with a hit
SHORT = 160
TOLD_FIELDS = ("at", "first_at", "times", "valid_until", "current", "source", "speaker", "session", "space")
CONFLICT_FIELDS = ("id", "text", "at", "later", "reason")
BRIEF = ("id", "space", "line", "conflicts")  # what a line of text tells of a hit
DETAILED = (*BRIEF, "kind", "probability", "score", "reason")

HIT = given(
    {
        "id": text(),
        "kind": text("block, star, level, actor, moment or narrative"),
        "name": text(),
        "text": text(),
        "score": number(),
        "probability": number("that it answers"),
        "line": text("when, how often, until when, from where, and the text"),
        "at": maybe(text("when it was told last")),
        "first_at": maybe(text()),
        "times": whole("how often"),
        "valid_until": maybe(text()),
        "current": truth("it holds at the time asked"),
        "source": text(),
        "speaker": text(),
        "session": text(),
        "space": text("where several were asked"),
        "conflicts": many(given({"id": text(), "text": text(), "at": text(), "later": truth(), "reason": text()})),
        "reason": text("what brought it here"),
        "signals": numbers("by name; their sum is the score"),
        "via": many(text(), "links that led here"),
    }
)
NODE = given(
    {
        "id": text(),
        "kind": text(),
        "name": text(),
        "text": text(),
        "state": text("of a star or block; empty if the kind has none"),
        "strength": maybe(number("brightness, confidence or strength")),
        "at": maybe(text("when it came")),
        "tags": many(text()),
        "category": text(),
    }
)
LINK = given(
    {
        "id": text(),
        "a": text(),
        "b": text(),
        "kind": text("resonance, causation, similar, caused ..."),
        "family": text("connection (from evidence) or structural"),
        "direction": maybe(text()),
        "strength": number(),
        "confidence": number(),
        "state": text(),
        "assigned": truth("a person said what kind it is"),
        "text": text("the node at the other end, in short"),
    },
)


def hit_of(hit: AnswerHit, texts: dict[str, str]) -> dict[str, Any]:
    """Tell a hit; `texts` say what the links to it come from."""
    from asterism.core.recall.prompt import line_of
    from asterism.entry.text.recalled import reasons

    return {
        "id": hit.id,
        "kind": hit.kind,
        "name": hit.name,
        "text": hit.text,
        "score": round(hit.score, 6),
        "probability": round(hit.probability, 3),
        "line": line_of(hit),
        "conflicts": [{name: plain(getattr(each, name)) for name in CONFLICT_FIELDS} for each in hit.conflicts],
        **{name: plain(getattr(hit, name)) for name in TOLD_FIELDS},
        "reason": ", ".join(reasons(hit, texts)),
        "signals": {name: round(value, 4) for name, value in hit.signals.items()},
        "via": list(hit.via[:VIA]),
    }


def hit_line(hit: dict[str, Any]) -> str:
    """Write a hit with its details."""
    return f"{brief_line(hit)}\n  {hit['kind']}, {hit['probability']:.0%} likely, {hit['score']:.2f}: {hit['reason']}"


def brief_line(hit: dict[str, Any]) -> str:
    """Write a hit as `Answer.as_prompt` does, with its id; below it what probably cannot hold together with it."""
    against = [f"\n  or: [{each['id']}] {each['at'][:10]}: {short(each['text'])}" for each in hit["conflicts"]]
    space = f"{hit['space']}: " if hit["space"] else ""
    return f"[{hit['id']}] {space}{hit['line']}" + "".join(against)


def node_of(node: AnyNode | BlockView) -> dict[str, Any]:
    """Tell a node of any kind."""
    shared = plain(node.node())
    assert isinstance(shared, dict)
    return shared | {"tags": list(getattr(node, "tags", ())), "category": getattr(node, "category", "")}


def node_line(node: dict[str, Any]) -> str:
    """Write a node."""
    name = f"{node['name']}: " if node["name"] and node["name"] != node["text"] else ""
    facts = [node["kind"], in_words(node["state"]), *(f"#{tag}" for tag in node["tags"])]
    if node["strength"] is not None:
        facts.append(f"{node['strength']:.2f}")
    return f"- {name}{node['text']}\n  [{node['id']}] {' '.join(fact for fact in facts if fact)}"


def link_of(link: Link, texts: dict[str, str]) -> dict[str, Any]:
    """Tell a link; `texts` say what its ends are."""
    return {
        "id": link.id,
        "a": link.a,
        "b": link.b,
        "kind": link.kind,
        "family": link.family,
        "direction": link.direction,
        "strength": round(link.strength, 6),
        "confidence": round(link.confidence, 6),
        "state": link.state,
        "assigned": link.assigned,
        "text": short(texts.get(link.b, "")),
    }


def link_line(link: dict[str, Any]) -> str:
    """Write a link."""
    state = f" {in_words(link['state'])}" if link["state"] else ""
    other = f": {link['text']}" if link["text"].casefold() not in ("", link["b"].casefold()) else ""
    return f"- {link['kind']} {link['strength']:.2f}{state}  {link['a']} ~ {link['b']}{other}"


def short(told: str) -> str:
    """Put a text on one line, and cut it.

    >>> short("a  b" + "c" * 200)[-3:]
    'cc…'
    """
    line = " ".join(told.split())
    return line if len(line) <= SHORT else f"{line[:SHORT]}…"


async def texts_of(memory: Memory, *ids: str) -> dict[str, str]:
    """Say what some nodes are, in a few words."""
    found = await memory.entries(*dict.fromkeys(ids))
    return {
        name: f"{entry.name}: {entry.text}" if entry.name not in ("", entry.text) else entry.text
        for name, entry in found.items()
    }


async def id_of(memory: Memory, name: str) -> str:
    """Give the id of the node that is meant by an id or a name; what is unknown stays as it is."""
    entry = (await memory.entries(name)).get(name)
    if entry is None:
        return name
    block = await memory.block(entry.id) if entry.kind == "block" else None
    return entry.id if block is None else block.superseded_by or block.id
