"""Keys of requests that may be sent twice: whose they are, and what is kept under them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.support.http_service import Asker, serving, token

CANARY = "The Zanzibar canary lives in the cellar"


def key(text: str) -> dict[str, str]:
    return {"Idempotency-Key": text}


def test_an_answer_with_words_of_another_space_is_gone_with_them(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"

    async def work(ask: Asker) -> None:
        await ask.post("/v1/spaces/b/learn", {"content": CANARY, "source": "bird"})
        await ask.post("/v1/spaces/a/learn", {"content": "hello there"})
        asked = {"query": "where does the Zanzibar canary live", "also": ["b"]}
        first = await ask.post("/v1/spaces/a/recall", asked, headers=key("1"))
        assert CANARY.encode() in first.body
        assert (await ask.post("/v1/spaces/b/erase", {"subject": "source:bird", "yes": True})).status == 200
        again = await ask.post("/v1/spaces/a/recall", asked, headers=key("1"))
        assert CANARY.encode() not in again.body

    serving(db, work)
    assert CANARY.encode() not in db.read_bytes()


def test_the_answer_to_an_erasure_is_not_kept(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"

    async def work(ask: Asker) -> None:
        await ask.post("/v1/spaces/a/learn", {"content": "it is blue", "name": "Quuxname"})
        told = {"subject": "Quuxname", "yes": True}
        assert (await ask.post("/v1/spaces/a/erase", told, headers=key("1"))).status == 200
        again = await ask.post("/v1/spaces/a/erase", told, headers=key("1"))
        assert (again.status, again.value["error"]) == (409, "answer_not_kept")

    serving(db, work)
    assert b"Quuxname" not in db.read_bytes()


def test_nobody_is_given_the_answer_of_another(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    one, other, reader = (token(db, "a", may=may) for may in ("write", "write", "read"))

    async def work(ask: Asker) -> None:
        path, told = "/v1/spaces/a/learn", {"content": "pays rent"}
        assert (await ask.with_token(one).post(path, told, headers=key("1"))).status == 200
        assert (await ask.with_token(reader).post(path, told, headers=key("1"))).status == 403
        another = {"content": "something else"}
        assert (await ask.with_token(other).post(path, another, headers=key("1"))).status == 200

    serving(db, work, open_to_all=False)


def test_a_key_that_ends_as_another_leaves_it_alone(tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        path = "/v1/spaces/a/learn"
        for text in ("x learn everybody y", "x learn y", "y"):
            await ask.post(path, {"content": text}, headers=key(text))
        for text in ("x learn everybody y", "x learn y"):
            assert (await ask.post(path, {"content": "different"}, headers=key(text))).status == 422

    serving(tmp_path / "memory.db", work)


def test_a_job_that_is_asked_for_twice_at_once_is_done_once(tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        for number in range(5):
            await ask.post("/v1/spaces/a/learn", {"content": f"fact {number} is near fact {number + 1}"})
        asked = [ask.post("/v1/spaces/a/dream", {"steps": 1}, headers=key("1")) for _ in range(3)]
        assert len({answer.body for answer in await asyncio.gather(*asked)}) == 1

    serving(tmp_path / "memory.db", work)
