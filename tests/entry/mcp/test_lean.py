"""Loading little of the SDK gives the same server; without the SDK the command says what to install."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.support.mcp_client import environment

LEAN = """
import sys, json
from asterism.entry.mcp.lean import load_lean
{before}
load_lean()
from asterism.entry.mcp.server import PROFILES, _offered
from asterism.entry.mcp import sdk
tools = [_offered(tool).model_dump(mode="json", by_alias=True) for tool in PROFILES["asterism"]]
loaded = ["starlette.routing" in sys.modules, "numpy" in sys.modules]
print(json.dumps([sdk.Server.__module__, *loaded, tools]))
"""


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-c", script]
    return subprocess.run(line, env=environment(folder), capture_output=True, text=True, check=False)


def test_the_lean_sdk_is_the_sdk_without_its_http_side_and_a_broken_one_is_loaded_whole(tmp_path: Path) -> None:
    lean = run(LEAN.format(before=""), tmp_path)
    broken = "import asterism.entry.mcp.lean as lean; lean.PACKAGES += ('mcp.shared.exceptions',)"
    whole = run(LEAN.format(before=broken), tmp_path)
    assert (lean.returncode, whole.returncode) == (0, 0), lean.stderr + whole.stderr
    mine, theirs = json.loads(lean.stdout), json.loads(whole.stdout)
    assert mine == ["mcp.server.lowlevel.server", False, False, theirs[3]]
    assert theirs[1] is True


def test_without_the_sdk_the_command_says_what_to_install(tmp_path: Path) -> None:
    script = """
import sys
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "mcp" else found(name, package)
sys.argv = ["asterism", "mcp", "--json"]
from asterism.entry.cli import main
main()
"""
    told = run(script, tmp_path)
    assert told.returncode == 1
    error = json.loads(told.stderr)
    assert error["error"] == "needs_mcp"
    assert error["hint"].startswith("pip install 'asterism[mcp]', or in a clone")
