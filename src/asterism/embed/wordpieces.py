"""The pieces of a text as BERT cuts them: words in lower case without accents, each in its longest known parts."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from asterism.embed.packaged import damaged

LONGEST_WORD = 100  # characters; a longer word is unknown
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
ALONE = "".join(f"{chr(first)}-{chr(last)}" for first, last in IDEOGRAPHS)
IDEOGRAPH = re.compile(f"([{ALONE}])")
ASCII_SIGNS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class WordPieces:
    """A vocabulary of words and of word parts, which start with ##."""

    def __init__(self, vocabulary: dict[str, int], whole: list[str]) -> None:
        self._numbers = vocabulary
        self._whole = re.compile("(" + "|".join(map(re.escape, whole)) + ")")
        self.unknown = vocabulary["[UNK]"]
        self.first = vocabulary["[CLS]"]
        self.last = vocabulary["[SEP]"]

    @classmethod
    def read(cls, path: Path, *, install: str) -> WordPieces:
        """Read a `tokenizer.json`."""
        try:
            told = json.loads(path.read_bytes())
            if told["model"]["type"] != "WordPiece" or not told["normalizer"]["lowercase"]:
                raise damaged(path, "it has another kind of pieces", install=install)
            return cls(told["model"]["vocab"], [token["content"] for token in told["added_tokens"]])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise damaged(path, f"{type(error).__name__}: {error}", install=install) from None

    def numbers(self, text: str, *, most: int) -> list[int]:
        """Give the numbers of the first pieces of a text."""
        found: list[int] = []
        for part in self._whole.split(text):
            if self._whole.fullmatch(part):
                found.append(self._numbers[part])
                continue
            for word in split_words(part):
                found += self._parts(word)
                if len(found) >= most:
                    return found[:most]
        return found[:most]

    def words(self, text: str, *, most: int) -> list[str]:
        """Name the word that each of the first pieces of a text is of."""
        found: list[str] = []
        for part in self._whole.split(text):
            if self._whole.fullmatch(part):
                found.append(part)
                continue
            for word in split_words(part):
                found += [word] * len(self._parts(word))
        return found[:most]

    def _parts(self, word: str) -> list[int]:
        """Cut a word into the longest known parts, from the left; unknown as a whole if any part is."""
        if word in self._numbers:
            return [self._numbers[word]]
        if len(word) > LONGEST_WORD:
            return [self.unknown]
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._numbers.get(mark + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return [self.unknown]
        return found


def split_words(text: str) -> Iterator[str]:
    """Split a text at spaces and around signs, in lower case and without accents; an ideograph stands alone.

    >>> list(split_words("Café-Bar\\t東京!"))
    ['cafe', '-', 'bar', '東', '京', '!']
    """
    if not text.isascii():
        text = IDEOGRAPH.sub(r" \1 ", "".join(map(_kept, text)))
        text = "".join(each for each in unicodedata.normalize("NFD", text) if unicodedata.category(each) != "Mn")
    else:
        text = "".join(map(_kept, text))
    for run in text.lower().split():
        start = 0
        for at, character in enumerate(run):
            if character in ASCII_SIGNS or (character > "\x7f" and unicodedata.category(character)[0] == "P"):
                if start < at:
                    yield run[start:at]
                yield character
                start = at + 1
        if start < len(run):
            yield run[start:]


def _kept(character: str) -> str:
    """Drop what is no text: control and format characters, and the sign for an unreadable one."""
    if character in "\t\n\r":
        return " "
    if character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    return character
