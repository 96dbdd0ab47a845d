"""The command line: `asterism`. Commands are light to load; what they need is imported when they run."""

from __future__ import annotations


def main() -> None:
    """Run the command line; the entry point of the package."""
    from asterism.entry.cli.app import app

    app(prog_name="asterism")
