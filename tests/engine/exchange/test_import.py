"""Import: what was exported comes back to the bit; one bad line and nothing is written; what was erased stays so."""

from __future__ import annotations

import gzip
import io
import json
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings

from asterism.core.ledger.calendar import MICROS_PER_DAY as DAY_MICROS
from asterism.core.ledger.calendar import to_micros
from asterism.core.ledger.items import Item, Payload, make_item
from asterism.engine.space.collecting import AT_ONCE
from asterism.errors import AsterismError, InputError
from asterism.formats.ledger import item_line
from asterism.store.in_memory import InMemoryStore
from asterism.store.port import Store
from asterism.store.sqlite import SQLiteStore
from tests.support.exchanging import projection_of, shuffled, tell_all_kinds
from tests.support.memories import DAY, NOON, AnyMemory, by_hand, contents, erase_items, is_told_well, remembering
from tests.support.paths import ROOT
from tests.support.stores import STORES, place_of
from tests.support.strategies import ledgers

Answers = tuple[object, ...]


def answers(memory: AnyMemory) -> Answers:
    """Ask a memory a bit of everything."""
    hits = [(hit.id, hit.score) for hit in memory.recall("water in the garden").hits]
    verified = memory.verify()
    assert verified.ok, verified.differences
    links, levels = memory.links(), memory.levels("BTCUSDT")
    return verified.digest, hits, links, levels, memory.causal_links(), memory.blocks(), memory.stats().items


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Store, Answers]:
    """A ledger file of a memory with everything in it, its store, and what it answers."""
    folder = tmp_path_factory.mktemp("told")
    store = InMemoryStore()
    with remembering(store) as memory:
        tell_all_kinds(memory, folder)
        memory.export(folder / "plain.jsonl")
        memory.export(folder / "full.jsonl.gz", vectors=True)
        return folder, store, answers(memory)


@pytest.mark.parametrize("kind", STORES)
@pytest.mark.parametrize("name", ["plain.jsonl", "full.jsonl.gz"])
def test_what_was_exported_comes_back_to_the_bit(
    told: tuple[Path, Store, Answers], tmp_path: Path, kind: str, name: str
) -> None:
    folder, store, expected = told
    place = place_of(kind, tmp_path)
    with remembering(place) as memory:
        seen: list[float] = []
        imported = memory.import_(folder / name, progress=lambda share, _: seen.append(share))
        assert imported.added == len(contents(store))
        assert (imported.duplicates, imported.left_out) == (0, 0)
        assert bool(imported.vectors) == (name == "full.jsonl.gz")
        assert memory.export().text == (folder / "plain.jsonl").read_text(encoding="utf-8")
        assert memory.export(vectors=True).counts["vectors"] == imported.vectors
        assert answers(memory) == expected
        again = memory.import_(folder / "plain.jsonl")
        assert (again.added, again.duplicates) == (0, imported.added)
    if kind == "sqlite":
        with remembering(place) as memory:
            assert answers(memory) == expected


@settings(max_examples=6)
@given(ledgers(most_days=20, most_stories=2))
def test_any_ledger_comes_back(items: list[Item]) -> None:
    first, second = shuffled(items, 1) if items else InMemoryStore(), InMemoryStore()
    with remembering(first) as memory:
        text = memory.export().text
    with remembering(second) as memory:
        memory.import_(io.BytesIO(text.encode()))
        assert memory.export().text == text
        assert memory.verify().ok
    assert contents_of(second) == contents_of(first)
    assert projection_of(second) == projection_of(first)


def contents_of(store: Store) -> list[Item]:
    return [stored.item for stored in contents(store)]


def test_a_dream_after_an_import_is_the_dream_it_would_have_been() -> None:
    stores = [InMemoryStore(), InMemoryStore()]
    with remembering(stores[0]) as memory:
        for number in range(12):
            memory.learn(f"The garden needs water in the morning of day {number}", tags=["garden"], at=NOON - DAY)
        text = memory.export().text
        memory.dream()
    with remembering(stores[1]) as memory:
        memory.import_(io.BytesIO(text.encode()))
        memory.dream()
        assert memory.verify().ok
    assert contents_of(stores[0]) == contents_of(stores[1])
    assert any(item.what == "dreamed" for item in contents_of(stores[1]))


