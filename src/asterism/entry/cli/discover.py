"""`asterism discover`: what goes with what and what drives what, in the values that were told."""

from __future__ import annotations

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.opening import changing, without_at
from asterism.entry.cli.output import answer, width, working


@click.command("discover", cls=Command, example="asterism discover")
@click.option("--detector", default="best", metavar="NAME", help="best, or seed for the original detection.")
@click.option("--all", "whole", is_flag=True, help="Show every pair of which nothing came.")
@click.pass_obj
def discover(asked: Asked, detector: str, whole: bool) -> None:
    """Say what goes with what in the values told, and why.

    What goes with what, what drives what with which delay, and how sure that is; and why nothing came of the rest.
    Days without a value are missing, weekdays and trend are taken out, and many pairs tested at once are paid for.
    What is found becomes evidence, once a pair in 7 days and after new values; no clock moves. A dream does the same.
    """
    from asterism.entry.text.discovered import discovered_lines

    without_at(asked, instead="it looks at what is known now")
    with changing(asked) as memory, working("Looking through the values"):
        found = memory.discover(detector=detector)
    answer(asked, found.to_dict(), discovered_lines(found, whole=whole, width=width()))


COMMANDS = (discover,)
