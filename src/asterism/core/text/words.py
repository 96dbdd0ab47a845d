"""Words: how a text becomes terms, and which names it speaks of.

    text -> folded words without stop words                         for keyword search
    text -> runs of capitalised words -> names                      for `mention` and `shared_term` links

A name is written as its folded words with single spaces: "Journal of Physics" is "journal of physics".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from asterism.core.text.paraphrases import widened
from asterism.core.text.stems import NOT_SEARCHED, STOP_WORDS

LONGEST_NAME = 6  # words; longer runs give their parts
# Characters of a text that are read for its words, its names and its vector: twice as many as the longest note has, and
# a few milliseconds of work. A line of a transcript may have a million: it is kept whole, and found by its beginning.
INDEXED_WITHIN = 20_000

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")  # kana and Chinese characters
_BRACKETS = re.compile(r"\([^()]*\)")
_JOINED = re.compile(r"[ \t\u00a0]*,?[ \t\u00a0-]+|['&/.-]|, |\. ?")
_JOINING = frozenset("of the and in on for de von van la le du di da del al el a an to at with by s".split())  # noqa: SIM905 - as in stems


def fold(text: str) -> str:
    """Lower-case a text and take its accents off.

    >>> fold("Müller’s CAFÉ")
    "muller's cafe"
    """
    if text.isascii():
        return text.lower()
    flat = unicodedata.normalize("NFKD", text.replace("\u2019", "'"))
    return "".join(letter for letter in flat if not unicodedata.combining(letter)).lower()


def words(text: str) -> list[str]:
    """Split a text into folded words; what follows an apostrophe is dropped, unless it carries the word.

    >>> words("Caroline's 2nd café, isn't it? O'Brien")
    ['caroline', '2nd', 'cafe', 'isn', 'it', 'obrien']
    >>> words("She won, he won't.")
    ['she', 'won', 'he', 'will']
    >>> words("東京タワー")
    ['東京', '京タ', 'タワ', 'ワー']
    """
    found: list[str] = []
    for match in _WORD.findall(fold(text)):
        word = _headed(match)
        if word.isascii() or not _UNSPACED.search(word) or len(word) < 3:
            found.append(word)
        else:
            found += [word[start : start + 2] for start in range(len(word) - 1)]
    return found


def content(text: str) -> list[str]:
    """Give the words of a text that are no stop words, repeats kept, and one more for a phrase that means the same.

    >>> content("What did the painters paint, and when?")
    ['painters', 'paint']
    """
    return [word for word in widened(words(text)) if word not in NOT_SEARCHED]


def name_of(title: str) -> str:
    """Write a title as a name: folded, without brackets, without a leading article.

    >>> name_of("The Brother (2000 film)"), name_of("Karl, Prince of Leiningen")
    ('brother', 'karl prince of leiningen')
    """
    parts = words(_BRACKETS.sub(" ", title)) or words(title)
    while len(parts) > 1 and parts[0] in ("the", "a", "an"):
        parts = parts[1:]
    return " ".join(parts)


def names(text: str) -> list[str]:
    """Give every name in a text: runs of capitalised words and numbers, and the parts of the longer ones.

    Each once, sorted. A run may hold small words ("of", "the") and commas, but neither begins nor ends with one; a
    stop word alone is no name, however it is written. Of a very long text the first 20,000 characters are read.

    >>> names("He met Queen Elisabeth of Romania.")
    ['elisabeth', 'elisabeth of romania', 'queen', 'queen elisabeth', 'queen elisabeth of romania', 'romania']
    >>> names("The dog barked. I slept in 1994.")
    []
    """
    found: set[str] = set()
    for run in _runs(text[:INDEXED_WITHIN]):
        for start, (first, _) in enumerate(run):
            if first in _JOINING or first in STOP_WORDS:
                continue
            name, held_capital = "", False
            for word, capital in run[start : start + LONGEST_NAME]:
                name = f"{name} {word}" if name else word
                held_capital = held_capital or capital
                if held_capital and word not in _JOINING:
                    found.add(name)
    return sorted(found)


def _runs(text: str) -> Iterator[list[tuple[str, bool]]]:
    """Walk over runs of words that may form names: (folded word, is it capitalised)."""
    plain = text.replace("\u2019", "'")
    run: list[tuple[str, bool]] = []
    end = 0
    for match in _WORD.finditer(plain):
        written = match.group()
        numbered = written[0].isdigit()
        capital = written[0].isupper()
        if run and not ((capital or numbered or written in _JOINING) and _JOINED.fullmatch(plain, end, match.start())):
            yield run
            run = []
        if run or capital or numbered:
            run.append((_headed(fold(written)), capital))
            if written.endswith("'s"):  # a possessive ends a name: Caroline's Paris
                yield run
                run = []
        end = match.end()
    if run:
        yield run


def _headed(word: str) -> str:
    head, _, tail = word.partition("'")
    if word == "won't":
        return "will"
    return head + tail if len(head) == 1 and len(tail) > 2 else head


def title_names(title: str) -> list[str]:
    """Give the names that a title goes by: its own, and its part before a comma when that has two words or more.

    >>> title_names("Ramon Berenguer IV, Count of Barcelona")
    ['ramon berenguer iv count of barcelona', 'ramon berenguer iv']
    >>> title_names("Karl, Prince of Leiningen")
    ['karl prince of leiningen']
    """
    whole, head = name_of(title), name_of(title.split(",")[0])
    return [name for name in dict.fromkeys((whole, head)) if name == whole or " " in name]