def test_two_memories_become_one_whoever_imports(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    with remembering(InMemoryStore()) as first, remembering(InMemoryStore()) as second:
        for memory, name in ((first, "Sleep"), (second, "Mood")):
            memory.add_star("Work", domain="soul", at=NOON - 9 * DAY)
            memory.add_star(name, domain="soul", at=NOON - 9 * DAY)
        first.observe("sleep", "work", "user_creates", at=NOON - 8 * DAY)
        second.observe("mood", "work", "user_creates", at=NOON - 7 * DAY)
        first.export(one)
        second.export(two)
        for memory, path in ((first, two), (second, one)):
            imported = memory.import_(path)
            assert (imported.added, imported.duplicates) == (2, 1)
        assert first.export().text == second.export().text
        assert first.verify().digest == second.verify().digest


def test_the_earlier_known_copy_stays_with_its_note() -> None:
    def ledger(known_at: int, note: str) -> bytes:
        payload: Payload = {"star": "sleep", "name": "Sleep", "domain": "soul"}
        at = to_micros(NOON - DAY)
        item = make_item(space="me", what="star_added", at=at, payload=payload, known_at=known_at, note=note)
        with remembering(InMemoryStore()) as memory:
            return str(memory.export().text).encode() + item_line(item)

    early, late = to_micros(NOON) - 5, to_micros(NOON)
    for order in ((early, late), (late, early)):
        with remembering(InMemoryStore()) as memory:
            for known_at in order:
                memory.import_(io.BytesIO(ledger(known_at, f"known at {known_at}")))
            (line,) = memory.export().text.splitlines()[1:]
            assert json.loads(line)["note"] == f"known at {early}"


# What is wrong


def item(what: str = "clock", payload: Payload | None = None, *, at: int | None = None, space: str = "me") -> Item:
    when = to_micros(NOON - 2 * DAY) if at is None else at
    return make_item(space=space, what=what, at=when, payload=payload or {}, known_at=to_micros(NOON))


def changed(**parts: object) -> bytes:
    return json.dumps(json.loads(item_line(item())) | parts).encode() + b"\n"


BROKEN: dict[str, bytes] = {
    "no JSON": b"hello\n",
    "half a line": item_line(item())[:-9],
    "a list": b"[]\n",
    "a second header": b'{"asterism":"ledger","version":1}\n',
    "bytes that are no text": b"\xff\xfe\x00\n",
    "an unknown field": changed(colour="red"),
    "another id": changed(id="0" * 32),
    "another time": changed(at="2026-02-01T00:00:00Z"),
    "a payload of another kind": item_line(item("engaged", {"star": "sleep"})),
    "a payload that says more": item_line(item(payload={"more": 1})),
    "a kind from the future": item_line(item("sang")),
    "a self-link": item_line(item("evidence", {"a": "mood", "b": "mood", "kind": "user_creates"})),
    "before all time": item_line(item(at=-(10**16))),
    "an item of another space": item_line(item(space="you")),
    "a note with a lone surrogate": changed(note="\ud800"),
    "a tombstone that is none": b'{"erased":"7"}\n',
    "a vector that is none": b'{"text":"' + b"0" * 32 + b'","vector":"x"}\n',
}


@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("kind", STORES)
def test_one_bad_line_is_named_and_nothing_is_written(tmp_path: Path, fault: str, kind: str) -> None:
    place, path = place_of(kind, tmp_path), tmp_path / "bad.jsonl"
    with remembering(place) as memory:
        memory.add_star("Run", domain="health", at=NOON - 5 * DAY)
        good = memory.export().text.encode() + item_line(item("clock", at=to_micros(NOON - 3 * DAY)))
        path.write_bytes(good + BROKEN[fault])
        before, digest = memory.export().text, memory.verify().digest
        with pytest.raises(InputError) as refused:
            memory.import_(path)
        assert refused.value.item == "bad.jsonl:4"
        assert refused.value.message.startswith("bad.jsonl, line 4: ")
        assert "nothing was taken in" in (refused.value.hint or "")
        assert ("cut short" in (refused.value.hint or "")) == (fault == "half a line")
        assert memory.export().text == before
        assert memory.verify().digest == digest
        path.write_bytes(good)
        assert memory.import_(path).added == 1


NO_LEDGERS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty_file"),
    "empty lines": (b"\n\n", "empty_file"),
    "a text": (b"Dear diary,\n", "not_a_ledger"),
    "a list": (b"[1,2]\n", "not_a_ledger"),
    "another object": (b'{"hello":"world"}\n', "not_a_ledger"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 50, "not_a_ledger"),
    "a database": (b"SQLite format 3\0" + b"\0" * 5000, "not_a_ledger"),
    "one huge line": (b"x" * (2**20 + 7), "not_a_ledger"),
    "a newer version": (b'{"asterism":"ledger","version":2}\n', "newer_ledger"),
    "half a header": (b'{"asterism":"ledger","version":1}\n', "bad_line"),
    "a preset of the future": (
        b'{"asterism":"ledger","embedder":null,"fold":3,"parameters":{},"preset":["warp"],"space":"me","version":1}\n',
        "bad_line",
    ),
    "half a gzip": (gzip.compress(b"x" * 10_000)[:-20], "damaged_file"),
}


