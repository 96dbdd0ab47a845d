"""Numbers read many at once are those that Python reads one by one."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from asterism.feeds.cells import RowCells, TextCells
from asterism.feeds.digits import PADDING, decimals

PLAIN = st.from_regex(r"-?[0-9]{1,22}(\.[0-9]{0,12})?", fullmatch=True)
ODD = st.sampled_from(("", "-", ".", "-.", "1e5", "+3", " 7", "nan", "1_000", "1.2.3", "x", "0.", ".5", "9" * 19, "é"))


def cut(texts: list[str]) -> TextCells:
    """Lay texts out as a block of one column."""
    data = "".join(f"{text}\n" for text in texts).encode()
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
    starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
    block = np.frombuffer(data + bytes(PADDING), dtype=np.uint8)
    return TextCells(block, np.stack([starts, ends + 1], axis=1), np.arange(len(texts)), {"x": 0})


@given(st.lists(PLAIN | ODD, max_size=30))
def test_numbers_are_read_to_the_bit(texts: list[str]) -> None:
    values = cut(texts).numbers("x").tolist()
    rows = RowCells([[text] for text in texts], np.arange(len(texts)), {"x": 0}).numbers("x").tolist()
    for text, value, slow in zip(texts, values, rows, strict=True):
        assert math.isnan(slow) == (text in ("", "-", ".", "-.", "nan", "1_000", "1.2.3", "x", "é"))
        if not math.isnan(value):
            assert (math.copysign(1, value), value) == (math.copysign(1, float(text)), float(text))
            assert value == slow


@given(st.lists(PLAIN | ODD, max_size=30))
def test_whole_numbers_are_exact(texts: list[str]) -> None:
    fast = cut(texts).wholes("x")
    slow = RowCells([[text] for text in texts], np.arange(len(texts)), {"x": 0}).wholes("x")
    assert (slow.good | ~fast.good).all()
    for text, value, good in zip(texts, fast.values.tolist(), fast.good.tolist(), strict=True):
        assert not good or value == int(text)
    for text, value, good in zip(texts, slow.values.tolist(), slow.good.tolist(), strict=True):
        assert not good or value == int(text)


@given(st.lists(st.decimals(-(10**9), 10**9, places=4), min_size=1))
def test_ordinary_numbers_need_no_second_look(numbers: list[object]) -> None:
    assert np.isfinite(cut([f"{number:.4f}" for number in numbers]).numbers("x")).all()


@given(st.lists(st.text(st.characters(exclude_characters="\n\0", codec="utf-8"), max_size=12)))
def test_words_are_as_they_are_written(texts: list[str]) -> None:
    cells = cut(texts)
    assert [word.decode() for word in cells.words("x").tolist()] == texts
    assert [cells.shown("x", row) for row in range(len(texts))] == texts


def test_a_number_at_the_end_of_the_text_is_read() -> None:
    text = np.frombuffer(b"12345678901234567.89" + bytes(PADDING), dtype=np.uint8)
    read = decimals(text, np.array([0]), np.array([20]))
    assert read.good.all()
    assert read.digits.tolist() == [1234567890123456789]
    assert np.isnan(read.floats()).all()  # more than one rounding: left to the slow way
