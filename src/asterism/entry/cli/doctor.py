"""`asterism doctor`: what is wrong with a memory's file, and the command that repairs it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import click

from asterism.config import load
from asterism.entry.cli.commands import EMBEDDER, Asked, Command, InFile
from asterism.entry.cli.opening import embedder_of, space_of, where, without_at
from asterism.entry.cli.output import answer, width, working


@click.command("doctor", cls=Command, example="asterism doctor --quick")
@click.option("--quick", is_flag=True, help="Leave out the replay of the ledger, which takes longest.")
@click.option("--repair", is_flag=True, help="Drop damaged checkpoints and caches, scrub what was erased.")
@click.option("--against", metavar="FILE", type=InFile(dir_okay=False), help="Say which of two copies lacks what.")
@EMBEDDER
@click.pass_obj
def doctor(asked: Asked, quick: bool, repair: bool, against: str | None) -> None:
    """Say what is wrong with a memory, and what repairs it.

    Every space is looked at, or the one of --space. Nothing is changed without --repair. Exit code 1 if something is
    broken.
    """
    from asterism.engine.care.against import against as compare
    from asterism.engine.care.checkup import checkup_of
    from asterism.engine.care.doctor import examine, not_begun
    from asterism.engine.care.doctor import repair as mend
    from asterism.engine.space.clock import clock_of
    from asterism.entry.text.checkup import checkup_lines
    from asterism.wiring import place_of

    without_at(asked, instead="doctor looks at the file as it is")
    place, spaces = where(asked), [space_of(asked)] if asked.space else None
    with working("Examining the memory"):
        look = partial(
            examine,
            place,
            spaces=spaces,
            clock=clock_of(None, trusted=asked.trust_clock),
            embedder=embedder_of(asked),
            replay=not quick,
        )
        checkup = look()
        if repair:
            done = mend(place, checkup)
            checkup = replace(look(), repaired=done)
        if against is not None:
            beside = compare(place, place_of(against), spaces)
            checkup = checkup_of(
                checkup.path, [*checkup.findings, *beside], [*checkup.checked, against], checkup.repaired
            )
    if asked.db is None and load().db_is_default:
        checkup = not_begun(checkup)
    answer(asked, checkup.to_dict(), checkup_lines(checkup, width=width()))
    if not checkup.ok:
        click.get_current_context().exit(1)


COMMANDS = (doctor,)
