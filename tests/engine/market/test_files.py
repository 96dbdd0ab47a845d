"""Files that are fed to a memory: each is read once, and known by its first event alone or among others."""

from __future__ import annotations

from pathlib import Path

import pytest

from asterism.engine.market import files as market_files
from asterism.engine.memory import Memory
from asterism.errors import InputError
from asterism.feeds import Feed, open_feed
from tests.support.batches import START
from tests.support.markets import run

MAPPING = "at=at,price=price,usd=usd,kind=trade"


def write(path: Path, *rows: str) -> Path:
    path.write_text("\n".join(["at,price,usd", *rows]) + "\n")
    return path


@pytest.fixture
def later(tmp_path: Path) -> Path:
    return write(tmp_path / "later.csv", f"{START + 60},100.0,5000", f"{START + 20},101.0,5000")


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    return write(tmp_path / "earlier.csv", f"{START},102.0,5000", f"{START + 30},103.0,5000")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read, each time from the start."""
    names: list[str] = []

    class Noting(Feed):
        def batches(self, start: int = 0):  # type: ignore[no-untyped-def]  # as it was
            names.append(self.name)
            return super().batches(start)

    def opening(*args: object, **how: object) -> Feed:
        feed = open_feed(*args, **how)  # type: ignore[arg-type]  # what was asked
        feed.__class__ = Noting
        return feed

    monkeypatch.setattr(market_files, "open_feed", opening)
    return names


def test_one_file_is_read_once(later: Path, reads: list[str]) -> None:
    async def work(memory: Memory) -> None:
        report = await memory.feed_file("X", later, mapping=MAPPING, unit="s", sort=True)
        assert (report.used, report.created) == (2, 2)
        assert reads == ["later.csv"]
        again = await memory.feed_file("X", later, mapping=MAPPING, unit="s", sort=True)
        assert (again.used, again.skipped, again.source) == (0, 2, report.source)

    run(work)


def test_a_file_is_known_by_the_same_mark_alone_and_among_others(later: Path, earlier: Path) -> None:
    async def work(memory: Memory) -> None:
        alone = await memory.feed_file("X", later, mapping=MAPPING, unit="s", sort=True)
        both = await memory.feed_file("Y", later, earlier, mapping=MAPPING, unit="s", sort=True)
        assert alone.source in both.source.split(" + ")
        with pytest.raises(InputError) as refused:
            await memory.feed_file("X", earlier, later, mapping=MAPPING, unit="s", sort=True)
        assert (refused.value.code, refused.value.item) == ("fed_already", "later.csv")

    run(work)


def test_files_without_an_event_are_known_by_nothing(tmp_path: Path, later: Path) -> None:
    empty = write(tmp_path / "empty.csv")

    async def work(memory: Memory) -> None:
        assert (await memory.feed_file("X", empty, mapping=MAPPING, unit="s")).source == ""
        alone = await memory.feed_file("X", later, mapping=MAPPING, unit="s", sort=True)
        both = await memory.feed_file("Y", empty, later, mapping=MAPPING, unit="s", sort=True)
        assert both.source == alone.source
        bad = write(tmp_path / "bad.csv", "never,100.0,5000")
        with pytest.raises(InputError) as refused:
            await memory.feed_file("X", bad, mapping=MAPPING, unit="s")
        assert refused.value.code == "malformed_row"

    run(work)
