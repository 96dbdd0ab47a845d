"""The text of a file: plain or gzip, in UTF-8 unless it says otherwise."""

from __future__ import annotations

import codecs
from pathlib import Path

from asterism.core.ledger.items import cut
from asterism.errors import InputError
from asterism.hints import Hint, elsewhere, option
from asterism.incoming import whole
from asterism.transcripts.model import at, fault

MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def read_text(path: Path, *, encoding: str | None = None, max_bytes: int | None = None) -> str:
    """Read a whole file as text."""
    data = whole(path, expected="give the path of a transcript", max_bytes=max_bytes)
    return decoded(data, path.name, encoding=encoding)


def decoded(data: bytes, name: str, *, encoding: str | None = None) -> str:
    """Turn bytes into text; a byte that is none of the encoding's is named with its place."""
    for mark, its in MARKS:
        if data.startswith(mark):
            data, encoding = data[len(mark) :], its
            break
    encoding = encoding or "utf-8"
    try:
        codecs.lookup(encoding)
        "".encode(encoding)  # a codec that is for other things than text says so
    except (LookupError, ValueError, TypeError):
        raise InputError(
            f"there is no encoding {cut(repr(encoding))}",
            code="bad_encoding",
            item=cut(str(encoding)),
            hint=Hint("try ", elsewhere(option("encoding"), " "), "utf-8 or cp1252"),
        ) from None
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode(encoding, "replace")) + 1
        problem = f"the byte 0x{data[error.start]:02x} is not {encoding}"
        raise fault(
            name, at(line, column), problem, f"text in {encoding}, or the file's own encoding to be named"
        ) from None
