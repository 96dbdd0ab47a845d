"""The parameters of a space: every capability's, under one set of presets and values."""

from __future__ import annotations

import pytest

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.levels.parameters import LevelParameters
from asterism.core.space.capabilities import CAPABILITIES
from asterism.core.space.parameters import SpaceParameters
from asterism.errors import InputError


def test_a_preset_reaches_every_capability_that_has_it() -> None:
    space = SpaceParameters.build("tuned")
    assert space.connections == ConnectionParameters.build("tuned")
    assert space.levels == LevelParameters()  # which has no such preset
    assert SpaceParameters.build("rule3").connections == ConnectionParameters()


def test_presets_combine_from_left_to_right_and_values_come_last() -> None:
    space = SpaceParameters.build(("seed", "tuned", "rule3"), {"boost_rejection": 0.3, "soft_cap": 20})
    assert (space.levels.boost_liquidation, space.levels.boost_rejection) == (0.05, 0.3)
    assert space.connections.soft_cap == 20


def test_a_name_belongs_to_one_capability() -> None:
    names = [name for name, _ in SpaceParameters.table()]
    assert len(names) == len(set(names))
    assert set(names) == set(SpaceParameters().to_dict())


def test_the_presets_of_all_are_named_once() -> None:
    presets = SpaceParameters.presets()
    assert len(presets) == len(set(presets))
    assert set(presets) == {name for row in CAPABILITIES for name in row.parameters.presets}


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="no preset 'loud'") as refused:
        SpaceParameters.build(("seed", "loud"))
    assert refused.value.code == "unknown_preset"
    assert "rule3" in str(refused.value.hint)


def test_everything_wrong_in_every_capability_is_told_at_once() -> None:
    with pytest.raises(InputError) as refused:
        SpaceParameters.build("seed", {"band_bps": -1, "soft_cap": "many", "colour": 3})
    message = refused.value.message
    assert all(name in message for name in ("band_bps", "soft_cap", "colour is not a parameter"))
    assert (refused.value.code, refused.value.item) == ("bad_parameters", "colour")


def test_equal_numbers_have_one_digest_and_any_difference_another() -> None:
    same = {"decay_rate_default": LevelParameters().decay_rate_default}
    assert SpaceParameters.build("seed", same).digest() == SpaceParameters().digest()
    digests = {SpaceParameters.build("seed", {name: 7}).digest() for name in ("pending_max", "episodes_max")}
    assert len(digests | {SpaceParameters().digest()}) == 3


def test_how_many_levels_an_answer_holds_is_no_matter_of_the_fold() -> None:
    plain, more = SpaceParameters.build(), SpaceParameters.build(overrides={"recall_levels_max": 9})
    assert more.recall.recall_levels_max == 9
    assert plain.fold_digest() == more.fold_digest()
    assert plain.digest() != more.digest()
