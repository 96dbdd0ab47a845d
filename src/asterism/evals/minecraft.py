"""Minecraft dialogues: which instruction led to which action (links of type `Result`)?

    asterism eval minecraft --data FOLDER

The folder (or its folder `minecraft_sdrt`) holds `.json` or `.json.gz` lists of dialogues with `id`, `edus` and
`relations`; or FOLDER is one such file. Block moves are lines of kind `action`. Each file has its own rows. The table
`instruction` was fitted on the developer part's train307 and never saw dev32.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from asterism.core.dialogue.kernel import causal_links
from asterism.core.dialogue.lines import Line
from asterism.evals.dialogue_families import families_report
from asterism.evals.dialogue_sets import (
    Dialogue,
    Pair,
    Progress,
    load_units,
    rows_by_part,
    sampled,
    train_and_rest,
)
from asterism.evals.dialogue_systems import BASELINES, run_systems, table_system
from asterism.evals.report import Report, Row
from asterism.evals.used_links import AS_USED, WITH_KINDS, lines_alone, lines_with_kinds

WINDOW = 10
MOVE = re.compile(r"(?:place|pick) \w+ -?\d")
RESULT = frozenset({"Result"})
VIEWS: dict[str, Callable[[Pair], bool]] = {
    "result f1": lambda _: True,
    "f1 beyond 1 line": lambda pair: pair[1] - pair[0] > 1,
}


def run(
    data: Path,
    *,
    progress: Progress | None = None,
    families: bool = False,
    as_used: bool = False,
    sample: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Report]:
    """Score every system on all dialogues found, or on a sample; with `families`, what each family of features adds.

    With `as_used`, only what a user gets and the baselines.
    """
    dialogues = sampled(load(data), sample)
    if families:
        fit, check = train_and_rest(dialogues)
        return families_report(
            "minecraft", fit, check, rows=_rows, progress=progress, clock=clock, window=WINDOW, l2=5.0, words=250
        )
    systems = {
        "as used": (lines_with_kinds, WITH_KINDS),
        "no kinds": (lines_alone, AS_USED),
        **BASELINES,
    }
    if not as_used:
        systems["seed kernel"] = (seed_kernel, "seed")
        systems["inside"] = (table_system("instruction"), "instruction")
    return run_systems("minecraft", systems, dialogues, _rows, progress=progress, clock=clock)


def load(data: Path) -> list[Dialogue]:
    """Read every dialogue of the set, with its `Result` links."""
    return load_units(data, "minecraft_sdrt", RESULT, _line)


def _line(at: int, speaker: str, text: str) -> Line:
    return Line(at, speaker, text, None, "action" if MOVE.match(text) else None)


def seed_kernel(dialogue: Dialogue) -> frozenset[Pair]:
    """Read the dialogue with the seed's kernel, once with each speaker as the responder."""
    found = set()
    for responder in {line.author_name for line in dialogue.lines}:
        reading = causal_links(dialogue.lines, session=dialogue.name, responders=[responder])
        found |= {
            (link.intent_anchor_index, link.consequence_anchor_index)
            for link in reading.links
            if link.consequence_anchor_index is not None
        }
    return frozenset(found)


def _rows(said: Sequence[frozenset[Pair]], dialogues: Sequence[Dialogue]) -> Iterable[Row]:
    return rows_by_part(said, dialogues, VIEWS, counted="dialogues")
