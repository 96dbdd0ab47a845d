"""The four detectors by name: those of discovery, and the seed's two with the rules of connections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.discovery.detectors import DAY_HOURS, DEFAULT_LAGS, Discovery, best, by_events, granger
from asterism.core.ledger.arguments import number, whole
from asterism.core.ledger.columns import Floats
from asterism.core.ledger.items import cut
from asterism.core.statistics.series import as_matrix
from asterism.errors import InputError


def seed(series: Floats, *, lags: int = DEFAULT_LAGS, step_hours: float = DAY_HOURS) -> Discovery:
    """Find links by the seed's event lags, literally: all pairs of events, variance over mean.

    linked = min(1, n / 8 x clip(1 - variance / mean)) > .6; `lags` is not used, 72 h is the seed's own limit.

    >>> import numpy as np
    >>> first = np.array([0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0.0] * 3)
    >>> sorted(seed(np.vstack([first, np.roll(first, 1)])).pairs())
    [(0, 1)]

    Spec 01-connections, "Type", D10.
    """
    del lags
    return _by_events(series, name="seed", preset="seed", step_hours=step_hours)


def seed_tuned(series: Floats, *, lags: int = DEFAULT_LAGS, step_hours: float = DAY_HOURS) -> Discovery:
    """Find links by event lags with the overlay `tuned`: next event only, stdev over mean.

    linked = min(1, n / 8 x clip(1 - stdev / mean)) > .6; `lags` is not used, 72 h is the seed's own limit.

    >>> import numpy as np
    >>> first = np.array([0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0.0] * 3)
    >>> sorted(seed_tuned(np.vstack([first, np.roll(first, 1)])).pairs())
    [(0, 1)]

    Spec 01-connections, "Type", (tuned).
    """
    del lags
    return _by_events(series, name="seed_tuned", preset="tuned", step_hours=step_hours)


def _by_events(series: Floats, *, name: str, preset: str, step_hours: float) -> Discovery:
    rules = ConnectionParameters.build(preset)
    return by_events(as_matrix(series), name=name, rules=rules, step_hours=step_hours)


Detector = Callable[..., Discovery]
DETECTORS: Mapping[str, Detector] = MappingProxyType(
    {"seed": seed, "seed_tuned": seed_tuned, "granger": granger, "best": best}
)


def discover(
    series: Floats, *, detector: str = "best", lags: int = DEFAULT_LAGS, step_hours: float = DAY_HOURS
) -> Discovery:
    """Find directed links in a matrix of series (a row each, evenly spaced) by the detector of your choice.

    >>> import numpy as np
    >>> rise = np.array([np.sin(3.7 * step * step) for step in range(120)])
    >>> late = np.roll(rise, 2) + np.cos(1.3 * np.arange(120.0) ** 2)
    >>> [(link.cause, link.effect, link.delay) for link in discover(np.vstack([rise, late])).links]
    [(0, 1, 2)]
    """
    asked: object = detector
    if not isinstance(asked, str) or asked not in DETECTORS:
        raise InputError(
            f"there is no detector {cut(repr(detector))}",
            code="unknown_detector",
            item=cut(str(detector)),
            hint=f"use one of {', '.join(DETECTORS)}",
        )
    lags = whole(lags, name="lags", least=1)
    step_hours = number(step_hours, name="step_hours", low=0, high=1e9)
    return DETECTORS[detector](as_matrix(series), lags=lags, step_hours=step_hours)
