"""Rules that read a line: named, ordered, replaceable; the first that fits says what the line is.

A rule is data: a name for the trace, what it makes of the line, a pattern, and the words of which one must stand in the
line for the pattern to fit at all. `first` tries the rules of a book one after the other; `first_of_each` gives the
same for many lines, but looks at their words first, all at one stroke, and tries only the patterns that these allow.
Patterns see the *folded* text: lower case, straight apostrophes, no underscores.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from asterism.core.dialogue.overlap import MIX, Numbers, number_of, words_of
from asterism.core.ledger.columns import Longs
from asterism.core.ledger.items import cut
from asterism.errors import InputError

QUESTION = "?"  # the one sign that a rule may need like a word
SLOT_BITS = 16
BLOCK = 8192  # texts whose words are looked at together
RULES_MAX = 30  # of one book: a bit for each in the two halves of a number
Search = Callable[[str], object]


class Rule(NamedTuple):
    """One pattern and what it means; type `none` stops the search: the line is nothing."""

    name: str
    type: str
    pattern: str
    words: frozenset[str] = frozenset()  # one of them must be there; none named: the pattern is always tried
    also: frozenset[str] = frozenset()  # and one of these too
    cased: bool = False  # whether the pattern looks at capitals


NONE = "none"
Plan = list[tuple[Search, bool, Rule | None]]  # what to try: the search, whether it looks at capitals, the rule


class Rules:
    """An ordered book of rules."""

    def __init__(self, rules: Iterable[Rule], *, types: Sequence[str]) -> None:
        self.rules = tuple(rules)
        self.types = (*types, NONE)
        if len(self.rules) > RULES_MAX:
            raise InputError(
                f"the book has {len(self.rules)} rules",
                code="bad_rule",
                hint=f"give {RULES_MAX} at most: patterns of one type can be joined with a bar",
            )
        names: set[str] = set()
        self._searches: list[Search] = []
        for rule in self.rules:
            if rule.name in names or rule.type not in self.types:
                problem = "stands there twice" if rule.name in names else f"makes {rule.type!r} of a line"
                raise InputError(
                    f"the rule {rule.name!r} {problem}",
                    code="bad_rule",
                    item=rule.name,
                    hint=f"give each rule its own name and one of the types {', '.join(self.types)}",
                )
            names.add(rule.name)
            self._searches.append(_search(rule))
        self._table = np.zeros(1 << SLOT_BITS, dtype=np.int64)  # for the words of each slot, the rules that need one
        for place, rule in enumerate(self.rules):
            for some, bit in ((rule.words, 1 << place), (rule.also, 1 << place + RULES_MAX)):
                for word in some - {QUESTION}:
                    self._table[_slots(np.array([number_of(word)], dtype=np.uint64))] |= bit
        self._asked = sum(1 << place for place, rule in enumerate(self.rules) if QUESTION in rule.words)
        self._free = sum(1 << place for place, rule in enumerate(self.rules) if not rule.words)
        self._loose = sum(1 << place for place, rule in enumerate(self.rules) if not rule.also)

    def first(self, text: str) -> Rule | None:
        """Give the first rule that fits a text, or None; a rule of type `none` fits and gives None too."""
        cased = fold(text)
        lower = cased.lower()
        for rule, search in zip(self.rules, self._searches, strict=True):
            if search(cased if rule.cased else lower):
                return rule if rule.type != NONE else None
        return None

    def first_of_each(self, texts: Sequence[str]) -> list[Rule | None]:
        """Give the first rule that fits, for each of many texts."""
        plans: dict[int, Plan] = {}
        found: list[Rule | None] = [None] * len(texts)
        for start in range(0, len(texts), BLOCK):
            folded = [fold(text) for text in texts[start : start + BLOCK]]
            allowed = self._allowed(folded)
            for place in np.flatnonzero(allowed).tolist():
                mask, cased = int(allowed[place]), folded[place]
                plan = plans.get(mask)
                if plan is None:
                    plan = plans[mask] = self._plan(mask)
                lower = cased.lower()
                for search, looks_at_capitals, rule in plan:
                    if search(cased if looks_at_capitals else lower):
                        found[start + place] = rule
                        break
        return found

    def _plan(self, mask: int) -> Plan:
        return [
            (self._searches[place], rule.cased, rule if rule.type != NONE else None)
            for place, rule in enumerate(self.rules)
            if mask >> place & 1
        ]

    def _allowed(self, texts: Sequence[str]) -> Longs:
        """Give the rules that the words of each text allow, a bit for each."""
        words = words_of(texts)
        bits = self._table[_slots(words.number)]  # another word may share a slot: then a pattern is tried in vain
        counts = np.flatnonzero(bits)
        held = np.zeros(len(texts), dtype=np.int64)
        np.bitwise_or.at(held, words.text[counts], bits[counts])
        held[[QUESTION in text for text in texts]] |= self._asked
        allowed: Longs = (held | self._free) & (held >> RULES_MAX | self._loose) & ((1 << len(self.rules)) - 1)
        return allowed


def _slots(numbers: Numbers) -> Longs:
    return (numbers * MIX >> np.uint64(64 - SLOT_BITS)).astype(np.int64)


def fold(text: str) -> str:
    """Write a text as patterns expect it, capitals kept.

    >>> fold("_I’ll go_")
    " I'll go "
    """
    return text.replace("\u2019", "'").replace("_", " ")


def _search(rule: Rule) -> Search:
    try:
        return re.compile(rule.pattern).search
    except re.error as error:
        raise InputError(
            f"the pattern of rule {rule.name!r} cannot be read: {error}",
            code="bad_rule",
            item=rule.name,
            hint=f"correct it: {cut(rule.pattern)}",
        ) from None


def words(text: str) -> frozenset[str]:
    """Give the words of a text, for a rule's list.

    >>> sorted(words("can could may"))
    ['can', 'could', 'may']
    """
    return frozenset(text.split())
