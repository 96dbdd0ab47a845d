"""Mappings: which column of a file is which field of an event, declared by the user.

    at=ts,price=px,usd=px*qty,kind=trade,side=side

`usd` may be a product of columns and numbers. `kind` is a kind of event, or a column. What the words of a column stand
for follows it: `side=side/Buy:bid/Sell:ask`, `kind=type/T:trade/L:liquidation`. Bars are `open`, `high`, `low`,
`close` in the place of `price`, and `bar`, their length in seconds. Columns of a file without a header are #1, #2, ..
A ready layout may come first, and the rest changes it: `bars_coins,bar=3600`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from asterism.core.ledger.items import cut
from asterism.core.levels.events import ASK, BID, BOOK, BOTH, KINDS, NUMBER, PERSISTENCE, PRICE, SIDES, TRADE
from asterism.errors import InputError
from asterism.feeds.times import check_unit
from asterism.hints import Hint, option

EXAMPLE = option("mapping", "at=ts,price=px,usd=px*qty,kind=trade,side=side")
NO_KIND = len(KINDS)
FIELDS = ("at", "price", "seconds", "n", "episode", "id", "symbol")  # each is one column
BAR = ("open", "high", "low", "close")
DELIMITERS = {"tab": "\t", "semicolon": ";", "comma": ",", "pipe": "|", "space": " "}


@dataclass(frozen=True)
class Coded:
    """A column of words, and the number that each stands for."""

    column: str
    words: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Bars:
    """The columns of bars, and how long a bar is."""

    open: str
    high: str
    low: str
    close: str
    seconds: float = 60.0

    @property
    def columns(self) -> tuple[str, ...]:
        """The four prices."""
        return (self.open, self.high, self.low, self.close)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How rows become events; `str` states it in a line."""

    name: str
    at: str
    unit: str | None = None  # None: told by the numbers, if that is certain
    kind: int | Coded = TRADE
    price: str = ""
    usd: tuple[str | float, ...] = ()  # factors
    seconds: str = ""
    n: str = ""
    side: Coded | None = None
    episode: str = ""
    id: str = ""
    symbol: str = ""
    bars: Bars | None = None  # then price events, and trades at the close if there is `usd`
    delimiter: str = ","
    sort: bool = False  # by time, before use
    columns: tuple[str, ...] = ()  # of the whole file, if the layout is known by them
    note: str = ""  # what the fields do not say

    @property
    def header(self) -> bool:
        """Whether the first line names the columns."""
        return not self.at.startswith("#")

    def needs(self) -> tuple[str, ...]:
        """Give the columns that are read."""
        coded = (each.column for each in (self.kind, self.side) if isinstance(each, Coded))
        factors = (each for each in self.usd if isinstance(each, str))
        prices = self.bars.columns if self.bars else (self.price,)
        fields = (self.at, *prices, *factors, self.seconds, self.n, self.episode, self.id, self.symbol, *coded)
        return tuple(dict.fromkeys(each for each in fields if each))

    def __str__(self) -> str:
        unit = f" [{self.unit}]" if self.unit else ""
        parts = [f"{self.name}:", f"at={self.at}{unit}"]
        if isinstance(self.kind, Coded):
            parts.insert(1, f"kind={_stated(self.kind, KINDS)}")
        elif not self.bars and self.kind < NO_KIND:
            parts.insert(1, f"kind={KINDS[self.kind]}")
        if self.bars:
            parts += [f"{name}={column}" for name, column in zip(BAR, self.bars.columns, strict=True)]
            parts += [f"bar={self.bars.seconds:g}"]
        parts += [f"price={self.price}"] if self.price else []
        parts += [f"usd={'*'.join(f'{each:g}' if isinstance(each, float) else each for each in self.usd)}"] * bool(
            self.usd
        )
        parts += [f"{name}={getattr(self, name)}" for name in FIELDS[2:] if getattr(self, name)]
        parts += [f"side={_stated(self.side, SIDES)}"] if self.side else []
        parts += ["sorted"] if self.sort else []
        parts += [f"({self.note})"] if self.note else []
        return " ".join(parts)


def _stated(coded: Coded, names: tuple[str, ...]) -> str:
    words = {word.lower(): f"{word}:{names[value]}" for word, value in reversed(coded.words) if word}
    return "/".join([coded.column, *reversed(words.values())])


# What words stand for unless it is said


