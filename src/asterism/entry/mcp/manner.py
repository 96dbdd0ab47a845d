"""How a server serves, as it was told at its start: briefly or in full, which spaces may be read, what is kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Manner:
    """What holds for every call of a server; a client cannot change it."""

    full: bool = False  # every argument, output schemas, answers as values too, and details
    only_reads: bool = False  # the tools that change nothing, and no others
    keep_unanswered: bool = False  # write down questions to which there was no sure answer


BRIEF, FULL = Manner(), Manner(full=True)
