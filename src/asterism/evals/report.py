"""What an evaluation gives back: rows of figures, a report for each system, and a table of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

NARROWEST = 8


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what was measured (`name`), how (`metric`), the `value`, and over how many things (`n`)."""

    name: str
    metric: str
    value: float
    n: int


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of one system in one evaluation, with the preset it ran under and the time it took."""

    eval: str
    system: str
    preset: str
    rows: tuple[Row, ...]
    seconds: float

    def to_dict(self) -> dict[str, object]:
        """Give the report as plain values for JSON.

        >>> Report("causal", "best", "best", (Row("var", "f1", 0.975, 120),), 0.5).to_dict()["rows"]
        [{'name': 'var', 'metric': 'f1', 'value': 0.975, 'n': 120}]
        """
        return {
            "eval": self.eval,
            "system": self.system,
            "preset": self.preset,
            "rows": [{"name": row.name, "metric": row.metric, "value": row.value, "n": row.n} for row in self.rows],
            "seconds": self.seconds,
        }

    def value(self, name: str, metric: str) -> float | None:
        """Look one figure up; None when this system has no such row."""
        for row in self.rows:
            if (row.name, row.metric) == (name, metric):
                return row.value
        return None


def table(reports: Sequence[Report]) -> tuple[list[str], list[list[str]]]:
    """Set systems side by side: headers, then one line a (name, metric), grouped by name.

    `n` is shown when all systems share it; a system without the figure shows a dash.

    >>> one = Report("causal", "seed", "seed", (Row("var", "f1", 0.1, 120),), 1.0)
    >>> two = Report("causal", "best", "best", (Row("var", "f1", 0.975, 120), Row("var", "sets", 6, 6)), 2.0)
    >>> headers, lines = table([one, two])
    >>> headers
    ['name', 'metric', 'n', 'seed', 'best']
    >>> lines
    [['var', 'f1', '120', '.100', '.975'], ['var', 'sets', '6', '-', '6']]
    """
    keys = list(dict.fromkeys((row.name, row.metric) for report in reports for row in report.rows))
    names = list(dict.fromkeys(name for name, _ in keys))
    keys.sort(key=lambda key: names.index(key[0]))
    found = [{(row.name, row.metric): row for row in report.rows} for report in reports]
    lines = []
    for key in keys:
        rows = [rows_of.get(key) for rows_of in found]
        counts = {row.n for row in rows if row is not None}
        shared = str(counts.pop()) if len(counts) == 1 else ""
        lines.append([*key, shared, *("-" if row is None else _figure(row.value) for row in rows)])
    return ["name", "metric", "n", *(report.system for report in reports)], lines


def _figure(value: float) -> str:
    if isinstance(value, int) or (value.is_integer() and abs(value) > 1.0):
        return str(int(value))
    text = f"{value:.3f}" if abs(value) < 100.0 else f"{value:.0f}"
    return text.replace("0.", ".", 1) if abs(value) < 1.0 else text


def render(reports: Sequence[Report], *, width: int = 100) -> str:
    """Write the table as plain text no wider than `width`, long names cut with a dot.

    >>> print(render([Report("causal", "best", "best", (Row("var", "f1", 0.975, 120),), 2.0)]))
    causal: best 2.0 s
    name  metric    n      best
    var   f1      120      .975
    """
    headers, lines = table(reports)
    widths = [max(len(line[column]) for line in [headers, *lines]) for column in range(len(headers))]
    widths = [size if column < 3 else max(size, NARROWEST) for column, size in enumerate(widths)]
    figures = [max([len(line[column]) for line in lines] or [0]) for column in range(len(headers))]
    while sum(widths) + 2 * (len(widths) - 1) > width and max(widths) > 4:
        spare = [size if place > 2 and size > max(figures[place], 4) else 0 for place, size in enumerate(widths)]
        first = spare if any(spare) else widths  # heads give way before names, and figures are never cut
        widths[first.index(max(first))] -= 1

    def line_of(cells: Sequence[str]) -> str:
        cut = [cell if len(cell) <= size else cell[: size - 1] + "." for cell, size in zip(cells, widths, strict=True)]
        aligned = [
            cell.ljust(size) if column < 2 else cell.rjust(size)
            for column, (cell, size) in enumerate(zip(cut, widths, strict=True))
        ]
        return "  ".join(aligned).rstrip()

    times = ", ".join(f"{report.system} {report.seconds:.1f} s" for report in reports)
    title = f"{reports[0].eval}: {times}" if reports else "nothing was evaluated"
    return "\n".join([*wrap(title, width), line_of(headers), *(line_of(line) for line in lines)])
