"""The README: every command it shows can be typed in a clone, in that order, and its sum is that of the demo."""

from __future__ import annotations

import re
import shlex

import pytest
from click.testing import CliRunner

from asterism import config
from asterism.entry.cli.app import app
from tests.support.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    (asterism .+)$", README, re.MULTILINE)
SUM = re.compile(r"^    late-screen~sleep: strength .+\n(?:    .+\n)+", re.MULTILINE)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Run every command in a folder that has the sources of a clone; give what each printed."""
    folder = tmp_path_factory.mktemp("clone")
    (folder / "src").symlink_to(ROOT / "src")
    found = {}
    with pytest.MonkeyPatch.context() as here:
        here.chdir(folder)
        here.setenv("ASTERISM_DB", str(folder / "memory.db"))
        for command in COMMANDS:
            result = CliRunner().invoke(app, shlex.split(command, comments=True)[1:])
            assert result.exit_code == 0, (command, result.output)
            found[command] = result.stdout
    return found


def test_every_command_runs_in_a_clone(outputs: dict[str, str]) -> None:
    assert len(outputs) > 25


def test_the_sum_behind_a_link_is_that_of_the_demo(outputs: dict[str, str]) -> None:
    shown = SUM.search(README)
    assert shown is not None
    command = next(each for each in COMMANDS if each.startswith("asterism why late-screen sleep "))
    rows = iter(outputs[command].splitlines())
    for row in shown[0].splitlines():
        if row.strip() != "...":
            assert row[4:] in rows  # in this order; dots stand for rows that are left out


def test_paths_of_the_readme_are_in_the_clone() -> None:
    assert all((ROOT / path).exists() for path in re.findall(r"\]\(([\w./-]+)", README))


def test_the_guide_says_where_the_memory_lies() -> None:
    told = {"ASTERISM_DB": "mind.db"}, {"ASTERISM_DB": None}
    lies = [CliRunner().invoke(app, ["guide"], env=each).stdout.splitlines()[-1].split(maxsplit=2)[-1] for each in told]
    assert lies == ["mind.db", str(config.load().db)]
    home = config.load({"HOME": "/home/ada"}, platform="linux").db
    assert f"`{home}`".replace("/home/ada", "~") in README
