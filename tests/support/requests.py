"""Requests by chance, from what a command says it takes: mostly what fits, sometimes what does not."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from asterism.entry.http.command import Command, Schema

TEXTS = (
    *("sleep", "mood", "Ada likes tea", "user/home", "night-1", "BTCUSDT", "a~b", "source:diary", "node:sleep", "*"),
    *("", " ", "-", "--help", "é 睡眠 🌒", "x" * 300, "../../etc/passwd", "file:///etc/passwd", "'; DROP TABLE space"),
    *("2026-03-01", "2026-03-01T10:00Z", "9999-12-31", "0001-01-01", "2026-02-30", "10000-01-01", "now", "1e400"),
    *(
        "mood=4",
        "mood=1..7",
        "at=at,price=px",
        "utf-8",
        "rot13",
        "remote:http://localhost#m",
        "\u202e",
        "\x7f",
        "\x1b[0m",
    ),
    *("date,sleep\n2026-01-01,5\n", "Mara: hello\nBo: hi\n", '{"content": "x"}\n', "at,price\n1,2\n", "%s %d {0}"),
)
NUMBERS = (0, 1, 2, 3, 0.5, 0.05, -1, 1_000, 10**6, 10**9, 2**63, -(2**63), 10**30, 1e-300, 1e300, -0.0)
ODD: tuple[Any, ...] = (None, True, [], {}, "text", 0, ["a"], {"a": 1}, [None], [[]])


@dataclass(frozen=True)
class Sent:
    """One request."""

    command: Command
    told: dict[str, Any]


def request(command: Command, seed: int) -> Sent:
    """Make a request by chance."""
    chance = random.Random(f"{command.path} {seed}")
    told: dict[str, Any] = {}
    for name, schema in command.takes.items():
        if name in command.needs or chance.random() < 0.25:
            told[name] = value(schema, chance)
    if chance.random() < 0.05 and told:
        told.pop(chance.choice(list(told)))
    if chance.random() < 0.05:
        told[chance.choice(("unknown", "space", "db", "json", "embedder", ""))] = chance.choice(ODD)
    return Sent(command, told)


def value(schema: Schema, chance: random.Random) -> Any:
    """Make a value that a schema mostly allows."""
    if chance.random() < 0.05:
        return chance.choice(ODD)
    if "enum" in schema:
        return chance.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "boolean":
        return chance.random() < 0.5
    if kind in ("integer", "number"):
        number = chance.choice([each for each in NUMBERS if kind == "number" or isinstance(each, int)])
        low, high = schema.get("minimum", -1e9), schema.get("maximum", 1e9)
        return min(max(number, low), min(high, 50)) if chance.random() < 0.8 else number
    if kind == "array":
        return [value(schema["items"], chance) for _ in range(chance.choice((0, 1, 1, 2, 3)))]
    return chance.choice(TEXTS)
