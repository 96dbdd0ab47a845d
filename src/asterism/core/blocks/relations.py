"""What a sentence says of a subject with a verb that leaves room for one thing at a time."""

from __future__ import annotations

from collections.abc import Iterator

from asterism.core.blocks.claim import Claim, Told
from asterism.core.blocks.claim_words import (
    ADVERBS,
    ARTICLES,
    ATTRIBUTES,
    BY_WAY,
    CHANGES,
    CHOSEN,
    COPULAS,
    FAMILIES,
    GROUPS,
    HOME,
    INTO,
    LEAVING,
    MANY,
    MANY_BY,
    MONTHS,
    NEGATIONS,
    NUMBER_WORDS,
    ONE_AT_A_TIME,
    ONE_PLACE,
    PARTS_OF_TIME,
    PHRASES,
    PLACES,
    PREPOSITIONS,
    SELF,
    WEEKDAYS,
    WORK,
)

VALUE_WORDS = 6
DEFINITE = ("the", "my", "our")
PAST = ("was", "were")
PERFECT = ("has", "have", "got")
AGENTS = {"own": "owned", "owns": "owned", "maintains": "maintained", "leads": "led", "manages": "managed"}
DAYS = WEEKDAYS | MONTHS
TITLES = frozenset(("mr", "mrs", "ms", "dr", "st"))


def subject_of(words: tuple[str, ...]) -> str:
    """Write a subject so that it can be compared.

    >>> subject_of(("the", "user")), subject_of(("my", "bank")), subject_of(("karin's", "phone"))
    ('i', 'my bank', "karin's phone")
    """
    kept = [word for word in words if word not in ARTICLES and word not in TITLES]
    if len(kept) == 1:
        return SELF.get(kept[0], kept[0])
    return " ".join("my" if word == "user's" else word for word in kept)


def value_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """Give the words of a value that count.

    >>> value_of(("the", "top", "drawer", "now"))
    ('top', 'drawer')
    """
    return tuple(word for word in words if word not in ARTICLES and word not in ADVERBS and word != ",")[:VALUE_WORDS]


def _phrase(words: tuple[str, ...]) -> tuple[str, ...]:
    """Give the words of a value up to what only adds to it."""
    kept = []
    for place, word in enumerate(words):
        if place and word in ("with", "and", "as", "since", "for", "because", "last", "next", "but", "where", "who"):
            break
        kept.append(word)
    return value_of(tuple(kept))


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word[-1].isdigit() or word in NUMBER_WORDS or word in DAYS


def subjects(words: tuple[str, ...]) -> list[str]:
    """Give those of whom something is said: of two people, each.

    >>> subjects(("lena", "and", "oskar"))
    ['lena', 'oskar']
    """
    if "and" in words[1:]:
        place = words.index("and")
        return [subject_of(words[:place]), subject_of(words[place + 1 :])]
    return [subject_of(words)]


def of_verb(told: Told) -> Iterator[Claim]:
    """Give what a sentence claims with its verb; what it denies is for `sayings`."""
    if told.verb.endswith("n't") or told.verb in ("cannot", "not") or {*told.rest[:2]} & NEGATIONS:
        return
    if told.verb in ("call", "address"):
        yield Claim("i", "called", tuple(w for w in told.rest if w not in ("as", "please")), "name")
        return
    for subject in subjects(told.subject):
        yield from _family(subject, told)
        yield from _states(subject, told)
        yield from _being(subject, told) if told.verb in COPULAS else _doing(subject, told)
        yield from _counted(subject, told)


def _family(subject: str, told: Told) -> Iterator[Claim]:
    """Where somebody lives or works, was born or comes from."""
    words = (told.verb, *told.rest)
    for start in range(min(2, len(words))):
        for length in (3, 2, 1):
            family = FAMILIES.get(" ".join(words[start : start + length]))
            value = _phrase(words[start + length :]) if family is not None else ()
            if family is not None and value and (length > 1 or value[0] in told.names):
                who = "i" if subject == "we" and family == HOME else subject  # people move together
                yield Claim(who, family, value, family, sure=0.85 if family == WORK else 0.9)
                return
    if "job" in told.rest and told.verb in ("has", "have", "started"):
        at = told.rest[told.rest.index("job") + 2 :]
        yield Claim(subject, WORK, _phrase(at) or ("job",), WORK, sure=0.85)
    elif "retired" in words or "unemployed" in words:
        yield Claim(subject, WORK, (), WORK, yes=False)
    if "job" in told.rest and told.verb in LEAVING:
        yield Claim(subject, WORK, _phrase(told.rest[told.rest.index("job") + 2 :]), WORK, yes=False)
    if told.verb in ("studies", "study"):
        yield Claim(subject, "studies", _phrase(told.rest), "")
    elif words[:2] == ("dropped", "out"):
        yield Claim(subject, "studies", (), "negation", yes=False)


def _states(subject: str, told: Told) -> Iterator[Claim]:
    """States that exclude others: open and closed, alive and dead, single and married."""
    rest = told.rest[1:] if told.rest[:1] in (("a",), ("an",)) else told.rest
    phrase = PHRASES.get(" ".join((told.verb, *rest[:1])))
    if phrase is not None:
        yield Claim(subject, f"state {phrase[0]}", phrase[1:], "state")
    elif rest and (told.verb in PERFECT or (told.verb in COPULAS and told.verb not in PAST)):
        for name, group in GROUPS.get(rest[0], {}).items():
            if len(rest) == 1 or name == "together" or rest[1] in PREPOSITIONS:
                yield Claim(subject, f"state {name}", (group,), "state")


