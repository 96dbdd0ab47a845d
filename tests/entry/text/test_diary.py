"""A week in words: every part that has something to say, short, and in words for people."""

from __future__ import annotations

from datetime import date

from asterism.core.space import discovered
from asterism.engine.diary.missing import Gap, Missing, MissingStar
from asterism.engine.diary.week import Faded, FoundPair, StarWeek, Week
from asterism.entry.text.diary import missing_lines, week_lines
from asterism.entry.text.layout import plain

DAY = date(2026, 11, 18)
PAIR = discovered.Tested("mood", "sleep", "together", "", r=0.8, low=0.7, high=0.9, days=60)
GAPS = Missing(
    DAY,
    7,
    (
        MissingStar("mood", "Mood", date(2026, 11, 17), True, 1, 1, (Gap(DAY, DAY, 1),)),
        MissingStar("tea", "Tea", date(2026, 11, 15), True, 3, 3, (Gap(date(2026, 11, 16), DAY, 3),)),
    ),
    (),
    ("garden",),
)


def test_a_week_says_what_is_new_what_ended_what_fades_and_what_is_missing() -> None:
    week = Week(
        date(2026, 11, 12),
        DAY,
        (
            StarWeek("mood", "Mood", 6, 5.0, 4.0, 1.0, 1 / 6),
            StarWeek("tea", "Tea", 4, 2.0, 2.1, -0.1, -0.01),
            StarWeek("run", "Run", 1, 3.0, None, None, None),
        ),
        (FoundPair("mood~sleep", DAY, PAIR),),
        ("mood~sleep",),
        (FoundPair("mood~tea", DAY, PAIR),),
        ("run~tea",),
        tuple(Faded(f"a~b{place}", 0.5, 0.3, "DORMANT") for place in range(7)),
        (),
        GAPS,
    )
    told = plain(week_lines(week))
    assert "  Mood 4 -> 5 (+1, 6 days)\n  About the same: Tea.\n" in told
    assert "What goes with what\n  Mood goes with sleep on the same day: r .80 (.70 to .90), 60 days (new)\n" in told
    assert "What no longer holds\n  Mood goes with sleep" in told
    assert "Other links that came\n  Run and Tea\n" in told
    assert "DORMANT" not in told
    assert "  and 2 more\n" in told
    assert told.endswith(
        "What is missing\n  Tea: 3 of 7 days (2026-11-16 to 2026-11-18); 3 days in a row\n"
        "  not told for 2026-11-18 yet: Mood"
    )


def test_a_week_without_values_says_so() -> None:
    nothing = Missing(DAY, 7, (), (), ())
    week = Week(date(2026, 11, 12), DAY, (), (), (), (), (), (), (), nothing)
    assert "Nothing was told in it" in plain(week_lines(week))
    assert "asterism diary add sleep=6" in plain(missing_lines(nothing))


def test_a_week_with_too_little_to_compare_says_so_and_tells_the_rest() -> None:
    nothing = Missing(DAY, 7, (), (), ())
    once = StarWeek("run", "Run", 1, 3.0, None, None, None)
    fading = (Faded("a~b", 0.5, 0.3, "WEAK"),)
    told = plain(week_lines(Week(date(2026, 11, 12), DAY, (once,), (), (), (), (), fading, (), nothing)))
    assert "Too little was told to compare" in told
    assert "What fades" in told
    told = plain(week_lines(Week(date(2026, 11, 12), DAY, (), (), (), (), (), fading, (), nothing)))
    assert "Nothing was told in it" in told
    assert "What fades" in told


def test_what_is_missing_names_what_nobody_is_asked_for_any_more() -> None:
    told = plain(missing_lines(GAPS))
    assert told.startswith(
        "Not told for 2026-11-18: Mood, Tea\n  asterism diary add Mood=.. Tea=..\n  Tea: 3 of 7 days"
    )
    assert told.endswith("Not told for long, and not asked for: garden")


def test_a_week_of_steps_is_told_in_plain_numbers() -> None:
    steps = StarWeek("steps", "Steps", 7, 9223.4, 8054.2, 1169.2, 0.1)
    week = Week(date(2026, 11, 12), DAY, (steps,), (), (), (), (), (), (), GAPS)
    assert "Steps 8054 -> 9223 (+1169, 7 days)" in plain(week_lines(week))
