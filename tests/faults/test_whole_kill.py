"""kill -9 while a memory imports, merges, erases, reads transcripts or explores: each is done as a whole or not at all.

What was acknowledged is there, the memory verifies, and going on comes to the end that it would have come to.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.erasing import WORD, has
from tests.support.jobs import JOBS, Job, erasing
from tests.support.killing import killed_at_any_moment


@pytest.mark.parametrize("make", JOBS)
def test_what_is_killed_did_everything_or_nothing(tmp_path: Path, rounds: int, make: Callable[[Path], Job]) -> None:
    job = make(tmp_path)
    assert has(job.path, WORD)  # it is there to be erased
    found = killed_at_any_moment(job, rounds=max(2, rounds // (3 if make is erasing else 5)))
    assert len(set(found)) > 1  # the kills were not all at one place
