"""Parquet files give what the same rows give as CSV."""

from __future__ import annotations

import random
import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from asterism.core.levels.events import Malformed
from asterism.errors import InputError
from asterism.feeds import open_feed
from tests.support.feed_files import MS, bits, everything, told, write
from tests.support.memories import is_told_well

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def table(folder: Path, name: str = "rows.parquet", **columns: object) -> Path:
    path = folder / name
    pq.write_table(pa.table(columns), path)
    return path


def test_a_table_gives_what_the_same_rows_give_as_csv(tmp_path: Path) -> None:
    rows = [(MS + step, 100 + step / 7, 10.0 * step, ("buy", "sell")[step % 2]) for step in range(500)]
    at, price, usd, side = (list(column) for column in zip(*rows, strict=True))
    csv = "at_ms,price,usd,side\n" + "".join(f"{a},{p!r},{u!r},{s}\n" for a, p, u, s in rows)
    expected = everything(open_feed(write(tmp_path, csv)))[0]
    plain = table(tmp_path, at_ms=at, price=price, usd=usd, side=side)
    coded = table(tmp_path, "b", at_ms=at, price=price, usd=usd, side=pa.array(side).dictionary_encode())
    texts = table(tmp_path, "c", at_ms=[str(a) for a in at], price=[repr(p) for p in price], usd=usd, side=side)
    for path in (plain, coded, texts):
        feed = open_feed(path, rows=64)
        assert bits(everything(feed)[0]) == bits(expected)
        assert bits(everything(feed, 77)[0]) == bits(expected.take(slice(77, None)))
        assert feed.counts == {"rows": 500, "events": 500, "malformed": 0, "other_symbol": 0}
        assert feed.bytes_read == feed.total_bytes == path.stat().st_size
        assert str(feed.mapping).startswith("trades: kind=trade at=at_ms [ms]")


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_a_column_of_timestamps_says_its_unit(tmp_path: Path, unit: str) -> None:
    moments = pa.array([datetime(2024, 2, 12, tzinfo=UTC)], pa.timestamp(unit, tz="UTC"))
    events, _ = everything(open_feed(table(tmp_path, at=moments, price=[1.0], usd=[1])))
    assert events.at.tolist() == [1_707_696_000_000_000]
    naive = table(tmp_path, at=moments.cast(pa.timestamp(unit)), price=[1.0], usd=[1])
    with pytest.raises(InputError, match="names no time zone"):
        open_feed(naive)
    assert everything(open_feed(naive, unit="utc"))[0].at.tolist() == [1_707_696_000_000_000]


def test_a_unit_is_detected_or_declared(tmp_path: Path) -> None:
    path = table(tmp_path, at=[1.7e9 + 0.25], price=[Decimal("1.5")], usd=[1], side=[None])
    assert told(everything(open_feed(path))[0]) == [("trade", 1_700_000_000_250_000, 1.5, 1.0, "")]
    path = table(tmp_path, at=[7], price=[1], usd=[1])
    with pytest.raises(InputError, match="line 1"):
        open_feed(path)
    assert everything(open_feed(path, unit="s"))[0].at.tolist() == [7_000_000]


def test_bad_rows_are_named(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        id=[1, 2, 3, 4],
        price=[100.0, None, 100.0, 100.0],
        qty=[1.0, 1.0, 1.0, 1.0],
        quoteQty=[100.0, 100.0, None, 100.0],
        time=[MS, MS, MS, None],
        isBuyerMaker=[True, False, True, False],
    )
    events, malformed = everything(open_feed(path))
    assert told(events) == [("trade", MS * 1000, 100.0, 100.0, "bid")]
    assert malformed == [
        Malformed(2, "price '' is not a number"),
        Malformed(3, "a trade and a book event need usd"),
        Malformed(4, "time '' is not a time"),
    ]
    with pytest.raises(InputError, match="line 2"):
        everything(open_feed(path, strict=True))


def test_columns_are_declared_and_rows_sorted(tmp_path: Path) -> None:
    path = table(tmp_path, ts=[MS + 1, MS], px=[1, 2], times=["3", "x"], coin=["A", "A"], what=["a", "b"])
    mapping = "at=ts,price=px,n=times,kind=what/a:liquidation/b:liquidation,symbol=coin"
    events, malformed = everything(open_feed(path, mapping=mapping, sort=True))
    assert (events.n.tolist(), malformed) == ([3], [Malformed(2, "times 'x' is not a whole number")])
    feed = open_feed(path, mapping=mapping, symbol="B")
    assert (everything(feed)[0].size, feed.counts["other_symbol"]) == (0, 2)


def test_a_table_without_rows_gives_nothing(tmp_path: Path) -> None:
    path = table(
        tmp_path, at=pa.array([], pa.int64()), price=pa.array([], pa.float64()), usd=pa.array([], pa.float64())
    )
    assert list(open_feed(path).batches()) == []


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        open_feed(write(tmp_path, b"PAR1 and nothing else", "x.parquet"))


def test_without_pyarrow_the_line_to_install_it_is_shown(tmp_path: Path) -> None:
    path = table(tmp_path, at=[MS], price=[1], usd=[1])
    program = (
        f"import sys; sys.modules['pyarrow'] = None; from asterism.feeds import open_feed; open_feed({str(path)!r})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "pip install pyarrow" in done.stderr


def hurt(data: bytes, chance: random.Random) -> bytes:
    """Give the bytes of a file with some of them wrong, or without its end."""
    changed = bytearray(data)
    place = chance.randrange(4, len(data) - 1)
    match chance.choice(["bits", "cut", "zeros"]):
        case "bits":
            for _ in range(chance.choice([1, 3, 50])):
                changed[chance.randrange(4, len(data))] ^= 1 << chance.randrange(8)
        case "cut":
            del changed[place:]
        case _:
            changed[place : place + 100] = bytes(len(changed[place : place + 100]))
    return bytes(changed)


@pytest.mark.parametrize("packing", ["snappy", "gzip", "none"])
def test_a_damaged_table_is_told_and_never_by_a_stranger(tmp_path: Path, packing: str) -> None:
    whole = tmp_path / "whole.parquet"
    columns = {"at_ms": [MS + n for n in range(2_000)], "price": [float(n) for n in range(2_000)], "usd": [1.5] * 2_000}
    pq.write_table(pa.table(columns), whole, compression=packing, row_group_size=500)
    told_of = 0
    for seed in range(60):
        path = tmp_path / f"{seed}.parquet"
        path.write_bytes(hurt(whole.read_bytes(), random.Random(seed)))
        try:
            everything(open_feed(path))
        except InputError as error:
            told_of += error.code == "damaged_file" and is_told_well(error)
    assert told_of > 20


def test_a_table_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = table(tmp_path, at_ms=[MS + n for n in range(50_000)], price=[1.0] * 50_000, usd=[1.0] * 50_000)
    for most in (1_000, 500_000):  # what it says of itself; what comes out of it
        with pytest.raises(InputError, match=f"more than {most:,} bytes") as refused:
            everything(open_feed(path, max_bytes=most))
        assert refused.value.code == "too_large"
    assert everything(open_feed(path, max_bytes=2**21))[0].size == 50_000
