"""The C shim: built on the spot where there is a compiler, loaded before libc, and armed by a process for itself."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

from campaign.part import CannotRunError

SOURCE = Path(__file__).with_name("shim.c")
FAULTS = ("nothing", "fails", "no room", "short", "torn", "killed", "sync fails", "lies")  # as in shim.c


def built(folder: Path) -> Path:
    """Compile it into a folder."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or sys.platform != "linux":
        raise CannotRunError("the C shim needs Linux and a C compiler (cc)")
    library = folder / "shim.so"
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise CannotRunError(f"the C shim does not compile here: {ran.stderr.strip().splitlines()[-1:]}")
    return library


class Shim:
    """The shim that this process was started with, if it was."""

    def __init__(self) -> None:
        library = ctypes.CDLL(None)
        self._arm = getattr(library, "shim_arm", None)
        self._calls = getattr(library, "shim_calls", None)
        if self._arm is not None and self._calls is not None:
            self._arm.argtypes = (ctypes.c_char_p, ctypes.c_long, ctypes.c_long, ctypes.c_int, ctypes.c_char_p)
            self._arm.restype = None
            self._calls.restype = ctypes.c_long

    def arm(self, folder: Path, *, at: int, times: int, fault: str, log: str = "") -> None:
        """Count the calls that change files of a folder, and let the one at this place, and some after it, fail."""
        if self._arm is not None:
            self._arm(str(folder).encode(), at, times, FAULTS.index(fault), log.encode())

    def calls(self) -> int:
        """How many there were."""
        return 0 if self._calls is None else int(self._calls())
