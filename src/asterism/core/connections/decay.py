"""Decay: how a link or a star fades when nothing happens (seed 4; spec 01, Decay).

    decay = s x (1 - .5^(1/half_life)) x activity x (s - floor)/(1 - floor)      a day, never below zero (D6)

The same expressions serve single numbers and whole columns.
"""

from __future__ import annotations

import math

import numpy as np

from asterism.core.connections.elementwise import Numbers
from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.words import NO_DOMAIN, LinkKind, domain_word, word
from asterism.core.ledger.columns import Floats

GRAIN = 1e12


def daily_rate(half_life_days: float) -> float:
    """Give the share lost in a day: 1 - .5^(1/half_life).

    >>> round(daily_rate(60), 4), round(daily_rate(30), 4)
    (0.0115, 0.0228)
    """
    return 1.0 - math.pow(0.5, 1.0 / half_life_days)


def link_rates(parameters: ConnectionParameters) -> Floats:
    """Give the daily rate of every kind of connection, in the order of `LinkKind`."""
    return np.array([daily_rate(getattr(parameters, f"half_life_{word(kind)}")) for kind in LinkKind])


def star_rates(parameters: ConnectionParameters) -> Floats:
    """Give the daily rate of every domain, in the order of `Domain`, and last that of a star without one."""
    return np.array([daily_rate(star_half_life(domain, parameters)) for domain in range(NO_DOMAIN + 1)])


def star_half_life(domain: int, parameters: ConnectionParameters) -> float:
    """Give the days in which a star of a domain, or of none, loses half its brightness.

    >>> star_half_life(0, ConnectionParameters()), star_half_life(NO_DOMAIN, ConnectionParameters())
    (7.0, 21.0)
    """
    half_life: float = getattr(parameters, f"star_half_life_{domain_word(domain) or 'no_domain'}")
    return half_life


def soft_floor_decay(value: Numbers, *, pace: Numbers, floor: float) -> Numbers:
    """Decay that slows towards the floor and never raises: value x pace x (value - floor)/(1 - floor).

    >>> print(round(soft_floor_decay(0.8, pace=daily_rate(30), floor=0.05), 6))
    0.014425
    >>> print(soft_floor_decay(0.03, pace=0.5, floor=0.05))
    0.0
    """
    above: Numbers = np.maximum(value - floor, 0.0)
    return value * pace * (above / (1.0 - floor))


def exponential_decay(value: Numbers, *, pace: Numbers, floor: float) -> Numbers:
    """Decay that takes the same share every day, down to the floor and no further (the overlay `tuned`).

    >>> print(exponential_decay(0.8, pace=0.5, floor=0.05), round(exponential_decay(0.06, pace=0.5, floor=0.05), 9))
    0.4 0.01
    """
    lost: Numbers = np.minimum(value * pace, np.maximum(value - floor, 0.0))
    return lost


def days_to_half(
    strength: float, *, kind: LinkKind, parameters: ConnectionParameters, limit: int = 10_000
) -> int | None:
    """Count the idle days until a strength has halved; None when the floor keeps it from ever halving.

    >>> days_to_half(0.8, kind=LinkKind.RESONANCE, parameters=ConnectionParameters())
    57
    """
    fade = soft_floor_decay if parameters.decay_shape == "soft_floor" else exponential_decay
    pace = daily_rate(getattr(parameters, f"half_life_{word(kind)}"))
    now = strength
    for day in range(1, limit + 1):
        lost = fade(now, pace=pace, floor=parameters.floor)
        now -= lost
        if now <= strength / 2:
            return day
        if lost < 1e-9:
            break
    return None


def settled(value: Numbers) -> Numbers:
    """Round to 1e-12, as every strength and brightness is at day end, so that replays agree to the bit.

    >>> print(settled(0.1 + 0.2))
    0.3
    """
    rounded: Numbers = np.rint(value * GRAIN) / GRAIN
    return rounded
