"""Folding a ledger again, against a loop that only reads the same rows and counts."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.ledger.calendar import MICROS_PER_DAY
from asterism.core.ledger.items import Item, canonical, make_item
from asterism.core.space.parameters import SpaceParameters
from asterism.core.space.projection import Projection
from asterism.store.sqlite import SQLiteStore
from bench.timing import Figure, interleaved, rate

NAME = "replay"
SPACE = "bench"
KINDS = ("co_mention_response", "co_mention_session", "tars_confirmed", "user_confirms")
FIRST_DAY = 20_000


def ledger(*, items: int, pairs: int, stars: int, days: int) -> list[Item]:
    """Make a year of evidence, in the order (at, id)."""
    chance = np.random.default_rng(5)
    names = [f"star-{number:04d}" for number in range(stars)]
    began = FIRST_DAY * MICROS_PER_DAY
    made = [
        make_item(
            space=SPACE,
            what="star_added",
            at=began,
            payload={"star": name, "name": name, "domain": "health"},
            known_at=began,
        )
        for name in names
    ]
    drawn = np.sort(chance.integers(began, began + days * MICROS_PER_DAY, items)).tolist()
    chosen, kinds = chance.integers(0, pairs, items).tolist(), chance.integers(0, len(KINDS), items).tolist()
    for at, pair, kind in zip(drawn, chosen, kinds, strict=True):
        first = pair % stars
        ends = sorted((names[first], names[(first + 1 + pair // stars) % stars]))
        payload = {"a": ends[0], "b": ends[1], "kind": KINDS[kind]}
        made.append(make_item(space=SPACE, what="evidence", at=at, payload=payload, known_at=at))
    made.sort(key=lambda item: item.position)
    assert all(before.position <= after.position for before, after in pairwise(made))
    return made


def run(*, quick: bool) -> Iterator[Figure]:
    scale = 10 if quick else 1
    items, pairs, stars, days = 200_000 // scale, 5_000 // scale, 500 // scale, 365
    made = ledger(items=items, pairs=pairs, stars=stars, days=days)
    rows = [(item.at, canonical(item.payload)) for item in made]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        store = SQLiteStore(path)
        with store.writing(SPACE) as writing:
            writing.append(made)
        plain = sqlite3.connect(path)

        def fold() -> None:
            Projection(SpaceParameters(ConnectionParameters())).apply_all(made)

        def read_and_fold() -> None:
            folded = Projection(SpaceParameters(ConnectionParameters()))
            folded.apply_all(stored.item for stored in store.items(SPACE))

        def count(texts: list[tuple[int, str]]) -> None:
            counts: dict[tuple[str, str], int] = {}
            for _, text in texts:
                payload = json.loads(text)
                if "kind" in payload:
                    key = payload["a"], payload["b"]
                    counts[key] = counts.get(key, 0) + 1

        found = interleaved(
            {
                "fold": fold,
                "count": lambda: count(rows),
                "read and fold": read_and_fold,
                "read and count": lambda: count(
                    plain.execute("SELECT at, payload FROM ledger ORDER BY at, id").fetchall()
                ),
            },
            repeat=2 if quick else 3,
        )
        plain.close()
        store.close()
    told = f"{items:,} items, {pairs:,} pairs, {days} days' ends"
    yield rate(
        "replay from a list",
        found["fold"],
        "items/s",
        units=len(made),
        other="parse and count",
        theirs=found["count"],
        note=told,
    )
    yield rate(
        "replay from SQLite",
        found["read and fold"],
        "items/s",
        units=len(made),
        other="SELECT, parse and count",
        theirs=found["read and count"],
        note=told,
    )
