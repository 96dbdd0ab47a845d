"""A call that is refused: it says why, nothing changed, and a valid one still works."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from asterism.engine.memory import Memory
from asterism.errors import AsterismError
from asterism.store.sqlite import SQLiteStore
from tests.support.memories import contents, is_told_well, opened

Call = Callable[[Memory], Awaitable[object]]


async def is_refused(path: Path, call: Call, *, code: str) -> AsterismError:
    """Check that a call is refused, that nothing changed, and that a valid write still works."""
    with closing(SQLiteStore(path)) as store:
        async with opened(store) as memory:
            before, digest = contents(store), (await memory.verify()).digest
            with pytest.raises(AsterismError) as refused:
                await call(memory)
            assert contents(store) == before
            verified = await memory.verify()
            assert (verified.ok, verified.digest) == (True, digest)
            receipt = await memory.observe("sleep", "work", "user_confirms", source="valid")
            assert not receipt.duplicate
            assert (await memory.verify()).ok
    assert refused.value.code == code
    assert is_told_well(refused.value)
    return refused.value
