"""The tables that a store shows beside the ledger, for anyone to query: kept to what the folds of capabilities say.

Which there are, and what stands in them, say the rows of the capabilities (`Table`). They are written in the
transaction that changes them, so whoever opens the file sees them as the ledger is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from asterism.core.ledger.items import Item, cut
from asterism.core.space.capabilities import Row
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from asterism.store.port import Store, Writing


def tend(
    store: Store, writing: Writing, space: str, known: Projection, *, added: Sequence[Item], erased: Collection[bytes]
) -> None:
    """Bring every table to what it is once some items have come and others are gone."""
    for row in known.capabilities:
        if row.table is not None:
            mine = [item for item in added if item.what in row.kinds]
            fold = _after(store, space, row, known, mine, erased)
            held, current = store.parts(space, row.table.name), row.table.parts(fold)
            for part in sorted(held.keys() - current.keys()):
                writing.put_rows(row.table.name, part, None, ())
            for part, item in sorted(current.items()):
                if held.get(part) != item:
                    writing.put_rows(row.table.name, part, item, list(row.table.rows(fold, part)))


def _after(
    store: Store, space: str, row: Row, known: Projection, added: Sequence[Item], erased: Collection[bytes]
) -> object:
    """Give what a capability has folded once some of its items have come and others are gone.

    It is folded anew where it cannot go on from what is known: what an erased item had taken the place of may be back,
    an item may have come out of order, or be of a day that is not the open one.
    """
    if not erased and row.days is None:
        after = row.copy(known.of(row))
        for item in added:
            row.apply(after, item)
        if row.unordered is None or not row.unordered.stale(after):
            return after
    every = {item.id: item for item in (*(each.item for each in store.items(space, only=row.kinds)), *added)}
    return _folded(row, known.parameters, (item for item in every.values() if item.id not in erased))


def _folded(row: Row, parameters: SpaceParameters, items: Iterable[Item]) -> object:
    """Fold all items of a capability, with days if it counts them."""
    projection = Projection(parameters)
    projection.apply_all(sorted(items, key=lambda item: item.position))
    return projection.of(row)


def table_differences(store: Store, space: str, parameters: SpaceParameters) -> list[str]:
    """Compare every table with what the ledger says, and name the parts that differ.

    A table without any part is one that nobody has written yet: a file of an earlier schema has it until the next
    write.
    """
    wrong = []
    for row in parameters.capabilities:
        table = row.table
        if table is None:
            continue
        with store.one_moment():
            held = store.parts(space, table.name)
            fold = _folded(row, parameters, (stored.item for stored in store.items(space, only=row.kinds)))
            rows = {part: store.rows(space, table.name, part) for part in held}
        current = table.parts(fold)
        for part in sorted(held.keys() | current.keys()) if held else ():
            told = f"{table.part} {cut(part)!r}"
            if part not in held:
                wrong.append(f"{table.name}: {told} is not in the table")
            elif held[part] != current.get(part):
                wrong.append(f"{table.name}: {told} is of a {table.item} that is not current")
            elif set(rows[part]) != set(table.rows(fold, part)):
                wrong.append(f"{table.name}: the {table.what} of {told}")
    return wrong
