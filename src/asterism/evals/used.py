"""Every evaluation as used: which calls tell a set, and which rows its answers make.

A figure counts when the path a user takes gives it. These rows stand beside those of the same evaluation that look
inside; both come from one command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from asterism.evals import locomo, multihop, used_crd3
from asterism.evals.as_used import PASSAGES, TALK, Answered, sampled, used_reports
from asterism.evals.recall_sets import Asked, Pool, Progress
from asterism.evals.report import Report, Row
from asterism.evals.used_mcp import HITS, mcp_reports

OTHERS = "other conversation"  # the kind of a question that was asked of another conversation
OTHERS_A_POOL = 50
REFUSED = 0.05  # the share of answerable questions that may be refused
ANSWERABLE = ("1", "2", "3", "4")


def run_locomo(
    data: Path, *, progress: Progress | None = None, embedder: str | None = None, sample: int | None = None
) -> list[Report]:
    """Tell each conversation in every way, and ask its questions and some of another conversation's."""
    pools = sampled(locomo.load(data), sample)
    most = OTHERS_A_POOL if sample is None else min(sample, OTHERS_A_POOL)
    asked = with_strangers(pools, most)
    options = {"k": max(locomo.DEPTHS), "rows": locomo_rows, "embedder": embedder, "progress": progress}
    reports = used_reports("locomo", asked, TALK, **options)  # type: ignore[arg-type]
    return [*reports, *mcp_reports("locomo", pools, rows=mcp_rows, embedder=embedder, progress=progress)]


def run_multihop(
    data: Path, *, progress: Progress | None = None, embedder: str | None = None, sample: int | None = None
) -> list[Report]:
    """Learn each set's passages under their titles, and ask its questions."""
    pools = sampled([*multihop.load(data), *multihop.load_extra(data)], sample)
    options = {
        "k": max(multihop.DEPTHS),
        "rows": multihop_rows,
        "embedder": embedder,
        "progress": progress,
    }
    return used_reports("multihop", pools, PASSAGES, **options)  # type: ignore[arg-type]


RUNS: Mapping[str, Callable[..., list[Report]]] = {
    "locomo": run_locomo,
    "multihop": run_multihop,
    "crd3": used_crd3.run,
}


def with_strangers(pools: Sequence[Pool], most: int) -> list[Pool]:
    """Ask each conversation answerable questions of the next one too, with the names of who speaks exchanged."""
    found = []
    for place, pool in enumerate(pools):
        other = pools[(place + 1) % len(pools)]
        theirs = [asked for asked in other.questions if asked.kind in ANSWERABLE] if other is not pool else []
        step = max(1, -(-len(theirs) // most))
        named = dict(zip(speakers_of(other), speakers_of(pool), strict=False))
        strange = tuple(Asked(exchanged(each.text, named), (), OTHERS, pool.name) for each in theirs[::step])
        found.append(replace(pool, questions=(*pool.questions, *strange)))
    return found


def speakers_of(pool: Pool) -> list[str]:
    """Name who speaks, in the order of first words."""
    return list(dict.fromkeys(each.speaker for each in sorted(pool.entries, key=lambda each: (each.at, each.position))))


def exchanged(text: str, names: Mapping[str, str]) -> str:
    """Put other names in the place of names.

    >>> exchanged("What did Ann give to Bo?", {"Ann": "Bo", "Bo": "Cy"})
    'What did Bo give to Cy?'
    """
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"\b(?:{pattern})\b", lambda found: names[found.group()], text) if names else text


def locomo_rows(answered: list[Answered]) -> Iterable[Row]:
    """Give recall by category, then what was refused."""
    scored = [(pool, asked, used.shares(asked.gold, locomo.DEPTHS)) for pool, asked, used in answered]
    yield from locomo.rows(scored)
    yield from refusals(answered)


def mcp_rows(answered: list[Answered]) -> Iterable[Row]:
    """Give recall by category as far as an agent asks: ten hits."""
    scored = [(pool, asked, used.shares(asked.gold, locomo.DEPTHS)) for pool, asked, used in answered]
    return (row for row in locomo.rows(scored) if int(row.metric.split("@")[1]) <= HITS)


def multihop_rows(answered: list[Answered]) -> Iterable[Row]:
    """Give recall by set."""
    return multihop.rows([(pool, asked, used.shares(asked.gold, multihop.DEPTHS)) for pool, asked, used in answered])


def refusals(answered: Sequence[Answered]) -> Iterable[Row]:
    """Say which share of unanswerable questions is refused where 5 % of the answerable are, and by default.

    The threshold is the probability of the best hit below which 5 % of the answerable questions lie.
    """
    best = {kind: [used.probability for _, asked, used in answered if asked.kind in kinds] for kind, kinds in ASKED}
    unsure = {kind: [used.unsure for _, asked, used in answered if asked.kind in kinds] for kind, kinds in ASKED}
    if not best["1-4"]:
        return
    floor = sorted(best["1-4"])[int(REFUSED * len(best["1-4"]))]
    for kind, values in best.items():
        if values:
            yield Row(kind, "refused@5%", sum(value < floor for value in values) / len(values), len(values))
            yield Row(kind, "unsure", sum(unsure[kind]) / len(values), len(values))


ASKED = (("1-4", ANSWERABLE), ("5 adversarial", ("5",)), (OTHERS, (OTHERS,)))
