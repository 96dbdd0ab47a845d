"""What is loaded, and when: importing names the calls, opening loads the engine, a call loads what does its work."""

from __future__ import annotations

import subprocess
import sys


def loaded(script: str) -> set[str]:
    """Name the modules that a fresh process has loaded after a script."""
    command = [sys.executable, "-c", f"{script}\nimport sys; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_memory_loads_neither_the_engine_nor_numpy_nor_an_event_loop() -> None:
    found = loaded("from asterism import Memory")
    assert {"numpy", "asyncio", "sqlite3", "asterism.core.space.projection", "asterism.sync"} & found == set()


def test_opening_a_memory_loads_its_folds_and_not_what_makes_their_items() -> None:
    found = loaded("from asterism import Memory\nwith Memory.open_sync(':memory:', space='me') as memory: pass")
    assert {"asterism.core.blocks.fold", "asterism.core.dialogue.fold", "asterism.core.walkers.fold"} <= found
    makers = {"blocks.dreaming", "dialogue.kernel", "levels.history", "recall.index", "walkers.expedition"}
    assert {f"asterism.core.{maker}" for maker in makers} & found == set()
    assert {"asyncio", "asterism.embed.minilm", "asterism.store.sqlite", "urllib.parse"} & found == set()
