"""`asterism eval`: how good detection is, on public data that you have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from asterism.entry.cli.commands import Asked, Choice, Command
from asterism.entry.cli.output import answer, width, working

if TYPE_CHECKING:
    from asterism.evals.report import Report

DIALOGUES = ("minecraft", "molweni", "irc")
RECALLS = ("locomo", "multihop")
USED = (*RECALLS, "crd3")  # told and asked by the calls of a user, too
OWN = "changes"  # on a set of our own, which is in the package
EVALUATIONS = ("causal", "esm", "diary", "market", *RECALLS, *DIALOGUES, "crd3", "agent", OWN)
SPLITS = ("dev", "held")
TOLD = ("price", "trade", "liquidation")  # events of the market evaluation
WIDE = ("BM25", "inside")  # systems that stand beside those as used
SHARE = click.FloatRange(min=0, max=0.5)


@click.command("eval", cls=Command, example="asterism eval causal --data path/to/data --json")
@click.argument("name", type=click.Choice(EVALUATIONS), metavar="|".join(EVALUATIONS))
@click.option(
    "--data",
    type=click.Path(exists=True, path_type=Path),
    help="The folder that holds the data; agent, causal, changes and diary have their own, the last three take one "
    "beside.",
)
@click.option("--diaries", type=click.IntRange(min=1), help="diary: so many with links and without.", metavar="N")
@click.option("--split", type=Choice(SPLITS), help="changes: only this half; held is kept back.")
@click.option("--preset", multiple=True, help="market: test this preset alone; repeat it to combine.", metavar="NAME")
@click.option(
    "--set", "settings", multiple=True, help="market: with this parameter set; repeat it.", metavar="NAME=VALUE"
)
@click.option("--only", multiple=True, type=Choice(TOLD), help="market: told only of these events; repeat it.")
@click.option("--behind", type=SHARE, help="market: asked for a price so far behind the touched one.", metavar="SHARE")
@click.option("--families", is_flag=True, help="minecraft, molweni, irc: what each family of features adds.")
@click.option("--walk", is_flag=True, help="locomo, multihop: with walkers too, and two hops of links.")
@click.option("--as-used", is_flag=True, help="Only what a user's own calls give, and baselines.")
@click.option("--sample", type=click.IntRange(min=1), help="So many questions or dialogues of each set.", metavar="N")
@click.option("--embedder", help=f"{', '.join(USED)}: another than the default.", metavar="NAME")
@click.pass_obj
def evaluate(
    asked: Asked,
    name: str,
    data: Path | None,
    diaries: int | None,
    split: str | None,
    preset: tuple[str, ...],
    settings: tuple[str, ...],
    only: tuple[str, ...],
    behind: float | None,
    families: bool,
    walk: bool,
    as_used: bool,
    sample: int | None,
    embedder: str | None,
) -> None:
    """Score what it finds on public data.

    causal: series whose causes are known, and random ones with common drivers. esm: diaries of people, several moods a
    day. diary: random diaries whose links are known. market: does the price turn at a remembered level, do
    liquidations and resting orders come back there? locomo, multihop: does recall find what a question asks for?
    minecraft, molweni, irc: which line does a line answer? crd3: which turns of a session does its summary tell of?
    agent: sixty days of an agent over MCP, on three stories of our own. changes: facts that change, on stories of our
    own: what cannot both hold, and does what holds now come first?
    """
    from asterism.entry.text.layout import Piece

    chosen = preset or settings or only
    if name != "market" and (chosen or behind is not None):
        raise click.UsageError("--preset, --set, --only and --behind are for market")
    if diaries and name != "diary":
        raise click.UsageError("--diaries is for diary")
    if families and name not in DIALOGUES:
        raise click.UsageError(f"--families is for {', '.join(DIALOGUES)}")
    if walk and (name not in RECALLS or as_used):
        raise click.UsageError(f"--walk is for {', '.join(RECALLS)}, without --as-used")
    if (as_used or sample) and name not in (*USED, *DIALOGUES):
        raise click.UsageError(f"--as-used and --sample are for {', '.join((*USED, *DIALOGUES))}")
    if embedder and name not in (*USED, "agent"):
        raise click.UsageError(f"--embedder is for {', '.join((*USED, 'agent'))}")
    if split is not None and name != OWN:
        raise click.UsageError(f"--split is for {OWN}")
    if name == "agent":
        _agent(asked, embedder)
        return
    if name == "diary":
        _diary(asked, data, diaries)
        return
    if name == "causal":
        _causal(asked, data)
        return
    if name == OWN:
        _changes(asked, data, split)
        return
    if data is None:
        raise click.UsageError("--data is needed: the folder that holds the data")
    used: list[Report] = []
    with working(f"Evaluating {name}") as progress:
        from asterism.evals import crd3, esm, irc, locomo, market, minecraft, molweni, multihop
        from asterism.evals.report import render
        from asterism.evals.used import RUNS

        if name in USED:
            used = RUNS[name](data, progress=progress.say, embedder=embedder, sample=sample)
        if as_used and used:
            reports = []
        elif name in RECALLS:
            from asterism.embed import open_embedder

            asks = {"locomo": locomo.run, "multihop": multihop.run}[name]
            reports = asks(data, progress=progress.say, embedder=open_embedder(embedder), walk=walk)
        elif name == "market":
            from asterism.core.ledger.parameters import read_settings
            from asterism.evals.market_levels import Variant

            variant = Variant(preset or ("seed",), read_settings(settings), only=only) if chosen else None
            reports = market.run(data, variant=variant, behind=behind or 0.0, progress=progress.say)
        elif name in DIALOGUES:
            links = {"minecraft": minecraft.run, "molweni": molweni.run, "irc": irc.run}[name]
            reports = links(data, progress=progress.say, families=families, as_used=as_used, sample=sample)
        else:
            runs = {"esm": esm.run, "crd3": crd3.run}
            reports = runs[name](data, progress=progress.say)
    parts = [reports]
    if used:
        beside = [each for each in reports if each.system in WIDE and each.system not in {one.system for one in used}]
        reports = [*used, *beside, *(each for each in reports if each.system not in WIDE)]
        parts = [reports[: len(used) + len(beside)], reports[len(used) + len(beside) :]]
    if walk:  # too many systems for one table
        first = [report.system for report in reports].index("two hops")
        parts = [parts[0], reports[len(parts[0]) : first], reports[first:]]
    if name == "esm":  # what the memory expected has rows of its own
        expects = [report.system.startswith("expects") for report in reports].index(True)
        parts = [reports[:expects], reports[expects:]]
    if name == "market":  # each test has baselines of its own
        parts = [[report for report in reports if report.eval == test] for test in market.TESTS]
    told = [line for part in parts if part for line in render(part, width=width()).splitlines()]
    calls = [
        f"{report.system}: {report.preset.removeprefix('as used: ')}"
        for report in reports
        if "as used: " in report.preset
    ]
    lines = [[Piece(line)] for line in [*told, *calls]]
    answer(asked, [report.to_dict() for report in reports], lines)


def _agent(asked: Asked, embedder: str | None) -> None:
    """Live through an agent's days, and say what was right."""
    with working("Living sixty days") as progress:
        from asterism.evals import agent_day

        reports = agent_day.run(embedder=embedder, progress=progress.say)
    _tabled(asked, reports)


