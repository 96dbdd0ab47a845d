"""`asterism spaces`: the spaces of a file."""

from __future__ import annotations

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.opening import reading, without_at
from asterism.entry.cli.output import answer, width


@click.command("spaces", cls=Command, example="asterism spaces")
@click.pass_obj
def spaces(asked: Asked) -> None:
    """List the spaces of the memory's file.

    How many items each has, and when it was last told something. --space opens another; recall --also asks several.
    """
    from asterism.entry.text.layout import Column, Piece, table

    without_at(asked, instead="leave it out: spaces are listed as they are now")
    with reading(asked) as memory:
        told = memory.spaces()
    columns = (Column("space"), Column("items", "right"), Column("last told"))
    rows = [
        (Piece(each.name, "name"), str(each.items), f"{each.last_at:%Y-%m-%d %H:%M}" if each.last_at else "never")
        for each in told
    ]
    answer(asked, {"spaces": [each.to_dict() for each in told]}, table(columns, rows, width=width()))


COMMANDS = (spaces,)
