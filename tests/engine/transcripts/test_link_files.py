"""Causal links come in pages and go into files: all of them, once, as they are."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest

from asterism.core.dialogue.lines import Line
from asterism.core.dialogue.links import CausalLink
from asterism.errors import AsterismError
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import DAY, NOON, AnyMemory, is_told_well, remembering

LINES = [
    Line(n, "Ann" if n % 2 == 0 else "DM", f'I open, "door" {n}.\nNow.' if n % 2 == 0 else "Hm.") for n in range(14)
]


@pytest.fixture
def memory() -> AnyMemory:
    memory = remembering(InMemoryStore()).__enter__()
    for session, chunks in (("One", [("hall", 0, 3), ("yard", 8, 9)]), ("Two", None)):
        memory.read_transcript(LINES, session=session, chunks=chunks, started_at=NOON - DAY)
    return memory


def read_back(path: Path) -> list[tuple[CausalLink, str]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(CausalLink(**{name: row[name] for name in CausalLink._fields}), row["event"]) for row in rows]


@pytest.mark.parametrize("limit", [1, 3, 7, 14, 20])
def test_pages_make_the_whole(memory: AnyMemory, limit: int) -> None:
    whole, pages, last = memory.causal_links(), [], None
    while page := memory.causal_links(limit=limit, after=last):
        assert len(page) <= limit
        pages += page
        last = page[-1].id
    assert pages == whole
    assert len(whole) == 14


def test_what_is_no_page_is_refused(memory: AnyMemory) -> None:
    other = memory.causal_links("Two")[0].id
    wrong = {"unknown_link": {"session": "One", "after": other}, "bad_limit": {"limit": 0}, "bad_text": {"after": 5}}
    for code, asked in wrong.items():
        with pytest.raises(AsterismError) as caught:
            memory.causal_links(**asked)
        assert caught.value.code == code
        assert is_told_well(caught.value)


def test_a_file_holds_every_link_with_its_event(memory: AnyMemory, tmp_path: Path) -> None:
    written = memory.write_causal_links(tmp_path / "links.jsonl")
    assert (written.files, written.links) == ((str(tmp_path / "links.jsonl"),), 14)
    back = read_back(tmp_path / "links.jsonl")
    assert [link for link, _ in back] == memory.causal_links()
    for event in ("hall", "yard"):
        assert [link for link, of in back if of == event] == memory.causal_links("One", event=event) != []
    memory.write_causal_links(tmp_path / "some.csv", "One", event="hall")
    with (tmp_path / "some.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    links = memory.causal_links("One", event="hall")
    assert [(row["id"], row["intent_text"], row["claimed"], row["event"]) for row in rows] == [
        (link.id, link.intent_text, str(int(link.claimed)), "hall") for link in links
    ]
    assert [float(row["score"]) for row in rows] == [link.score for link in links]


def test_several_files_hold_what_one_would(memory: AnyMemory, tmp_path: Path) -> None:
    written = memory.write_causal_links(tmp_path / "links.jsonl", per_file=4)
    assert [Path(name).name for name in written.files] == [f"links-000{n}.jsonl" for n in range(1, 5)]
    memory.write_causal_links(tmp_path / "links.jsonl.gz")
    one = gzip.decompress((tmp_path / "links.jsonl.gz").read_bytes())
    assert b"".join(Path(name).read_bytes() for name in written.files) == one
    empty = memory.write_causal_links(tmp_path / "none.csv", types="roll", per_file=4)
    assert [Path(name).name for name in empty.files] == ["none-0001.csv"]


def test_all_files_appear_or_none(memory: AnyMemory, tmp_path: Path) -> None:
    (tmp_path / "links-0002.jsonl").write_text("mine")
    for code, target, more in (
        ("file_exists", "links.jsonl", {"per_file": 4}),
        ("unknown_format", "links.xml", {}),
        ("unknown_format", "links", {}),
        ("bad_per_file", "links.csv", {"per_file": 0}),
        ("unknown_session", "links.csv", {"session": "Three"}),
    ):
        with pytest.raises(AsterismError) as caught:
            memory.write_causal_links(tmp_path / target, **more)
        assert caught.value.code == code
        assert is_told_well(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["links-0002.jsonl"]
    memory.write_causal_links(tmp_path / "links.jsonl", per_file=4, force=True)
    assert len(list(tmp_path.iterdir())) == 4


def test_too_many_files_are_refused(memory: AnyMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asterism.engine.transcripts.link_files.MOST_FILES", 3)
    with pytest.raises(AsterismError, match="14 links by 4 would be 4 files") as caught:
        memory.write_causal_links(tmp_path / "links.csv", per_file=4)
    assert caught.value.code == "bad_per_file"
    assert list(tmp_path.iterdir()) == []
