"""A command line on one memory file, and three facts with their ids."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from asterism.entry.cli.app import app

COLD = "Deploys fail when the cache is cold"

WARM = "Warm the cache before each deploy"

TEA = "Ada prefers tea in the morning"

COLD_ID, WARM_ID, TEA_ID = "c5c82364bd867d6d", "34045aab800caae0", "e313e769951d8862"

FACTS = [
    {"content": COLD, "tags": ["ops/cache"], "category": "observation", "at": "2026-09-01T08:00Z"},
    {"content": WARM, "tags": ["ops/cache"], "category": "heuristic", "at": "2026-09-02T08:00Z"},
    {"content": TEA, "tags": ["people"], "name": "Tea", "source": "ada", "at": "2026-09-03T08:00Z"},
]


class Line:
    """Runs commands on one memory file."""

    def __init__(self, db: Path) -> None:
        self.db = db

    def run(self, *words: str, code: int = 0) -> Result:
        result = CliRunner().invoke(app, [*words, "--db", str(self.db)])
        assert result.exit_code == code, (words, result.output, result.exception)
        return result

    def json(self, *words: str) -> Any:
        return json.loads(self.run(*words, "--json").stdout)

    def items(self) -> int:
        """Count the ledger, without asking the code under test."""
        with closing(sqlite3.connect(self.db)) as connection:
            return int(connection.execute("SELECT count(*) FROM ledger").fetchone()[0])
