"""The service: who is let in, what is refused and how, what is given once, in pages or not again, what is counted."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from asterism.entry.http.service import Bounds
from tests.support.http_service import COMMANDS, NOW, Answer, Asker, serving, token

CANARY = "the canary sings in the cellar"
AT = "2026-04-01T12:00Z"


def refused(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.value["error"]) == (status, code), answer.body
    assert set(answer.value) == {"error", "message", "item", "hint"}


def test_a_token_sees_its_spaces_and_does_what_it_may(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    mine, theirs = token(db, "me", "work", may="write"), token(db, "you", may="admin")
    looking, whole = token(db, "me", may="read"), token(db, "*", may="admin")

    async def work(ask: Asker) -> None:
        me, you, look, boss = map(ask.with_token, (mine, theirs, looking, whole))
        assert (await me.post("/v1/spaces/me/learn", {"content": CANARY})).status == 200
        refused(await ask.post("/v1/spaces/me/learn", {"content": "x"}), 401, "no_token")
        refused(await ask.with_token("ast_x_y").get("/v1/spaces"), 401, "no_token")
        refused(await you.get("/v1/spaces/me/blocks"), 404, "unknown_space")
        refused(await you.get("/v1/spaces/nowhere/blocks"), 404, "unknown_space")
        refused(await you.post("/v1/spaces/you/recall", {"query": "cellar", "also": ["me"]}), 404, "unknown_space")
        refused(await look.post("/v1/spaces/me/learn", {"content": "x"}), 403, "not_allowed")
        refused(await look.post("/v1/spaces/me/dream"), 403, "not_allowed")
        refused(await me.post("/v1/spaces/me/erase", {"subject": "source:x", "yes": True}), 403, "not_allowed")
        assert len((await look.get("/v1/spaces/me/blocks")).value) == 1
        assert [each["name"] for each in (await me.get("/v1/spaces")).value["spaces"]] == ["me", "work"]
        assert [each["name"] for each in (await you.get("/v1/spaces")).value["spaces"]] == ["you"]
        refused(await me.get("/metrics"), 403, "not_allowed")
        refused(await you.get("/metrics"), 403, "not_allowed")
        assert (await boss.get("/metrics")).status == 200
        refused(await you.get("/v1/backup"), 403, "not_allowed")
        for open_to_all in ("/healthz", "/readyz", "/openapi.json"):
            assert (await ask.get(open_to_all)).status == 200

    serving(db, work, open_to_all=False)


def test_another_space_looks_like_none_on_every_route(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    mine, theirs = token(db, "cage", may="admin"), token(db, "you", may="admin")

    async def work(ask: Asker) -> None:
        me, you = ask.with_token(mine), ask.with_token(theirs)
        await me.post("/v1/spaces/cage/learn", {"content": CANARY, "source": "canary", "tags": ["canary"]})
        answers = []
        for command in COMMANDS:
            for space in ("cage", "nobodys"):
                path = f"/v1/spaces/{space}/{command.path}"
                answer = await (you.get(path) if command.method == "GET" else you.post(path, {}))
                answers.append((answer.status, answer.body.replace(space.encode(), b"SPACE")))
        assert {status for status, _ in answers} == {404}
        assert len(set(answers)) == 1
        for path in ("/v1/spaces", "/v1/spaces/you/nodes", "/v1/spaces/you/stats"):
            assert b"canary" not in (await you.get(path)).body
        told = await you.post("/v1/spaces/you/recall", {"query": "canary in the cellar", "also": ["you"]})
        assert b"sings" not in told.body

    serving(db, work, open_to_all=False)


def test_a_token_ends_when_it_is_revoked_or_has_run_out(tmp_path: Path) -> None:
    from asterism.entry.http import rights
    from asterism.wiring import open_store

    db = tmp_path / "memory.db"
    kept, short = token(db, "me", may="read"), token(db, "me", may="read", expires=NOW + timedelta(hours=1))
    moments = [NOW]

    async def work(ask: Asker) -> None:
        for sent in (kept, short):
            assert (await ask.with_token(sent).get("/v1/spaces/me/blocks")).status == 200
        moments.append(NOW + timedelta(hours=2))
        refused(await ask.with_token(short).get("/v1/spaces/me/blocks"), 401, "no_token")
        assert (await ask.with_token(kept).get("/v1/spaces/me/blocks")).status == 200
        store = open_store(db)
        known = {each.id: each for each in rights.every(store)}
        assert [known[sent.split("_")[1]].used for sent in (kept, short)] == [NOW + timedelta(hours=2), NOW]
        rights.revoke(store, kept.split("_")[1])
        store.close()
        refused(await ask.with_token(kept).get("/v1/spaces/me/blocks"), 401, "no_token")

    serving(db, work, open_to_all=False, now=lambda: moments[-1])
    assert not any(sent.split("_", 2)[2].encode() in db.read_bytes() for sent in (kept, short))  # only hashes are kept


def test_who_guesses_or_asks_too_much_waits(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    mine = token(db, "me", may="read")

    async def work(ask: Asker) -> None:
        guesses = [await ask.with_token("ast_a_b").get("/v1/spaces") for _ in range(3)]
        assert [each.status for each in guesses] == [401, 401, 429]
        asked = [await ask.with_token(mine).get("/v1/spaces") for _ in range(4)]
        assert [each.status for each in asked] == [200, 200, 200, 429]
        assert asked[-1].headers["retry-after"] == "1"

    bounds = Bounds(wrong_at_once=2, wrong_per_second=0, at_once=3, per_second=0)
    serving(db, work, open_to_all=False, bounds=bounds)


def test_a_list_is_given_in_pages_with_how_many_there_are(tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        for number in range(5):
            await ask.post("/v1/spaces/me/learn", {"content": f"Crane {number} needs grease"})
        whole = await ask.get("/v1/spaces/me/blocks")
        pages = [await ask.get("/v1/spaces/me/blocks", limit=2, offset=offset) for offset in (0, 2, 4, 6)]
        assert [each for page in pages for each in page.value] == whole.value
        assert {page.headers["x-total-count"] for page in [whole, *pages]} == {"5"}

    serving(tmp_path / "memory.db", work)


def test_what_is_the_same_to_the_byte_is_not_given_again(tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        await ask.post("/v1/spaces/me/learn", {"content": CANARY, "at": AT})
        first = await ask.get("/v1/spaces/me/blocks", at=AT)
        tag = {"If-None-Match": first.headers["etag"]}
        again = await ask.get("/v1/spaces/me/blocks", tag, at=AT)
        assert (again.status, again.body) == (304, b"")
        await ask.post("/v1/spaces/me/learn", {"content": "something else", "at": AT})
        changed = await ask.get("/v1/spaces/me/blocks", tag, at=AT)
        assert changed.status == 200
        assert changed.headers["etag"] != first.headers["etag"]

    serving(tmp_path / "memory.db", work)


def test_a_key_makes_a_write_happen_once(tmp_path: Path) -> None:
    moments = [NOW]
    key = {"Idempotency-Key": "1"}

    async def work(ask: Asker) -> None:
        path, told = "/v1/spaces/me/learn", {"content": CANARY}
        first = await ask.post(path, told, headers=key)
        assert (await ask.post(path, told, headers=key)) == first
        assert (await ask.get("/v1/spaces/me/stats")).value["items"] == {"learned": 1}
        refused(await ask.post(path, {"content": "other"}, headers=key), 422, "key_reused")
        refused(await ask.post(path, told, headers={"Idempotency-Key": "x" * 201}), 422, "bad_key")
        assert (await ask.post("/v1/spaces/you/learn", told, headers=key)).status == 200  # another space, another key
        moments.append(NOW + timedelta(hours=25))
        assert (await ask.post(path, {"content": "other"}, headers=key)).status == 200

    serving(tmp_path / "memory.db", work, now=lambda: moments[-1])


def test_a_key_outlives_the_server_and_a_refused_write_leaves_none(tmp_path: Path) -> None:
    key, path = {"Idempotency-Key": "1"}, "/v1/spaces/me/observe"
    told = {"a": "Sleep", "b": "Mood", "kind": "user_creates", "at": AT}
    answers: list[Answer] = []

    async def before(ask: Asker) -> None:
        refused(await ask.post(path, told, headers=key), 404, "unknown_node")
        for name in ("Sleep", "Mood"):
            await ask.post("/v1/spaces/me/star/add", {"name": name, "at": AT})
        answers.append(await ask.post(path, told, headers=key))
        assert answers[0].status == 200

    async def after(ask: Asker) -> None:
        assert await ask.post(path, told, headers=key) == answers[0]
        assert (await ask.post(path, told, headers={"Idempotency-Key": "2"})).value["duplicate"]
        assert (await ask.post("/v1/spaces/me/verify")).value["ok"]

    serving(tmp_path / "memory.db", before)
    serving(tmp_path / "memory.db", after)


def test_an_erasure_reaches_what_was_answered(tmp_path: Path) -> None:
    db, key = tmp_path / "memory.db", {"Idempotency-Key": "1"}

    async def work(ask: Asker) -> None:
        told = {"content": CANARY, "source": "canary", "name": "Cellar bird"}
        await ask.post("/v1/spaces/me/learn", told, headers=key)
        shown = {"name": "Cellar star", "source": "canary"}
        await ask.post("/v1/spaces/me/star/add", shown, headers=key)
        erased = await ask.post("/v1/spaces/me/erase", {"subject": "source:canary", "yes": True})
        assert erased.status == 200, erased.body
        refused(await ask.post("/v1/spaces/me/learn", told, headers=key), 409, "answer_erased")
        assert (await ask.get("/v1/spaces/me/nodes")).value == []

    serving(db, work)
    assert b"Cellar" not in db.read_bytes()


@pytest.mark.parametrize(
    ("path", "told", "status", "code"),
    [
        ("learn", {"contents": "x"}, 422, "bad_arguments"),
        ("learn", {"content": 3}, 422, "bad_arguments"),
        ("learn", {}, 422, "usage"),
        ("learn", {"content": "a\0b"}, 422, "bad_arguments"),
        ("learn", ["x"], 422, "bad_arguments"),
        ("recall", {}, 422, "bad_arguments"),
        ("recall", {"query": "x", "k": 0}, 422, "bad_arguments"),
        ("recall", {"query": "x", "embedder": "remote:http://localhost#m"}, 422, "bad_arguments"),
        ("forget", {"id": "nobody"}, 404, "unknown_block"),
        ("import", {"file": "/etc/passwd"}, 422, "not_a_ledger"),
        ("merge", {"other": "/etc/passwd"}, 422, "corrupt"),
        ("export", {}, 405, "bad_method"),
        ("nowhere", {}, 404, "unknown_page"),
        ("config", {}, 404, "unknown_page"),
    ],
)
def test_what_cannot_be_used_is_refused(path: str, told: object, status: int, code: str, tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        answer = await ask.post(f"/v1/spaces/me/{path}", told)
        assert (answer.status, answer.value["error"]) == (status, code), answer.body
        assert b"root:" not in answer.body
        assert b"/tmp/" not in answer.body
        assert (await ask.get("/v1/spaces/me/blocks")).value == []

    serving(tmp_path / "memory.db", work)


@pytest.mark.parametrize(
    ("body", "media", "status", "code"),
    [
        (b'{"content": NaN}', "application/json", 422, "bad_arguments"),
        (b'{"content": "\\ud800"}', "application/json", 422, "bad_arguments"),
        (b"[" * 100_000, "application/json", 422, "bad_arguments"),
        (b'{"content"', "application/json", 422, "bad_arguments"),
        (b"\xff", "application/json", 422, "bad_arguments"),
        (b'{"content": "x"}', "application/xml", 415, "bad_media"),
        (b'{"content": "x"}', "", 415, "bad_media"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(body: bytes, media: str, status: int, code: str, tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        answer = await ask.post("/v1/spaces/me/learn", body=body, headers={"content-type": media} if media else {})
        refused(answer, status, code)

    serving(tmp_path / "memory.db", work)


def test_a_dash_is_a_text_and_not_what_the_server_reads(tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        assert (await ask.post("/v1/spaces/me/learn", {"content": "-"})).value["status"] == "new"

    serving(tmp_path / "memory.db", work)


def test_a_job_ends_at_its_deadline(tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        await ask.post("/v1/spaces/me/learn", {"content": CANARY})
        refused(await ask.post("/v1/spaces/me/dream"), 504, "too_late")
        assert len((await ask.get("/v1/spaces/me/blocks")).value) == 1

    serving(tmp_path / "memory.db", work, bounds=Bounds(job_seconds=-1))


def test_a_job_tells_how_far_it_is_and_then_what_came_of_it(tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        for number in range(3):
            await ask.post("/v1/spaces/me/learn", {"content": f"Crane {number} needs grease"})
        answer = await ask.post("/v1/spaces/me/dream", headers={"accept": "text/event-stream"})
        *progress, last = events_of(answer.body)
        assert {name for name, _ in progress} == {"progress"}
        assert any("Dreaming" in told["text"] for _, told in progress)
        name, told = last
        assert (name, told["promoted"]) == ("answer", 3)
        refused_job = await ask.post(
            "/v1/spaces/me/explore", {"query": "x", "start": "nobody"}, headers={"accept": "text/event-stream"}
        )
        name, told = events_of(refused_job.body)[-1]
        assert (name, set(told)) == ("error", {"error", "message", "item", "hint"})

    serving(tmp_path / "memory.db", work)


def test_a_job_ends_when_whoever_asked_goes_away(tmp_path: Path) -> None:
    lines = "".join(f"Crane {number} needs grease every {number} days\n" for number in range(400))

    async def work(ask: Asker) -> None:
        await ask.post("/v1/spaces/me/learn", body=lines.encode(), headers={"content-type": "text/plain"})
        heads = {"accept": "text/event-stream", "content-type": "application/json"}
        await ask.ask("POST", "/v1/spaces/me/dream", b'{"steps": 1000}', {}, heads, until=b"event: progress")

    serving(tmp_path / "memory.db", work)  # which waits for what is under way

    async def after(ask: Asker) -> None:
        assert (await ask.post("/v1/spaces/me/dream")).value["promoted"] > 0  # it was not done
        assert (await ask.post("/v1/spaces/me/verify")).value["ok"]

    serving(tmp_path / "memory.db", after)


def events_of(body: bytes) -> list[tuple[str, Any]]:
    """Read server-sent events."""
    found = []
    for block in body.decode().strip().split("\n\n"):
        name, *data = block.split("\n")
        found.append(
            (name.removeprefix("event: "), json.loads("\n".join(line.removeprefix("data: ") for line in data)))
        )
    return found


def test_neither_log_nor_figures_hold_a_word_of_a_memory(tmp_path: Path) -> None:
    lines: list[str] = []

    async def work(ask: Asker) -> None:
        await ask.post("/v1/spaces/me/learn", {"content": CANARY})
        await ask.post("/v1/spaces/me/recall", {"query": "canary"})
        await ask.get("/v1/spaces/me/show", id="canary")
        await ask.get("/v1/canary")
        figures = (await ask.get("/metrics")).body.decode()
        assert 'asterism_requests_total{route="learn",method="POST",status="200"} 1' in figures
        assert 'asterism_items{space="me"} 1' in figures
        assert "canary" not in figures

    serving(tmp_path / "memory.db", work, log=lines.append)
    told = [json.loads(line) for line in lines]
    assert [(each["route"], each["status"]) for each in told][:4] == [
        ("learn", 200),
        ("recall", 200),
        ("show", 404),
        ("nothing", 404),
    ]
    assert "canary" not in "".join(lines)


def test_the_document_tells_of_every_route(tmp_path: Path) -> None:
    async def work(ask: Asker) -> None:
        told = (await ask.get("/openapi.json")).value
        assert told["openapi"] == "3.1.0"
        for command in COMMANDS:
            operation = told["paths"][f"/v1/spaces/{{space}}/{command.path}"][command.method.lower()]
            assert {"200", "401", "403", "404", "422", "429"} <= set(operation["responses"])
        assert len({op["operationId"] for path in told["paths"].values() for op in path.values()}) == len(told["paths"])

    serving(tmp_path / "memory.db", work)


def test_a_copy_of_the_whole_memory_is_a_memory(tmp_path: Path) -> None:
    from asterism import Memory

    async def work(ask: Asker) -> None:
        for space in ("me", "you"):
            await ask.post(f"/v1/spaces/{space}/learn", {"content": CANARY})
        answer = await ask.get("/v1/backup")
        assert answer.status == 200
        (tmp_path / "copy.db").write_bytes(answer.body)

    serving(tmp_path / "memory.db", work)
    for space in ("me", "you"):
        with Memory.open_sync(tmp_path / "copy.db", space=space, read_only=True) as memory:
            assert [block.content for block in memory.blocks()] == [CANARY]
            assert memory.verify().ok
