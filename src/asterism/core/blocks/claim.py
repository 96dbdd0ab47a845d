"""What a text claims: that one thing holds of a subject, or that something is or is not so."""

from __future__ import annotations

from typing import NamedTuple


class Told(NamedTuple):
    """A sentence cut at its verb."""

    subject: tuple[str, ...]
    names: frozenset[str]  # words written with a capital, but for the first
    verb: str
    rest: tuple[str, ...]
    changed: bool  # it says that it is so now, or instead


class Claim(NamedTuple):
    """That of a subject one thing holds; where `yes` is False, that it holds no longer (no value: that none does)."""

    subject: str
    about: str  # the relation
    value: tuple[str, ...]
    reason: str
    yes: bool = True
    sure: float = 0.9

    @property
    def keys(self) -> tuple[str, ...]:
        """What claims that may conflict share."""
        return (f"{self.subject}|{self.about}",)


class Saying(NamedTuple):
    """That something is so, is not so (`not`), or has come to an end (`ended`, `left`), by the terms of its words."""

    subject: str
    how: str
    words: frozenset[str]
    core: frozenset[str]  # of the words, those before what only says when, where or how
    last: str
    verb: str

    @property
    def keys(self) -> tuple[str, ...]:
        """What sayings that may conflict share: one word of what is denied, any word of what is said."""
        words = sorted(self.words) if self.how in ("yes", "member") else [self.last]
        return tuple(f"{self.subject}||{word}" for word in words)
