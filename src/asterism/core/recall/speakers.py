"""Who is spoken of: the speakers that a question names.

What somebody said seldom holds their own name, so a name in a question says who is meant and nothing of what was said.
It is a cue (`speaker`); in the question's vector it would only pull towards turns that greet somebody.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from asterism.core.ledger.columns import Bools
from asterism.core.recall.index import Index
from asterism.core.text.stems import STOP_WORDS
from asterism.core.text.words import words

_WRITTEN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


class Speakers:
    """The speakers of an index's living entries, by the words of their names."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._by_word: dict[str, list[int]] = {}
        self._heard = 0
        self._version = -1
        self._speaking: Bools = np.zeros(0, dtype=bool)  # by number of a speaker: some entry is theirs

    def named(self, text: str) -> list[int]:
        """Give the numbers of the speakers that a text names."""
        self._refresh()
        return sorted({number for word in words(text) for number in self._of(word)})

    def words_in(self, text: str) -> set[str]:
        """Give the words of a text that are names of speakers."""
        self._refresh()
        return {word for word in words(text) if self._of(word)}

    def without_names(self, text: str, others: Collection[str] = ()) -> str:
        """Leave the names of speakers, and others, out of a text; where nothing else is told, leave it as it is."""
        self._refresh()
        rest = _WRITTEN.sub(lambda found: "" if self._is_name(found.group(), others) else found.group(), text)
        return rest if any(word not in STOP_WORDS for word in words(rest)) else text

    def _is_name(self, written: str, others: Collection[str]) -> bool:
        found = words(written)
        return len(found) == 1 and found[0] not in STOP_WORDS and (found[0] in others or bool(self._of(found[0])))

    def _of(self, word: str) -> list[int]:
        return [number for number in self._by_word.get(word, ()) if self._speaking[number]]

    def _refresh(self) -> None:
        if self._version == self.index.version:
            return
        facts, texts = self.index.facts.trim(), self.index.labels["speaker"].texts
        for number in range(self._heard, len(texts)):
            for word in words(texts[number]):
                self._by_word.setdefault(word, []).append(number)
        self._heard = len(texts)
        self._speaking = np.bincount(facts.speaker[facts.alive], minlength=len(texts)) > 0
        self._version = self.index.version
