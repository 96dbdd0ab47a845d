"""The closed vocabularies of connections and stars, as small numbers for the arrays and words for people."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

from asterism.core.ledger.items import Value, cut
from asterism.core.text.near import did_you_mean
from asterism.errors import InputError


class EvidenceKind(IntEnum):
    """What kind of observation supports a link (seed 3.1)."""

    CO_MENTION_RESPONSE = 0
    CO_MENTION_SESSION = 1
    CORRELATION_DETECTED = 2
    USER_CONFIRMS = 3
    USER_CREATES = 4
    TARS_CONFIRMED = 5
    ASSISTANT_CONFIRMED = 5  # the same in a word that newcomers know; what is kept says tars_confirmed
    CAUSATION_DETECTED = 6


class LinkKind(IntEnum):
    """What a connection is (seed 4.2)."""

    RESONANCE = 0
    TENSION = 1
    CAUSATION = 2
    GROWTH_EDGE = 3
    SHADOW_MIRROR = 4
    BLOCKS = 5


class LinkState(IntEnum):
    """Where a connection stands; the first two are inactive for every "at least" test (spec 01, Model)."""

    DISSOLVED = 0
    DORMANT = 1
    NASCENT = 2
    FORMING = 3
    WEAK = 4
    MODERATE = 5
    STRONG = 6


class StarState(IntEnum):
    """Where a star stands (spec 01, Stars)."""

    NASCENT = 0
    FLICKERING = 1
    DIM = 2
    BRIGHT = 3
    DARK = 4
    DORMANT = 5


class Domain(IntEnum):
    """The part of life a star belongs to; it decides how fast brightness fades."""

    HEALTH = 0
    RELATIONSHIPS = 1
    WEALTH = 2
    PURPOSE = 3
    SOUL = 4


NO_DOMAIN = len(Domain)  # in the columns: of a star whose part of life nobody told


class Direction(IntEnum):
    """Which way a connection points."""

    NONE = 0
    A_TO_B = 1
    B_TO_A = 2


DIRECTED = frozenset({LinkKind.CAUSATION, LinkKind.GROWTH_EDGE, LinkKind.BLOCKS})
CO_MENTIONS = frozenset({EvidenceKind.CO_MENTION_RESPONSE, EvidenceKind.CO_MENTION_SESSION})
CONFIRMING = frozenset({EvidenceKind.USER_CONFIRMS, EvidenceKind.USER_CREATES})  # by the user's own word

EVIDENCE_IN_WORDS = {
    EvidenceKind.CO_MENTION_RESPONSE: "named together",
    EvidenceKind.CO_MENTION_SESSION: "named in one session",
    EvidenceKind.CORRELATION_DETECTED: "went up and down together",
    EvidenceKind.USER_CONFIRMS: "confirmed by the user",
    EvidenceKind.USER_CREATES: "stated by the user",
    EvidenceKind.TARS_CONFIRMED: "confirmed by the assistant",
    EvidenceKind.CAUSATION_DETECTED: "one led to the other",
}

STATES_IN_WORDS = {  # of links and of stars
    "DISSOLVED": "gone",
    "DORMANT": "asleep",
    "NASCENT": "new",
    "FORMING": "forming",
    "WEAK": "weak",
    "MODERATE": "moderate",
    "STRONG": "strong",
    "FLICKERING": "unsteady",
    "DIM": "dim",
    "BRIGHT": "bright",
    "DARK": "dark",
}

Word = TypeVar("Word", bound=IntEnum)


def word(value: IntEnum) -> str:
    """Write a kind, domain or direction as people and payloads do.

    >>> word(LinkKind.GROWTH_EDGE)
    'growth_edge'
    """
    return value.name.lower()


def domain_number(told: Value) -> int:
    """Give what the columns hold of a domain that an item told, or did not.

    >>> domain_number("soul"), domain_number(None) == NO_DOMAIN
    (4, True)
    """
    return NO_DOMAIN if told is None else int(parse(Domain, str(told), what="domain"))


def domain_word(number: int) -> str | None:
    """Write the domain that the columns hold; None if nobody told one.

    >>> domain_word(4), domain_word(NO_DOMAIN)
    ('soul', None)
    """
    return None if number == NO_DOMAIN else word(Domain(number))


def taken(vocabulary: type[IntEnum]) -> list[str]:
    """Give every word of a vocabulary that is taken: also those that are another word for the same.

    >>> taken(EvidenceKind)[5:]
    ['tars_confirmed', 'assistant_confirmed', 'causation_detected']
    """
    return [name.lower() for name in vocabulary.__members__]


def parse(vocabulary: type[Word], text: str, *, what: str) -> Word:
    """Read a word of a vocabulary, in either case; say what may stand there otherwise.

    >>> parse(LinkKind, "RESONANCE", what="link kind") is LinkKind.RESONANCE
    True
    >>> word(parse(EvidenceKind, "assistant_confirmed", what="evidence kind"))
    'tars_confirmed'
    """
    try:
        return vocabulary.__members__[text.upper()]
    except (KeyError, AttributeError, TypeError):  # the last where it has letters of another kind, like bytes
        shown, words = cut(str(text)), taken(vocabulary)
        near = did_you_mean(shown.lower(), words)
        raise InputError(
            f"there is no {what} {shown!r}",
            code=f"unknown_{what.replace(' ', '_')}",
            item=shown,
            hint=f"{near} use one of {', '.join(words)}".lstrip(),
        ) from None
