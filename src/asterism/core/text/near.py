"""Words that somebody may have meant."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence

NEAR = 0.65  # of their letters two words share that may be meant for each other


def same_letters(text: str) -> str:
    """Give a name as it is compared where neither case nor blanks nor the sign between words count.

    >>> same_letters("User/Home Town") == same_letters("user/home_town") == same_letters("user/home-town")
    True
    """
    return re.sub(r"[\s_-]+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()


def did_you_mean(text: str, words: Sequence[str]) -> str:
    """Ask for the words that a text is near to; nothing where none is.

    >>> did_you_mean("slep", ["mood", "sleep"]), did_you_mean("xyz", ["mood", "sleep"])
    ('did you mean sleep?', '')
    >>> did_you_mean("MOOD", ["mood", "sleep"])
    'did you mean mood?'
    >>> did_you_mean("nobody", ["mood", "sleep"])
    ''
    """
    same = [word for word in words if same_letters(word) == same_letters(text)]
    near = same or difflib.get_close_matches(text, words, n=3, cutoff=NEAR)
    return f"did you mean {' or '.join(near)}?" if near else ""
