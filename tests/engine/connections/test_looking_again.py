"""Looking again without new values: it costs next to nothing, and says what a look from nothing would."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism import Memory
from asterism.core.ledger.calendar import to_micros
from asterism.core.space.discovered import Discovered
from asterism.engine.care.erase import erase
from asterism.engine.connections.discover import LOOK, discover
from asterism.engine.diary.look import read_file, tell_day
from asterism.engine.space.live import Live
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Cache, Stored
from asterism.store.sqlite import SQLiteStore
from tests.support.memories import DAY, NOON

STARS, DAYS = 16, 30  # 120 pairs: enough to be kept


class CountingStore(InMemoryStore):
    """A store that counts the values that are read."""

    def __init__(self) -> None:
        super().__init__()
        self.values = 0

    def items(self, space: str, *, only: Collection[str] | None = None, **asked: object) -> list[Stored]:
        found = super().items(space, only=only, **asked)  # type: ignore[arg-type]  # handed on as they came
        self.values += sum(stored.item.what == "brightness_observed" for stored in found)
        return found


def rows(*, days: int = DAYS) -> list[dict[str, object]]:
    """A diary in which star 1 goes with star 0, and the rest with nothing."""
    told = np.random.default_rng(4).normal(size=(STARS, days))
    told[1] = 0.9 * told[0] + 0.3 * told[1]
    first = (NOON - (days - 1) * DAY).date()
    return [
        {
            "date": first + timedelta(days=day),
            **{f"star{star}": round(5 + float(told[star, day]), 3) for star in range(STARS)},
        }
        for day in range(days)
    ]


def filled(store: InMemoryStore | None = None) -> Live:
    live = Live(store or InMemoryStore(), "me", clock=lambda: to_micros(NOON), embedder="hashed")
    read_file(
        live, rows(), {}, (), {f"star{star}": "0..10" for star in range(STARS)}, None, skip_erased=False, max_bytes=None
    )
    return live


def tell(live: Live, star: int, day: int, value: float) -> None:
    tell_day(live, {f"star{star}": value}, (NOON - day * DAY).date(), None, None)


def test_a_second_look_reads_no_value_until_there_is_a_new_one() -> None:
    store = CountingStore()
    live = filled(store)
    assert len(discover(live).pairs) == 120
    read = store.values
    assert discover(live).written == 0
    assert store.values == read
    tell(live, 3, 2, 9.0)
    read = store.values
    discover(live)
    assert store.values - read > STARS * DAYS


def test_the_next_process_takes_up_the_last_look(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory.open_sync(path, space="me", clock=NOON) as memory:
        memory.read_diary(rows())
        first = memory.discover()
    store = SQLiteStore(path)
    kept = store.cache("me", LOOK)
    assert kept is not None
    renamed = kept.columns["look"].tobytes().replace(b'["star7","star7"', b'["star7","other"')
    with store.writing("me") as writing:
        writing.put_cache(LOOK, Cache(kept.fingerprint, kept.columns | {"look": np.frombuffer(renamed, np.uint8)}))
    with Memory.open_sync(path, space="me", clock=NOON) as memory:
        memory.dream()
        names = {star.name for star in memory.discover().stars}
    assert first.names()["star7"] == "star7"
    assert "other" in names  # what was kept was taken up, and not looked through again
    store.close()


def test_a_kept_look_that_is_damaged_is_looked_through_again() -> None:
    live = filled()
    first = discover(live)
    for broken in (b"{", b"{}"):
        with live.store.writing("me") as writing:
            columns = {"look": np.frombuffer(broken, np.uint8), "seq": np.array([live.seq])}
            writing.put_cache(LOOK, Cache("1", columns))
        live.of_values = None
        assert discover(live).stars == first.stars


def test_what_was_erased_while_others_looked_is_not_found() -> None:
    """The values that are erased between a look and the transaction that writes it are looked through no more."""

    class Erasing(InMemoryStore):
        def cache(self, space: str, name: str) -> Cache | None:  # asked before a look, when erasures were counted
            if name == LOOK and not self.buried(space):
                erase(Live(self, space, clock=lambda: to_micros(NOON)), "star1", dry_run=False)
            return super().cache(space, name)

    live = filled(Erasing())
    found = discover(live)
    assert "star1" not in found.names()
    assert found.written == 0


told = st.tuples(st.integers(0, 3), st.integers(0, 3), st.floats(0, 10).map(lambda value: round(value, 1)))
steps = st.lists(st.one_of(told, st.sampled_from(["look", "erase star2", "erase star5"])), min_size=2, max_size=6)


@settings(max_examples=15, deadline=None)
@given(steps)
def test_a_look_that_is_held_says_what_a_look_from_nothing_says(steps: list[tuple[int, int, float] | str]) -> None:
    held, anew = filled(), filled()

    def look_from_nothing() -> Discovered:
        anew.of_values = None
        with anew.store.writing("me") as writing:
            writing.drop_vectors(())  # and every cache
        return discover(anew)

    for step in (*steps, "look", "look"):
        if step == "look":
            assert discover(held) == look_from_nothing()
        elif isinstance(step, tuple):
            for live in (held, anew):
                tell(live, *step)
        elif step.split()[1] in held.held.nodes.rows:
            for live in (held, anew):
                erase(live, step.split()[1], dry_run=False)
