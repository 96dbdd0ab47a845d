"""Words that somebody may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


def did_you_mean(text: str, words: Sequence[str]) -> str:
    """Ask for the words that a text is near to; nothing where none is.

    >>> did_you_mean("slep", ["mood", "sleep"]), did_you_mean("xyz", ["mood", "sleep"])
    ('did you mean sleep?', '')
    """
    near = difflib.get_close_matches(text, words, n=3)
    return f"did you mean {' or '.join(near)}?" if near else ""
