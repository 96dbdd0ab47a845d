"""A graph as GraphML: every attribute typed, for networkx, Gephi, yEd and Cytoscape.

The file calls its edges undirected, for a reader like networkx takes one kind only: where a link has a direction, it
leads from its source to its target, and says so in `direction`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from asterism.core.ledger.model import Link, Node
from asterism.core.space.view import GraphView, label

Cell = str | float | int | None
NODE_KEYS = {
    "label": "string",
    "kind": "string",
    "name": "string",
    "text": "string",
    "state": "string",
    "strength": "double",
    "at": "string",
}
LINK_KEYS = {
    "kind": "string",
    "family": "string",
    "direction": "string",
    "strength": "double",
    "confidence": "double",
    "state": "string",
    "evidence": "int",
    "origin": "string",
}
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\r": "&#13;"})


def node_cells(node: Node) -> dict[str, Cell]:
    """Give what is said of a node, by name; what it has not is left out."""
    cells: dict[str, Cell] = {
        "label": label(node),
        "kind": node.kind,
        "name": node.name,
        "text": node.text,
        "state": node.state,
        "strength": node.strength,
        "at": None if node.at is None else node.at.isoformat(),
    }
    return {name: cell for name, cell in cells.items() if cell not in (None, "")}


def link_cells(link: Link) -> dict[str, Cell]:
    """Give what is said of a link, by name; what it has not is left out."""
    cells: dict[str, Cell] = {
        "kind": link.kind,
        "family": link.family,
        "direction": link.direction,
        "strength": link.strength,
        "confidence": link.confidence,
        "state": link.state,
        "evidence": link.evidence.raw,
        "origin": link.origin,
    }
    return {name: cell for name, cell in cells.items() if cell not in (None, "")}


def graphml(view: GraphView) -> Iterator[str]:
    """Write a graph, piece by piece."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for side, keys in (("node", NODE_KEYS), ("edge", LINK_KEYS)):
        for name, kind in keys.items():
            yield f'  <key id="{side}-{name}" for="{side}" attr.name="{name}" attr.type="{kind}"/>\n'
    yield f'  <graph id="{escaped(view.space)}" edgedefault="undirected">\n'
    for node in view.nodes:
        yield f'    <node id="{escaped(node.id)}">{_data("node", node_cells(node))}</node>\n'
    for link in view.links:
        ends = f'source="{escaped(link.a)}" target="{escaped(link.b)}"'
        yield f'    <edge id="{escaped(link.id)}" {ends}>{_data("edge", link_cells(link))}</edge>\n'
    yield "  </graph>\n</graphml>\n"


def _data(side: str, cells: Mapping[str, Cell]) -> str:
    return "".join(f'<data key="{side}-{name}">{escaped(str(cell))}</data>' for name, cell in cells.items())


def escaped(text: str) -> str:
    """Write a text so that XML reads it back; what XML cannot hold becomes a replacement sign.

    >>> escaped('R&D < "fun"')
    'R&amp;D &lt; &quot;fun&quot;'
    """
    return NOT_XML.sub("\ufffd", text).translate(ESCAPES)
