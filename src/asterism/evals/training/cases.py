"""Lines to learn from, as arrays: features, which candidates there are, and which of them are true."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from asterism.core.dialogue.features import Listing, window_of
from asterism.core.dialogue.features_history import history, past_of
from asterism.core.dialogue.features_lines import Singles, Talk, talk_of
from asterism.core.dialogue.features_pairs import Facts, facts_of
from asterism.core.dialogue.features_says import common_words, names_of
from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.reply import FAMILIES, chosen, sheet_of
from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.evals.training.minimise import Loss

CHUNK = 1024  # lines whose loss is computed at once


@dataclass(frozen=True)
class Example:
    """A transcript whose links are known: for each line the lines it answers; one without an entry answers nothing."""

    lines: Sequence[Line]
    heads: Mapping[int, Collection[int]]
    scored: Collection[int] | None = None  # lines to learn from; None: all
    aliases: Mapping[str, str] | None = None
    vectors: Singles | None = None
    group: str = ""  # examples of one group are never learnt from and judged in the same fit
    weight: float = 1.0


@dataclass(frozen=True)
class Read:
    """An example as columns."""

    talk: Talk
    facts: Facts
    rows: Longs  # lines of the talk whose candidates are laid out
    learnt: Singles  # how much each of them counts
    heads: Mapping[int, Collection[int]]  # by place in the talk


@dataclass(frozen=True, slots=True)
class Cases:
    """Lines to learn from: their features, which candidates are real, and the share of truth on each."""

    values: Singles  # lines x candidates x features
    real: Bools  # lines x candidates
    truth: Singles  # lines x candidates; each row sums to 1
    weight: Singles  # lines
    places: Longs  # lines x candidates: which places of the window were kept, the last one none

    def __len__(self) -> int:
        return len(self.values)


def read_examples(examples: Sequence[Example], *, window: int, words: int) -> tuple[list[Read], list[str]]:
    """Read examples into columns, and choose the `words` commonest words as a vocabulary."""
    talks = [talk_of(each.lines, aliases=each.aliases, vectors=each.vectors) for each in examples]
    vocabulary = common_words(talks, words)
    found = []
    for each, talk in zip(examples, talks, strict=True):
        at = {row: place for place, row in enumerate(talk.rows.tolist())}
        scored = [at[line] for line in sorted(each.scored) if line in at] if each.scored is not None else None
        rows = np.arange(len(talk)) if scored is None else np.arange(max(0, scored[0] - window), len(talk))
        learnt = np.full(len(rows), each.weight, dtype=np.float32)
        if scored is not None:
            learnt *= np.isin(rows, scored)
        heads = {at[y]: [at[x] for x in xs if x in at] for y, xs in each.heads.items() if y in at}
        found.append(Read(talk, facts_of(talk, window, vocabulary), rows, learnt, heads))
    return found, vocabulary


def feature_names(
    read: Read, *, window: int, families: Collection[str], vocabulary: Sequence[str], acts: bool, second: bool
) -> list[str]:
    """Name the features of some families, those of the second look included or not."""
    listing = Listing()
    seen = window_of(read.talk, np.arange(min(len(read.talk), 2)), window)
    for kind, family in FAMILIES.items():
        if kind in families:
            family(listing, read.talk, read.facts, seen)
    names = [*listing.seen, *(names_of(vocabulary, acts=acts) if "says" in families else [])]
    if second:
        flat = np.full((len(read.talk), window + 1), 1.0 / (window + 1), dtype=np.float32)
        more = Listing()
        history(more, read.talk, read.facts, seen, past_of(flat))
        names += more.seen
    return names


def cases_of(
    read: Read,
    names: Sequence[str],
    *,
    window: int,
    p: Singles | None = None,
    kept: Longs | None = None,
) -> Cases:
    """Lay out an example's features; `p` is what the first look believes, `kept` the places worth learning from."""
    seen = window_of(read.talk, read.rows, window)
    past = None if p is None else past_of(p)
    values = np.ascontiguousarray(sheet_of(read.talk, read.facts, seen, names, past).values)
    real = np.concatenate([seen.real, np.ones((len(read.rows), 1), dtype=np.bool_)], axis=1)
    truth = truth_of(read, window)
    if kept is None:
        kept = np.broadcast_to(np.arange(window + 1), real.shape)
    else:
        values = np.take_along_axis(values, kept[:, :, None], axis=1)
        real, truth = np.take_along_axis(real, kept, axis=1), np.take_along_axis(truth, kept, axis=1)
    return Cases(values, real, truth, read.learnt, kept)


def truth_of(read: Read, window: int) -> Singles:
    """Spread the truth of every line evenly over its heads in the window, or on none."""
    truth = np.zeros((len(read.rows), window + 1), dtype=np.float32)
    for at, y in enumerate(read.rows.tolist()):
        for x in read.heads.get(y, ()):
            if 1 <= y - x <= window:
                truth[at, y - x - 1] = 1.0
    truth[:, -1] = ~truth[:, :-1].any(axis=1)
    spread: Singles = truth / truth.sum(axis=1, keepdims=True)
    return spread


def hardest(cases: Cases, weights: Floats, most: int) -> Longs:
    """Give the places of the `most` likeliest candidates of every line, the true ones and none included, in order."""
    logits = np.where(cases.real, cases.values @ weights.astype(np.float32), -np.inf)
    logits = np.where(cases.truth > 0, 1e9, logits)
    logits[:, -1] = 1e9
    return np.sort(np.argsort(-logits, axis=1, kind="stable")[:, : most + 1], axis=1)


def believed(cases: Sequence[Cases], reads: Sequence[Read], weights: Floats, window: int) -> list[Singles]:
    """Give what weights believe of every line of each talk, lines x (window + 1)."""
    found = []
    for part, read in zip(cases, reads, strict=True):
        p = chosen(part.values @ weights.astype(np.float32), part.real)
        spread = np.zeros((len(read.rows), window + 1), dtype=np.float32)
        np.put_along_axis(spread, part.places, p, axis=1)
        whole = np.zeros((len(read.talk), window + 1), dtype=np.float32)
        whole[:, -1] = 1.0
        whole[read.rows] = spread
        found.append(whole)
    return found


def loss_of(cases: Sequence[Cases], l2: Floats) -> Loss:
    """Make the loss and its slope as a function of the weights."""
    total = float(sum(part.weight.sum() for part in cases))

    def loss(weights: Floats) -> tuple[float, Floats]:
        flat = weights.astype(np.float32)
        value = 0.5 * float(l2 @ weights**2) / total
        slope = l2 * weights / total
        for part in cases:
            for start in range(0, len(part), CHUNK):
                span = slice(start, start + CHUNK)
                values, truth = part.values[span], part.truth[span]
                p = chosen(values @ flat, part.real[span])
                value -= float((part.weight[span] * (truth * np.log(np.maximum(p, 1e-12))).sum(axis=1)).sum()) / total
                off = (p - truth) * part.weight[span, None]
                slope = slope + (off.reshape(-1) @ values.reshape(-1, values.shape[2])).astype(np.float64) / total
        return value, slope

    return loss
