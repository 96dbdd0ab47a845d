"""Texts are cut to what a terminal shows, however long they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.entry.text.layout import cells, cut
from tests.support.work import lines_run

TEXTS = st.text(alphabet="aé睡眠e\u0301\u0302 ", max_size=12)


@given(TEXTS, st.integers(1, 10))
def test_the_longest_beginning_that_leaves_room_for_the_dots_is_kept(text: str, width: int) -> None:
    shown = cut(text, width)
    if cells(text) <= width:
        assert shown == text
    else:
        beginnings = [text[:place] for place in range(len(text) + 1) if cells(text[:place]) < width]
        assert shown == beginnings[-1] + "…"


@pytest.mark.parametrize("text", ["word " * 200_000, "睡" * 1_000_000])
def test_a_line_of_a_megabyte_is_cut_as_quickly_as_a_short_one(text: str) -> None:
    assert lines_run(lambda: cut(text, 60)) < 2 * lines_run(lambda: cut(text[:200], 60))
