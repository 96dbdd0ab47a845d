"""The pieces of a text: byte-pair encoding with bytes for what no piece covers, by the rules of a `tokenizer.json`.

The file gives pieces (text to number) and merges in the order of their rank. A text's spaces become `▁`, and one is put
before it. It falls into characters; of all neighbours, those whose merge ranks first, leftmost among equals, become one
piece, until none has a merge. No piece has a `▁` after anything else and none has a line feed inside, so no merge
crosses these places: the text is cut there, and what a word gives is remembered.
"""

from __future__ import annotations

import json
import re
from heapq import heapify, heappop, heappush
from pathlib import Path

from asterism.embed.packaged import damaged

SPACE = "▁"
WORD = re.compile(f"{SPACE}*[^{SPACE}\n]+|{SPACE}+|\n")
REMEMBERED_WORDS = 65_536
LONGEST_REMEMBERED = 40  # characters


class Pieces:
    """A vocabulary of pieces and the merges that make them."""

    def __init__(self, vocabulary: dict[str, int], merges: list[str], whole: list[str]) -> None:
        self._numbers = vocabulary
        self._ranks = dict(zip(merges, range(len(merges)), strict=True))
        self._whole = re.compile("(" + "|".join(map(re.escape, whole)) + ")") if whole else None
        self._remembered: dict[str, list[int]] = {}

    @classmethod
    def read(cls, path: Path, *, install: str) -> Pieces:
        """Read a `tokenizer.json`."""
        try:
            told = json.loads(path.read_bytes())
            model = told["model"]
            pieces = cls(model["vocab"], model["merges"], [token["content"] for token in told["added_tokens"]])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise damaged(path, f"{type(error).__name__}: {error}", install=install) from None
        if model["type"] != "BPE" or not model["byte_fallback"] or not pieces.splits_at_spaces():
            raise damaged(path, "it has another kind of pieces", install=install)
        return pieces

    def splits_at_spaces(self) -> bool:
        """Say whether no piece crosses the places where a text is cut."""
        return not any(SPACE in piece.lstrip(SPACE) or ("\n" in piece and piece != "\n") for piece in self._numbers)

    def numbers(self, text: str) -> list[int]:
        """Give the numbers of a text's pieces."""
        if self._whole is None or "<" not in text:
            return self._plain(text)
        found: list[int] = []
        for part in self._whole.split(text):
            number = self._numbers.get(part) if self._whole.fullmatch(part) else None
            found += self._plain(part) if number is None else [number]
        return found

    def _plain(self, text: str) -> list[int]:
        if not text:
            return []
        remembered = self._remembered
        found: list[int] = []
        for word in WORD.findall(SPACE + text.replace(" ", SPACE)):
            known = remembered.get(word)
            if known is None:
                known = self._merged(word)
                if len(word) <= LONGEST_REMEMBERED:
                    if len(remembered) >= REMEMBERED_WORDS:
                        remembered.clear()
                    remembered[word] = known
            found += known
        return found

    def _characters(self, word: str) -> list[str]:
        """Give the characters of a word; one that is no piece is its UTF-8 bytes."""
        found: list[str] = []
        for character in word:
            if character in self._numbers:
                found.append(character)
            else:
                found += [f"<0x{byte:02X}>" for byte in character.encode()]
        return found

    def _merged(self, word: str) -> list[int]:
        """Merge neighbours, the best ranked first: a heap of pairs over a list that is linked both ways."""
        if word in self._numbers and len(word) == 1:
            return [self._numbers[word]]
        ranks = self._ranks
        parts = self._characters(word)
        end = len(parts)
        after, before = list(range(1, end + 1)), list(range(-1, end - 1))
        waiting = [
            (rank, place, parts[place], parts[place + 1])
            for place in range(end - 1)
            if (rank := ranks.get(f"{parts[place]} {parts[place + 1]}")) is not None
        ]
        heapify(waiting)
        while waiting:
            _, place, left, right = heappop(waiting)
            other = after[place]
            if parts[place] != left or other == end or parts[other] != right:
                continue  # one of them has been merged since
            parts[place], parts[other] = left + right, ""
            after[place] = beyond = after[other]
            if beyond < end:
                before[beyond] = place
            for first, second in ((before[place], place), (place, beyond)):
                if first >= 0 and second < end:
                    rank = ranks.get(f"{parts[first]} {parts[second]}")
                    if rank is not None:
                        heappush(waiting, (rank, first, parts[first], parts[second]))
        return [self._numbers[part] for part in parts if part]
