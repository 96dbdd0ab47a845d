"""Inputs that the campaign found (`python -m campaign fuzz`), each refused with an error of ours ever since."""

from __future__ import annotations

from pathlib import Path

import pytest

from asterism.errors import AsterismError
from asterism.feeds import open_feed
from tests.support.feed_files import everything, write
from tests.support.memories import NOON, is_told_well, remembering


def test_a_time_with_a_letter_behind_it_is_a_row_that_is_named_and_no_warning(tmp_path: Path) -> None:
    """Seed 100 of a scan: NumPy warns of a zone that it cannot represent, and took the time for a good one."""
    rows = "timestamp,open,high,low,close,volume\n2026-03-01T00:00:00,1,1,1,1,1\n2026-03-01T00:01:00J,1,1,1,1,1\n"
    _, malformed = everything(open_feed(write(tmp_path, rows), unit="utc"))
    assert [row.row for row in malformed] == [3]


@pytest.mark.parametrize("statuses", [5, None, [{}], [["inbox"]]])
def test_statuses_that_are_none_are_refused(statuses: object) -> None:
    with remembering(":memory:") as memory, pytest.raises(AsterismError) as refused:
        memory.blocks(statuses=statuses)
    assert (refused.value.code, is_told_well(refused.value)) == ("bad_status", True)


def test_an_error_about_what_is_no_text_is_told() -> None:
    with remembering(":memory:") as memory:
        for name in ("Sleep", "Mood"):
            memory.add_star(name, at=NOON)
        memory.observe("sleep", "mood", "user_creates", at=NOON)
        with pytest.raises(AsterismError) as refused:
            memory.assign_type("sleep", "mood", "resonance", direction=0.5)
    assert (refused.value.code, refused.value.item) == ("no_direction", "0.5")


def test_what_is_no_text_stands_for_nothing() -> None:
    with remembering(":memory:") as memory:
        memory.add_star("Sleep", at=NOON)
        assert list(memory.entries("sleep", {}, 7)) == ["sleep"]
