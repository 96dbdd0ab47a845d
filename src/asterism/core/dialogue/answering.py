"""How it is found who answers whom: by responders who were named, or by a reply model that reads the lines (08 E12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from asterism.core.dialogue.actors import check_responders, masters_of, no_responder
from asterism.core.dialogue.lines import Line
from asterism.core.ledger.items import cut
from asterism.errors import InputError

RESPONDERS = "responders"
WAYS = ("channel", "instruction", "reply", RESPONDERS)


class Answering(NamedTuple):
    """How it is found who answers whom, and why so if nobody said."""

    by: str  # one of WAYS
    because: str = ""


class Reply(NamedTuple):
    """A line, the line that it answers, and how likely that is."""

    line: int
    head: int
    p: float


def answering_of(
    lines: Sequence[Line],
    responders: Iterable[str] | str | None,
    told: str | None,
    *,
    choose: Callable[[Sequence[Line]], Answering],
    asked_scorer: bool = False,
) -> tuple[Answering, list[str]]:
    """Say how it is found who answers whom, and who the responders are; `choose` takes a model by the lines."""
    if told is not None and told not in WAYS:
        raise InputError(
            f"{cut(repr(told))} is no way to find who answers whom",
            code="unknown_answering",
            item=cut(str(told)),
            hint=f"use one of {', '.join(WAYS)}, or leave it out",
        )
    if told is not None and told != RESPONDERS:
        if responders is not None:
            raise InputError(
                f"responders were named, and {told} needs none",
                code="bad_answering",
                item=told,
                hint="name responders, or say which model reads the lines, not both",
            )
        return Answering(told), []
    masters = masters_of(lines) if responders is None else check_responders(lines, responders)
    if masters or not lines:
        return Answering(RESPONDERS), masters
    if told is not None or asked_scorer:
        raise no_responder(lines)
    return choose(lines), []
