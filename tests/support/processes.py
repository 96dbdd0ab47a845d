"""Starting workers, listening to them, and finding in a ledger what they were told is there."""

from __future__ import annotations

import math
import os
import selectors
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from asterism.store.port import Store
from tests.support.erasing import raw

WORKER = Path(__file__).with_name("worker.py")


def start(path: Path, *, name: str, seed: int) -> subprocess.Popen[bytes]:
    """Start a worker on a file; it works until its stdin is closed."""
    command = [sys.executable, str(WORKER), str(path), name, str(seed)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)


def pipe(worker: subprocess.Popen[bytes]) -> IO[bytes]:
    """The worker's end of the line."""
    assert worker.stdout is not None
    return worker.stdout


def hear(
    workers: Iterable[subprocess.Popen[bytes]], *, seconds: float | None = None, lines: int | None = None
) -> dict[int, bytes]:
    """Listen to workers for so long, or until so many lines were heard, or all have fallen silent for good."""
    heard: dict[int, bytes] = {}
    ends = math.inf if seconds is None else time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            selector.register(pipe(worker), selectors.EVENT_READ, worker.pid)
            heard[worker.pid] = b""
        while selector.get_map() and (left := ends - time.monotonic()) > 0:
            for key, _ in selector.select(None if seconds is None else left):
                said = os.read(key.fd, 1 << 16)
                heard[key.data] += said
                if not said:
                    selector.unregister(key.fileobj)
            if lines is not None and sum(each.count(b"\n") for each in heard.values()) >= lines:
                break
    return heard


def acknowledged(heard: bytes) -> list[tuple[str, str]]:
    """Read whole lines: what a worker was told is there."""
    return [(kind, what) for kind, what in said(heard) if kind in ("item", "source", "clock")]


def erased(heard: bytes) -> list[str]:
    """Read whole lines: the sources that a worker erased."""
    return [what for kind, what in said(heard) if kind == "erased"]


def said(heard: bytes) -> list[tuple[str, str]]:
    """Read whole lines: their first words, and the rest."""
    words = [line.partition(" ") for line in heard.decode().split("\n")[:-1]]
    return [(kind, what) for kind, _, what in words]


def in_ledger(store: Store, space: str) -> Counter[tuple[str, str]]:
    """Give every way in which an item of the ledger can have been acknowledged."""
    found: Counter[tuple[str, str]] = Counter()
    for stored in store.items(space):
        item = stored.item
        found["item", item.id.hex()] += 1
        found["source", item.source] += 1
        if item.what == "clock":
            found["clock", str(item.at)] += 1
    return found


def are_gone(path: Path, sources: Iterable[str]) -> None:
    """See that no byte is left of erased sources in a file that was opened for writing."""
    left = raw(path)
    assert [source for source in sources if source.encode() in left] == []


def batches(store: Store, space: str) -> Counter[str]:
    """Count the rows of each call of `observe_many`."""
    return Counter(stored.item.source for stored in store.items(space) if stored.item.source.startswith("batch "))
