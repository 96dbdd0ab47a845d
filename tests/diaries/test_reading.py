"""Reading diaries: whatever shape a file has, the same values; what is wrong is named by row and column."""

from __future__ import annotations

from datetime import date, time
from pathlib import Path

import pytest

from asterism.diaries.reading import Choices, Diary, read_path, read_rows
from asterism.errors import InputError

WANTED = {("sleep", 3): 6.5, ("sleep", 14): 7.0, ("mood", 3): 4.0}
WIDE = "date,sleep,mood,note\n2026-11-03,6.5,4,slept badly\n2026-11-14,7,,\n"


def read(tmp_path: Path, text: str, *, encoding: str = "utf-8", **chosen: object) -> Diary:
    path = tmp_path / "days.csv"
    path.write_bytes(text.encode(encoding))
    return read_path(path, Choices(**chosen))  # type: ignore[arg-type]  # as chosen


def told(diary: Diary) -> dict[tuple[str, int], float]:
    return {(entry.star, entry.day.day): entry.value for entry in diary.entries}


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (WIDE, "utf-8"),
        (WIDE, "utf-8-sig"),
        (WIDE.replace("\n", "\r\n"), "utf-8"),
        ("\ufeff" + WIDE.replace(",", "\t"), "utf-16-le"),
        ("Tag;sleep;mood;Müdigkeit\n3.11.2026;6,5;4;groß\n14.11.2026;7;;\n", "cp1252"),
        ("sep=;\nTag;sleep;mood\n3.11.26;6,5;4\n14.11.26;7,0;-\n", "utf-8"),
        ("date,sleep,mood\n11/3/2026,6:30,4\n11/14/2026,7,NA\n", "utf-8"),
        ("date,sleep,mood\n03/11/2026,6.5,4\n14/11/2026,7,nan\n", "utf-8"),
        ("day,sleep,mood\nNov 3, 2026,6.5,4\n", "utf-8"),
        ("sleep,mood,when\n6.5,4,Tue 3 November 2026\n7,,Sat 14 November 2026\n", "utf-8"),
        ("date,star,value\n2026-11-03,sleep,6.5\n2026-11-03,mood,4\n2026-11-14,sleep,7\n", "utf-8"),
        ("at|what|unit|score\n20261103|sleep|h|6.5\n20261103|mood|-|4\n20261114|sleep|h|7\n", "utf-8"),
    ],
)
def test_every_shape_gives_the_same_values(tmp_path: Path, text: str, encoding: str) -> None:
    text = text.replace("Nov 3, 2026,", '"Nov 3, 2026",')
    found = told(read(tmp_path, text, encoding=encoding))
    assert found == {place: value for place, value in WANTED.items() if place in found}
    assert {("sleep", 3), ("mood", 3)} <= found.keys()


def test_a_column_without_numbers_is_left_out_and_said(tmp_path: Path) -> None:
    diary = read(tmp_path, WIDE)
    assert diary.left_out == ("note",)
    assert diary.empty == 1
    assert diary.layout == "wide"


def test_a_long_file_may_tell_several_values_of_a_day(tmp_path: Path) -> None:
    text = "timestamp,habit,score\n" + "".join(
        f"2026-11-0{day}T{clock}:00+02:00,{star},{score}\n"
        for day in (3, 4)
        for star in ("Mood", "Energy")
        for clock, score in (("21:40", 3), ("08:15", 1))
    )
    diary = read(tmp_path, text)
    assert diary.layout == "long"
    assert [(entry.time, entry.value) for entry in diary.entries[:2]] == [(time(21, 40), 3), (time(8, 15), 1)]
    for several, value in (("last", 3.0), ("mean", 2.0), ("sum", 4.0)):
        once = read(tmp_path, text, several=several)
        assert [(entry.time, entry.value) for entry in once.entries] == [(None, value)] * 4


def test_a_time_of_day_may_stand_in_a_column_of_its_own(tmp_path: Path) -> None:
    diary = read(tmp_path, "date,time,mood\n2026-11-03,7:05 pm,4\n2026-11-03,8:00,3\n")
    assert [entry.time for entry in diary.entries] == [time(19, 5), time(8)]


