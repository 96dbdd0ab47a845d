"""Conflicts: pairs of texts that probably cannot both hold, with a reason and a confidence.

Texts are read as claims (`claims`), claims with one key are compared: one subject and one relation that has one value
at a time, and another value, number, name or a denial. What cannot be read as a claim is never in conflict: of what is
marked nearly all is to be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from asterism.core.blocks.claim import Claim, Saying
from asterism.core.blocks.claims import claims_of
from asterism.core.blocks.links import Marked

CROWD = 32  # claims of one key that a new one is compared with: the latest


class Conflict(NamedTuple):
    """Why two texts cannot both hold, and how sure that is."""

    reason: str
    confidence: float


class Text(NamedTuple):
    """A block as it is looked at here."""

    id: str
    content: str
    speaker: str


def conflict(text_a: str, text_b: str, *, speaker_a: str = "", speaker_b: str = "") -> Conflict | None:
    """Say why two texts probably cannot both hold; None if they can, or nothing is known of it.

    >>> conflict("Anna lives in Lisbon", "Anna moved to Porto")
    Conflict(reason='home', confidence=0.9)
    >>> conflict("Anna likes tea", "Anna likes coffee")
    """
    return _worst(claims_of(text_a, speaker_a), claims_of(text_b, speaker_b))


def conflicts_among(new: Iterable[Text], old: Iterable[Text]) -> list[Marked]:
    """Give the pairs of new texts, and of new and old ones, that conflict: each once, in order.

    Both are given from the first told to the last. Only texts that share a key are compared, and of a crowded key the
    latest, so that the work grows with the number of texts.
    """
    fresh = [(text, claims_of(text.content, text.speaker)) for text in new]
    wanted = {key for _, claims in fresh for claim in claims for key in claim.keys}
    if not wanted:
        return []
    shelf: dict[str, list[tuple[str, tuple[Claim | Saying, ...]]]] = {}
    for text in old:
        _put(shelf, text, claims_of(text.content, text.speaker), wanted)
    found: dict[tuple[str, str], Marked] = {}
    for text, claims in fresh:
        near = {name: other for claim in claims for key in claim.keys for name, other in shelf.get(key, ())[-CROWD:]}
        for name, other in near.items():
            clash = _worst(claims, other) if name != text.id else None
            if clash is not None:
                a, b = sorted((name, text.id))
                found[a, b] = Marked(a, b, clash.confidence, clash.reason)
        _put(shelf, text, claims, wanted)
    return [found[pair] for pair in sorted(found)]


def _put(
    shelf: dict[str, list[tuple[str, tuple[Claim | Saying, ...]]]],
    text: Text,
    claims: tuple[Claim | Saying, ...],
    wanted: set[str],
) -> None:
    for claim in claims:
        for key in claim.keys:
            if key in wanted:
                shelf.setdefault(key, []).append((text.id, claims))


def _worst(one: tuple[Claim | Saying, ...], other: tuple[Claim | Saying, ...]) -> Conflict | None:
    """Give the surest conflict of two texts."""
    return max(_clashes(one, other), key=lambda clash: (clash.confidence, clash.reason), default=None)


def _clashes(one: tuple[Claim | Saying, ...], other: tuple[Claim | Saying, ...]) -> Iterator[Conflict]:
    for a in one:
        for b in other:
            if isinstance(a, Claim) and isinstance(b, Claim):
                if a[:2] == b[:2] and _differ(a, b):
                    yield Conflict(a.reason or b.reason, min(a.sure, b.sure))
            elif isinstance(a, Saying) and isinstance(b, Saying) and (_denies(a, b) or _denies(b, a)):
                yield Conflict("negation", 0.9)


def _differ(a: Claim, b: Claim) -> bool:
    """Say whether two claims of one relation exclude each other; a value inside the other only makes it narrower."""
    if not a.reason and not b.reason:
        return False
    one, other = {*a.value}, {*b.value}
    if a.yes and b.yes:
        return bool(one and other) and not one <= other and not other <= one
    return a.yes != b.yes and (one <= other or other <= one)


def _denies(no: Saying, yes: Saying) -> bool:
    """Say whether one denies what the other says, or says that it came to an end."""
    if no.subject != yes.subject or yes.how not in ("yes", "member") or not no.words <= yes.words:
        return False
    rest = yes.core - no.words
    if no.how == "not":
        return not rest
    return rest <= {yes.verb} and (no.how == "ended" or (no.how == "left" and yes.how == "member"))
