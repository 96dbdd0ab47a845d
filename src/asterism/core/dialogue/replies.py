"""Replies: every line of a talk in which nobody is named as a responder chooses what it answers (08 E12).

Which model reads a talk is chosen by what its lines look like, and told with the reason. A *reply* is a line with the
line it answers. The links of a reading are those replies whose head intends something: what came of the intent is its
likeliest reply by somebody else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from asterism.core.dialogue.answering import Answering, Reply
from asterism.core.dialogue.features_lines import NOBODY, Talk, talk_of
from asterism.core.dialogue.forms import FORM_NAMES
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.reply import NONE, Knobs, ReplyModel
from asterism.core.dialogue.scoring import Pairs, Scene
from asterism.core.dialogue.tables import Tables
from asterism.core.ledger.columns import Bools

MODELS: Mapping[str, tuple[str, Knobs]] = {  # by word: the table, and how it is read
    "channel": ("channel", Knobs()),
    "instruction": ("instruction", Knobs()),
    "reply": ("group", Knobs(allow_none=False, same_speaker="barred")),
}
PLACES = 4  # decimals of p: single-precision sums differ below them between machines
CROWD = 12  # people beyond whom a talk is a chat room's, whatever they say; who says little counts little
NAMING = 0.15  # share of lines that begin with somebody's name, from which three people are a chat room
INSTRUCTING, OFTEN = 0.15, 4  # share of a speaker's lines, and how many, that tell somebody to do something
RENAMED = re.compile(r"^(?:\W+\s)?(\S+) is now known as (\S+?)\.?$")
ROLES = frozenset({"user", "human", "assistant", "ai", "bot", "model"})


class Replies(NamedTuple):
    """What every line answers, with the model that says so."""

    model: ReplyModel
    talk: Talk
    found: tuple[Reply, ...]


def chosen_for(lines: Sequence[Line]) -> Answering:
    """Choose the reply model for a talk in which nobody is a responder, by what its lines look like.

    >>> chosen_for([Line(0, "Ann", "Shall we go?"), Line(1, "Bo", "Yes."), Line(2, "Cy", "Wait for me!")])
    Answering(by='reply', because='3 people, of whose lines 0 % begin with a name')
    """
    talk = talk_of(_speech(lines))
    people = Counter(lines[row].author_name for row in talk.rows.tolist())
    naming = float(np.mean(talk.lead != NOBODY)) if len(talk) else 0.0
    shares = np.array(list(people.values())) / max(len(talk), 1)
    if np.exp(-(shares * np.log(shares)).sum()) > CROWD:  # as many people as would talk so much if all did alike
        return Answering("channel", f"{len(people)} people")
    if len(people) == 2 and (told := _instructs(lines, talk, people)):
        return Answering("instruction", f"2 people, {told}")
    told = f"{len(people)} {'person' if len(people) == 1 else 'people'}, of whose lines {naming:.0%} begin with a name"
    told = told.replace("%", " %")
    return Answering("channel" if len(people) > 2 and naming >= NAMING else "reply", told)


def _instructs(lines: Sequence[Line], talk: Talk, people: Mapping[str, int]) -> str:
    """Say by what one of two tells the other what to do, or nothing."""
    if talk.action.any():
        return "who say and do things"
    if all(name.casefold() in ROLES for name in people):
        return f"called {' and '.join(people)}"
    commands = talk.forms[:, FORM_NAMES.index("commands")]
    told = Counter(lines[row].author_name for row in talk.rows[commands].tolist())
    most = max(told, key=lambda name: told[name] / people[name], default="")
    if told[most] >= OFTEN and told[most] / people[most] >= INSTRUCTING:
        return f"one of whom tells the other what to do ({told[most]} of {people[most]} lines)"
    return ""


def renames(lines: Sequence[Line]) -> dict[str, str]:
    """Give the further names of speakers, by what the system says of them.

    >>> renames([Line(0, "", "=== ann is now known as ann_away", None, "system")])
    {'ann_away': 'ann'}
    """
    aliases: dict[str, str] = {}
    for line in lines:
        found = RENAMED.match(line.content) if line.kind == "system" else None
        if found is not None:
            old, new = found[1].lower(), found[2].lower()
            first = aliases.get(old, old)
            if new != first:
                aliases[new] = first
    return aliases


def replies_of(lines: Sequence[Line], counts: Bools, by: str, tables: Tables, *, bridge: bool) -> Replies:
    """Let every line that counts choose what it answers; no reply spans a line that does not, unless `bridge`."""
    table, knobs = MODELS[by]
    model = ReplyModel(tables(table), knobs)
    deeds = by == "instruction"  # the other tables know of no deeds: what is done is said to them
    talk = talk_of(_speech(lines, counts, deeds=deeds), aliases=renames(lines))
    if not len(talk):
        return Replies(model, talk, ())
    p = model.probabilities(talk)
    best = p.argmax(axis=1)
    left_out = np.concatenate([[0], np.cumsum(~counts)])
    found = []
    for at, step in enumerate(best.tolist()):
        line, head = int(talk.rows[at]), int(talk.rows[at - step - 1]) if step < model.table.window else NONE
        if head != NONE and (bridge or left_out[head] == left_out[line]):
            found.append(Reply(line, head, round(float(p[at, step]), PLACES)))
    return Replies(model, talk, tuple(found))


def _speech(lines: Sequence[Line], counts: Bools | None = None, *, deeds: bool = True) -> list[Line]:
    """Give lines in which what does not count, or is nobody's, is no speech."""
    held = [True] * len(lines) if counts is None else counts.tolist()
    spoken = [line.author_name.strip() != "" and line.kind != "system" for line in lines]
    return [
        (line if deeds else line._replace(kind=None)) if counted and said else line._replace(kind="system")
        for line, said, counted in zip(lines, spoken, held, strict=True)
    ]


def pairs_of(scene: Scene, replies: Sequence[Reply]) -> Pairs:
    """Pair each intent with the replies of others to it, nearest first."""
    answers: dict[int, list[int]] = {}
    for line, head, _ in replies:
        if scene.lines[line].author_name != scene.lines[head].author_name:
            answers.setdefault(head, []).append(line)
    starts, responses, distances = [0], list[int](), list[int]()
    for intent in scene.intents:
        found = answers.get(intent.line_index, [])
        responses += found
        distances += [line - intent.line_index for line in found]
        starts.append(len(responses))
    return Pairs(starts, responses, distances)


@dataclass(frozen=True)
class ReplyScorer:
    """Scores an intent and a reply to it by how likely the reply is one."""

    name: str
    replies: Replies

    def scores(self, scene: Scene, pairs: Pairs) -> list[float]:  # noqa: ARG002  # as scorers are asked
        """Score all pairs."""
        known = {reply.line: reply.p for reply in self.replies.found}
        return [known[line] for line in pairs.responses]

    def parts(self, scene: Scene, pairs: Pairs) -> list[dict[str, float]]:  # noqa: ARG002  # as scorers are asked
        """Give how likely each is, and what each family of features adds to its logit."""
        if not len(pairs.responses):
            return []
        model, talk, found = self.replies
        known = {reply.line: reply for reply in found}
        _, families = model.families(talk)
        rows = {row: at for at, row in enumerate(talk.rows.tolist())}
        told = []
        for line in pairs.responses:
            reply = known[line]
            place = (rows[line], rows[line] - rows[reply.head] - 1)
            parts = {f"logit.{kind}": round(float(grid[place]), PLACES) for kind, grid in families.items()}
            told.append({"p": reply.p} | parts)
        return told
