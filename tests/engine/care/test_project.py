"""Looking ahead: what fades if nothing happens, and why something rises all the same."""

from __future__ import annotations

import pytest

from asterism.entry.text.ahead import outlook_lines
from asterism.entry.text.layout import plain
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import DAY, NOON, AnyMemory, remembering


def tell_values(memory: AnyMemory, *, together: bool) -> None:
    """Tell two weeks of two stars that rise and fall together, or of which one does not move."""
    for name in ("Sleep", "Mood"):
        memory.add_star(name, domain="soul", at=NOON - 14 * DAY)
    for ago in (14, 1):
        memory.observe("sleep", "mood", "user_creates", at=NOON - ago * DAY)
    for ago in range(14, -1, -1):
        value = 0.2 + 0.1 * (ago * 3 % 7)
        memory.set_brightness("sleep", value, at=NOON - ago * DAY)
        memory.set_brightness("mood", value if together else 0.5, at=NOON - ago * DAY)


def test_a_link_that_rises_though_nothing_happens_says_why() -> None:
    with remembering(InMemoryStore()) as memory:
        tell_values(memory, together=True)
        outlook = memory.project(days=9)
        (link,) = outlook.links
        assert link.strength_then > link.link.strength
        rises = {reason for rise in link.rises for reason in rise.reasons}
        assert rises == {"correlation_detected"}
        assert all(rise.gain > 0 and NOON.date() <= rise.on <= outlook.to.date() for rise in link.rises)
        day = link.rises[0].on
        assert f"on {day} (correlation_detected)" in str(outlook)
        shown = " ".join(plain(outlook_lines(outlook)).split())
        assert f"on {day} (correlation_detected)" in shown
        assert "found in what was told before" in shown
        told = outlook.to_dict()["links"][0]["rises"][0]
        assert (told["on"], told["reasons"]) == (day.isoformat(), ["correlation_detected"])


def test_it_rises_as_it_says() -> None:
    with remembering(InMemoryStore()) as memory:
        tell_values(memory, together=True)
        (ahead,) = memory.project(days=9).links
        memory.advance(days=9)
        assert memory.link("sleep", "mood").strength == pytest.approx(ahead.strength_then)


def test_what_only_fades_says_no_more() -> None:
    with remembering(InMemoryStore()) as memory:
        tell_values(memory, together=False)
        outlook = memory.project(days=9)
        (link,) = outlook.links
        assert link.strength_then < link.link.strength
        assert link.rises == ()
        assert "↑" not in plain(outlook_lines(outlook))


def test_an_open_conflict_stands_and_does_not_fade() -> None:
    with remembering(InMemoryStore()) as memory:
        memory.learn("Anna lives in Paris.", at=NOON - 2 * DAY)
        memory.learn("Anna lives in Berlin.", at=NOON - DAY)
        memory.dream()
        assert len(memory.conflicts()) == 1
        assert "conflict" not in {each.kind for each in memory.project(days=9).structural}
