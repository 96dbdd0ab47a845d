"""The command line: `asterism`. Commands are light to load; what they need is imported when they run."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; the entry point of the package."""
    if sys.argv[1:2] == ["mcp"]:  # a client waits for it: no other command is loaded
        from asterism.entry.cli.mcp import at_once

        at_once(sys.argv[2:])
    from asterism.entry.cli.app import app

    app(prog_name="asterism")
