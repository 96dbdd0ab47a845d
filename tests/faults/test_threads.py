"""Many threads use one memory, or several over one store: nothing fails, and memory and file say the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from asterism.store.sqlite import SQLiteStore
from tests.support.crowd import CALLS, Crowd, begin, crowded, lost
from tests.support.memories import remembering

EACH = 5  # calls of a thread in each round
MOST = 60  # rounds; `python -m tests.support.crowd` is for longer


def test_eight_threads_use_one_memory_and_what_is_acknowledged_is_in_the_file(tmp_path: Path, rounds: int) -> None:
    path = tmp_path / "memory.db"
    with remembering(path) as memory:
        begin(memory)
        crowd = crowded(memory, lambda done: done < EACH * min(rounds, MOST))
        assert crowd.failures == []
        verified = memory.verify()
        assert verified.ok, verified.differences
        answer = memory.recall("Who likes tea in the rain?").hits
    assert crowd.calls.total() == 8 * EACH * min(rounds, MOST)
    assert crowd.calls.keys() >= CALLS.keys() - {"explore", "dream", "verify", "export", "project"}
    assert lost(path, crowd) == set()
    with remembering(path) as fresh:
        assert fresh.verify().digest == verified.digest
        assert fresh.recall("Who likes tea in the rain?").hits == answer


@pytest.mark.parametrize("kind", ["file", "in memory"])
def test_threads_with_a_memory_each_over_one_store_do_not_mix_their_transactions(
    tmp_path: Path, rounds: int, kind: str
) -> None:
    store: Store = InMemoryStore() if kind == "in memory" else SQLiteStore(tmp_path / "memory.db")
    with closing(store), remembering(store) as memory:
        begin(memory)

        def alone(seed: int) -> Crowd:
            with remembering(store) as own:
                return crowded(own, lambda done: done < EACH * min(rounds, MOST), threads=1, seed=seed)

        with ThreadPoolExecutor(4) as pool:
            crowds = list(pool.map(alone, range(4)))
        assert [each.failures for each in crowds] == [[]] * 4
        verified = memory.verify()
        assert verified.ok, verified.differences
        items = {each.item.id.hex() for each in store.items("me")}
        assert set().union(*(each.items for each in crowds)) <= items
