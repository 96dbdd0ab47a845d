"""python -m bench [names] [--json] [--quick]"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np
from rich.console import Console
from rich.table import Table

from bench import (
    bounds,
    causal_links,
    daily_step,
    discover,
    dream,
    explore,
    heavy,
    idle,
    importing,
    installing,
    levels,
    mcp,
    observe,
    opening,
    page,
    recall,
    replay,
    serve,
    weight,
)
from bench.timing import Figure


class Job(Protocol):
    NAME: str
    run: Callable[..., Iterator[Figure]]


JOBS: tuple[Job, ...] = (
    daily_step,
    observe,
    opening,
    weight,
    replay,
    idle,
    bounds,
    importing,
    levels,
    discover,
    dream,
    recall,
    explore,
    heavy,
    causal_links,
    mcp,
    serve,
    page,
    installing,
)
NOISE = "The machine is noisy: jobs take turns, every figure is a median; trust ratios and CPU time before wall time."


def main(arguments: Sequence[str] | None = None) -> int:
    names = [job.NAME for job in JOBS]
    parser = argparse.ArgumentParser(prog="python -m bench", description="Run the benchmarks.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"which ones: {', '.join(names)} (all but installing)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, fewer turns: a smoke test")
    asked = parser.parse_args(arguments)
    unknown = set(asked.names) - set(names)
    if unknown:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(names)}")

    console = Console(stderr=True)
    began = time.perf_counter()
    found: list[tuple[str, Figure]] = []
    for job in JOBS:
        if job.NAME in asked.names or (not asked.names and not getattr(job, "ON_REQUEST", False)):
            with console.status(f"{job.NAME} ..."):
                found += [(job.NAME, figure) for figure in job.run(quick=asked.quick)]
    seconds = time.perf_counter() - began
    if asked.json:
        document = {
            "machine": machine(),
            "quick": asked.quick,
            "seconds": round(seconds, 1),
            "noise": NOISE,
            "figures": [{"benchmark": name, **figure.to_dict()} for name, figure in found],
        }
        print(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        show([figure for _, figure in found], seconds=seconds, quick=asked.quick)
    return 0


def machine() -> dict[str, object]:
    return {
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "sqlite": sqlite3.sqlite_version,
    }


def show(figures: Sequence[Figure], *, seconds: float, quick: bool) -> None:
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column("job", overflow="fold")
    for title in ("ours, CPU", "wall", "alternative, CPU", "wall", "ratio", "goal"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("met", justify="center", no_wrap=True)
    table.add_column("against", overflow="fold")
    for figure in figures:
        met = {True: "yes", False: "NO", None: ""}[figure.met]
        table.add_row(
            figure.job,
            _value(figure.cpu, figure.unit),
            _value(figure.wall, ""),
            _value(figure.other_cpu, figure.unit),
            _value(figure.other_wall, ""),
            "" if figure.ratio is None else f"{figure.ratio:,.3g}x",
            _goal(figure),
            met,
            figure.other,
        )
    console = Console(width=None if sys.stdout.isatty() else 170)
    console.print(table)
    console.print()
    for figure in figures:
        if figure.note:
            console.print(f"{figure.job}: {figure.note}", style="dim", highlight=False)
    told = ", ".join(f"{key} {value}" for key, value in machine().items())
    size = " at a tenth of the size (--quick): goals are for the full one." if quick else ""
    console.print(f"\n{NOISE}\n{told}; {seconds:.0f} s{size}", highlight=False)


def _value(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    digits = 0 if value >= 1000 else 1 if value >= 100 else 2 if value >= 1 else 3
    return f"{value:,.{digits}f} {unit}".rstrip()


def _goal(figure: Figure) -> str:
    goal = figure.goal
    if goal is None:
        return ""
    shown = f"{goal.bound:,.4g}x" if goal.of == "ratio" else _value(goal.bound, figure.unit)
    clock = "" if figure.judged == "cpu" else ", wall"
    return f"{goal.relation} {shown}{clock}"


if __name__ == "__main__":
    sys.exit(main())