def test_rows_of_a_program_are_read_as_a_file_is() -> None:
    rows = [{"date": date(2026, 11, 3), "ran": True, "sleep": 6.5}, {"date": "2026-11-04", "mood": 4, "ran": None}]
    diary = read_rows(rows, Choices())
    assert told(diary) == {("ran", 3): 1.0, ("sleep", 3): 6.5, ("mood", 4): 4.0}
    assert [entry.cell.row for entry in diary.entries] == [1, 1, 2]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("Date,Sleep\n11/03/2026,7\n11/04/2026,6\n", "unsure_dates", "dmy or mdy"),
        ("Date,Sleep\n13/03/2026,7\n03/14/2026,6\n", "mixed_dates", "row 3, column 'Date'"),
        ("Date,Sleep,Mood\n2026-11-03,7,4\n2026-11-04,six,3\n", "no_number", "row 3, column 'Sleep': 'six'"),
        ("Date,Sleep\n2026-11-03,7\n2026-13-04,6\n2026-11-05,6\n", "no_date", "row 3, column 'Date'"),
        ("Date,Sleep\n2026-11-03,7\n,6\n", "no_date", "row 3, column 'Date'"),
        ("Date,Sleep\n2026-11-03,7,9\n", "bad_row", "row 2"),
        ("Date,Sleep\n2026-11-03,7\n2026-11-03,6\n", "two_values", "7 in row 2 and 6 in row 3"),
        ("a,b\n1,2\n3,4\n", "no_dates", "--date|date"),
        ("2026-11-03,7\n2026-11-04,6\n", "no_header", "row of names"),
        ("", "no_diary", "no columns"),
        ("date,sleep\n", "no_diary", "no rows"),
        ("date,sleep\n2026-11-03,\n", "no_diary", "no values"),
        ("date;steps\n3.11.2026;12.345\n4.11.2026;9.876\n", "unsure_decimals", "row 2, column 'steps'"),
        ("date;a;b\n3.11.2026;1,5;2.5\n", "mixed_decimals", "row 2, column 'b'"),
        ('date,mood\n2026-11-03,"9\n2026-11-04,3\n', "bad_row", "close the quotes"),
        ("date,mood,mood\n2026-11-03,9,3\n", "same_column", "two columns 'mood'"),
        ("date,star,value\n2026-11-03,mood,9\n2026-11-03,,3\n", "bad_cell", "row 3, column 'value'"),
        ("date,mood\n2026-11-03,\0\n", "no_diary", "no text"),
    ],
)
def test_what_is_wrong_is_named_with_its_place_and_its_repair(tmp_path: Path, text: str, code: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, text)
    assert refused.value.code == code
    assert any(word in str(refused.value) for word in said.split("|"))
    assert refused.value.hint


def test_what_is_unsure_can_be_chosen(tmp_path: Path) -> None:
    text = "Date,Sleep\n11/03/2026,7\n"
    assert told(read(tmp_path, text, dates="mdy")) == {("Sleep", 3): 7.0}
    assert told(read(tmp_path, text, dates="dmy")) == {("Sleep", 11): 7.0}
    steps = "date;steps\n3.11.2026;12.345\n"
    assert told(read(tmp_path, steps, decimal="comma")) == {("steps", 3): 12345.0}
    assert told(read(tmp_path, steps, decimal="dot")) == {("steps", 3): 12.345}
    odd = "day,who,x,y\n2026-11-03,mood,1,2\n2026-11-03,sleep,3,4\n"
    assert told(read(tmp_path, odd, star="who", value="y")) == {("mood", 3): 2.0, ("sleep", 3): 4.0}
    assert told(read(tmp_path, WIDE, columns=("mood",))) == {("mood", 3): 4.0}


@pytest.mark.parametrize("chosen", [{"date": "dat"}, {"star": "who"}, {"columns": ("moood",)}])
def test_a_column_that_is_not_there_says_which_are(tmp_path: Path, chosen: dict[str, object]) -> None:
    with pytest.raises(InputError, match="mood") as refused:
        read(tmp_path, WIDE, **chosen)  # type: ignore[arg-type]  # as chosen
    assert refused.value.code == "unknown_column"


def test_a_file_that_is_not_there_or_no_text_is_said(tmp_path: Path) -> None:
    for path, said in ((tmp_path / "none.csv", "is not there"), (tmp_path, "is a folder")):
        with pytest.raises(InputError, match=said):
            read_path(path, Choices())
    (tmp_path / "odd.csv").write_bytes(b"\x81\x8d\x00\x01")
    with pytest.raises(InputError, match="no text"):
        read_path(tmp_path / "odd.csv", Choices())


@pytest.mark.parametrize(
    ("text", "stars", "left_out"),
    [
        ("date,sleep,type\n2026-11-03,6,workday\n2026-11-04,7,workday\n2026-11-07,9,weekend\n", {"sleep"}, ("type",)),
        ("date,name,sleep\n2026-11-03,Bob,6\n2026-11-04,Bob,7\n", {"sleep"}, ("name",)),
        ("at,name,mood\n2026-11-03 08:00,Bob,6\n2026-11-03 20:00,Bob,7\n", {"mood"}, ("name",)),
        ("date,sleep,type\n2026-11-03,6,workday\n2026-11-03,6,workday\n2026-11-07,9,weekend\n", {"sleep"}, ("type",)),
    ],
)
def test_a_text_that_says_something_of_a_day_names_no_stars(
    tmp_path: Path, text: str, stars: set[str], left_out: tuple[str, ...]
) -> None:
    diary = read(tmp_path, text)
    assert (diary.layout, {entry.star for entry in diary.entries}, diary.left_out) == ("wide", stars, left_out)


