"""Transcripts made at random, and causal links written plainly: one line after the other, one rule after the other."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from uuid import UUID, uuid5

from hypothesis import strategies as st

from asterism.core.dialogue.consequences import CONSEQUENCES
from asterism.core.dialogue.ids import NAMESPACE
from asterism.core.dialogue.intents import ENGLISH
from asterism.core.dialogue.lines import REASONS, Line, LineKind, Mask
from asterism.core.dialogue.links import CausalLink
from asterism.core.dialogue.rules import Rules

PLAYERS = ("Ann", "Bo", "Cy")
MASTER = "DM"
SAID = (
    "I open the red door.",
    "I'll follow Bo.",
    "Can I see the key?",
    "Where is the key?",
    "Let's go to the inn",
    "we should sleep, I think",
    "Perception check",
    "Please hand me the red key",
    "Jester wants to pick the lock",
    "What if the door is locked",
    "I’m gonna cast a spell at the door!",
    "How about the inn",
    "Nice hat.",
    "19",
    "",
    "Yes, you see the red door.",
    "No. The key breaks.",
    "North of the inn there is a door",
    "Now roll a perception check.",
    "The door opens, and you find a key.",
    "Sure, you can do that",
    "Not really, the inn is closed.",
    "Hm.",
    "_I look_ at WE?",
    "Élan, naïve İstanbul ʼ?!",
)
KINDS: tuple[LineKind | None, ...] = (None, None, None, None, "action", "roll", "system")

texts = st.sampled_from(SAID) | st.text(max_size=30) | st.lists(st.sampled_from(SAID), max_size=3).map(" ".join)
authors = st.sampled_from((*PLAYERS, MASTER, MASTER, MASTER, "Zed", ""))


@st.composite
def transcripts(draw: st.DrawFn, *, most: int = 40) -> list[Line]:
    """Give a session in which the master says something."""
    parts = draw(st.lists(st.tuples(authors, texts, st.sampled_from(KINDS)), max_size=most))
    parts.insert(draw(st.integers(0, len(parts))), (MASTER, draw(texts), None))
    return [Line(place, author, said, None, kind) for place, (author, said, kind) in enumerate(parts)]


def masks(lines: int) -> st.SearchStrategy[list[Mask]]:
    """Give spans that may overlap and reach over the ends."""
    span = st.tuples(st.integers(-3, lines + 3), st.integers(-3, lines + 3))
    spans = st.builds(lambda ends, reason: Mask(min(ends), max(ends), reason), span, st.sampled_from(REASONS))
    return st.lists(spans, max_size=4)


# --- plainly -----------------------------------------------------------------------------------------------------


SEARCHES = {rule.name: re.compile(rule.pattern) for rule in (*ENGLISH.rules, *CONSEQUENCES.rules)}
ANSWERS = (
    "yes",
    "yeah",
    "yep",
    "yup",
    "sure",
    "okay",
    "ok",
    "no",
    "nope",
    "nah",
    "not really",
    "not at all",
    "not exactly",
)
WORDS = re.compile(r"[^\W_]+")


def first_rule(text: str, rules: Rules) -> tuple[str, str] | None:
    plain = text.replace("\u2019", "'").replace("_", " ")
    lower = plain.lower()
    for rule in rules.rules:
        if SEARCHES[rule.name].search(plain if rule.cased else lower):
            return rule.type, rule.name
    return None


def words_of(text: str) -> set[str]:
    return {word for word in WORDS.findall(text.lower()) if len(word) > 2}


def answers(text: str) -> bool:
    said = re.sub(r"^\W+", "", text.lower())
    starts = [said[len(word) :] for word in ANSWERS if said.startswith(word)]
    return any(not re.match(r"\w|['’-]\w", rest) for rest in starts)


def score(intent: Line, kind: str, response: Line, distance: int) -> float:
    nearness = 1 / (1 + math.pow(distance / 2, 2.2))
    mine, theirs = words_of(intent.content), words_of(response.content)
    lexical = len(mine & theirs) / max(len(mine), len(theirs)) if mine and theirs else 0.0
    boost = 0.15 if kind == "question" and answers(response.content) else 0.0
    return round((nearness * (1 + 0.5 * lexical) + boost) * 1e9) / 1e9


def plain_causal_links(
    lines: Sequence[Line],
    *,
    session: str,
    players: Collection[str],
    masters: Collection[str],
    masks: Sequence[Mask] = (),
    k_local: int = 8,
    distance: str = "gap",
    bridge: bool = False,
) -> list[CausalLink]:
    """Walk over the lines as the document describes it."""
    excluded = [any(mask.start <= line.line_index <= mask.end for mask in masks) for line in lines]
    intents = []
    for line in lines:
        if excluded[line.line_index] or line.author_name not in players or line.kind == "system":
            continue
        found = first_rule(line.content, ENGLISH)
        if found is None and line.kind == "action":
            found = ("declare", "action_line")
        if found is not None:
            intents.append((line, *found))
    claimed: dict[int, tuple[int, int, float]] = {}
    taken: set[int] = set()
    for strong in (True, False):
        for line, kind, _ in intents:
            if (kind != "question") != strong:
                continue
            best: tuple[int, int, float] | None = None
            counted = 0
            for place in range(line.line_index + 1, len(lines)):
                response = lines[place]
                if excluded[response.line_index]:
                    if bridge:
                        continue
                    break
                gap = response.line_index - line.line_index
                if (gap if distance == "gap" else counted) >= k_local + (distance == "gap"):
                    break
                if response.author_name not in masters:
                    continue
                counted += 1
                if strong and response.line_index in taken:
                    continue
                away = gap if distance == "gap" else counted
                value = score(line, kind, response, away)
                if best is None or value > best[2]:
                    best = (response.line_index, away, value)
            if best is not None and best[2] >= (0.35 if strong else 0.10):
                claimed[line.line_index] = best
                if strong:
                    taken.add(best[0])
    links = []
    for line, kind, rule in intents:
        actor, got = line.author_name.lower(), claimed.get(line.line_index)
        name = str(uuid5(UUID(bytes=NAMESPACE), f"{session}\x1f{actor}\x1f{line.line_index}"))
        strength = "weak" if kind == "question" else "strong"
        start = (name, session, actor, line.content, kind, strength, line.line_index)
        if got is None:
            links.append(CausalLink(*start, None, "none", None, None, None, False, 0, rule))
            continue
        response = lines[got[0]]
        found = first_rule(response.content, CONSEQUENCES)
        type_of = "roll" if response.kind == "roll" else found[0] if found else "dm_statement"
        links.append(CausalLink(*start, response.content, type_of, *got, True, 0, rule))
    return links
