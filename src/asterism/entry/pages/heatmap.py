"""The heat map of a market's memory: price by time, each level a stripe as dark as it is strong, and the price path.

`page` gives one self-contained HTML file; `save_png` draws the same with matplotlib.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from asterism.entry.pages.template import template
from asterism.errors import InputError

if TYPE_CHECKING:
    from asterism.core.levels.history import Replay

MARGIN = 0.15  # of the path's range, shown above and below it


def span(replay: Replay) -> tuple[float, float]:
    """Give the range of prices to show: the path's, with a margin; without a path, the levels'."""
    prices = [price for price in replay.path if price is not None] or list(replay.prices)
    if not prices:
        raise InputError(
            f"there is nothing to draw for {replay.symbol}",
            code="nothing_to_draw",
            item=replay.symbol,
            hint="feed it first, or choose a time at which it has levels",
        )
    low, high = min(prices), max(prices)
    margin = (high - low) * MARGIN or low * 0.01
    return low - margin, high + margin


def page(replay: Replay) -> str:
    """Draw the heat map as a page that needs nothing else."""
    low, high = span(replay)
    shown = [place for place, price in enumerate(replay.prices) if low <= price <= high]
    data = {
        "low": low,
        "high": high,
        "times": [time.isoformat() for time in replay.times],
        "path": replay.path,
        "levels": [replay.levels[place] for place in shown],
        "prices": [replay.prices[place] for place in shown],
        "strengths": [[round(value, 4) for value in replay.strengths[place]] for place in shown],
    }
    told = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    first, last = (f"{time:%Y-%m-%d %H:%M}" for time in (replay.times[0], replay.times[-1]))
    title = f"{escape(replay.symbol)}: what the market remembers, {first} to {last} UTC"
    return template("heatmap.html").replace("{title}", title).replace("{data}", told)


def save_png(replay: Replay, path: Path) -> None:
    """Draw the heat map as a picture."""
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        import matplotlib.pyplot as plt
        from matplotlib.dates import ConciseDateFormatter, date2num
    except ImportError:
        raise InputError(
            "a PNG needs matplotlib",
            code="missing_extra",
            item="plot",
            hint="pip install matplotlib, or name a file that ends in .html",
        ) from None
    low, high = span(replay)
    times = date2num(list(replay.times))  # type: ignore[no-untyped-call]  # matplotlib leaves it so
    figure, axes = plt.subplots(figsize=(12, 7), dpi=120, layout="constrained")
    colours = plt.get_cmap("YlOrRd")
    thickness = (high - low) / 160
    for price, strengths in zip(replay.prices, replay.strengths, strict=True):
        if low <= price <= high:
            axes.imshow(
                [strengths],
                aspect="auto",
                extent=(times[0], times[-1], price - thickness / 2, price + thickness / 2),
                cmap=colours,
                vmin=0.0,
                vmax=1.0,
                alpha=[[min(1.0, 2.5 * value) for value in strengths]],
                interpolation="nearest",
            )
    drawn = [(time, price) for time, price in zip(times, replay.path, strict=True) if price is not None]
    if drawn:
        for colour, width in (("white", 2.6), ("#1f3b73", 1.2)):  # a light edge keeps the line legible on dark stripes
            axes.plot([time for time, _ in drawn], [price for _, price in drawn], color=colour, linewidth=width)
    axes.set(
        xlim=(times[0], times[-1]),
        ylim=(low, high),
        ylabel="price",
        title=f"{replay.symbol}: what the market remembers",
    )
    axes.xaxis_date()
    axes.xaxis.set_major_formatter(ConciseDateFormatter(axes.xaxis.get_major_locator()))  # type: ignore[no-untyped-call]
    bar = figure.colorbar(plt.cm.ScalarMappable(cmap=colours), ax=axes, pad=0.01)
    bar.set_label("strength")
    figure.savefig(path)
    plt.close(figure)