def _causal(asked: Asked, data: Path | None) -> None:
    """Look for causes in the sets of the folder, and in random ones with common drivers."""
    with working("Looking for causes") as progress:
        from asterism.evals import causal

        reports = causal.run(data, progress=progress.say)
    from asterism.entry.text.layout import Piece
    from asterism.evals.report import render

    lines = [
        [Piece(line)] for part in causal.tables(reports) if part for line in render(part, width=width()).splitlines()
    ]
    answer(asked, [report.to_dict() for report in reports], lines)


def _diary(asked: Asked, data: Path | None, diaries: int | None) -> None:
    """Look through random diaries, and say what was found in them."""
    with working("Looking through diaries") as progress:
        from asterism.evals import diary_links

        reports = diary_links.run(data, diaries=diaries or diary_links.DEFAULT_DIARIES, progress=progress.say)
    _tabled(asked, reports, said=reports[0].preset)


def _tabled(asked: Asked, reports: list[Report], *, said: str = "") -> None:
    """Answer with one table of all systems, and what is to be said below it."""
    from asterism.entry.text.layout import Piece
    from asterism.evals.report import render

    lines = [[Piece(line)] for line in [*render(reports, width=width()).splitlines(), *([said] if said else [])]]
    answer(asked, [report.to_dict() for report in reports], lines)


def _changes(asked: Asked, data: Path | None, split: str | None) -> None:
    """Tell the stories of our own, or of a file, and ask them."""
    from asterism.entry.text.layout import Piece

    with working("Telling stories") as progress:
        from asterism.evals import changes
        from asterism.evals.report import render

        reports = changes.run(data, splits=SPLITS if split is None else (split,), progress=progress.say)
    lines = [*render(reports, width=width()).splitlines(), f"as used: {reports[0].preset}"]
    answer(asked, [report.to_dict() for report in reports], [[Piece(line)] for line in lines])


COMMANDS = (evaluate,)
