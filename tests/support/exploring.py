"""A memory to explore: blocks, stars that are linked, and a session."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from asterism import Memory
from asterism.core.dialogue.lines import Line
from asterism.store.in_memory import InMemoryStore
from asterism.sync import Memory as SyncMemory
from tests.support.memories import DAY, FACTS, NOON, remembering
from tests.support.stores import Place, store_of

QUERY, AIM = "why does the garden need water?", "keep the plants alive"

LINES = [
    ("Ann", "I look for water in the garden."),
    ("DM", "The well in the garden is dry."),
    ("Bo", "Is there a river near the garden?"),
    ("DM", "There is a river, behind the museum in Lisbon."),
    ("Ann", "I walk to the river and fill the bucket."),
    ("DM", "The bucket leaks, the water runs into the garden."),
]

NAMES = ["Garden", "Water", "River", "Bucket"]


def fill(memory: SyncMemory) -> SyncMemory:
    """Tell blocks, stars that are linked, and a session."""
    memory.learn_many([{"content": fact, "at": NOON - 3 * DAY} for fact in FACTS])
    for name in NAMES:
        memory.add_star(name, domain="health", at=NOON - 3 * DAY)
    for a, b in pairwise(NAMES):
        memory.observe(a, b, "user_creates", at=NOON - 2 * DAY)
    lines = [Line(number, *said) for number, said in enumerate(LINES)]
    memory.read_transcript(lines, session="Dry", started_at=NOON - DAY)
    return memory


class Ticking:
    """A timer on which every look takes a second; it does something at one of them if it is told to."""

    def __init__(self, *, then: Callable[[], object] | None = None, at: int = 0) -> None:
        self.looks = 0
        self._then = then
        self._at = at

    def __call__(self) -> float:
        self.looks += 1
        if self.looks == self._at and self._then is not None:
            self._then()
        return float(self.looks)


def timed(memory: SyncMemory, timer: Callable[[], float]) -> None:
    """Let a memory's deadlines go by another timer."""
    memory._async._timer = timer  # type: ignore[attr-defined]  # what is behind the face


def filled(place: Place, **how: object) -> SyncMemory:
    return fill(remembering(place, **how).__enter__())  # type: ignore[arg-type]  # as told


def explored(place: Place) -> int:
    return sum(stored.item.what == "explored" for stored in store_of(place, read_only=True).items("me"))


def copied(place: Place) -> InMemoryStore:
    """Give another store with the same ledger."""
    copy = InMemoryStore()
    with copy.writing("me") as writing:
        writing.append([stored.item for stored in store_of(place, read_only=True).items("me")])
    return copy


async def left_behind(memory: Memory) -> tuple[str, list[str]]:
    learned = await memory.learn_many(
        [{"content": f"Harbour crane {number} needs grease every {number} days"} for number in range(12)]
    )
    await memory.dream()
    told = await memory.explore("which cranes need grease?", intention="keep the harbour running")
    assert told.crystallized is not None
    return told.crystallized, [each.id for each in learned]
