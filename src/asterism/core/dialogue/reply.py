"""Which line does a line answer? Every line chooses its head among the lines before it, or none (spec 05, D5).

    logit(x) = weights . features(x, y) (+ what a hidden layer adds)      p = softmax over x in the window, and "none"

The first look scores what is on the page. The second look scores again, knowing what the first believes of the lines
around. All of it is array code in blocks of lines: time grows with the number of lines, memory too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from asterism.core.dialogue.features import Sheet, Window, window_of
from asterism.core.dialogue.features_address import address
from asterism.core.dialogue.features_history import Past, history, past_of
from asterism.core.dialogue.features_lines import Singles, Talk, talk_of
from asterism.core.dialogue.features_pairs import (
    Facts,
    distance,
    facts_of,
    forms,
    meaning,
    open_intents,
    pairs,
    speakers,
    words,
)
from asterism.core.dialogue.features_says import says, word_of
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.tables import Table
from asterism.core.ledger.columns import Bools, Longs

BLOCK = 1024  # lines whose features are held at once
NONE = -1

Family = Callable[[Sheet, Talk, Facts, Window], None]
FAMILIES: Mapping[str, Family] = {
    "distance": distance,
    "speaker": speakers,
    "address": address,
    "form": forms,
    "pair": pairs,
    "open": open_intents,
    "words": words,
    "meaning": meaning,
    "says": says,
}
SameSpeaker = Literal["as_fitted", "barred"]


@dataclass(frozen=True, slots=True)
class Knobs:
    """What a user may set: may a line stand alone, may it answer its own speaker, and a push for either."""

    allow_none: bool = True
    same_speaker: SameSpeaker = "as_fitted"
    none_bias: float = 0.0
    own_bias: float = 0.0


AS_FITTED = Knobs()


@dataclass(frozen=True, slots=True)
class Choices:
    """What every line of speech answers: p for each candidate before it and, last, for none."""

    rows: Longs  # where each line of speech stands in the transcript
    p: Singles  # lines x (window + 1)

    def heads(self) -> dict[int, int]:
        """Give the likeliest head of every line of speech, by line index; NONE where it answers nothing."""
        size = self.p.shape[1] - 1
        best = self.p.argmax(axis=1)
        at = np.arange(len(self.p))
        head = np.where(best < size, self.rows[np.maximum(at - best - 1, 0)], NONE)
        return dict(zip(self.rows.tolist(), head.tolist(), strict=True))

    def links(self, threshold: float) -> Iterator[tuple[int, int, float]]:
        """Walk over (head, line, p) of every pair that is at least this likely."""
        for at, place in zip(*np.nonzero(self.p[:, :-1] >= threshold), strict=True):
            yield int(self.rows[at - place - 1]), int(self.rows[at]), float(self.p[at, place])


@dataclass(frozen=True, slots=True)
class Why:
    """Why a line answers another: p, and named parts that sum to the logit."""

    head: int
    p: float
    logit: float
    parts: dict[str, float]


class ReplyModel:
    """A table with its knobs, ready to read transcripts."""

    def __init__(self, table: Table, knobs: Knobs = AS_FITTED) -> None:
        self.table = table
        self.knobs = knobs

    def choose(
        self,
        lines: Sequence[Line],
        *,
        aliases: Mapping[str, str] | None = None,
        vectors: Singles | None = None,
        since: int = 0,
    ) -> Choices:
        """Let every line of speech choose its head.

        `aliases` are further names of speakers, `vectors` a row for each line; lines before `since` are context, and
        choose nothing.
        """
        talk = talk_of(lines, aliases=aliases, vectors=vectors)
        return Choices(talk.rows, self.probabilities(talk, start=int(np.searchsorted(talk.rows, since))))

    def probabilities(self, talk: Talk, *, start: int = 0) -> Singles:
        """Give p of every candidate of every line of a talk, none last; lines before `start` choose none."""
        facts = self._facts(talk)
        p = self._look(talk, facts, None, start)
        return self._look(talk, facts, past_of(p), start) if self.table.second else p

    def explain(
        self, lines: Sequence[Line], line_index: int, *, aliases: Mapping[str, str] | None = None, most: int = 5
    ) -> list[Why]:
        """Say why a line answers what it does: its likeliest heads, each with every part of its logit."""
        talk = talk_of(lines, aliases=aliases)
        at = int(np.searchsorted(talk.rows, line_index))
        if at == len(talk) or talk.rows[at] != line_index:
            return []
        facts = self._facts(talk)
        past = past_of(self._look(talk, facts, None)) if self.table.second else None
        y = np.array([at], dtype=np.int64)
        window = window_of(talk, y, self.table.window)
        weights = self._named(past)
        sheet = sheet_of(talk, facts, window, list(weights), past)
        parts = sheet.values[0] * np.array(list(weights.values()), dtype=np.float32)
        hidden = np.broadcast_to(self._hidden(sheet, past), (1, len(parts)))[0]
        biases = self._biases(window)[0]
        logits = parts.sum(axis=1) + hidden + biases
        p = chosen(logits[None], self._real(window))[0]
        found = []
        for place in np.argsort(-p, kind="stable")[:most].tolist():
            named = {name: float(value) for name, value in zip(weights, parts[place], strict=True) if value}
            named |= {"hidden": float(hidden[place])} if self.table.hidden and past is not None else {}
            named |= {"knobs": float(biases[place])} if biases[place] else {}
            head = int(talk.rows[at - place - 1]) if place < self.table.window else NONE
            if p[place] > 0:
                found.append(Why(head, float(p[place]), float(logits[place]), named))
        return found

    def families(self, talk: Talk) -> tuple[Singles, dict[str, Singles]]:
        """Give p as `probabilities` does, and what each family adds to every logit: lines x (window + 1) each."""
        facts = self._facts(talk)
        past = past_of(self._look(talk, facts, None)) if self.table.second else None
        weights = self._named(past)
        names = list(weights)
        values = np.array(list(weights.values()), dtype=np.float32)
        kinds = [name.split(".")[0] for name in names]
        places = {
            kind: np.array([at for at, each in enumerate(kinds) if each == kind]) for kind in dict.fromkeys(kinds)
        }
        size = self.table.window + 1
        found = {kind: np.zeros((len(talk), size), dtype=np.float32) for kind in [*places, "hidden", "knobs"]}
        p = np.zeros((len(talk), size), dtype=np.float32)
        for window in self._windows(talk):
            sheet = sheet_of(talk, facts, window, names, past)
            for kind, at in places.items():
                found[kind][window.y] = np.tensordot(values[at], sheet.columns[at], axes=1)
            found["hidden"][window.y] = self._hidden(sheet, past)
            found["knobs"][window.y] = self._biases(window)
            logits = sum((found[kind][window.y] for kind in found), start=np.zeros((len(window.y), size), np.float32))
            p[window.y] = chosen(logits, self._real(window))
        return p, found

    def _facts(self, talk: Talk) -> Facts:
        told = {word_of(name) for name in (*self.table.first, *self.table.second) if name.startswith("says.")}
        return facts_of(talk, self.table.window, told)

    def _weights(self, past: Past | None) -> Mapping[str, float]:
        return self.table.first if past is None else self.table.second

    def _named(self, past: Past | None) -> Mapping[str, float]:
        """Give the weights of a look, in the order of the hidden layer's features if there is one."""
        weights = self._weights(past)
        if self.table.hidden is None or past is None:
            return weights
        return {name: weights.get(name, 0.0) for name in self.table.hidden_names}

    def _windows(self, talk: Talk, start: int = 0) -> Iterator[Window]:
        for first in range(start, len(talk), BLOCK):
            yield window_of(talk, np.arange(first, min(first + BLOCK, len(talk)), dtype=np.int64), self.table.window)

    def _look(self, talk: Talk, facts: Facts, past: Past | None, start: int = 0) -> Singles:
        weights = self._named(past)
        names = tuple(weights)
        values = np.array(list(weights.values()), dtype=np.float32)
        p = np.zeros((len(talk), self.table.window + 1), dtype=np.float32)
        p[:start, -1] = 1.0
        for window in self._windows(talk, start):
            sheet = sheet_of(talk, facts, window, names, past)
            logits = sheet.logits(values) + self._hidden(sheet, past) + self._biases(window)
            p[window.y] = chosen(logits, self._real(window))
        return p

    def _hidden(self, sheet: Sheet, past: Past | None) -> Singles | float:
        """Give what the hidden layer adds; the sheet holds its features, in its order."""
        return 0.0 if self.table.hidden is None or past is None else self.table.hidden.logits(sheet.columns)

    def _biases(self, window: Window) -> Singles:
        biases = np.zeros((len(window.y), self.table.window + 1), dtype=np.float32)
        biases[:, :-1] = self.knobs.own_bias * window.same
        biases[:, -1] = self.knobs.none_bias
        return biases

    def _real(self, window: Window) -> Bools:
        heads = window.real & ~window.same if self.knobs.same_speaker == "barred" else window.real
        none = np.full((len(heads), 1), self.knobs.allow_none) | ~heads.any(axis=1, keepdims=True)
        return np.concatenate([heads, none], axis=1)


def sheet_of(talk: Talk, facts: Facts, window: Window, names: Sequence[str], past: Past | None) -> Sheet:
    """Fill a sheet with these features."""
    sheet = Sheet(names, len(window.y), window.x.shape[1])
    asked = {name.split(".")[0] for name in names}
    for kind, family in FAMILIES.items():
        if kind in asked or "none" in asked:
            family(sheet, talk, facts, window)
    if past is not None:
        history(sheet, talk, facts, window, past)
    return sheet


def chosen(logits: Singles, real: Bools) -> Singles:
    """Give the softmax over the real candidates of every row.

    >>> chosen(np.array([[1.0, 1.0, 9.0]], dtype=np.float32), np.array([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    shown = np.where(real, logits, -np.inf)
    powers = np.exp(shown - shown.max(axis=1, keepdims=True))
    p: Singles = powers / powers.sum(axis=1, keepdims=True)
    return p
