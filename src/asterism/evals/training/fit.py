"""Fit a table of one's own: a softmax over each line's candidates, by named weights.

    loss = mean over lines of -sum over gold g of (1 / |g|) log p(g) + l2 / (2 lines) sum of weights^2
    p    = softmax over the candidates and "none" of weights . features

The loss is convex, so the weights do not depend on where the search starts. What the first look believes of the lines
that the second look learns from is cross-fitted: it comes from weights that never saw their group.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from asterism.core.dialogue.tables import Table
from asterism.core.ledger.columns import Floats
from asterism.errors import InputError
from asterism.evals.training.cases import (
    Cases,
    Example,
    Read,
    believed,
    cases_of,
    feature_names,
    hardest,
    loss_of,
    read_examples,
)
from asterism.evals.training.hidden import Schedule, fit_hidden
from asterism.evals.training.minimise import STEPS, minimise

WITHOUT_VECTORS = ("distance", "speaker", "address", "form", "pair", "open", "words", "says")
SCOUTS = ("distance", "speaker", "address")  # families that find the candidates worth learning from
SCOUT_STEPS = 40
FOLDS = 3


def fit_table(
    examples: Sequence[Example],
    *,
    name: str,
    window: int = 12,
    l2: float = 10.0,
    second_l2: float | None = None,
    words: int = 0,
    families: Collection[str] = WITHOUT_VECTORS,
    second_look: bool = True,
    most: int | None = None,
    steps: int = STEPS,
    fitted_on: str = "your own examples",
    layer: Schedule | None = None,
    rng: np.random.Generator | None = None,
) -> Table:
    """Fit a table to transcripts whose links are known.

    `window` is how many lines back a head may be, `l2` how firmly weights are held near 0, `words` how many of the
    commonest words get weights of their own, `most` how many candidates of a line are learnt from (all if None). A
    `layer` adds hidden units to the second look, and needs an `rng`.
    """
    _check(examples)
    reads, vocabulary = read_examples(examples, window=window, words=words)
    acts = any(bool(read.talk.action.any()) for read in reads)
    longest = max(reads, key=lambda read: len(read.talk))
    kept = _scouted(reads, longest, window, l2, most) if most is not None and most < window else [None] * len(reads)
    names = feature_names(longest, window=window, families=families, vocabulary=vocabulary, acts=acts, second=False)
    first = [cases_of(read, names, window=window, kept=places) for read, places in zip(reads, kept, strict=True)]
    weights = fit_weights(first, l2=l2, steps=steps)
    found = dict(zip(names, weights.tolist(), strict=True))
    if not second_look:
        return Table(name, fitted_on, window, found)
    p = cross_believed(first, reads, [each.group for each in examples], weights, window=window, l2=l2, steps=steps)
    del first
    more = feature_names(longest, window=window, families=families, vocabulary=vocabulary, acts=acts, second=True)
    second = [
        cases_of(read, more, window=window, p=each, kept=places)
        for read, each, places in zip(reads, p, kept, strict=True)
    ]
    start = np.array([found.get(each, 0.0) for each in more])
    again = fit_weights(second, l2=l2 if second_l2 is None else second_l2, steps=steps, start=start)
    if layer is None or rng is None:
        return Table(name, fitted_on, window, found, dict(zip(more, again.tolist(), strict=True)))
    hidden, beside = fit_hidden(joined_cases(second), again, rng=rng, schedule=layer)
    return Table(name, fitted_on, window, found, dict(zip(more, beside.tolist(), strict=True)), hidden, tuple(more))


def fit_weights(cases: Sequence[Cases], *, l2: float, steps: int = STEPS, start: Floats | None = None) -> Floats:
    """Fit one weight for each feature of the cases."""
    joined = joined_cases(cases)
    size = joined.values.shape[2]
    first = np.zeros(size) if start is None else start
    return minimise(loss_of([joined], np.full(size, l2)), first, steps=steps)


def cross_believed(
    cases: Sequence[Cases],
    reads: Sequence[Read],
    groups: Sequence[str],
    weights: Floats,
    *,
    window: int,
    l2: float,
    steps: int,
) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """Give what the first look believes of every talk, by weights that were fitted on the other groups."""
    known = {group: at for at, group in enumerate(dict.fromkeys(groups))}
    one_group = len(known) == 1  # none told apart: each example is its own
    fold = [(at if one_group else known[group]) % FOLDS for at, group in enumerate(groups)]
    found = believed(cases, reads, weights, window)
    for held in range(FOLDS):
        others = [part for part, each in zip(cases, fold, strict=True) if each != held]
        if not others or len(others) == len(cases):
            continue
        there = [at for at, each in enumerate(fold) if each == held]
        fitted = fit_weights(others, l2=l2, steps=steps // 2, start=0.9 * weights)
        again = believed([cases[at] for at in there], [reads[at] for at in there], fitted, window)
        for at, p in zip(there, again, strict=True):
            found[at] = p
    return found


def joined_cases(cases: Sequence[Cases]) -> Cases:
    """Join cases; lines that do not count are left out."""
    taken = [part.weight > 0 for part in cases]
    return Cases(
        *(
            np.concatenate([getattr(part, field)[mask] for part, mask in zip(cases, taken, strict=True)])
            for field in ("values", "real", "truth", "weight", "places")
        )
    )


def _scouted(reads: Sequence[Read], longest: Read, window: int, l2: float, most: int) -> list[np.ndarray]:
    """Choose each line's candidates worth learning from, by a small fit on every other example."""
    names = feature_names(longest, window=window, families=SCOUTS, vocabulary=(), acts=False, second=False)
    cases = [cases_of(read, names, window=window) for read in reads]
    weights = fit_weights(cases[::2], l2=l2, steps=SCOUT_STEPS)
    return [hardest(part, weights, most) for part in cases]


def _check(examples: Sequence[Example]) -> None:
    if not any(len(each.lines) > 1 and each.heads for each in examples):
        raise InputError(
            "there is nothing to fit: no example has a link",
            code="nothing_to_fit",
            hint="give transcripts with `heads`: for a line, the lines it answers",
        )
    for each in examples:
        for y, xs in each.heads.items():
            for x in xs:
                if not 0 <= x < y < len(each.lines):
                    raise InputError(
                        f"line {y} cannot answer line {x}",
                        code="bad_head",
                        item=str(y),
                        hint="a head is an earlier line of the same transcript",
                    )
