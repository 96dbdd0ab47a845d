"""Why two texts cannot both hold, in words."""

from __future__ import annotations

REASONS = {
    "home": "two places to live",
    "work": "two places of work, or one that was left",
    "born": "two places or days of birth",
    "origin": "two places to come from",
    "value": "two values of what has one",
    "name": "two names to be called by",
    "number": "the same words with other numbers",
    "state": "two states that exclude each other",
    "negation": "one denies what the other says, or says that it has ended",
    "preference": "two things of a kind, each preferred",
    "place": "two places of one thing",
    "way": "two ways to go",
    "now": "one says what is so now",
}
