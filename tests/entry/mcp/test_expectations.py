"""What is expected, over MCP: only with a record, which is always told."""

from __future__ import annotations

import asyncio

from asterism.entry.mcp.manner import FULL
from asterism.entry.mcp.tools_show import show
from tests.support.expecting import opened_then, tell
from tests.support.mcp_client import Asking, in_process, text_of


def test_without_a_record_nothing_is_expected_and_that_is_said() -> None:
    async def work(ask: Asking) -> None:
        told = await ask.call("show", what="expectations")
        assert (told["expectations"], told["record"]["settled"]) == ([], 0)
        text = text_of(await ask.result("show", what="expectations"))
        assert text.startswith("Nothing is expected")
        assert text.endswith("No prediction is settled yet.")

    in_process(work)


def test_what_a_link_with_a_record_expects_is_told_with_it() -> None:
    async def scenario() -> None:
        async with opened_then() as memory:
            await tell(memory)
            await memory.advance(hours=4)
            told = await show(memory, {"what": "expectations"}, FULL)
            (expected,) = told.data["expectations"]
            assert (expected["star"], expected["sign"], expected["told"]) == ("sleep", -1, True)
            line, record = told.text.splitlines()[0], told.text.splitlines()[-1]
            assert (
                line
                == "- sleep falls about 2026-05-02T07:00: probability 0.89, by chance 0.11 (because of screen~sleep)"
            )
            assert record.startswith("Record: 26 predictions settled, 100% came true, 11% would have by chance")

    asyncio.run(scenario())
