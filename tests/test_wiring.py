"""Which store a path or a URL means."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from asterism import Memory
from asterism.errors import InputError
from asterism.store.in_memory import InMemoryStore
from asterism.store.sqlite import SQLitePlace
from asterism.wiring import open_store, place_of

CLOCK = datetime(2026, 9, 30, 12, tzinfo=UTC)


def stars(told: str | Path) -> list[str]:
    with Memory.open_sync(told, space="me", clock=CLOCK, read_only=True) as memory:
        return [star.name for star in memory.stars()]


def test_a_path_and_a_url_mean_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Memory.open_sync("sqlite:///mind.db", space="me", clock=CLOCK) as memory:
        memory.add_star("Sleep", domain="health")
    assert [each.name for each in tmp_path.iterdir()] == ["mind.db"]
    for told in ("mind.db", Path("mind.db"), f"sqlite:///{tmp_path}/mind.db", "SQLite:///mind.db"):
        assert stars(told) == ["Sleep"]


def test_a_url_may_be_merged(tmp_path: Path) -> None:
    with Memory.open_sync(tmp_path / "theirs.db", space="me", clock=CLOCK) as memory:
        memory.add_star("Sleep", domain="health")
    with Memory.open_sync("memory:", space="me", clock=CLOCK) as memory:
        assert memory.merge(f"sqlite:///{tmp_path}/theirs.db").added == 1


@pytest.mark.parametrize("told", [":memory:", "memory:", Path(":memory:")])
def test_a_memory_of_this_process_is_a_new_one_each_time(told: str | Path) -> None:
    one, other = open_store(told), open_store(told)
    assert isinstance(one, InMemoryStore)
    assert one is not other
    assert one.place.open() is one
    assert (str(place_of(told)), place_of(told).exists(), one.place.exists()) == (":memory:", False, True)


@pytest.mark.parametrize("told", ["C:\\mind.db", "C:/mind.db", "c:mind.db", "notes: a memory.db", "a b:c", "notes:"])
def test_what_is_no_url_is_a_path(told: str) -> None:
    place = place_of(told)
    assert isinstance(place, SQLitePlace)
    assert place.path == Path(told)


@pytest.mark.parametrize("told", ["postgresql://ada:secret@host/mind", "mysql://host", "http://host/mind.db"])
def test_an_unknown_scheme_is_refused_with_those_there_are(told: str) -> None:
    with pytest.raises(InputError) as refused, Memory.open_sync(told, space="me"):
        pass
    assert refused.value.code == "bad_path"
    assert "sqlite:///mind.db, memory:" in str(refused.value)
    assert told.partition(":")[0] in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("told", ["sqlite:", "sqlite:mind.db", "sqlite://mind.db", "sqlite:///", "memory:me"])
def test_a_url_that_names_nothing_is_refused(told: str) -> None:
    with pytest.raises(InputError) as refused:
        place_of(told)
    assert (refused.value.code, refused.value.item) == ("bad_path", told)
