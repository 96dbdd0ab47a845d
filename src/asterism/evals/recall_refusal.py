"""Refusing: can recall tell questions that something answers from those that nothing does?

    python -m asterism.evals.recall_refusal --data FOLDER [--embedder minilm | --without-vectors]

fits the coefficients of `core/recall/chance.py` on the questions under a folder that holds locomo/ and multihop/,
prints them to paste into `core/recall/parameters.py`, and prints how many questions of each kind would be refused, each
by coefficients and a floor that did not see its conversation (or its half of the multi-hop questions).

Answered are LoCoMo's categories 1 to 4 and the multi-hop questions; by nothing are LoCoMo's category 5 (somebody else
said it), questions of other conversations with the names exchanged, and those of other sets. So that it holds in small
memories too, some are asked of 2, 8 and 40 entries by themselves, with and without those that answer. Whether a note
tells more than of whom is fitted on stories of our own, with the answer and without (`recall_left_out.py`).
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.columns import Bools, Floats, Longs
from asterism.core.recall.chance import AGAINST, ALIKE, LEAST_REST, Raw
from asterism.core.recall.index import Index
from asterism.core.recall.looks import LOOKED_AT
from asterism.core.recall.rank import PLACES, Recall
from asterism.core.recall.vectors import Meaning
from asterism.evals.as_used import asking_time
from asterism.evals.changes import NOW
from asterism.evals.recall_left_out import asked_at, notes
from asterism.evals.recall_sets import Asked, Embeds, Prepared, prepare, query_of

ADVERSARIAL = "5"
NOTES = "notes"
OTHERS = 60  # questions of others that are asked of a pool
SMALL = (2, 8, 40)  # entries
SMALL_ASKED = 60  # questions of a pool that are asked of so few
SMALL_WEIGHT = 0.3
PULL = 1.0
SLIGHT = 1e-6
STEPS = 30
REFUSED = 0.05  # of the answerable questions
REST = ("chance_rest_base", "chance_rest")
SOMEBODY_ELSE = "locomo 5"
NOBODY = "other conversations"
SOMEBODY_ELSE_COUNTS = 2.0  # there are fewer of them than of any others
HIT = ("chance_hit", "chance_first", "chance_below")


@dataclass(frozen=True, slots=True)
class Case:
    """A question that was asked of a pool: what the best entries were like, and which of them answer."""

    kind: str
    fold: str
    answerable: bool
    raw: Raw
    below: tuple[float, ...]
    gold: tuple[bool, ...]

    @property
    def small(self) -> bool:
        """Say whether few entries were asked."""
        return self.kind.endswith("entries")

    @property
    def is_note(self) -> bool:
        """Say whether notes were asked, with the answer or without."""
        return self.kind.startswith(NOTES)


def cases(pools: Sequence[Prepared], embedder: Embeds | None) -> Iterator[Case]:
    """Ask every pool its own questions and others'."""
    chosen = random.Random(1)  # noqa: S311 - nothing is kept secret by it
    for pool in pools:
        talk = pool.pool.conversation
        own = "locomo 1-4" if talk else "multihop"
        now = to_micros(asking_time(pool.pool))
        for example in pool.examples:
            adversarial = _is_adversarial(pool, example.asked)
            kind = SOMEBODY_ELSE if adversarial else own
            yield _case(kind, pool.recall, example.asked, embedder, now, answerable=not adversarial)
        others = [(other, asked) for other in pools if other is not pool for asked in _answered(other)]
        others = [(other, asked) for other, asked in others if other.pool.conversation == talk]
        for other, asked in chosen.sample(others, min(OTHERS, len(others))):
            told = Asked(_exchanged(asked.text, other, pool), (), asked.kind, pool.pool.name if talk else asked.fold)
            kind = NOBODY if talk else "other sets"
            yield _case(kind, pool.recall, told, embedder, now, answerable=False)
        for asked in chosen.sample(_answered(pool), min(SMALL_ASKED, len(_answered(pool)))):
            strangers = [entry.id for entry in pool.pool.entries if entry.id not in asked.gold]
            for size in SMALL:
                picked = chosen.sample(strangers, min(size, len(strangers)))
                kind, unknown = f"{own}, {size} entries", Asked(asked.text, (), asked.kind, asked.fold)
                yield _case(kind, _few(pool, picked), unknown, embedder, now, answerable=False)
                kind, few = f"{own}, answer and {size} entries", _few(pool, [*picked, *asked.gold])
                yield _case(kind, few, asked, embedder, now, answerable=True)


