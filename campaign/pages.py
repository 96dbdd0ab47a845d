"""A page of the file that lost its bytes, or has another's or older ones: harmless, or told; never served as whole."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from asterism.errors import AsterismError
from campaign.part import Counts, Round
from tests.support.memories import DAY, NOON, AnyMemory, HandClock, remembering
from tests.support.whole import tell_everything

NAME = "pages"
HOLDS = "a damaged page (zeroed, swapped, older, cut off) is told when it is opened or verified, or changes nothing"
COUNTED = "damages"
GOAL = 2_000
WITNESS: tuple[str, ...] = ("told", "harmless")
SHORT = (40, 240)
PAGE = 4096
EACH = 40  # damages of one file
WORDS = ("tea", "coffee", "lift", "Anna", "Berlin", "Paris", "sleep", "mood", "garden", "ferry", "shed", "piano")
Damage = Callable[[bytearray, bytes, random.Random], None]


class Sound(NamedTuple):
    """A file, as it was earlier, and what it serves."""

    raw: bytes
    older: bytes
    serves: object


@contextmanager
def rounds(folder: Path) -> Iterator[Round]:
    made = lru_cache(maxsize=2)(lambda number: sound(folder / f"{number}.db", number))

    def play(seed: int, at: Path) -> Counts:
        whole, chance = made(seed // EACH), random.Random(seed)
        raw = bytearray(whole.raw)
        DAMAGES[seed % len(DAMAGES)](raw, whole.older, chance)
        path = at / "memory.db"
        path.write_bytes(raw)
        return Counter(["damages", "told" if is_told(path, whole.serves) else "harmless"])

    yield play


def sound(path: Path, number: int) -> Sound:
    """Make a file: of facts and a link, or of everything there is; told twice, so that pages are there as they were."""
    chance, clock = random.Random(f"pages {number}"), HandClock()
    with remembering(path, clock=clock) as memory:
        if number % 2:
            tell_everything(memory, clock)
        tell(memory, chance, first=1)
    older = path.read_bytes()
    with remembering(path, clock=clock) as memory:
        tell(memory, chance, first=5)
    with remembering(path) as memory:
        serves = served(memory)
    raw = path.read_bytes()
    path.unlink()
    return Sound(raw, older, serves)


def tell(memory: AnyMemory, chance: random.Random, first: int) -> None:
    facts = [f"{' '.join(chance.choices(WORDS, k=7))} {first + number}" for number in range(120)]
    memory.learn_many([{"content": fact, "at": NOON - 9 * DAY} for fact in facts])
    memory.dream()
    memory.add_star("Sleep", at=NOON - 9 * DAY)
    memory.add_star("Mood", at=NOON - 9 * DAY)
    for day in range(first, first + 4):
        memory.observe("sleep", "mood", "user_confirms", at=NOON - day * DAY)
    memory.erase(memory.learn(f"a secret of {first}", at=NOON - DAY).id)


def served(memory: AnyMemory) -> object:
    hits = [(hit.id, hit.score) for hit in memory.recall("Anna has tea in the garden").hits]
    links = sorted((link.id, link.strength) for link in memory.links())
    rest = memory.stats().tombstones, memory.sessions(), memory.symbols(), memory.nodes()
    store = memory._async._open().store
    order = store.arrivals("me"), store.last_position("me")
    return memory.verify().digest, hits, links, rest, order


def is_told(path: Path, whole: object) -> bool:
    """Open a damaged file: it is refused, or `verify` tells, or it serves what the sound one did."""
    with suppress(AsterismError), remembering(path) as memory:
        if not memory.verify().ok:
            return True
        try:
            now = served(memory)
        except AsterismError as error:
            raise AssertionError("open and verify told nothing, and it cannot be served") from error
        assert now == whole, "served as if it were whole"
        return False
    return True


def zero(raw: bytearray, _: bytes, chance: random.Random) -> None:
    at = chance.randrange(len(raw) // PAGE) * PAGE
    low, high = chance.choice([(0, PAGE), (0, PAGE // 2), (PAGE // 2, PAGE)])
    raw[at + low : at + high] = bytes(high - low)


def swap(raw: bytearray, _: bytes, chance: random.Random) -> None:
    a, b = (chance.randrange(len(raw) // PAGE) * PAGE for _ in range(2))
    raw[a : a + PAGE], raw[b : b + PAGE] = raw[b : b + PAGE], raw[a : a + PAGE]


def bring_back(raw: bytearray, older: bytes, chance: random.Random) -> None:
    at = chance.randrange(min(len(raw), len(older)) // PAGE) * PAGE
    raw[at : at + PAGE] = older[at : at + PAGE]


def cut(raw: bytearray, _: bytes, chance: random.Random) -> None:
    del raw[chance.randrange(1, len(raw) // PAGE) * PAGE :]  # an empty file is a memory that was not begun


DAMAGES: tuple[Damage, ...] = (zero, swap, bring_back, cut)
