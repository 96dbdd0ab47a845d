"""Ids that are the same on every run and machine: UUIDs of version 5, made from what a thing is."""

from __future__ import annotations

import hashlib

NAMESPACE = bytes.fromhex("5e0c8a5f6b1d5d0f9a3e7c2b41d86f90")  # ours alone; never to be changed


_STARTED = hashlib.sha1(NAMESPACE, usedforsecurity=False)


def uuid5(name: str) -> str:
    """Name a thing by a text: the UUID of version 5 in our namespace (RFC 9562).

    >>> uuid5("session 1")
    '75632697-2a27-569b-920c-e09a44fa8609'
    """
    whole = _STARTED.copy()
    whole.update(name.encode())
    digest = whole.hexdigest()
    variant = "89ab"[int(digest[16], 16) & 3]
    return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"


def link_id(session: str, actor: str, line_index: int) -> str:
    """Name the link of an intent: its session, its actor and its line say which it is (D4)."""
    return uuid5(f"{session}\x1f{actor}\x1f{line_index}")  # a sign that neither text can hold
