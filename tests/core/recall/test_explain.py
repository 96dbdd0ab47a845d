"""Why entries are linked by a name: links that the index finds."""

from __future__ import annotations

from asterism.core.recall.explain import why_named
from asterism.core.recall.index import Index
from asterism.core.recall.parameters import RecallParameters


def test_what_cannot_be_recalled_has_no_link_by_name() -> None:
    assert why_named(Index(), RecallParameters(), "a", "b", "mention") is None
