"""Commands about time: let it pass, look back, look ahead."""

from __future__ import annotations

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.links import CURVE, LIMIT, show_links
from asterism.entry.cli.opening import changing, reading, without_at
from asterism.entry.cli.output import answer, width, working


@click.command("advance", cls=Command, example="asterism advance --days 7 --discover")
@click.option("--days", type=float, help="So many days.", metavar="N")
@click.option("--hours", type=float, help="So many hours.", metavar="N")
@click.option("--to", help="Up to this moment.", metavar="TIME")
@click.option("--discover", is_flag=True, help="Also look for links that nobody named.")
@click.pass_obj
def advance(asked: Asked, days: float | None, hours: float | None, to: str | None, discover: bool) -> None:
    """Let time pass, and say what changed.

    Links fade and change state, kinds are detected, stars influence each other.
    """
    from asterism.entry.text.render import changes_lines

    without_at(asked, instead="asterism advance --to TIME")
    if to is not None and (days is not None or hours is not None):
        raise click.UsageError("give either --to or --days and --hours")
    if to is None and days is None and hours is None:
        raise click.UsageError("say how far: --days N, --hours N or --to TIME")
    with changing(asked) as memory, working("Letting time pass"):
        changes = memory.advance(days=days, hours=hours, to=to, discover=discover)
    answer(asked, changes.to_dict(), changes_lines(changes, width=width()))


@click.command("as-of", cls=Command, example="asterism as-of 2026-09-15 sleep")
@click.argument("time")
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--known-at", help="Only by what was known at this moment.", metavar="TIME")
@LIMIT
@CURVE
@click.pass_obj
def as_of(
    asked: Asked,
    time: str,
    a: str | None,
    b: str | None,
    known_at: str | None,
    limit: int | None,
    curve: bool | None,
) -> None:
    """Show the links as they were at a TIME.

    All of them, those of A, or the one of A and B.
    """
    without_at(asked, instead=f"asterism as-of {asked.at} ...")
    with reading(asked) as memory:
        show_links(asked, memory, memory.as_of(time, known_at=known_at), a, b, limit=limit, curve=curve)


@click.command("project", cls=Command, example="asterism project --days 60")
@click.option("--days", type=float, help="So many days ahead (30).", metavar="N")
@click.option("--to", help="Up to this moment.", metavar="TIME")
@click.option("--limit", type=click.IntRange(min=1), default=20, help="At most so many links, the strongest (20).")
@click.pass_obj
def project(asked: Asked, days: float | None, to: str | None, limit: int) -> None:
    """Show what will fade, and when, if nothing happens."""
    from asterism.entry.text.ahead import outlook_lines

    without_at(asked, instead="asterism project --to TIME looks ahead, asterism as-of TIME back")
    if to is not None and days is not None:
        raise click.UsageError("give either --days or --to")
    with reading(asked) as memory, working("Looking ahead"):
        outlook = memory.project(to, days=days, limit=limit)
    answer(asked, outlook.to_dict(), outlook_lines(outlook, width=width()))


@click.command("predictions", cls=Command, example="asterism predictions --json")
@click.pass_obj
def predictions(asked: Asked) -> None:
    """Show what causal links expected, and what became of it.

    With the share that came true, and whether they were as sure as they should be.
    """
    from asterism.entry.text.expected import predictions_lines

    with reading(asked) as memory:
        told = memory.predictions(at=asked.at)
    answer(asked, told.to_dict(), predictions_lines(told, width=width()))


COMMANDS = (advance, as_of, project, predictions)
