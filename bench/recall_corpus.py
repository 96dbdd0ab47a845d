"""A corpus to recall from: conversations in words with the frequencies of a language, and vectors made of the words.

Words are drawn by Zipf's law; a quarter of an entry's words belong to the topic of its conversation, and half of all
are stop words, as in English. Every system of a comparison gets the same texts and the same vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from asterism.core.text.stems import STOP_WORDS

DIMENSION = 256
WORDS = 30_000
TOPIC_WORDS = 40
TURNS = 20  # of a conversation
KIN = 10  # words of a kind
COMMON = 7  # words of a question

_HEADS = [*"bcdfghjklmnprstvw", "br", "ch", "dr", "gr", "pl", "qu", "sh", "st", "tr"]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]
_TAILS = ["n", "r", "l", "s", "t", "m", "nd", "ck", "st", "rt"]

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Corpus:
    """Texts with their conversations, speakers and vectors, and questions about them."""

    texts: list[str]
    conversation: list[int]
    speaker: list[str]
    words: tuple[str, ...]
    word_vectors: Vectors
    vectors: Vectors
    questions: list[str]
    question_vectors: Vectors

    @cached_property
    def number(self) -> dict[str, int]:
        """The place of each word in the vocabulary."""
        return {word: place for place, word in enumerate(self.words)}


def corpus(size: int, *, questions: int = 64) -> Corpus:
    """Make a corpus; a question is made of seven frequent words that one entry holds or that stand near it."""
    chance = np.random.default_rng(size)
    words = vocabulary(chance)
    stop_words = sorted(STOP_WORDS)
    frequency = 1.0 / (np.arange(WORDS) + 2.7) ** 1.05
    share = frequency / frequency.sum()
    kinds = chance.normal(size=(WORDS // KIN, DIMENSION))  # words of a kind are alike: their cosine is about a half
    word_vectors = (kinds[chance.permutation(WORDS) // KIN] + chance.normal(size=(WORDS, DIMENSION))).astype(np.float32)
    people = [f"{words[a].capitalize()} {words[b].capitalize()}" for a, b in chance.integers(2_000, WORDS, (200, 2))]
    texts: list[str] = []
    held: list[NDArray[np.int64]] = []
    conversation: list[int] = []
    speaker: list[str] = []
    topic = both = np.zeros(2, dtype=np.int64)
    lengths = np.clip(chance.lognormal(2.4, 0.6, size), 2, 80).astype(int)
    for row in range(size):
        if row % TURNS == 0:
            topic = chance.choice(WORDS, TOPIC_WORDS, p=share)
            both = chance.choice(len(people), 2, replace=False)
        own = chance.choice(WORDS, lengths[row], p=share)
        about = chance.random(lengths[row]) < 0.25
        own[about] = chance.choice(topic, int(about.sum()))
        small = chance.choice(len(stop_words), lengths[row])
        spoken = [part for each, little in zip(own, small, strict=True) for part in (stop_words[little], words[each])]
        if chance.random() < 0.1:
            spoken.append(people[chance.integers(len(people))])
        texts.append(" ".join(spoken).capitalize() + ("?" if chance.random() < 0.15 else "."))
        held.append(own)
        conversation.append(row // TURNS)
        speaker.append(people[both[row % 2]].split()[0])
    asked, asked_vectors = [], []
    for row in chance.integers(0, size, questions).tolist():
        near = np.unique(np.concatenate(held[max(row - 2, 0) : row + 3]))
        some = np.unique(np.concatenate([near[:COMMON], chance.choice(200, COMMON)]))[:COMMON]
        asked.append("What did they say about " + " ".join(words[each] for each in some.tolist()) + "?")
        asked_vectors.append(word_vectors[some].sum(axis=0))
    return Corpus(
        texts=texts,
        conversation=conversation,
        speaker=speaker,
        words=tuple(words),
        word_vectors=_unit(word_vectors),
        vectors=_unit(np.array([word_vectors[each].sum(axis=0) for each in held])),
        questions=asked,
        question_vectors=_unit(np.array(asked_vectors)),
    )


def vocabulary(chance: np.random.Generator) -> list[str]:
    """Make words."""
    found: dict[str, None] = {}
    while len(found) < WORDS:
        heads, vowels, tails = (chance.choice(part, 3) for part in (_HEADS, _VOWELS, _TAILS))
        syllables = 1 + int(chance.integers(0, 3))
        word = "".join(f"{heads[each]}{vowels[each]}" for each in range(syllables)) + tails[0]
        if word not in STOP_WORDS:
            found[word] = None
    return list(found)


def _unit(rows: NDArray[np.float32]) -> Vectors:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)
