"""Stars at day end: variance, stability and the next state (spec 01, Stars).

variance    v' = .3 |change| + .7 v; a day is stable when v < .05
priority    dormancy, DARK, v > .15 FLICKERING, >= .7 and 7 stable days BRIGHT, < .5 and 7 stable days DIM,
            else FLICKERING; a NASCENT star stays NASCENT until acknowledged or engaged
"""

from __future__ import annotations

import numpy as np

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import StarState
from asterism.core.ledger.columns import Bools, Bytes, Floats, Ints


def next_variance(variance: Floats, change: Floats, parameters: ConnectionParameters) -> Floats:
    """Blend a day's change into the running variance.

    >>> next_variance(np.array([0.3]), np.array([-0.1]), ConnectionParameters()).round(6).tolist()
    [0.24]
    """
    weight = parameters.variance_weight
    return weight * np.abs(change) + (1.0 - weight) * variance


def dormancy_days(parameters: ConnectionParameters) -> Ints:
    """Give the idle days each state bears, by `StarState`; NASCENT and DORMANT are not asked."""
    p = parameters
    never = np.iinfo(np.int32).max
    by_state = [
        never,
        p.star_dormancy_flickering,
        p.star_dormancy_dim,
        p.star_dormancy_bright,
        p.star_dormancy_dark,
        never,
    ]
    return np.array(by_state, dtype=np.int32)


def next_states(
    *,
    before: Bytes,
    brightness: Floats,
    variance: Floats,
    days_stable: Ints,
    idle_days: Ints,
    dark: Bools,
    parameters: ConnectionParameters,
) -> Bytes:
    """Give every star's state at day end."""
    p = parameters
    stable = days_stable >= p.stable_days
    calm = variance <= p.flickering_variance
    states = np.full(before.shape, StarState.FLICKERING, dtype=np.uint8)
    states[calm & stable & (brightness >= p.bright_threshold)] = StarState.BRIGHT
    states[calm & stable & (brightness < p.dim_threshold)] = StarState.DIM
    states[before == StarState.NASCENT] = StarState.NASCENT
    states[dark] = StarState.DARK
    states[idle_days >= dormancy_days(p)[before]] = StarState.DORMANT
    states[before == StarState.DORMANT] = StarState.DORMANT
    return states
