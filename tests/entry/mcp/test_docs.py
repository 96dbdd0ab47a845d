"""docs/mcp.md says what the server has, and its configurations are such that clients and our own command take them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from asterism.entry.cli.mcp import mcp
from asterism.entry.mcp.offering import PROFILES, listing
from asterism.entry.mcp.prompts import PROMPTS
from asterism.entry.mcp.resources import VIEWS
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "mcp.md"
TEXT = PAGE.read_text(encoding="utf-8")
CONFIGURATIONS = [json.loads(found) for found in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]


def test_the_table_of_tools_is_that_of_the_server() -> None:
    assert listing() in TEXT


def test_every_view_every_prompt_and_every_tool_of_the_reference_profile_is_named() -> None:
    for view in VIEWS:
        assert f"| `{view.address}` | {view.about} |" in TEXT
    for tool in PROFILES["reference"]:
        assert f"`{tool.name}`" in TEXT
    for prompt in PROMPTS:
        assert f"| `{prompt.name}` | {prompt.about} |" in TEXT


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_configuration_starts_our_server(configuration: dict[str, dict[str, Any]]) -> None:
    ((word, servers),) = configuration.items()
    assert word in ("mcpServers", "servers")
    (server,) = servers.values()
    assert server["command"] == "asterism"
    first, *words = server["args"]
    assert first == "mcp"
    mcp.make_context("mcp", words)


def test_there_is_one_for_each_client() -> None:
    assert len(CONFIGURATIONS) == 5
    for name in ("claude_desktop_config.json", ".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"):
        assert name in TEXT
