"""Multi-hop questions over passages: MuSiQue, HotpotQA, 2Wiki; are all passages found that an answer needs?

    asterism eval multihop --data FOLDER

The folder holds `<set>_corpus.json.gz` and `<set>_questions.json.gz` for any of musique, hotpotqa and 2wiki, and
perhaps `2wiki_extra_distractors.json.gz`, or a folder `multihop` that does. Weights are fitted on the other half of the
questions (even and odd), and on all of `locomo` when that lies beside.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from asterism.core.ledger.graph import Entry
from asterism.evals.recall_sets import Asked, Embeds, Pool, Progress, beside_of, folder_of, prepare, read, unusable
from asterism.evals.recall_systems import Scored, mean_rows, reports_of
from asterism.evals.report import Report, Row

SETS = ("musique", "hotpotqa", "2wiki")
EXTRA = "2wiki+extra"
DEPTHS = (2, 5, 10)


def run(
    data: Path,
    *,
    progress: Progress | None = None,
    embedder: Embeds | None = None,
    clock: Callable[[], float] = time.perf_counter,
    walk: bool = False,
) -> list[Report]:
    """Score every system on all sets found under the folder, one report each."""
    from asterism.evals import locomo

    learnt = prepare(load(data), embedder, progress)
    extra = prepare(load_extra(data), embedder, progress)
    beside = beside_of(data, "locomo")
    others = [] if beside is None else prepare(locomo.load(beside), embedder, progress)
    pools = [*learnt, *extra]
    return reports_of(
        "multihop", pools, [*others, *learnt], depths=DEPTHS, rows=rows, progress=progress, clock=clock, walk=walk
    )


def load(data: Path) -> list[Pool]:
    """Read every set under the folder."""
    folder = folder_of(data, "multihop")
    pools = [
        _pool(name, _records(folder, f"{name}_corpus"), _records(folder, f"{name}_questions"), folder)
        for name in SETS
        if list(folder.glob(f"{name}_corpus.json*"))
    ]
    if not pools:
        raise unusable(data, "it holds no <set>_corpus.json.gz of musique, hotpotqa or 2wiki")
    return pools


def load_extra(data: Path) -> list[Pool]:
    """Read 2Wiki once more, with the extra passages among its own; nothing when there are none."""
    folder = folder_of(data, "multihop")
    if not list(folder.glob("2wiki_extra_distractors.json*")) or not list(folder.glob("2wiki_corpus.json*")):
        return []
    corpus = _records(folder, "2wiki_corpus")
    known = {(record.get("title"), record.get("text")) for record in corpus}
    for number, record in enumerate(_records(folder, "2wiki_extra_distractors")):
        passage = (record.get("title"), record.get("text"))
        if passage not in known:
            known.add(passage)
            corpus.append({**record, "pid": f"extra-{number:05d}"})
    return [_pool(EXTRA, corpus, _records(folder, "2wiki_questions"), folder)]


def _records(folder: Path, name: str) -> list[dict[str, object]]:
    for path in (folder / f"{name}.json.gz", folder / f"{name}.json"):
        if path.is_file():
            return read(path)
    raise unusable(folder, f"there is no {name}.json.gz")


def _pool(name: str, corpus: list[dict[str, object]], asked: Iterable[Mapping[str, object]], folder: Path) -> Pool:
    try:
        entries = tuple(
            Entry(str(passage["pid"]), str(passage["text"]), name=str(passage["title"]), kind="passage")
            for passage in corpus
        )
        questions = tuple(_asked(question, number) for number, question in enumerate(asked))
    except (KeyError, TypeError) as problem:
        raise unusable(folder, f"{name} lacks a field ({problem!r})") from problem
    known = {entry.id for entry in entries}
    lost = [question.text for question in questions if not question.gold or not known.issuperset(question.gold)]
    if lost:
        raise unusable(folder, f"{name} asks {lost[0]!r} without its supporting passages")
    return Pool(name, entries, questions, conversation=False)


def _asked(question: Mapping[str, object], number: int) -> Asked:
    supporting = question["supporting"]
    if not isinstance(supporting, list):
        raise TypeError("supporting is no list")
    fold = "odd questions" if number % 2 else "even questions"
    return Asked(str(question["question"]), tuple(str(one) for one in supporting), str(question["kind"]), fold)


def rows(scored: list[Scored]) -> Iterable[Row]:
    """Give recall at each depth and how often all is among the first five, by set."""
    for name in (*SETS, EXTRA):
        shares = [found for pool, _, found in scored if pool == name]
        figures = {f"recall@{depth}": [found[place] for found in shares] for place, depth in enumerate(DEPTHS)}
        figures["all@5"] = [float(found[1] == 1.0) for found in shares]
        yield from mean_rows(name, figures)
