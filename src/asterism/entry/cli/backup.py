"""`asterism backup`: a copy of the whole memory while it is in use, and the way back."""

from __future__ import annotations

from pathlib import Path

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.opening import make_folder, reading, where, without_at
from asterism.entry.cli.output import answer, width, working


@click.command("backup", cls=Command, example="asterism backup memory-2026-11-18.db")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--restore", is_flag=True, help="Go back to FILE: put it in the memory's place.")
@click.option("--known-at", help="With --restore: only what was known at this moment.", metavar="TIME")
@click.option("--force", is_flag=True, help="Replace a backup that is there.")
@click.pass_obj
def backup(asked: Asked, file: Path, restore: bool, known_at: str | None, force: bool) -> None:
    """Copy the whole memory, all spaces, to FILE.

    Others may go on writing: FILE holds what was there at one moment, and was read back. It is a memory by itself
    (--db FILE). --restore puts it in the place of the memory, which is kept aside; what was erased there since is
    erased in it too.
    """
    without_at(asked, instead="--restore with --known-at TIME goes back to what was known then")
    if restore and force:
        raise click.UsageError("--force is for writing a backup; the memory that --restore replaces is kept aside")
    if known_at is not None and not restore:
        raise click.UsageError("--known-at goes with --restore; asterism export --known-at writes a part of a ledger")
    if restore:
        _restore(asked, file, known_at)
        return
    from asterism.entry.text.backups import backup_lines

    with reading(asked) as memory, working("Copying") as progress:
        told = memory.backup(file, force=force, progress=lambda share, _: progress.say(f"Copying: {share:.0%}"))
    answer(asked, told.to_dict(), backup_lines(told, width=width()))


def _restore(asked: Asked, file: Path, known_at: str | None) -> None:
    from asterism.engine.exchange.restoring import restore_backup
    from asterism.entry.text.backups import restored_lines

    make_folder(asked)
    with working("Copying") as progress:
        told = restore_backup(
            file,
            str(where(asked)),
            known_at=known_at,
            progress=lambda share: progress.say(f"Copying: {share:.0%}" if share < 1 else "Checking"),
        )
    answer(asked, told.to_dict(), restored_lines(told, width=width()))


COMMANDS = (backup,)
