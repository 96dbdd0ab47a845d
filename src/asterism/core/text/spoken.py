"""Who says a text that begins with a name: "Ann: I moved to Oslo."."""

from __future__ import annotations

import re

ROLES = ("user", "assistant", "system", "human", "ai", "bot", "agent")
LABELS = re.compile(
    "action|answer|bug|caution|caveat|conclusion|context|decision|definition|description|error|example|fact|fix|goal"
    "|hint|https?|idea|important|info|input|issue|lesson|link|notes?|output|problem|ps|question|reason|reminder|result"
    "|rule|solution|source|step|summary|task|tip|title|todo|topic|update|url|version|warning",
    re.IGNORECASE,
)
NAME = re.compile(
    rf"((?:{'|'.join(ROLES)})(?=:)|(?!\d)[^\W_a-z][\w.'’-]{{0,29}}(?: (?!\d)[^\W_a-z][\w.'’-]{{0,29}}){{0,2}}):\s+\S"
)
TURN = re.compile(
    r"\s*(?P<name>[^\s:<>]{1,60}|[^\W\da-z_][^\s:<>]*(?: [^\W\da-z_][^\s:<>]*){1,3}):\s+(?P<text>\S.*)", re.DOTALL
)


def said_by(text: str) -> str:
    """Give the name that a text begins with, when it reads as somebody's words; else nothing.

    >>> said_by("Ann: I moved to Oslo."), said_by("assistant: Done.")
    ('Ann', 'assistant')
    >>> said_by("Note: the cache is cold"), said_by("It was 10:30"), said_by("Deploys fail: the cache is cold")
    ('', '', '')
    """
    found = NAME.match(text)
    return found[1] if found is not None and not LABELS.fullmatch(found[1]) else ""


def turn_of(text: str) -> tuple[str, str]:
    """Give the speaker and the words of a turn of a conversation; who is not named is nobody.

    Where it is known that somebody speaks, a name is any word before a colon, or several that begin with a capital.

    >>> turn_of("ann_b: hi there"), turn_of("Ann B. Cole: hi"), turn_of("so I said: no")
    (('ann_b', 'hi there'), ('Ann B. Cole', 'hi'), ('', 'so I said: no'))
    """
    found = TURN.match(text)
    if found is None or LABELS.fullmatch(found["name"]):
        return "", text.strip()
    return found["name"], found["text"].strip()
