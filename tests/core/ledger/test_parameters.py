"""Parameters read from text, and the errors they share."""

from __future__ import annotations

import pytest

from asterism.core.blocks.parameters import BlockParameters
from asterism.core.ledger.parameters import bad_parameters, digest_of, preset_names, read_settings, unknown_preset
from asterism.errors import InputError


@pytest.mark.parametrize("text", ["", "soft_cap", "soft_cap=", "=20", " = "])
def test_what_is_no_name_with_a_value_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="NAME=VALUE") as refused:
        read_settings(["band_bps=3", text])
    assert (refused.value.code, refused.value.item) == ("bad_parameters", text)


def test_values_are_whole_numbers_numbers_or_words() -> None:
    read = read_settings(["A=1", "b = -2.5e-4", "c=left", "d=1=2", "a=3"])
    assert read == {"a": 3, "b": -2.5e-4, "c": "left", "d": "1=2"}
    assert [type(value) for value in read.values()] == [int, float, str, str]


def test_a_whole_number_may_be_written_as_a_float_is() -> None:
    read = read_settings(["dream_exact_pairs=4e+08", "block_tags_max=20.0"])
    built = BlockParameters.build("seed", read)
    assert (built.dream_exact_pairs, built.block_tags_max) == (400_000_000, 20)
    assert {type(built.dream_exact_pairs), type(built.block_tags_max)} == {int}
    assert (
        built.digest()
        == BlockParameters.build("seed", {"dream_exact_pairs": 400_000_000, "block_tags_max": 20}).digest()
    )
    for wrong in (20.5, float("inf"), float("nan"), True, "20"):
        with pytest.raises(InputError, match="block_tags_max"):
            BlockParameters.build("seed", {"block_tags_max": wrong})


def test_shared_errors_name_the_item_and_what_to_do() -> None:
    errors = (unknown_preset("wild", ["seed", "tuned"]), bad_parameters(["floor = 7 is not between 0 and 1", "x is"]))
    assert [(error.code, error.item) for error in errors] == [("unknown_preset", "wild"), ("bad_parameters", "floor")]
    assert "seed, tuned" in str(errors[0].hint)


def test_equal_values_have_equal_digests_whatever_their_order() -> None:
    assert digest_of({"a": 1, "b": 2.0}) == digest_of({"b": 2.0, "a": 1}) != digest_of({"a": 1, "b": 2.5})


@pytest.mark.parametrize("preset", [5, ["seed", 5], None])
def test_what_is_no_preset_is_refused(preset: object) -> None:
    with pytest.raises(InputError) as refused:
        preset_names(preset)  # type: ignore[arg-type]  # what is wrong is the point
    assert refused.value.code == "unknown_preset"
