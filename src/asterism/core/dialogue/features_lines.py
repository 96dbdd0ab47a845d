"""What the reply model knows of each line by itself: who speaks, to whom, in which form, with which words.

`Talk` holds a column a fact, one row a line of speech. System lines (joined, left) are not part of a talk: they answer
nothing and nothing answers them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asterism.core.dialogue.forms import forms_of
from asterism.core.dialogue.lines import Line
from asterism.core.ledger.columns import Bools, Longs
from asterism.core.text.stems import STOP_WORDS, stem

Singles = NDArray[np.float32]

NOBODY = -1
NAMED_AT_MOST = 3  # speakers that one line names
COMMON_NAME = 0.01  # a name that more lines than this hold as a word is a word, unless it leads the line
_TOKEN = re.compile(r"[^\s,:;!?()<>\"]+")
_LEAD = re.compile(r"^\s*@?([^\s,:;]+?)\s*[,:;]\s*(?=\S|$)|^\s*@(\S+)\s")
_WORD = re.compile(r"[a-z0-9][a-z0-9.'/_+-]*[a-z0-9]|[a-z0-9]")


@dataclass(frozen=True, slots=True)
class Talk:
    """The lines of speech as columns; -1 stands for nobody and for no line."""

    rows: Longs  # where each line of speech stands in the transcript
    speaker: Longs
    lead: Longs  # the speaker whom the line addresses at its start
    named: Longs  # lines x NAMED_AT_MOST: every speaker it names, the lead first
    forms: Bools  # lines x FORM_NAMES
    action: Bools
    acts: Bools  # the speaker does things: some line of theirs is an action
    words: tuple[tuple[str, ...], ...]  # stems without stop words, sorted, each once
    said: tuple[frozenset[str], ...]  # every word as it is
    size: Longs  # how many words
    previous_own: Longs
    next_own: Longs  # len(talk) when there is none
    vectors: Singles | None

    def __len__(self) -> int:
        return len(self.rows)


def talk_of(lines: Sequence[Line], *, aliases: Mapping[str, str] | None = None, vectors: Singles | None = None) -> Talk:
    """Read lines into columns; `aliases` are further names of speakers, `vectors` a row of meaning for each line."""
    rows = [place for place, line in enumerate(lines) if line.kind != "system"]
    spoken = [lines[row] for row in rows]
    canon = {name.lower(): owner for name, owner in (aliases or {}).items()}
    numbers: dict[str, int] = {}
    speaker = np.array(
        [numbers.setdefault(canon.get(line.author_name.lower(), line.author_name), len(numbers)) for line in spoken],
        dtype=np.int64,
    )
    owners = {name.lower(): number for name, number in numbers.items()}
    owners |= {line.author_name.lower(): int(speaker[place]) for place, line in enumerate(spoken)}
    owners |= {name: owners[owner.lower()] for name, owner in canon.items() if owner.lower() in owners}
    texts = [line.content for line in spoken]
    lead, named, bare = _addressed(texts, speaker, owners)
    action = np.array([line.kind == "action" for line in spoken], dtype=np.bool_)
    acting = np.unique(speaker[action])
    said = [_WORD.findall(text.lower()) for text in bare]
    previous, following = _own_lines(speaker)
    forms = forms_of(bare)
    forms[action] = False
    return Talk(
        rows=np.array(rows, dtype=np.int64),
        speaker=speaker,
        lead=lead,
        named=named,
        forms=forms,
        action=action,
        acts=np.isin(speaker, acting),
        words=tuple(tuple(sorted({stem(word) for word in found if word not in STOP_WORDS})) for found in said),
        said=tuple(frozenset(found) for found in said),
        size=np.array([len(found) for found in said], dtype=np.int64),
        previous_own=previous,
        next_own=following,
        vectors=None if vectors is None else np.asarray(vectors, dtype=np.float32)[rows],
    )


def _addressed(texts: Sequence[str], speaker: Longs, owners: Mapping[str, int]) -> tuple[Longs, Longs, list[str]]:
    """Find whom each line names, and the text without the name at its start."""
    tokens = [_TOKEN.findall(text.lower()) for text in texts]
    held = Counter(token for found in tokens for token in set(found[1:]))
    rare = max(3.0, COMMON_NAME * len(texts))
    name_like = {name for name in owners if len(name) > 2 and held[name] <= rare}
    lead = np.full(len(texts), NOBODY, dtype=np.int64)
    named = np.full((len(texts), NAMED_AT_MOST), NOBODY, dtype=np.int64)
    bare = []
    for row, text in enumerate(texts):
        found: list[int] = []
        rest = text
        match = _LEAD.match(text)
        first = (match.group(1) or match.group(2)).lower() if match else ""
        if match and owners.get(first, speaker[row]) != speaker[row]:
            lead[row] = owners[first]
            found.append(owners[first])
            rest = text[match.end() :]
        elif tokens[row] and tokens[row][0] in name_like and owners[tokens[row][0]] != speaker[row]:
            lead[row] = owners[tokens[row][0]]
            found.append(int(lead[row]))
        for token in tokens[row]:
            owner = owners[token] if token in name_like else NOBODY
            if owner not in (NOBODY, speaker[row]) and owner not in found:
                found.append(owner)
        named[row, : len(found[:NAMED_AT_MOST])] = found[:NAMED_AT_MOST]
        bare.append(rest)
    return lead, named, bare


def _own_lines(speaker: Longs) -> tuple[Longs, Longs]:
    """Give each line's previous and next line of the same speaker."""
    previous = np.full(len(speaker), NOBODY, dtype=np.int64)
    following = np.full(len(speaker), len(speaker), dtype=np.int64)
    order = np.argsort(speaker, kind="stable")
    alike = speaker[order[1:]] == speaker[order[:-1]]
    previous[order[1:][alike]] = order[:-1][alike]
    following[order[:-1][alike]] = order[1:][alike]
    return previous, following


def rarity(talk: Talk) -> dict[str, float]:
    """Give each word's weight: ln(1 + lines / lines that hold it)."""
    held = Counter(word for words in talk.words for word in words)
    return {word: math.log(1.0 + len(talk) / count) for word, count in held.items()}
