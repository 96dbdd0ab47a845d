"""Files: whole or not there, the same bytes each time, and clear words about what is no file."""

from __future__ import annotations

import errno
import gzip
import io
import os
import socket
from pathlib import Path

import pytest

from asterism.errors import AsterismError, FullError, InputError, StoreError
from asterism.formats import files
from asterism.formats.files import Lines, folder, reading, writing
from asterism.formats.ledger import LONGEST_HEADER
from tests.support.memories import is_told_well


def write(path: Path, data: bytes = b"new\n", *, force: bool = False) -> None:
    with writing(path, force=force) as (file,):
        file.write(data)


def test_a_file_appears_whole_and_is_only_replaced_by_force(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write(path, b"old\n")
    with pytest.raises(InputError) as refused:
        write(path)
    assert refused.value.code == "file_exists"
    assert path.read_bytes() == b"old\n"
    write(path, force=True)
    assert path.read_bytes() == b"new\n"
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_an_error_on_the_way_leaves_what_was_there(tmp_path: Path) -> None:
    path, other = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_bytes(b"old\n")
    with pytest.raises(RuntimeError), writing(path, other, force=True) as (first, second):  # noqa: PT012
        first.write(b"half")
        second.write(b"half")
        assert not other.exists()
        raise RuntimeError
    assert path.read_bytes() == b"old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_someone_else_made_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with pytest.raises(InputError) as refused, writing(path) as (file,):  # noqa: PT012
        file.write(b"ours")
        path.write_bytes(b"theirs")
    assert refused.value.code == "file_exists"
    assert path.read_bytes() == b"theirs"
    assert list(tmp_path.iterdir()) == [path]


def test_gzip_gives_the_same_bytes_each_time_under_any_name(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl.gz", tmp_path / "two.jsonl.gz"
    write(one, b"line\n" * 1000)
    write(two, b"line\n" * 1000)
    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes()[4:8] == b"\0\0\0\0"  # no time
    assert gzip.decompress(one.read_bytes()) == b"line\n" * 1000


def test_what_cannot_be_written_to_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = tmp_path / "real"
    real.write_bytes(b"old")
    link, dangling, fifo, sock = (tmp_path / name for name in ("link", "dangling", "fifo", "sock"))
    link.symlink_to(real)
    dangling.symlink_to(tmp_path / "nowhere")
    os.mkfifo(fifo)
    with socket.socket(socket.AF_UNIX) as listening:
        monkeypatch.chdir(tmp_path)  # a socket's path is short
        listening.bind("sock")
        targets = [link, dangling, tmp_path, fifo, sock, tmp_path / "no" / "file", tmp_path / ("x" * 300), Path("a\0b")]
        for target in [*targets, Path("/dev/null")]:
            with pytest.raises(AsterismError) as refused:
                write(target, force=True)
            assert is_told_well(refused.value)
            assert refused.value.code in ("bad_target", "cannot_write")
    assert real.read_bytes() == b"old"


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    for number, kind in ((errno.ENOSPC, FullError), (errno.EACCES, StoreError)):
        with pytest.raises(kind) as refused, writing(tmp_path / "a"):
            raise OSError(number, os.strerror(number))
        assert is_told_well(refused.value)
    assert not list(tmp_path.iterdir())


def test_a_folder_is_made_or_refused(tmp_path: Path) -> None:
    assert folder(tmp_path / "graph").is_dir()
    assert folder(tmp_path / "graph").is_dir()
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "graph")
    for wrong in ("file", "link", "no/where"):
        with pytest.raises(AsterismError) as refused:
            folder(tmp_path / wrong)
        assert is_told_well(refused.value)


def test_lines_are_read_by_newlines_alone(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes("one\u2028still one\r\ntwo".encode())
    with reading(path) as lines:
        assert [*lines] == ["one\u2028still one\r\n".encode(), b"two"]
        assert lines.share == 1.0
    with reading(io.BytesIO(b"one\n")) as lines:
        assert [*lines] == [b"one\n"]
        assert lines.share == 0.0
    with reading(io.BytesIO("\ufeffone\n\ufeff\n".encode())) as lines:
        assert [*lines] == [b"one\n", "\ufeff\n".encode()]
    packed = tmp_path / "anything"
    packed.write_bytes(gzip.compress(b"one\ntwo\n"))
    with reading(packed) as lines:
        assert [*lines] == [b"one\n", b"two\n"]


def test_a_file_that_is_cut_or_damaged_is_said_to_be(tmp_path: Path) -> None:
    whole = gzip.compress(os.urandom(20_000) + b"\n")
    for number, data in enumerate((whole[:-500], whole[:300] + b"\0\0\0\0" + whole[304:], b"\x1f\x8b")):
        path = tmp_path / f"{number}.gz"
        path.write_bytes(data)
        with reading(path) as lines, pytest.raises(InputError) as refused:
            list(lines)
        assert refused.value.code == "damaged_file"


def test_a_line_longer_than_any_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 100)
    lines = Lines(io.BytesIO(b"head\n" + b"x" * 101), name="a", size=None)
    with pytest.raises(InputError) as refused:
        list(lines)
    assert refused.value.item == "a:2"
    lines = Lines(io.BytesIO(b"\0" * (LONGEST_HEADER + 5)), name="a", size=None)
    with pytest.raises(InputError) as refused:
        list(lines)
    assert refused.value.item == "a:1"


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for wrong in (tmp_path, tmp_path / "fifo", tmp_path / "nothing", "a\0b", Path("/dev/zero")):
        with pytest.raises(InputError) as refused, reading(wrong):
            pass
        assert refused.value.code == "no_file"
        assert is_told_well(refused.value)


def test_of_two_files_none_appears_if_one_was_taken_meanwhile(tmp_path: Path) -> None:
    paths = [tmp_path / "nodes.csv", tmp_path / "links.csv"]
    with pytest.raises(InputError, match="is there already"), files.writing(*paths):
        paths[1].write_bytes(b"theirs")
    assert [path.name for path in tmp_path.iterdir()] == ["links.csv"]
    assert paths[1].read_bytes() == b"theirs"
