"""Budgets of tokens: as many entries as fit, the rest counted, and where to go on."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from asterism.entry.mcp.schema import Schema, given, maybe, whole

Entry = dict[str, Any]

LEAST, USUAL, MOST = 100, 2_000, 100_000  # tokens
MOST_OFFSET = 1_000_000
CHARACTERS_PER_TOKEN = 4  # of plain text; any other sign may be a token of its own
LONG = ("text", "line", "content", "intent", "consequence")  # what is cut where one entry is too long
BUDGET = {
    "max_tokens": whole(
        "How long the answer may be, in tokens (about four letters each). What does not fit is counted.",
        low=LEAST,
        high=MOST,
        default=USUAL,
    )
}
OFFSET = {"offset": whole("Go on from here: next_offset of the answer before.", low=0, high=MOST_OFFSET, default=0)}
PAGE: Schema = given(
    {
        "offset": whole(),
        "shown": whole(),
        "total": whole("How many there are in all."),
        "next_offset": maybe(whole("Ask again with this offset for more; null if there is no more to ask for.")),
        "cut_characters": whole("Letters left out of texts that were too long; ask with more max_tokens."),
    }
)


def tokens(told: str) -> int:
    """Estimate how many tokens a text is, rather too many than too few.

    >>> tokens("abcdefgh"), tokens("記憶")
    (2, 2)
    """
    plain = sum(sign.isascii() for sign in told)
    return -(-plain // CHARACTERS_PER_TOKEN) + len(told) - plain


@dataclass(frozen=True, slots=True)
class Page:
    """The entries that fit, and what was left out."""

    entries: list[Entry]
    offset: int
    total: int
    cut: int
    again: bool = True  # asking again is harmless; else what is left out is counted, and no more

    @property
    def next_offset(self) -> int | None:
        """Where to go on, None at the end."""
        end = self.offset + len(self.entries)
        return end if end < self.total and self.again else None

    def to_dict(self) -> Entry:
        """Give the figures of the page."""
        return {
            "offset": self.offset,
            "shown": len(self.entries),
            "total": self.total,
            "next_offset": self.next_offset,
            "cut_characters": self.cut,
        }

    def text(self, line: Callable[[Entry], str], *, empty: str = "Nothing.") -> str:
        """Write the entries, and what was left out."""
        told = [line(entry) for entry in self.entries]
        if not told:
            told = [empty if self.offset == 0 else f"Nothing from offset {self.offset} on; there are {self.total}."]
        left = self.total - self.offset - len(self.entries)
        if self.next_offset is not None:
            told.append(f"({left} more: ask again with offset={self.next_offset})")
        elif left > 0:
            told.append(f"(and {left} more; show gives each)")
        if self.cut:
            told.append(f"({self.cut} letters were cut: ask with more max_tokens)")
        return "\n".join(told)


def headed(head: Entry, arguments: Entry) -> tuple[Entry, int]:
    """Give what stands above the entries so that some room is left for them, and how much was cut of it."""
    left = int(arguments.get("max_tokens", USUAL)) - LEAST // 2
    return (head, 0) if tokens(_written(head)) <= left else _cut(head, left)


def paged(
    entries: Sequence[Entry] | Iterable[Entry], arguments: Entry, *, spent: int = 0, cut: int = 0, again: bool = True
) -> Page:
    """Give the entries from the offset on that fit into the budget: one at least, its long texts cut if need be.

    `spent` are tokens that the answer needs besides, `cut` what was cut of that; without
    `again` nobody is told to call once more, for that would do once more what was done.
    """
    every = list(entries)
    offset = int(arguments.get("offset", 0))
    left = max(LEAST // 2, int(arguments.get("max_tokens", USUAL)) - spent)
    shown: list[Entry] = []
    lost = 0
    for entry in every[offset:]:
        cost = tokens(_written(entry))
        if cost > left:
            if not shown:
                entry, lost = _cut(entry, left)
                shown.append(entry)
            break
        shown.append(entry)
        left -= cost
    return Page(shown, offset, len(every), cut + lost, again)


def _cut(entry: Entry, left: int) -> tuple[Entry, int]:
    """Cut the long texts of an entry, all to the same length, so that it fits, as far as that is possible."""
    long = {name: value for name in LONG if isinstance(value := entry.get(name), str)}

    def to(most: int) -> Entry:
        return entry | {name: f"{value[:most]}…" for name, value in long.items() if len(value) > most}

    lengths = range(max(map(len, long.values()), default=0))
    kept = max(0, bisect_right(lengths, left, key=lambda most: tokens(_written(to(most)))) - 1)
    counted = [value for name, value in long.items() if name != "line"] or list(
        long.values()
    )  # a line has the text too
    return to(kept), sum(max(0, len(value) - kept) for value in counted)


def _written(entry: Entry) -> str:
    return json.dumps(entry, ensure_ascii=False, default=str)
