"""A star that is called otherwise keeps its values, links and kinds; the old name is gone, and may come back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from asterism import Memory
from asterism.errors import InputError
from asterism.sync import Memory as SyncMemory

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)


@pytest.fixture
def memory() -> Iterator[SyncMemory]:
    with Memory.open_sync(":memory:", space="me", clock=lambda: NOW, embedder="hashed") as opened:
        yield opened
        assert opened.verify().ok


def tell(memory: SyncMemory) -> None:
    memory.add_star("Schlaf (h)", domain="health", at=date(2026, 11, 1))
    memory.add_star("Mood", at=date(2026, 11, 1))
    for day, value in ((2, 7.0), (3, 6.5)):
        memory.tell_values({"Schlaf (h)": value, "Mood": 4}, at=date(2026, 11, day), scales={"Schlaf (h)": "0..12"})
    memory.observe("Mood", "Schlaf (h)", "user_creates", at=date(2026, 11, 16))
    memory.assign_type("Schlaf (h)", "Mood", "causation", at=date(2026, 11, 16))


def values(memory: SyncMemory, star: str) -> list[tuple[int, float]]:
    (found,) = memory.diary(star)
    return [(each.day.day, each.value) for each in found]


@pytest.mark.parametrize("name", ["Schlaf", "aa"])
def test_values_links_kind_and_direction_stay(memory: SyncMemory, name: str) -> None:
    tell(memory)
    done = memory.rename_star("schlaf-h-6e4ef1fe", name)
    assert (done.before, done.id, done.items, done.found) == ("schlaf-h-6e4ef1fe", name.casefold(), 5, 0)
    assert values(memory, name) == [(2, 7.0), (3, 6.5)]
    (link,) = memory.links()
    ends = (link.a, link.b) if link.direction == "a_to_b" else (link.b, link.a)
    assert (link.kind, ends) == ("causation", (name.casefold(), "mood"))
    star = memory.star(name)
    assert star is not None
    assert (star.name, star.domain) == (name, "health")
    assert [each.id for each in memory.stars()] == sorted(["mood", name.casefold()])


def test_a_name_may_come_back(memory: SyncMemory) -> None:
    tell(memory)
    before = values(memory, "Schlaf (h)")
    memory.rename_star("Schlaf (h)", "Sleep")
    memory.rename_star("Sleep", "Schlaf (h)")
    assert values(memory, "Schlaf (h)") == before


def test_what_was_found_is_counted_and_found_again(memory: SyncMemory) -> None:
    draws = [(day * 37 % 11, day * 53 % 7) for day in range(45)]
    rows = [
        {"date": date.fromordinal(NOW.date().toordinal() - 44 + day), "sleep": a, "mood": a + b / 9}
        for day, (a, b) in enumerate(draws)
    ]
    memory.read_diary(rows)
    assert memory.discover().written == 1
    assert memory.rename_star("sleep", "rest").found == 1
    assert memory.links() == []
    assert [pair.link for pair in memory.discover().told()] == ["mood~rest"]


@pytest.mark.parametrize(("name", "said"), [("Mood", "another node, mood"), ("schlaf (H)", "how it is called")])
def test_a_name_that_is_taken_is_refused_and_nothing_changes(memory: SyncMemory, name: str, said: str) -> None:
    tell(memory)
    with pytest.raises(InputError, match=said):
        memory.rename_star("Schlaf (h)", name)
    assert len(values(memory, "Schlaf (h)")) == 2
