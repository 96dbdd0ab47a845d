"""What is done to a matrix of series before anything is asked of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism.core.ledger.columns import Floats
from asterism.core.statistics.series import as_matrix, standardise, whole_steps, without_common_factor
from asterism.errors import InputError


def noise(rows: int, steps: int, *, number: int = 3) -> Floats:
    return np.random.default_rng(number).normal(size=(rows, steps))


def test_standardised_series_have_mean_zero_and_spread_one() -> None:
    z = standardise(noise(3, 50) * 7 + 5)
    assert z.mean(axis=1) == pytest.approx([0, 0, 0], abs=1e-12)
    assert z.std(axis=1) == pytest.approx([1, 1, 1])


def test_a_constant_or_empty_series_becomes_zero_or_stays_missing() -> None:
    z = standardise(np.array([[0.1] * 7, [np.nan] * 7]))
    assert (z[0] == 0.0).all()
    assert np.isnan(z[1]).all()


@given(st.integers(0, 3), st.lists(st.booleans(), min_size=0, max_size=30))
def test_whole_steps_have_their_whole_past(lags: int, present: list[bool]) -> None:
    series = np.where(np.array(present, dtype=bool), 1.0, np.nan)[None, :]
    expected = [step for step in range(lags, len(present)) if all(present[step - lags : step + 1])]
    assert whole_steps(series, lags=lags).tolist() == expected


def test_a_vector_is_no_matrix() -> None:
    with pytest.raises(InputError, match="one row a series"):
        as_matrix(np.zeros(4))


def test_only_a_factor_that_moves_most_of_many_series_is_taken_out() -> None:
    own = noise(12, 300)
    common = standardise(own + 3 * noise(1, 300, number=9))
    rest, share = without_common_factor(common)
    assert share > 0.8
    assert np.abs(np.corrcoef(rest) - np.eye(12)).max() < 0.4
    for untouched in (standardise(own), common[:5], common[:, :12], np.zeros((12, 40))):
        same, none = without_common_factor(untouched)
        assert none == 0.0
        assert same is untouched
