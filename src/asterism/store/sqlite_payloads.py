"""What an item says, as a SQLite file keeps it: text that anyone can read; deflated, where it is long."""

from __future__ import annotations

import zlib

LONG = 2_000  # characters: the items of dreams, readings and explorations
LONGEST = 2**27  # bytes: as long as a line of a ledger may be
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
    if not kept.startswith(START):
        return kept.decode()
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(kept, LONGEST)
    except zlib.error as error:
        raise ValueError(f"it cannot be unpacked: {error}") from error
    if not unpacking.eof:
        raise ValueError(f"it is cut short, or unpacks to more than {LONGEST:,} bytes")
    return text.decode()
