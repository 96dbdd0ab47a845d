"""Ledgers with crowded days, for tests of what is folded together."""

from __future__ import annotations

import random

from asterism.core.connections.words import EvidenceKind, word
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.items import Item, make_item

STARS = [f"s{number:02d}" for number in range(12)]

KINDS = [word(kind) for kind in EvidenceKind]


def crowded(chance: random.Random, *, days: int) -> list[Item]:
    """A ledger with days of dozens of items on different pairs, some pairs twice, some denied, one star a hub."""
    told: list[tuple[str, int, dict[str, str | float]]] = [
        ("star_added", 0, {"star": star, "name": star, "domain": "soul"}) for star in STARS[:-1]
    ]
    for day in range(days):
        for _ in range(chance.choice([0, 3, 25, 60])):
            a, b = (
                sorted(chance.sample(STARS, 2))
                if chance.random() < 0.8
                else sorted((STARS[0], chance.choice(STARS[1:])))
            )
            at = day * MICROS_PER_DAY + chance.randrange(MICROS_PER_DAY)
            what = "denied" if chance.random() < 0.05 else "evidence"
            said: dict[str, str | float] = {"a": a, "b": b}
            if what == "evidence":
                said["kind"] = chance.choice(KINDS)
            told.append((what, at, said))
        if chance.random() < 0.5:
            told.append(("engaged", day * MICROS_PER_DAY + 5, {"star": chance.choice(STARS), "impact": 0.03}))
    items = [make_item(space="s", what=what, at=at, payload=payload, known_at=0) for what, at, payload in told]
    return sorted({item.id: item for item in items}.values(), key=lambda item: item.position)
