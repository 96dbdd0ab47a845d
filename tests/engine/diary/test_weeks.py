"""What is missing, and a week: days without a value are missing, means are in the units that were told."""

from __future__ import annotations

from csv import DictReader
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism import Memory
from asterism.core.connections import read
from asterism.core.connections.payloads import check_payload
from asterism.core.ledger.calendar import day_of, to_micros
from asterism.core.ledger.items import Item
from asterism.engine.diary.look import tell_day
from asterism.engine.diary.missing import missing
from asterism.engine.diary.values import recent_values, values_of
from asterism.engine.diary.week import found, stars
from asterism.engine.space.live import Live
from asterism.entry.sample.diary import diary_csv
from asterism.errors import UnknownError
from asterism.store.in_memory import InMemoryStore
from asterism.sync import Memory as SyncMemory
from tests.support.items import item

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
TODAY = NOW.date()


def opened() -> SyncMemory:
    return Memory.open_sync(":memory:", space="me", clock=lambda: NOW)


def ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def tell(memory: SyncMemory, star: str, days: dict[int, float], scale: str = "1..7") -> None:
    rows = [{"date": ago(back), star: value} for back, value in days.items()]
    memory.read_diary(rows, scales={star: scale})


def test_a_week_and_predictions_are_printed_to_be_read() -> None:
    with opened() as memory:
        assert str(memory.week()) == f"The week {ago(6)} to {TODAY}:\n  nothing was told"
        assert str(memory.predictions()).startswith(
            "0 predictions: none is settled yet; 0 open. Expected now:\n  nothing"
        )
        tell(memory, "mood", {back: 6 if back < 7 else 3 for back in range(1, 35)})
        tell(memory, "tea", {1: 3})
        told = str(memory.week()).splitlines()
        assert told[1] == "  mood: 3 -> 6, 6 of 7 days told"
        assert "  tea: ? -> 3, 1 of 7 days told" in told
        assert "  missing: mood, 1 of 7 days" in told


def test_gaps_and_the_days_in_a_row_without_a_value_are_told() -> None:
    with opened() as memory:
        tell(memory, "mood", dict.fromkeys((1, 2, 3, 7, 8, 9), 4))
        tell(memory, "sleep", dict.fromkeys(range(12), 4))
        tell(memory, "tea", dict.fromkeys((90, 91, 92), 4))
        tell(memory, "once", {1: 4})
        missing = memory.missing(days=14)
        (mood,) = missing.stars
        assert (mood.id, mood.today, mood.streak, mood.missing, mood.last) == ("mood", True, 1, 4, ago(1))
        assert [(gap.first, gap.last, gap.days) for gap in mood.gaps] == [(ago(6), ago(4), 3), (TODAY, TODAY, 1)]
        assert missing.complete == ("sleep",)
        assert missing.lapsed == ("tea",)
        assert [star.streak for star in memory.missing(at=ago(4)).stars] == [3]


def test_a_week_compares_means_in_the_units_that_were_told() -> None:
    with opened() as memory:
        tell(memory, "mood", {back: 6 if back < 7 else 3 for back in range(35)})
        tell(memory, "steps", {back: 9_000 if back < 7 else 8_800 for back in range(35)}, "0..20000")
        tell(memory, "tea", {1: 3})
        week = memory.week()
        assert (week.first, week.last) == (ago(6), TODAY)
        assert [(star.id, star.mean, star.before, star.change) for star in week.stars] == [
            ("mood", 6.0, 3.0, 3.0),
            ("steps", 9_000.0, 8_800.0, 200.0),
            ("tea", 3.0, None, None),
        ]
        assert not week.missing.stars
        earlier = memory.week(at=ago(7))
        assert [star.change for star in earlier.stars] == [0.0, 0.0]
        assert memory.as_of(ago(7)).week() == earlier


def test_a_week_tells_links_that_came_and_those_that_fade() -> None:
    with opened() as memory:
        for star in ("mood", "sleep", "tea"):
            tell(memory, star, dict.fromkeys(range(40, 20, -1), 4))
        for back in range(30, 20, -1):
            memory.observe("mood", "sleep", "user_creates", at=ago(back))
        memory.observe("sleep", "tea", "user_creates", at=ago(2))
        week = memory.week()
        assert week.linked == ("sleep~tea",)
        assert [each.id for each in week.fading] == ["mood~sleep"]
        assert week.fading[0].after < week.fading[0].before


def test_a_week_of_an_empty_memory_has_nothing_to_tell() -> None:
    with opened() as memory:
        memory.add_star("Sleep")
        week = memory.week()
        assert (week.stars, week.together, week.missing.stars) == ((), (), ())


