"""What a server counts and writes down: figures in Prometheus' text, and a line of JSON for every request.

Neither holds a word of a memory: routes are counted by their names, and the log has no arguments.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")  # others count as one: anybody invents more


class Figures:
    """Counts of requests and refusals, and how long answers took, by route."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._times: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()
        self._bytes = 0

    def count(self, route: str, method: str, status: int, seconds: float, length: int) -> None:
        """Count an answer."""
        self._requests[route, method if method in METHODS else "other", status] += 1
        self._times.setdefault(route, [0] * (len(BOUNDS) + 1))[bisect_left(BOUNDS, seconds)] += 1
        self._seconds[route] += seconds  # type: ignore[assignment]  # a counter adds seconds as well
        self._bytes += length

    def text(self, gauges: Mapping[str, float], items: Mapping[str, int]) -> str:
        """Write all figures, with those that somebody else knows.

        >>> figures = Figures()
        >>> figures.count("recall", "POST", 200, 0.004, 120)
        >>> figures.text({"asterism_waiting": 0}, {"me": 3}).splitlines()[1]
        'asterism_requests_total{route="recall",method="POST",status="200"} 1'
        """
        lines = ["# TYPE asterism_requests_total counter"]
        for (route, method, status), count in sorted(self._requests.items()):
            lines.append(f'asterism_requests_total{{route="{route}",method="{method}",status="{status}"}} {count}')
        refused = sum(count for (_, _, status), count in self._requests.items() if status in (401, 403, 404, 429))
        lines += ["# TYPE asterism_refusals_total counter", f"asterism_refusals_total {refused}"]
        lines += ["# TYPE asterism_answered_bytes_total counter", f"asterism_answered_bytes_total {self._bytes}"]
        lines.append("# TYPE asterism_request_seconds histogram")
        for route, counts in sorted(self._times.items()):
            below = 0
            for bound, count in zip((*BOUNDS, "+Inf"), counts, strict=True):
                below += count
                lines.append(f'asterism_request_seconds_bucket{{route="{route}",le="{bound}"}} {below}')
            lines.append(f'asterism_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}')
            lines.append(f'asterism_request_seconds_count{{route="{route}"}} {below}')
        for name, value in gauges.items():
            lines += [f"# TYPE {name} gauge", f"{name} {value}"]
        lines.append("# TYPE asterism_items gauge")
        lines += [f'asterism_items{{space="{_label(space)}"}} {count}' for space, count in sorted(items.items())]
        return "\n".join(lines) + "\n"


def _label(text: str) -> str:
    """Write a text as Prometheus reads it between quotes, which is not how JSON does."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


class AccessLog:
    """Writes a line of JSON for each request."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def __call__(
        self, *, at: datetime, method: str, route: str, space: str, status: int, seconds: float, length: int, who: str
    ) -> None:
        """Write down an answer: when, what was asked, by whom, what came of it."""
        told = {
            "at": at.isoformat(timespec="milliseconds"),
            "method": method,
            "route": route,
            "space": space,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "bytes": length,
            "token": who,
        }
        self._write(json.dumps(told, ensure_ascii=False))


class Allowance:
    """How much each asker may ask: so many at once, and so many a second after that."""

    def __init__(self, *, at_once: float, per_second: float, askers: int = 10_000) -> None:
        self._at_once, self._per_second, self._askers = at_once, per_second, askers
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, asker: str, now: float) -> bool:
        """Take one, if there is one left.

        >>> allowance = Allowance(at_once=2, per_second=1)
        >>> [allowance.take("a", now) for now in (0, 0, 0, 1)]
        [True, True, False, True]
        """
        left, since = self._left.pop(asker, (self._at_once, now))
        left = min(self._at_once, left + (now - since) * self._per_second)
        taken = left >= 1
        self._left[asker] = (left - taken, now)
        if len(self._left) > self._askers:  # the one that asked longest ago has its whole allowance again
            self._left.pop(next(iter(self._left)))
        return taken
