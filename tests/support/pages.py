"""Pages of the docs that are lived through: every command in its order prints what stands under it."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from asterism.entry.cli.app import app
from tests.support.paths import ROOT

STEP = re.compile(r"(?m)^    \$ (.*)\n((?:    (?!\$ ).*\n)*)")
NEEDS_SHELL = re.compile(r"^(?!asterism )|[|;>()]")
AN_ID = re.compile(r"\b[0-9a-f]{32}\b")
ASTERISM = """#!/bin/sh
exec {python} -c 'from asterism.entry.cli import main; main()' "$@"
"""


def steps(page: str) -> list[tuple[str, str]]:
    """Give the commands of a page, each with what it prints."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [(command, re.sub(r"(?m)^    ", "", printed)) for command, printed in STEP.findall(text)]


def live_through(page: str) -> int:
    """Run every command of a page in this folder, and compare what it prints; gives how many there were.

    ID in a command is the id of an item that was printed last.
    """
    last_id = ""
    for command, printed in steps(page):
        told = _run(command.replace("ID", last_id) if last_id else command)
        last_id = (AN_ID.findall(told) or [last_id])[-1]
        assert doctest.OutputChecker().check_output(printed, told, doctest.ELLIPSIS), (command, told)
    return len(steps(page))


def _run(command: str) -> str:
    if not NEEDS_SHELL.search(command):
        result = CliRunner().invoke(app, shlex.split(command)[1:])
        return result.stdout + result.stderr
    script = Path("bin/asterism")
    script.parent.mkdir(exist_ok=True)
    script.write_text(ASTERISM.format(python=shlex.quote(sys.executable)))
    script.chmod(0o755)
    path = f"{script.parent.absolute()}{os.pathsep}{os.environ['PATH']}"
    shell = ["/bin/sh", "-c", command]
    done = subprocess.run(shell, capture_output=True, text=True, check=False, env=os.environ | {"PATH": path})
    return done.stdout + done.stderr
