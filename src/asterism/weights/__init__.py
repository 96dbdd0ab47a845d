"""Weights that ship with the package: one JSON file a table, each with where its numbers come from.

The core holds rules and opens no file; it asks for a table by name (`Tables`), and here is who has them. A file is read
when its table is first asked for: opening a memory, or reading with the seed's scorer, reads none.
"""

from __future__ import annotations

from functools import cache

from asterism.core.dialogue.tables import TABLES, Table
from asterism.errors import InputError

__all__ = ["reply_table"]


@cache
def reply_table(name: str) -> Table:
    """Give a shipped reply table by its name.

    >>> table = reply_table("channel")
    >>> table.window, table.fitted_on
    (60, 'the 72 train logs of the IRC reply links (CC BY 4.0)')
    """
    if name not in TABLES:
        raise InputError(
            f"there is no table {name!r}", code="unknown_table", item=name, hint=f"use one of {', '.join(TABLES)}"
        )
    from importlib.resources import files  # only who asks for a table pays for what reads it

    from asterism.weights.table_files import table_of

    return table_of(files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8"))
