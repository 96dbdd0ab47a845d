"""Commands for the shell and the workbench: completion, and the benchmarks of a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from asterism.entry.cli.commands import Asked, Choice, Command
from asterism.entry.cli.opening import without_at
from asterism.entry.cli.output import answer
from asterism.errors import InputError, UnknownError

VARIABLE = "_ASTERISM_COMPLETE"
PLACES = {  # where each shell reads it from
    "bash": 'eval "$(asterism completion bash)" in ~/.bashrc',
    "zsh": 'eval "$(asterism completion zsh)" in ~/.zshrc',
    "fish": "asterism completion fish > ~/.config/fish/completions/asterism.fish",
}


@click.command("completion", cls=Command, example="asterism completion bash")
@click.argument("shell", type=Choice(tuple(PLACES)), required=False)
@click.pass_obj
def completion(asked: Asked, shell: str | None) -> None:
    """Print what makes a shell complete commands.

    Without a SHELL, the one that is running this. To keep it: the line below, in the file that the shell reads.

    \b
    bash  eval "$(asterism completion bash)" in ~/.bashrc
    zsh   eval "$(asterism completion zsh)" in ~/.zshrc
    fish  asterism completion fish > ~/.config/fish/completions/asterism.fish
    """
    named = shell or Path(os.environ.get("SHELL", "")).name
    if named not in PLACES:
        raise InputError(
            f"there is no completion for the shell {named or 'that is running'!r}",
            code="unknown_shell",
            item=named,
            hint=f"name one of {', '.join(PLACES)}",
        )
    maker = get_completion_class(named)
    assert maker is not None  # click knows these three
    root = click.get_current_context().find_root().command
    script = maker(root, {}, "asterism", VARIABLE).source()
    if asked.json:
        answer(asked, {"shell": named, "script": script, "keep": PLACES[named]}, ())
    else:
        click.echo(script)


@click.command("bench", cls=Command, example="asterism bench recall --quick")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--quick", is_flag=True, help="A tenth of the size, fewer turns.")
@click.pass_obj
def bench(asked: Asked, names: tuple[str, ...], quick: bool) -> None:
    """Run the benchmarks of a checkout.

    They lie beside the package, in its repository, and are run there.
    """
    without_at(asked, instead="a benchmark has no moment")
    if not (Path.cwd() / "bench" / "timing.py").exists():
        raise UnknownError(
            "there are no benchmarks in this folder",
            code="no_benchmarks",
            item=str(Path.cwd()),
            hint="clone the repository and run it there (make bench sets everything up)",
        )
    flags = ["--json"] * asked.json + ["--quick"] * quick
    done = subprocess.run([sys.executable, "-m", "bench", *names, *flags], check=False)  # noqa: S603  # our own
    click.get_current_context().exit(done.returncode)


COMMANDS = (completion, bench)
