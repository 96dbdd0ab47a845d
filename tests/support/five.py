"""One memory with all five kinds of content: stars and evidence, blocks, a transcript, a market, an exploration."""

from __future__ import annotations

from datetime import datetime

from asterism.core.dialogue.lines import Actor
from asterism.sync import Memory
from tests.support.memories import DAY, NOON

SESSION = "The ferry"
STARTED = NOON - 2 * DAY
SAID = [
    ("Ann", "I pick up the Lantern near the Bell."),
    ("DM", "The Bell rings, and the ferry moves."),
    ("Bo", "Is there anything in the ferry?"),
    ("DM", "There is a Lantern, and a knife."),
    ("Bo", "I look for the ferryman in the fog."),
    ("DM", "You find him asleep under the Bell."),
]
NOTES = [
    ("Deploys fail when the cache is cold", ("ops/cache",)),
    ("Deploys fail when the cache is cold and nobody warmed it", ("ops/cache",)),
    ("Warm the cache before each deploy", ("ops/cache",)),
    ("The ferryman fears the bell", ("story",)),
    ("Ann keeps the lantern in the boat house", ("story",)),
]


def tell_five(memory: Memory, *, started: datetime = STARTED) -> Memory:
    """Tell a memory something of every kind."""
    for name in ("Lantern", "Bell"):
        memory.add_star(name, domain="soul", at=started - DAY)
        memory.acknowledge(name.lower(), at=started - DAY)
    memory.observe("lantern", "bell", "user_confirms", at=started - DAY, source="diary")
    for text, tags in NOTES:
        memory.learn(text, tags=tags, source="notes", at=started - DAY)
    memory.dream()
    lines = [{"line_index": place, "author_name": who, "content": said} for place, (who, said) in enumerate(SAID)]
    memory.read_transcript(lines, session=SESSION, actors=[Actor("ann", "Ann"), Actor("bo", "Bo")], started_at=started)
    memory.feed("X", market(started), source="tape", lateness=0)
    memory.explore("why do deploys fail?", intention="prevent the next outage")
    return memory


def market(started: datetime) -> list[dict[str, object]]:
    """Give a market that remembers two prices."""
    first = started.timestamp()
    rows: list[dict[str, object]] = [
        {"kind": "trade", "at": first + 5 * step, "price": 100.0, "usd": 500_000.0} for step in range(4)
    ]
    rows += [{"kind": "liquidation", "at": first + 30 + step, "price": 110.0, "usd": 2e6} for step in range(3)]
    return rows
