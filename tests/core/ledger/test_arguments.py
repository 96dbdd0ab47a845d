"""What a caller hands in comes out as it is meant, or the error says what was expected."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from asterism.core.ledger.arguments import check_kinds, is_number, lines, number, whole
from asterism.errors import InputError


@pytest.mark.parametrize("value", [0, 1, 0.25, Fraction(1, 4), np.float32(0.25)])
def test_a_number_within_its_bounds_is_let_through(value: float) -> None:
    assert number(value, name="impact", low=0, high=1) == value


@pytest.mark.parametrize("value", [True, "0.5", None, float("nan"), float("inf"), 10**400])
def test_what_is_no_finite_number_is_named(value: float) -> None:
    assert not is_number(value)
    with pytest.raises(InputError, match="impact is not a finite number") as caught:
        number(value, name="impact", low=0, high=1)
    assert caught.value.code == "bad_impact"


def test_a_number_out_of_bounds_is_told_them() -> None:
    with pytest.raises(InputError, match="impact 2 is not between 0 and 1") as caught:
        number(2, name="impact", low=0, high=1)
    assert caught.value.item == "2.0"


def test_a_whole_number_is_large_enough_or_refused() -> None:
    assert whole(3, name="steps", least=3) == 3
    for value in (2, 3.0, True, "3"):
        with pytest.raises(InputError, match="is not a whole number from 3 on"):
            whole(value, name="steps", least=3)


def test_lines_end_one_way_and_what_is_no_text_stays() -> None:
    assert lines("a\r\nb\rc\nd") == "a\nb\nc\nd"
    assert lines(7) == 7


def test_kinds_of_nodes_are_let_through_and_others_refused() -> None:
    assert check_kinds(["thing", "place"]) == ("thing", "place")
    assert check_kinds("star") == ("star",)
    assert check_kinds(()) == ()
    assert check_kinds("errand", ("star", "errand")) == ("errand",)
    for wrong in (["star", "stone"], 5, "unknown"):
        with pytest.raises(InputError, match="no kind of node") as caught:
            check_kinds(wrong)  # type: ignore[arg-type]  # what is wrong is the point
        assert "star, block, level" in str(caught.value.hint)