def spellings(words: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Give each word in small letters, with a capital and in capitals."""
    forms = (str.lower, str.capitalize, str.upper)
    return tuple({form(word): value for form in forms for word, value in words.items()}.items())


PLAIN_SIDES = spellings({"bid": BID, "ask": ASK, "both": BOTH, "": 0})
TAKER_SIDES = spellings({"sell": BID, "buy": ASK, "bid": BID, "ask": ASK, "both": BOTH, "": 0})
MAKER_SIDES = spellings({"true": BID, "false": ASK})  # the buyer was the maker: a sale into the bid
KIND_WORDS = (*((word, place) for place, word in enumerate(KINDS)), ("execution", TRADE))


def pairs_of(mapping: str | Mapping[str, str]) -> dict[str, str]:
    """Split a declared mapping into its parts; a word alone is the name of a ready layout.

    >>> pairs_of("at=ts,price=px,kind=price")
    {'at': 'ts', 'price': 'px', 'kind': 'price'}
    """
    told: object = mapping
    if not isinstance(told, str | Mapping):
        raise _bad(f"{cut(repr(told))} is no mapping", item="mapping")
    if not isinstance(mapping, str):
        return {str(key).strip(): str(value).strip() for key, value in mapping.items()}
    pairs: dict[str, str] = {}
    for part in mapping.split(","):
        key, is_pair, value = (text.strip() for text in part.partition("="))
        key, value = (key, value) if is_pair else ("layout", key)
        if not value or key in pairs:
            raise _bad(f"{cut(part.strip())!r} is no part of a mapping, or stands there twice", item=cut(part.strip()))
        pairs[key] = value
    return pairs


def declared(pairs: Mapping[str, str], start: Layout | None = None) -> Layout:
    """Make a layout of what was declared, or change a ready one."""
    known = (*FIELDS, *BAR, "usd", "side", "kind", "unit", "bar", "delimiter", "sort")
    if unknown := [key for key in pairs if key not in known]:
        raise _bad(f"{cut(unknown[0])!r} is no field of an event", item=cut(unknown[0]))
    bars = _bars(pairs, start)
    kind = _kind(pairs.get("kind"), start, bars)
    if start is None:
        needed = ("at",) if bars else ("at", "price", "kind")
        for key in needed:
            if key not in pairs:
                raise _bad(f"the mapping does not say which column is {key}", item=key)
        start = Layout(name="declared", at=pairs["at"])
    made = replace(
        start,
        bars=bars,
        kind=kind,
        columns=(),
        at=pairs.get("at", start.at),
        price=pairs.get("price", start.price),
        seconds=pairs.get("seconds", start.seconds),
        n=pairs.get("n", start.n),
        episode=pairs.get("episode", start.episode),
        id=pairs.get("id", start.id),
        symbol=pairs.get("symbol", start.symbol),
    )
    if "usd" in pairs:
        made = replace(made, usd=tuple(_factor(part) for part in pairs["usd"].split("*")))
    if "side" in pairs:
        made = replace(made, side=_coded(pairs["side"], SIDES, TAKER_SIDES if kind == TRADE else PLAIN_SIDES))
    if "unit" in pairs:
        made = replace(made, unit=check_unit(pairs["unit"]))
    if "delimiter" in pairs:
        made = replace(made, delimiter=DELIMITERS.get(pairs["delimiter"], pairs["delimiter"]))
    if "sort" in pairs:
        made = replace(made, sort=_yes(pairs["sort"]))
    return _complete(made)


def _complete(layout: Layout) -> Layout:
    """Refuse a layout whose kind needs more than it says."""
    if layout.kind in (TRADE, BOOK) and not layout.usd:
        raise _bad(f"a {KINDS[layout.kind]} needs usd", item="usd")
    if layout.kind == PERSISTENCE and not layout.seconds:
        raise _bad("a persistence needs seconds", item="seconds")
    if len(layout.delimiter.encode()) != 1 or layout.delimiter in '\n\r".-0123456789':
        raise _bad(f"{cut(layout.delimiter)!r} is not one character between columns", item="delimiter")
    if any(each.startswith("#") and (each == "#0" or not each[1:].isdecimal()) for each in layout.needs()):
        raise _bad("a column without a name is # and its number from 1", item="columns")
    if len({each.startswith("#") for each in layout.needs()}) > 1:
        raise _bad("some columns have names and some numbers", item="columns")
    return layout


def _bars(pairs: Mapping[str, str], start: Layout | None) -> Bars | None:
    bars = start.bars if start else None
    if any(name in pairs for name in BAR):
        if missing := [name for name in BAR if name not in pairs]:
            raise _bad(f"bars have {', '.join(BAR)}: there is no {missing[0]}", item=missing[0])
        bars = Bars(pairs["open"], pairs["high"], pairs["low"], pairs["close"])
    if "bar" not in pairs:
        return bars
    factor = _factor(pairs["bar"])
    if bars is None or not isinstance(factor, float) or not 0.001 <= factor <= 1e8:
        raise _bad("bar is the length of bars in seconds", item="bar")
    return replace(bars, seconds=factor)


def _kind(text: str | None, start: Layout | None, bars: Bars | None) -> int | Coded:
    if bars:
        return PRICE
    if text is None:
        return start.kind if start else NO_KIND
    return dict(KIND_WORDS)[text] if text in dict(KIND_WORDS) else _coded(text, KINDS, KIND_WORDS)


def _coded(text: str, names: tuple[str, ...], usual: tuple[tuple[str, int], ...]) -> Coded:
    """Read a column and what its words stand for."""
    column, *words = text.split("/")
    pairs = [word.partition(":") for word in words]
    if wrong := [meaning for _, _, meaning in pairs if meaning not in names]:
        raise _bad(f"{cut(wrong[0])!r} is not one of {', '.join(filter(None, names))}", item=cut(text))
    return Coded(column, tuple((word, names.index(meaning)) for word, _, meaning in pairs) or usual)


def _factor(text: str) -> str | float:
    return float(text) if NUMBER.fullmatch(text.strip()) else text.strip()


def _yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise _bad("sort is yes or no", item="sort")
    return text == "yes"


def _bad(problem: str, *, item: str) -> InputError:
    return InputError(problem, code="bad_mapping", item=item, hint=Hint("declare columns like this: ", EXAMPLE))


def missing_columns(layout: Layout, names: Iterable[str]) -> list[str]:
    """Give the columns that a layout reads and a file does not have."""
    there = set(names)
    return [column for column in layout.needs() if column not in there]
