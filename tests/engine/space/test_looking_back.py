"""What was folded to read is not folded twice: a look back, and what took long to open."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from asterism.engine.recall.answer import sight
from asterism.engine.recall.recaller import Recaller
from asterism.engine.space.live import CHECKPOINT_WORK
from tests.support.memories import DAY, NOON, AnyMemory, remembering
from tests.support.stores import Place, place_of


def told(place: Place) -> AnyMemory:
    memory = remembering(place, clock=NOON)
    with memory:
        for days in range(3, 0, -1):
            memory.learn(f"The boat left {days} days ago.", at=NOON - days * DAY)
            memory.add_star(f"Star {days}", domain="soul", at=NOON - days * DAY)
    return remembering(place, clock=NOON)


def test_every_call_on_a_snapshot_sees_one_fold(tmp_path: Path) -> None:
    with told(place_of("sqlite", tmp_path)) as memory:
        live = memory._async._live
        then = memory.as_of(NOON - 2 * DAY)
        assert len(then.stars()) == 2
        seen = live.past
        assert [hit.text for hit in then.recall("boat").hits]
        assert isinstance(seen.of_texts, Recaller)
        made = seen.of_texts
        assert len(then.blocks()) == 2
        assert len(then.recall("boat").hits) == len(then.recall("star").hits)
        assert live.past is seen
        assert seen.of_texts is made
        assert len(memory.as_of(NOON - 3 * DAY).stars()) == 1
        assert live.past is not seen


def test_a_snapshot_that_nothing_came_after_is_asked_as_the_memory_is_now(tmp_path: Path) -> None:
    with told(place_of("sqlite", tmp_path)) as memory:
        live = memory._async._live
        assert sight(live, at=live.now()).recaller is sight(live).recaller
        assert memory.as_of(NOON).recall("boat").hits == memory.recall("boat").hits
        later = memory.learn("One more boat.", at=NOON)
        assert later.id in {hit.id for hit in memory.as_of(NOON).recall("boat").hits}


def test_what_is_told_or_erased_since_is_seen(tmp_path: Path) -> None:
    place = place_of("sqlite", tmp_path)
    with told(place) as memory, remembering(place, clock=NOON) as other:
        then = memory.as_of(NOON - 2 * DAY)
        assert len(then.recall("boat", kinds=["block"]).hits) == 2
        late = other.learn("A boat was seen.", at=NOON - 2 * DAY - timedelta(hours=1))
        assert late.id in {hit.id for hit in then.recall("boat").hits}
        memory.learn("Another boat was seen.", at=NOON - 3 * DAY)
        assert len(then.recall("boat", kinds=["block"]).hits) == 4
        memory.erase(f"node:{late.id}")
        assert memory._async._live.past is None
        assert late.id not in {hit.id for hit in then.recall("boat").hits}
        by_then = memory.as_of(NOON - 2 * DAY, known_at=NOON)
        assert len(by_then.blocks()) == 3


def test_what_took_long_to_open_leaves_a_checkpoint_when_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with told(path):
        pass
    for read_only, kept in ((True, 0), (False, 1)):
        with remembering(path, clock=NOON, read_only=read_only) as memory:
            live = memory._async._live
            live.refresh()
            live._work = CHECKPOINT_WORK  # as after so many items
        with remembering(path, clock=NOON) as memory:
            assert memory.stats().checkpoints == kept
            assert memory.verify().ok
