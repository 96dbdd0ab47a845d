"""The compiled book gives the bits of the plain one, whatever the feed, the parameters and the cuts.

Coverage does not see compiled code. The kernel is therefore run a third way: its own functions, interpreted.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.core.levels import kernel, kernel_book, kernel_path, kernel_places, kernel_tables
from asterism.core.levels.events import BOOK, LIQUIDATION, PERSISTENCE, PRICE, REJECTION, TRADE, Events
from asterism.core.levels.kernel_book import KernelBook
from asterism.core.levels.parameters import LevelParameters
from asterism.core.levels.plain import PlainBook
from asterism.core.levels.state import DROPS, EFFECTS, OUTSIDE, Book, Fed, Log
from asterism.core.space.projection import differences
from tests.support.levels import STEP, Chosen, Feed, Step, chosen_by_chance, feed_of, parameter_sets, steps_by_chance

KERNEL = (kernel_tables, kernel_places, kernel_path, kernel)


def compiled_functions() -> dict[str, FunctionType]:
    """Give the functions that are compiled, as they are written."""
    found = {name: getattr(value, "py_func", None) for part in KERNEL for name, value in vars(part).items()}
    return {name: function for name, function in found.items() if isinstance(function, FunctionType)}


def interpreted() -> type[KernelBook]:
    """Build the kernel's book over its functions as Python runs them; records must know their fields as attributes."""
    functions = ModuleType("interpreted_kernel")
    names = vars(functions)
    for part in KERNEL:
        names |= vars(part)
    for name, function in compiled_functions().items():
        names[name] = FunctionType(function.__code__, names, name)
    spec = importlib.util.spec_from_file_location("interpreted_kernel_book", kernel_book.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for part in KERNEL:
        vars(module)[part.__name__.rpartition(".")[2]] = functions
    for record in ("ROW", "EPISODE"):
        vars(module)[record] = np.dtype((np.record, getattr(kernel_tables, record)))
    return cast(type[KernelBook], module.KernelBook)


InterpretedBook = interpreted()
SEED = LevelParameters()


def joined(parts: Iterable[Fed], sizes: Iterable[int]) -> Fed:
    """Add up what several batches told, as if they had been one."""
    parts, start, logs = list(parts), 0, []
    for part, size in zip(parts, sizes, strict=True):
        assert part.log is not None
        logs.append(part.log._replace(event=part.log.event + start))
        start += size
    log = Log._make(np.concatenate(columns) for columns in zip(*logs, strict=True))
    return Fed(np.sum([part.counts for part in parts], axis=0), log)


def assert_same(book: Book, told: Fed, other: Book, other_told: Fed) -> None:
    assert differences(book.dump(), other.dump()) == []
    assert (book.clock, book.drops) == (other.clock, other.drops)
    assert told.counts.tolist() == other_told.counts.tolist()
    assert told.log is not None
    assert other_told.log is not None
    assert differences(told.log._asdict(), other_told.log._asdict()) == []


def assert_agree(feed: Feed, parameters: LevelParameters, book: type[Book], cuts: Iterable[int] = ()) -> Fed:
    """Feed both books, the other one in pieces, and compare everything they say."""
    plain, other = PlainBook(parameters), book(parameters)  # type: ignore[call-arg]  # a protocol names no constructor
    told = plain.feed(*feed, log=True)
    pieces = feed.cut(cuts)
    fed = joined((other.feed(*piece, log=True) for piece in pieces), (piece.events.size for piece in pieces))
    assert_same(plain, told, other, fed)
    return told


CUTS = st.lists(st.integers(0, 10_000), max_size=4)


@settings(max_examples=40)
@given(st.lists(STEP, min_size=1, max_size=60), parameter_sets(), CUTS)
def test_the_compiled_book_agrees_with_the_plain_book(steps: list[Step], chosen: Chosen, cuts: list[int]) -> None:
    parameters = chosen.build()
    assert_agree(feed_of(steps, parameters), parameters, KernelBook, cuts)


@settings(max_examples=20)
@given(st.lists(STEP, min_size=1, max_size=40), parameter_sets(), CUTS)
def test_the_kernel_interpreted_agrees_with_the_plain_book(steps: list[Step], chosen: Chosen, cuts: list[int]) -> None:
    parameters = chosen.build()
    assert_agree(feed_of(steps, parameters), parameters, InterpretedBook, cuts)


def test_going_from_one_book_to_the_other_changes_nothing() -> None:
    for chance in range(300, 321):
        parameters = chosen_by_chance(chance).build()
        feed = feed_of(steps_by_chance(chance, 120), parameters)
        plain = PlainBook(parameters)
        told = plain.feed(*feed, log=True)
        book: Book = KernelBook(parameters)
        pieces, fed = feed.cut((20, 30, 31, 60, 90)), []
        books = (PlainBook, KernelBook if chance % 10 else InterpretedBook)
        for turn, piece in enumerate(pieces):
            book = books[turn % 2].load(book.dump(), parameters)
            fed.append(book.feed(*piece, log=True))
        assert_same(plain, told, book, joined(fed, (piece.events.size for piece in pieces)))


def test_long_feeds_agree() -> None:
    for chance in range(50):
        parameters = chosen_by_chance(chance).build()
        assert_agree(feed_of(steps_by_chance(chance, 400), parameters), parameters, KernelBook, [100, 101, chance])


def test_long_feeds_agree_interpreted() -> None:
    for chance in range(200, 220):
        parameters = chosen_by_chance(chance).build()
        feed = feed_of(steps_by_chance(chance, 120), parameters)
        told = assert_agree(feed, parameters, InterpretedBook, [chance % 120])
        assert InterpretedBook(parameters).feed(*feed).counts.tolist() == told.counts.tolist()  # without a log


def test_a_feed_of_many_chunks_agrees_and_reaches_every_effect_and_bound() -> None:
    bounds = {"pending_max": 6, "episodes_max": 6, "archive_max_levels": 5, "levels_max": 25, "pending_seconds": 600}
    parameters = LevelParameters.build("seed", {"revisit": "left", "path": "all", **bounds})
    feed = feed_of(steps_by_chance(7, 9_000), parameters)
    plain = PlainBook(parameters)
    told = plain.feed(*feed)
    reached = dict(zip((*EFFECTS, *DROPS), [*told.counts.tolist(), *plain.drops], strict=True))
    assert [name for name, times in reached.items() if not times] == []
    compiled = KernelBook(parameters)
    assert compiled.feed(*feed).counts.tolist() == told.counts.tolist()
    assert differences(compiled.dump(), plain.dump()) == []


# Narrow places


def told(*events: tuple[int, float, float], usd: float = 5_000.0, n: int = 1, episodes: tuple[int, ...] = ()) -> Feed:
    """A feed of (kind, seconds, price)."""
    kind, seconds, price = zip(*events, strict=True)
    columns = Events.of(
        len(events),
        kind=np.array(kind),
        at=(np.array(seconds) * 1e6).astype(np.int64),
        price=np.array(price),
        usd=usd,
        seconds=30.0,
        n=n,
        episode=np.array(episodes) if episodes else 0,
    )
    return Feed(columns, np.zeros(len(events), dtype=np.bool_))


def swinging(times: int, low: float, high: float) -> list[tuple[int, float, float]]:
    return [(TRADE, step, (low, high)[step % 2]) for step in range(times)]


OVERLAPPING = [(LIQUIDATION, -1.0, 100.0), (LIQUIDATION, -1.0, 105.02), (LIQUIDATION, -1.0, 110.3)]
NARROW: dict[str, tuple[Feed, dict[str, float | str]]] = {
    "more is told than there is room for at first": (
        told(*OVERLAPPING, *swinging(400, 60.0, 105.0)),
        {"band_bps": 1000, "path": "all", "decay_rate_default": 1e-12},
    ),
    "a leap over more cells than there are places": (
        told(*((LIQUIDATION, 0.0, 50.0 + price) for price in range(9)), *((PRICE, 1.0, 1.0), (PRICE, 2.0, 1e30))),
        {"band_bps": 0.01},
    ),
    "the least and the most a price can be": (
        told(*((kind, 0.0, price) for price in (1e-100, 1e100, 1e-100, 1e100) for kind in (LIQUIDATION, PRICE))),
        {},
    ),
    "visits beyond 32 bits": (told(*[(REJECTION, 0.0, 5.0)] * 5, n=2**31 - 1), {}),
    "a book event says nothing to a level": (told((TRADE, 0.0, 5.0), (BOOK, 1.0, 5.0), (BOOK, 2.0, 9.0)), {}),
    "episodes that share a chain": (
        told(
            *[(PERSISTENCE, step, 5.0) for step in range(12)],
            episodes=(64, 128, 192, 256, 128, 64, 320, 3, 64, 9, 7, 1),
        ),
        {"episodes_max": 3},
    ),
    "prices that share a chain": (
        told(*((TRADE, 0.0, 2.0**power) for power in range(9)), (PRICE, 1.0, 0.995), (PRICE, 2.0, 1.005), usd=5.0),
        {"pending_max": 5},
    ),
    "an episode ends in silence": (
        told((PERSISTENCE, 0.0, 5.0), (PERSISTENCE, 9_000.0, 5.0), episodes=(1, 1)),
        {"persistence_min_seconds": 0},
    ),
}


@pytest.mark.parametrize("book", [KernelBook, InterpretedBook], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("fact", NARROW)
def test_the_narrow_places_agree(fact: str, book: type[Book]) -> None:
    feed, overrides = NARROW[fact]
    assert_agree(feed, LevelParameters.build("seed", overrides), book)


@pytest.mark.parametrize("book", [KernelBook, InterpretedBook], ids=["compiled", "interpreted"])
def test_tables_that_grow_place_by_place_agree(book: type[KernelBook]) -> None:
    feed = told(*((LIQUIDATION, 0.0, 100.0 + step) for step in range(250)))
    assert_agree(feed, SEED, book, range(250))
    assert book(SEED).bytes_per_level() < 256


@pytest.mark.parametrize("book", [PlainBook, KernelBook])
def test_nothing_fed_is_nothing_told(book: type[PlainBook] | type[KernelBook]) -> None:
    fed = book(SEED).feed(Events.none(), np.zeros(0, dtype=np.bool_), log=True)
    assert fed.counts.sum() == 0
    assert fed.log is not None
    assert [(column.size, column.dtype.str[1:]) for column in fed.log] == [(0, dtype) for dtype in kernel_book.DTYPES]


def test_more_bands_around_one_price_than_can_be_are_refused() -> None:
    many = kernel_tables.MOST_INSIDE + 1
    book = PlainBook(SEED)
    book.feed(*told(*((TRADE, 0.0, 100.0 + step) for step in range(many))))
    columns = book.dump()
    columns["entered"] = np.full(many, OUTSIDE + 1, dtype=columns["entered"].dtype)
    for refusing in (KernelBook, InterpretedBook):
        with pytest.raises(ValueError, match="more bands hold one price than can be"):
            refusing.load(columns, SEED)


def test_what_cannot_be_kept_for_the_next_process_is_compiled_all_the_same() -> None:
    names: dict[str, object] = {}
    exec("def double(number): return 2 * number", names)  # a function of no file
    assert kernel_tables.called(cast(FunctionType, names["double"]))(21) == 42


def test_what_was_kept_of_other_sources_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """numba looks at the file of a function, not at those of the functions that are compiled into it."""
    file = tmp_path / "twice.py"
    file.write_text("def twice(number):\n    return times * number\n")
    for times in (2, 3):
        monkeypatch.setattr(kernel_tables, "COMPILED_FROM", f"sources{times}")
        names: dict[str, object] = {"times": times}
        exec(compile(file.read_text(), file, "exec"), names)
        assert kernel_tables.called(cast(FunctionType, names["twice"]))(21) == times * 21
    assert len(list((tmp_path / "__pycache__").glob("*.nbi"))) == 2


def test_all_that_is_compiled_is_among_the_sources() -> None:
    written = {function.__module__.rpartition(".")[2] for function in compiled_functions().values()}
    assert written - set(kernel_tables.SOURCES) == {"kernel"}  # numba itself looks at that file
    for source in kernel_tables.SOURCES:
        assert kernel_tables._digest([source]) != kernel_tables._digest(["no such module"])
