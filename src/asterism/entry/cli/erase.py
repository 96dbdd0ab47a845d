"""Commands that erase for good, and that show the memory without something."""

from __future__ import annotations

import sys

import click

from asterism.entry.cli.commands import Asked, Command
from asterism.entry.cli.opening import changing, reading, without_at
from asterism.entry.cli.output import answer, show, width, working
from asterism.errors import InputError


@click.command("erase", cls=Command, example="asterism erase source:diary --dry-run")
@click.argument("subject", metavar="SUBJECT")
@click.option("--dry-run", is_flag=True, help="Show what would be erased, and write nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def erase(asked: Asked, subject: str, dry_run: bool, yes: bool) -> None:
    """Erase a node, a session, a source or a name for good.

    SUBJECT is an id or a name. Where a name is that of several, say which: node:NAME, session:NAME, source:NAME or
    item:ID. name:WORDS is all that is called so, with every learned text that names it. Items, what was derived from
    them, and every byte of both go; hashes stay, so that no merge brings it back.
    """
    from asterism.entry.text.erased import manifest_lines

    without_at(asked, instead="what is erased is gone at all times")
    if dry_run:
        with reading(asked) as memory, working("Looking through the ledger"):
            manifest = memory.erase(subject, dry_run=True)
        answer(asked, manifest.to_dict(), manifest_lines(manifest, width=width()))
        return
    with changing(asked) as memory:
        if not yes:
            with working("Looking through the ledger"):
                planned = memory.erase(subject, dry_run=True)
            _ask(planned.subject, asked)
            show(manifest_lines(planned, width=width()))
            click.confirm("Erase this for good?", abort=True, err=True)
        with working("Erasing, and writing the file anew"):
            manifest = memory.erase(subject)
    answer(asked, manifest.to_dict(), manifest_lines(manifest, width=width()))


def _ask(subject: str, asked: Asked) -> None:
    """Refuse to erase unasked where nobody can be asked."""
    if asked.json or not sys.stdin.isatty():
        raise InputError(
            f"{subject} is erased for good only if you say so",
            code="not_confirmed",
            item=subject,
            hint="look at it with --dry-run, then add --yes",
        )


@click.command("what-if", cls=Command, example="asterism what-if --without source:diary")
@click.option("--without", required=True, help="A node, session, source, item or name:WORDS.", metavar="SUBJECT")
@click.option("--limit", type=click.IntRange(min=1), default=20, help="Show at most so many changes.", metavar="N")
@click.pass_obj
def what_if(asked: Asked, without: str, limit: int) -> None:
    """Show the memory as if something had never been told.

    The ledger without it is folded anew and compared with what is; nothing is written. The biggest change comes first.
    """
    from asterism.entry.text.erased import what_if_lines

    without_at(asked, instead="what-if compares with the memory as it is now")
    with reading(asked) as memory, working("Folding the ledger without it"):
        found = memory.what_if(without=without, limit=limit)
    answer(asked, found.to_dict(), what_if_lines(found, width=width()))


COMMANDS = (erase, what_if)
