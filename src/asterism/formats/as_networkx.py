"""A graph for networkx, which is asked for only here."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from asterism.core.space.view import GraphView, is_directed
from asterism.errors import InputError
from asterism.formats.graphml import link_cells, node_cells

if TYPE_CHECKING:
    from networkx import MultiDiGraph, MultiGraph

NetworkxGraph: TypeAlias = "MultiGraph[str] | MultiDiGraph[str]"


def as_networkx(view: GraphView, *, directed: bool = False) -> NetworkxGraph:
    """Give a MultiGraph; or, directed, a MultiDiGraph in which a link without a direction stands both ways.

    The key of an edge is its link's id; names and values of nodes and edges are those of the GraphML file.
    """
    try:
        import networkx
    except ImportError:
        raise InputError(
            "this needs networkx, which is not installed",
            code="no_networkx",
            item="networkx",
            hint="pip install networkx, or write GraphML",
        ) from None
    graph: NetworkxGraph = networkx.MultiDiGraph() if directed else networkx.MultiGraph()
    graph.graph |= {"space": view.space, "at": view.at.isoformat()}
    for node in view.nodes:
        graph.add_node(node.id, **node_cells(node))
    for link in view.links:
        cells = link_cells(link)
        graph.add_edge(link.a, link.b, key=link.id, **cells)
        if directed and not is_directed(link):
            graph.add_edge(link.b, link.a, key=link.id, **cells)
    return graph
