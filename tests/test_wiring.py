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


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ("sqlite:///my%20mind.db", "my mind.db"),
        ("sqlite:////data/caf%C3%A9.db", "/data/café.db"),
        ("sqlite:///caf%E9.db", "caf\udce9.db"),  # one byte that is no UTF-8: the name that listing the folder gives
        ("sqlite:///what%3F%23.db", "what?#.db"),
        ("sqlite:///100%25.db", "100%.db"),
    ],
)
def test_percent_signs_of_a_url_are_decoded(told: str, meant: str) -> None:
    place = place_of(told)
    assert isinstance(place, SQLitePlace)
    assert place.path == Path(meant)


@pytest.mark.parametrize("told", ["sqlite:///a.db?mode=ro", "sqlite:///a.db#top", "sqlite:///?", "sqlite:////a?b/c.db"])
def test_a_url_that_says_more_than_a_path_is_refused(
    told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="read_only=True") as refused, Memory.open_sync(told, space="me"):
        pass
    assert (refused.value.code, refused.value.item) == ("bad_path", told)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("told", ["file:b.db", "file:///b.db", "FILE:b.db?mode=ro"])
def test_a_file_is_named_without_a_scheme(told: str) -> None:
    with pytest.raises(InputError, match="leave file: out") as refused:
        place_of(told)
    assert (refused.value.code, str(refused.value.item).lower()) == ("bad_path", told.lower())


@pytest.mark.parametrize("told", [":memory:", "memory:", "sqlite:///:memory:", Path(":memory:")])
def test_a_memory_of_this_process_is_a_new_one_each_time(told: str | Path) -> None:
    one, other = open_store(told), open_store(told)
    assert isinstance(one, InMemoryStore)
    assert one is not other
    assert one.place.open() is one
    assert (str(place_of(told)), place_of(told).exists(), one.place.exists()) == (":memory:", False, True)


@pytest.mark.parametrize(
    "told",
    [
        "C:\\mind.db",
        "C:/mind.db",
        "c:mind.db",
        "notes: a memory.db",
        "a b:c",
        "notes:",
        "my%20mind.db",
        "a.db?mode=ro",
        "a#1.db",
        "./file:b.db",
        Path("file:b.db"),
    ],
)
def test_what_is_no_url_is_a_path(told: str | Path) -> None:
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
