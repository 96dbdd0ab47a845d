"""`asterism market`: feed files, ask for levels, draw them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.support.command_line import Line

HEADER = "t_logged_ms,t_update_ms,symbol,side,size,price\n"


@pytest.fixture
def liquidations(tmp_path: Path) -> Path:
    path = tmp_path / "liquidations.csv.gz"
    rows = [
        f"{at + 5},{at},BTC,Buy,0.5,{price}\n"
        for at, price in ((1_700_000_000_000, 50_000), (1_700_000_060_000, 50_010))
    ]
    path.write_bytes(gzip.compress((HEADER + "".join(rows) + "not,a,row\n").encode()))
    return path


@pytest.fixture
def fed(line: Line, liquidations: Path) -> Line:
    line.run("market", "feed", str(liquidations), "--symbol", "BTC")
    return line


def test_a_file_is_fed_with_its_mapping_stated_and_its_bad_rows_named(line: Line, liquidations: Path) -> None:
    told = line.run("market", "feed", str(liquidations), "--symbol", "BTC").output
    assert "bybit_liquidations: kind=liquidation at=t_update_ms [ms]" in told
    assert "2 events used; created 1, boosted 1, malformed 1" in " ".join(told.split())
    assert "line 4:" in told


def test_feeding_it_again_counts_nothing_twice(fed: Line, liquidations: Path) -> None:
    again = fed.json("market", "feed", str(liquidations), "--symbol", "BTC")
    assert (again["used"], again["skipped"]) == (0, 2)
    assert fed.json("market", "symbols")[0]["events"] == 2


def test_a_strict_feed_stops_at_the_bad_row(line: Line, liquidations: Path) -> None:
    failed = line.run("market", "feed", str(liquidations), "--symbol", "BTC", "--strict", code=2)
    assert "4" in failed.stderr


def test_levels_are_shown_and_explained(fed: Line) -> None:
    assert "50,000" in fed.run("market", "levels", "BTC").output
    (level,) = fed.json("market", "levels", "BTC")
    why = fed.json("why", level["id"])
    assert why["total"] == pytest.approx(level["strength"], abs=1e-9)
    assert sum(each["value"] for each in why["lines"]) == pytest.approx(why["total"], abs=1e-9)


@pytest.mark.parametrize("shape", ["--clusters", "--gaps", "--density", "--archived"])
def test_levels_have_other_shapes(fed: Line, shape: str) -> None:
    assert isinstance(fed.json("market", "levels", "BTC", shape), list)
    fed.run("market", "levels", "BTC", shape)


def test_nearest_shows_both_sides_of_a_price(fed: Line) -> None:
    assert "◀ here" in fed.run("market", "nearest", "BTC", "50100").output
    assert "◀ here" in fed.run("market", "nearest", "BTC", "49000").output
    assert [each["price"] for each in fed.json("market", "nearest", "BTC", "50100")["below"]] == [50_000.0]


@pytest.mark.parametrize("name", ["map.html", "map.png"])
def test_replay_draws_a_heat_map(fed: Line, tmp_path: Path, name: str) -> None:
    plot = tmp_path / name
    told = fed.run("market", "replay", "BTC", "--plot", str(plot), "--steps", "20").output
    assert name in told
    assert plot.stat().st_size > 1_000
    start = plot.read_bytes()[:15]
    assert start.startswith(b"\x89PNG" if name.endswith("png") else b"<!doctype html>")


def test_a_page_asks_for_nothing_from_outside(fed: Line, tmp_path: Path) -> None:
    plot = tmp_path / "map.html"
    fed.run("market", "replay", "BTC", "--plot", str(plot))
    page = plot.read_text()
    assert "://" not in page
    assert "BTC@50000.0" in page


def test_what_is_wrong_is_said_with_the_repair(fed: Line, tmp_path: Path) -> None:
    assert "market symbols" in fed.run("market", "levels", "ETH", code=3).stderr
    assert "did you mean BTC@50000.0?" in fed.run("why", "BTC@1.0", code=3).stderr
    assert "market levels" in fed.run("why", "BTC@high", code=3).stderr
    assert "strength" in fed.run("why", "BTC@50,000.0").output
    assert (
        "cannot be written" in fed.run("market", "replay", "BTC", "--plot", str(tmp_path / "no/a.html"), code=2).stderr
    )
    assert ".html or .png" in fed.run("market", "replay", "BTC", "--plot", str(tmp_path / "a.gif"), code=2).stderr
    assert "is not there" in fed.run("market", "feed", str(tmp_path / "none.csv"), "--symbol", "X", code=2).stderr


def trades(path: Path, start: int, *, step: int = 1_000, price: float = 100.0, rows: int = 40) -> Path:
    lines = [f"{start + step * row},{price + row % 3},{2_000 + row}" for row in range(rows)]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["at,price,usd", *lines, ""]))
    return path


def test_a_file_is_known_by_its_first_event_not_by_its_name(line: Line, tmp_path: Path) -> None:
    one = trades(tmp_path / "one" / "t.csv", 1_700_000_000_000)
    other = trades(tmp_path / "two" / "t.csv", 1_700_086_400_000, price=120.0)
    copy = tmp_path / "copy.csv"
    copy.write_bytes(one.read_bytes())
    used = [line.json("market", "feed", str(path), "--symbol", "X")["used"] for path in (one, other, copy)]
    assert used == [40, 40, 0]
    assert line.json("market", "symbols")[0]["events"] == 80


def test_an_older_file_after_a_newer_one_is_reported_as_used(line: Line, tmp_path: Path) -> None:
    newer = trades(tmp_path / "b.csv", 1_700_086_400_000)
    older = trades(tmp_path / "a.csv", 1_700_000_000_000)
    line.run("market", "feed", str(newer), "--symbol", "X")
    told = line.run("market", "feed", str(older), "--symbol", "X").output
    assert "40 events used" in " ".join(told.split())
    assert "folded anew" in told


def test_a_file_in_no_order_is_refused_before_anything_is_stored(line: Line, tmp_path: Path) -> None:
    path = trades(tmp_path / "t.csv", 1_700_000_000_000, step=-1_000)
    assert "--sort" in line.run("market", "feed", str(path), "--symbol", "X", code=2).stderr
    assert line.json("market", "feed", str(path), "--symbol", "X", "--sort")["used"] == 40


def test_a_unit_that_cannot_be_is_refused(line: Line, tmp_path: Path) -> None:
    path = trades(tmp_path / "t.csv", 1_700_000_000_000)
    failed = line.run("market", "feed", str(path), "--symbol", "X", "--unit", "s", code=2)
    assert "declare ms" in failed.stderr


def test_a_file_of_bad_rows_alone_says_which(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("at,price,usd\n1700000000000,-1,5\n")
    assert "line 2" in line.run("market", "feed", str(path), "--symbol", "X", code=2).stderr.replace("row", "line")


def test_nothing_fed_says_how_to_begin(line: Line) -> None:
    line.run("star", "add", "Sleep", "--domain", "health")
    assert "market feed" in line.run("market", "symbols").output
