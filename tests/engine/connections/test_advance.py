"""Letting time pass: what is told of it is what happened between the lock and the answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from asterism.engine.memory import Memory
from asterism.store.sqlite import SQLiteStore
from asterism.store.sqlite_writing import SQLiteWriting
from asterism.sync import drive
from tests.support.memories import DAY, NOON, opened


class WaitingStore(SQLiteStore):
    """A store whose writer has to wait: others write first."""

    others: Callable[[], object] = staticmethod(lambda: None)

    def writing(self, space: str) -> SQLiteWriting:
        others, self.others = self.others, lambda: None
        others()
        return super().writing(space)


def test_what_others_told_while_it_waited_is_no_change_and_moves_its_clock(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"

    async def scenario() -> None:
        with closing(WaitingStore(path)) as store:
            async with opened(store) as mine, opened(path) as theirs:
                for name in ("Sleep", "Mood", "Work"):
                    await mine.add_star(name, domain="soul", at=NOON - 3 * DAY)

                def write() -> None:
                    drive(theirs.observe("sleep", "mood", "user_creates", at=NOON - 2 * DAY))
                    drive(theirs.set_brightness("work", 0.7))
                    drive(theirs.advance(days=1))

                store.others = write
                changes = await mine.advance(days=1)
                assert (changes.states, changes.stars) == ((), ())
                assert changes.clock == NOON + 2 * DAY
                assert (await mine.verify()).ok

    drive(scenario())


async def diary(memory: Memory) -> None:
    """Screen time, and the opposite of it in sleep twenty hours later, every third day."""
    for name in ("Screen", "Sleep"):
        await memory.add_star(name, domain="health", at=NOON - 40 * DAY)
    for turn in range(13):
        at, more = NOON + (3 * turn - 39) * DAY, bool(turn % 2)
        await memory.set_brightness("screen", 0.7 if more else 0.3, at=at)
        await memory.set_brightness("sleep", 0.3 if more else 0.7, at=at + timedelta(hours=20))
        await memory.observe("screen", "sleep", "user_creates", at=at)


@pytest.mark.parametrize("outcome", ["verified", "missed"])
def test_predictions_that_were_made_or_resolved_meanwhile_are_told(outcome: str) -> None:
    apart = {"resonance_threshold": 1.0, "tension_threshold": -1.0}  # nothing correlates: only causes are left

    async def scenario() -> None:
        async with opened(":memory:", parameters=apart) as memory:
            await diary(memory)
            await memory.set_brightness("screen", 0.7)
            made = (await memory.advance(hours=12)).predictions
            assert [(each.outcome, each.sign, each.star) for each in made] == [("open", -1, "sleep")]
            assert (await memory.advance(hours=8)).predictions == ()
            if outcome == "verified":
                await memory.set_brightness("sleep", 0.3)
            resolved = (await memory.advance(hours=16)).predictions
            assert [(each.outcome, each.made_at) for each in resolved] == [(outcome, NOON)]
            assert (await memory.advance(days=1)).predictions == ()

    drive(scenario())