def _being(subject: str, told: Told) -> Iterator[Claim]:
    rest = told.rest
    if not rest:
        return
    if told.verb not in PAST:
        yield from _placed(subject, told)
        yield from _one_place(subject, rest)
        if len(rest) > 2 and rest[1] == "by" and rest[0] not in MANY_BY:
            yield Claim(subject, f"{rest[0]} by", _phrase(rest[2:]), "value", sure=0.8)
    if rest[0] in INTO and "to" in rest:
        rest = rest[rest.index("to") + 1 :]
    if _is_one(told, rest):
        yield Claim(subject, "is", value_of(rest), "value")
    if rest and rest[0] in DEFINITE and len(told.subject) < 3 and _is_attribute(rest):
        yield Claim(subject_of(rest), "is", value_of(told.subject), "value")


def _is_one(told: Told, rest: tuple[str, ...]) -> bool:
    """Say whether a copula names the one value of an attribute: a noun of this kind, or a name as the value."""
    if not rest or rest[0] in PREPOSITIONS:
        return False
    if _is_attribute(told.subject):
        return True
    value = value_of(rest)
    plain = (told.subject[0] in DEFINITE or len(told.subject) > 1) and _head(told.subject) not in MANY
    return plain and 0 < len(value) < 4 and all(word in told.names or word in TITLES for word in value)


def _head(words: tuple[str, ...]) -> str:
    """Give the noun that the others tell more of.

    >>> _head(("the", "capital", "of", "veldara")), _head(("my", "favourite", "colour"))
    ('capital', 'colour')
    """
    end = next((place for place, word in enumerate(words) if place and word in ("of", "for")), len(words))
    return words[end - 1]


def _is_attribute(words: tuple[str, ...]) -> bool:
    """Say whether this names what has one value at a time: by its noun, or because it is chosen among many."""
    head = _head(words)
    return len(words) > 1 and head not in MANY and (head in ATTRIBUTES or bool({*words} & CHOSEN))


def _placed(subject: str, told: Told) -> Iterator[Claim]:
    """Where a thing is: things alone, since people are in many places and groups."""
    rest, first = told.rest, told.subject[0]
    there = rest[0] in PLACES and len(rest) > 1 and not _is_number(rest[-1]) and "team" not in rest
    if there and (first in DEFINITE or first.endswith("'s")):
        yield Claim(subject, "where", _phrase(rest[1:]), "place", sure=0.8)


def _one_place(subject: str, words: tuple[str, ...]) -> Iterator[Claim]:
    """Verbs that say where, when or by whom once: stored in, opens at, reports to."""
    for length in (2, 1):
        frame = "-".join(words[:length])
        if frame in ONE_PLACE and len(words) > length:
            yield Claim(subject, frame, _phrase(words[length:]), "value", sure=0.85)
            return


def _doing(subject: str, told: Told) -> Iterator[Claim]:
    verb, rest = told.verb, told.rest
    yield from _one_place(subject, (verb, *rest))
    if verb in ("prefer", "prefers") and rest:
        yield from _preferred(subject, rest)
    if verb in INTO and "to" in rest[1:]:
        place = rest.index("to", 1)
        if "from" not in rest:
            yield Claim(subject_of(rest[:place]), "is", _phrase(rest[place + 1 :]), "value")
    done = AGENTS.get(verb)
    if done is not None and rest[:1] == ("the",):
        yield Claim(subject_of(rest), f"{done} by", told.subject, "value", sure=0.8)
    if verb in ("run", "runs") and told.subject[0] in DEFINITE and rest and {*rest} <= told.names:
        yield Claim(subject, "runs", rest, "value", sure=0.7)
    if "by" in rest and rest[-1] in BY_WAY:
        yield Claim(subject, f"{verb} {' '.join(rest[: rest.index('by')])} by", rest[-1:], "way", sure=0.7)
    if verb in ONE_AT_A_TIME and rest:
        yield Claim(subject, f"does {verb}", _phrase(rest), "now" if told.changed else "", sure=0.7)


def _preferred(subject: str, rest: tuple[str, ...]) -> Iterator[Claim]:
    """Which of a kind somebody prefers: "dark mode", "answers in full sentences"."""
    place = next((place for place, word in enumerate(rest) if word in PREPOSITIONS), len(rest))
    thing, tail = rest[:place], rest[place:]
    if len(thing) > 1:
        yield Claim(subject, f"prefers {thing[-1]} {' '.join(tail)}", thing[:-1], "preference")
    elif thing and tail[:1] == ("in",) and PARTS_OF_TIME.isdisjoint(tail) and not any(map(_is_number, tail)):
        yield Claim(subject, f"prefers {thing[0]} in", tail[1:], "preference", sure=0.7)


def _counted(subject: str, told: Told) -> Iterator[Claim]:
    """The same words but for numbers, and for days and months of what is: nothing that happens, or is usual."""
    numbers = tuple(filter(_is_number, told.rest))
    usual = told.verb not in COPULAS and any(word in DAYS for word in numbers)
    if numbers and not usual and told.verb not in CHANGES and told.verb not in ("prefer", "prefers"):
        frame = " ".join("#" if _is_number(word) else word for word in told.rest)
        yield Claim(subject, f"{told.verb} {frame}", numbers, "number")
