"""A page of the file that lost its bytes, or has another's or older ones: harmless, or told; never served as whole."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from asterism.errors import AsterismError
from asterism.sync import Memory
from tests.support.memories import DAY, NOON, remembering

PAGE = 4096
WORDS = ("tea", "coffee", "lift", "Anna", "Berlin", "Paris", "sleep", "mood", "garden", "ferry", "shed", "piano")
Damage = Callable[[bytearray, bytes, random.Random], None]


def tell(memory: Memory, chance: random.Random, first: int) -> None:
    facts = [f"{' '.join(chance.choices(WORDS, k=7))} {first + number}" for number in range(120)]
    memory.learn_many([{"content": fact, "at": NOON - 9 * DAY} for fact in facts])
    memory.dream()
    memory.add_star("Sleep", at=NOON - 9 * DAY)
    memory.add_star("Mood", at=NOON - 9 * DAY)
    for day in range(first, first + 4):
        memory.observe("sleep", "mood", "user_confirms", at=NOON - day * DAY)
    memory.erase(memory.learn(f"a secret of {first}", at=NOON - DAY).id)


def served(memory: Memory) -> object:
    hits = [(hit.id, hit.score) for hit in memory.recall("Anna has tea in the garden").hits]
    links = sorted((link.id, link.strength) for link in memory.links())
    return memory.verify().digest, hits, links, memory.stats().tombstones


def is_told(path: Path, whole: object) -> bool:
    """Open a damaged file: it is refused, or `verify` tells, or it serves what the sound one did."""
    with suppress(AsterismError), remembering(path) as memory:
        if not memory.verify().ok:
            return True
        assert served(memory) == whole, "served as if it were whole"
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


@pytest.mark.parametrize("damage", [zero, swap, bring_back, cut])
def test_a_damaged_page_is_harmless_or_told(tmp_path: Path, rounds: int, damage: Damage) -> None:
    path, chance = tmp_path / "memory.db", random.Random(f"{damage.__name__}")
    with remembering(path) as memory:
        tell(memory, chance, first=1)
    older = path.read_bytes()
    with remembering(path) as memory:
        tell(memory, chance, first=5)
    with remembering(path) as memory:
        whole = served(memory)
    sound, told = path.read_bytes(), 0
    for number in range(max(10, rounds // 5)):
        raw = bytearray(sound)
        damage(raw, older, chance)
        spoiled = tmp_path / f"{number}.db"
        spoiled.write_bytes(raw)
        told += is_told(spoiled, whole)
    assert told > 0  # the damage was real
