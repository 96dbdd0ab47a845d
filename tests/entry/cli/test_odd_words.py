"""Odd words at a prompt: names that are no text, too long for a file, encodings that are none."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from asterism.entry.cli.app import app

ODD = (
    "",
    "-1",
    "nan",
    "1e400",
    "9" * 400,
    "\udcff",
    "x" * 20_000,
    "2026-02-30",
    "9999-12-31",
    "/dev/zero",
    "..",
    "[",
    "=",
)
LEFT_OUT = ("mcp", "bench", "eval", "demo", "serve")  # which begin something long


def leaves(command: click.Command, *names: str) -> dict[tuple[str, ...], click.Command]:
    """Give every command by the words that lead to it."""
    if not isinstance(command, click.Group):
        return {names: command}
    context = click.Context(command)
    found: dict[tuple[str, ...], click.Command] = {}
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        if name not in LEFT_OUT and inner is not None:
            found |= leaves(inner, *names, name)
    return found


COMMANDS = leaves(app)


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_every_argument_and_option_may_be_odd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    command = COMMANDS[names]
    places = [each for each in command.params if isinstance(each, click.Argument)]
    options = [each for each in command.params if isinstance(each, click.Option) and not each.is_flag]
    for number, target in enumerate([*places, *options]):
        if target.name == "db":
            continue
        for odd in ODD[number % 3 :: 3]:
            words = [odd if place is target else "sleep" for place in places]
            needed = [each for each in options if each.required or each is target]
            words += [word for each in needed for word in (each.opts[0], odd if each is target else "X")]
            result = CliRunner().invoke(app, [*names, *words, "--db", "memory.db"])
            assert isinstance(result.exception, SystemExit | None), (names, words, result.exception)
            assert "Traceback" not in result.output
