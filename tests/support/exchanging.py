"""A memory with something of every kind in it, and ledgers to send to and fro."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from asterism.core.ledger.items import Item
from asterism.core.space.projection import Projection, digest
from asterism.engine.space.live import Live
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from tests.support.memories import DAY, FACTS, NOON, AnyMemory

SESSION = """\
Ann: I look for water in the garden.
DM: The well in the garden is dry.
Bo: Is there a river near the garden?
DM: There is a river, behind the museum.
Ann: I walk to the river and fill the bucket.
DM: The bucket leaks, the water runs into the garden.
"""


def tell_all_kinds(memory: AnyMemory, folder: Path) -> None:
    """Tell a memory of stars, blocks, a session, a market and a walk: every kind of item there is."""
    start = NOON - 20 * DAY
    for name in ("Sleep", "Mood", "Garden"):
        memory.add_star(name, domain="health", at=start)
    memory.acknowledge("mood", at=start)
    memory.set_brightness("sleep", 0.7, at=start + DAY, source="diary")
    for day in range(4):
        memory.observe(
            "sleep", "mood", "user_confirms", at=start + day * DAY, source="diary", note="slept\nwell, “again”"
        )
    memory.assign_type("sleep", "mood", "causation", direction="a_to_b", at=start + 5 * DAY)
    memory.begin_session("morning", at=start + 6 * DAY)
    told = [memory.learn(text, tags=["home/x"], at=start + (6 + place) * DAY) for place, text in enumerate(FACTS[:5])]
    memory.learn("=SUM(A1) — a “formula” & <b>bold</b>\n| `code` | \\ %%{init}%%", name='The "odd" one', at=start)
    memory.forget(told[4].id, at=start + 12 * DAY)
    memory.edit(told[3].id, "Bob keeps the tickets in the red drawer.", at=start + 12 * DAY)
    memory.end_session("morning", at=start + 13 * DAY)
    memory.outcome([told[0].id], 0.9, at=start + 13 * DAY)
    memory.used([told[1].id, told[2].id], session="s1", at=start + 13 * DAY)
    memory.dream()
    path = folder / "Dry.txt"
    path.write_text(SESSION, encoding="utf-8")
    memory.read_transcript(path, started_at=start + 14 * DAY)
    second = (start + 15 * DAY).timestamp()
    rows = [
        {"kind": kind, "at": second + 60 * place, "price": 100.0 + place % 3, "usd": 900_000.0, "side": side}
        for place, (kind, side) in enumerate([("liquidation", "bid"), ("trade", "ask")] * 6)
    ]
    memory.feed("BTCUSDT", rows, source="test")
    memory.explore("water in the garden", intention="save the plants")


def shuffled(items: Sequence[Item], seed: int, *, space: str = "me") -> Store:
    """Put items into a new store in another order, in batches."""
    chance = random.Random(seed)
    order = list(items)
    chance.shuffle(order)
    store = InMemoryStore()
    live = Live(store, space, clock=lambda: max(item.at for item in items))
    while order:
        size = chance.randint(1, len(order))
        batch, order = order[:size], order[size:]
        live.write(lambda _, batch=batch: batch)  # type: ignore[misc]
    return store


def projection_of(store: Store, *, space: str = "me") -> str:
    """Name what a ledger means, folded from nothing."""
    live = Live(store, space, clock=lambda: 0)
    folded = Projection(live.parameters)
    folded.apply_all(stored.item for stored in store.items(space))
    return digest(folded.dump())
