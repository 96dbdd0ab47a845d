"""The tables of the compiled level book, and how its functions are compiled.

Places live in one table of records. Three chains run through it: places of one cell of the price grid, pending places
by last use, free rows. Episodes have the same three.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib import resources
from types import FunctionType
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Bools, Bytes, Floats, Ints, Longs
from asterism.core.ledger.compiling import Function, compiler, kept
from asterism.core.levels import formulas
from asterism.core.levels.state import PLACE

Records = NDArray[np.void]

ROW = np.dtype([("cell", "i8"), ("next", "i4"), ("older", "i4"), ("newer", "i4"), *PLACE.descr], align=True)
EPISODE = np.dtype(
    [("id", "i8"), ("place", "i8"), ("seen", "i8"), ("next", "i4"), ("older", "i4"), ("newer", "i4")], align=True
)
# The whole numbers of a book
CLOCK, TIDIED, NEXT_NUMBER, RISING, DROPPED = 0, 1, 2, 3, 4  # of DROPPED there are four
LEVELS, FREE, INSIDE, FREE_EPISODE, LOGGED = 8, 9, 10, 11, 12
PENDING_PLACES, EPISODES = 13, 16  # each a chain of use: how many there are, then the row of the oldest and the newest
OLDEST, NEWEST = 1, 2
WHOLES = 19
PATH, EXTREME, TURN = 0, 1, 2
MOST_INSIDE = 64  # centres are more than a reach apart, so that only a few bands hold one price
NONE = -1


class Rules(NamedTuple):
    """The parameters, as the kernel reads them."""

    reach: float
    liquidation_reach: float
    grid: float  # cells in an octave of prices
    persistence_min_seconds: float
    persistence_strength_base: float
    persistence_strength_per_sec: float
    persistence_confidence: float
    execution_min_usd: float
    execution_strength_base: float
    execution_strength_per_1k: float
    execution_confidence: float
    liquidation_strength_base: float
    liquidation_strength_per_event: float
    liquidation_confidence: float
    rejection_min_visits: int
    rejection_strength: float
    rejection_confidence_base: float
    rejection_confidence_per_visit: float
    boost_execution: float
    boost_persistence: float
    boost_liquidation: float
    boost_rejection: float
    boost_resurrection: float
    only_when_left: bool
    all_move: bool
    decay_rate: float
    archive_threshold: float
    archive_max_levels: int
    archive_max_micros: int
    levels_max: int
    pending_max: int
    pending_micros: int
    episodes_max: int


class Tables(NamedTuple):
    """The arrays of a book."""

    places: Records
    heads: Ints  # of the grid's chains
    wholes: Longs
    path: Floats
    inside: Ints
    turned: Ints  # bands the price just left on the side it came from; NONE: a turn where nothing is kept yet
    turned_side: Bytes
    episodes: Records
    episode_heads: Ints


class Batch(NamedTuple):
    """The columns of a batch."""

    kind: Bytes
    at: Longs
    price: Floats
    usd: Floats
    seconds: Floats
    n: Longs
    side: Bytes
    episode: Longs
    late: Bools


class Told(NamedTuple):
    """Where the kernel writes what happened; empty columns: it only counts."""

    counts: Longs
    event: Longs
    place: Longs
    effect: Bytes
    kind: Bytes
    before: Floats
    after: Floats


def _digest(names: Sequence[str]) -> str:
    """Name the text of some modules beside this one; installed without their text, they say nothing."""
    beside = {file.name: file for file in resources.files(__package__).iterdir()}
    texts = (beside[f"{name}.py"].read_bytes() for name in names if f"{name}.py" in beside)
    return hashlib.sha256(b"".join(texts)).hexdigest()[:12]


# numba looks at a function's own file to see whether what it kept still holds. These are compiled into it as well.
SOURCES = ("events", "formulas", "kernel_path", "kernel_places", "kernel_tables", "state")
COMPILED_FROM = _digest(SOURCES)


def called(function: Function) -> Function:
    """Compile a function that Python calls, and keep what was compiled for the next process."""
    named = cast(FunctionType, function)
    named.__qualname__ += f"-{COMPILED_FROM}"  # it is kept under this name
    return kept(function)


def inner(function: Function) -> Function:
    """Compile a function into those that call it: for what every event does (a call copies all the tables' heads)."""
    return compiler(inline="always")(function)


def rare(function: Function) -> Function:
    """Compile a function that only compiled ones call, and not for every event."""
    return compiler(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


settled = inner(formulas.settled)
raised = inner(formulas.raised)
reaches = inner(formulas.reaches)