@pytest.mark.parametrize("name", NO_LEDGERS)
def test_what_is_no_ledger_is_refused(tmp_path: Path, name: str) -> None:
    data, code = NO_LEDGERS[name]
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    with remembering(InMemoryStore()) as memory:
        with pytest.raises(InputError) as refused:
            memory.import_(path)
        assert (refused.value.code, is_told_well(refused.value)) == (code, True)
        assert memory.export().text.count("\n") == 1
        for wrong in (tmp_path, tmp_path / "nothing"):
            with pytest.raises(InputError) as refused:
                memory.import_(wrong)
            assert refused.value.code == "no_file"


def test_vectors_of_two_sizes_are_refused(told: tuple[Path, Store, Answers]) -> None:
    text = (told[0] / "plain.jsonl").read_bytes()
    for two in (b"AAAAAA==", b"AACAfw=="):  # half as long as the other; infinity
        more = b"".join(b'{"text":"%032d","vector":"%s"}\n' % (n, v) for n, v in enumerate((b"AAAAAAAAAAA=", two)))
        with remembering(InMemoryStore()) as memory, pytest.raises(InputError, match="vectors"):
            memory.import_(io.BytesIO(text + more))


# What was erased


def test_what_was_erased_here_does_not_come_back(told: tuple[Path, Store, Answers]) -> None:
    path = told[0] / "plain.jsonl"
    store = InMemoryStore()
    with remembering(store) as memory:
        memory.import_(path)
        gone = [each.item.id for each in contents(store) if each.item.what == "used"]
        erase_items(store, gone, at=to_micros(NOON))
        before = memory.export().text
        imported = memory.import_(path)
        assert (imported.added, imported.buried) == (0, 1)
        assert memory.export().text == before
        assert memory.verify().ok


def test_what_was_erased_is_in_no_file_and_comes_back_by_none(told: tuple[Path, Store, Answers]) -> None:
    path = told[0] / "plain.jsonl"
    with remembering(InMemoryStore()) as mine, remembering(InMemoryStore()) as other:
        mine.import_(path)
        other.import_(path)
        assert "piano" in mine.export().text
        (piano,) = [block.id for block in mine.blocks() if "piano" in block.content]
        mine.erase(piano)
        text = mine.export().text
        assert "piano" not in text
        assert mine.import_(path).buried > 0
        assert "piano" not in mine.export().text
        assert mine.block(piano) is None
        assert other.import_(io.BytesIO(text.encode())).erased > 0
        assert "piano" not in other.export().text
        assert (mine.verify().ok, other.verify().ok) == (True, True)
        assert other.export(vectors=True).counts["vectors"] == 0


