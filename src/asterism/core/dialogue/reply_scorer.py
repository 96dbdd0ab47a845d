"""The kernel's scorer `dialogue`: the score of an intent and a response is how likely the response answers it.

    score = sum over the lines x that carry the intent of p(response answers x)

An intent is carried by its own line and by what its speaker adds ("I attack." .. "With the axe.") before their next
intent and before a responder speaks. With `blocking`, an intent that another speaker's intent follows before the
response gets no part of it, unless the response is likelier its than all others' together: who spoke last is answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from asterism.core.dialogue.actors import RESPONDER
from asterism.core.dialogue.features_lines import Singles
from asterism.core.dialogue.reply import ReplyModel
from asterism.core.dialogue.scoring import Pairs, Scene
from asterism.core.ledger.columns import Bools, Longs

PLACES = 4  # decimals of a score: single-precision sums differ below them between machines
LIKELIER = 0.5  # share of a response above which no intent between closes one before
CARRIED = 6  # lines after an intent that may still belong to it


@dataclass(frozen=True)
class DialogueScorer:
    """Scores pairs by a reply table: every response line chooses among all lines before it, or none."""

    model: ReplyModel
    blocking: bool = False
    name: str = "dialogue"

    def scores(self, scene: Scene, pairs: Pairs) -> list[float]:
        """Score all pairs of a session."""
        if not len(pairs.responses):
            return []
        talk = scene.talk
        p = self.model.probabilities(talk)
        own, carried, open_to = self._shares(scene, pairs, talk.rows, p)
        return [round(float(score), PLACES) for score in np.where(open_to, own + carried, 0.0)]

    def parts(self, scene: Scene, pairs: Pairs) -> list[Mapping[str, float]]:
        """Give p of the intent's own line, of the lines that carry it, and what each family adds to the own logit."""
        if not len(pairs.responses):
            return []
        talk = scene.talk
        p, families = self.model.families(talk)
        own, carried, open_to = self._shares(scene, pairs, talk.rows, p)
        anchors, responses = _pairs(scene, pairs)
        at, gap = _gaps(talk.rows, anchors, responses)
        inside = (gap >= 1) & (gap <= self.model.table.window)
        found: list[Mapping[str, float]] = []
        for pair in range(len(responses)):
            told = {"p": round(float(own[pair]), PLACES), "carried": round(float(carried[pair]), PLACES)}
            if not open_to[pair]:
                told["blocked"] = 1.0
            if inside[pair]:
                place = (at[pair], gap[pair] - 1)
                told |= {f"logit.{kind}": round(float(grid[place]), PLACES) for kind, grid in families.items()}
            found.append(told)
        return found

    def _shares(self, scene: Scene, pairs: Pairs, rows: Longs, p: Singles) -> tuple[Singles, Singles, Bools]:
        """Give for every pair what its own line gets, what the lines that carry it get, and whether it is open."""
        anchors, responses = _pairs(scene, pairs)
        window = self.model.table.window
        at, gap = _gaps(rows, anchors, responses)
        inside = (gap >= 1) & (gap <= window)
        own = np.where(inside, p[at, np.clip(gap - 1, 0, window - 1)], 0.0)
        owner = _owners(scene)[rows]
        before = at[:, None] - np.arange(1, window + 1)
        mine = (before >= 0) & (owner[np.maximum(before, 0)] == anchors[:, None])
        spoken = rows[at] == responses  # a system line answers nobody
        carried = np.where(spoken, (p[at, :-1] * mine).sum(axis=1) - own, 0.0)
        carried = np.maximum(carried, 0.0)
        open_to = own + carried > LIKELIER if self.blocking else np.ones(len(anchors), dtype=np.bool_)
        return own, carried, open_to | ~_blocked(scene, anchors, responses)


def _pairs(scene: Scene, pairs: Pairs) -> tuple[Longs, Longs]:
    """Give the line of the intent and of the response of every pair."""
    lines = np.array([intent.line_index for intent in scene.intents], dtype=np.int64)
    return np.repeat(lines, np.diff(pairs.starts)), np.array(pairs.responses, dtype=np.int64)


def _gaps(rows: Longs, anchors: Longs, responses: Longs) -> tuple[Longs, Longs]:
    """Give each response's place among the lines of speech, and how many of them the intent stands before it.

    A response that is no speech (a system line) has gap 0: nobody is answered by it.
    """
    at = np.minimum(np.searchsorted(rows, responses), len(rows) - 1)
    from_ = np.minimum(np.searchsorted(rows, anchors), len(rows) - 1)
    spoken = (rows[at] == responses) & (rows[from_] == anchors)
    return at, np.where(spoken, at - from_, 0)


def _owners(scene: Scene) -> Longs:
    """Give for every line the line of the intent that it carries, -1 for none."""
    owner = np.full(len(scene.lines), -1, dtype=np.int64)
    starts = {intent.line_index for intent in scene.intents}
    last: dict[str, int] = {}
    answered = -1  # the last line of a responder
    for line, role in zip(scene.lines, scene.roles, strict=True):
        if line.line_index in starts:
            last[line.author_name] = line.line_index
        start = last.get(line.author_name, -1)
        if start > answered and line.line_index - start <= CARRIED:
            owner[line.line_index] = start
        if role == RESPONDER:
            answered = line.line_index
    return owner


def _blocked(scene: Scene, anchors: Longs, responses: Longs) -> Bools:
    """Say which pairs have an intent of another speaker between."""
    lines = np.array([intent.line_index for intent in scene.intents], dtype=np.int64)
    numbers: dict[str, int] = {}
    actors = np.array([numbers.setdefault(intent.actor, len(numbers)) for intent in scene.intents], dtype=np.int64)
    switch = np.full(len(lines), len(scene.lines), dtype=np.int64)  # the next intent of another speaker
    for place in range(len(lines) - 2, -1, -1):
        switch[place] = lines[place + 1] if actors[place + 1] != actors[place] else switch[place + 1]
    blocked: Bools = switch[np.searchsorted(lines, anchors)] < responses
    return blocked
