"""What a disk may hold after a power loss, made of the calls that the shim wrote down.

What was synced is there. Of what was written since, any part may be: each write for itself, torn at a sector; a file
that is cut may still be long; a name that is new, gone or another's is so only once its folder was synced, or by luck,
in the order in which that happened. Where a sync failed, what it should have saved may be lost though a later one
succeeds.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

HEAD = struct.Struct("=cHHqq")
SECTOR = 512


class Call(NamedTuple):
    """One call, as it was written down."""

    sign: str  # Write, Truncate, Sync, X: a sync that failed, Create, Rename, Unlink, D: a folder was synced
    path: str
    other: str
    place: int
    size: int
    data: bytes


def calls_of(log: Path) -> Iterator[Call]:
    """Read what the shim wrote down; a last call that was cut off by the kill did not happen."""
    raw, at = log.read_bytes() if log.exists() else b"", 0
    while at + HEAD.size <= len(raw):
        sign, first, second, place, size = HEAD.unpack_from(raw, at)
        at += HEAD.size
        names = raw[at : at + first].decode(), raw[at + first : at + first + second].decode()
        at += first + second
        data = raw[at : at + size] if sign == b"W" else b""
        at += len(data)
        if sign != b"W" or len(data) == size:
            yield Call(sign.decode(), *names, place, size, data)


@dataclass
class Held:
    """A file: what is safe, and what was done to it since."""

    safe: bytearray
    since: list[Call] = field(default_factory=list)

    def after_loss(self, chance: random.Random) -> bytes:
        """Give what is left of it: any part of what was done since."""
        left, luck = bytearray(self.safe), chance.choice([0.0, 0.5, 0.9, 1.0])
        for call in self.since:
            if chance.random() < luck:
                _apply(left, call, torn=chance if chance.random() < 0.3 else None)
        return bytes(left)

    def sync(self) -> None:
        for call in self.since:
            _apply(self.safe, call)
        self.since.clear()


def _apply(raw: bytearray, call: Call, torn: random.Random | None = None) -> None:
    if call.sign == "T":
        del raw[call.size :]
        raw.extend(bytes(call.size - len(raw)))
        return
    raw.extend(bytes(max(0, call.place + call.size - len(raw))))
    for at in range(0, call.size, SECTOR):
        if torn is None or torn.random() < 0.5:
            piece = call.data[at : at + SECTOR]
            raw[call.place + at : call.place + at + len(piece)] = piece


class Moved(NamedTuple):
    """A name that a file lost, and one that it got."""

    lost: str
    got: str
    held: Held

    def apply(self, names: dict[str, Held]) -> None:
        """Let it be so."""
        if self.lost:
            names.pop(self.lost, None)
        if self.got:
            names[self.got] = self.held


class Disk:
    """The files of one folder, as far as they are safe."""

    def __init__(self, folder: Path) -> None:
        self._names = {str(path): Held(bytearray(path.read_bytes())) for path in folder.iterdir() if path.is_file()}
        self._safe_names = dict(self._names)
        self._moved: list[Moved] = []  # since the folder was synced

    def play(self, calls: Iterator[Call], chance: random.Random) -> None:
        """Do what was done; what was done to a file that has no name any more is nobody's loss."""
        for call in calls:
            held = Held(bytearray()) if call.sign == "C" else self._names.get(call.path)
            if call.sign == "D":
                for moved in self._moved:
                    moved.apply(self._safe_names)
                self._moved.clear()
            elif held is not None:
                self._done(call, held, chance)

    def _done(self, call: Call, held: Held, chance: random.Random) -> None:
        if call.sign in "CRU":
            lost = "" if call.sign == "C" else call.path
            got = {"C": call.path, "R": call.other, "U": ""}[call.sign]
            self._moved.append(Moved(lost, got, held))
            self._moved[-1].apply(self._names)
        elif call.sign in "WT":
            held.since.append(call)
        elif call.sign == "S":
            held.sync()
        else:  # what a failed sync should have saved may be lost for good
            held.since = [each for each in held.since if chance.random() < 0.5]

    def after_loss(self, folder: Path, chance: random.Random) -> None:
        """Write into a folder what may be left."""
        names = dict(self._safe_names)
        for moved in self._moved[: chance.randint(0, len(self._moved))]:
            moved.apply(names)
        for path, held in names.items():
            (folder / Path(path).name).write_bytes(held.after_loss(chance))
