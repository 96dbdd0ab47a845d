"""What was said of a link when it was told: the notes of its evidence."""

from __future__ import annotations

from asterism.core.ledger.calendar import day_of, to_date
from asterism.core.ledger.items import Item, cut
from asterism.engine.space.live import Live

SHOWN = 5  # notes of a link


def said_of(live: Live, a: str, b: str, *, until: int, known_at: int | None) -> tuple[str, ...]:
    """Give the notes of a pair's evidence, the latest first; how many there are beyond a few is said."""
    stored = live.store.items(live.space, until_at=until, known_until=known_at, only=("evidence",))
    noted = [each.item for each in stored if each.item.note and {a, b} == {*_ends(each.item)}]
    shown = [_line(item) for item in noted[: -SHOWN - 1 : -1]]
    more = len(noted) - len(shown)
    return (*shown, f"and {more} earlier notes") if more else tuple(shown)


def _ends(item: Item) -> tuple[object, object]:
    return item.payload["a"], item.payload["b"]


def _line(item: Item) -> str:
    source = f" ({item.source})" if item.source else ""
    return f"{to_date(day_of(item.at))} {item.payload['kind']}: {cut(item.note)}{source}"
