"""The seed's names of evidence and states, written out for people; programs (`--json`, values) get the names."""

from __future__ import annotations

import re

from asterism.core.connections.words import EVIDENCE_IN_WORDS, STATES_IN_WORDS, word

WORDS = {word(kind): told for kind, told in EVIDENCE_IN_WORDS.items()} | STATES_IN_WORDS
NAMES = re.compile(rf"\b({'|'.join(WORDS)})\b")


def in_words(text: str) -> str:
    """Write out the kinds of evidence and the states that a text names.

    >>> in_words("2026-11-18: tars_confirmed 0.1575 x 1.5, and it is FLICKERING")
    '2026-11-18: confirmed by the assistant 0.1575 x 1.5, and it is unsteady'
    """
    return NAMES.sub(lambda found: WORDS[found[1]], text)
