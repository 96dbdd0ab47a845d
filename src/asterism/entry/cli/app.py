"""The root of the command line, and what becomes of an error: exit code, message and the thing to type instead."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from typing import Any

import click

from asterism.entry.cli import (
    backup,
    blocks,
    conflicts,
    demo,
    diary,
    discover,
    doctor,
    erase,
    evaluate,
    exchange,
    explore,
    guide,
    learn,
    links,
    market,
    mcp,
    nodes,
    recall,
    serve,
    shell,
    spaces,
    stars,
    time,
    token,
    transcripts,
    whole,
)
from asterism.entry.cli.commands import Asked, Command, Group
from asterism.entry.hints import PROMPT
from asterism.errors import AsterismError

SECTIONS = {
    "Start here": ("demo", "guide"),
    "Learn and recall": ("learn", "recall", "dream", "explore", "why-not", "unanswered", "blocks", "history", "slots"),
    "Correct and reward": ("conflicts", "edit", "forget", "restore", "pin", "used", "outcome", "session"),
    "Tell evidence": ("star", "observe", "deny", "assign-type"),
    "A diary": ("diary", "discover", "week"),
    "Look around": ("nodes", "links", "link", "show", "why"),
    "Transcripts and markets": ("transcript", "market"),
    "Time": ("advance", "as-of", "project", "predictions"),
    "The memory as a whole": (
        "stats",
        "spaces",
        "config",
        "verify",
        "doctor",
        "backup",
        "merge",
        "export",
        "import",
        "reembed",
    ),
    "Without something": ("what-if", "erase"),
    "Serve": ("serve", "token", "mcp"),
    "The workbench": ("eval", "bench", "completion"),
}


class Root(Group):
    """The root: commands in sections, errors as exit codes."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's
        """Write the commands under a few headings, in the order a newcomer needs them."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                commands = [(name, self.commands[name]) for name in names]
                formatter.write_dl([(name, command.get_short_help_str(60)) for name, command in commands])

    def main(self, args: Sequence[str] | None = None, *more: Any, **settings: Any) -> Any:
        """Run; every failure leaves with its code and says what to do next."""
        words = list(sys.argv[1:] if args is None else args)
        as_json = "--json" in words
        settings["standalone_mode"] = False
        try:
            code = super().main(words, *more, **settings)
        except AsterismError as error:
            _fail(error.to_dict() | {"hint": error.hint and PROMPT.say(error.hint)}, as_json=as_json)
            sys.exit(error.exit_code)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help(), err=True)
            sys.exit(error.exit_code)
        except click.ClickException as error:
            _fail(_misused(error), as_json=as_json)
            sys.exit(error.exit_code)
        except click.Abort:
            click.echo("Stopped.", err=True)
            sys.exit(130)
        sys.exit(code if isinstance(code, int) else 0)


def _misused(error: click.ClickException) -> dict[str, object]:
    ctx = getattr(error, "ctx", None)
    command = ctx.command if ctx else None
    hint = f"{ctx.command_path if ctx else 'asterism'} --help lists every command"
    if isinstance(command, Command):
        hint = f"for example: {command.example}"
    message = " ".join(error.format_message().split())
    return {"error": "usage", "message": message, "item": None, "hint": hint}


def _fail(told: dict[str, object], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False), err=True)
        return
    click.secho("Error: ", fg="red", bold=True, nl=False, err=True)
    click.echo(_fitted(str(told["message"] or ""), first="Error: ")[len("Error: ") :], err=True)
    if told["hint"]:
        click.echo(_fitted(str(told["hint"]), first="  "), err=True)


def _fitted(text: str, *, first: str) -> str:
    """Break a text between words where a person reads it; a program gets one line."""
    if not sys.stderr.isatty():
        return first + text
    return click.wrap_text(first + text, width=shutil.get_terminal_size().columns, subsequent_indent="  ")


@click.group(
    cls=Root,
    example="asterism demo",
    no_args_is_help=True,
)
@click.version_option(package_name="asterism", message="asterism %(version)s")
@click.pass_context
def app(ctx: click.Context) -> None:
    """A memory that grows connections from evidence, lets them fade, and can say why."""
    ctx.ensure_object(Asked)


MODULES = (
    nodes,
    learn,
    recall,
    explore,
    blocks,
    conflicts,
    stars,
    diary,
    discover,
    links,
    transcripts,
    market,
    time,
    whole,
    spaces,
    doctor,
    backup,
    exchange,
    erase,
    serve,
    token,
    mcp,
    evaluate,
    demo,
    guide,
    shell,
)

for module in MODULES:
    for command in module.COMMANDS:
        app.add_command(command)
