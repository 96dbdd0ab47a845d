"""`asterism eval`: how good detection is, on public data that you have."""

from __future__ import annotations

from pathlib import Path

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.output import answer, width, working

EVALUATIONS = ("causal", "esm", "market")


@click.command("eval", cls=Command, example="asterism eval causal --data path/to/data --json")
@click.argument("name", type=click.Choice(EVALUATIONS), metavar="causal|esm|market")
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="The folder that holds the data.",
)
@click.pass_obj
def evaluate(asked: Asked, name: str, data: Path) -> None:
    """Score what it finds on public data.

    causal: series whose causes are known. esm: diaries of people, several moods a day. market: does the price turn
    at a remembered level?
    """
    from asterism.entry.layout import Piece

    with working(f"Evaluating {name}") as progress:
        from asterism.evals import causal, esm, market
        from asterism.evals.report import render

        run = {"causal": causal.run, "esm": esm.run, "market": market.run}[name]
        reports = run(data, progress=progress.say)
    lines = [[Piece(line)] for line in render(reports, width=width()).splitlines()]
    answer(asked, [report.to_dict() for report in reports], lines)


COMMANDS = (evaluate,)
