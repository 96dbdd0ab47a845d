"""Fit the shipped reply tables on the developer data, and write them as data files with their provenance.

    python -m asterism.evals.dialogue_fit --data FOLDER --out src/asterism/weights --on 2026-11-16 [reply] [channel] ..

FOLDER holds minecraft_sdrt/, molweni/ and irc_reply_links/. `instruction` learns from files with "train" in their
name, `channel` from the folder `train`, `reply` from that and from molweni, `group` from molweni alone;
what has another name is left for checks.
The same data gives the same tables on the same machine; `--on` is the day that is written into them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

from asterism.core.dialogue.tables import Table
from asterism.core.ledger.model import Plain, plain
from asterism.evals import irc, minecraft, molweni
from asterism.evals.training.cases import Example
from asterism.evals.training.fit import fit_table
from asterism.evals.training.hidden import Schedule
from asterism.evals.training.minimise import STEPS
from asterism.weights.table_files import text_of

SEED = 1
DECIMALS = 1  # of a weight
IRC = "the 72 train logs of the IRC reply links (CC BY 4.0)"
MOLWENI = "the developer part of Molweni (Apache 2.0)"
MINECRAFT = "msdc_train307 of the Minecraft Structured Dialogue Corpus, links of type Result (CC0)"
LOG_WEIGHT = 0.35  # of a line of IRC beside one of Molweni: the two sets count half each


@dataclass(frozen=True)
class Source:
    """A public set that a table was fitted on."""

    dataset: str
    part: str
    licence: str


@dataclass(frozen=True)
class Plan:
    """How a shipped table is fitted."""

    examples: Callable[[Path], list[Example]]
    fitted_on: str
    sources: tuple[Source, ...]
    window: int
    l2: float
    words: int = 0
    most: int | None = None
    steps: int = STEPS
    layer: Schedule | None = None
    decimals: int = DECIMALS


def instructions(data: Path) -> list[Example]:
    """Give instructions and what came of them."""
    return [each.example() for each in minecraft.load(data) if "train" in each.part]


def channels(data: Path) -> list[Example]:
    """Give busy channels."""
    return [each.example() for each in irc.load(data) if each.part == "train"]


def dialogues(data: Path) -> list[Example]:
    """Give every second log and short dialogues, each half of what counts."""
    logs = [each.example(LOG_WEIGHT) for each in irc.load(data) if each.part == "train"][::2]
    return [*logs, *(each.example() for each in molweni.load(data))]


def groups(data: Path) -> list[Example]:
    """Give short dialogues of a few people."""
    return [each.example() for each in molweni.load(data)]


PLANS: Mapping[str, Plan] = {
    "instruction": Plan(
        instructions,
        MINECRAFT,
        (Source("Minecraft Structured Dialogue Corpus", "msdc_train307, links of type Result", "CC0"),),
        window=minecraft.WINDOW,
        l2=5.0,
        words=250,
    ),
    "channel": Plan(
        channels,
        IRC,
        (Source("IRC reply links", "the 72 train logs", "CC BY 4.0"),),
        window=irc.WINDOW,
        l2=8.0,
        most=11,
        steps=80,
        layer=Schedule(units=40, rounds=16),
    ),
    "reply": Plan(
        dialogues,
        f"every second one of {IRC} and {MOLWENI}",
        (
            Source("IRC reply links", f"every second one of the 72 train logs, a line at {LOG_WEIGHT}", "CC BY 4.0"),
            Source("Molweni", "the developer part", "Apache 2.0"),
        ),
        window=16,
        l2=10.0,
        most=9,
        steps=80,
    ),
    "group": Plan(
        groups,
        MOLWENI,
        (Source("Molweni", "the developer part", "Apache 2.0"),),
        window=molweni.WINDOW,
        l2=molweni.L2,
        decimals=molweni.DECIMALS,
    ),
}


def fitted(name: str, data: Path) -> Table:
    """Fit a shipped table as its plan says; weights are rounded, and those that round to nothing left out."""
    plan = PLANS[name]
    table = fit_table(
        plan.examples(data),
        name=name,
        window=plan.window,
        l2=plan.l2,
        words=plan.words,
        most=plan.most,
        steps=plan.steps,
        fitted_on=plan.fitted_on,
        layer=plan.layer,
        rng=np.random.default_rng(SEED),
    )
    first, second = (rounded_weights(each, decimals=plan.decimals) for each in (table.first, table.second))
    return replace(table, first=first, second=second)


def rounded_weights(weights: Mapping[str, float], *, decimals: int = DECIMALS) -> dict[str, float]:
    """Round weights, and leave out those that round to nothing.

    >>> rounded_weights({"distance.1": 0.71, "none.bias": -1.2, "distance.2": 0.01})
    {'distance.1': 0.7, 'none.bias': -1.2}
    """
    return {name: round(value, decimals) for name, value in weights.items() if round(value, decimals)}


def provenance(name: str, on: date) -> dict[str, Plain]:
    """Tell where the numbers of a shipped table come from."""
    plan = PLANS[name]
    settings = {"l2": plan.l2, "words": plan.words, "most": plan.most, "steps": plan.steps}
    layer = None if plan.layer is None else asdict(plan.layer) | {"seed": SEED}
    return {
        "sources": plain([asdict(source) for source in plan.sources]),
        "never_on": "STAC, which is share-alike and non-commercial",
        "fitted_by": f"python -m asterism.evals.dialogue_fit {name}",
        "fitted_at": on.isoformat(),
        "settings": plain(settings | {"hidden_layer": layer}),
        "kept": f"weights rounded to {plan.decimals} decimal{'s'[: plan.decimals - 1]}, those that round to 0 left out",
    }


def main(arguments: Sequence[str]) -> None:
    """Fit what was asked for and write it."""
    parser = argparse.ArgumentParser(prog="python -m asterism.evals.dialogue_fit")
    parser.add_argument("tables", nargs="*", choices=[[], *PLANS], default=[])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--on", type=date.fromisoformat, required=True)
    asked = parser.parse_args(arguments)
    for name in asked.tables or PLANS:
        text = text_of(fitted(name, asked.data), provenance(name, asked.on))
        (asked.out / f"{name}.json").write_text(text, encoding="utf-8")
        sys.stdout.write(f"{name}.json: {len(text):,} characters\n")


if __name__ == "__main__":
    main(sys.argv[1:])
