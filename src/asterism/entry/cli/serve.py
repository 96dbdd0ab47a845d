"""`asterism serve`: the memory as a service, for many people and programs."""

from __future__ import annotations

from pathlib import Path

import click

from asterism.entry.cli.commands import EMBEDDER, Asked, Command
from asterism.entry.cli.opening import embedder_of, make_folder, named, without_at

PORT = 7717
PEM = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("serve", cls=Command, example="asterism serve --no-token")
@click.option("--host", default="127.0.0.1", help="Listen here (127.0.0.1).", metavar="ADDRESS")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, help=f"Listen here ({PORT}); 0 is any.", metavar="N"
)
@click.option("--no-token", is_flag=True, help="Let in every program of this machine.")
@click.option("--allow-host", multiple=True, help="Also answer under this name; repeat it.", metavar="NAME")
@click.option("--certificate", type=PEM, help="Speak HTTPS with this certificate; others than loopback need it.")
@click.option("--key", type=PEM, help="The key of the certificate.")
@click.option("--quiet", is_flag=True, help="Write no line for each request.")
@EMBEDDER
@click.pass_obj
def serve(
    asked: Asked,
    host: str,
    port: int,
    no_token: bool,
    allow_host: tuple[str, ...],
    certificate: Path | None,
    key: Path | None,
    quiet: bool,
) -> None:
    """Serve the memory over HTTP: every command, and its page.

    Each command is at /v1/spaces/SPACE/COMMAND and answers what --json prints; /openapi.json lists all. Whoever asks
    sends a token (asterism token add). Prints "ready http://HOST:PORT" once it answers.
    """
    from asterism.entry.cli.table import table
    from asterism.entry.http.running import run

    without_at(asked, instead="a server always tells and asks about now, unless a request says otherwise")
    if (certificate is None) != (key is None):
        raise click.UsageError("--certificate and --key go together")
    make_folder(asked)
    root = click.get_current_context().find_root().command
    assert isinstance(root, click.Group)

    def tell(address: str) -> None:
        if no_token:
            click.echo("Every program of this machine is let in (--no-token).", err=True)
        click.echo(f"ready {address}")

    run(
        table(root),
        named(asked),
        host=host,
        port=port,
        open_to_all=no_token,
        allowed_hosts=allow_host,
        certificate=None if certificate is None or key is None else (certificate, key),
        embedder=embedder_of(asked),
        tell=tell,
        log=None if quiet else lambda line: click.echo(line, err=True),
    )


COMMANDS = (serve,)