@pytest.mark.parametrize("orphan", [False, True])
def test_what_was_erased_there_is_erased_here(told: tuple[Path, Store, Answers], orphan: bool) -> None:
    path = told[0] / "plain.jsonl"
    theirs = shuffled(contents_of(told[1]), 1)
    gone = [each.id for each in contents_of(theirs) if each.what == "used"]
    erased = erase_items(theirs, gone, at=to_micros(NOON))
    if orphan:  # the item that says it was erased itself
        with theirs.writing("me") as writing:
            writing.bury([erased.id])
    with remembering(theirs) as memory:
        text = memory.export().text
    with remembering(InMemoryStore()) as memory:
        memory.import_(path)
        imported = memory.import_(io.BytesIO(text.encode()))
        assert imported.erased == (2 if orphan else 1)
        assert memory.export().text.splitlines()[1:] == text.splitlines()[1:]
        assert gone[0].hex() in text
        assert memory.verify().ok
        assert memory.stats().items.get("used", 0) == 0


# Spaces, parameters, embedders


def test_another_space_is_copied_only_when_asked(told: tuple[Path, Store, Answers]) -> None:
    path, store = told[0] / "plain.jsonl", InMemoryStore()
    with remembering(store, space="you") as memory:
        with pytest.raises(InputError) as refused:
            memory.import_(path)
        assert (refused.value.code, refused.value.item) == ("other_space", "me")
        imported = memory.import_(path, as_copy=True)
        assert imported.added == len(contents(told[1]))
        assert memory.verify().ok
        assert [(link.id, link.strength) for link in memory.links()] == [
            (link.id, link.strength)
            for link in told[2][2]  # type: ignore[attr-defined]
        ]
        assert memory.import_(path, as_copy=True).added == 0
    assert {each.item.space for each in contents(store, "you")} == {"you"}
    gone = contents_of(told[1])[0].id
    theirs = shuffled(contents_of(told[1]), 1)
    erase_items(theirs, [gone], at=to_micros(NOON))
    with remembering(theirs) as memory:
        text = memory.export().text
    with remembering(InMemoryStore(), space="you") as memory:
        assert memory.import_(io.BytesIO(text.encode()), as_copy=True).left_out == 1


