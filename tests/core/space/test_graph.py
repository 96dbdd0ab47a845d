"""The one graph of a projection."""

from __future__ import annotations

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.ledger.items import make_item
from asterism.core.space.graph import nodes_there
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection


def test_what_evidence_names_is_there_without_a_star_or_block_of_that_name() -> None:
    projection = Projection(SpaceParameters(ConnectionParameters()))
    assert nodes_there(projection) == set()
    payload = {"a": "sleep", "b": "mood", "kind": "user_creates"}
    projection.apply(make_item(space="s", what="evidence", at=0, payload=payload, known_at=0))
    assert nodes_there(projection) == {"sleep", "mood"}
