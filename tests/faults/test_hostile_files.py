"""Files made to hurt: what unpacks without end, lines without end, pipes, devices, names and bytes that are no text."""

from __future__ import annotations

import gzip
import io
import os
import resource
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from asterism import incoming
from asterism.core.dialogue.lines import MAX_LINE
from asterism.diaries import table
from asterism.entry.evidence_file import read_rows
from asterism.entry.facts_file import Common, read_facts
from asterism.errors import AsterismError, InputError
from asterism.store.in_memory import InMemoryStore
from tests.support.memories import DAY, NOON, AnyMemory, contents, is_told_well, remembering

Read = Callable[[AnyMemory, Path, int | None], object]

READERS: dict[str, Read] = {
    "import": lambda memory, path, most: memory.import_(path, max_bytes=most),
    "transcript": lambda memory, path, most: memory.read_transcript(path, started_at=NOON - DAY, max_bytes=most),
    "diary": lambda memory, path, most: memory.read_diary(path, max_bytes=most),
    "feed": lambda memory, path, most: memory.feed_file("BTCUSDT", path, max_bytes=most),
    "evidence": lambda memory, path, most: memory.observe_many(
        [row.evidence for row in read_rows(path, max_bytes=most)]
    ),
}


def is_refused(reader: str, path: Path, *, max_bytes: int | None = None) -> AsterismError:
    """Check that a reader refuses a file with a word, and that nothing of it is kept."""
    store = InMemoryStore()
    with remembering(store) as memory, pytest.raises(AsterismError) as refused:
        READERS[reader](memory, path, max_bytes)
    assert is_told_well(refused.value)
    assert len(str(refused.value)) < 2_000
    assert contents(store) == []
    return refused.value


def most_memory() -> int:
    """Give the most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.fixture
def small_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the bounds of a machine that is a thousand times smaller, so that a bomb is made in no time."""
    monkeypatch.setattr(incoming, "WHOLE", 2**17)
    monkeypatch.setattr(incoming, "ANY_FOLD", 2**16)
    monkeypatch.setattr(incoming, "FOLD", 100)


# What is no file


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_ordinary_file_is_not_waited_for(tmp_path: Path, reader: str) -> None:
    pipe, folder, loop = tmp_path / "pipe.csv", tmp_path / "folder.csv", tmp_path / "loop.csv"
    os.mkfifo(pipe)
    folder.mkdir()
    loop.symlink_to(loop)
    said = {
        pipe: "is no ordinary file",
        folder: "is a folder",
        loop: "cannot be read",
        tmp_path / "no.csv": "is not there",
        tmp_path / "nu\0l.csv": "",
        tmp_path / ("long" * 100): "",
        Path("/dev/zero"): "is no ordinary file",
        Path("/dev/stdin"): "",
    }
    for path, word in said.items():
        error = is_refused(reader, path)
        codes = ("no_file",) if word else ("bad_path", "no_file")  # a name that no file can have is told before
        assert error.code in codes or (path.name == "stdin" and error.code), (path, error)
        assert word in error.message or path.name == "stdin", (path, error)


@pytest.mark.parametrize("reader", READERS)
def test_an_empty_file_and_a_name_of_no_text_are_told(tmp_path: Path, reader: str) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/n\xff\xfeme.csv"))
    error = is_refused(reader, odd)
    error.message.encode()  # it can be printed
    odd.write_bytes(b"")
    if reader not in ("transcript", "evidence"):  # which take an empty file for one with no lines
        is_refused(reader, odd).message.encode()


# What has more in it than it shows