@pytest.mark.parametrize(
    "text",
    [
        "date,type,count\n2026-11-03,run,6\n2026-11-04,swim,7\n",  # the headers of a long file, the days of a wide one
        "at,place,mood\n2026-11-03 08:00,home,6\n2026-11-03 20:00,work,7\n2026-11-04 20:00,work,7\n2026-11-05,home,3\n",
    ],
)
def test_where_a_text_may_name_stars_or_not_somebody_chooses(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"layout= long .* wide") as refused:
        read(tmp_path, text)
    assert refused.value.code == "unsure_layout"
    named, valued = text.split("\n", 1)[0].split(",")[1:]
    assert {entry.star for entry in read(tmp_path, text, layout="wide").entries} == {valued}
    chosen = read(tmp_path, text, layout="long", star=named, value=valued)
    assert len({entry.star for entry in chosen.entries}) == 2


def test_only_a_year_of_two_digits_gets_a_century(tmp_path: Path) -> None:
    for written, year in (("3.11.26", 2026), ("3.11.0026", 26), ("0001-11-03", 1)):
        (entry,) = read(tmp_path, f"date,sleep\n{written},7\n").entries
        assert entry.day == date(year, 11, 3)


@pytest.mark.parametrize(
    ("first", "chosen", "where"),
    [("sep=;;\n", None, "row 1"), ('sep="\n', None, "row 1"), ("", "xx", "delimiter"), ("", "\n", "delimiter")],
)
def test_what_separates_no_columns_is_refused(tmp_path: Path, first: str, chosen: str | None, where: str) -> None:
    with pytest.raises(InputError, match=f"{where}: .* separates no columns") as refused:
        read(tmp_path, first + "date;sleep\n2026-11-03;7\n", delimiter=chosen)
    assert (refused.value.code, refused.value.item) == ("bad_delimiter", where)


def test_a_tab_may_be_written_as_programs_write_it(tmp_path: Path) -> None:
    assert told(read(tmp_path, "sep=\\t\ndate\tsleep\n2026-11-03\t7\n")) == {("sleep", 3): 7.0}


def test_a_cell_that_is_too_long_is_not_told_to_be_an_open_quote(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="row 2: a cell has more than 131,072 characters") as refused:
        read(tmp_path, f"date,sleep\n2026-11-03,{'1' * 140_000}\n")
    assert (refused.value.hint or "").startswith("shorten it")


# Units, and what a newcomer's file has beside numbers


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("7h 30m", "45 min", "8 h"), [7.5, 0.75, 8.0]),
        (("80.1 kg", "80 kg", "79,9 kg"), None),
        (("80,1 kg", "80 kg", "79,9 kg"), [80.1, 80.0, 79.9]),
        (("80.1kg", "80", "79.9 KG"), [80.1, 80.0, 79.9]),
        (("21.5 °C", "20 °C", "-1 °C"), [21.5, 20.0, -1.0]),
    ],
)
def test_a_unit_that_all_numbers_of_a_column_have_is_left_away(
    tmp_path: Path, cells: tuple[str, ...], values: list[float] | None
) -> None:
    rows = "".join(f"2026-11-0{day};{cell}\n" for day, cell in enumerate(cells, start=1))
    if values is None:
        with pytest.raises(InputError, match="has decimals after a dot, row 4"):
            read(tmp_path, f"date;x\n{rows}")
    else:
        assert [entry.value for entry in read(tmp_path, f"date;x\n{rows}").entries] == values


@pytest.mark.parametrize("cells", [("3 eggs", "tired"), ("80 kg", "176 lb"), ("2 l", "a lot"), ("m", "h")])
def test_words_and_several_units_are_no_numbers_and_are_named_with_what_stands_there(
    tmp_path: Path, cells: tuple[str, str]
) -> None:
    found = read(tmp_path, f"date,x,mood\n2026-11-01,{cells[0]},4\n2026-11-02,{cells[1]},5\n")
    assert (found.left_out, found.examples) == (("x",), (cells[0],))


def test_days_with_values_of_several_times_are_counted(tmp_path: Path) -> None:
    text = "date,time,star,value\n2026-11-03,8:00,mood,4\n2026-11-03,20:00,mood,5\n2026-11-03,20:00,tea,1\n"
    assert read(tmp_path, text).several == 1
    assert read(tmp_path, text, several="mean").several == 0
