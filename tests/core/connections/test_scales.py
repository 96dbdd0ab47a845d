"""Scales: values go in as people tell them and come out the same, and what no item says is refused."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.connections.payloads import check_payload
from asterism.core.connections.scales import LOWEST, Scale, guess, scale_of, told_scale
from asterism.errors import InputError

TENTHS = st.integers(-10_000, 10_000).map(lambda number: number / 10)


@given(st.lists(TENTHS, min_size=1))
def test_a_guessed_scale_holds_every_value_and_gives_each_back(values: list[float]) -> None:
    scale = guess(values)
    for value in values:
        assert scale.holds(value)
        assert LOWEST <= scale.brightness(value) <= 1
        assert scale.value(scale.brightness(value)) == pytest.approx(value, abs=1e-9 * (scale.high - scale.low))


def test_the_ends_of_a_scale_are_the_ends_of_brightness() -> None:
    scale = Scale(-3, 3)
    assert (scale.brightness(-3), scale.brightness(3)) == (0.05, 1.0)
    assert (scale.value(0.05), scale.value(1.0)) == (-3.0, 3.0)


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([1, 5], "1..5"),
        ([3, 8], "1..10"),
        ([0, 3], "0..10"),
        ([0.2, 0.9], "0..1"),
        ([0, 0], "0..1"),
        ([7.5], "0..10"),
        ([62, 64], "0..100"),
        ([71, 140], "0..200"),
        ([9_999, 20_001], "0..50000"),
        ([-4, 2], "-5..5"),
        ([-30, 2], "-50..50"),
        ([600], "0..1000"),
    ],
)
def test_the_narrowest_scale_that_people_use_is_guessed(values: list[float], scale: str) -> None:
    assert str(guess(values)) == scale


def test_what_an_item_says_of_its_scale_is_read_back() -> None:
    for scale in (Scale(1, 7), Scale(0.0, 10.0, guessed=True)):
        assert scale_of({"star": "mood", "value": 0.5, **scale.fields()}) == scale
    assert scale_of({"star": "mood", "value": 0.5}) is None


@pytest.mark.parametrize("text", ["7..1", "3..3", "one..two", "7", "", "1..", "nan..3"])
def test_what_is_no_scale_says_how_to_write_one(text: str) -> None:
    with pytest.raises(InputError, match=r"1\.\.7") as refused:
        told_scale(text)
    assert refused.value.code == "bad_scale"


@pytest.mark.parametrize(
    "wrong",
    [
        {"low": 1.0},
        {"high": 7.0},
        {"guessed": True},
        {"low": 7.0, "high": 1.0},
        {"low": True, "high": 7.0},
        {"low": "1", "high": 7.0},
        {"low": 1.0, "high": float("inf")},
        {"low": 1.0, "high": 7.0, "guessed": False},
    ],
)
def test_an_item_with_half_a_scale_is_refused(wrong: dict[str, float | str]) -> None:
    with pytest.raises(ValueError, match="its "):
        check_payload("brightness_observed", {"star": "mood", "value": 0.5, **wrong})


def test_an_item_with_a_scale_or_without_is_let_in() -> None:
    check_payload("brightness_observed", {"star": "mood", "value": 0.5})
    check_payload("brightness_observed", {"star": "mood", "value": 0.5, "low": 1.0, "high": 7.0})
    check_payload("brightness_observed", {"star": "mood", "value": 0.5, "low": 1.0, "high": 7.0, "guessed": True})


@pytest.mark.parametrize(
    "text", ["0.." + "9" * 400, f"-{'9' * 308}..{'9' * 308}", "0..1000000000000001", "0..0." + "0" * 15 + "1"]
)
def test_a_scale_beyond_what_numbers_can_hold_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="too wide or too narrow") as refused:
        told_scale(text)
    assert refused.value.code == "bad_scale"
    assert "another unit" in (refused.value.hint or "")


def test_the_widest_and_the_narrowest_scale_give_values_back() -> None:
    for scale in (told_scale("-1000000000000000..1000000000000000"), told_scale("0..0.000000000000001"), guess([1e15])):
        for value in (scale.low, scale.high):
            assert scale.value(scale.brightness(value)) == value


def test_a_value_on_a_scale_wider_than_every_float_is_a_number() -> None:
    assert math.isfinite(Scale(-1e308, 1e308).value(1.0))
