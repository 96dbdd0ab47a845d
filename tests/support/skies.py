"""Skies to draw in tests: a small one with hostile texts, and planted clusters of any size."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from asterism.core.ledger.model import Line, Why
from asterism.formats.constellation import Sky, SkyLink, SkyNode

EVIL = '</script><img src=x onerror="window.bad=1"><b>&amp;{data}{script}\u2028 ‮ \''
START = datetime(2026, 9, 1, tzinfo=UTC)
TIMES = tuple(START + timedelta(days=day) for day in range(8))
NOW = 5


def life(*values: float) -> tuple[float, ...]:
    return values


def small() -> Sky:
    """Six nodes of as many kinds; one link has a life and a sum, texts and names are hostile."""
    nodes = (
        SkyNode("sleep", "star", "Sleep", "Sleep", "BRIGHT", 0.8, TIMES[1], life(0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.7, 0.6)),
        SkyNode("mood", "star", "Mood", "Mood", "DIM", 0.4, TIMES[1]),
        SkyNode("evil", "block", EVIL, f"text {EVIL}", "active", 0.5, TIMES[2]),
        SkyNode("s:1", "moment", "", "I light the lantern.", "", None, TIMES[3]),
        SkyNode("S@9.5", "level", "", "S@9.5", "", 0.6, TIMES[4]),
        SkyNode("constructor", "__proto__", "", "", "", None, None),
    )
    why = Why("mood~sleep", "strength", (Line(f"2026-09-02: {EVIL}", 0.5), Line("decay", -0.125)), 0.375, (EVIL,))
    links = (
        SkyLink(
            id="mood~sleep",
            a="mood",
            b="sleep",
            kind="causation",
            family="connection",
            direction="b_to_a",
            strength=0.375,
            confidence=0.5,
            state="WEAK",
            at=TIMES[2],
            strengths=life(0, 0, 0.1, 0.3, 0.4, 0.375, 0.2, 0.1),
            states=("", "", "NASCENT", "WEAK", "WEAK", "WEAK", "DORMANT", "DORMANT"),
            evidence=3,
            why=why,
        ),
        SkyLink("evil~sleep#similar", "evil", "sleep", "similar", "structural", None, 0.9, 1.0, at=TIMES[2]),
        SkyLink("evil~sleep#co_occurs", "evil", "sleep", "co_occurs", "structural", None, 0.3, 1.0, at=TIMES[2]),
        SkyLink("evil~s:1#caused", "evil", "s:1", "caused", "structural", "a_to_b", 0.6, 1.0, at=TIMES[3]),
    )
    return Sky(f"Sky {EVIL}", "me", "2026-09-06 00:00 UTC", nodes, links, TIMES, NOW, {"weaker links": 7}, {EVIL: 2})


def planted(count: int, each: int, links: int) -> Sky:
    """Give clusters of `each` nodes, densely linked inside, with one link in twenty between them."""
    nodes = [
        SkyNode(
            f"n{place:05}",
            ("star", "block", "moment")[place // each % 3],
            f"Node {place}",
            "",
            "",
            0.5,
            START,
            group=f"group {place // each}",
        )
        for place in range(count)
    ]
    found: dict[tuple[int, int], SkyLink] = {}
    step = 0
    while len(found) < links:
        step += 1
        one, other = (step * 2_654_435_761 >> 7) % 1_000_003, (step * 40_503_000_017 >> 9) % 999_983
        a = one % count
        b = other % count if step % 20 == 0 else a // each * each + other % each
        low, high = min(a, b), max(a, b)
        if low != high and high < count:
            name = (nodes[low].id, nodes[high].id)
            strength = step % 97 / 97
            kind = ("connection", "resonance") if step % 3 else ("structural", "similar")
            found[low, high] = SkyLink("~".join(name), *name, kind[1], kind[0], None, strength, 0.5, at=START)
    return Sky("Planted", "me", "2026-09-06 00:00 UTC", tuple(nodes), tuple(found.values()), TIMES, NOW)
