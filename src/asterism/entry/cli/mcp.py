"""`asterism mcp`: the memory as tools for agents, over stdio or HTTP."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from asterism.config import load
from asterism.entry.cli.commands import EMBEDDER, Asked, Choice, Command
from asterism.entry.cli.opening import embedder_of, make_folder, named, space_of, without_at
from asterism.errors import AsterismError, InputError

if TYPE_CHECKING:
    from asterism.entry.mcp.holding import Holding

PORT = 8787


@click.command("mcp", cls=Command, example="asterism mcp --space work")
@click.option("--profile", type=Choice(("asterism", "reference")), default="asterism", help="Which tools (asterism).")
@click.option("--full", is_flag=True, help="List every argument and output schemas; answer with details and values.")
@click.option("--also-read", multiple=True, help="Let recall read this space too; repeat it.", metavar="SPACE")
@click.option("--keep-unanswered", is_flag=True, help="Write down questions to which there is no sure answer.")
@click.option("--http", is_flag=True, help="Serve over HTTP on this machine instead of stdin and stdout.")
@click.option("--host", default="127.0.0.1", help="Listen here (127.0.0.1).", metavar="ADDRESS")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, help=f"Listen here ({PORT}); 0 is any.", metavar="N"
)
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Let in only who sends the token in this file (or ASTERISM_TOKEN): Authorization: Bearer TOKEN.",
    metavar="FILE",
)
@click.option("--no-token", is_flag=True, help="Let in every program of this machine.")
@click.option("--allow-host", multiple=True, help="Also answer under this name; repeat it.", metavar="NAME")
@EMBEDDER
@click.pass_obj
def mcp(
    asked: Asked,
    profile: str,
    full: bool,
    also_read: tuple[str, ...],
    keep_unanswered: bool,
    http: bool,
    host: str,
    port: int,
    token_file: Path | None,
    no_token: bool,
    allow_host: tuple[str, ...],
) -> None:
    """Serve the memory to agents, as an MCP server.

    Over stdin and stdout, as clients start it; with --http, and a token, at http://127.0.0.1:8787/mcp. docs/mcp.md
    shows the configuration of each client. --profile reference has the nine tools of the reference memory server.
    """
    from asterism.entry.mcp import running
    from asterism.entry.mcp.manner import Manner

    without_at(asked, instead="a server always tells and asks about now")
    token = None if no_token or not http else _token(token_file)
    make_folder(asked)

    def hold() -> Holding:
        from asterism.entry.mcp.holding import holding

        return holding(
            named(asked),
            space_of(asked),
            embedder_of(asked),
            trust_clock=asked.trust_clock,
            also_read=also_read,
        )

    manner = Manner(full=full, keep_unanswered=keep_unanswered)
    running.log_to_stderr()
    if http:
        running.serve_http(
            hold,
            profile=profile,
            manner=manner,
            host=host,
            port=port,
            token=token,
            allowed_hosts=allow_host,
            tell=lambda address: click.echo(f"Serving space {space_of(asked)!r} at {address}", err=True),
        )
    else:
        running.serve_stdio(hold, profile=profile, manner=manner)


def at_once(words: Sequence[str]) -> None:
    """Run the command without loading the others; come back if there is something to say, which they say better."""
    if {"-h", "--help"} & set(words):
        return
    try:
        with mcp.make_context("mcp", list(words), obj=Asked()) as ctx:
            mcp.invoke(ctx)
    except (click.ClickException, AsterismError):
        return
    except KeyboardInterrupt:  # before it served
        sys.exit(130)
    sys.exit(0)


def _token(file: Path | None) -> str:
    """Read the token that clients must send; a command line would show it to everybody who lists processes."""
    told = load().token if file is None else file.read_text(encoding="utf-8")
    if told is None:
        raise InputError(
            "a server over HTTP needs a token, which its clients send",
            code="needs_token",
            item="token",
            hint="name a file that holds one with --token-file, or set ASTERISM_TOKEN; --no-token lets in every "
            "program of this machine",
        )
    token = told.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise InputError(
            "the token is empty or has signs that no header can carry",
            code="bad_token",
            item="token",
            hint="use letters, digits and - _ . alone, thirty of them or more",
        )
    return token


COMMANDS = (mcp,)
