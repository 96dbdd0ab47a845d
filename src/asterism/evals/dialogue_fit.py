"""Fit the shipped reply tables on the developer data, and write them as modules.

    python -m asterism.evals.dialogue_fit --data FOLDER --out FOLDER [reply] [instruction] [channel]

FOLDER holds minecraft_sdrt/, molweni/ and irc_reply_links/. `instruction` learns from files with "train" in their
name, `channel` from the folder `train`, `reply` from that and from molweni; what has another name is left for checks.
The same data gives the same tables on the same machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap

import numpy as np

from asterism.core.dialogue.tables import Table, hidden_to, names_to, weights_to
from asterism.evals import irc, minecraft, molweni
from asterism.evals.training.fit import fit_table
from asterism.evals.training.hidden import Schedule

SEED = 1
LAYER = Schedule(units=40, rounds=16)
DECIMALS = 1  # of a weight
IRC = "the 72 train logs of the IRC reply links (CC BY 4.0)"
MOLWENI = "the developer part of Molweni (Apache 2.0)"
MINECRAFT = "msdc_train307 of the Minecraft Structured Dialogue Corpus, links of type Result (CC0)"


def instruction(data: Path) -> Table:
    """Fit the table for instructions and what came of them."""
    train = [each.example() for each in minecraft.load(data) if "train" in each.part]
    return fit_table(train, name="instruction", window=minecraft.WINDOW, l2=5.0, words=250, fitted_on=MINECRAFT)


def channel(data: Path) -> Table:
    """Fit the table for busy channels, with its hidden layer."""
    train = [each.example() for each in irc.load(data) if each.part == "train"]
    rng = np.random.default_rng(SEED)
    return fit_table(
        train, name="channel", window=irc.WINDOW, l2=8.0, most=11, steps=80, fitted_on=IRC, layer=LAYER, rng=rng
    )


def reply(data: Path) -> Table:
    """Fit the table for any dialogue, on every second log and on short dialogues, each half of what counts."""
    logs = [each.example(0.35) for each in irc.load(data) if each.part == "train"][::2]
    short = [each.example() for each in molweni.load(data)]
    told = f"every second one of {IRC} and {MOLWENI}"
    return fit_table([*logs, *short], name="reply", window=16, l2=10.0, most=9, steps=80, fitted_on=told)


FITS: Mapping[str, Callable[[Path], Table]] = {"instruction": instruction, "channel": channel, "reply": reply}


def module_of(table: Table) -> dict[str, str]:
    """Write a table as one module, or as two with its hidden layer in the second; by file name."""
    name, layer = table.name, table.hidden is not None
    found = {}
    used = ["Table", *(["hidden_from", "names_from"] if layer else []), "weights_from"]
    imports = [f"from asterism.core.dialogue.tables import {', '.join(used)}"]
    parts = ["FITTED_ON", str(table.window), "weights_from(FIRST)", "weights_from(SECOND)"]
    texts = {"FIRST": weights_to(table.first, decimals=DECIMALS), "SECOND": weights_to(table.second, decimals=DECIMALS)}
    if table.hidden is not None:
        weights, units = hidden_to(table.hidden)
        imports.append(f"from asterism.core.dialogue.tables_{name}_hidden import UNITS, WEIGHTS")
        parts += ["hidden_from(WEIGHTS, UNITS)", "names_from(NAMES)"]
        texts["NAMES"] = names_to(table.hidden_names)
        told = f"The hidden layer of the table `{name}`, written by `asterism.evals.dialogue_fit`; do not edit."
        body = _module(told, [], {"UNITS": units, "WEIGHTS": weights}, [])
        found[f"tables_{name}_hidden.py"] = body
    told = f"The table `{name}`: weights by name, rounded. Written by `asterism.evals.dialogue_fit`; do not edit."
    fitted_on = wrap(f"Fitted on {table.fitted_on}.", 118)
    last = [f"FITTED_ON = {_text(table.fitted_on)}", f"{name.upper()} = {_call('Table', [_quoted(name), *parts])}"]
    found[f"tables_{name}.py"] = _module("\n".join([told, "", *fitted_on, ""]), imports, texts, last)
    return found


def _module(told: str, imports: Sequence[str], texts: Mapping[str, str], last: Sequence[str]) -> str:
    start = [f'"""{told}"""', "", "from __future__ import annotations", ""]
    blocks = [f'{label} = r"""\n{text}\n"""' for label, text in texts.items()]
    return "\n".join([*start, *imports, *([""] if imports else []), *blocks, *last]) + "\n"


def _quoted(text: str) -> str:
    return f'"{text}"'


def _call(name: str, parts: Sequence[str]) -> str:
    """Write a call as the formatter would: on one line, or a part a line."""
    line = f"{name}({', '.join(parts)})"
    return line if len(line) < 100 else f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def _text(told: str) -> str:
    """Write a text as the formatter would: on one line, or in brackets."""
    parts = wrap(told, 100)
    if len(parts) == 1:
        return _quoted(told)
    return "(\n" + "".join(f'    "{part} "\n' for part in parts[:-1]) + f"    {_quoted(parts[-1])}\n)"


def main(arguments: Sequence[str]) -> None:
    """Fit what was asked for and write it."""
    parser = argparse.ArgumentParser(prog="python -m asterism.evals.dialogue_fit")
    parser.add_argument("tables", nargs="*", choices=[[], *FITS], default=[])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args(arguments)
    for name in asked.tables or FITS:
        for file, text in module_of(FITS[name](asked.data)).items():
            (asked.out / file).write_text(text, encoding="utf-8")
            sys.stdout.write(f"{file}: {len(text):,} characters\n")


if __name__ == "__main__":
    main(sys.argv[1:])