def finding(day: int, holds: str, **more: object) -> Item:
    figures = {
        "kind": "correlation_detected",
        "direction": "none",
        "lag_days": 0,
        "r": 0.8,
        "low": 0.7,
        "high": 0.9,
        "p": 0.001,
        "days": 60,
        "since": "1970-01-01",
        "until": f"1970-01-{day:02}",
        "seen": "0" * 32,
        "detector": "best",
    }
    told = item("evidence", day * 86_400_000_000, a="mood", b="sleep", finding=holds, **(figures | more))  # type: ignore[arg-type]  # as told
    check_payload("evidence", told.payload)
    return told


def test_what_holds_now_is_the_last_that_was_found_of_a_pair() -> None:
    week = 10 * 86_400_000_000
    together, gone = found([finding(3, "holds"), finding(12, "holds", r=0.7)], week)
    assert [(each.id, each.pair.r, each.since.day) for each in together] == [("mood~sleep", 0.7, 4)]
    assert not gone
    together, gone = found([finding(3, "holds"), finding(12, "gone", r=0.1)], week)
    assert not together
    assert [(each.since.day, each.pair.r) for each in gone] == [(4, 0.8)]  # what held, not what is left of it
    assert found([finding(3, "holds"), finding(8, "gone")], week) == ([], [])
    assert found([finding(12, "gone")], week) == ([], [])
    again, _ = found([finding(3, "holds"), finding(8, "gone"), finding(12, "holds")], week)
    assert [each.since.day for each in again] == [13]


def test_the_finding_that_saw_the_newest_values_speaks() -> None:
    late = finding(12, "gone", until="1970-01-05")  # a copy that knew less
    together, gone = found([finding(9, "holds"), late], 0)
    assert [each.id for each in together] == ["mood~sleep"]
    assert not gone


def test_the_one_that_leads_is_named_first() -> None:
    way = {"kind": "causation_detected", "direction": "b_to_a", "lag_days": 1, "skill": 0.4}
    (led,), _ = found([finding(3, "holds", **way)], 0)
    assert led.pair.sentence({"sleep": "Sleep"}).startswith("Sleep drives mood a day later: r .80")
    delayed = {"lag_days": 1, "leads": "b"}
    (led,), _ = found([finding(3, "holds", **delayed)], 0)
    assert led.pair.sentence({}).startswith("sleep goes with mood a day later: r .80")
    (led,), _ = found([finding(3, "holds", **(delayed | {"leads": "a"}))], 0)
    assert led.pair.sentence({}).startswith("mood goes with sleep a day later: r .80")


def test_a_week_tells_what_was_discovered_in_it() -> None:
    with opened() as memory:
        rows = list(DictReader(diary_csv(TODAY).splitlines()))
        memory.read_diary(rows)
        assert memory.discover().written == 2
        week = memory.week()
        assert [each.id for each in week.together] == ["mood~sleep", "focus~sleep"]
        assert set(week.new) == {"mood~sleep", "focus~sleep"}
        assert week.linked == ()  # they are told above
        assert memory.verify().ok


def test_a_week_tells_no_link_that_is_not_there() -> None:
    now = [NOW]
    with Memory.open_sync(":memory:", space="me", clock=lambda: now[0]) as memory:
        memory.read_diary(list(DictReader(diary_csv(TODAY).splitlines())))
        memory.discover()
        memory.deny("mood", "sleep")
        assert [link.id for link in memory.links()] == ["focus~sleep"]
        assert [each.id for each in memory.week().together] == ["focus~sleep"]
        why = " ".join(memory.why("mood", "sleep").notes)
        assert "1 item, 0 days since the last" in why
        assert "renew it" not in why
        now[0] += timedelta(days=400)
        assert memory.links() == []
        week = memory.week()
        assert (week.together, week.new, week.gone) == ((), (), ())


def test_the_diary_of_a_star_that_is_not_there_is_refused() -> None:
    with opened() as memory:
        assert memory.diary() == []
        with pytest.raises(UnknownError):
            memory.diary("mood")


# What a week reads


@settings(max_examples=25, deadline=None)
@given(days=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 400)), max_size=30, unique=True))
def test_a_week_says_the_same_by_the_values_of_the_last_days_as_by_all(days: list[tuple[int, int]]) -> None:
    now, today = to_micros(NOW), day_of(to_micros(NOW))
    live = Live(InMemoryStore(), "me", clock=lambda: now, embedder="hashed")
    for star, back in days:
        tell_day(live, {f"star{star}": 5.0 + back % 4}, ago(back), {f"star{star}": "0..10"}, None)
    names = {star.id: star.name for star in read.stars(live.refresh().connections)}
    every, recent = values_of(live, at=now), recent_values(live, names, day=today, days=7, at=now)
    assert missing(recent, names, day=today, days=7) == missing(every, names, day=today, days=7)
    assert stars(recent, names, today) == stars(every, names, today)
