"""Odd values by chance: texts, numbers, times and JSON as they are not meant to be; and ways to spoil sound ones."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import TypeVar

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Value = TypeVar("Value")

TEXTS = (
    "",
    " ",
    "a",
    "Ann",
    "DM",
    "Sleep",
    "mood ",
    "é",
    "\ud800",
    "\udfff!",
    "\0",
    "a\0b",
    "\u202eabc",
    "\ufeff",
    "\u2028",
    "\x85",
    "\x1f",
    "\r",
    "\r\n",
    "\n",
    "\t",
    "👩\u200d👩\u200d👧",
    "e\u0301" * 40,
    "ﬀ",
    "ı",
    "ß",
    "İstanbul",
    "x" * 3_000,
    "a b " * 700,
    "=SUM(A1)",
    "<script>",
    "{}",
    "[]",
    "null",
    '"',
    '""',
    "'",
    "\\",
    "%s",
    "{0}",
    "..",
    "../x",
    "node:",
    "item:",
    "source:x",
    "name:",
    ":memory:",
    "#",
    "--",
    "-",
    "user_confirms",
    "health",
)
NUMBERS = (
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    ",5",
    ".5",
    "5.",
    "1e308",
    "1e309",
    "-1e309",
    "1e-400",
    "nan",
    "NaN",
    "inf",
    "-Infinity",
    "1_000",
    "0x10",
    "1.234,5",
    "1,234.5",
    "1 000",
    "1'000",
    "٣",
    "²",
    "１２",
    "½",
    "9" * 25,
    "9" * 400,
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "1700000000",
    "1700000000000",
    "1700000000000000",
    "1e13",
    "true",
    "yes",
    "1/2",
    "50%",
    "$5",
    "1e",
    "--1",
)
TIMES = (
    "2026-03-01",
    "2026-03-01T12:00:00Z",
    "2026-03-01T12:00:00",
    "2026-03-01 12:00",
    "2026-02-30",
    "2026-13-01",
    "0000-01-01",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999Z",
    "9999-12-31T23:59:59-14:00",
    "10000-01-01",
    "-2026-01-01",
    "2026-03-01T24:00:00Z",
    "2026-03-01T23:59:60Z",
    "2026-03-01T12:00:00+25:00",
    "2026-03-01T12:00:00+23:59:59",
    "20260301",
    "20260301T120000Z",
    "2026-W09-7",
    "2026-060",
    "03/01/2026",
    "1.3.2026",
    "01.03.26",
    "1/3/26, 12:00 PM",
    "12:00",
    "25:61",
    "00:00:00.000",
    "99:59:59.999",
    "1970-01-01",
    "1969-12-31T23:59:59Z",
    "now",
    "yesterday",
    "Mon",
    "３/１/２０２６",
)
INTEGERS = (0, 1, -1, 2, 7, 255, 256, 1000, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 10**30, 1_700_000_000_000)
FLOATS = (0.0, -0.0, 0.5, 1.5, -3.25, 1e300, 1e-300, float("nan"), float("inf"), float("-inf"), 1_700_000_000.5)


class Odd:
    """Draws from one chance."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.of = self.chance.choice

    def times(self, most: int) -> range:
        """So many turns, mostly few."""
        return range(min(most, int(self.chance.expovariate(2.5 / most))))

    def sometimes(self, share: float) -> bool:
        return self.chance.random() < share

    def word(self) -> str:
        """A text, a number or a time."""
        return self.of(self.of((TEXTS, TEXTS, NUMBERS, TIMES)))

    def line(self) -> str:
        return " ".join(self.word() for _ in range(1 + len(self.times(6))))

    def json(self, depth: int = 3) -> Json:
        """Any value that JSON, or what reads it, may have."""
        kind = self.chance.randrange(8 if depth else 6)
        if kind == 0:
            return self.of((None, True, False))
        if kind == 1:
            return self.of(INTEGERS)
        if kind == 2:
            return self.of(FLOATS)
        if kind < 6:
            return self.word()
        if kind == 6:
            return [self.json(depth - 1) for _ in self.times(6)]
        return {self.word(): self.json(depth - 1) for _ in self.times(5)}

    # Spoiling what is sound

    def spoiled_json(self, value: Json, share: float = 0.15) -> Json:
        """Give a value of which some places are others."""
        if self.sometimes(share / 2):
            return self.json()
        if isinstance(value, dict):
            told = {self._key(key, share): self.spoiled_json(each, share) for key, each in value.items()}
            if told and self.sometimes(share):
                del told[self.of(list(told))]
            if self.sometimes(share):
                told[self.word()] = self.json()
            return told
        if isinstance(value, list):
            told_all = [self.spoiled_json(each, share) for each in value]
            return told_all * 2 if self.sometimes(share / 4) else told_all
        return self.json() if self.sometimes(share) else value

    def _key(self, key: str, share: float) -> str:
        return self.word() if self.sometimes(share / 6) else key

    def spoiled_text(self, text: str) -> str:
        """Give a text that was cut, doubled, or has something else in places."""
        for _ in range(1 + len(self.times(5))):
            a, b = sorted(self.chance.randrange(len(text) + 1) for _ in range(2))
            b = min(b, a + 40)
            sign = self.of("\n\r,;|\t\"'{}[]:\\\0")
            put = [text[:a] + each + text[b:] for each in ("", sign, self.word())]
            text = self.of((text[:a], text[:b] + text[a:], *put, *[text[:a] + self.word() + text[a:]] * 3))
            if len(text) > 200_000:
                text = text[:200_000]
        return text

    def spoiled_bytes(self, data: bytes) -> bytes:
        """Give bytes of which some were changed, or that were cut."""
        raw = bytearray(data)
        for _ in range(1 + len(self.times(6))):
            if raw:
                at = self.chance.randrange(len(raw))
                if self.sometimes(0.1):
                    del raw[at : at + self.chance.randrange(64)]
                elif self.sometimes(0.05):
                    del raw[at:]
                else:
                    raw[at] ^= 1 << self.chance.randrange(8)
        return bytes(raw)

    def written(self, value: Json) -> str:
        """Write a value as JSON, now and then as no parser of ours should."""
        text = json.dumps(value, ensure_ascii=self.sometimes(0.3))
        return self.spoiled_text(text) if self.sometimes(0.1) else text

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]], delimiter: str) -> str:
        """Write cells as CSV, sometimes quoted, sometimes with too few or too many in a row."""
        lines = []
        for cells in (header, *rows):
            said = [f'"{cell}"' if self.sometimes(0.1) else cell for cell in cells]
            if said and self.sometimes(0.04):
                said.pop()
            if self.sometimes(0.04):
                said.append(self.word())
            lines.append(delimiter.join(said))
        return self.of(("\n", "\n", "\r\n")).join(lines) + self.of(("", "\n"))
