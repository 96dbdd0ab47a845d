"""Requests by chance: every answer is one that the document tells of, none is a fault, and the memory stays whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.http_service import COMMANDS, Answer, Asker, serving
from tests.support.requests import Sent, request

OF_EACH = 12  # requests of each command; --rounds raises it
TOGETHER = 6  # of them go to one space


@pytest.fixture
def of_each(request: pytest.FixtureRequest) -> int:
    rounds = request.config.getoption("--rounds", default=None)
    return int(rounds) if rounds and int(rounds) > OF_EACH else OF_EACH


def test_no_request_is_a_fault_and_every_answer_is_documented(tmp_path: Path, of_each: int) -> None:
    async def work(ask: Asker) -> None:
        document = (await ask.get("/openapi.json")).value
        for seed in range(of_each):
            space = f"/v1/spaces/{seed // TOGETHER}"
            if seed % TOGETHER == 0:
                for name in ("sleep", "mood"):
                    await ask.post(f"{space}/star/add", {"name": name, "at": "2026-01-01"})
                await ask.post(f"{space}/learn", {"content": "Ada likes tea", "at": "2026-01-01"})
            for command in COMMANDS:
                sent = request(command, seed)
                answer = await send(ask, f"{space}/{command.path}", sent)
                known = document["paths"][f"/v1/spaces/{{space}}/{command.path}"][command.method.lower()]["responses"]
                assert answer.status < 500 or answer.status == 504, (sent, answer.body)
                assert str(answer.status) in known, sent
                media = answer.headers["content-type"].partition(";")[0]
                if answer.status == 200:
                    assert media in known["200"]["content"], sent
                else:
                    assert set(answer.value) == {"error", "message", "item", "hint"}, sent
                    assert b"/tmp/" not in answer.body, (sent, answer.body)
            if seed % TOGETHER == TOGETHER - 1 or seed == of_each - 1:
                assert (await ask.post(f"{space}/verify")).value["ok"]

    serving(tmp_path / "memory.db", work)


async def send(ask: Asker, path: str, sent: Sent) -> Answer:
    if sent.command.method == "POST":
        return await ask.post(path, sent.told)
    told = {name: json.dumps(each) if isinstance(each, bool) else each for name, each in sent.told.items()}
    return await ask.ask("GET", path, b"", told, {})
