"""`asterism eval`: how good detection is, on public data that you have."""

from __future__ import annotations

from pathlib import Path

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.output import answer, width, working

EVALUATIONS = ("causal", "esm", "market", "locomo", "multihop")


@click.command("eval", cls=Command, example="asterism eval causal --data path/to/data --json")
@click.argument("name", type=click.Choice(EVALUATIONS), metavar="causal|esm|market|locomo|multihop")
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
    at a remembered level? locomo, multihop: does recall find what a question asks for?
    """
    from asterism.entry.layout import Piece

    with working(f"Evaluating {name}") as progress:
        from asterism.evals import causal, esm, locomo, market, multihop
        from asterism.evals.report import render

        if name in ("locomo", "multihop"):
            from asterism.embed import open_embedder

            asks = {"locomo": locomo.run, "multihop": multihop.run}[name]
            reports = asks(data, progress=progress.say, embedder=open_embedder())
        else:
            runs = {"causal": causal.run, "esm": esm.run, "market": market.run}
            reports = runs[name](data, progress=progress.say)
    lines = [[Piece(line)] for line in render(reports, width=width()).splitlines()]
    answer(asked, [report.to_dict() for report in reports], lines)


COMMANDS = (evaluate,)
