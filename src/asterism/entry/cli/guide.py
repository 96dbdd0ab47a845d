"""`asterism guide`: the few ideas behind all commands, on one page."""

from __future__ import annotations

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.opening import named
from asterism.entry.cli.output import answer
from asterism.entry.guide import GUIDE


@click.command("guide", cls=Command, example="asterism guide")
@click.pass_obj
def guide(asked: Asked) -> None:
    """Explain the ideas and a first session, on one page."""
    from asterism.entry.text.layout import Line, Piece

    told = f"{GUIDE}this memory   {named(asked)}\n"
    lines: list[Line] = []
    for line in told.splitlines():
        if line.startswith("# "):
            lines.append([Piece(line[2:], "name")])
        elif line[:10].strip() and line[0] != " " and not line.startswith(("asterism", "A ", "can")):
            name, rest = _split(line)
            lines.append([Piece(name, "head"), Piece(rest)])
        else:
            lines.append([Piece(line)])
    answer(asked, {"guide": told}, lines)


def _split(line: str) -> tuple[str, str]:
    place = line.find("  ")
    return (line, "") if place < 0 else (line[:place], line[place:])


COMMANDS = (guide,)