def left_out(embedder: Embeds | None) -> Iterator[Case]:
    """Ask notes, with what answers and without."""
    for pool, answerable in notes():
        made = prepare([pool], embedder, None)[0]
        kind = NOTES if answerable else f"{NOTES}, the answer left out"
        yield _case(kind, made.recall, pool.questions[0], embedder, to_micros(NOW), answerable=answerable)


def _is_adversarial(pool: Prepared, asked: Asked) -> bool:
    return pool.pool.conversation and asked.kind == ADVERSARIAL


def _answered(pool: Prepared) -> list[Asked]:
    return [example.asked for example in pool.examples if not _is_adversarial(pool, example.asked)]


def _case(kind: str, recall: Recall, asked: Asked, embedder: Embeds | None, now: int, *, answerable: bool) -> Case:
    query = asked_at(query_of(asked.text, embedder, recall.first.speakers), now)
    scored = recall.score(query, k=LOOKED_AT)
    best = np.argsort(-np.round(scored.scores, PLACES), kind="stable")[:LOOKED_AT].tolist()  # rows are in order of ids
    raw = recall.looks.look(query, scored, best, np.ones(len(scored.scores), dtype=bool))
    below = tuple(float(scored.scores[best[0]] - scored.scores[row]) for row in best)
    gold = tuple(answerable and recall.index.ids[row] in asked.gold for row in best)
    return Case(kind, asked.fold, answerable, raw, below, gold)


def _exchanged(text: str, other: Prepared, pool: Prepared) -> str:
    """Put the speakers of one conversation in place of another's."""
    names = (sorted({entry.speaker for entry in each.pool.entries if entry.speaker}) for each in (other, pool))
    for theirs, ours in zip(*names, strict=False):
        text = re.sub(rf"\b{re.escape(theirs)}\b", ours, text)
    return text


def _few(pool: Prepared, ids: Sequence[str]) -> Recall:
    """Give a recall over some entries of a pool, each by itself."""
    by_id, whole = {entry.id: entry for entry in pool.pool.entries}, pool.recall
    index = Index()
    for one in sorted(ids):
        index.add(by_id[one]._replace(group="", position=0))
    meaning = None
    if pool.meaning is not None:
        rows = [whole.index.rows[one] for one in index.ids]
        words = [whole.index.words.numbers[word] for word in index.words.names]
        meaning = Meaning(
            index,
            whole.p,
            entries=pool.meaning.entries[rows],
            words=None if pool.meaning.words is None else pool.meaning.words[words],
        )
    return Recall(index, whole.p, meaning=meaning, pieces=None if whole.match is None else whole.match.pieces)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The coefficients: of what is alike, of what a named speaker said, of the rest of a note, of each hit."""

    alike: Floats
    against: Floats  # two rows: nobody said it, somebody else did
    rest: Floats
    hit: Floats

    def chances(self, asked: Sequence[Case]) -> Floats:
        """Give the probability of each question's best hit."""
        first = _curve(np.array([[1.0, 1.0, 0.0]]), self.hit)[0]
        notes = np.array([case.raw.rest is not None for case in asked])
        alike = _curve(_values(asked, ALIKE), self.alike)
        alike = np.where(notes, alike * np.maximum(LEAST_REST, _curve(_rests(asked), self.rest)), alike)
        weighed = 1.0 / (1.0 + np.exp(-(_values(asked, AGAINST[0]) @ self.against.T)).sum(axis=1))
        chances: Floats = first * np.where(_told_apart(asked), weighed, alike)
        return chances


