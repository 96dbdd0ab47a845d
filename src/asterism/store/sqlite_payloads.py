"""What an item says, as a SQLite file keeps it: text that anyone can read; deflated, where it is long."""

from __future__ import annotations

import zlib

LONG = 2_000  # characters: the items of dreams, readings and explorations
START = b"\x78"  # how what is deflated begins; JSON begins with a brace


def packed(text: str) -> str | bytes:
    """Give what is kept of a payload."""
    return text if len(text) < LONG else zlib.compress(text.encode())


def unpacked(kept: str | bytes) -> str:
    """Give the payload that was kept; what is damaged is a ValueError.

    >>> unpacked(packed('{"a": 1}'))
    '{"a": 1}'
    """
    if isinstance(kept, str):
        return kept
    try:
        return (zlib.decompress(kept) if kept.startswith(START) else kept).decode()
    except zlib.error as error:
        raise ValueError(f"it cannot be unpacked: {error}") from error
