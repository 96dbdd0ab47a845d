"""`asterism conflicts`: what was told that cannot both hold."""

from __future__ import annotations

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.opening import reading
from asterism.entry.cli.output import answer, width

SHOWN = 20


@click.command("conflicts", cls=Command, example="asterism conflicts")
@click.option("--limit", type=click.IntRange(min=1), help="Show at most so many.", metavar="N")
@click.pass_obj
def conflicts(asked: Asked, limit: int | None) -> None:
    """Show what was told that probably cannot both hold.

    A dream finds such pairs ("lives in Paris", "moved to Berlin") and settles none: each is shown with the commands
    that do. One ends when either side is replaced, edited, forgotten, or runs out.
    """
    from asterism.entry.text.conflicts import conflicts_lines, settling

    with reading(asked) as memory:
        found = memory.conflicts(at=asked.at)
    if asked.json:
        answer(asked, [view.to_dict() | {"settle": settling(view)} for view in found[:limit]], ())
        return
    shown = found[: limit or SHOWN]
    answer(asked, None, conflicts_lines(shown, more=len(found) - len(shown), width=width()))


COMMANDS = (conflicts,)