def test_a_new_space_takes_over_parameters_and_one_that_is_there_refuses_others(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    with remembering(InMemoryStore(), parameters={"excavation_days": 3}) as memory:
        memory.add_star("Sleep", domain="soul", at=NOON - DAY)
        memory.export(path)
    for kind in STORES:
        with remembering(place_of(kind, tmp_path, "new.db")) as memory:
            memory.import_(path)
            assert memory.parameters().overrides == {"excavation_days": 3}
            memory.add_star("Mood", domain="soul")
            assert memory.verify().ok
    with remembering(tmp_path / "new.db") as memory:
        assert memory.parameters().overrides == {"excavation_days": 3}
    with remembering(InMemoryStore()) as memory:
        memory.add_star("Run", domain="health")
        with pytest.raises(InputError) as refused:
            memory.import_(path)
        assert refused.value.code == "other_parameters"
        memory.configure(parameters={"excavation_days": 3})
        assert memory.import_(path).added == 1
    with remembering(InMemoryStore(), parameters={"excavation_days": 4}) as memory:
        with pytest.raises(InputError) as refused:
            memory.import_(path)
        assert refused.value.code == "other_parameters"
        assert memory.parameters().overrides == {"excavation_days": 4}


def test_vectors_of_another_embedder_are_left_out(told: tuple[Path, Store, Answers]) -> None:
    own = by_hand({"garden": [1, 0], "water": [0, 1]})
    with remembering(InMemoryStore(), embedder=own) as memory:
        imported = memory.import_(told[0] / "full.jsonl.gz")
        assert (imported.vectors, imported.left_out > 0) == (0, True)
        assert memory.recall("garden").hits  # by its own
        memory.dream()
        again = memory.import_(told[0] / "full.jsonl.gz")
        assert (again.vectors, again.left_out) == (0, imported.left_out)


# Much at once


def many(count: int) -> list[Item]:
    """Two stars and evidence of a month, an item a few minutes."""
    begin, links = to_micros(NOON) - 60 * DAY_MICROS, [("a", "b", "user_confirms"), ("a", "c", "co_mention_session")]
    told: list[tuple[str, int, Payload]] = [
        ("star_added", begin + place, {"star": star, "name": star, "domain": "health"})
        for place, star in enumerate("abc")
    ]
    for number in range(count - len(told)):
        a, b, kind = links[number % 2]
        told.append(("evidence", begin + 100 + number * 30 * DAY_MICROS // count, {"a": a, "b": b, "kind": kind}))
    return [make_item(space="me", what=what, at=at, payload=payload, known_at=begin) for what, at, payload in told]


@pytest.mark.parametrize("kind", STORES)
def test_more_items_than_a_batch_come_in_whole_though_they_are_late(tmp_path: Path, kind: str) -> None:
    items, place = many(2 * AT_ONCE + 7), place_of(kind, tmp_path)
    with remembering(place) as memory:
        memory.export(tmp_path / "empty.jsonl")
        memory.add_star("a", domain="health", at=NOON - 10 * DAY)
        memory.add_star("d", domain="health", at=NOON - 10 * DAY)
        memory.observe("a", "d", "user_creates", at=NOON - 9 * DAY)
        path = tmp_path / "many.jsonl"
        lines = [*(tmp_path / "empty.jsonl").read_bytes().splitlines(keepends=True)[:1], *map(item_line, items)]
        path.write_bytes(b"".join([*lines, b"{}\n"]))
        before = memory.export().text
        with pytest.raises(InputError, match="nothing was taken in"):
            memory.import_(path)
        assert memory.export().text == before
        path.write_bytes(b"".join(lines))
        assert memory.import_(path).added == len(items)
        assert memory.verify().ok
        again = memory.import_(path)
        assert (again.added, again.duplicates) == (0, len(items))


# Killed on the way

WORKER = """
import sys
from pathlib import Path
from asterism.engine.exchange import take_in as importing
from tests.support.memories import remembering

def stop(*_):
    print("there", flush=True)
    sys.stdin.read()

if {before}:
    importing._embedder = stop
else:
    importing._Keep.store = stop
with remembering(Path({db!r})) as memory:
    memory.import_({path!r})
"""


@pytest.mark.parametrize("before", [True, False])
def test_an_import_that_is_killed_leaves_nothing(
    told: tuple[Path, Store, Answers], tmp_path: Path, before: bool
) -> None:
    db, path = tmp_path / "memory.db", told[0] / "plain.jsonl"
    code = WORKER.format(before=before, db=str(db), path=str(path))
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"there\n"
        worker.send_signal(signal.SIGKILL)
    with closing(SQLiteStore(db)) as store:
        assert contents(store) == []
        assert store.parameters("me") is None
    with remembering(db) as memory:
        assert memory.import_(path).added == len(contents(told[1]))
        assert memory.verify().ok


def test_an_export_that_is_killed_leaves_what_was_there(told: tuple[Path, Store, Answers], tmp_path: Path) -> None:
    db, path = tmp_path / "memory.db", tmp_path / "out.jsonl"
    path.write_bytes(b"old\n")
    with remembering(db) as memory:
        memory.import_(told[0] / "plain.jsonl")
    code = f"""
import sys
from pathlib import Path
from asterism.engine.exchange import export as exporting
from tests.support.memories import remembering

def stop(item):
    print("there", flush=True)
    sys.stdin.read()

exporting.item_line = stop
with remembering(Path({str(db)!r})) as memory:
    memory.export({str(path)!r}, force=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"there\n"
        worker.send_signal(signal.SIGKILL)
    assert path.read_bytes() == b"old\n"
    with remembering(db) as memory:
        memory.export(path, force=True)
    assert path.read_bytes() == (told[0] / "plain.jsonl").read_bytes()


def test_a_memory_that_is_read_only_takes_nothing_in(told: tuple[Path, Store, Answers], tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    with remembering(db) as memory:
        memory.add_star("Run", domain="health")
    with remembering(db, read_only=True) as memory:
        with pytest.raises(AsterismError) as refused:
            memory.import_(told[0] / "plain.jsonl")
        assert refused.value.code == "read_only"
        assert memory.export(tmp_path / "out.jsonl").counts["items"] == 1
