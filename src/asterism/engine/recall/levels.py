"""Market levels among the answers: a question that names a symbol finds its levels, nearest the price it names.

Levels change with every feed, so they are not in the index of recall; they are looked up when a symbol is named. A
level's score is the sum of three signals: its symbol is named, a price is named that is near (each weighs as much as
the name of an entry), it is strong.
"""

from __future__ import annotations

from dataclasses import replace

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.graph import Entry
from asterism.core.levels.model import Level
from asterism.core.recall.chance import Raw, is_unsure, probability
from asterism.core.recall.model import Answer, AnswerHit
from asterism.core.recall.rank import CHARACTERS_PER_TOKEN
from asterism.core.text.names import Names, flattened, prices_in
from asterism.engine.market import feed as market
from asterism.engine.recall.answer import Question, Sight, Walk, recall, within
from asterism.engine.space.live import Live
from asterism.hints import Hint, mention

NAMED = Raw(held=1.0, match=1.0, titled=1.0)  # a level is asked for by its name
SYMBOL, PRICE, STRENGTH = "symbol_named", "price_near", "level_strength"  # the signals


def answer(
    live: Live, seen: Sight, asked: Question, walk: Walk | None = None, *, at: int | None, known_at: int | None
) -> Answer:
    """Answer a question, with the levels it names among the hits: `recall_levels_max` of a symbol at most, beside k."""
    most = live.parameters.recall.recall_levels_max
    named = symbols_named(live, asked.query) if most else []
    if not named:
        return recall(seen, asked, walk)
    found_by_words = recall(seen, replace(asked, budget_tokens=None), walk)  # one budget holds for all of them
    return _with_levels(live, asked, found_by_words, named, at=at, known_at=known_at)


def _with_levels(
    live: Live, asked: Question, answer: Answer, named: list[str], *, at: int | None, known_at: int | None
) -> Answer:
    most = live.parameters.recall.recall_levels_max
    hits, notes, searched = list(answer.hits), list(answer.notes), answer.searched
    for symbol in named:
        book = market.look(live, symbol, at=at, known_at=known_at)
        levels = [each for each in book.levels() if asked.only.failed(entry_of(each), None) is None]
        found = [_hit(live, each, prices_in(asked.query)) for each in levels]
        found.sort(key=lambda hit: (-hit.score, hit.id))
        if len(found) > most:
            told = f"{symbol} has {len(found)} levels: {most} of them were looked at ("
            notes.append(Hint(told, mention("levels", symbol), " gives all)"))
        searched += len(found)
        for hit in found[:most]:
            if asked.floor is None or hit.probability >= asked.floor:
                _put(hits, hit)
    if asked.budget_tokens is not None:
        hits = list(within(hits, asked.budget_tokens))
    unsure = answer.unsure and is_unsure(live.parameters.recall, [hit.probability for hit in hits])
    return replace(answer, hits=tuple(hits), notes=tuple(notes), searched=searched, unsure=unsure)


def level_called(live: Live, node: str, *, at: int | None, known_at: int | None) -> Level | None:
    """Give the level of an id as it is, or as it was; None if there is none."""
    symbol = node.rpartition("@")[0]
    if symbol not in live.refresh().levels.symbols:
        return None
    levels = market.look(live, symbol, at=at, known_at=known_at).levels()
    return next((level for level in levels if level.id == node), None)


def symbols_named(live: Live, query: str) -> list[str]:
    """Give the known symbols that a question names: written as they are, or in either case if it names a price."""
    symbols = live.held.levels.symbols
    flat = flattened(query) if symbols else ""
    near = [name for name in sorted(symbols) if flattened(name) in flat]
    found = Names((name, name) for name in near).find(query) if near else []
    return [name for name in found if name in query or prices_in(query)]


def entry_of(level: Level) -> Entry:
    """Give a level as what a filter looks at."""
    return Entry(id=level.id, text="", kind="level", at=to_micros(level.last_seen))


def _hit(live: Live, level: Level, prices: list[float]) -> AnswerHit:
    reach, weight = live.parameters.levels.reach, live.parameters.recall.weight_name
    away = min((abs(price - level.price) / level.price for price in prices), default=None)
    signals = {SYMBOL: weight, STRENGTH: level.importance * live.parameters.recall.weight_evidence}
    if away is not None:
        signals[PRICE] = weight * (1.0 if away <= reach else reach / away)
    text = told(level)
    return AnswerHit(
        id=level.id,
        kind="level",
        text=text,
        name=f"{level.symbol} {level.price:g}",
        score=sum(signals.values()),
        signals=signals,
        via=(),
        links=(),
        tokens=-(-len(text) // CHARACTERS_PER_TOKEN),
        probability=probability(live.parameters.recall, NAMED, 0.0, first=True),
        at=level.last_seen,
        first_at=level.first_seen,
        times=level.interactions,
        current=level.active,
        source=level.symbol,
    )


def told(level: Level) -> str:
    """Say in a sentence what a market remembers of a price."""
    turned = f"turned the price {_times(level.rejections)}" if level.rejections else "never turned the price"
    broke = f"broke {_times(level.breaks)}" if level.breaks else "never broke"
    return (
        f"{level.symbol} remembers {level.price:.12g} with strength {level.strength:.2f}: made by {level.reason}, "
        f"{turned}, {broke}, last seen {level.last_seen:%Y-%m-%d %H:%M}"
    )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _put(hits: list[AnswerHit], level: AnswerHit) -> None:
    """Put a level where its score belongs; if links led to it already, what they brought counts too."""
    known = next((hit for hit in hits if hit.id == level.id), None)
    if known is not None:
        hits.remove(known)
        signals = level.signals | {each.kind: known.signals[each.kind] for each in known.links}
        level = replace(level, signals=signals, score=sum(signals.values()), via=known.via, links=known.links)
    place = next((place for place, hit in enumerate(hits) if hit.score < level.score), len(hits))
    hits.insert(place, level)
