"""A picture of links through time: one SVG, no script, no address, light and dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from asterism.core.ledger.model import Link
from asterism.entry.text.render import label

WIDTH, HEIGHT = 860, 400
LEFT, RIGHT, TOP, BOTTOM = 84, 250, 44, 44
BANDS = (("NASCENT", 0.0, 0.2), ("FORMING", 0.2, 0.4), ("WEAK", 0.4, 0.6), ("MODERATE", 0.6, 0.8), ("STRONG", 0.8, 1.0))
COLOURS = {
    "resonance": "#2f9e6e",
    "tension": "#d9480f",
    "causation": "#7048e8",
    "growth_edge": "#1c7ed6",
    "shadow_mirror": "#868e96",
    "blocks": "#c2255c",
}
LABEL_STEP = 17.0


def lives_svg(
    links: Sequence[Link], curves: Mapping[str, Sequence[float]], *, title: str, first: str, last: str
) -> str:
    """Draw each link's strength from the first day to the last, coloured by kind, named at its end."""
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(share: float) -> float:
        return round(LEFT + share * across, 1)

    def y(strength: float) -> float:
        return round(TOP + (1 - strength) * down, 1)

    parts = [_frame(title)]
    for place, (name, low, high) in enumerate(BANDS):
        shade = "band" if place % 2 else "plain"
        parts.append(
            f'<rect class="{shade}" x="{LEFT}" y="{y(high)}" width="{across}" height="{round(y(low) - y(high), 1)}"/>'
            f'<text class="quiet" x="{LEFT - 8}" y="{y((low + high) / 2) + 4}" text-anchor="end">{name}</text>'
        )
    for share, text, anchor in ((0.0, first, "start"), (1.0, last, "end")):
        parts.append(
            f'<text class="quiet" x="{x(share)}" y="{HEIGHT - 18}" text-anchor="{anchor}">{escape(text)}</text>'
        )
    labels = _apart([y(link.strength) for link in links])
    for link, beside in zip(links, labels, strict=True):
        curve = curves[link.id]
        steps = max(len(curve) - 1, 1)
        points = " ".join(f"{x(step / steps)},{y(strength)}" for step, strength in enumerate(curve) if strength)
        colour = COLOURS[link.kind]
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.2" stroke-linejoin="round"/>'
            f'<circle cx="{x(1)}" cy="{y(link.strength)}" r="3" fill="{colour}"/>'
            f'<path d="M{x(1) + 4} {y(link.strength)} L{x(1) + 16} {beside}" stroke="{colour}" opacity=".5"/>'
            f'<text x="{x(1) + 20}" y="{round(beside + 4, 1)}" fill="{colour}">{escape(label(link))} '
            f'<tspan class="quiet">{link.kind.replace("_", " ")}</tspan></text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def _frame(title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-label="{escape(title)}">\n'
        "<style>text{font:12px system-ui,sans-serif}.title{font-size:15px;font-weight:600;fill:#343a40}"
        ".quiet{fill:#868e96}.band{fill:#868e96;opacity:.10}.plain{fill:none}"
        "@media(prefers-color-scheme:dark){.title{fill:#e9ecef}}</style>\n"
        f'<text class="title" x="{LEFT}" y="24">{escape(title)}</text>'
    )


def _apart(places: Sequence[float]) -> list[float]:
    """Move labels down until none covers another, keeping their order from the top.

    >>> _apart([10.0, 12.0, 60.0])
    [10.0, 27.0, 60.0]
    """
    moved = list(places)
    order = sorted(range(len(places)), key=lambda place: places[place])
    for before, place in pairwise(order):
        moved[place] = max(places[place], moved[before] + LABEL_STEP)
    return moved
