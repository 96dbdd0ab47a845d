"""What holds for every command: an example, help, a page of the docs; the environment; real processes."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from asterism import config
from asterism.entry.cli.app import SECTIONS, app
from asterism.entry.cli.commands import Helped
from tests.support.command_line import Line
from tests.support.paths import ROOT


def every_command(group: click.Group = app, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from every_command(command, (*path, name))


def found(path: tuple[str, ...]) -> Helped:
    command: click.Command = app
    for name in path:
        assert isinstance(command, click.Group)
        command = command.commands[name]
    assert isinstance(command, Helped)
    return command


def process(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("ASTERISM_")} | environment
    line = [sys.executable, "-W", "error", "-c", "from asterism.entry.cli import main; main()", *words]
    return subprocess.run(line, capture_output=True, text=True, env=env, check=False, encoding="utf-8")


@pytest.mark.parametrize("path", list(every_command()), ids=" ".join)
def test_every_command_has_help_and_an_example_that_parses(
    path: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = found(path)
    result = CliRunner().invoke(app, [*path, "--help"])
    assert result.exit_code == 0
    assert f"Example:\n  {command.example}" in result.output
    assert not command.get_short_help_str(60).endswith("...")
    words = shlex.split(command.example)
    assert words[0] == "asterism"
    assert tuple(words[1 : len(path) + 1]) == path
    if not isinstance(command, click.Group):
        (tmp_path / "path" / "to" / "data").mkdir(parents=True)
        monkeypatch.chdir(tmp_path)
        command.make_context(path[-1], words[len(path) + 1 :])


def test_every_command_is_documented() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert [path for path in every_command() if f"### asterism {' '.join(path)}\n" not in page] == []


def test_every_command_stands_under_a_heading() -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(app.commands)


def test_every_error_code_is_on_the_page() -> None:
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    for code in ("unknown_node", "self_link", "unknown_domain", "bad_brightness", "corrupt", "bad_row"):
        assert f"`{code}`" in page


def test_the_environment_names_memory_and_space(line: Line) -> None:
    chosen = {"ASTERISM_DB": str(line.db), "ASTERISM_SPACE": "me"}
    assert process("star", "add", "Sleep", "--domain", "health", **chosen).returncode == 0
    assert [star["id"] for star in line.json("nodes", "--space", "me")] == ["sleep"]
    assert line.json("nodes") == []


def test_without_a_name_the_memory_lies_in_the_data_folder(tmp_path: Path) -> None:
    told = process("star", "add", "Sleep", "--domain", "health", XDG_DATA_HOME=str(tmp_path), HOME=str(tmp_path))
    assert told.returncode == 0, told.stderr
    if sys.platform == "linux":
        assert (tmp_path / "asterism" / "memory.db").exists()


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"HOME": "/h"}, "/h/.local/share/asterism/memory.db"),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": "/x"}, "/x/asterism/memory.db"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Application Support/asterism/memory.db"),
        ("win32", {"HOME": "/h", "LOCALAPPDATA": "/l"}, "/l/asterism/memory.db"),
        ("linux", {"ASTERISM_DB": "/a/b.db"}, "/a/b.db"),
    ],
)
def test_each_platform_has_its_data_folder(platform: str, environment: dict[str, str], folder: str) -> None:
    assert Path(config.load(environment, platform=platform).db).as_posix() == folder


def test_a_real_process_exits_with_the_code_of_the_error(tmp_path: Path) -> None:
    failed = process("links", "--db", str(tmp_path / "none.db"))
    assert failed.returncode == 3
    assert failed.stderr.startswith("Error: there is no memory at")


def test_help_loads_nothing_heavy() -> None:
    heavy = "print(sorted(set(sys.modules) & {'numpy', 'rich', 'sqlite3', 'asterism.engine'}))"
    run = "from asterism.entry.cli.app import app; app(['--help'])"
    probe = f"import atexit, sys; atexit.register(lambda: {heavy}); {run}"
    told = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, encoding="utf-8")
    assert told.stdout.rstrip().endswith("[]")


def test_completion_is_there() -> None:
    told = process(_ASTERISM_COMPLETE="bash_complete", COMP_WORDS="asterism li", COMP_CWORD="1")
    assert "links" in told.stdout


def test_a_reader_of_a_broken_pipe_gets_no_traceback(tmp_path: Path) -> None:
    code = "from asterism.entry.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "guide"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert "Traceback" not in child.stderr.read()


def test_the_stub_types_a_users_program(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "program.py"
    program.write_text(
        "from asterism import Memory\n"
        "with Memory.open_sync(':memory:', space='me') as memory:\n"
        "    reveal_type(memory.links('a')[0].strength)\n"
        "    reveal_type(memory.as_of('2026-01-01').why('a'))\n"
        "    memory.observe('a', 'b')\n",
        encoding="utf-8",
    )
    out, _, _ = api.run(["--strict", "--config-file", "", "--cache-dir", str(tmp_path / "cache"), str(program)])
    assert 'Revealed type is "float"' in out
    assert "model.Why" in out
    assert 'Missing positional argument "kind"' in out


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize(("no_color", "colours"), [("", True), ("1", False)])
def test_colours_are_for_terminals_and_no_color_switches_them_off(no_color: str, colours: bool) -> None:
    import pty

    ours, theirs = pty.openpty()
    env = os.environ | {"TERM": "xterm-256color", "NO_COLOR": no_color}
    line = [sys.executable, "-c", "from asterism.entry.cli import main; main()", "guide"]
    with subprocess.Popen(line, stdout=theirs, stderr=theirs, env=env) as child:
        os.close(theirs)
        seen = b""
        while chunk := _read(ours):
            seen += chunk
    os.close(ours)
    assert child.returncode == 0
    assert b"memory" in seen
    assert (b"\x1b[1;36m" in seen) == colours


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, 4096)
    except OSError:  # the other end is closed
        return b""
