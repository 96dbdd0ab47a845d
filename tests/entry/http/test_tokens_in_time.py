"""What a token opens, it opens as long as it lives: streams end with it, and no use brings a revoked one back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import repeat
from pathlib import Path

import pytest

from asterism.entry.http import events, rights
from asterism.entry.http.rights import Right
from asterism.entry.http.watching import Figures
from asterism.errors import StoreError
from asterism.wiring import open_store
from tests.support.http_service import NOW, Asker, serving, token

STREAM = "/v1/spaces/me/events"


def test_a_stream_ends_with_its_token(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    lasting, short = token(db, "me", may="write"), token(db, "me", may="read", expires=NOW + timedelta(days=1))
    moments: list[Iterator[datetime]] = [repeat(NOW)]

    async def work(ask: Asker) -> None:
        assert (await ask.with_token(lasting).post("/v1/spaces/me/learn", {"content": "secret"})).status == 200
        moments.append(iter([NOW]))  # it is let in, and has run out afterwards
        heard = await ask.with_token(short).ask("GET", STREAM, b"", {}, {}, until=b"secret")
        assert (heard.status, b"secret" in heard.body) == (200, False)

    serving(db, work, open_to_all=False, now=lambda: next(moments[-1], NOW + timedelta(days=2)))


def test_one_token_does_not_take_all_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "memory.db"
    one, other = token(db, "me", may="write"), token(db, "me", may="read")
    monkeypatch.setattr(events, "STREAMS_OF_ONE", 1)

    async def work(ask: Asker) -> None:
        async def listen(secret: str) -> tuple[int, bytes]:
            answer = await ask.with_token(secret).ask("GET", STREAM, b"", {}, {}, until=b"the end")
            return answer.status, answer.body

        both = [asyncio.create_task(listen(one)) for _ in range(2)]
        refused, listening = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        assert [task.result()[0] for task in refused] == [429]
        assert (await ask.with_token(one).post("/v1/spaces/me/learn", {"content": "the end"})).status == 200
        assert [(await task)[0] for task in listening] == [200]
        assert ((await listen(other))[0], (await listen(one))[0]) == (200, 200)

    serving(db, work, open_to_all=False)


def test_a_token_that_is_revoked_while_it_is_used_stays_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    using, revoking = (open_store(tmp_path / "memory.db") for _ in range(2))
    _, made = rights.add(using, spaces=("me",), may=Right.READ, now=NOW, expires=None)
    look, revoked = using.record, []

    def looked(*args: str, **named: str) -> str | None:
        found = look(*args, **named)
        try:
            with revoking.without_waiting():
                revoked.append(rights.revoke(revoking, made.id))
        except StoreError:
            pass  # it waits until the use is written
        return found

    monkeypatch.setattr(using, "record", looked)
    rights.used(using, made, now=NOW)
    there = [each.id for each in rights.every(revoking)]
    assert there == ([] if revoked else [made.id])
    using.close()
    revoking.close()


def test_figures_are_as_few_as_ours_and_written_as_prometheus_reads_them() -> None:
    figures = Figures()
    for number in range(300):
        figures.count("nothing", f"M{number}", 405, 0.001, 0)
    text = figures.text({}, {'a"b\\c\né': 1})
    assert [line for line in text.splitlines() if "requests_total{" in line] == [
        'asterism_requests_total{route="nothing",method="other",status="405"} 300'
    ]
    assert 'asterism_items{space="a\\"b\\\\c\\né"} 1' in text.splitlines()
