"""LoCoMo: long conversations of two people; which turns answer a question about them?

    asterism eval locomo --data FOLDER

The folder holds the set's `.json` or `.json.gz` files (a list of conversations with `sample_id`, `conversation` and
`qa`), or a folder `locomo` that does. Turns alone are searched: summaries and observations are never read. Weights
are fitted on the other conversations, and on the questions of `multihop` when that lies beside.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.graph import Entry
from asterism.evals.recall_sets import Asked, Embeds, Pool, Progress, beside_of, folder_of, prepare, read, unusable
from asterism.evals.recall_systems import NO_WINDOWS, Scored, mean_rows, reports_of
from asterism.evals.report import Report, Row

DEPTHS = (5, 10, 25)
KINDS = {
    "1-4": ("1", "2", "3", "4"),
    "1 multi-hop": ("1",),
    "2 temporal": ("2",),
    "3 open-domain": ("3",),
    "4 single-hop": ("4",),
    "5 adversarial": ("5",),
}
SESSION = re.compile(r"session_(\d+)")


def run(
    data: Path,
    *,
    progress: Progress | None = None,
    embedder: Embeds | None = None,
    clock: Callable[[], float] = time.perf_counter,
    walk: bool = False,
) -> list[Report]:
    """Score every system on all conversations found under the folder, one report each."""
    from asterism.evals import multihop

    pools = prepare(load(data), embedder, progress)
    beside = beside_of(data, "multihop")
    others = [] if beside is None else prepare(multihop.load(beside), embedder, progress)
    bare = prepare(load(data), embedder, None, changed=NO_WINDOWS)
    return reports_of(
        "locomo",
        pools,
        [*pools, *others],
        depths=DEPTHS,
        rows=rows,
        progress=progress,
        clock=clock,
        bare=bare,
        walk=walk,
    )


def load(data: Path) -> list[Pool]:
    """Read every conversation of the set under the folder."""
    folder = folder_of(data, "locomo")
    pools = []
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.json.gz")]):
        pools += [_pool(record, path) for record in read(path)]
    if not pools:
        raise unusable(data, "it holds no conversations: no .json or .json.gz file with sample_id, conversation and qa")
    return pools


def _pool(record: Mapping[str, object], path: Path) -> Pool:
    try:
        name, conversation, asked = str(record["sample_id"]), record["conversation"], record["qa"]
        assert isinstance(conversation, dict)
        assert isinstance(asked, list)
        entries = [
            _entry(turn, place, session, _at(str(conversation[f"{session}_date_time"])))
            for session in conversation
            if SESSION.fullmatch(session)
            for place, turn in enumerate(conversation[session])
        ]
        known = {entry.id for entry in entries}
        questions = []
        for one in asked:
            gold = tuple(sorted({turn for turn in one["evidence"] if turn in known}))
            if gold:
                questions.append(Asked(str(one["question"]), gold, str(one["category"]), name))
    except (KeyError, TypeError, ValueError, AssertionError) as problem:
        raise unusable(path, f"a conversation does not read as LoCoMo's ({problem!r})") from problem
    return Pool(name, tuple(entries), tuple(questions), conversation=True)


def _entry(turn: Mapping[str, object], place: int, session: str, at: int) -> Entry:
    shown = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
    text, speaker = f"{turn['text']}{shown}", str(turn["speaker"])
    return Entry(str(turn["dia_id"]), text, group=session, position=place, speaker=speaker, at=at, kind="turn")


def _at(written: str) -> int:
    """Read a session's date: 1:56 pm on 8 May, 2023."""
    return to_micros(datetime.strptime(written, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC))


def rows(scored: list[Scored]) -> Iterable[Row]:
    """Give recall at each depth and how often all is among the first ten, by category."""
    for name, kinds in KINDS.items():
        shares = [found for _, asked, found in scored if asked.kind in kinds]
        figures = {f"recall@{depth}": [found[place] for found in shares] for place, depth in enumerate(DEPTHS)}
        figures["all@10"] = [float(found[1] == 1.0) for found in shares]
        yield from mean_rows(name, figures)
