"""`asterism diary` and `asterism week`, as somebody at a prompt meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Line

AT = "2026-11-18"


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return Line(tmp_path / "mine.db")


@pytest.fixture
def days(tmp_path: Path) -> Path:
    path = tmp_path / "days.csv"
    rows = [f"2026-10-{day:02},{5 + day % 4},{1 + day % 7},good" for day in range(1, 29)]
    path.write_text("\n".join(["date,sleep,mood,note", *rows]) + "\n2026-10-29,,3,\n")
    return path


def test_a_file_is_read_and_read_again_for_nothing(line: Line, days: Path) -> None:
    first = line.run("diary", "read", str(days), "--scale", "mood=1..7").output
    assert "sleep  1..10 (guessed)" in first
    assert "mood   1..7 " in first
    assert "Left out, as no values: note ('good')." in first
    assert "1 cell without a value" in first
    assert "Nothing new." in line.run("diary", "read", str(days)).output
    told = json.loads(line.run("diary", "read", str(days), "--json").output)
    assert (told["new"], told["known"]) == (0, 57)


def test_a_changed_cell_is_shown(line: Line, days: Path) -> None:
    line.run("diary", "read", str(days))
    days.write_text(days.read_text().replace("2026-10-29,,3,", "2026-10-29,,5,"))
    assert "mood, 2026-10-29: 3 -> 5" in line.run("diary", "read", str(days)).output


def test_a_mistake_names_its_cell_and_leaves_no_stars(line: Line, days: Path) -> None:
    days.write_text(days.read_text().replace("2026-10-29,,3,", "2026-10-29,seven,3,"))
    failed = line.run("diary", "read", str(days), code=2)
    assert "row 30, column 'sleep': 'seven' is no number" in failed.stderr
    assert json.loads(line.run("stats", "--json").output)["items"] == {}


def test_a_day_in_a_line_makes_stars_and_says_their_scale(line: Line) -> None:
    said = line.run("diary", "add", "sleep=6,5", "mood=4", "--at", "2026-11-03").output
    assert "mood: told (1..5, a new star)" in said
    assert "--scale mood=LOW..HIGH" in said
    assert "was 4, corrected" in line.run("diary", "add", "mood=3", "--at", "2026-11-03").output
    assert "known already" in line.run("diary", "add", "mood=3", "--at", "2026-11-03").output
    told = line.run("diary", "add", "mood=7", "--scale", "mood=1..7", "--at", "2026-11-04").output
    assert "1 earlier value put on this scale" in told
    assert "2026-11-03  3" in line.run("diary", "show", "mood").output


@pytest.mark.parametrize("wrong", ["mood", "mood=", "=3", "mood=high"])
def test_what_is_no_value_says_how_to_write_one(line: Line, wrong: str) -> None:
    assert "write it like sleep=6.5" in line.run("diary", "add", wrong, code=2).stderr


def test_values_are_shown_with_a_curve_where_a_gap_is_a_dot(line: Line, days: Path) -> None:
    line.run("diary", "read", str(days), "--scale", "mood=1..7")
    line.run("diary", "add", "mood=7", "--at", "2026-10-31")
    shown = line.run("diary", "show").output
    assert "2026-10-31  7" in shown
    assert "·█" in shown
    assert [each["id"] for each in json.loads(line.run("diary", "show", "--json").output)] == ["mood", "sleep"]
    empty = Line(days.parent / "other.db")
    empty.run("star", "add", "Tea")
    assert "No values yet" in empty.run("diary", "show").output


def test_what_is_missing_says_what_to_type(line: Line, days: Path) -> None:
    line.run("diary", "read", str(days))
    said = line.run("diary", "missing", "--at", "2026-11-01").output
    assert "Not told for 2026-11-01: mood, sleep" in said
    assert "asterism diary add mood=.. sleep=.." in said
    assert "sleep: 4 of 14 days (2026-10-29 to 2026-11-01); 4 days in a row" in said
    assert "Nothing is missing" in line.run("diary", "missing", "--at", "2026-10-28").output


def test_a_week_tells_what_changed_in_the_units_that_were_told(line: Line, tmp_path: Path) -> None:
    rows = [f"2026-10-{day:02},{7 if day > 21 else 5},4" for day in range(1, 29)]
    path = tmp_path / "days.csv"
    path.write_text("\n".join(["date,sleep,mood", *rows]) + "\n")
    line.run("diary", "read", str(path))
    said = line.run("week", "--at", "2026-10-28").output
    assert "The week 2026-10-22 to 2026-10-28" in said
    assert "sleep 5 -> 7 (+2, 7 days)" in said
    assert "About the same: mood." in said
    assert json.loads(line.run("week", "--at", "2026-10-28", "--json").output)["last"] == "2026-10-28"


def test_the_sample_is_read_at_once_and_never_written_over(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "mydays.csv"
    assert "90 days up to 2026-11-17" in line.run("diary", "sample", str(path), "--at", AT).output
    assert "90 rows" in line.run("diary", "read", str(path)).output
    assert "is there already" in line.run("diary", "sample", str(path), code=2).stderr
    spaced = tmp_path / "my days.csv"
    assert f"asterism diary read '{spaced}'" in " ".join(line.run("diary", "sample", str(spaced)).output.split())


def test_what_is_written_is_nothing_new_when_it_is_read(line: Line, days: Path, tmp_path: Path) -> None:
    line.run("diary", "read", str(days), "--scale", "mood=1..7")
    out = tmp_path / "out.csv"
    assert "2 stars, 29 days" in line.run("diary", "write", str(out)).output
    assert out.read_text().splitlines()[-1] == "2026-10-29,3,"
    assert "Nothing new." in line.run("diary", "read", str(out)).output
    assert "is there already" in line.run("diary", "write", str(out), code=2).stderr
    assert "cannot be written" in line.run("diary", "write", str(tmp_path / "none" / "out.csv"), code=2).stderr


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (("sleep=5", "sleep=6"), "'sleep' is told twice, 5 and 6\n  keep one of them"),
        (("sleep=5", "Sleep=6"), "'Sleep' and 'sleep' are one star, sleep\n  tell one value of it"),
        (("sleep=5", "--scale", "sleep=1..7", "--scale", "sleep=1..9"), "'sleep' is told twice, 1..7 and 1..9"),
        (("steps=1,234",), "'1,234' may be a thousand or a decimal number\n  write 1234 or 1.234"),
    ],
)
def test_what_may_mean_two_values_is_asked_for_and_not_written(line: Line, told: tuple[str, ...], said: str) -> None:
    line.run("diary", "add", "mood=4", "--at", "2026-11-03")
    assert said in line.run("diary", "add", *told, code=2).stderr
    assert [each["id"] for each in json.loads(line.run("diary", "show", "--json").output)] == ["mood"]


def test_a_value_is_written_as_it_may_stand_in_a_file(line: Line) -> None:
    line.run("diary", "add", "sleep=7:30", "ran=yes", "steps=12.345,5", "--at", "2026-11-03")
    told = json.loads(line.run("diary", "show", "--json").output)
    assert {each["id"]: each["values"][0]["value"] for each in told} == {"sleep": 7.5, "ran": 1.0, "steps": 12345.5}


def test_a_star_whose_id_holds_a_hash_is_listed_with_its_name(line: Line) -> None:
    line.run("diary", "add", "Schlaf (h)=7", "mood=4", "--at", AT)
    line.run("observe", "Schlaf (h)", "mood", "user_creates", "--at", AT)
    told = line.run("links", "--at", AT).output
    assert "schlaf-h-6e4ef1fe  Schlaf (h)" in told


def test_a_star_is_renamed_and_removed(line: Line) -> None:
    line.run("diary", "add", "Schlaf (h)=7", "mood=4", "--at", AT)
    assert (
        "Schlaf: 2 items of schlaf-h-6e4ef1fe told again" in line.run("diary", "rename", "Schlaf (h)", "Schlaf").output
    )
    assert "Schlaf" in line.run("diary", "show").output
    line.run("diary", "remove", "Schlaf", "--yes")
    assert "Schlaf" not in line.run("diary", "show").output
