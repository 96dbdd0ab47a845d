"""Every public call with values that no type allows: which calls there are, sound arguments for each, and odd ones.

`failures(seed, calls)` draws calls by chance, however many: `python -m tests.support.hostile 17 1000000`.
What comes of a call is fine, if it is an answer or an error of ours.
"""

from __future__ import annotations

import enum
import inspect
import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np

from asterism.engine.memory import Memory
from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from asterism.sync import drive
from tests.support.memories import FACTS, NOON, AnyMemory, remembering
from tests.support.small_memory import begin


class Colour(enum.Enum):
    """A word that is none of ours."""

    RED = "user_confirms"


class Text(str):
    """A text of another class."""

    __slots__ = ()


ODD: tuple[object, ...] = (
    *(None, True, False, 0, 1, -1, 7, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**30, 10**400),
    *(0.5, -0.0, 1.5, -3.25, 1e300, 1e-300, float("nan"), float("inf"), float("-inf"), 1j),
    *(Decimal("NaN"), Decimal("0.5"), Fraction(1, 3), np.float64("nan"), np.int64(5), np.zeros(3), np.array("x")),
    *("", " ", "a", "sleep", "\ud800", "\0", "é" * 2_000, "x" * 200_000, "../x", "item:zz", "node:", Text("sleep")),
    *("2026-02-30", "0001-01-01", "9999-12-31T23:59:59Z", "2026-03-01T12:00:00", "10000-01-01", "NaT"),
    *(b"", b"sleep", b"\xff", bytearray(b"x"), memoryview(b"x")),
    *(
        [],
        [None],
        [[]],
        [[[["a"]]]],
        ["sleep", None],
        ["\ud800"],
        [1, 2],
        [{}],
        ("sleep",),
        ("a", "b", "c", "d", "e", "f"),
    ),
    *(
        {},
        {"a": "b"},
        {None: None},
        {1: 2},
        {"a": {"b": []}},
        {"content": None},
        {"date": None},
        {"kind": 5},
        set(),
        {1, "a"},
    ),
    *(range(3), iter(()), object(), int, len, Colour.RED, Path("no such file"), Path("nu\0l"), ...),
    *(datetime(2026, 1, 1), datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC), date(1, 1, 1)),  # noqa: DTZ001
    *(
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
        datetime(9999, 12, 31, tzinfo=timezone(-timedelta(hours=14))),
    ),
    *(date(9999, 12, 31), time(3), timedelta(days=1), lambda: 1, Exception("x")),
)
SOUND: Mapping[str, Sequence[object]] = {
    "a": ("sleep",),
    "answer": (["Ferry"],),
    "at": (NOON,),
    "b": ("mood", "work"),
    "call": (len,),
    "content": ("The ferry leaves at ten.",),
    "diary": ([{"date": "2026-01-03", "sleep": 6.5}],),
    "events": ([{"kind": "trade", "at": 1_700_000_000, "price": 100.0, "usd": 900.0}],),
    "facts": (["Tea is green.", {"content": "Rain falls.", "tags": ["sky"]}],),
    "folder": ("no such folder",),
    "id": ("sleep", "Ferry"),
    "ids": (["Ferry"],),
    "kind": ("user_confirms", "tension"),
    "lines_or_path": (["Ann: I open it.", "DM: It opens."],),
    "name": ("Run",),
    "other": ("no such file.db",),
    "parts": (["The ferry"],),
    "paths": ("no such file.csv",),
    "path": ("no such file.jsonl",),
    "price": (100.0,),
    "query": ("When does the ferry leave?",),
    "rows": ([{"a": "sleep", "b": "mood", "kind": "user_confirms"}],),
    "session": ("One",),
    "signal": (0.9,),
    "slot": ("user/home",),
    "source": ("diary",),
    "star": ("sleep",),
    "started_at": (NOON,),
    "subject": ("source:notes", "Ferry"),
    "symbol": ("X",),
    "target": ("no such folder/links.jsonl",),
    "value": (0.4,),
    "values": ({"Sleep": 0.5},),
    "without": ("sleep",),
}
LEFT_OUT = ("close",)

PARAMETERS = {
    name: list(inspect.signature(call).parameters.values())[1:]
    for name, call in inspect.getmembers(Memory, inspect.iscoroutinefunction)
    if not name.startswith("_") and name not in LEFT_OUT
}


class Failure(NamedTuple):
    """A call that ended in a stranger's exception."""

    call: str
    argument: str
    value: str
    error: BaseException

    def __str__(self) -> str:
        return f"{self.call}({self.argument}={self.value}): {type(self.error).__name__}: {self.error}"


def prepared() -> AnyMemory:
    """Give a memory that something was told to."""
    memory = remembering(InMemoryStore()).__enter__()
    drive(begin(memory._async))
    memory.learn("The ferry leaves at nine.", name="Ferry", source="notes")
    memory.learn_many(FACTS[:2])
    return memory


def shown(value: object) -> str:
    """Show a value, whatever it is."""
    try:
        return repr(value)[:80].encode(errors="backslashreplace").decode()
    except Exception:
        return f"<{type(value).__name__}>"


def outcome(memory: AnyMemory, call: str, arguments: Mapping[str, object], argument: str) -> Failure | None:
    """Make a call; an answer and an error of ours are fine."""
    named = dict(arguments)
    several: list[object] = []
    if any(each.kind is each.VAR_POSITIONAL and each.name in named for each in PARAMETERS[call]):
        places = [each.name for each in PARAMETERS[call] if each.kind is not each.KEYWORD_ONLY and each.name in named]
        several = [named.pop(name) for name in places]
    try:
        getattr(memory, call)(*several, **named)
    except AsterismError as error:
        str(error).encode()
        return None
    except Exception as error:
        if callable(arguments.get("progress")):  # whose own error it is
            return None
        return Failure(call, argument, shown(arguments.get(argument)), error)
    return None


def sound(call: str, chance: random.Random | None = None) -> dict[str, object]:
    """Give what a call needs."""
    choose = (chance or random.Random(call)).choice
    return {each.name: choose(SOUND[each.name]) for each in PARAMETERS[call] if each.default is each.empty}


def failures(seed: int, calls: int, *, say: Callable[[int], None] = lambda _: None) -> list[Failure]:
    """Make so many calls, each with one to three odd arguments; gives those that a stranger's exception ended."""
    chance, found = random.Random(seed), list[Failure]()
    memory = prepared()
    for number in range(calls):
        if number % 500 == 0:
            say(number)
            memory = prepared()
        call = chance.choice(sorted(PARAMETERS))
        names = [each.name for each in PARAMETERS[call]]
        odd = chance.sample(names, min(len(names), chance.choice([1, 1, 2, 3])))
        arguments = sound(call, chance) | {name: chance.choice(ODD) for name in odd}
        failed = outcome(memory, call, arguments, odd[0] if odd else "")
        if failed is not None:
            found.append(failed)
    return found


if __name__ == "__main__":
    import sys
    import tempfile
    from contextlib import chdir

    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        found = failures(int(sys.argv[1]), int(sys.argv[2]))
    print(f"{int(sys.argv[2]):,} calls, {len(found):,} strangers", *found[:20], sep="\n")  # noqa: T201  # asked for