def packed(path: Path, text: bytes) -> Path:
    path.write_bytes(gzip.compress(text))
    return path


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.usefixtures("small_bounds")
@pytest.mark.parametrize("text", [b"\n", b"a,b,c\n", b"a"])
def test_what_unpacks_to_too_much_is_refused_and_the_bound_is_told(tmp_path: Path, reader: str, text: bytes) -> None:
    path = packed(tmp_path / "bomb.csv", text * (2**23 // len(text)))
    error = is_refused(reader, path)
    assert error.code in ("too_large", "not_a_ledger", "bad_transcript", "not_rows", "no_diary", "no_column", "bad_row")
    if text == b"\n" and reader != "import":  # which takes no more than some empty lines
        assert error.code == "too_large"
        assert "131,072 bytes" in error.message or f"{100 * path.stat().st_size:,} bytes" in error.message
        assert "max_bytes" in str(error.hint)


def test_a_bomb_costs_no_more_than_the_bound(tmp_path: Path) -> None:
    """Two gigabytes of line breaks in two megabytes cost a moment, and no more memory than the largest file allowed."""
    path = tmp_path / "bomb.jsonl"
    path.write_bytes(gzip.compress(b"\n" * 2**24) * 128)
    before = most_memory()
    said = {"import": "not_a_ledger", "feed": "not_rows"}  # no ledger and no feed begins so
    for reader in READERS:
        assert is_refused(reader, path).code == said.get(reader, "too_large")
    assert most_memory() - before < 3 * incoming.WHOLE


@pytest.mark.parametrize("reader", READERS)
def test_more_may_be_allowed_and_less(tmp_path: Path, reader: str) -> None:
    path = packed(tmp_path / "file.csv", b'{"asterism":"\n' * 100 if reader == "import" else b"Ann: Hi.\n" * 100)
    error = is_refused(reader, path, max_bytes=10)
    assert error.code == "too_large"
    assert "10 bytes" in error.message
    with remembering(InMemoryStore()) as memory:
        for wrong in (0, -1, True, "1", 1.5, float("nan")):
            with pytest.raises(InputError) as refused:
                READERS[reader](memory, path, wrong)  # type: ignore[arg-type]
            assert refused.value.code == "bad_limit"
    assert reader != "transcript" or READERS[reader](memory_of_its_own(), path, 900)


def memory_of_its_own() -> AnyMemory:
    return remembering(InMemoryStore()).__enter__()


def test_a_packed_file_that_is_what_it_says_is_read(tmp_path: Path) -> None:
    rows = "".join(f"{1700000000 + n},{100 + n % 7},1\n" for n in range(1000))
    path = packed(tmp_path / "trades.csv.gz", f"at,price,usd\n{rows}".encode())
    with remembering(InMemoryStore()) as memory:
        told = memory.feed_file("BTCUSDT", path, mapping="at=at,price=price,usd=usd,kind=trade")
        assert told.rows["events"] == 1000


@pytest.mark.parametrize(
    ("how", "code"),
    [("two", "not_rows"), ("cut", "damaged_file"), ("secret", "damaged_file"), ("method", "damaged_file")],
)
def test_an_archive_that_cannot_be_unpacked_is_told(tmp_path: Path, how: str, code: str) -> None:
    path = tmp_path / "feed.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", "at,price\n" * 100)
        if how == "two":
            archive.writestr("b.csv", "at,price\n")
    data = bytearray(path.read_bytes())
    central = data.index(b"PK\x01\x02")
    if how == "cut":
        data = data[:40]
    elif how == "secret":
        data[6] |= 1
        data[central + 8] |= 1
    elif how == "method":
        data[8] = data[central + 10] = 99
    path.write_bytes(data)
    assert is_refused("feed", path).code == code


@pytest.mark.usefixtures("small_bounds")
def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "feed.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"\n" * 2**24)
    assert is_refused("feed", path).code == "too_large"


# Lines and tables


def test_a_line_of_a_transcript_has_an_end(tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("Ann: Hi.\nDM: " + "word " * (MAX_LINE // 5 + 1))
    error = is_refused("transcript", path)
    assert error.code == "bad_line"
    assert f"{MAX_LINE:,} characters" in error.message
    with remembering(InMemoryStore()) as memory, pytest.raises(InputError, match="1,000,000 characters"):
        memory.read_transcript(["Ann: " + "x" * (MAX_LINE + 1)], session="one", started_at=NOON - DAY)


def test_a_line_of_a_ledger_or_a_feed_has_an_end(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'{"asterism":"' + b"x" * 2**21)
    assert "more than 1 MiB" in is_refused("import", path).message
    path.write_bytes(b"at,price\n" + b"x" * (2**24 + 2**22))
    assert is_refused("feed", path).code == "not_rows"


@pytest.mark.parametrize("reader", ["diary", "feed", "transcript", "evidence"])
def test_a_table_of_a_hundred_thousand_columns_is_looked_at_once(tmp_path: Path, reader: str) -> None:
    path = tmp_path / "wide.csv"
    heads = ",".join(f"c{n}" for n in range(100_000))
    path.write_text(f"date,{heads}\n2026-01-01,{','.join('1' * 100_000)}\n")
    if reader == "diary":
        with remembering(InMemoryStore()) as memory, pytest.raises(AsterismError) as refused:
            memory.read_diary(path, columns=["nobody"])
        assert refused.value.code == "unknown_column"
    else:
        is_refused(reader, path)


def test_a_table_with_too_many_cells_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST_CELLS", 1_000)
    path = tmp_path / "wide.csv"
    path.write_text("date,a\n" + "2026-01-01," + "," * 2_000 + "\n")
    error = is_refused("diary", path)
    assert (error.code, "1,000 cells" in error.message) == ("too_large", True)


DEEP = "[" * 100_000 + "]" * 100_000
ODD_JSON = {
    "deep list": DEEP,
    "deep object": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "deep content": f'{{"author_name": "Ann", "content": {DEEP}}}',
    "not a number": '{"author_name": "Ann", "content": "Hi.", "timestamp_ms": NaN}',
    "beyond floats": '{"author_name": "Ann", "content": "Hi.", "timestamp_ms": 1e400}',
    "many digits": '{"author_name": "Ann", "content": "Hi.", "timestamp_ms": ' + "9" * 5_000 + "}",
    "a lone surrogate": '{"author_name": "Ann", "content": "\\ud800"}',
    "a list": "[1]",
    "null": "null",
}


@pytest.mark.parametrize("what", ODD_JSON)
@pytest.mark.parametrize("reader", ["import", "transcript", "evidence"])
def test_json_that_nothing_can_be_made_of_is_told(tmp_path: Path, reader: str, what: str) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(ODD_JSON[what] + "\n")
    is_refused(reader, path)


@pytest.mark.parametrize("what", ODD_JSON)
def test_rows_to_learn_that_are_odd_json_are_told(what: str) -> None:
    with pytest.raises(InputError) as refused:
        read_facts(ODD_JSON[what], Common(), json_lines=True)
    assert refused.value.code == "bad_row"


def test_of_two_keys_of_one_name_the_last_counts(tmp_path: Path) -> None:
    path = tmp_path / "twice.jsonl"
    path.write_text('{"author_name": "Ann", "author_name": "Bo", "content": "Hi."}\n')
    with remembering(InMemoryStore()) as memory:
        memory.read_transcript(path, started_at=NOON - DAY)
        assert {hit.speaker for hit in memory.recall("Hi").hits} == {"Bo"}


@pytest.mark.parametrize("reader", READERS)
def test_bytes_that_are_no_text_are_told(tmp_path: Path, reader: str) -> None:
    path = tmp_path / "bytes.csv"
    for data in (bytes(range(256)) * 10, b"\xff\xfe\x00", b"\x1f\x8b", b"\x1f\x8b\x08\x00" + bytes(50), b"PK\x03\x04"):
        path.write_bytes(data)
        if (reader, data[:2]) != ("evidence", b"PK"):  # a header, and no rows
            is_refused(reader, path)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_line_ends_and_marks_of_other_systems_change_nothing(tmp_path: Path, mark: bytes, end: bytes) -> None:
    def written(name: str, *lines: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(mark + end.join(lines) + end)
        return path

    with remembering(InMemoryStore()) as memory:
        text = memory.export().text.encode().strip()
        assert memory.import_(io.BytesIO(mark + text + end)).added == 0
        memory.read_diary(written("d.csv", b"date,sleep", b"2026-01-01,6", b"2026-01-02,7"))
        memory.read_transcript(written("t.txt", b"Ann: I open it.", b"DM: It opens."), started_at=NOON - DAY)
        memory.feed_file("X", written("f.csv", b"at,price", b"1700000000,5"), mapping="at=at,price=price,kind=price")
        rows = read_rows(written("e.jsonl", b'{"a": "sleep", "b": "sleep", "kind": "user_creates"}'))
        assert [row.evidence.a for row in rows] == ["sleep"]
        assert memory.verify().ok
