"""The seed's names of things, written out for people; programs (`--json`, values) get the names."""

from __future__ import annotations

import re

from asterism.core.connections.words import EVIDENCE_IN_WORDS, word

EVIDENCE = {word(kind): told for kind, told in EVIDENCE_IN_WORDS.items()}
NAMES = re.compile(rf"\b({'|'.join(EVIDENCE)})\b")


def in_words(text: str) -> str:
    """Write out the kinds of evidence that a text names.

    >>> in_words("2026-11-18: tars_confirmed 0.1575 x 1.5")
    '2026-11-18: confirmed by the assistant 0.1575 x 1.5'
    """
    return NAMES.sub(lambda found: EVIDENCE[found[1]], text)
