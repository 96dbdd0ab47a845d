"""Values of a diary: told once, corrected when they change, on one scale a star, all of a file or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from asterism import Memory
from asterism.errors import InputError
from asterism.sync import Memory as SyncMemory

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)  # before noon: today's date means now
DAYS = "date,sleep,mood\n2026-11-03,6.5,4\n2026-11-04,7,\n2026-11-05,8,6\n"


@pytest.fixture(params=["memory", "file"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SyncMemory]:
    place = ":memory:" if request.param == "memory" else tmp_path / "mine.db"
    with Memory.open_sync(place, space="me", clock=lambda: NOW) as opened:
        yield opened
        assert opened.verify().ok


def csv(tmp_path: Path, text: str, name: str = "days.csv") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def values(memory: SyncMemory, star: str) -> dict[int, float]:
    (found,) = memory.diary(star)
    return {each.day.day: each.value for each in found}


def test_a_file_makes_stars_and_shows_values_as_they_were_told(memory: SyncMemory, tmp_path: Path) -> None:
    told = memory.read_diary(csv(tmp_path, DAYS))
    assert (told.new, told.changed, told.known, told.empty) == (5, 0, 0, 1)
    assert [(star.id, star.made, star.guessed) for star in told.stars] == [("sleep", True, True), ("mood", True, True)]
    assert values(memory, "sleep") == {3: 6.5, 4: 7.0, 5: 8.0}
    assert values(memory, "mood") == {3: 4.0, 5: 6.0}
    assert [star.domain for star in memory.stars()] == [None, None]


def test_read_again_it_adds_nothing_and_a_longer_file_adds_what_is_new(memory: SyncMemory, tmp_path: Path) -> None:
    path = csv(tmp_path, DAYS)
    memory.read_diary(path)
    items = sum(memory.stats().items.values())
    again = memory.read_diary(path)
    assert (again.new, again.changed, again.known) == (0, 0, 5)
    assert memory.read_diary(csv(tmp_path, DAYS, "copy.csv")).new == 0
    assert sum(memory.stats().items.values()) == items
    longer = memory.read_diary(csv(tmp_path, DAYS + "2026-11-01,5,5\n2026-11-18,7,5\n"))
    assert (longer.new, longer.changed, longer.known) == (4, 0, 5)
    assert memory.read_diary(csv(tmp_path, DAYS + "2026-11-01,5,5\n2026-11-18,7,5\n")).new == 0
    assert values(memory, "sleep") == {1: 5.0, 3: 6.5, 4: 7.0, 5: 8.0, 18: 7.0}


def test_a_changed_cell_corrects_and_says_so(memory: SyncMemory, tmp_path: Path) -> None:
    memory.read_diary(csv(tmp_path, DAYS))
    told = memory.read_diary(csv(tmp_path, DAYS.replace("6.5", "5.5")))
    assert (told.new, told.changed) == (0, 1)
    (change,) = told.changes
    assert (change.star, change.day, change.before, change.after) == ("sleep", date(2026, 11, 3), 6.5, 5.5)
    assert values(memory, "sleep")[3] == 5.5
    assert memory.read_diary(csv(tmp_path, DAYS.replace("6.5", "5.5"))).changed == 0
    back = memory.read_diary(csv(tmp_path, DAYS))
    assert back.changed == 1
    assert values(memory, "sleep")[3] == 6.5


def test_a_mistake_in_one_cell_leaves_nothing_behind(memory: SyncMemory, tmp_path: Path) -> None:
    for text, code in (
        (DAYS + "2026-11-06,seven,3\n", "no_number"),
        (DAYS + "2027-11-06,7,3\n", "future_time"),
        (DAYS + "2026-11-06,7,9\n", "off_scale"),
    ):
        with pytest.raises(InputError, match="row 5, column") as refused:
            memory.read_diary(csv(tmp_path, text), scales={"mood": "1..7"})
        assert refused.value.code == code
    assert sum(memory.stats().items.values()) == 0


def test_a_told_scale_is_kept_and_another_one_tells_all_values_again(memory: SyncMemory, tmp_path: Path) -> None:
    memory.read_diary(csv(tmp_path, DAYS), scales={"mood": "1..7"})
    with pytest.raises(InputError, match=r"not on its scale, 1\.\.7") as refused:
        memory.tell_values({"mood": 8})
    assert refused.value.code == "off_scale"
    told = memory.tell_values({"mood": 8}, scales={"Mood": "0..10"})
    assert [(star.low, star.high, star.rescaled, star.new) for star in told.stars] == [(0, 10, 2, 1)]
    assert values(memory, "mood") == {3: 4.0, 5: 6.0, 18: 8.0}
    (found,) = memory.diary("mood")
    assert [each.brightness for each in found] == pytest.approx([0.05 + 0.95 * value / 10 for value in (4, 6, 8)])
    assert memory.tell_values({"mood": 8}).known == 1


def test_a_guessed_scale_grows_with_what_is_told(memory: SyncMemory) -> None:
    assert [(star.high, star.made) for star in memory.tell_values({"steps": 8_000}).stars] == [(10_000, True)]
    told = memory.tell_values({"steps": 14_000}, at="2026-11-17")
    assert [(star.high, star.rescaled, star.guessed) for star in told.stars] == [(20_000, 1, True)]
    assert values(memory, "steps") == {17: 14_000.0, 18: 8_000.0}


def test_a_day_is_told_in_a_line_and_corrected_in_another(memory: SyncMemory, tmp_path: Path) -> None:
    memory.read_diary(csv(tmp_path, DAYS))
    assert memory.tell_values({"sleep": 6, "mood": 4}).new == 2
    assert memory.tell_values({"sleep": 6, "mood": 5}).changed == 1
    assert memory.tell_values({"Sleep": 6, "mood": 5}).known == 2
    assert memory.tell_values({"mood": 2}, at="2026-11-17").new == 1
    assert values(memory, "mood") == {3: 4.0, 5: 6.0, 17: 2.0, 18: 5.0}
    assert memory.read_diary(csv(tmp_path, "date,mood\n2026-11-18,5\n")).known == 1


def test_values_with_times_are_several_of_a_day_and_the_last_counts(memory: SyncMemory, tmp_path: Path) -> None:
    text = "at,mood\n2026-11-03 08:00,2\n2026-11-03 21:30,5\n2026-11-18 11:00,4\n"
    assert memory.read_diary(csv(tmp_path, text)).new == 3
    assert values(memory, "mood") == {3: 5.0, 18: 4.0}
    assert memory.read_diary(csv(tmp_path, text)).new == 0
    told = memory.read_diary(csv(tmp_path, text.replace("08:00,2", "08:00,3")))
    assert (told.new, told.changed) == (0, 1)
    assert values(memory, "mood") == {3: 5.0, 18: 4.0}


def test_a_star_with_a_domain_keeps_it_when_earlier_days_come(memory: SyncMemory, tmp_path: Path) -> None:
    memory.add_star("Sleep", domain="health", at="2026-11-10")
    memory.read_diary(csv(tmp_path, DAYS))
    assert [(star.id, star.domain) for star in memory.stars()] == [("mood", None), ("sleep", "health")]
    assert len(memory.diary("sleep")[0].values) == 3


def test_brightness_told_by_hand_stays_and_is_shown_on_the_scale(memory: SyncMemory) -> None:
    memory.add_star("Mood", at="2026-11-10")
    memory.set_brightness("mood", 0.525, at="2026-11-11")
    assert values(memory, "mood") == {11: 0.525}
    told = memory.tell_values({"mood": 7}, scales={"mood": "1..7"})
    assert [star.rescaled for star in told.stars] == [0]
    assert values(memory, "mood") == {11: 4.0, 18: 7.0}


def test_copies_that_read_the_same_file_merge_into_one(tmp_path: Path) -> None:
    found = []
    for first, second in (("one", "two"), ("two", "one")):
        folder = tmp_path / first
        folder.mkdir()
        for name in (first, second):
            with Memory.open_sync(folder / f"{name}.db", space="me", clock=lambda: NOW) as memory:
                memory.read_diary(csv(tmp_path, DAYS))
                memory.tell_values({"mood": {"one": 5, "two": 6}[name]})
        with Memory.open_sync(folder / f"{first}.db", space="me", clock=lambda: NOW) as memory:
            memory.merge(folder / f"{second}.db")
            assert memory.verify().ok
            found.append((values(memory, "mood"), memory.stars()))
    assert found[0] == found[1]


def test_values_that_copies_told_on_two_scales_are_brought_onto_one(tmp_path: Path) -> None:
    for name, scale in (("one", "1..7"), ("two", "0..10")):
        with Memory.open_sync(tmp_path / f"{name}.db", space="me", clock=lambda: NOW) as memory:
            memory.tell_values({"mood": 5}, at=f"2026-11-0{len(scale)}", scales={"mood": scale})
    with Memory.open_sync(tmp_path / "one.db", space="me", clock=lambda: NOW) as memory:
        memory.merge(tmp_path / "two.db")
        assert values(memory, "mood") == {4: 5.0, 5: 5.0}
        told = memory.tell_values({"mood": 5})
        assert [star.rescaled for star in told.stars] == [1]
        assert len({each.brightness for each in memory.diary("mood")[0]}) == 1


def test_an_erased_value_told_by_hand_is_named_with_what_can_be_done(memory: SyncMemory) -> None:
    memory.tell_values({"mood": 5}, scales={"mood": "1..7"}, at="2026-03-01")
    memory.erase("mood")
    with pytest.raises(InputError) as refused:
        memory.tell_values({"mood": 5}, scales={"mood": "1..7"}, at="2026-03-01")
    assert refused.value.message.startswith("mood: this was erased")
    assert refused.value.hint == "leave it out, or tell one of another day"
    assert memory.tell_values({"mood": 5}, scales={"mood": "1..7"}, at="2026-03-02").new == 1


def test_what_was_erased_does_not_come_back_with_its_file(memory: SyncMemory, tmp_path: Path) -> None:
    path = csv(tmp_path, DAYS)
    memory.read_diary(path)
    memory.erase("mood")
    with pytest.raises(InputError) as refused:
        memory.read_diary(path)
    assert refused.value.code == "erased"
    assert refused.value.row is None
    assert "skip_erased" in str(refused.value.hint)
    assert "skip_erased=True" in str(refused.value.hint)
    items = sum(memory.stats().items.values())
    told = memory.read_diary(path, skip_erased=True)
    assert told.erased
    assert sum(memory.stats().items.values()) == items
    assert [star.id for star in memory.stars()] == ["sleep"]


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("bad_value", {}),
        ("bad_value", {"sleep": "six"}),
        ("bad_value", {"sleep": float("nan")}),
        ("same_star", {"Sleep": 6, "sleep": 7}),
        ("bad_text", {" ": 6}),
    ],
)
def test_what_cannot_be_told_is_refused(memory: SyncMemory, code: str, wrong: dict[str, float]) -> None:
    with pytest.raises(InputError) as refused:
        memory.tell_values(wrong)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("code", "chosen"),
    [
        ("bad_layout", {"layout": "tall"}),
        ("bad_dates", {"dates": "dym"}),
        ("bad_several", {"several": "max"}),
        ("bad_decimal", {"decimal": "point"}),
        ("bad_scale", {"scales": {"mood": "wide"}}),
        ("unknown_star", {"scales": {"tea": "1..7"}}),
    ],
)
def test_a_choice_that_there_is_not_says_which_there_are(
    memory: SyncMemory, tmp_path: Path, code: str, chosen: dict[str, str]
) -> None:
    with pytest.raises(InputError) as refused:
        memory.read_diary(csv(tmp_path, DAYS), **chosen)  # type: ignore[arg-type]  # wrong by intent
    assert refused.value.code == code


# What may be a mistake


def test_a_value_that_stretches_a_guessed_scale_is_named_with_its_row(memory: SyncMemory, tmp_path: Path) -> None:
    text = "date,mood\n" + "".join(
        f"2026-11-0{day},{value}\n" for day, value in enumerate((4, 5, 44, 3, 6, 2), start=1)
    )
    (odd,) = memory.read_diary(csv(tmp_path, text)).odd
    assert (odd.star, odd.where, odd.value, odd.low, odd.high) == ("mood", "row 4, column 'mood'", 44.0, 1.0, 7.0)
    corrected = memory.read_diary(csv(tmp_path, text.replace("44", "4")), scales={"mood": "1..7"})
    assert (corrected.odd, corrected.changed) == ((), 1)
    assert values(memory, "mood")[3] == 4.0


def test_a_value_told_in_a_line_that_stretches_a_guessed_scale_is_named(memory: SyncMemory) -> None:
    for day in range(1, 6):
        assert memory.tell_values({"mood": 1 + day}, at=date(2026, 11, day)).odd == ()
    (odd,) = memory.tell_values({"mood": 44}, at=date(2026, 11, 9)).odd
    assert (odd.where, odd.value, odd.high) == ("", 44.0, 7.0)
    assert memory.tell_values({"mood": 40}, at=date(2026, 11, 10)).odd == ()


def test_a_star_that_is_called_so_but_for_its_unit_is_asked_for(memory: SyncMemory, tmp_path: Path) -> None:
    memory.read_diary(csv(tmp_path, "date,Schlaf (h)\n2026-11-03,7\n"))
    with pytest.raises(InputError, match="there is no star 'Schlaf', but 'Schlaf \\(h\\)'") as refused:
        memory.tell_values({"Schlaf": 7})
    assert refused.value.code == "near_star"
    memory.add_star("Schlaf")
    assert memory.tell_values({"Schlaf": 7}).new == 1
