"""Single words that tell: a short list of its own for each table, taken from the names of its weights.

says.x=word      the candidate holds the word, and y is no action
says.word>act    the candidate holds the word, and y is an action
says.act>word    the candidate is an action, and y holds the word
says.none=word   y holds the word, for "none"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from asterism.core.dialogue.features import Sheet, Window
from asterism.core.dialogue.features_lines import Talk
from asterism.core.dialogue.features_pairs import Facts


def names_of(words: Iterable[str], *, acts: bool) -> list[str]:
    """Name the features of some words; those about actions only where there are actions.

    >>> names_of(["now"], acts=False)
    ['says.x=now', 'says.none=now']
    >>> names_of(["now"], acts=True)[2:]
    ['says.now>act', 'says.act>now']
    """
    told = list(words)
    names = [f"says.x={word}" for word in told] + [f"says.none={word}" for word in told]
    if acts:
        names += [f"says.{word}>act" for word in told] + [f"says.act>{word}" for word in told]
    return names


def common_words(talks: Sequence[Talk], most: int) -> list[str]:
    """Give the words that most lines of speech hold, numbers left out, ties by letter."""
    held = Counter(
        word
        for talk in talks
        for said, action in zip(talk.said, talk.action.tolist(), strict=True)
        if not action
        for word in said
        if not word.isdigit()
    )
    return [word for word, _ in sorted(held.items(), key=lambda each: (-each[1], each[0]))[:most]]


def word_of(name: str) -> str:
    """Give the word that a feature of this family asks for.

    >>> [word_of(name) for name in ("says.x=now", "says.none=ok", "says.put>act", "says.act>no")]
    ['now', 'ok', 'put', 'no']
    """
    bare = name.removeprefix("says.").removeprefix("x=").removeprefix("none=")
    return bare.removeprefix("act>").removesuffix(">act")


def says(sheet: Sheet, talk: Talk, facts: Facts, window: Window) -> None:
    """Which of the table's words x and y hold."""
    x, y, real = window.x, window.y, window.real
    acts = talk.action[y][:, None]
    acted = real & talk.action[x]
    for name, place in sheet.places.items():
        if not name.startswith("says."):
            continue
        held = facts.held[word_of(name)]
        if name.startswith("says.none="):
            sheet.columns[place, :, -1] = held[y]
        elif name.startswith("says.act>"):
            sheet.columns[place, :, :-1] = acted & held[y][:, None]
        else:
            sheet.columns[place, :, :-1] = (held[x] & real) & (acts if name.endswith(">act") else ~acts)