def fit(asked: Sequence[Case]) -> Fitted:
    """Fit each curve on what it is about: likeness on whole sets but category 5, who said it where somebody who speaks
    is named, the rest on notes, hits where one answers."""
    told = [case for case in asked if case.is_note and case.raw.rest is not None]
    asked = [case for case in asked if not case.is_note]
    like = [case for case in asked if case.kind != SOMEBODY_ELSE]
    said = [case for case in asked if case.raw.gaps is not None]
    hits = [
        ([1.0, float(place == 0), below], gold)
        for case in asked
        if case.answerable
        for place, (below, gold) in enumerate(zip(case.below, case.gold, strict=True))
    ]
    classes = [0 if case.answerable else 2 if case.kind == SOMEBODY_ELSE else 1 for case in said]
    counts = [SOMEBODY_ELSE_COUNTS if case.kind == SOMEBODY_ELSE else _weight(case) for case in said]
    return Fitted(
        logistic(_values(like, ALIKE), _answerable(like), np.array([_weight(case) for case in like])),
        -softmax(_values(said, AGAINST[0]), np.array(classes, dtype=np.int64), np.array(counts)),
        logistic(_rests(told), _answerable(told), np.ones(len(told))),
        logistic(np.array([each for each, _ in hits]), np.array([gold for _, gold in hits]), np.ones(len(hits))),
    )


def _weight(case: Case) -> float:
    return SMALL_WEIGHT if case.small else 1.0


def refused(asked: Sequence[Case]) -> Iterator[tuple[str, float, int]]:
    """Give the share of each kind that is refused by a fit on the other folds, and a floor that 1 in 20 miss there."""
    missed: dict[str, list[bool]] = {}
    for fold in dict.fromkeys(case.fold for case in asked):
        seen, unseen = ([case for case in asked if (case.fold == fold) is held] for held in (False, True))
        fitted = fit(seen)
        edge = floor_of(fitted, seen)
        for case, chance in zip(unseen, fitted.chances(unseen).tolist(), strict=True):
            missed.setdefault(case.kind, []).append(chance < edge)
    for kind, each in sorted(missed.items()):
        yield kind, sum(each) / len(each), len(each)


def refused_apart(asked: Sequence[Case]) -> Iterator[tuple[str, float, int]]:
    """Give what each of the two sums refuses alone, of what it is about, by an edge of its own that 1 in 20 miss.

    So two models would do that refuse 1 in 20 each; `refused` weighs both against one floor.
    """
    named = [case for case in asked if case.raw.gaps is not None and not case.small]
    for place, about in enumerate((NOBODY, SOMEBODY_ELSE)):
        missed: dict[str, list[bool]] = {"locomo 1-4": [], about: []}
        for fold in dict.fromkeys(case.fold for case in named):
            sums = _values(named, AGAINST[0]) @ fit([case for case in asked if case.fold != fold]).against[place]
            edge = np.quantile([x for case, x in zip(named, sums, strict=True) if _is_learnt(case, fold)], REFUSED)
            for case, x in zip(named, sums.tolist(), strict=True):
                if case.fold == fold and case.kind in missed:
                    missed[case.kind].append(x < edge)
        for kind, each in missed.items():
            yield f"{kind}, by {about} alone", sum(each) / max(len(each), 1), len(each)


def _is_learnt(case: Case, fold: str) -> bool:
    return case.answerable and case.fold != fold


def floor_of(fitted: Fitted, asked: Sequence[Case]) -> float:
    """Give the floor that 1 in 20 answerable questions of talk, or of passages, do not reach: the lower one."""
    whole = [case for case in asked if case.answerable and not (case.small or case.is_note)]
    chances = fitted.chances(whole)
    sets = {case.kind for case in whole}
    return min(float(np.quantile(chances[[case.kind == each for case in whole]], REFUSED)) for each in sets)


def _values(asked: Sequence[Case], coefficients: Mapping[str, str]) -> Floats:
    """Give the values of each question that these coefficients are of."""
    found = [[case.raw.values().get(value, 0.0) for value in coefficients] for case in asked]
    return np.array(found).reshape(len(asked), len(coefficients))


def _told_apart(asked: Sequence[Case]) -> Bools:
    return np.array([case.raw.gaps is not None for case in asked])


