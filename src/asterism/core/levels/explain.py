"""Why a level is as strong as it is, by folding the batches of its symbol again; and what a batch held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

from asterism.core.ledger.explain import Added, Asked, Explains
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import Line, Why
from asterism.core.ledger.nodes import is_price, level_id, symbol_of
from asterism.core.levels.events import KINDS
from asterism.core.levels.fold import Levels, MarketBatch
from asterism.core.text.near import did_you_mean
from asterism.errors import UnknownError
from asterism.hints import Blank, Hint, elsewhere, step

if TYPE_CHECKING:  # whoever folds books need not know how one is told
    from asterism.core.levels.history import History


def why_node(asked: Asked[Levels], node: str) -> Why | None:
    """Explain a level, there or gone: its items in order with what each added, and what decay took."""
    from asterism.core.levels.history import why

    symbol, price = _parts(node)
    if symbol not in asked.fold.symbols or price is None:
        return None
    return why(_history(asked, symbol), price, _until(asked, symbol))


def _parts(node: str) -> tuple[str, float | None]:
    """Read the id of a level; a price may be written with commas."""
    symbol, _, price = node.rpartition("@")
    price = price.replace(",", "")
    return symbol, float(price) if is_price(price) else None


def _until(asked: Asked[Levels], symbol: str) -> int:
    return asked.fold.symbols[symbol].book.latest if asked.at is None else asked.at


def _history(asked: Asked[Levels], symbol: str) -> History:
    from asterism.core.levels.history import history

    return history(asked.items(), symbol, asked.fold.parameters, until=_until(asked, symbol))


def missing(asked: Asked[Levels], node: str) -> UnknownError | None:
    """Say that a symbol has no such level, or that there is no such symbol."""
    symbol, price = _parts(node)
    if symbol not in asked.fold.symbols:
        return None if symbol_of(node) is None else unknown_symbol(symbol, asked.fold.symbols)
    columns = _history(asked, symbol).columns
    centres = columns["centre"][columns["level"] == 1].tolist()
    near = None if price is None else min(centres, key=lambda each: abs(each - price), default=None)
    return UnknownError(
        f"there is no level {node}",
        code="unknown_level",
        item=node,
        hint=Hint(step("levels", symbol), " lists those there are")
        if near is None
        else f"did you mean {level_id(symbol, near)}?",
    )


def unknown_symbol(name: object, symbols: Collection[str]) -> UnknownError:
    """Say that nothing was fed of a symbol."""
    return UnknownError(
        f"there is no symbol {name!r} in this space",
        code="unknown_symbol",
        item=str(name),
        hint=did_you_mean(str(name), list(symbols))
        or Hint(
            elsewhere(step("symbols"), " lists those there are; "),
            "feed it first: ",
            step("feed", Blank("symbol"), Blank("events")),
        ),
    )


def added(_: Asked[Levels], item: Item) -> Added:
    """Count the events of a batch."""
    batch = MarketBatch.of(item)
    counts = Counter(KINDS[kind] for kind in batch.events.kind.tolist())
    lines = [Line(f"{kind} events of {batch.symbol}", float(count)) for kind, count in sorted(counts.items())]
    return Added("events", lines, [f"{batch.malformed} malformed rows were left out"] if batch.malformed else [])


EXPLAINS: Explains[Levels] = Explains(node=why_node, item=added, missing=missing)
