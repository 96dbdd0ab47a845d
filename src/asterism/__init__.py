"""Asterism: a living memory that grows connections from evidence.

>>> import asterism
>>> asterism.Memory.__name__
'Memory'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asterism.core.levels.book import LevelBook
    from asterism.core.space.discover import discover
    from asterism.engine.blocks.learn import Fact
    from asterism.engine.connections.observe import Evidence
    from asterism.engine.exchange.restoring import restore_backup
    from asterism.engine.memory import Memory, Snapshot
    from asterism.errors import AsterismError
    from asterism.weights.links import causal_links

__all__ = [
    "AsterismError",
    "Evidence",
    "Fact",
    "LevelBook",
    "Memory",
    "Snapshot",
    "causal_links",
    "discover",
    "restore_backup",
]

_HOMES = {
    "AsterismError": "asterism.errors",
    "Evidence": "asterism.engine.connections.observe",
    "Fact": "asterism.engine.blocks.learn",
    "LevelBook": "asterism.core.levels.book",
    "Memory": "asterism.engine.memory",
    "Snapshot": "asterism.engine.memory",
    "causal_links": "asterism.weights.links",
    "discover": "asterism.core.space.discover",
    "restore_backup": "asterism.engine.exchange.restoring",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'asterism' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
