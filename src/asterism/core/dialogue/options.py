"""What may be said of a reading besides its rows: parameters one by one, books of rules, a time."""

from __future__ import annotations

from asterism.core.dialogue.lines import MAX_TIMESTAMP_MS
from asterism.core.dialogue.parameters import DialogueParameters
from asterism.core.dialogue.rules import Rules
from asterism.core.ledger.items import cut
from asterism.core.ledger.parameters import Preset, Setting
from asterism.errors import InputError


def parameters_of(base: DialogueParameters | Preset, **said: Setting | None) -> DialogueParameters:
    """Give the parameters, or those of a preset, with what was said of some of them; None says nothing.

    >>> three = parameters_of("seed", k_local=3, distance=None)
    >>> three.k_local, parameters_of(three) is three
    (3, True)
    """
    if not isinstance(base, DialogueParameters):
        base = DialogueParameters.build(base)
    given = {name: value for name, value in said.items() if value is not None}
    return DialogueParameters.build("seed", {**base.to_dict(), **given}) if given else base


def check_rules(rules: Rules, field: str) -> Rules:
    """Let through a book of rules."""
    if not isinstance(rules, Rules):
        raise InputError(
            f"{field} = {cut(repr(rules))} is no book of rules",
            code="bad_rule",
            item=field,
            hint="give Rules(...) of asterism.core.dialogue.rules",
        )
    return rules


def check_created(created_at_ms: int) -> None:
    """Refuse what is no time."""
    if created_at_ms.__class__ is not int or not 0 <= created_at_ms <= MAX_TIMESTAMP_MS:
        raise InputError(
            f"created_at_ms = {created_at_ms!r} is no time",
            code="bad_time",
            item="created_at_ms",
            hint="give whole milliseconds since 1970",
        )
