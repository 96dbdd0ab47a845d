"""A graph as the text that a drawing program reads: DOT for Graphviz, Mermaid for Markdown pages."""

from __future__ import annotations

from collections.abc import Iterator

from asterism.core.ledger.model import Link
from asterism.core.space.view import GraphView, is_directed, label

SHAPES = {"star": "ellipse", "block": "box", "level": "hexagon", "actor": "house", "moment": "note"}
OTHER_SHAPE = "oval"
MERMAID_SHAPES = {"star": ('(["', '"])'), "level": ('{{"', '"}}'), "actor": ('[/"', '"\\]'), "narrative": ('>"', '"]')}
MERMAID_OTHER = ('["', '"]')
MERMAID_LINES = {(True, True): "-->", (True, False): "---", (False, True): "-.->", (False, False): "-.-"}
MERMAID_ESCAPES = str.maketrans(
    {sign: f"#{ord(sign)};" for sign in '"#<>&`%\\|[]{}()*_~'}  # no sign may end the text, or begin markup
)


def dot(view: GraphView) -> Iterator[str]:
    """Write a graph for Graphviz, piece by piece; a link is as thick as it is strong, and dashed if structural."""
    yield f"digraph {quoted(view.space)} {{\n"
    yield '  graph [layout=sfdp, overlap=prism];\n  node [fontname="sans-serif"];\n  edge [fontname="sans-serif"];\n'
    for node in view.nodes:
        shape = SHAPES.get(node.kind, OTHER_SHAPE)
        yield f"  {quoted(node.id)} [label={_labelled(label(node))}, shape={shape}];\n"
    for link in view.links:
        style = "solid" if link.family == "connection" else "dashed"
        arrow = "forward" if is_directed(link) else "none"
        said = f"label={_labelled(_said(link))}, dir={arrow}, style={style}, penwidth={0.5 + 3 * link.strength:.2f}"
        yield f"  {quoted(link.a)} -> {quoted(link.b)} [{said}];\n"
    yield "}\n"


def quoted(text: str) -> str:
    """Write a text as a name of DOT.

    >>> quoted('the "cold" cache')
    '"the \\\\"cold\\\\" cache"'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _labelled(text: str) -> str:
    return quoted(text.replace("&", "&amp;"))  # Graphviz reads entities in labels


def mermaid(view: GraphView) -> Iterator[str]:
    """Write a graph for Mermaid, piece by piece; nodes are numbered, for their ids may hold signs that it reads."""
    yield "flowchart LR\n"
    numbers = {node.id: f"n{number}" for number, node in enumerate(view.nodes)}
    for node in view.nodes:
        left, right = MERMAID_SHAPES.get(node.kind, MERMAID_OTHER)
        yield f"  {numbers[node.id]}{left}{_harmless(label(node))}{right}\n"
    for link in view.links:
        line = MERMAID_LINES[link.family == "connection", is_directed(link)]
        yield f'  {numbers[link.a]} {line}|"{_harmless(_said(link))}"| {numbers[link.b]}\n'


def _said(link: Link) -> str:
    return f"{link.kind} {link.strength:.2f}"


def _harmless(text: str) -> str:
    return text.translate(MERMAID_ESCAPES)
