"""Which lines count: one yes or no for each line, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from asterism.core.dialogue.lines import REASONS, Mask, Reason, check_masks
from asterism.core.ledger.columns import Bools, Longs


class ExcludedRange(NamedTuple):
    """A run of excluded lines, both ends included, with every reason that holds for all of them."""

    start: int
    end: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class Eligibility:
    """The lines of a session that are part of the story."""

    eligible: Bools
    masks: tuple[Mask, ...]
    excluded: tuple[ExcludedRange, ...]

    def next_excluded(self) -> Longs:
        """Give for each line the first excluded one behind it; where there is none, the number of lines."""
        size = len(self.eligible)
        places = np.where(self.eligible, size, np.arange(size))
        behind = np.minimum.accumulate(places[::-1])[::-1]
        return np.append(behind[1:], size)


def build_eligibility(lines: int, masks: Iterable[Mask] = ()) -> Eligibility:
    """Take masked spans out of a session of so many lines; spans may overlap and reach over its ends.

    >>> found = build_eligibility(6, [Mask(1, 3, "combat"), Mask(3, 9, "noise")])
    >>> found.eligible.tolist()
    [True, False, False, False, False, False]
    >>> [tuple(run) for run in found.excluded]
    [(1, 2, ('combat',)), (3, 3, ('combat', 'noise')), (4, 5, ('noise',))]
    """
    checked = check_masks(masks, lines)
    eligible = np.ones(lines, dtype=np.bool_)
    for start, end, _ in checked:
        eligible[start : end + 1] = False
    return Eligibility(eligible, checked, tuple(_runs(checked)))


def is_line_eligible(eligibility: Eligibility, line_index: int) -> bool:
    """Say whether a line is part of the story; one that does not exist is not.

    >>> is_line_eligible(build_eligibility(2, [Mask(1, 1, "noise")]), 0)
    True
    """
    return 0 <= line_index < len(eligibility.eligible) and bool(eligibility.eligible[line_index])


def exclusion_reasons(eligibility: Eligibility, line_index: int) -> tuple[Reason, ...]:
    """Give every reason for which a line is excluded; none if it is not.

    >>> exclusion_reasons(build_eligibility(3, [Mask(0, 1, "noise"), Mask(1, 1, "combat")]), 1)
    ('combat', 'noise')
    """
    return _in_order(mask.reason for mask in eligibility.masks if mask.start <= line_index <= mask.end)


def _runs(masks: Sequence[Mask]) -> Iterable[ExcludedRange]:
    """Cut the masks at each other's ends, so that one run has the same reasons from end to end."""
    changes: dict[int, list[tuple[int, Reason]]] = {}
    for start, end, reason in masks:
        changes.setdefault(start, []).append((1, reason))
        changes.setdefault(end + 1, []).append((-1, reason))
    holding = dict.fromkeys(REASONS, 0)
    run: ExcludedRange | None = None
    for place, behind in pairwise(sorted(changes)):
        for change, reason in changes[place]:
            holding[reason] += change
        reasons = _in_order(reason for reason, times in holding.items() if times)
        if run is not None and run.reasons == reasons:
            run = run._replace(end=behind - 1)
            continue
        if run is not None:
            yield run
        run = ExcludedRange(place, behind - 1, reasons) if reasons else None
    if run is not None:
        yield run


def _in_order(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    found = set(reasons)
    return tuple(reason for reason in REASONS if reason in found)
