"""Requests by chance: every answer is one that the document tells of, none is a fault, and the memory stays whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.http_service import COMMANDS, Asker, serving
from tests.support.requests import request

OF_EACH = 12  # requests of each command; --rounds raises it


@pytest.fixture
def of_each(request: pytest.FixtureRequest) -> int:
    rounds = request.config.getoption("--rounds", default=None)
    return int(rounds) if rounds and int(rounds) > OF_EACH else OF_EACH


def test_no_request_is_a_fault_and_every_answer_is_documented(tmp_path: Path, of_each: int) -> None:
    async def work(ask: Asker) -> None:
        document = (await ask.get("/openapi.json")).value
        for name in ("sleep", "mood"):
            await ask.post("/v1/spaces/me/star/add", {"name": name, "at": "2026-01-01"})
        await ask.post("/v1/spaces/me/learn", {"content": "Ada likes tea", "at": "2026-01-01"})
        for seed in range(of_each):
            for command in COMMANDS:
                sent = request(command, seed)
                path = f"/v1/spaces/me/{command.path}"
                if command.method == "GET":
                    told = {
                        name: json.dumps(each) if isinstance(each, bool) else each for name, each in sent.told.items()
                    }
                    answer = await ask.ask("GET", path, b"", told, {})
                else:
                    answer = await ask.post(path, sent.told)
                known = document["paths"][f"/v1/spaces/{{space}}/{command.path}"][command.method.lower()]["responses"]
                assert answer.status < 500 or answer.status == 504, (sent, answer.body)
                assert str(answer.status) in known, sent
                media = answer.headers["content-type"].partition(";")[0]
                if answer.status == 200:
                    assert media in known["200"]["content"], sent
                else:
                    assert set(answer.value) == {"error", "message", "item", "hint"}, sent
                    assert b"/tmp/" not in answer.body, (sent, answer.body)
        assert (await ask.post("/v1/spaces/me/verify")).value["ok"]

    serving(tmp_path / "memory.db", work)
