"""`asterism explore`: walkers over the memory, with a query and an intention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from asterism.entry.cli.commands import EMBEDDER, Asked, Command
from asterism.entry.cli.opening import changing, reading, without_at
from asterism.entry.cli.output import answer, width, working

if TYPE_CHECKING:
    from asterism.core.walkers.result import Exploration
    from asterism.sync import Memory


@click.command(
    "explore",
    cls=Command,
    example='asterism explore "why do deploys fail?" --intention "prevent the next outage" --trace',
)
@click.argument("query")
@click.option("--intention", help="What the walk is for.", metavar="TEXT")
@click.option("--start", help="Where to begin (else what recall finds first).", metavar="ID")
@click.option("--no-learn", is_flag=True, help="Leave nothing behind.")
@click.option("--deadline", type=click.FloatRange(min=0), help="Seconds it may take (30).", metavar="SECONDS")
@click.option("--trace", "shape", flag_value="text", help="Show every step.")
@click.option("--tree", "shape", flag_value="tree", help="Show the walkers as a tree.")
@EMBEDDER
@click.pass_obj
def explore(
    asked: Asked,
    query: str,
    intention: str | None,
    start: str | None,
    no_learn: bool,
    deadline: float | None,
    shape: str | None,
) -> None:
    """Send walkers over the memory with QUERY.

    They branch at moments, resonate with narratives, colour the paths that helped, and crystallise a narrative where
    there was a gap.
    """
    from asterism.engine.explore.run import ExplorationTimeout

    without_at(asked, instead="walkers see the memory as it is; leave --at out")
    with reading(asked) if no_learn else changing(asked) as memory, working("Walking"):
        try:
            found = memory.explore(query, intention=intention, start=start, learn=not no_learn, deadline=deadline)
        except ExplorationTimeout as late:
            _tell(asked, memory, late.exploration, shape, learned=False)
            raise
        _tell(asked, memory, found, shape, learned=not no_learn)


def _tell(asked: Asked, memory: Memory, found: Exploration, shape: str | None, *, learned: bool) -> None:
    from asterism.entry.text.explored import explored_lines, nodes_of

    names = {} if asked.json else memory.entries(*nodes_of(found))
    told = found.to_dict() | {"learned": learned}
    answer(asked, told, explored_lines(found, names, shape=shape, learned=learned, width=width()))


COMMANDS = (explore,)
