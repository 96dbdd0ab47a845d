"""How expectations and their record are written."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from asterism.core.connections.model import Predictions, ReliabilityBin
from asterism.entry.text.expected import LINKS, plotted, predictions_lines
from asterism.entry.text.layout import plain
from asterism.entry.text.render import changes_lines
from tests.support.expecting import opened_then, tell


def told() -> tuple[Predictions, str]:
    async def scenario() -> tuple[Predictions, str]:
        async with opened_then() as memory:
            await tell(memory)
            changes = await memory.advance(hours=4)
            return await memory.predictions(), plain(changes_lines(changes))

    return asyncio.run(scenario())


def test_what_is_expected_comes_first_then_the_record_and_the_plot() -> None:
    known, changes = told()
    text = plain(predictions_lines(known)).lstrip()
    assert text.startswith("Expected now\n")
    heads = ["Expected now", "The latest 20 predictions", "The record", "Said against came"]
    assert [text.index(head) for head in heads] == sorted(text.index(head) for head in heads)
    assert "screen~sleep       26       1.00       0.11" in text
    assert "yes" in text
    assert "█" in text
    assert "sleep falls" in changes
    assert "silently" not in changes


def test_without_a_record_it_says_so_and_advance_counts_what_is_silent() -> None:
    known, _ = told()
    silent = replace(known, items=tuple(replace(each, told=False) for each in known.items))
    assert plain(predictions_lines(silent)).startswith("Nothing is told as an expectation")
    few = replace(silent, items=silent.items[:2], dropped=3, links=known.links * (LINKS + 1))
    text = plain(predictions_lines(few))
    assert "All predictions" in text
    assert "3 older ones are no longer kept" in text
    assert "and 1 more links" in text


def test_before_anything_is_settled_there_is_no_plot() -> None:
    known, _ = told()
    nothing = replace(known, record=replace(known.record, settled=0))
    assert "None is settled yet." in plain(predictions_lines(nothing))


def test_a_fifth_that_said_1_is_drawn_inside_the_plot() -> None:
    assert plotted(ReliabilityBin(0.8, 1.0, 3, 0.99, 1.0)).count("│") == 1