def _rests(asked: Sequence[Case]) -> Floats:
    return np.array([[1.0, one.raw.rest or 0.0] for one in asked])


def _answerable(asked: Sequence[Case]) -> Bools:
    return np.array([one.answerable for one in asked])


def logistic(values: Floats, is_so: Bools, weight: Floats) -> Floats:
    """Fit a logistic curve by Newton's method; all coefficients but the first are drawn to 0 a little.

    >>> values = np.array([[1.0, 0.0], [1.0, 1.0]] * 50)
    >>> logistic(values, np.array([False, True] * 50), np.ones(100)).round(1).tolist()
    [-2.3, 4.6]
    """
    pull = np.full(values.shape[1], PULL)
    pull[0] = SLIGHT
    found = np.zeros(values.shape[1])
    for _ in range(STEPS):
        curve = _curve(values, found)
        slope = values.T @ (weight * (curve - is_so)) + pull * found
        found -= np.linalg.solve((values * (weight * curve * (1.0 - curve))[:, None]).T @ values + np.diag(pull), slope)
    return found


def softmax(values: Floats, kinds: Longs, weight: Floats) -> Floats:
    """Fit by Newton's method the log odds of the kinds 1 and 2 against 0, a row each; drawn to 0 as above.

    >>> values, kinds = np.ones((40, 1)), np.array([0, 0, 1, 2] * 10)
    >>> softmax(values, kinds, np.ones(40)).round(2).tolist()
    [[-0.69], [-0.69]]
    """
    size = values.shape[1]
    pull = np.full((2, size), PULL)
    pull[:, 0] = SLIGHT
    found = np.zeros((2, size))
    is_so = np.stack([kinds == 1, kinds == 2]).astype(float)
    for _ in range(STEPS):
        powers = np.exp(found @ values.T)
        shares = powers / (1.0 + powers.sum(axis=0))
        slope = (weight * (shares - is_so)) @ values + pull * found
        curve = np.zeros((2, size, 2, size))
        for one in range(2):
            for other in range(2):
                both = weight * shares[one] * ((one == other) - shares[other])
                curve[one, :, other] = (values * both[:, None]).T @ values
        whole = curve.reshape(2 * size, 2 * size) + np.diag(pull.ravel())
        found -= np.linalg.solve(whole, slope.ravel()).reshape(2, size)
    return found


def _curve(values: Floats, coefficients: Floats) -> Floats:
    curve: Floats = 1.0 / (1.0 + np.exp(-(values @ coefficients)))
    return curve


def main(arguments: Sequence[str] | None = None, *, write: Callable[[str], object] = sys.stdout.write) -> None:
    """Print the coefficients fitted on everything under a folder, and what is refused of each kind."""
    from asterism.embed import open_embedder
    from asterism.evals import locomo, multihop

    parser = argparse.ArgumentParser(
        prog="python -m asterism.evals.recall_refusal", description="Fit how probable it is that a hit answers."
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds locomo/ and multihop/")
    parser.add_argument("--without-vectors", action="store_true", help="by words alone")
    parser.add_argument("--embedder", default="default", help="with another embedder, minilm")
    told = parser.parse_args(arguments)
    embedder: Embeds | None = None if told.without_vectors else open_embedder(told.embedder)
    pools = [*locomo.load(told.data / "locomo"), *multihop.load(told.data / "multihop")]
    asked = [*cases(prepare(pools, embedder, None), embedder), *left_out(embedder)]
    fitted = fit(asked)
    for names, values in (
        (ALIKE.values(), fitted.alike),
        (AGAINST[0].values(), fitted.against[0]),
        (AGAINST[1].values(), fitted.against[1]),
        (REST, fitted.rest),
        (HIT, fitted.hit * [1.0, 1.0, -1.0]),
    ):
        for name, value in zip(names, values.tolist(), strict=True):
            write(f"{name} = {value:.2f}\n")
    write(f"chance_floor = {floor_of(fitted, asked):.2f}\n")
    for kind, share, count in (*refused(asked), *refused_apart(asked)):
        write(f"refused of {kind}: {share:.3f}, n {count}\n")


if __name__ == "__main__":
    main()
